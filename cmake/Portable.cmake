# Finds the libraries that the rooms use. Where ANTIPODE_PORTABLE is ON, for wheels and tarballs, they become part of what is built:
# antipode_fmt is then header-only, which no distribution packages as an archive, and others are archives.
set(antipode_fmt fmt::fmt)
set(archive_suffixes ${CMAKE_FIND_LIBRARY_SUFFIXES})
if(ANTIPODE_PORTABLE)
  set(antipode_fmt fmt::fmt-header-only)
  set(archive_suffixes .a)
endif()

find_package(fmt REQUIRED)
block(SCOPE_FOR VARIABLES PROPAGATE EXPAT_FOUND)
  set(CMAKE_FIND_LIBRARY_SUFFIXES ${archive_suffixes})
  find_package(ZLIB REQUIRED)
  find_package(EXPAT)  # for GraphML
endblock()
find_package(zstd REQUIRED)
if(NOT TARGET zstd::zstd)  # the name depends on how zstd itself was built
  add_library(zstd::zstd INTERFACE IMPORTED)
  if(TARGET zstd::libzstd_shared AND NOT ANTIPODE_PORTABLE)
    target_link_libraries(zstd::zstd INTERFACE zstd::libzstd_shared)
  else()
    target_link_libraries(zstd::zstd INTERFACE zstd::libzstd_static)
  endif()
endif()
