# SPDX-License-Identifier: MIT
# One target per module. A module links those that it includes, which are in
# src/bellwether/modules.txt, and no others; tests/tidy checks the includes themselves.

# The flags that everything here is built with; users of an installed module set their own.
add_library(bellwether_flags INTERFACE)
# -Wno-restrict and the three behind it: g++ 12 warns of std::string's own operator+ (GCC bug
# 105651).
target_compile_options(bellwether_flags INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wnon-virtual-dtor -Werror -Wno-restrict
  -Wno-stringop-overflow -Wno-stringop-overread -Wno-array-bounds
  -fno-semantic-interposition  # or functions of a library are not inlined in their own file
  -ffunction-sections -fdata-sections)  # so that the linker can drop uncalled functions
target_link_options(bellwether_flags INTERFACE -Wl,--gc-sections)
target_include_directories(bellwether_flags INTERFACE ${PROJECT_SOURCE_DIR}/src)
if(BELLWETHER_SANITIZE)
  target_compile_options(bellwether_flags INTERFACE
    -fsanitize=${BELLWETHER_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer
    -Wno-maybe-uninitialized)  # g++ 12 then suspects std::regex
  target_link_options(bellwether_flags INTERFACE -fsanitize=${BELLWETHER_SANITIZE})
  if(BELLWETHER_SANITIZE MATCHES thread)
    # Boost.Asio has fences, of which g++ 12 says that the thread sanitizer does not see them.
    target_compile_options(bellwether_flags INTERFACE -Wno-tsan)
  endif()
endif()

# optimize(TARGET N): at -ON in a release. At -Og g++ 12 suspects std::optional.
function(optimize target level)
  target_compile_options(${target} PRIVATE $<$<CONFIG:Release>:-O${level}>)
  if(level STREQUAL g)
    target_compile_options(${target} PRIVATE -Wno-maybe-uninitialized)
  endif()
endfunction()

# export_module(TARGET NAME BASE HEADERS ...): others can use it, here as bellwether::NAME and
# installed by find_package(bellwether). Their headers are compiled alone, to see that they can be.
function(export_module target name base)
  add_library(bellwether::${name} ALIAS ${target})
  get_target_property(type ${target} TYPE)
  set(scope PUBLIC)
  if(type STREQUAL INTERFACE_LIBRARY)
    set(scope INTERFACE)
  endif()
  set_target_properties(${target} PROPERTIES EXPORT_NAME ${name})
  target_link_libraries(${target} ${scope} $<BUILD_INTERFACE:bellwether_flags>)
  target_compile_features(${target} ${scope} cxx_std_20)
  target_sources(${target} ${scope} FILE_SET HEADERS BASE_DIRS ${base} FILES ${ARGN})
  set_property(GLOBAL APPEND PROPERTY bellwether_exported_modules ${target})
endfunction()

set(module_table ${PROJECT_SOURCE_DIR}/src/bellwether/modules.txt)
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${module_table})

# modules_of(NAME CODE TESTS): which modules its sources include, and which only its tests do.
function(modules_of name code tests)
  file(STRINGS ${module_table} line REGEX "^${name}( |$)")
  string(REGEX MATCHALL "[a-z]+|[|]" words "${line}")
  if(NOT words)
    message(FATAL_ERROR "${module_table} has no module ${name}")
  endif()
  list(POP_FRONT words)
  list(FIND words "|" bar)
  list(SUBLIST words 0 ${bar} before)  # all of them, where there is no bar
  set(after "")
  if(NOT bar EQUAL -1)
    list(SUBLIST words ${bar} -1 after)
    list(POP_FRONT after)
  endif()
  set(${code} ${before} PARENT_SCOPE)
  set(${tests} ${after} PARENT_SCOPE)
endfunction()

# add_module(NAME [LIBRARIES ...] [HIDDEN ...] [OPTIMIZE N]): every .cpp of the folder but the tests
# is part of the module. None of its headers includes those of HIDDEN libraries. OPTIMIZE compiles
# it at -ON instead of -O3, for a module that need not be fast: -Og takes about three fifths of the
# time, and makes smaller code than -O1.
function(add_module name)
  cmake_parse_arguments(arg "" "OPTIMIZE" "LIBRARIES;HIDDEN" ${ARGN})
  modules_of(${name} modules test_modules)
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${name}/*.cpp)
  list(FILTER sources EXCLUDE REGEX "_test\\.cpp$")
  file(GLOB_RECURSE headers CONFIGURE_DEPENDS ${name}/*.hpp ${name}/*.h)
  list(FILTER headers EXCLUDE REGEX "_test\\.hpp$")
  if(sources)
    add_library(bellwether_${name} STATIC ${sources})
    set(scope PUBLIC)
  else()
    add_library(bellwether_${name} INTERFACE)
    set(scope INTERFACE)
  endif()
  export_module(bellwether_${name} ${name} ${PROJECT_SOURCE_DIR}/src ${headers})
  target_link_libraries(bellwether_${name} ${scope} ${arg_LIBRARIES})
  foreach(module ${modules})
    target_link_libraries(bellwether_${name} ${scope} bellwether::${module})
  endforeach()
  if(arg_HIDDEN)
    target_link_libraries(bellwether_${name} PRIVATE ${arg_HIDDEN})
  endif()
  set(level 3)
  if(DEFINED arg_OPTIMIZE)
    set(level ${arg_OPTIMIZE})
    optimize(bellwether_${name} ${level})
  endif()
  if(sources)
    common_headers_at(${level} owner)
    precompiled_for(bellwether_${name} ${owner})
  endif()
endfunction()
