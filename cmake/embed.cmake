# SPDX-License-Identifier: MIT
# Files as a part of a program: cmake -DOUT=x.cpp -DFILES="name=path;..." -P embed.cmake writes a
# source that has them by their names.
set(declarations "")
set(rows "")
set(number 0)
foreach(entry ${FILES})
  string(REGEX MATCH "^([^=]+)=(.+)$" unused "${entry}")
  set(name ${CMAKE_MATCH_1})
  set(path ${CMAKE_MATCH_2})
  set(label file_${number})
  string(APPEND declarations
    "__asm__(\".section .rodata\\n.balign 16\\n${label}:\\n.incbin \\\"${path}\\\"\\n\"\n"
    "        \"${label}_end:\\n.byte 0\\n.previous\");\n"
    "extern \"C\" const char ${label}[] __asm__(\"${label}\");\n"
    "extern \"C\" const char ${label}_end[] __asm__(\"${label}_end\");\n")
  string(APPEND rows
    "      {\"${name}\", {${label}, static_cast<std::size_t>(${label}_end - ${label})}},\n")
  math(EXPR number "${number} + 1")
endforeach()
file(WRITE ${OUT} "// Made by cmake/embed.cmake.
#include <array>

#include \"bellwether/embedded/files.hpp\"

namespace bellwether::embedded {
namespace {
${declarations}}  // namespace

std::span<const File> files() {
  static const std::array<File, ${number}> all{{
${rows}  }};
  return all;
}

}  // namespace bellwether::embedded
")
