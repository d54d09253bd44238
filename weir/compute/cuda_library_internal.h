#pragma once

#include <cstddef>
#include <string>

namespace weir::compute {

// The driver's types as its binary interface has them; the declarations are ours, so that building
// needs no toolkit. Source: CUDA Driver API reference.
using CudaStatus = int;  ///< CUresult; 0 is success.
using CudaOrdinal = int;
using CudaAddress = unsigned long long;
using CudaContext = struct CudaContextOpaque*;
using CudaStream = struct CudaStreamOpaque*;
using CudaEventHandle = struct CudaEventOpaque*;
using CudaModule = struct CudaModuleOpaque*;
using CudaFunction = struct CudaFunctionOpaque*;

/// CUdevice_attribute.
enum class CudaAttribute : int { compute_mode = 20, capability_major = 75, capability_minor = 76 };

/// The functions of the CUDA driver, found when the program runs. Members are the driver's names
/// without "cu" and version, in snake case.
struct CudaLibrary {
  /// The driver, opened and started once; null when that fails.
  static const CudaLibrary* open();
  /// Why `open()` is null.
  static std::string why_not();

  /// "out of memory (CUDA_ERROR_OUT_OF_MEMORY, 2)".
  std::string text(CudaStatus status) const;
  /// Compute capability as in "sm_90".
  int capability(CudaOrdinal device) const;

  CudaStatus (*init)(unsigned) = nullptr;
  CudaStatus (*get_error_string)(CudaStatus, const char**) = nullptr;
  CudaStatus (*get_error_name)(CudaStatus, const char**) = nullptr;
  CudaStatus (*driver_get_version)(int*) = nullptr;
  CudaStatus (*device_get_count)(int*) = nullptr;
  CudaStatus (*device_get)(CudaOrdinal*, int) = nullptr;
  CudaStatus (*device_get_name)(char*, int, CudaOrdinal) = nullptr;
  CudaStatus (*device_total_mem)(std::size_t*, CudaOrdinal) = nullptr;
  CudaStatus (*device_get_attribute)(int*, CudaAttribute, CudaOrdinal) = nullptr;
  CudaStatus (*device_primary_ctx_retain)(CudaContext*, CudaOrdinal) = nullptr;
  CudaStatus (*device_primary_ctx_release)(CudaOrdinal) = nullptr;
  CudaStatus (*ctx_push_current)(CudaContext) = nullptr;
  CudaStatus (*ctx_pop_current)(CudaContext*) = nullptr;
  CudaStatus (*ctx_synchronize)() = nullptr;
  CudaStatus (*mem_get_info)(std::size_t*, std::size_t*) = nullptr;
  CudaStatus (*mem_alloc)(CudaAddress*, std::size_t) = nullptr;
  CudaStatus (*mem_free)(CudaAddress) = nullptr;
  CudaStatus (*mem_host_alloc)(void**, std::size_t, unsigned) = nullptr;
  CudaStatus (*mem_free_host)(void*) = nullptr;
  CudaStatus (*memcpy_htod_async)(CudaAddress, const void*, std::size_t, CudaStream) = nullptr;
  CudaStatus (*memcpy_dtoh_async)(void*, CudaAddress, std::size_t, CudaStream) = nullptr;
  CudaStatus (*memcpy_dtod_async)(CudaAddress, CudaAddress, std::size_t, CudaStream) = nullptr;
  CudaStatus (*memset_d8_async)(CudaAddress, unsigned char, std::size_t, CudaStream) = nullptr;
  CudaStatus (*stream_create)(CudaStream*, unsigned) = nullptr;
  CudaStatus (*stream_destroy)(CudaStream) = nullptr;
  CudaStatus (*stream_synchronize)(CudaStream) = nullptr;
  CudaStatus (*stream_wait_event)(CudaStream, CudaEventHandle, unsigned) = nullptr;
  CudaStatus (*event_create)(CudaEventHandle*, unsigned) = nullptr;
  CudaStatus (*event_destroy)(CudaEventHandle) = nullptr;
  CudaStatus (*event_record)(CudaEventHandle, CudaStream) = nullptr;
  CudaStatus (*event_query)(CudaEventHandle) = nullptr;
  CudaStatus (*event_synchronize)(CudaEventHandle) = nullptr;
  CudaStatus (*module_load_data)(CudaModule*, const void*) = nullptr;
  CudaStatus (*module_unload)(CudaModule) = nullptr;
  CudaStatus (*module_get_function)(CudaFunction*, CudaModule, const char*) = nullptr;
  CudaStatus (*func_set_attribute)(CudaFunction, int, int) = nullptr;
  CudaStatus (*launch_kernel)(CudaFunction, unsigned, unsigned, unsigned, unsigned, unsigned,
                              unsigned, unsigned, CudaStream, void**, void**) = nullptr;
};

inline constexpr CudaStatus kCudaSuccess = 0;
inline constexpr CudaStatus kCudaNotReady = 600;

}  // namespace weir::compute
