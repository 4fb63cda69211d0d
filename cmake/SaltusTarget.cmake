# SPDX-License-Identifier: BSD-2-Clause
# The one place with compiler flags. Every target of the project is made by one of these functions.

# Flags shared by all targets. A consumer's build is never broken by our warnings: SALTUS_WERROR is a preset's choice.
function(saltus_compile_options target)
  target_compile_features(${target} PRIVATE cxx_std_20)
  set_target_properties(${target} PROPERTIES
    CXX_EXTENSIONS OFF
    C_STANDARD 11
    POSITION_INDEPENDENT_CODE ON
    C_VISIBILITY_PRESET hidden
    CXX_VISIBILITY_PRESET hidden
    VISIBILITY_INLINES_HIDDEN ON)
  target_compile_options(${target} PRIVATE -Wall -Wextra -Wpedantic -Wconversion -Wshadow)
  # The same bits on every machine: where there are fused multiplications, they are not used behind our back.
  target_compile_options(${target} PRIVATE -ffp-contract=off)
  # Numbers that a model stores one by one are read one by one: a vector load would wait until all the stores have reached
  # the cache, a dozen cycles each time. Measured: a quarter less time per event.
  target_compile_options(${target} PRIVATE -fno-tree-vectorize)
  # In the libraries that FMUs are made of, each function by itself: an FMU takes along what its model uses.
  if(target MATCHES "^saltus_(kernel|solver|fmu_[a-z]+)$")
    target_compile_options(${target} PRIVATE -ffunction-sections -fdata-sections)
  endif()
  # GCC 12 sees overlapping copies in std::string's operator+ that are not there (its bug 105651).
  if(CMAKE_CXX_COMPILER_ID STREQUAL GNU AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
    target_compile_options(${target} PRIVATE -Wno-restrict)
  endif()
  if(SALTUS_WERROR)
    target_compile_options(${target} PRIVATE -Werror)
  endif()
endfunction()

# saltus_library(NAME HEADERS ... SOURCES ...) makes the static library saltus_NAME, known to users as saltus::NAME,
# with its public headers (below include/) installed.
function(saltus_library name)
  cmake_parse_arguments(arg "" "" "HEADERS;SOURCES" ${ARGN})
  set(target saltus_${name})
  if(arg_SOURCES)
    add_library(${target} STATIC ${arg_SOURCES})
    saltus_compile_options(${target})
    target_compile_features(${target} PUBLIC cxx_std_20)
    set(scope PUBLIC)
  else()
    add_library(${target} INTERFACE)
    set(scope INTERFACE)
  endif()
  add_library(saltus::${name} ALIAS ${target})
  set_target_properties(${target} PROPERTIES EXPORT_NAME ${name})
  target_sources(${target} ${scope} FILE_SET HEADERS BASE_DIRS include FILES ${arg_HEADERS})
  install(TARGETS ${target} EXPORT SaltusTargets
    ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR}
    FILE_SET HEADERS DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
endfunction()

# saltus_unite(TARGET FILE) compiles the sources of a target that have the same source property SALTUS_GROUP together: files
# of its folder src that have the same compile options. FILE, which is written, has a line for each of them: the library, the
# group and the source. Unlike CMake's own unity builds it takes sources with options of their own, and the united files
# are the same wherever the project lies.
function(saltus_unite target file)
  get_target_property(sources ${target} SOURCES)
  set(result)
  set(groups)
  set(lines)
  foreach(source ${sources})
    get_source_file_property(group ${source} SALTUS_GROUP)
    if(NOT group)
      list(APPEND result ${source})
      continue()
    endif()
    list(APPEND groups ${group})
    cmake_path(RELATIVE_PATH source BASE_DIRECTORY src OUTPUT_VARIABLE name)
    string(APPEND content_of_${group} "#include <${name}>\n")
    string(REGEX REPLACE "^saltus_" "" library ${target})
    string(APPEND lines "${library} ${group} ${name}\n")
    get_source_file_property(options ${source} COMPILE_OPTIONS)
    set(options_of_${group} ${options})
  endforeach()
  list(REMOVE_DUPLICATES groups)
  foreach(group ${groups})
    set(united ${CMAKE_CURRENT_BINARY_DIR}/united/${group}.cpp)
    file(CONFIGURE OUTPUT ${united} CONTENT "${content_of_${group}}" @ONLY)
    if(options_of_${group})
      set_source_files_properties(${united} PROPERTIES COMPILE_OPTIONS "${options_of_${group}}")
    endif()
    list(APPEND result ${united})
  endforeach()
  file(CONFIGURE OUTPUT ${file} CONTENT "${lines}" @ONLY)
  set_property(TARGET ${target} PROPERTY SOURCES ${result})
endfunction()

# saltus_program(NAME SOURCES ...) makes an executable.
function(saltus_program name)
  cmake_parse_arguments(arg "" "" "SOURCES" ${ARGN})
  add_executable(${name} ${arg_SOURCES})
  saltus_compile_options(${name})
endfunction()
