// The functions of OpenCL that this room calls. They are found when OpenCL is first asked for, so
// that the program starts on machines without it (docs/decisions/0017).
#pragma once

#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>

#include <string>

namespace antipode::opencl {

// FUNCTION(name) for each.
#define ANTIPODE_CL_FUNCTIONS(FUNCTION) \
  FUNCTION(clBuildProgram)              \
  FUNCTION(clCreateBuffer)              \
  FUNCTION(clCreateCommandQueue)        \
  FUNCTION(clCreateContext)             \
  FUNCTION(clCreateKernel)              \
  FUNCTION(clCreateProgramWithBinary)   \
  FUNCTION(clCreateProgramWithSource)   \
  FUNCTION(clEnqueueFillBuffer)         \
  FUNCTION(clEnqueueNDRangeKernel)      \
  FUNCTION(clEnqueueReadBuffer)         \
  FUNCTION(clEnqueueWriteBuffer)        \
  FUNCTION(clFinish)                    \
  FUNCTION(clGetDeviceIDs)              \
  FUNCTION(clGetDeviceInfo)             \
  FUNCTION(clGetKernelWorkGroupInfo)    \
  FUNCTION(clGetPlatformIDs)            \
  FUNCTION(clGetPlatformInfo)           \
  FUNCTION(clGetProgramBuildInfo)       \
  FUNCTION(clGetProgramInfo)            \
  FUNCTION(clReleaseCommandQueue)       \
  FUNCTION(clReleaseKernel)             \
  FUNCTION(clReleaseMemObject)          \
  FUNCTION(clReleaseProgram)            \
  FUNCTION(clRetainProgram)             \
  FUNCTION(clSetKernelArg)

struct ClFunctions {
#define ANTIPODE_CL_MEMBER(name) decltype(&::name) name = nullptr;
  ANTIPODE_CL_FUNCTIONS(ANTIPODE_CL_MEMBER)
#undef ANTIPODE_CL_MEMBER
};

// Why OpenCL cannot be called; empty: it can.
const std::string& missing_functions();
// Only where nothing is missing.
const ClFunctions& cl();

}  // namespace antipode::opencl
