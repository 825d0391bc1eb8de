# Decides whether the Python module is built: antipode_python is ON where ANTIPODE_PYTHON asks for it, or leaves it to the
# machine and this is a developer build with a .venv that has nanobind, of a Python with headers. Sanitized builds cannot be
# loaded into Python.
set(antipode_python OFF)
set(venv_python ${PROJECT_SOURCE_DIR}/.venv/bin/python)
if(ANTIPODE_PYTHON STREQUAL "ON")
  find_package(Python 3.11 REQUIRED COMPONENTS Interpreter Development.Module OPTIONAL_COMPONENTS Development.SABIModule)
  set(antipode_python ON)
elseif(ANTIPODE_PYTHON STREQUAL "AUTO" AND ANTIPODE_DEV AND NOT ANTIPODE_SANITIZE AND EXISTS ${venv_python})
  execute_process(COMMAND ${venv_python} -c "import nanobind" RESULT_VARIABLE failed OUTPUT_QUIET ERROR_QUIET)
  if(failed EQUAL 0)
    set(Python_EXECUTABLE ${venv_python})
    find_package(Python 3.11 QUIET COMPONENTS Interpreter Development.Module)
    set(antipode_python ${Python_FOUND})
  endif()
endif()
if(antipode_python)
  execute_process(COMMAND ${Python_EXECUTABLE} -m nanobind --cmake_dir
    OUTPUT_STRIP_TRAILING_WHITESPACE OUTPUT_VARIABLE nanobind_ROOT ERROR_QUIET)
  find_package(nanobind CONFIG REQUIRED)
  set(antipode_python ON)
endif()
message(STATUS "Python module: ${antipode_python}")
