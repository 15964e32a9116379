# SPDX-License-Identifier: MIT
# The simulator of each algorithm of catalogue/all_protocols.hpp, compiled once, in a file of its
# own, so that they are built side by side. Whoever includes "bellwether/all_simulators.hpp" uses
# these instead of making them again.
set(catalogue ${PROJECT_SOURCE_DIR}/src/bellwether/catalogue/all_protocols.hpp)
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${catalogue})
file(READ ${catalogue} text)
string(REGEX MATCHALL "algorithms::[A-Za-z0-9]+" algorithms "${text}")
set(folder ${PROJECT_BINARY_DIR}/simulators)
set(heading "// Made by cmake/simulators.cmake.\n")
set(signature "(const scenario::Scenario&, const Attachments&)")
set(declarations "")
set(sources "")
foreach(algorithm ${algorithms})
  string(APPEND declarations
    "extern template observe::Report simulate<${algorithm}>${signature};\n")
  string(REPLACE "algorithms::" "" name ${algorithm})
  string(CONCAT source
    "${heading}#include \"bellwether/all_simulators.hpp\"\n\nnamespace bellwether::sim {\n"
    "template observe::Report simulate<${algorithm}>${signature};\n}\n")
  file(CONFIGURE OUTPUT ${folder}/${name}.cpp @ONLY CONTENT "${source}")
  list(APPEND sources ${folder}/${name}.cpp)
endforeach()
string(CONCAT header
  "${heading}#pragma once\n\n#include \"bellwether/catalogue/all_protocols.hpp\"\n"
  "#include \"bellwether/sim/simulate.hpp\"\n\nnamespace bellwether::sim {\n${declarations}}\n")
file(CONFIGURE OUTPUT ${folder}/bellwether/all_simulators.hpp @ONLY CONTENT "${header}")

add_library(bellwether_all_simulators STATIC ${sources})
add_library(bellwether::all_simulators ALIAS bellwether_all_simulators)
target_include_directories(bellwether_all_simulators PUBLIC ${folder})
target_link_libraries(bellwether_all_simulators PUBLIC bellwether::sim)
