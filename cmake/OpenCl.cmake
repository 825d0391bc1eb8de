# Decides whether the OpenCL engine is built: antipode_opencl is ON where ANTIPODE_OPENCL asks for it, or leaves it to the machine
# and there are headers and an ICD loader.
set(antipode_opencl OFF)
if(NOT ANTIPODE_OPENCL STREQUAL "OFF")
  find_package(OpenCL)
  if(OpenCL_FOUND)
    set(antipode_opencl ON)
  elseif(ANTIPODE_OPENCL STREQUAL "ON")
    message(FATAL_ERROR "ANTIPODE_OPENCL is ON, and there are no OpenCL headers or no loader")
  endif()
endif()
message(STATUS "OpenCL engine: ${antipode_opencl}")
