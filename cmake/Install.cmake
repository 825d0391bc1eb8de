# Installs the program, the library and its headers, and the files by which find_package(antipode) finds them.
include(CMakePackageConfigHelpers)
set(antipode_cmake_dir ${CMAKE_INSTALL_LIBDIR}/cmake/antipode)

install(TARGETS antipode EXPORT antipode-targets ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
if(ANTIPODE_CLI)
  install(TARGETS antipode_cli RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
endif()
install(DIRECTORY include/antipode DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(EXPORT antipode-targets NAMESPACE antipode:: DESTINATION ${antipode_cmake_dir})

configure_package_config_file(cmake/antipodeConfig.cmake.in antipodeConfig.cmake INSTALL_DESTINATION ${antipode_cmake_dir})
write_basic_package_version_file(antipodeConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/antipodeConfig.cmake ${CMAKE_CURRENT_BINARY_DIR}/antipodeConfigVersion.cmake
        DESTINATION ${antipode_cmake_dir})
