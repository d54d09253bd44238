#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace weir::compute {

enum class TargetKind { cpu, host, opencl, cuda };

/// One place where pipelines may run, as found on this machine.
struct Target {
  std::string name;  ///< What a spec writes: "cpu", "host", "opencl:0", "cuda:1".
  TargetKind kind = TargetKind::cpu;
  int index = 0;            ///< Among the devices of its kind.
  std::string device = {};  ///< "NVIDIA H200"; empty when there is none.
  std::string driver = {};
  std::size_t memory_bytes = 0;
  bool fp64 = false;
  bool is_processor = false;  ///< An OpenCL device that is the processor, such as PoCL's.
  std::string why_not = {};   ///< Why it cannot be used; empty when it can.

  bool usable() const noexcept { return why_not.empty(); }
};

/// Everything found, and a line with the reason for each kind of which nothing was. `host` is the
/// reference that tests compare devices with: the device kernels as C++, slow.
/// Cost: opens the OpenCL and CUDA drivers at the first call.
std::vector<Target> list_targets();

/// Whether the kernel shows a device that could be a GPU. Looks at names only: drivers that find
/// nothing still take time and tens of megabytes to open.
bool may_have_gpu();

/// The target called `name`; "opencl" and "cuda" mean the first of their kind, "opencl:text" the
/// first whose device name contains `text`.
/// Errors: `not_found` naming those present; `device` with the reason when it cannot be used.
Target find_target(std::string_view name);

/// The targets called `names`: one, or several devices of one kind, as "cuda:0,cuda:2", or every
/// usable one of a kind, as "cuda:*". Never empty.
/// Errors: as `find_target`; `invalid_spec` where one is named twice or kinds are mixed, since what
/// they compute differs by rounding.
std::vector<Target> find_targets(std::string_view names);

/// The instruction set the CPU kernels use on this machine and the program's build, as they enter
/// provenance and checkpoints: "AVX3 build 5d41402abc4b2a76".
std::string cpu_description();

}  // namespace weir::compute
