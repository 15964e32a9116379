# SPDX-License-Identifier: MIT
# The simulator, the checker and the engine of each algorithm of catalogue/all_protocols.hpp,
# compiled once, in a file of its own, so that they are built side by side. Whoever includes
# "bellwether/all_simulators.hpp", "bellwether/all_checkers.hpp" or "bellwether/all_engines.hpp"
# uses these instead of making them again.
set(catalogue ${PROJECT_SOURCE_DIR}/src/bellwether/catalogue/all_protocols.hpp)
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${catalogue})
file(READ ${catalogue} text)
string(REGEX MATCHALL "algorithms::[A-Za-z0-9]+" algorithms "${text}")
# Headers and types stand there in the same order. An instance includes the header of its own
# algorithm only, so that a new one does not make the others anew.
string(REGEX MATCHALL "bellwether/algorithms/[a-z0-9_]+.hpp" algorithm_headers "${text}")
list(LENGTH algorithms algorithm_count)
list(LENGTH algorithm_headers header_count)
if(NOT algorithm_count EQUAL header_count)
  message(FATAL_ERROR "${catalogue}: one header for each algorithm, in the same order")
endif()

# per_algorithm(NAME ROOM HEADER RESULT FUNCTION ARGUMENTS): a library bellwether::NAME with one
# instance of a function template of ROOM for each algorithm.
function(per_algorithm name room header result function arguments)
  set(folder ${PROJECT_BINARY_DIR}/${name})
  set(heading "// Made by cmake/per_algorithm.cmake.\n")
  set(declarations "")
  set(sources "")
  foreach(algorithm own_header IN ZIP_LISTS algorithms algorithm_headers)
    set(instance "template ${result} ${function}<${algorithm}>${arguments};\n")
    string(APPEND declarations "extern ${instance}")
    string(REPLACE "algorithms::" "" file ${algorithm})
    string(CONCAT source "${heading}#include \"${own_header}\"\n"
      "#include \"bellwether/${header}\"\n\n"
      "namespace bellwether::${room} {\n${instance}}\n")
    file(CONFIGURE OUTPUT ${folder}/${file}.cpp @ONLY CONTENT "${source}")
    list(APPEND sources ${folder}/${file}.cpp)
  endforeach()
  string(CONCAT text "${heading}#pragma once\n\n"
    "#include \"bellwether/catalogue/all_protocols.hpp\"\n#include \"bellwether/${header}\"\n\n"
    "namespace bellwether::${room} {\n${declarations}}\n")
  file(CONFIGURE OUTPUT ${folder}/bellwether/${name}.hpp @ONLY CONTENT "${text}")
  add_library(bellwether_${name} STATIC ${sources})
  open_room(bellwether_${name} ${name} ${folder} ${folder}/bellwether/${name}.hpp)
  target_link_libraries(bellwether_${name} PUBLIC bellwether::${room})
endfunction()

per_algorithm(all_simulators sim sim/simulate.hpp observe::Report simulate
  "(const scenario::Scenario&, const Attachments&)")
per_algorithm(all_checkers check check/check.hpp Checker checker_of "()")
per_algorithm(all_engines node node/engine.hpp EngineEntry engine_of "()")
