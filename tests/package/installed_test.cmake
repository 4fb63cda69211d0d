# SPDX-License-Identifier: BSD-2-Clause
# Installs the build into a fresh prefix, moves that prefix, and is then its user: configures and builds the project
# consumer/ against it, runs what came out, and simulates the exported FMU, and a shipped one, with the installed program.
function(step title)
  message(STATUS "${title}")
  execute_process(COMMAND ${ARGN} WORKING_DIRECTORY ${WORK} COMMAND_ERROR_IS_FATAL ANY)
endfunction()

file(REMOVE_RECURSE ${WORK})
file(MAKE_DIRECTORY ${WORK})
step("install" ${CMAKE_COMMAND} --install ${SALTUS_BINARY_DIR} --prefix ${WORK}/installed --strip)
file(RENAME ${WORK}/installed ${WORK}/prefix)

step("configure" ${CMAKE_COMMAND} -S ${CONSUMER} -B ${WORK}/build -G ${GENERATOR}
  -DCMAKE_PREFIX_PATH=${WORK}/prefix -DCMAKE_BUILD_TYPE=${BUILD_TYPE}
  -DCMAKE_CXX_COMPILER=${COMPILER} -DCMAKE_CXX_FLAGS=${FLAGS})
step("build" ${CMAKE_COMMAND} --build ${WORK}/build)
step("run" ${WORK}/build/heater ${WORK}/build/fmus/heater_fmu.fmu)

# Without CMake, and with another compiler.
set(ENV{PKG_CONFIG_PATH} ${WORK}/prefix/${LIB}/pkgconfig)
execute_process(COMMAND pkg-config --cflags --libs saltus-solver
  OUTPUT_VARIABLE flags OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
separate_arguments(flags UNIX_COMMAND "${flags}")
separate_arguments(own UNIX_COMMAND "${FLAGS}")
step("compile with clang" clang++-14 -Wall -Wextra -Werror ${own} ${CONSUMER}/decay.cpp ${flags} -o ${WORK}/decay)
step("run it" ${WORK}/decay)
step("look at the importer's flags" pkg-config --cflags --libs --static saltus-importer)

set(saltus ${WORK}/prefix/${BIN}/saltus)
step("simulate the exported FMU" ${saltus} simulate ${WORK}/build/fmus/heater_fmu.fmu --output-file ${WORK}/heater.csv)
step("simulate it as an FMU of FMI 2.0"
  ${saltus} simulate ${WORK}/build/fmus/fmi2/heater_fmu.fmu --output-file ${WORK}/heater2.csv)
step("simulate a shipped FMU" ${saltus} simulate bouncing_ball --output-file ${WORK}/ball.csv)
foreach(result IN ITEMS heater.csv heater2.csv ball.csv)
  file(STRINGS ${WORK}/${result} lines LIMIT_COUNT 2)
  list(LENGTH lines count)
  if(NOT count EQUAL 2)
    message(FATAL_ERROR "${result} holds no results")
  endif()
endforeach()
