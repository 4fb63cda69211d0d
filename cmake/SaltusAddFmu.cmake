# SPDX-License-Identifier: BSD-2-Clause
# From a model's source to an FMU, in this build and in any project that says find_package(Saltus).
#
#   saltus_add_fmu(NAME SOURCES file ... [FMI_VERSIONS 3 2] [PLATFORMS platform ...] [MODEL_IDENTIFIER id] [ARRAYS] [EXPLICIT]
#     [WITH_SOURCES] [RESOURCES folder])
#
# The sources hold one SALTUS_EXPORT_FMU. The target NAME, part of "all", makes ${SALTUS_FMU_DIR}/NAME.fmu (by default
# fmus/ in the binary directory) with the binary for this platform and the description that the model gives of itself.
# FMI_VERSIONS says which versions of FMI are made: 3, the default, makes NAME.fmu, and 2 makes fmi2/NAME.fmu beside it.
# PLATFORMS are those that the FMU has binaries for: x86_64-linux, aarch64-linux, x86_64-windows; by default the one at hand.
# For the others the sources are compiled with Debian's cross compilers, and linked with libraries that a Saltus has which was
# configured with -DSALTUS_PLATFORMS="aarch64-linux;x86_64-windows".
# ARRAYS describes arrays of the model, States<Real> q{"q", 7}, in FMI 3.0 as one variable with a Dimension. Without it, and in
# FMI 2.0, there is one scalar for each element. A member Size n{"n", 10} of the model is then a structural parameter, otherwise a
# constant.
# EXPLICIT says that all equations are der(x) = ...: then saltus::kernel is all that is linked, and a Saltus that is built from its
# sources need not compile the analysis and reduction of the index first. The FMU is the same.
# WITH_SOURCES puts into the FMU, besides its binaries, all that a compiler of C++20 needs to make them: the sources, the headers
# they include from their own folders and the include directories of NAME_model, and the parts of Saltus and Eigen they use.
# RESOURCES is a folder whose files become those of resources/ in the FMU: see saltus/fmu_export/resources.hpp.
# The binary is called MODEL_IDENTIFIER, by default NAME. What the analysis of its equations says at their start stands in
# extra/saltus/index.txt, for `saltus analyze`; the manifest of FMI-LS-DAE, where there is one, in a folder beside it.
#
# The sources are compiled once, as NAME_model, and linked with the program NAME_describe, which writes these two texts, and
# as the library of each FMU, NAME_fmi3 and NAME_fmi2. All are ordinary targets, should a source need an include directory
# or a definition: target_include_directories(NAME_model PRIVATE ...).

include(CheckCXXCompilerFlag)
include(${CMAKE_CURRENT_LIST_DIR}/SaltusPlatforms.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/SaltusFmuSources.cmake)

function(saltus_add_fmu name)
  cmake_parse_arguments(arg "ARRAYS;EXPLICIT;WITH_SOURCES" "MODEL_IDENTIFIER;RESOURCES" "SOURCES;FMI_VERSIONS;PLATFORMS" ${ARGN})
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
  set(resources)
  set(resource_files)
  if(arg_RESOURCES)
    cmake_path(ABSOLUTE_PATH arg_RESOURCES)
    if(NOT IS_DIRECTORY ${arg_RESOURCES})
      message(FATAL_ERROR "saltus_add_fmu(${name}): the RESOURCES ${arg_RESOURCES} are no folder")
    endif()
    file(GLOB_RECURSE resources LIST_DIRECTORIES false RELATIVE ${arg_RESOURCES} CONFIGURE_DEPENDS ${arg_RESOURCES}/*)
    foreach(resource ${resources})
      if(NOT EXISTS "${arg_RESOURCES}/${resource}")  # a part of a name
        message(FATAL_ERROR "saltus_add_fmu(${name}): CMake cannot pack RESOURCES with a semicolon in their name")
      endif()
    endforeach()
    list(SORT resources)
    list(TRANSFORM resources PREPEND ${arg_RESOURCES}/ OUTPUT_VARIABLE resource_files)
  endif()
  saltus_own_platform(own_platform)
  if(NOT arg_PLATFORMS)
    set(arg_PLATFORMS ${own_platform})
  endif()
  list(REMOVE_DUPLICATES arg_PLATFORMS)
  foreach(platform ${arg_PLATFORMS})
    if(NOT platform STREQUAL own_platform AND NOT platform IN_LIST SALTUS_PLATFORMS)
      list(JOIN SALTUS_PLATFORMS ", " others)
      message(FATAL_ERROR "saltus_add_fmu(${name}): this Saltus has libraries for ${own_platform} [${others}], not for "
        "\"${platform}\": configure Saltus with -DSALTUS_PLATFORMS=${platform}")
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
  # In this order: each archive needs those behind it.
  set(solver saltus::solver)
  if(arg_EXPLICIT)
    set(solver "")
    target_link_libraries(${name}_describe PRIVATE saltus::fmu_explicit)
    target_link_options(${name}_describe PRIVATE
      -Wl,--undefined=saltus_explicit_description -Wl,--undefined=saltus_explicit_equations)
  endif()
  target_link_libraries(${name}_describe PRIVATE saltus::fmu_describe saltus::fmu_export ${solver} saltus::kernel)
  set_target_properties(${name}_describe PROPERTIES LINKER_LANGUAGE CXX)

  # What the model says of itself: its index, which parts of the library the linker is to take, and for each version of FMI
  # its description, and as a source what the binary has to know of it.
  set(index ${CMAKE_CURRENT_BINARY_DIR}/${name}.index.txt)
  set(parts ${CMAKE_CURRENT_BINARY_DIR}/${name}.parts)
  set(describe ${index} ${parts})
  if(arg_RESOURCES)
    list(PREPEND describe --resources ${arg_RESOURCES})
  endif()
  if(arg_WITH_SOURCES)
    list(LENGTH arg_SOURCES source_count)
    list(PREPEND describe --source-files ${source_count})
  endif()
  if(arg_ARRAYS)
    list(PREPEND describe --arrays)
  endif()
  set(written ${index} ${parts})
  foreach(version ${arg_FMI_VERSIONS})
    set(content ${CMAKE_CURRENT_BINARY_DIR}/${name}.fmi${version})
    file(MAKE_DIRECTORY ${content}/extra/saltus)
    list(APPEND describe ${version} ${content}/modelDescription.xml ${content}.cpp)
    list(APPEND written ${content}/modelDescription.xml ${content}.cpp)
  endforeach()
  add_custom_command(OUTPUT ${written}
    COMMAND ${name}_describe ${describe}
    DEPENDS ${name}_describe ${resource_files}
    COMMENT "Describing ${name}.fmu"
    VERBATIM)
  add_custom_target(${name}_description DEPENDS ${written})

  foreach(platform ${arg_PLATFORMS})
    if(NOT platform STREQUAL own_platform)
      saltus_find_platform(${platform})
      saltus_platform_objects(objects_for_${platform} ${platform} ${name}_model ${arg_SOURCES})
    endif()
  endforeach()
  set(fmus)
  foreach(version ${arg_FMI_VERSIONS})
    set(content ${CMAKE_CURRENT_BINARY_DIR}/${name}.fmi${version})
    # FMI's functions are all that can be seen from outside. They lie in a static library: one of them, asked for by name,
    # brings the others along.
    file(CONFIGURE OUTPUT ${CMAKE_CURRENT_BINARY_DIR}/${name}_fmi${version}.symbols
      CONTENT "{ global: fmi${version}*; local: *; };\n")
    set(binaries)
    set(files modelDescription.xml)
    set(copy_resources)
    if(resources)
      set(copy_resources COMMAND ${CMAKE_COMMAND} -E rm -rf ${content}/resources
        COMMAND ${CMAKE_COMMAND} -E copy_directory ${arg_RESOURCES} ${content}/resources)
      foreach(resource ${resources})
        list(APPEND files resources/${resource})
      endforeach()
    endif()
    foreach(platform ${arg_PLATFORMS})
      saltus_platform_folder(${version} ${platform} folder)
      saltus_platform_ending(${platform} ending)
      list(APPEND files binaries/${folder}/${arg_MODEL_IDENTIFIER}${ending})
      if(platform STREQUAL own_platform)
        saltus_fmu_binary(${name} ${version} ${content}/binaries/${folder} ${arg_MODEL_IDENTIFIER} ${solver})
        list(APPEND binaries ${name}_fmi${version})
      else()
        saltus_platform_binary(${platform} ${name} ${version} ${content}/binaries/${folder}/${arg_MODEL_IDENTIFIER}${ending}
          ${objects_for_${platform}})
        list(APPEND binaries ${content}/binaries/${folder}/${arg_MODEL_IDENTIFIER}${ending})
      endif()
    endforeach()
    set(fmu_directory ${output_directory}/fmi2)
    if(version EQUAL 3)
      set(fmu_directory ${output_directory})
    endif()
    set(fmu ${fmu_directory}/${name}.fmu)
    set(add_sources)
    set(package)
    set(packed extras.txt)
    if(arg_WITH_SOURCES)
      if(NOT own_platform IN_LIST arg_PLATFORMS)
        message(FATAL_ERROR "saltus_add_fmu(${name}): WITH_SOURCES takes what the binary for ${own_platform} is made of: "
          "name that among the PLATFORMS")
      endif()
      saltus_fmu_sources(${name} ${version} ${arg_MODEL_IDENTIFIER} package ${arg_SOURCES})
      set(add_sources COMMAND ${name}_describe --sources ${package} ${content})
      set(packed packed.txt)
    endif()
    add_custom_command(OUTPUT ${fmu}
      COMMAND ${CMAKE_COMMAND} -E make_directory ${fmu_directory}
      COMMAND ${CMAKE_COMMAND} -E copy ${index} ${content}/extra/saltus/index.txt
      ${copy_resources}
      ${add_sources}
      COMMAND ${CMAKE_COMMAND} -E chdir ${content}
        ${CMAKE_COMMAND} -E tar cf ${fmu} --format=zip ${files} --files-from=${packed}
      COMMAND ${name}_describe --archive ${fmu}
      DEPENDS ${written} ${binaries} ${package} ${resource_files}
      COMMENT "Packing ${name}.fmu of FMI ${version}.0"
      VERBATIM)
    list(APPEND fmus ${fmu})
    set(fmu_of_${version} ${fmu})
  endforeach()
  add_custom_target(${name} ALL DEPENDS ${fmus})
  add_dependencies(${name} ${name}_description)
  foreach(platform ${arg_PLATFORMS})
    foreach(library fmu_omissions fmu_explicit fmu_export solver kernel)
      if(TARGET saltus_${library}_${platform})
        add_dependencies(${name} saltus_${library}_${platform})
      endif()
    endforeach()
  endforeach()
  set_target_properties(${name} PROPERTIES SALTUS_FMU "${fmu_of_3}" SALTUS_FMI2_FMU "${fmu_of_2}")
endfunction()

# The library of the FMU `name` in one version of FMI, as the target NAME_fmi2 or NAME_fmi3. `ARGN`: saltus::solver, if it
# may need that.
function(saltus_fmu_binary name version directory identifier)
  set(binary ${name}_fmi${version})
  set(symbols ${CMAKE_CURRENT_BINARY_DIR}/${binary}.symbols)
  set(parts ${CMAKE_CURRENT_BINARY_DIR}/${name}.parts)
  set(described ${CMAKE_CURRENT_BINARY_DIR}/${name}.fmi${version}.cpp)
  set_source_files_properties(${described} PROPERTIES COMPILE_OPTIONS -fdata-sections)
  add_library(${binary} MODULE $<TARGET_OBJECTS:${name}_model> ${described})
  add_dependencies(${binary} ${name}_description)
  target_link_libraries(${binary} PRIVATE saltus::fmu_omissions saltus::fmu_explicit saltus::fmu_export ${ARGN} saltus::kernel)
  # A runtime of its own has memory of its own, for exceptions when there is no other; this function, called when the
  # library is closed, frees it. Without it each time that an FMU is loaded and closed costs 73 kB. The handler of
  # exceptions that nobody handles is that of fmu-export/src/terminate.cpp.
  set(runtime -static-libstdc++ -static-libgcc -Wl,-fini=_ZN9__gnu_cxx9__freeresEv
    -Wl,--undefined=_ZN9__gnu_cxx27__verbose_terminate_handlerEv)
  if(CMAKE_CXX_FLAGS MATCHES "-fsanitize")
    set(runtime "") # memory that a runtime of its own never frees would count as a leak of every FMU
  endif()
  target_link_options(${binary} PRIVATE
    ${runtime} -Wl,@${parts} -Wl,--undefined=fmi${version}GetVersion
    -Wl,--version-script=${symbols} -Wl,--gc-sections $<$<CONFIG:Release,MinSizeRel>:-s>)
  set_target_properties(${binary} PROPERTIES
    LINKER_LANGUAGE CXX PREFIX "" SUFFIX .so OUTPUT_NAME ${identifier} LINK_DEPENDS "${symbols};${parts}"
    LIBRARY_OUTPUT_DIRECTORY "${directory}$<1:>")
endfunction()
