# antipode_room(NAME sources…): one folder of src/ as an object library that becomes part of the antipode library.
function(antipode_room name)
  add_library(antipode_${name} OBJECT ${ARGN})
  target_include_directories(antipode_${name} PRIVATE ${PROJECT_SOURCE_DIR}/include ${PROJECT_SOURCE_DIR}/src)
  target_link_libraries(antipode_${name} PRIVATE Threads::Threads fmt::fmt)
  target_sources(antipode PRIVATE $<TARGET_OBJECTS:antipode_${name}>)
endfunction()
