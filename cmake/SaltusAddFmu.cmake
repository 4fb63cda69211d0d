# SPDX-License-Identifier: BSD-2-Clause
# From a model's source to an FMU, in this build and in any project that says find_package(Saltus).
#
#   saltus_add_fmu(NAME SOURCES file ... [FMI_VERSIONS 3 2] [MODEL_IDENTIFIER id])
#
# The sources hold one SALTUS_EXPORT_FMU. The target NAME, part of "all", makes ${SALTUS_FMU_DIR}/NAME.fmu (by default
# fmus/ in the binary directory) with the binary for this platform and the description that the model gives of itself.
# FMI_VERSIONS says which versions of FMI are made: 3, the default, makes NAME.fmu, and 2 makes fmi2/NAME.fmu beside it. One
# binary speaks both, so that a second version costs no compiling.
# The binary is called MODEL_IDENTIFIER, by default NAME. What the analysis of its equations says at their start stands in
# extra/saltus/index.txt, for `saltus analyze`.
#
# The sources are compiled once, as NAME_model, and linked twice: with the program NAME_describe, which writes these two
# texts, and as the library of the FMU, NAME_binary. Both are ordinary targets, should a source need
# an include directory or a definition: target_include_directories(NAME_model PRIVATE ...).

include(CheckCXXCompilerFlag)

function(saltus_add_fmu name)
  cmake_parse_arguments(arg "" "MODEL_IDENTIFIER" "SOURCES;FMI_VERSIONS" ${ARGN})
  if(NOT arg_SOURCES)
    message(FATAL_ERROR "saltus_add_fmu(${name}): SOURCES are missing")
  endif()
  if(NOT arg_MODEL_IDENTIFIER)
    set(arg_MODEL_IDENTIFIER ${name})
  endif()
  if(NOT arg_MODEL_IDENTIFIER MATCHES "^[A-Za-z_][A-Za-z0-9_]*$")
    message(FATAL_ERROR "saltus_add_fmu(${name}): the model identifier \"${arg_MODEL_IDENTIFIER}\" is not a C identifier")
  endif()
  if(NOT arg_FMI_VERSIONS)
    set(arg_FMI_VERSIONS 3)
  endif()
  list(REMOVE_DUPLICATES arg_FMI_VERSIONS)
  foreach(version ${arg_FMI_VERSIONS})
    if(NOT version MATCHES "^[23]$")
      message(FATAL_ERROR "saltus_add_fmu(${name}): FMI_VERSIONS are 2, 3 or both, not \"${version}\"")
    endif()
  endforeach()
  set(output_directory ${SALTUS_FMU_DIR})
  if(NOT output_directory)
    set(output_directory ${CMAKE_CURRENT_BINARY_DIR}/fmus)
  endif()

  add_library(${name}_model OBJECT ${arg_SOURCES})
  target_link_libraries(${name}_model PUBLIC saltus::fmu_export)
  target_compile_definitions(${name}_model PRIVATE SALTUS_FMU_MODEL_IDENTIFIER="${arg_MODEL_IDENTIFIER}")
  # One FMU may not bind to another one's symbols, nor compute differently on machines that fuse multiplications.
  target_compile_options(${name}_model PRIVATE -fno-gnu-unique -ffp-contract=off -fno-tree-vectorize
    -ffunction-sections -fdata-sections)
  # Thread-local variables by descriptors: nearly as fast as the static model, which allows no more than some twenty
  # FMUs in one process before the loader's spare room is used up. Elsewhere than on x86 they are the default.
  check_cxx_compiler_flag(-mtls-dialect=gnu2 SALTUS_HAS_TLS_DESCRIPTORS)
  if(SALTUS_HAS_TLS_DESCRIPTORS)
    target_compile_options(${name}_model PRIVATE -mtls-dialect=gnu2)
  endif()
  if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES AND NOT CMAKE_CXX_FLAGS MATCHES "-O")
    target_compile_options(${name}_model PRIVATE -O2)
  endif()
  set_target_properties(${name}_model PROPERTIES
    POSITION_INDEPENDENT_CODE ON CXX_EXTENSIONS OFF
    CXX_VISIBILITY_PRESET hidden C_VISIBILITY_PRESET hidden VISIBILITY_INLINES_HIDDEN ON)

  add_executable(${name}_describe $<TARGET_OBJECTS:${name}_model>)
  target_link_libraries(${name}_describe PRIVATE saltus::fmu_describe)
  set_target_properties(${name}_describe PROPERTIES LINKER_LANGUAGE CXX)

  # What the model says of itself: its index, its description in each version of FMI, and which parts of the library the
  # linker is to take.
  set(index ${CMAKE_CURRENT_BINARY_DIR}/${name}.index.txt)
  set(parts ${CMAKE_CURRENT_BINARY_DIR}/${name}.parts)
  set(describe)
  set(descriptions)
  foreach(version ${arg_FMI_VERSIONS})
    set(content_of_${version} ${CMAKE_CURRENT_BINARY_DIR}/${name}.fmi${version})
    file(MAKE_DIRECTORY ${content_of_${version}}/extra/saltus)
    list(APPEND describe ${version} ${content_of_${version}}/modelDescription.xml)
    list(APPEND descriptions ${content_of_${version}}/modelDescription.xml)
  endforeach()
  add_custom_command(OUTPUT ${index} ${parts} ${descriptions}
    COMMAND ${name}_describe ${index} ${parts} ${describe}
    DEPENDS ${name}_describe
    COMMENT "Describing ${name}.fmu"
    VERBATIM)
  add_custom_target(${name}_description DEPENDS ${index} ${parts} ${descriptions})

  # FMI's functions are all that can be seen from outside. They lie in a static library: one of each version, asked for by
  # name, brings the others along.
  set(symbols ${CMAKE_CURRENT_BINARY_DIR}/${name}.symbols)
  file(CONFIGURE OUTPUT ${symbols} CONTENT "{ global: fmi2*; fmi3*; local: *; };\n")
  add_library(${name}_binary MODULE $<TARGET_OBJECTS:${name}_model>)
  add_dependencies(${name}_binary ${name}_description)
  target_link_libraries(${name}_binary PRIVATE saltus::fmu_omissions saltus::fmu_export)
  # A runtime of its own has memory of its own, for exceptions when there is no other; this function, called when the
  # library is closed, frees it. Without it each time that an FMU is loaded and closed costs 73 kB. The handler of
  # exceptions that nobody handles is that of fmu-export/src/terminate.cpp.
  set(runtime -static-libstdc++ -static-libgcc -Wl,-fini=_ZN9__gnu_cxx9__freeresEv
    -Wl,--undefined=_ZN9__gnu_cxx27__verbose_terminate_handlerEv)
  if(CMAKE_CXX_FLAGS MATCHES "-fsanitize")
    set(runtime "") # memory that a runtime of its own never frees would count as a leak of every FMU
  endif()
  target_link_options(${name}_binary PRIVATE
    ${runtime} -Wl,@${parts} -Wl,--undefined=fmi2GetVersion -Wl,--undefined=fmi3GetVersion
    -Wl,--version-script=${symbols} -Wl,--gc-sections $<$<CONFIG:Release,MinSizeRel>:-s>)
  set_target_properties(${name}_binary PROPERTIES
    LINKER_LANGUAGE CXX PREFIX "" SUFFIX .so OUTPUT_NAME ${arg_MODEL_IDENTIFIER} LINK_DEPENDS "${symbols};${parts}"
    LIBRARY_OUTPUT_DIRECTORY "${CMAKE_CURRENT_BINARY_DIR}/${name}.binary$<1:>")

  # The content of an FMU of each version, in a folder of its own.
  set(fmus)
  set(pack)
  foreach(version ${arg_FMI_VERSIONS})
    set(content ${content_of_${version}})
    set(fmu_directory ${output_directory}/fmi2)
    if(version EQUAL 3)
      set(fmu_directory ${output_directory})
    endif()
    set(fmu ${fmu_directory}/${name}.fmu)
    list(APPEND fmus ${fmu})
    saltus_fmu_platform(${version} platform)
    # The dates of the files are fixed ones: the same source gives the same content.
    list(APPEND pack
      COMMAND ${CMAKE_COMMAND} -E make_directory ${fmu_directory} ${content}/binaries/${platform}
      COMMAND ${CMAKE_COMMAND} -E copy $<TARGET_FILE:${name}_binary> ${content}/binaries/${platform}
      COMMAND ${CMAKE_COMMAND} -E copy ${index} ${content}/extra/saltus/index.txt
      COMMAND ${CMAKE_COMMAND} -E chdir ${content}
        ${CMAKE_COMMAND} -E tar cf ${fmu} --format=zip "--mtime=2000-01-01" modelDescription.xml
        binaries/${platform}/${arg_MODEL_IDENTIFIER}.so extra/saltus/index.txt)
    set(fmu_of_${version} ${fmu})
  endforeach()
  add_custom_command(OUTPUT ${fmus}
    ${pack}
    DEPENDS ${index} ${descriptions} ${name}_binary
    COMMENT "Packing ${name}.fmu"
    VERBATIM)
  add_custom_target(${name} ALL DEPENDS ${fmus})
  add_dependencies(${name} ${name}_description)
  set_target_properties(${name} PROPERTIES SALTUS_FMU "${fmu_of_3}" SALTUS_FMI2_FMU "${fmu_of_2}")
endfunction()

# The name of the folder of this platform's binaries: FMI 3.0, 2.5.1.4.1. FMI 2.0.4, 2.3, has names of its own for x86, and
# for all other machines those of FMI 3.0.
function(saltus_fmu_platform version result)
  string(TOLOWER "${CMAKE_SYSTEM_PROCESSOR}" processor)
  if(processor MATCHES "^(x86_64|amd64)$")
    set(processor x86_64)
  elseif(processor MATCHES "^(aarch64|arm64)$")
    set(processor aarch64)
  elseif(processor MATCHES "^i[3-6]86$")
    set(processor x86)
  endif()
  set(platform ${processor}-linux)
  if(version EQUAL 2 AND processor STREQUAL x86_64)
    set(platform linux64)
  elseif(version EQUAL 2 AND processor STREQUAL x86)
    set(platform linux32)
  endif()
  set(${result} ${platform} PARENT_SCOPE)
endfunction()
