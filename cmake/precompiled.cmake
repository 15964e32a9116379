# SPDX-License-Identifier: MIT
# Headers of the standard library, and of GoogleTest for tests, that nearly every source includes:
# compiled once for all targets of the same flags, which saves about half a second in each of some
# 800 units. The sources still include what they use: `make debug` and `make headers` compile
# without (-DCMAKE_DISABLE_PRECOMPILE_HEADERS=ON).
set(common_headers <algorithm> <array> <bit> <charconv> <chrono> <cmath> <cstdint> <cstring> <deque>
  <functional> <limits> <map> <memory> <numeric> <optional> <set> <span> <sstream> <stdexcept>
  <string> <string_view> <tuple> <utility> <variant> <vector>)

# precompiled_for(TARGET OWNER): those of OWNER, which has the same flags.
function(precompiled_for target owner)
  target_precompile_headers(${target} REUSE_FROM ${owner})
  if(CMAKE_CXX_COMPILER_ID STREQUAL GNU)
    target_compile_options(${target} PRIVATE -fpch-preprocess)  # for ccache
  endif()
endfunction()

# common_headers_at(N OUT): the target that has the common headers at -ON.
function(common_headers_at level out)
  set(owner bellwether_headers_${level})
  if(NOT TARGET ${owner})
    add_library(${owner} OBJECT ${PROJECT_SOURCE_DIR}/cmake/precompiled.cpp)
    target_link_libraries(${owner} PRIVATE bellwether_flags)
    optimize(${owner} ${level})
    target_precompile_headers(${owner} PRIVATE ${common_headers})
  endif()
  set(${out} ${owner} PARENT_SCOPE)
endfunction()
