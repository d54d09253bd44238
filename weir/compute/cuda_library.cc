#include <dlfcn.h>
#include <fmt/format.h>

#include <array>

#include "weir/compute/backends_internal.h"
#include "weir/compute/cuda_library_internal.h"
#include "weir/compute/nvrtc.h"

namespace weir::compute {
namespace {

struct Opened {
  CudaLibrary library;
  std::string why_not;
};

/// Finds every function; the name of one that the driver lacks is left in `why_not`.
void find_functions(void* handle, Opened& opened) {
  const auto find = [&](auto& function, const char* symbol) {
    function = reinterpret_cast<std::remove_reference_t<decltype(function)>>(dlsym(handle, symbol));
    if (function == nullptr) {
      opened.why_not = fmt::format("the CUDA driver is too old: it lacks {}", symbol);
    }
  };
  CudaLibrary& cuda = opened.library;
  find(cuda.init, "cuInit");
  find(cuda.get_error_string, "cuGetErrorString");
  find(cuda.get_error_name, "cuGetErrorName");
  find(cuda.driver_get_version, "cuDriverGetVersion");
  find(cuda.device_get_count, "cuDeviceGetCount");
  find(cuda.device_get, "cuDeviceGet");
  find(cuda.device_get_name, "cuDeviceGetName");
  find(cuda.device_total_mem, "cuDeviceTotalMem_v2");
  find(cuda.device_get_attribute, "cuDeviceGetAttribute");
  find(cuda.device_primary_ctx_retain, "cuDevicePrimaryCtxRetain");
  find(cuda.device_primary_ctx_release, "cuDevicePrimaryCtxRelease_v2");
  find(cuda.ctx_push_current, "cuCtxPushCurrent_v2");
  find(cuda.ctx_pop_current, "cuCtxPopCurrent_v2");
  find(cuda.ctx_synchronize, "cuCtxSynchronize");
  find(cuda.mem_get_info, "cuMemGetInfo_v2");
  find(cuda.mem_alloc, "cuMemAlloc_v2");
  find(cuda.mem_free, "cuMemFree_v2");
  find(cuda.mem_host_alloc, "cuMemHostAlloc");
  find(cuda.mem_free_host, "cuMemFreeHost");
  find(cuda.memcpy_htod_async, "cuMemcpyHtoDAsync_v2");
  find(cuda.memcpy_dtoh_async, "cuMemcpyDtoHAsync_v2");
  find(cuda.memcpy_dtod_async, "cuMemcpyDtoDAsync_v2");
  find(cuda.memset_d8_async, "cuMemsetD8Async");
  find(cuda.stream_create, "cuStreamCreate");
  find(cuda.stream_destroy, "cuStreamDestroy_v2");
  find(cuda.stream_synchronize, "cuStreamSynchronize");
  find(cuda.stream_wait_event, "cuStreamWaitEvent");
  find(cuda.event_create, "cuEventCreate");
  find(cuda.event_destroy, "cuEventDestroy_v2");
  find(cuda.event_record, "cuEventRecord");
  find(cuda.event_query, "cuEventQuery");
  find(cuda.event_synchronize, "cuEventSynchronize");
  find(cuda.module_load_data, "cuModuleLoadData");
  find(cuda.module_unload, "cuModuleUnload");
  find(cuda.module_get_function, "cuModuleGetFunction");
  find(cuda.func_set_attribute, "cuFuncSetAttribute");
  find(cuda.launch_kernel, "cuLaunchKernel");
}

Opened open_once() {
  Opened opened;
  // Stays open: the driver does not survive being unloaded.
  void* handle = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
  if (handle == nullptr) {
    opened.why_not = fmt::format("no CUDA driver: {}", dlerror());
    return opened;
  }
  find_functions(handle, opened);
  if (!opened.why_not.empty()) {
    return opened;
  }
  if (const CudaStatus status = opened.library.init(0); status != kCudaSuccess) {
    opened.why_not = "the CUDA driver does not start: " + opened.library.text(status);
  }
  return opened;
}

const Opened& opened() {
  static const Opened kOnce = open_once();
  return kOnce;
}

std::vector<Target> none(std::string why_not) {
  Target target{.name = "cuda", .kind = TargetKind::cuda};
  target.why_not = std::move(why_not);
  return {std::move(target)};
}

/// Why kernels cannot be made for it and run; empty when they can.
std::string why_unusable(const CudaLibrary& cuda, CudaOrdinal device, int capability) {
  constexpr int kProhibited = 2;
  int mode = 0;
  cuda.device_get_attribute(&mode, CudaAttribute::compute_mode, device);
  if (mode == kProhibited) {
    return "its compute mode prohibits computing";
  }
  const Nvrtc* nvrtc = Nvrtc::open();
  if (nvrtc == nullptr) {
    return Nvrtc::why_not();
  }
  if (nvrtc->architecture_for(capability).empty()) {
    return fmt::format("NVRTC {} makes no code for compute capability {}.{}", nvrtc->version(),
                       capability / 10, capability % 10);
  }
  return {};
}

Target describe(const CudaLibrary& cuda, int index) {
  Target target{.name = fmt::format("cuda:{}", index), .kind = TargetKind::cuda};
  target.index = index;
  target.fp64 = true;
  CudaOrdinal device = 0;
  std::array<char, 256> name{};
  int version = 0;
  if (const CudaStatus status = cuda.device_get(&device, index); status != kCudaSuccess) {
    target.why_not = "opening the device: " + cuda.text(status);
    return target;
  }
  cuda.device_get_name(name.data(), static_cast<int>(name.size()) - 1, device);
  cuda.device_total_mem(&target.memory_bytes, device);
  cuda.driver_get_version(&version);
  target.device = name.data();
  const int capability = cuda.capability(device);
  const Nvrtc* nvrtc = Nvrtc::open();
  target.driver = fmt::format("CUDA driver {}.{}, compute capability {}.{}, {}", version / 1000,
                              version % 1000 / 10, capability / 10, capability % 10,
                              nvrtc != nullptr ? "NVRTC " + nvrtc->version() : "no NVRTC");
  target.why_not = why_unusable(cuda, device, capability);
  return target;
}

}  // namespace

const CudaLibrary* CudaLibrary::open() {
  return opened().why_not.empty() ? &opened().library : nullptr;
}

std::string CudaLibrary::why_not() {
  return opened().why_not;
}

std::string CudaLibrary::text(CudaStatus status) const {
  const char* words = nullptr;
  const char* symbol = nullptr;
  get_error_string(status, &words);
  get_error_name(status, &symbol);
  return fmt::format("{} ({}, {})", words == nullptr ? "unknown error" : words,
                     symbol == nullptr ? "CUresult" : symbol, status);
}

int CudaLibrary::capability(CudaOrdinal device) const {
  int major = 0;
  int minor = 0;
  device_get_attribute(&major, CudaAttribute::capability_major, device);
  device_get_attribute(&minor, CudaAttribute::capability_minor, device);
  return 10 * major + minor;
}

std::vector<Target> probe_cuda() {
  const CudaLibrary* cuda = CudaLibrary::open();
  if (cuda == nullptr) {
    return none(CudaLibrary::why_not());
  }
  int count = 0;
  if (const CudaStatus status = cuda->device_get_count(&count);
      status != kCudaSuccess || count == 0) {
    return none(status != kCudaSuccess ? cuda->text(status) : "the CUDA driver finds no device");
  }
  std::vector<Target> targets;
  targets.reserve(static_cast<std::size_t>(count));
  for (int index = 0; index < count; ++index) {
    targets.push_back(describe(*cuda, index));
  }
  return targets;
}

}  // namespace weir::compute
