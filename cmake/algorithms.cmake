# SPDX-License-Identifier: MIT
# The catalogue, from what stands in src/bellwether/algorithms: a header that has
# `static constexpr core::Facts facts` is an algorithm. Each gets one small source that makes its
# nodes known to all drivers (core/typed.hpp), by name and by type, and catalogue::all() lists them.
set(algorithms_folder ${PROJECT_SOURCE_DIR}/src/bellwether)
file(GLOB_RECURSE algorithm_headers RELATIVE ${algorithms_folder} CONFIGURE_DEPENDS
  ${algorithms_folder}/algorithms/*.hpp)
set(hosts "")
set(declared "")
set(listed "")
set(heading "// Made by cmake/algorithms.cmake.\n")
set(folder ${PROJECT_BINARY_DIR}/algorithms)
# By name, in whichever folder they are: so they are listed.
list(TRANSFORM algorithm_headers REPLACE "^(.*/)([^/]+)\\.hpp$" "\\2 \\1")
list(SORT algorithm_headers)
list(TRANSFORM algorithm_headers REPLACE "^([^ ]+) (.*)$" "\\2\\1.hpp")
foreach(header ${algorithm_headers})
  file(STRINGS ${algorithms_folder}/${header} facts REGEX "static constexpr core::Facts facts")
  if(NOT facts)
    continue()
  endif()
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${algorithms_folder}/${header})
  file(STRINGS ${algorithms_folder}/${header} class REGEX "^class [A-Za-z0-9]+ ")
  string(REGEX REPLACE "^class ([A-Za-z0-9]+) .*" "\\1" class "${class}")
  get_filename_component(name ${header} NAME_WE)
  string(CONCAT source "${heading}"
    "#include \"bellwether/${header}\"\n#include \"bellwether/core/algorithm_of.hpp\"\n\n"
    "namespace bellwether::catalogue {\n"
    "core::Algorithm ${name}() { return core::algorithm_of<algorithms::${class}>(); }\n}\n\n"
    "namespace bellwether::core {\n"
    "template <class P>\nstd::unique_ptr<Nodes> hosted(typename P::Options options) {\n"
    "  return std::make_unique<Typed<P>>(std::move(options));\n}\n"
    "template std::unique_ptr<Nodes> hosted<algorithms::${class}>(\n"
    "    algorithms::${class}::Options);\n}\n")
  file(CONFIGURE OUTPUT ${folder}/${name}.cpp @ONLY CONTENT "${source}")
  list(APPEND hosts ${folder}/${name}.cpp)
  string(APPEND declared "core::Algorithm ${name}();\n")
  list(APPEND listed "${name}()")
  set_property(GLOBAL APPEND PROPERTY bellwether_algorithms "${header} ${class}")
endforeach()
list(JOIN listed ", " listed)
string(CONCAT source "${heading}#include \"bellwether/catalogue/catalogue.hpp\"\n\n"
  "namespace bellwether::catalogue {\n\n${declared}\n"
  "const Algorithms& all() {\n  static const Algorithms list{${listed}};\n  return list;\n}\n\n}\n")
file(CONFIGURE OUTPUT ${folder}/all.cpp @ONLY CONTENT "${source}")
target_sources(bellwether_catalogue PRIVATE ${folder}/all.cpp ${hosts})
