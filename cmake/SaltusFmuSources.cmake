# SPDX-License-Identifier: BSD-2-Clause
# What the sources inside an FMU are taken from. An FMU contains those of Saltus that the linker took for its binary, with what
# they include, so that a compiler alone makes the same binary elsewhere.
#
#   SALTUS_PUBLIC_HEADERS, SALTUS_SOLVER_SOURCES, SALTUS_FMU_EXPORT_SOURCES, SALTUS_EIGEN_HEADERS    folders
#   SALTUS_SOURCE_GROUPS    files that tell which sources are compiled together: see saltus_unite

# saltus_fmu_sources(NAME VERSION IDENTIFIER RESULT SOURCES ...) has the library of the FMU tell what it is linked of, and sets
# RESULT to the file that the program NAME_describe is called with: lines of a key and a value each.
function(saltus_fmu_sources name version identifier result)
  set(binary ${CMAKE_CURRENT_BINARY_DIR}/${name}.fmi${version})
  target_link_options(${name}_fmi${version} PRIVATE -Wl,-Map=${binary}.map)
  set(lines "identifier ${identifier}" "fmi ${version}" "map ${binary}.map" "described ${binary}.cpp"
    "solver ${SALTUS_SOLVER_SOURCES}" "fmu_export ${SALTUS_FMU_EXPORT_SOURCES}" "eigen ${SALTUS_EIGEN_HEADERS}")
  foreach(file ${SALTUS_SOURCE_GROUPS})
    list(APPEND lines "groups ${file}")
  endforeach()
  foreach(folder ${SALTUS_PUBLIC_HEADERS})
    list(APPEND lines "public ${folder}")
  endforeach()
  foreach(source ${ARGN})
    cmake_path(ABSOLUTE_PATH source)
    if(NOT source MATCHES "[.](cpp|cc|cxx)$")
      message(FATAL_ERROR "saltus_add_fmu(${name}): WITH_SOURCES takes C++, files that end with .cpp, .cc or .cxx, not ${source}")
    endif()
    list(APPEND lines "source ${source}")
  endforeach()
  foreach(key_and_property "include INCLUDE_DIRECTORIES" "definition COMPILE_DEFINITIONS" "option COMPILE_OPTIONS")
    separate_arguments(pair UNIX_COMMAND "${key_and_property}")
    list(GET pair 0 key)
    list(GET pair 1 property)
    list(APPEND lines "${key} $<JOIN:$<TARGET_PROPERTY:${name}_model,${property}>,\n${key} >")
  endforeach()
  list(JOIN lines "\n" content)
  file(GENERATE OUTPUT ${binary}.sources.txt CONTENT "${content}\n")
  set(${result} ${binary}.sources.txt PARENT_SCOPE)
endfunction()
