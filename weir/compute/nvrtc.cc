#include "weir/compute/nvrtc.h"

#include <dlfcn.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <filesystem>
#include <vector>

#include "weir/compute/backends_internal.h"
#include "weir/compute/preludes.h"
#include "weir/core/error.h"

namespace weir::compute {
namespace {

/// Contraction off as everywhere: a fused multiply-add only where the text says FMA.
std::vector<std::string> options(const std::string& architecture) {
  return {"--gpu-architecture=" + architecture, "--fmad=false", "--ftz=true", "--std=c++17"};
}

}  // namespace

struct NvrtcOpened {
  NvrtcOpened() {
    void* handle = open_library();
    if (handle == nullptr) {
      return;
    }
    const auto find = [&](auto& function, const char* name) {
      function = reinterpret_cast<std::remove_reference_t<decltype(function)>>(dlsym(handle, name));
      if (function == nullptr) {
        why_not = fmt::format("the NVRTC library lacks {}", name);
      }
    };
    find(nvrtc.version_, "nvrtcVersion");
    find(nvrtc.create_, "nvrtcCreateProgram");
    find(nvrtc.destroy_, "nvrtcDestroyProgram");
    find(nvrtc.compile_, "nvrtcCompileProgram");
    find(nvrtc.ptx_size_, "nvrtcGetPTXSize");
    find(nvrtc.ptx_, "nvrtcGetPTX");
    find(nvrtc.log_size_, "nvrtcGetProgramLogSize");
    find(nvrtc.log_, "nvrtcGetProgramLog");
    find(nvrtc.cubin_size_, "nvrtcGetCUBINSize");
    find(nvrtc.cubin_, "nvrtcGetCUBIN");
    find(nvrtc.architecture_count_, "nvrtcGetNumSupportedArchs");
    find(nvrtc.architectures_, "nvrtcGetSupportedArchs");
  }

  /// NVRTC opens its second library by bare name, which finds one that is already open: a wheel's
  /// folder is on no search path.
  static void open_builtins(const std::filesystem::path& nvrtc_path) {
    std::error_code ignored;  // A folder that cannot be read holds nothing for us.
    for (const auto& entry :
         std::filesystem::directory_iterator(nvrtc_path.parent_path(), ignored)) {
      const std::string file = entry.path().filename().string();
      if (file.starts_with("libnvrtc-builtins.so")) {
        dlopen(entry.path().c_str(), RTLD_NOW | RTLD_LOCAL);
      }
    }
  }

  void* open_library() {
    std::vector<std::string> names{"libnvrtc.so.13", "libnvrtc.so.12", "libnvrtc.so.11.2"};
    if (const char* path = std::getenv("WEIR_NVRTC"); path != nullptr && *path != '\0') {
      names = {path};
      open_builtins(path);
    }
    for (const auto& name : names) {
      if (void* handle = dlopen(name.c_str(), RTLD_NOW | RTLD_LOCAL)) {
        return handle;
      }
      why_not = fmt::format("no NVRTC: {}", dlerror());
    }
    return nullptr;
  }

  Nvrtc nvrtc;
  std::string why_not;
  static const NvrtcOpened& once() {
    static const NvrtcOpened kOpened;
    return kOpened;
  }
};

const Nvrtc* Nvrtc::open() {
  const auto& opened = NvrtcOpened::once();
  return opened.nvrtc.log_ != nullptr && opened.why_not.empty() ? &opened.nvrtc : nullptr;
}

std::string Nvrtc::why_not() {
  return NvrtcOpened::once().why_not;
}

std::string Nvrtc::version() const {
  int major = 0;
  int minor = 0;
  version_(&major, &minor);
  return fmt::format("{}.{}", major, minor);
}

std::string Nvrtc::architecture_for(int capability) const {
  int count = 0;
  architecture_count_(&count);
  std::vector<int> known(static_cast<std::size_t>(count));
  architectures_(known.data());
  int best = 0;
  for (const int one : known) {
    best = one <= capability ? std::max(best, one) : best;
  }
  if (best == 0) {
    return {};
  }
  // Machine code runs on devices of its own major version from its minor version on.
  return fmt::format("{}_{}", best / 10 == capability / 10 ? "sm" : "compute", best);
}

std::string Nvrtc::options_text(const std::string& architecture) {
  return fmt::format("{}", fmt::join(options(architecture), " "));
}

std::string Nvrtc::compile(const KernelSource& source, Real real,
                           const std::string& architecture) const {
  const std::string text = device_text(kCudaPrelude, source, real);
  const std::string file(source.file);
  Program program = nullptr;
  if (create_(&program, text.c_str(), file.c_str(), 0, nullptr, nullptr) != 0) {
    throw Error(ErrorCode::device, fmt::format("{}: NVRTC cannot make a program", file));
  }
  const auto words = options(architecture);
  std::vector<const char*> pointers;
  pointers.reserve(words.size());
  for (const auto& word : words) {
    pointers.push_back(word.c_str());
  }
  const int status = compile_(program, static_cast<int>(pointers.size()), pointers.data());
  std::size_t size = 0;
  std::string result;
  const bool machine_code = architecture.starts_with("sm_");
  (status != 0 ? log_size_ : machine_code ? cubin_size_ : ptx_size_)(program, &size);
  result.resize(size);
  (status != 0 ? log_ : machine_code ? cubin_ : ptx_)(program, result.data());
  if (status != 0 || !machine_code) {
    result.resize(std::min(size, result.find('\0')));
  }
  destroy_(&program);
  if (status != 0) {
    throw Error(ErrorCode::device, quote_compile_log(source, result));
  }
  return result;
}

}  // namespace weir::compute
