# Packages of the program, without the library: `make deb` and `make tarball`. That for Debian names the packages of all
# libraries that the program is linked with, by dpkg-shlibdeps.
if(NOT ANTIPODE_CLI OR NOT PROJECT_IS_TOP_LEVEL)
  return()
endif()
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME antipode)
set(CPACK_PACKAGE_VENDOR "The Antipode developers")
set(CPACK_PACKAGE_CONTACT "The Antipode developers")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "exact distances in huge sparse graphs")
set(CPACK_INSTALL_CMAKE_PROJECTS "${PROJECT_BINARY_DIR};antipode;program;/")
set(CPACK_STRIP_FILES ON)
string(TOLOWER "antipode-${PROJECT_VERSION}-${CMAKE_SYSTEM_NAME}-${CMAKE_SYSTEM_PROCESSOR}" CPACK_PACKAGE_FILE_NAME)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_SUGGESTS "ocl-icd-libopencl1, pocl-opencl-icd | opencl-icd")
set(CPACK_DEBIAN_PACKAGE_DESCRIPTION "Diameter, radius, center, eccentricities, average distance, closeness and
 betweenness of graphs, exactly, with a path and a certificate that a separate
 checker verifies. On CPUs, and on OpenCL devices where there are any.")
include(CPack)
