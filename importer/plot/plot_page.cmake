# SPDX-License-Identifier: BSD-2-Clause
# The parts of the interactive plot, embedded into the library. dygraphs is Debian's, as it stands there.

find_path(SALTUS_DYGRAPHS_DIR dygraph.min.js
  PATHS /usr/share/javascript/dygraphs /usr/local/share/javascript/dygraphs
  NO_DEFAULT_PATH
  DOC "Directory of dygraph.min.js and dygraph.min.css")
if(NOT SALTUS_DYGRAPHS_DIR OR NOT EXISTS ${SALTUS_DYGRAPHS_DIR}/dygraph.min.css)
  message(FATAL_ERROR "dygraph.min.js and dygraph.min.css are missing: install the package libjs-dygraphs, "
    "or set SALTUS_DYGRAPHS_DIR to the directory that holds both")
endif()

include(SaltusEmbed)
saltus_embed(saltus_importer plot_page FILES
  ${SALTUS_DYGRAPHS_DIR}/dygraph.min.js
  ${SALTUS_DYGRAPHS_DIR}/dygraph.min.css
  ${CMAKE_CURRENT_LIST_DIR}/page.html.in
  ${CMAKE_CURRENT_LIST_DIR}/page.css
  ${CMAKE_CURRENT_LIST_DIR}/data.js
  ${CMAKE_CURRENT_LIST_DIR}/format.js
  ${CMAKE_CURRENT_LIST_DIR}/events.js
  ${CMAKE_CURRENT_LIST_DIR}/sliding.js
  ${CMAKE_CURRENT_LIST_DIR}/event_list.js
  ${CMAKE_CURRENT_LIST_DIR}/panel.js
  ${CMAKE_CURRENT_LIST_DIR}/view.js
  ${CMAKE_CURRENT_LIST_DIR}/pointer.js
  ${CMAKE_CURRENT_LIST_DIR}/page.js)
