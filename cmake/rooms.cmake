# SPDX-License-Identifier: MIT
# One target per room of the house. A room links the rooms that it may include, and no others;
# tests/tidy checks the includes themselves.

add_library(bellwether_flags INTERFACE)
# -Wno-restrict: g++ 12 warns of std::string's own operator+ (GCC bug 105651).
target_compile_options(bellwether_flags INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wnon-virtual-dtor -Werror -Wno-restrict)
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

# room(NAME ROOMS ... [LIBRARIES ...]): every .cpp of the folder but the tests is part of the room.
function(room name)
  cmake_parse_arguments(arg "" "" "ROOMS;LIBRARIES" ${ARGN})
  file(GLOB sources CONFIGURE_DEPENDS ${name}/*.cpp)
  list(FILTER sources EXCLUDE REGEX "_test\\.cpp$")
  if(sources)
    add_library(bellwether_${name} STATIC ${sources})
    set(scope PUBLIC)
  else()
    add_library(bellwether_${name} INTERFACE)
    set(scope INTERFACE)
  endif()
  add_library(bellwether::${name} ALIAS bellwether_${name})
  target_link_libraries(bellwether_${name} ${scope} bellwether_flags ${arg_LIBRARIES})
  foreach(room ${arg_ROOMS})
    target_link_libraries(bellwether_${name} ${scope} bellwether::${room})
  endforeach()
endfunction()
