# SPDX-License-Identifier: BSD-2-Clause
# cmake -DPROGRAM=... [-DOPTIONS=...] -DFOLDER=... -DSAYS=... -DFAILS=... -P: what describes a model, and so builds its FMU, says this.
execute_process(COMMAND ${PROGRAM} ${OPTIONS} ${FOLDER}/index.txt ${FOLDER}/parts 3 ${FOLDER}/description.xml ${FOLDER}/description.cpp
  RESULT_VARIABLE result ERROR_VARIABLE errors)
if(FAILS AND result EQUAL 0 OR NOT FAILS AND NOT result EQUAL 0)
  message(FATAL_ERROR "exit code ${result}: ${errors}")
endif()
string(FIND "${errors}" "${SAYS}" position)
if(position EQUAL -1)
  message(FATAL_ERROR "instead of \"${SAYS}\": ${errors}")
endif()
