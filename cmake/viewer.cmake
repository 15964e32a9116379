# SPDX-License-Identifier: MIT
# The page of `bellwether view`: bundled from viewer/ by npm, then made a part of the program
# together with the scenarios. Without npm the program is built all the same, and its page says what
# is missing.
find_program(NPM npm)
set(viewer ${PROJECT_SOURCE_DIR}/viewer)
set(page ${PROJECT_BINARY_DIR}/viewer)
file(GLOB_RECURSE page_sources CONFIGURE_DEPENDS ${viewer}/src/*.ts ${viewer}/src/*.css)
if(NPM)
  add_custom_command(OUTPUT ${page}/modules.stamp
    COMMAND ${NPM} ci --no-audit --no-fund --loglevel=error
    COMMAND ${CMAKE_COMMAND} -E make_directory ${page}
    COMMAND ${CMAKE_COMMAND} -E touch ${page}/modules.stamp
    WORKING_DIRECTORY ${viewer}
    DEPENDS ${viewer}/package.json ${viewer}/package-lock.json
    COMMENT "npm ci for the page" VERBATIM)
  set(page_depends ${viewer}/dist/index.html ${viewer}/dist/app.js ${viewer}/dist/app.css)
  add_custom_command(OUTPUT ${page_depends}
    COMMAND node ${viewer}/build.mjs
    WORKING_DIRECTORY ${viewer}
    DEPENDS ${page}/modules.stamp ${page_sources} ${viewer}/build.mjs ${viewer}/index.html
            ${viewer}/tsconfig.json
    COMMENT "bundling the page" VERBATIM)
  set(page_files index.html=${viewer}/dist/index.html app.js=${viewer}/dist/app.js
      app.css=${viewer}/dist/app.css)
else()
  message(STATUS "view: npm is missing (Debian: nodejs npm); the page will say so")
  set(page_files index.html=${viewer}/missing.html)
  set(page_depends ${viewer}/missing.html)
endif()

file(GLOB scenario_files CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/scenarios/*.toml)
foreach(file ${scenario_files})
  get_filename_component(name ${file} NAME)
  list(APPEND page_files scenarios/${name}=${file})
endforeach()
# `bellwether reproduce` runs these.
file(GLOB experiment_files CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/experiments/thesis/*.toml)
foreach(file ${experiment_files})
  get_filename_component(name ${file} NAME)
  list(APPEND page_files experiments/thesis/${name}=${file})
endforeach()
# `bellwether new` writes a project like this one.
file(GLOB model_files CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/examples/my-election/*)
foreach(file ${model_files})
  get_filename_component(name ${file} NAME)
  list(APPEND page_files examples/my-election/${name}=${file})
endforeach()
add_custom_command(OUTPUT ${page}/embedded.cpp
  COMMAND ${CMAKE_COMMAND} "-DFILES=${page_files}" -DOUT=${page}/embedded.cpp
          -P ${PROJECT_SOURCE_DIR}/cmake/embed.cmake
  DEPENDS ${page_depends} ${scenario_files} ${experiment_files} ${model_files}
          ${PROJECT_SOURCE_DIR}/cmake/embed.cmake VERBATIM)
set(embedded ${PROJECT_SOURCE_DIR}/src/bellwether/embedded)
add_library(bellwether_embedded STATIC ${page}/embedded.cpp ${embedded}/scenarios.cpp)
export_module(bellwether_embedded embedded ${PROJECT_SOURCE_DIR}/src
  ${embedded}/files.hpp ${embedded}/scenarios.hpp)
