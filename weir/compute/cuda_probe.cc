#include <dlfcn.h>
#include <fmt/format.h>

#include <array>

#include "weir/compute/backends_internal.h"
#include "weir/compute/nvrtc.h"

namespace weir::compute {
namespace {

/// The part of the CUDA driver that describes devices; its declarations are ours, so building needs
/// no toolkit.
struct CudaDriver {
  int (*init)(unsigned) = nullptr;
  int (*version)(int*) = nullptr;
  int (*count)(int*) = nullptr;
  int (*device)(int*, int) = nullptr;
  int (*name)(char*, int, int) = nullptr;
  int (*memory)(std::size_t*, int) = nullptr;
  int (*error_text)(int, const char**) = nullptr;

  bool find(void* handle) {
    const auto load = [handle](auto& function, const char* symbol) {
      function =
          reinterpret_cast<std::remove_reference_t<decltype(function)>>(dlsym(handle, symbol));
      return function != nullptr;
    };
    return load(init, "cuInit") && load(version, "cuDriverGetVersion") &&
           load(count, "cuDeviceGetCount") && load(device, "cuDeviceGet") &&
           load(name, "cuDeviceGetName") && load(memory, "cuDeviceTotalMem_v2") &&
           load(error_text, "cuGetErrorString");
  }
  std::string text(int status) const {
    const char* words = nullptr;
    error_text(status, &words);
    return fmt::format("{} ({})", words == nullptr ? "unknown error" : words, status);
  }
};

std::vector<Target> none(std::string why_not) {
  Target target{.name = "cuda", .kind = TargetKind::cuda};
  target.why_not = std::move(why_not);
  return {std::move(target)};
}

Target describe(const CudaDriver& cuda, int index) {
  Target target{.name = fmt::format("cuda:{}", index), .kind = TargetKind::cuda};
  target.index = index;
  target.fp64 = true;
  int handle = 0;
  std::array<char, 256> name{};
  int version = 0;
  if (const int status = cuda.device(&handle, index); status != 0) {
    target.why_not = "opening the device: " + cuda.text(status);
    return target;
  }
  cuda.name(name.data(), static_cast<int>(name.size()) - 1, handle);
  cuda.memory(&target.memory_bytes, handle);
  cuda.version(&version);
  target.device = name.data();
  const Nvrtc* nvrtc = Nvrtc::open();
  target.driver = fmt::format("CUDA driver {}.{}, {}", version / 1000, version % 1000 / 10,
                              nvrtc != nullptr ? "NVRTC " + nvrtc->version() : Nvrtc::why_not());
  target.why_not = "found; execution arrives with the GPU executor";
  return target;
}

}  // namespace

std::vector<Target> probe_cuda() {
  // Stays open: the driver does not survive being unloaded.
  void* handle = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
  if (handle == nullptr) {
    return none(fmt::format("no CUDA driver: {}", dlerror()));
  }
  CudaDriver cuda;
  if (!cuda.find(handle)) {
    return none("the CUDA driver is too old");
  }
  int count = 0;
  if (const int status = cuda.init(0); status != 0) {
    return none("the CUDA driver does not start: " + cuda.text(status));
  }
  if (const int status = cuda.count(&count); status != 0 || count == 0) {
    return none(status != 0 ? cuda.text(status) : "the CUDA driver finds no device");
  }
  std::vector<Target> targets;
  targets.reserve(static_cast<std::size_t>(count));
  for (int index = 0; index < count; ++index) {
    targets.push_back(describe(cuda, index));
  }
  return targets;
}

}  // namespace weir::compute
