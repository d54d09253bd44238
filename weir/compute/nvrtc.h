#pragma once

#include <string>

#include "weir/compute/kernel_source.h"

namespace weir::compute {

/// NVIDIA's run-time compiler, opened when first asked for: the path in WEIR_NVRTC, else
/// libnvrtc.so.13, .12 or .11.2 where the system finds them. Needs no GPU.
class Nvrtc {
 public:
  /// Null when it is not there.
  static const Nvrtc* open();
  /// Why `open()` is null.
  static std::string why_not();

  /// "13.0".
  std::string version() const;
  /// What `compile` should be asked for to run on a device of this compute capability (90 is 9.0):
  /// "sm_90" where it makes machine code that such a device runs, "compute_90" where the driver
  /// must translate; empty when the device is older than all that it knows.
  std::string architecture_for(int capability) const;
  /// What `compile` tells the compiler: part of the cache's keys.
  static std::string options_text(const std::string& architecture);
  /// A kernel file as machine code for "sm_90", as PTX for "compute_90".
  /// Errors: `device` quoting the line of the file.
  std::string compile(const KernelSource& source, Real real, const std::string& architecture) const;

 private:
  friend struct NvrtcOpened;
  using Program = struct NvrtcProgram*;
  Nvrtc() = default;

  int (*version_)(int*, int*) = nullptr;
  int (*create_)(Program*, const char*, const char*, int, const char* const*,
                 const char* const*) = nullptr;
  int (*destroy_)(Program*) = nullptr;
  int (*compile_)(Program, int, const char* const*) = nullptr;
  int (*ptx_size_)(Program, std::size_t*) = nullptr;
  int (*ptx_)(Program, char*) = nullptr;
  int (*log_size_)(Program, std::size_t*) = nullptr;
  int (*log_)(Program, char*) = nullptr;
  int (*cubin_size_)(Program, std::size_t*) = nullptr;
  int (*cubin_)(Program, char*) = nullptr;
  int (*architecture_count_)(int*) = nullptr;
  int (*architectures_)(int*) = nullptr;
};

}  // namespace weir::compute
