#pragma once

#include <memory>
#include <string>

#include "weir/compute/device.h"
#include "weir/compute/opencl_library_internal.h"

namespace weir::compute {

/// The context, alive as long as anything made in it.
struct OpenclContext {
  OpenclContext(const OpenclLibrary& library, cl_device_id id) : cl(library), device(id) {
    cl_int status = CL_SUCCESS;
    handle = cl.clCreateContext(nullptr, 1, &device, nullptr, nullptr, &status);
    require_opencl(status, "opening the OpenCL device");
    cl_device_fp_config single = 0;
    cl.clGetDeviceInfo(device, CL_DEVICE_SINGLE_FP_CONFIG, sizeof single, &single, nullptr);
    if ((single & CL_FP_CORRECTLY_ROUNDED_DIVIDE_SQRT) != 0) {
      options += " -cl-fp32-correctly-rounded-divide-sqrt";  // Else a quotient may be 2.5 ulp off.
    }
  }
  ~OpenclContext() { cl.clReleaseContext(handle); }
  OpenclContext(const OpenclContext&) = delete;
  OpenclContext& operator=(const OpenclContext&) = delete;

  const OpenclLibrary& cl;
  cl_device_id device;
  cl_context handle = nullptr;
  /// What the compiler is told; part of the cache's keys.
  std::string options = "-cl-std=CL1.2 -cl-denorms-are-zero";
};

/// A kernel file built for the context's device.
class OpenclProgram final : public Program {
 public:
  using Shared = std::shared_ptr<const OpenclProgram>;
  /// Errors: `device` quoting the line of the file.
  static Shared of_text(std::shared_ptr<OpenclContext> context, const KernelSource& source,
                        const std::string& text);
  /// Errors: `device` when the code is not this driver's.
  static Shared of_code(std::shared_ptr<OpenclContext> context, const std::string& code);
  ~OpenclProgram() override { context_->cl.clReleaseProgram(handle_); }
  OpenclProgram(const OpenclProgram&) = delete;
  OpenclProgram& operator=(const OpenclProgram&) = delete;

  cl_program handle() const noexcept { return handle_; }
  /// What the driver made of it. Errors: `device` when it does not give it away.
  std::string code() const;

 private:
  OpenclProgram(std::shared_ptr<OpenclContext> context, cl_program handle)
      : context_(std::move(context)), handle_(handle) {}
  cl_int build() const {
    return context_->cl.clBuildProgram(handle_, 1, &context_->device, context_->options.c_str(),
                                       nullptr, nullptr);
  }
  std::string build_log() const;

  std::shared_ptr<OpenclContext> context_;
  cl_program handle_;
};

}  // namespace weir::compute
