#pragma once

#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>

#include <string>

namespace weir::compute {

/// The functions of the OpenCL loader, found when the program runs.
struct OpenclLibrary {
  /// The loader, opened once; null when it is missing.
  static const OpenclLibrary* open();
  /// Why `open()` is null.
  static std::string why_not();

#define WEIR_OPENCL_FUNCTIONS(X)  \
  X(clGetPlatformIDs)             \
  X(clGetPlatformInfo)            \
  X(clGetDeviceIDs)               \
  X(clGetDeviceInfo)              \
  X(clCreateContext)              \
  X(clReleaseContext)             \
  X(clCreateCommandQueue)         \
  X(clReleaseCommandQueue)        \
  X(clCreateBuffer)               \
  X(clReleaseMemObject)           \
  X(clCreateProgramWithSource)    \
  X(clCreateProgramWithBinary)    \
  X(clGetProgramInfo)             \
  X(clBuildProgram)               \
  X(clGetProgramBuildInfo)        \
  X(clReleaseProgram)             \
  X(clCreateKernel)               \
  X(clReleaseKernel)              \
  X(clSetKernelArg)               \
  X(clEnqueueNDRangeKernel)       \
  X(clEnqueueWriteBuffer)         \
  X(clEnqueueReadBuffer)          \
  X(clEnqueueFillBuffer)          \
  X(clEnqueueCopyBuffer)          \
  X(clEnqueueMarkerWithWaitList)  \
  X(clEnqueueBarrierWithWaitList) \
  X(clWaitForEvents)              \
  X(clGetEventInfo)               \
  X(clReleaseEvent)               \
  X(clFlush)                      \
  X(clFinish)
// The members have the functions' names.
// NOLINTBEGIN(readability-identifier-naming,bugprone-macro-parentheses)
#define WEIR_DECLARE(function) decltype(&::function) function = nullptr;
  WEIR_OPENCL_FUNCTIONS(WEIR_DECLARE)
// NOLINTEND(readability-identifier-naming,bugprone-macro-parentheses)
#undef WEIR_DECLARE
};

/// Throws `device` "what: CL_OUT_OF_RESOURCES" unless `status` is success.
void require_opencl(cl_int status, const char* what);

}  // namespace weir::compute
