# SPDX-License-Identifier: MIT
find_package(GTest REQUIRED)
find_package(rapidcheck REQUIRED)
include(GoogleTest)

add_library(bellwether_test_flags INTERFACE)
target_link_libraries(bellwether_test_flags INTERFACE GTest::gtest_main rapidcheck)
target_compile_definitions(bellwether_test_flags INTERFACE
  BELLWETHER_SOURCE_DIR="${PROJECT_SOURCE_DIR}")
# Tests are compiled once and run for a moment: with -O3 half of a build would be theirs, and -Og
# takes a sixth less time to compile than -O1.
target_compile_options(bellwether_test_flags INTERFACE -Og -Wno-maybe-uninitialized)

# Headers of ours that most tests include are precompiled, too: what an election stands on, and for
# those who simulate the simulator.
function(precompiled_tests owner)
  add_executable(${owner} EXCLUDE_FROM_ALL ${PROJECT_SOURCE_DIR}/cmake/precompiled.cpp)
  target_link_libraries(${owner} PRIVATE bellwether_flags bellwether_test_flags)
  list(TRANSFORM ARGN PREPEND ${PROJECT_SOURCE_DIR}/src/bellwether/)
  target_precompile_headers(${owner} PRIVATE ${common_headers} <gtest/gtest.h> ${ARGN})
endfunction()
precompiled_tests(bellwether_test_headers core/algorithm_of.hpp)
precompiled_tests(bellwether_simulating_test_headers sim/simulation_of.hpp)
set(simulating_tests claims_test sim_test)

# test_program(TARGET ...): a program of GoogleTest; the rest is for gtest_discover_tests.
function(test_program target)
  if(target IN_LIST simulating_tests)
    precompiled_for(${target} bellwether_simulating_test_headers)
  else()
    precompiled_for(${target} bellwether_test_headers)
  endif()
  gtest_discover_tests(${target} DISCOVERY_TIMEOUT 600 ${ARGN})
endfunction()

# What tests share and need not compile again: these have no tests, but the functions of the header
# beside them.
set(shared_sources core/hand_host_test.cpp algorithms/hand_driver_test.cpp
  algorithms/move_by_move_test.cpp algorithms/rounds/hand_rounds_test.cpp)
list(TRANSFORM shared_sources PREPEND ${PROJECT_SOURCE_DIR}/src/bellwether/)
add_library(bellwether_shared_by_tests STATIC ${shared_sources})
target_link_libraries(bellwether_shared_by_tests PUBLIC bellwether::core
  PRIVATE bellwether_test_flags)

# unit_tests(NAME): every *_test.cpp beside the code of a module, in one program.
function(unit_tests name)
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS
    ${PROJECT_SOURCE_DIR}/src/bellwether/${name}/*_test.cpp)
  list(REMOVE_ITEM sources ${shared_sources})
  if(NOT sources)
    return()
  endif()
  add_executable(${name}_test ${sources})
  target_link_libraries(${name}_test PRIVATE bellwether_shared_by_tests bellwether::${name}
    bellwether_test_flags)
  modules_of(${name} modules test_modules)
  foreach(module ${test_modules})
    target_link_libraries(${name}_test PRIVATE bellwether::${module})
  endforeach()
  # Drawn inputs are the same in each run; a program that is run by hand draws others.
  test_program(${name}_test TEST_PREFIX ${name}.
    PROPERTIES ENVIRONMENT RC_PARAMS=seed=1)
endfunction()

file(STRINGS ${module_table} lines REGEX "^[a-z]")
foreach(line ${lines})
  string(REGEX MATCH "^[a-z]+" module "${line}")
  unit_tests(${module})
endforeach()

# Where core::hosted is compiled.
foreach(program algorithms_test check_test)
  target_link_libraries(${program} PRIVATE bellwether::catalogue)
endforeach()

if(TARGET bellwether-ns3)
  add_executable(air_test ${PROJECT_SOURCE_DIR}/ns3/air_test.cpp)
  target_link_libraries(air_test PRIVATE bellwether_air_traffic bellwether_test_flags)
  test_program(air_test TEST_PREFIX ns3.)
  add_executable(ns3_test ${PROJECT_SOURCE_DIR}/ns3/elections_test.cpp)
  target_link_libraries(ns3_test
    PRIVATE bellwether_air bellwether::catalogue bellwether::sim bellwether_test_flags)
  test_program(ns3_test TEST_PREFIX ns3.)
endif()

# What is not a unit test: one folder each, see tests/README.md.
foreach(suite conformance golden claims check swarm fingerprints tidy cli deep node fuzz browser
        install pages site weight)
  if(EXISTS ${PROJECT_SOURCE_DIR}/tests/${suite}/CMakeLists.txt)
    add_subdirectory(${PROJECT_SOURCE_DIR}/tests/${suite} ${PROJECT_BINARY_DIR}/tests/${suite})
  endif()
endforeach()

# Every public header compiles alone: `make headers`. With some 280 units it would be a fifth of
# what `make test` builds, and a header that does not mostly fails there, too.
add_custom_target(headers)
add_dependencies(headers all_verify_interface_header_sets)
