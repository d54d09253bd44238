# Installs the libraries with their headers, the program, and what find_package(weir) needs.
include(CMakePackageConfigHelpers)
get_property(modules GLOBAL PROPERTY WEIR_MODULES)
list(REMOVE_ITEM modules testing cli)  # the insides of the tests and of the program
list(TRANSFORM modules PREPEND weir_ OUTPUT_VARIABLE targets)
install(TARGETS ${targets} EXPORT weirTargets ARCHIVE FILE_SET HEADERS)
install(TARGETS weir RUNTIME)
get_property(opened GLOBAL PROPERTY WEIR_OPENED_LIBRARIES)
install(TARGETS ${opened} LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}/weir)
install(EXPORT weirTargets NAMESPACE weir:: DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/weir)
configure_package_config_file(cmake/weirConfig.cmake.in ${PROJECT_BINARY_DIR}/weirConfig.cmake
                              INSTALL_DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/weir)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/weirConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/weirConfig.cmake ${PROJECT_BINARY_DIR}/weirConfigVersion.cmake
        DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/weir)
