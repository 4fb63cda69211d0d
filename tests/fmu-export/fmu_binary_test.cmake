# SPDX-License-Identifier: BSD-2-Clause
# cmake -DBINARY=... -DFUNCTIONS=... -P: the binary of an FMU shows the functions of its version of FMI and nothing else, and needs nothing but the C
# library.
execute_process(COMMAND nm -D --defined-only ${BINARY} OUTPUT_VARIABLE symbols COMMAND_ERROR_IS_FATAL ANY)
string(REGEX MATCHALL "[^\n]+" symbols "${symbols}")
list(LENGTH symbols count)
list(FILTER symbols EXCLUDE REGEX " T fmi[23][A-Z][A-Za-z0-9]*$")
if(symbols)
  message(FATAL_ERROR "${BINARY} shows more than FMI's functions: ${symbols}")
endif()
if(NOT count EQUAL ${FUNCTIONS})
  message(FATAL_ERROR "${BINARY} shows ${count} functions of FMI, which has ${FUNCTIONS}")
endif()
execute_process(COMMAND readelf -d ${BINARY} OUTPUT_VARIABLE entries COMMAND_ERROR_IS_FATAL ANY)
string(REGEX MATCHALL "\\(NEEDED\\)[^\n]+" needed "${entries}")
list(FILTER needed EXCLUDE REGEX "\\[(libc|libm|ld-linux[-a-z0-9_]*)\\.so\\.[0-9]+\\]$")
if(needed)
  message(FATAL_ERROR "${BINARY} needs more than the C library: ${needed}")
endif()
