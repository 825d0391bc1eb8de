# Installs the build, configures, builds and runs a project that finds it.
file(REMOVE_RECURSE ${WORK})
foreach(step "${CMAKE_COMMAND};--install;${BUILD};--prefix;${WORK}/prefix"
             "${CMAKE_COMMAND};-S;${SOURCE};-B;${WORK}/build;-DCMAKE_PREFIX_PATH=${WORK}/prefix;-DCMAKE_CXX_COMPILER=${CXX}"
             "${CMAKE_COMMAND};--build;${WORK}/build"
             "${WORK}/build/consumer"
             "${WORK}/prefix/bin/antipode;engines")
  execute_process(COMMAND ${step} RESULT_VARIABLE code OUTPUT_VARIABLE said ERROR_VARIABLE said)
  if(NOT code EQUAL 0)
    message(FATAL_ERROR "${step}: ${code}\n${said}")
  endif()
endforeach()
