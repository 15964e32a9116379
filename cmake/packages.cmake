# SPDX-License-Identifier: MIT
# Debian packages of what cmake/install.cmake installs: `make deb`.
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME bellwether)
set(CPACK_PACKAGE_VERSION ${PROJECT_VERSION})
set(CPACK_PACKAGE_CONTACT "The Bellwether developers <bellwether@localhost>")
# Each package says in one line what it is; any other words than CPack's default would stand before
# that line in all of them.
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "${CMAKE_PROJECT_NAME} built using CMake")
set(CPACK_PACKAGING_INSTALL_PREFIX ${CMAKE_INSTALL_PREFIX})
set(CPACK_OUTPUT_FILE_PREFIX ${PROJECT_BINARY_DIR}/packages)
set(CPACK_STRIP_FILES ON)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS ON)
set(CPACK_DEBIAN_PACKAGE_SECTION net)
set(CPACK_DEBIAN_PACKAGE_PRIORITY optional)
# The client's library is one of the packages, and no package of Debian's.
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS_PRIVATE_DIRS ${PROJECT_BINARY_DIR})

# package(COMPONENT NAME ABOUT TEXT [DEPENDS ...] [RECOMMENDS ...] [SUGGESTS ...]): lists as Debian
# writes them.
set(packages "")
function(package component name about text)
  cmake_parse_arguments(arg "" "DEPENDS;RECOMMENDS;SUGGESTS;SECTION;COPYRIGHT" "" ${ARGN})
  string(TOUPPER ${component} upper)
  set(CPACK_DEBIAN_${upper}_PACKAGE_NAME ${name} PARENT_SCOPE)
  set(CPACK_DEBIAN_${upper}_DESCRIPTION "${about}\n${text}" PARENT_SCOPE)
  foreach(field DEPENDS RECOMMENDS SUGGESTS SECTION)
    if(arg_${field})
      set(CPACK_DEBIAN_${upper}_PACKAGE_${field} "${arg_${field}}" PARENT_SCOPE)
    endif()
  endforeach()
  set(packages ${packages} ${component} PARENT_SCOPE)
  if(NOT arg_COPYRIGHT)
    set(arg_COPYRIGHT copyright)
  endif()
  set(doc ${CMAKE_INSTALL_DATADIR}/doc/${name})
  install(FILES packaging/debian/${arg_COPYRIGHT} RENAME copyright DESTINATION ${doc}
    COMPONENT ${component})
  install(FILES ${PROJECT_BINARY_DIR}/changelog.gz DESTINATION ${doc} COMPONENT ${component})
endfunction()

find_program(GZIP gzip REQUIRED)
execute_process(COMMAND ${GZIP} -9nc ${PROJECT_SOURCE_DIR}/packaging/debian/changelog
  OUTPUT_FILE ${PROJECT_BINARY_DIR}/changelog.gz COMMAND_ERROR_IS_FATAL ANY)

package(bellwether bellwether
  "leader election in networks that move: simulate, check, watch, compare"
  "Elections for networks whose links and nodes come and go: simulated with
mobility, radio and faults, searched exhaustively in small networks, shown
in the browser, and compared in experiments. Every algorithm is explained."
  RECOMMENDS bellwether-node SUGGESTS "bellwether-ns3, libbellwether-dev, python3-bellwether"
  SECTION science)
package(node bellwether-node
  "leader election in networks that move: the daemon"
  "A node finds its neighbours, elects with them over any number of hops,
without quorum or infrastructure, and answers one question: who leads?
Applications ask by HTTP, C, C++, hooks or commands."
  DEPENDS "adduser, init-system-helpers (>= 1.52)")
package(client libbellwether-client0
  "leader election in networks that move: ask a node, from C"
  "The shared library with which programs ask a node who leads."
  SECTION libs)
string(CONCAT libraries "libboost-dev, libcli11-dev, libfmt-dev, libopenmpi-dev, libpugixml-dev, "
  "libsodium-dev, libspdlog-dev, libsqlite3-dev, libtomlplusplus-dev, nlohmann-json3-dev")
package(dev libbellwether-dev
  "leader election in networks that move: headers and libraries"
  "For elections of one's own, for applications with a node inside, and for
programs that ask one. With files for CMake and pkg-config, and examples."
  DEPENDS "libbellwether-client0 (>= ${PROJECT_VERSION}), ${libraries}"
  SUGGESTS "cmake, g++, pkg-config"
  SECTION libdevel)
if(TARGET bellwether-ns3)
  package(ns3 bellwether-ns3
    "leader election in networks that move: on 802.11n, by ns-3"
    "The scenarios of bellwether with the 802.11n of ns-3 for a medium. This
program links ns-3 and is therefore under GPL-2.0-only."
    DEPENDS "bellwether (>= ${PROJECT_VERSION})" SECTION science COPYRIGHT copyright-ns3)
endif()
if(TARGET bellwether_python)
  package(python python3-bellwether
    "leader election in networks that move: for Python"
    "Runs and sweeps as dictionaries and data frames; graphs of networkx."
    DEPENDS "python3 (>= 3.11), python3 (<< 3.12)"
    RECOMMENDS "python3-pandas, python3-networkx" SECTION python)
endif()
set(CPACK_COMPONENTS_ALL ${packages})

# Documents to read without the network.
install(DIRECTORY docs DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/bellwether COMPONENT bellwether
  FILES_MATCHING PATTERN "*.md" PATTERN "*.svg" PATTERN site EXCLUDE)
install(FILES README.md CHANGELOG.md DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/bellwether
  COMPONENT bellwether)

set(CPACK_DEBIAN_NODE_PACKAGE_CONTROL_EXTRA
  ${PROJECT_SOURCE_DIR}/packaging/debian/postinst ${PROJECT_SOURCE_DIR}/packaging/debian/prerm
  ${PROJECT_SOURCE_DIR}/packaging/debian/postrm ${PROJECT_SOURCE_DIR}/packaging/debian/conffiles)
set(CPACK_DEBIAN_NODE_PACKAGE_CONTROL_STRICT_PERMISSION ON)
set(CPACK_DEBIAN_PYTHON_PACKAGE_CONTROL_EXTRA
  ${PROJECT_SOURCE_DIR}/packaging/debian/python/prerm)
set(CPACK_DEBIAN_PYTHON_PACKAGE_CONTROL_STRICT_PERMISSION ON)
set(CPACK_DEBIAN_CLIENT_PACKAGE_CONTROL_EXTRA ${PROJECT_SOURCE_DIR}/packaging/debian/triggers)
include(CPack)
