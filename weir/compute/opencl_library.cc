#include <dlfcn.h>
#include <fmt/format.h>

#include <atomic>

#include "weir/compute/opencl_library_internal.h"
#include "weir/core/error.h"

namespace weir::compute {
namespace {

struct Opened {
  OpenclLibrary library;
  std::string why_not;
};

std::atomic<bool> a_driver_is_open = false;

/// The library stays open until the process ends: drivers do not survive being unloaded.
Opened open_once() {
  Opened opened;
  void* handle = dlopen("libOpenCL.so.1", RTLD_NOW | RTLD_LOCAL);
  if (handle == nullptr) {
    opened.why_not = fmt::format("no OpenCL loader: {}", dlerror());
    return opened;
  }
  const auto find = [&](auto& function, const char* symbol) {
    function = reinterpret_cast<std::remove_reference_t<decltype(function)>>(dlsym(handle, symbol));
    if (function == nullptr) {
      opened.why_not = fmt::format("the OpenCL loader lacks {}", symbol);
    }
  };
#define WEIR_FIND(function) find(opened.library.function, #function);
  WEIR_OPENCL_FUNCTIONS(WEIR_FIND)
#undef WEIR_FIND
  a_driver_is_open = opened.why_not.empty();
  return opened;
}

const Opened& opened() {
  static const Opened kOnce = open_once();
  return kOnce;
}

std::string_view status_name(cl_int status) {
  switch (status) {
    case CL_DEVICE_NOT_AVAILABLE:
      return "CL_DEVICE_NOT_AVAILABLE";
    case CL_MEM_OBJECT_ALLOCATION_FAILURE:
      return "CL_MEM_OBJECT_ALLOCATION_FAILURE";
    case CL_OUT_OF_RESOURCES:
      return "CL_OUT_OF_RESOURCES";
    case CL_OUT_OF_HOST_MEMORY:
      return "CL_OUT_OF_HOST_MEMORY";
    case CL_BUILD_PROGRAM_FAILURE:
      return "CL_BUILD_PROGRAM_FAILURE";
    case CL_INVALID_VALUE:
      return "CL_INVALID_VALUE";
    case CL_INVALID_BUFFER_SIZE:
      return "CL_INVALID_BUFFER_SIZE";
    case CL_INVALID_WORK_GROUP_SIZE:
      return "CL_INVALID_WORK_GROUP_SIZE";
    default:
      return "OpenCL error";
  }
}

}  // namespace

const OpenclLibrary* OpenclLibrary::open() {
  return opened().why_not.empty() ? &opened().library : nullptr;
}

std::string OpenclLibrary::why_not() {
  return opened().why_not;
}

void require_opencl(cl_int status, const char* what) {
  if (status != CL_SUCCESS) {
    throw Error(ErrorCode::device, fmt::format("{}: {} ({})", what, status_name(status), status));
  }
}

#if defined(__SANITIZE_ADDRESS__)
/// LeakSanitizer stops a driver's threads at exit while they end, and crashes on them: a process
/// that opened a driver looks for no leaks. The same code is searched for leaks on the host device.
extern "C" int
__lsan_is_turned_off() {  // NOLINT(bugprone-reserved-identifier): the sanitizer's name
  return a_driver_is_open ? 1 : 0;
}
#endif

}  // namespace weir::compute
