# Installs the program, the library and its headers, and the files by which find_package(antipode) finds them.
include(CMakePackageConfigHelpers)
set(antipode_cmake_dir ${CMAKE_INSTALL_LIBDIR}/cmake/antipode)

# The component "program" is what packages hold (Package.cmake).
if(ANTIPODE_CLI)
  install(TARGETS antipode_cli RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT program)
  install(FILES LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT program RENAME copyright)
  if(NOT CMAKE_CROSSCOMPILING)  # what src/cli lets the program write when it is built
    set(ANTIPODE_ZSH_DIR ${CMAKE_INSTALL_DATADIR}/zsh/site-functions CACHE STRING "Where zsh looks for completions; vendor-completions in packages of Debian")
    set(reading ${PROJECT_BINARY_DIR}/reading)
    install(DIRECTORY ${reading}/man1 DESTINATION ${CMAKE_INSTALL_MANDIR} COMPONENT program)
    install(FILES ${reading}/antipode.bash DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions COMPONENT program RENAME antipode)
    install(FILES ${reading}/antipode.zsh DESTINATION ${ANTIPODE_ZSH_DIR} COMPONENT program RENAME _antipode)
    install(FILES ${reading}/antipode.fish DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d COMPONENT program)
  endif()
endif()
install(TARGETS antipode EXPORT antipode-targets ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT library)
install(DIRECTORY include/antipode DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT library)
install(EXPORT antipode-targets NAMESPACE antipode:: DESTINATION ${antipode_cmake_dir} COMPONENT library)

configure_package_config_file(cmake/antipodeConfig.cmake.in antipodeConfig.cmake INSTALL_DESTINATION ${antipode_cmake_dir})
write_basic_package_version_file(antipodeConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/antipodeConfig.cmake ${CMAKE_CURRENT_BINARY_DIR}/antipodeConfigVersion.cmake
        DESTINATION ${antipode_cmake_dir} COMPONENT library)
