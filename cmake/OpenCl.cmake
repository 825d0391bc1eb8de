# Decides whether the OpenCL engine is built: antipode_opencl is ON where ANTIPODE_OPENCL asks for it, or leaves it to the machine
# and there are headers. Nothing is linked: the program opens the loader of the machine it runs on.
set(antipode_opencl OFF)
if(NOT ANTIPODE_OPENCL STREQUAL "OFF")
  find_path(antipode_opencl_headers CL/cl.h)
  mark_as_advanced(antipode_opencl_headers)
  if(antipode_opencl_headers)
    set(antipode_opencl ON)
  elseif(ANTIPODE_OPENCL STREQUAL "ON")
    message(FATAL_ERROR "ANTIPODE_OPENCL is ON, and there are no OpenCL headers")
  endif()
endif()
message(STATUS "OpenCL engine: ${antipode_opencl}")
