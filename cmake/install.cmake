# SPDX-License-Identifier: MIT
# What `cmake --install` puts where: programs, modules with their headers, and how others find them.
# Nothing installed has the path of this tree or of the prefix in it: a prefix can be moved.
include(CMakePackageConfigHelpers)

set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/bellwether)
set(pkgconfig_dir ${CMAKE_INSTALL_LIBDIR}/pkgconfig)

# A library of others, by what a module links: its package for find_package and its pkg-config name.
set(package_of_fmt::fmt fmt)
set(pc_of_fmt::fmt fmt)
set(package_of_pugixml::pugixml pugixml)
set(pc_of_pugixml::pugixml pugixml)
set(package_of_tomlplusplus::tomlplusplus tomlplusplus)
set(pc_of_tomlplusplus::tomlplusplus tomlplusplus)
set(package_of_SQLite::SQLite3 SQLite3)
set(pc_of_SQLite::SQLite3 sqlite3)
set(package_of_spdlog::spdlog spdlog)
set(pc_of_spdlog::spdlog spdlog)
set(package_of_CLI11::CLI11 CLI11)
set(pc_of_CLI11::CLI11 CLI11)
set(package_of_PkgConfig::sodium sodium)
set(pc_of_PkgConfig::sodium libsodium)
set(package_of_MPI::MPI_C MPI)
set(pc_of_MPI::MPI_C ompi-c)
set(package_of_Threads::Threads Threads)
set(pc_of_Threads::Threads "")  # a flag: -pthread

# links_of(TARGET MODULES OTHERS): what a module links, of ours and of others.
function(links_of target modules others)
  get_target_property(links ${target} INTERFACE_LINK_LIBRARIES)
  set(ours "")
  set(theirs "")
  foreach(link ${links})
    string(REGEX REPLACE "^\\$<LINK_ONLY:(.*)>$" "\\1" link "${link}")
    if(link MATCHES "^bellwether::(.+)$")
      list(APPEND ours ${CMAKE_MATCH_1})
    elseif(DEFINED package_of_${link})
      list(APPEND theirs ${link})
    elseif(NOT link MATCHES "BUILD_INTERFACE")
      message(FATAL_ERROR "cmake/install.cmake does not know ${link}, which ${target} links")
    endif()
  endforeach()
  list(REMOVE_DUPLICATES ours)
  list(REMOVE_DUPLICATES theirs)
  set(${modules} "${ours}" PARENT_SCOPE)
  set(${others} "${theirs}" PARENT_SCOPE)
endfunction()

# write_pc(NAME ARCHIVE MODULES OTHERS ABOUT): a file for pkg-config, which finds the rest from
# where it lies itself.
function(write_pc name archive modules others about)
  file(RELATIVE_PATH up /${pkgconfig_dir} /)
  string(REGEX REPLACE "/$" "" up ${up})
  set(requires "")
  set(libs "-L\${libdir}")
  if(archive)
    string(APPEND libs " -l${archive}")
  endif()
  foreach(module ${modules})
    list(APPEND requires bellwether-${module})
  endforeach()
  foreach(other ${others})
    list(APPEND requires ${pc_of_${other}})
    if(other STREQUAL Threads::Threads)
      string(APPEND libs " -pthread")
    endif()
  endforeach()
  list(JOIN requires " " requires)
  set(file ${PROJECT_BINARY_DIR}/pkgconfig/bellwether-${name}.pc)
  file(WRITE ${file} "prefix=\${pcfiledir}/${up}
includedir=\${prefix}/${CMAKE_INSTALL_INCLUDEDIR}
libdir=\${prefix}/${CMAKE_INSTALL_LIBDIR}

Name: bellwether-${name}
Description: ${PROJECT_DESCRIPTION}: ${about}
Version: ${PROJECT_VERSION}
Requires: ${requires}
Cflags: -I\${includedir}
Libs: ${libs}
")
  install(FILES ${file} DESTINATION ${pkgconfig_dir} COMPONENT dev)
endfunction()

# build_target(TARGET NAME KIND MODULES OTHERS): for bellwether-targets.cmake in the build folder,
# with which others use this tree without installing it: cmake -Dbellwether_DIR=BUILD. CMake's own
# export would want the flags that only this tree is built with.
set(build_targets "")
macro(build_target target name kind modules others)
  set(links ${others})
  foreach(module ${modules})
    list(APPEND links bellwether::${module})
  endforeach()
  string(APPEND build_targets "add_library(bellwether::${name} ${kind} IMPORTED)\n"
    "set_target_properties(bellwether::${name} PROPERTIES INTERFACE_COMPILE_FEATURES cxx_std_20\n"
    "  INTERFACE_INCLUDE_DIRECTORIES \"\${CMAKE_CURRENT_LIST_DIR}/include\"\n"
    "  INTERFACE_LINK_LIBRARIES \"${links}\")\n")
  if(NOT ${kind} STREQUAL INTERFACE)
    string(APPEND build_targets
      "set_property(TARGET bellwether::${name} PROPERTY\n"
      "  IMPORTED_LOCATION \"$<TARGET_FILE:${target}>\")\n")
  endif()
endmacro()

# Modules. A component is a module; what it needs of others follows from what it links.
get_property(exported_modules GLOBAL PROPERTY bellwether_exported_modules)
set(component_table "")
foreach(target ${exported_modules})
  get_target_property(name ${target} EXPORT_NAME)
  get_target_property(type ${target} TYPE)
  links_of(${target} modules others)
  set(packages "")
  foreach(other ${others})
    list(APPEND packages ${package_of_${other}})
  endforeach()
  string(APPEND component_table "set(bellwether_${name}_modules ${modules})\n"
         "set(bellwether_${name}_packages ${packages})\n"
         "list(APPEND bellwether_modules ${name})\n")
  set(archive ${target})
  set(kind STATIC)
  if(type STREQUAL INTERFACE_LIBRARY)
    set(archive "")
    set(kind INTERFACE)
  endif()
  build_target(${target} ${name} ${kind} "${modules}" "${others}")
  write_pc(${name} "${archive}" "${modules}" "${others}" "the module ${name}")
endforeach()
install(TARGETS ${exported_modules} EXPORT bellwether
  ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT dev
  FILE_SET HEADERS DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT dev)

# The client for C, and for everything that can call C.
install(TARGETS bellwether_client_c EXPORT bellwether
  LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT client NAMELINK_COMPONENT dev)
write_pc(client-c bellwether-client "" "" "ask a node, from C")
build_target(bellwether_client_c client-c SHARED "" "")
file(GENERATE OUTPUT ${PROJECT_BINARY_DIR}/bellwether-targets.cmake
  CONTENT "include_guard(DIRECTORY)\n${build_targets}")

install(EXPORT bellwether NAMESPACE bellwether:: FILE bellwether-targets.cmake
  DESTINATION ${package_dir} COMPONENT dev)
configure_package_config_file(cmake/bellwether-config.cmake.in
  ${PROJECT_BINARY_DIR}/bellwether-config.cmake INSTALL_DESTINATION ${package_dir})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/bellwether-config-version.cmake
  COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/bellwether-config.cmake
  ${PROJECT_BINARY_DIR}/bellwether-config-version.cmake
  DESTINATION ${package_dir} COMPONENT dev)
install(DIRECTORY examples DESTINATION ${CMAKE_INSTALL_DATADIR}/bellwether COMPONENT dev
  USE_SOURCE_PERMISSIONS)

# Programs, and what belongs to each: pages of the manual, completion, and files to begin with.
install(TARGETS bellwether RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT bellwether)
install(TARGETS bellwether-node RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT node)
if(TARGET bellwether-ns3)
  install(TARGETS bellwether-ns3 RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT ns3)
  # It has the commands of bellwether.
  file(WRITE ${PROJECT_BINARY_DIR}/bellwether-ns3.1 ".so man1/bellwether.1\n")
  execute_process(COMMAND gzip -9nf ${PROJECT_BINARY_DIR}/bellwether-ns3.1)
  install(FILES ${PROJECT_BINARY_DIR}/bellwether-ns3.1.gz DESTINATION ${CMAKE_INSTALL_MANDIR}/man1
    COMPONENT ns3)
endif()
install(DIRECTORY scenarios experiments DESTINATION ${CMAKE_INSTALL_DATADIR}/bellwether
  COMPONENT bellwether PATTERN results EXCLUDE)

# add_manual(PROGRAM COMPONENT): its manual and completion, which it writes itself. Made when all is
# built, so that a change of a line of help is no reason to build anything else anew.
function(add_manual program component)
  set(folder ${PROJECT_BINARY_DIR}/manual/${program})
  add_custom_command(OUTPUT ${folder}.stamp
    COMMAND ${CMAKE_COMMAND} -E rm -rf ${folder}
    COMMAND ${CMAKE_COMMAND} -E make_directory ${folder}/man1 ${folder}/completion
    COMMAND ${program} document man > ${folder}/man1/${program}.1
    COMMAND gzip -9n ${folder}/man1/${program}.1
    COMMAND ${program} completion bash > ${folder}/completion/${program}.bash
    COMMAND ${program} completion zsh > ${folder}/completion/${program}.zsh
    COMMAND ${program} completion fish > ${folder}/completion/${program}.fish
    COMMAND ${CMAKE_COMMAND} -E touch ${folder}.stamp
    DEPENDS ${program} VERBATIM)
  add_custom_target(manual_of_${program} ALL DEPENDS ${folder}.stamp)
  install(DIRECTORY ${folder}/man1 DESTINATION ${CMAKE_INSTALL_MANDIR} COMPONENT ${component})
  install(FILES ${folder}/completion/${program}.bash RENAME ${program}
    DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions COMPONENT ${component})
  install(FILES ${folder}/completion/${program}.zsh RENAME _${program}
    DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/vendor-completions COMPONENT ${component})
  install(FILES ${folder}/completion/${program}.fish
    DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d COMPONENT ${component})
endfunction()
add_manual(bellwether bellwether)
add_manual(bellwether-node node)

# The daemon as a service. Its configuration belongs to the machine: see cmake/packages.cmake.
configure_file(packaging/bellwether-node.service.in ${PROJECT_BINARY_DIR}/bellwether-node.service
  @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/bellwether-node.service DESTINATION lib/systemd/system
  COMPONENT node)
set(configuration ${CMAKE_INSTALL_SYSCONFDIR})
if(CMAKE_INSTALL_PREFIX STREQUAL /usr)
  set(configuration ${CMAKE_INSTALL_FULL_SYSCONFDIR})  # /etc
endif()
install(FILES packaging/node.toml DESTINATION ${configuration}/bellwether COMPONENT node)
