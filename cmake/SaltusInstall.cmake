# SPDX-License-Identifier: BSD-2-Clause
# What an installed Saltus consists of beside the libraries and the program, which install themselves: the shipped FMUs, and
# the package that find_package(Saltus) finds. The whole prefix may be moved.
include(CMakePackageConfigHelpers)

set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/Saltus)
install(EXPORT SaltusTargets NAMESPACE saltus:: DESTINATION ${package_dir})
configure_package_config_file(${CMAKE_CURRENT_LIST_DIR}/SaltusConfig.cmake.in ${PROJECT_BINARY_DIR}/SaltusConfig.cmake
  INSTALL_DESTINATION ${package_dir} NO_SET_AND_CHECK_MACRO)
# Before 1.0 a minor version may change interfaces.
write_basic_package_version_file(${PROJECT_BINARY_DIR}/SaltusConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES
  ${PROJECT_BINARY_DIR}/SaltusConfig.cmake
  ${PROJECT_BINARY_DIR}/SaltusConfigVersion.cmake
  ${CMAKE_CURRENT_LIST_DIR}/FindLibdeflate.cmake
  ${CMAKE_CURRENT_LIST_DIR}/SaltusAddFmu.cmake
  ${CMAKE_CURRENT_LIST_DIR}/SaltusFmuSources.cmake
  ${CMAKE_CURRENT_LIST_DIR}/SaltusPlatforms.cmake
  DESTINATION ${package_dir})

# The same package for this build, as it stands: `saltus export` finds it beside the program.
set(own_package ${PROJECT_BINARY_DIR}/package)
export(EXPORT SaltusTargets NAMESPACE saltus:: FILE ${own_package}/SaltusTargets.cmake)
foreach(file IN ITEMS ${PROJECT_BINARY_DIR}/SaltusConfig.cmake ${CMAKE_CURRENT_LIST_DIR}/FindLibdeflate.cmake
    ${CMAKE_CURRENT_LIST_DIR}/SaltusAddFmu.cmake ${CMAKE_CURRENT_LIST_DIR}/SaltusFmuSources.cmake
    ${CMAKE_CURRENT_LIST_DIR}/SaltusPlatforms.cmake)
  get_filename_component(name ${file} NAME)
  configure_file(${file} ${own_package}/${name} COPYONLY)
endforeach()

# What FMUs take along that contain their sources: those of Saltus, and the headers of Eigen.
set(sources_dir ${CMAKE_INSTALL_DATADIR}/saltus/sources)
install(DIRECTORY ${SALTUS_SOLVER_SOURCES}/ DESTINATION ${sources_dir}/solver FILES_MATCHING PATTERN *.cpp PATTERN *.hpp)
install(DIRECTORY ${SALTUS_FMU_EXPORT_SOURCES}/ DESTINATION ${sources_dir}/fmu_export FILES_MATCHING PATTERN *.cpp PATTERN *.hpp)
install(FILES ${SALTUS_SOURCE_GROUPS} DESTINATION ${sources_dir})
install(DIRECTORY ${SALTUS_EIGEN_HEADERS}/Eigen DESTINATION ${sources_dir}/eigen)
file(WRITE ${own_package}/SaltusSources.cmake "")
foreach(place IN ITEMS SALTUS_PUBLIC_HEADERS SALTUS_SOLVER_SOURCES SALTUS_FMU_EXPORT_SOURCES SALTUS_SOURCE_GROUPS
    SALTUS_EIGEN_HEADERS)
  file(APPEND ${own_package}/SaltusSources.cmake "set(${place} \"${${place}}\")\n")
endforeach()

# For builds without CMake. The path back from the folder of these files keeps the prefix movable.
file(RELATIVE_PATH to_prefix /${CMAKE_INSTALL_LIBDIR}/pkgconfig /)
string(REGEX REPLACE "/$" "" to_prefix "${to_prefix}")
foreach(part IN ITEMS solver importer)
  configure_file(${CMAKE_CURRENT_LIST_DIR}/saltus-${part}.pc.in ${PROJECT_BINARY_DIR}/saltus-${part}.pc @ONLY)
  install(FILES ${PROJECT_BINARY_DIR}/saltus-${part}.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
endforeach()

if(SALTUS_BUILD_REFERENCE_FMUS)
  install(DIRECTORY ${SALTUS_FMU_DIR}/ DESTINATION ${CMAKE_INSTALL_DATADIR}/saltus/fmus FILES_MATCHING PATTERN *.fmu)
endif()
