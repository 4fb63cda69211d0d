# SPDX-License-Identifier: BSD-2-Clause
# Binaries for other platforms than this one, beside those of the build: a build of CMake has one compiler, so these are made
# by commands. Used by saltus_add_fmu, and for the libraries that an FMU is made of, below SALTUS_PLATFORM_DIR:
#
#   x86_64-linux, aarch64-linux, x86_64-windows     a platform, by its name in FMI 3.0 (2.5.1.4.1)
#   <platform>/libsaltus_*.a                        the libraries
cmake_policy(VERSION 3.25)

set(SALTUS_KNOWN_PLATFORMS x86_64-linux aarch64-linux x86_64-windows)

# The platform that this build is for.
function(saltus_own_platform result)
  string(TOLOWER "${CMAKE_SYSTEM_PROCESSOR}" processor)
  if(processor MATCHES "^(x86_64|amd64)$")
    set(processor x86_64)
  elseif(processor MATCHES "^(aarch64|arm64)$")
    set(processor aarch64)
  elseif(processor MATCHES "^i[3-6]86$")
    set(processor x86)
  endif()
  set(${result} ${processor}-linux PARENT_SCOPE)
endfunction()

# The name of the folder of a platform's binaries. FMI 2.0.4, 2.3, has names of its own for x86, and for all other machines
# those of FMI 3.0.
function(saltus_platform_folder version platform result)
  set(${result} ${platform} PARENT_SCOPE)
  if(version EQUAL 2 AND platform MATCHES "^x86(_64)?-(linux|windows)$")
    string(REPLACE windows win system ${CMAKE_MATCH_2})
    if(CMAKE_MATCH_1)
      set(${result} ${system}64 PARENT_SCOPE)
    else()
      set(${result} ${system}32 PARENT_SCOPE)
    endif()
  endif()
endfunction()

# The name of the folder of this platform's binaries.
function(saltus_fmu_platform version result)
  saltus_own_platform(platform)
  saltus_platform_folder(${version} ${platform} folder)
  set(${result} ${folder} PARENT_SCOPE)
endfunction()

# The ending of a shared library.
function(saltus_platform_ending platform result)
  set(${result} .so PARENT_SCOPE)
  if(platform MATCHES "windows$")
    set(${result} .dll PARENT_SCOPE)
  endif()
endfunction()

# The compiler for another platform, as the cache variable SALTUS_CXX_<platform>, and its archiver SALTUS_AR_<platform>.
function(saltus_find_platform platform)
  set(tools_of_x86_64-linux x86_64-linux-gnu- g++ g++-x86-64-linux-gnu)
  set(tools_of_aarch64-linux aarch64-linux-gnu- g++ g++-aarch64-linux-gnu)
  set(tools_of_x86_64-windows x86_64-w64-mingw32- g++-posix g++-mingw-w64-x86-64-posix)
  if(NOT platform IN_LIST SALTUS_KNOWN_PLATFORMS)
    list(JOIN SALTUS_KNOWN_PLATFORMS ", " known)
    message(FATAL_ERROR "there is no way to build for the platform \"${platform}\": the others are ${known}")
  endif()
  list(GET tools_of_${platform} 0 prefix)
  list(GET tools_of_${platform} 1 compiler)
  list(GET tools_of_${platform} 2 package)
  find_program(SALTUS_CXX_${platform} ${prefix}${compiler} DOC "The C++ compiler for ${platform}")
  find_program(SALTUS_AR_${platform} ${prefix}ar DOC "The archiver for ${platform}")
  if(NOT SALTUS_CXX_${platform} OR NOT SALTUS_AR_${platform})
    message(FATAL_ERROR "the compiler for ${platform}, ${prefix}${compiler}, is missing: on Debian, apt-get install ${package}")
  endif()
endfunction()

# saltus_platform_objects(RESULT PLATFORM TARGET SOURCES ...) compiles sources of a target, with its include directories and
# definitions, for another platform: as SaltusTarget.cmake and saltus_add_fmu do for this one.
function(saltus_platform_objects result platform target)
  set(flags -std=c++20 -O2 -DNDEBUG -ffp-contract=off -fno-tree-vectorize -ffunction-sections -fdata-sections
    -fvisibility=hidden -fvisibility-inlines-hidden)
  if(platform STREQUAL x86_64-linux)
    list(APPEND flags -fPIC -fno-gnu-unique -mtls-dialect=gnu2)
  elseif(platform STREQUAL aarch64-linux)
    # Without the macro Eigen does not fuse multiplications, which x86_64 does not either.
    list(APPEND flags -fPIC -fno-gnu-unique -U__ARM_FEATURE_FMA)
  endif()
  set(definitions $<TARGET_PROPERTY:${target},COMPILE_DEFINITIONS>)
  set(directories $<TARGET_PROPERTY:${target},INCLUDE_DIRECTORIES>)
  set(folder ${CMAKE_CURRENT_BINARY_DIR}/${target}.${platform})
  set(objects)
  foreach(source ${ARGN})
    if(NOT source MATCHES "[.](cpp|cc|cxx)$")
      message(FATAL_ERROR "${source}: for other platforms only C++ is compiled, files that end with .cpp, .cc or .cxx")
    endif()
    cmake_path(ABSOLUTE_PATH source OUTPUT_VARIABLE path)
    string(MAKE_C_IDENTIFIER ${source} object)
    set(object ${folder}/${object}.o)
    get_source_file_property(options ${source} COMPILE_OPTIONS)
    if(NOT options)
      set(options)
    endif()
    add_custom_command(OUTPUT ${object}
      COMMAND ${CMAKE_COMMAND} -E make_directory ${folder}
      COMMAND ${CMAKE_CXX_COMPILER_LAUNCHER} ${SALTUS_CXX_${platform}} ${flags} "${options}"
        "$<$<BOOL:${definitions}>:-D$<JOIN:${definitions},;-D>>" "$<$<BOOL:${directories}>:-I$<JOIN:${directories},;-I>>"
        -MD -MF ${object}.d -c ${path} -o ${object}
      DEPENDS ${path}
      DEPFILE ${object}.d
      COMMENT "Compiling ${source} for ${platform}"
      COMMAND_EXPAND_LISTS VERBATIM)
    list(APPEND objects ${object})
  endforeach()
  set(${result} ${objects} PARENT_SCOPE)
endfunction()

# saltus_platform_libraries(TARGET [WITHOUT regex]) makes the library of a target for all platforms in SALTUS_PLATFORMS, but
# for sources that match.
function(saltus_platform_libraries target)
  cmake_parse_arguments(arg "" "WITHOUT" "" ${ARGN})
  get_target_property(sources ${target} SOURCES)
  if(arg_WITHOUT)
    list(FILTER sources EXCLUDE REGEX ${arg_WITHOUT})
  endif()
  foreach(platform ${SALTUS_PLATFORMS})
    saltus_platform_objects(objects ${platform} ${target} ${sources})
    set(archive ${SALTUS_PLATFORM_DIR}/${platform}/lib${target}.a)
    add_custom_command(OUTPUT ${archive}
      COMMAND ${CMAKE_COMMAND} -E make_directory ${SALTUS_PLATFORM_DIR}/${platform}
      COMMAND ${CMAKE_COMMAND} -E rm -f ${archive}
      COMMAND ${SALTUS_AR_${platform}} qc ${archive} ${objects}
      DEPENDS ${objects}
      COMMENT "Archiving ${target} for ${platform}"
      VERBATIM)
    add_custom_target(${target}_${platform} ALL DEPENDS ${archive})
    install(FILES ${archive} DESTINATION ${CMAKE_INSTALL_LIBDIR}/saltus/${platform})
  endforeach()
endfunction()

# saltus_platform_binary(PLATFORM NAME VERSION FILE OBJECTS ...) makes the binary of an FMU for another platform, as
# saltus_fmu_binary does for this one. It needs the C library alone.
function(saltus_platform_binary platform name version file)
  set(binary ${CMAKE_CURRENT_BINARY_DIR}/${name}.fmi${version})
  saltus_platform_objects(described ${platform} ${name}_model ${binary}.cpp)
  set(symbols ${CMAKE_CURRENT_BINARY_DIR}/${name}_fmi${version}.symbols)
  set(parts ${CMAKE_CURRENT_BINARY_DIR}/${name}.parts)
  set(libraries)
  foreach(library fmu_omissions fmu_explicit fmu_export solver kernel)
    list(APPEND libraries ${SALTUS_PLATFORM_DIR}/${platform}/libsaltus_${library}.a)
  endforeach()
  set(flags -static-libstdc++ -static-libgcc -Wl,-fini=_ZN9__gnu_cxx9__freeresEv)
  if(platform MATCHES "windows$")
    set(flags -static)
  endif()
  cmake_path(GET file PARENT_PATH folder)
  add_custom_command(OUTPUT ${file}
    COMMAND ${CMAKE_COMMAND} -E make_directory ${folder}
    COMMAND ${SALTUS_CXX_${platform}} -shared -o ${file} ${ARGN} ${described}
      -Wl,--undefined=_ZN9__gnu_cxx27__verbose_terminate_handlerEv -Wl,@${parts} -Wl,--undefined=fmi${version}GetVersion
      ${libraries} ${flags} -Wl,--version-script=${symbols} -Wl,--gc-sections -s
    DEPENDS ${ARGN} ${described} ${parts} ${symbols} ${libraries}
    COMMENT "Linking the binary of ${name} in FMI ${version}.0 for ${platform}"
    VERBATIM)
endfunction()
