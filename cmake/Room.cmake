# Headers that most files include, parsed once for each set of compiler options (docs/decisions/0015). A file includes what it
# needs all the same: the presets asan and fuzz compile without precompiled headers.
set(antipode_headers <algorithm> <array> <atomic> <bit> <chrono> <cmath> <cstdint> <cstring> <functional> <limits> <map> <memory> <mutex>
  <numeric> <optional> <span> <string> <string_view> <utility> <vector> <fmt/format.h>)

# antipode_room(NAME sources…): one folder of src/ as an object library that becomes part of the antipode library.
function(antipode_room name)
  add_library(antipode_${name} OBJECT ${ARGN})
  target_include_directories(antipode_${name} PRIVATE ${PROJECT_SOURCE_DIR}/include ${PROJECT_SOURCE_DIR}/src)
  target_link_libraries(antipode_${name} PRIVATE Threads::Threads ${antipode_fmt})
  target_sources(antipode PRIVATE $<TARGET_OBJECTS:antipode_${name}>)
  if(name STREQUAL graph)
    target_precompile_headers(antipode_graph PRIVATE ${antipode_headers})
  elseif(ARGN MATCHES "[.]cpp" AND NOT name STREQUAL report)  # which has headers of its own
    target_precompile_headers(antipode_${name} REUSE_FROM antipode_graph)
  endif()
endfunction()

# antipode_merge(TARGET files…): where ANTIPODE_MERGE is ON, eight files of the target are compiled as one, but for those named,
# whose local names clash. Saves what every file instantiates again.
function(antipode_merge target)
  set_target_properties(${target} PROPERTIES UNITY_BUILD ${ANTIPODE_MERGE} UNITY_BUILD_BATCH_SIZE 8)
  set_source_files_properties(${ARGN} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
endfunction()
