#include "weir/compute/backends_internal.h"
#include "weir/compute/opencl_program_internal.h"
#include "weir/core/error.h"

namespace weir::compute {

OpenclProgram::Shared OpenclProgram::of_text(std::shared_ptr<OpenclContext> context,
                                             const KernelSource& source, const std::string& text) {
  const char* data = text.data();
  const std::size_t size = text.size();
  cl_int status = CL_SUCCESS;
  cl_program handle =
      context->cl.clCreateProgramWithSource(context->handle, 1, &data, &size, &status);
  require_opencl(status, "giving a kernel file to the OpenCL driver");
  const Shared program(new OpenclProgram(std::move(context), handle));
  if (program->build() != CL_SUCCESS) {
    throw Error(ErrorCode::device, quote_compile_log(source, program->build_log()));
  }
  return program;
}

OpenclProgram::Shared OpenclProgram::of_code(std::shared_ptr<OpenclContext> context,
                                             const std::string& code) {
  const auto* data = reinterpret_cast<const unsigned char*>(code.data());
  const std::size_t size = code.size();
  cl_int status = CL_SUCCESS;
  cl_int accepted = CL_SUCCESS;
  cl_program handle = context->cl.clCreateProgramWithBinary(context->handle, 1, &context->device,
                                                            &size, &data, &accepted, &status);
  require_opencl(status, "giving compiled kernels to the OpenCL driver");
  const Shared program(new OpenclProgram(std::move(context), handle));
  require_opencl(accepted, "giving compiled kernels to the OpenCL driver");
  require_opencl(program->build(), "building compiled kernels");
  return program;
}

std::string OpenclProgram::code() const {
  const auto& cl = context_->cl;
  std::size_t size = 0;  // The context has one device.
  require_opencl(cl.clGetProgramInfo(handle_, CL_PROGRAM_BINARY_SIZES, sizeof size, &size, nullptr),
                 "asking for compiled kernels");
  std::string code(size, '\0');
  char* data = code.data();
  require_opencl(cl.clGetProgramInfo(handle_, CL_PROGRAM_BINARIES, sizeof data, &data, nullptr),
                 "asking for compiled kernels");
  return code;
}

std::string OpenclProgram::build_log() const {
  const auto& cl = context_->cl;
  std::size_t size = 0;
  cl.clGetProgramBuildInfo(handle_, context_->device, CL_PROGRAM_BUILD_LOG, 0, nullptr, &size);
  std::string log(size, '\0');
  cl.clGetProgramBuildInfo(handle_, context_->device, CL_PROGRAM_BUILD_LOG, size, log.data(),
                           nullptr);
  return log.substr(0, log.find('\0'));
}

}  // namespace weir::compute
