# SPDX-License-Identifier: BSD-2-Clause
# Files that travel inside a library.
#
#   saltus_embed(TARGET NAME FILES file ...)
#
# adds to TARGET (made in the calling directory) a generated source and the private header NAME.hpp, which declares
#
#   namespace saltus::embedded { std::string_view NAME(std::string_view file_name); }
#
# It answers with the bytes of the file of that name (the last component of its path) and throws std::logic_error for
# a name that was not embedded. An edited file is embedded anew by the next build.
#
# The bytes become a plain array and not an .incbin: that compiles with every assembler and below a second per megabyte.
# This same file, run as a script (cmake -DNAME=... -DFILES=... -DOUTPUT=... -P), writes the source.

function(saltus_embed target name)
  cmake_parse_arguments(arg "" "" "FILES" ${ARGN})
  set(files "")
  foreach(file IN LISTS arg_FILES)
    get_filename_component(file ${file} ABSOLUTE BASE_DIR ${CMAKE_CURRENT_SOURCE_DIR})
    list(APPEND files ${file})
  endforeach()
  set(directory ${CMAKE_CURRENT_BINARY_DIR}/embedded)
  set(script ${CMAKE_CURRENT_FUNCTION_LIST_FILE})
  add_custom_command(
    OUTPUT ${directory}/${name}.cpp ${directory}/${name}.hpp
    COMMAND ${CMAKE_COMMAND} -DNAME=${name} "-DFILES=${files}" -DOUTPUT=${directory} -P ${script}
    DEPENDS ${files} ${script}
    COMMENT "Embedding ${name}"
    VERBATIM)
  target_sources(${target} PRIVATE ${directory}/${name}.cpp ${directory}/${name}.hpp)
  target_include_directories(${target} PRIVATE ${directory})
endfunction()

if(NOT CMAKE_SCRIPT_MODE_FILE STREQUAL CMAKE_CURRENT_LIST_FILE)
  return()
endif()

set(arrays "")
set(branches "")
set(number 0)
foreach(file IN LISTS FILES)
  get_filename_component(file_name ${file} NAME)
  file(READ ${file} bytes HEX)
  if(bytes STREQUAL "")
    message(FATAL_ERROR "${file} is empty: nothing to embed")
  endif()
  string(REGEX REPLACE "(................................)" "\\1\n" bytes "${bytes}")
  string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${bytes}")
  string(APPEND arrays "constexpr unsigned char kFile${number}[] = {\n${bytes}};\n")
  string(APPEND branches "  if (file_name == \"${file_name}\") return text(kFile${number});\n")
  math(EXPR number "${number} + 1")
endforeach()

set(declaration "std::string_view ${NAME}(std::string_view file_name)")
file(WRITE ${OUTPUT}/${NAME}.hpp
"#pragma once
#include <string_view>
namespace saltus::embedded {
${declaration};
}
")
file(WRITE ${OUTPUT}/${NAME}.cpp
"#include \"${NAME}.hpp\"

#include <cstddef>
#include <stdexcept>
#include <string>

namespace saltus::embedded {
namespace {

${arrays}
template <std::size_t N>
std::string_view text(const unsigned char (&bytes)[N]) {
  return {reinterpret_cast<const char*>(bytes), N};
}

}  // namespace

${declaration} {
${branches}  throw std::logic_error(\"not embedded: \" + std::string(file_name));
}

}  // namespace saltus::embedded
")
