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
  if(target MATCHES "^saltus_(solver|fmu_[a-z]+)$")
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

# saltus_program(NAME SOURCES ...) makes an executable.
function(saltus_program name)
  cmake_parse_arguments(arg "" "" "SOURCES" ${ARGN})
  add_executable(${name} ${arg_SOURCES})
  saltus_compile_options(${name})
endfunction()
