#pragma once

#include <array>
#include <cstdint>
#include <type_traits>
#include <utility>

#include "weir/compute/kernel_source.h"
#include "weir/compute/work_item.h"

namespace weir::compute {

template <class T>
constexpr ArgKind arg_kind() {
  if constexpr (std::is_pointer_v<T>) {
    return ArgKind::buffer;
  } else if constexpr (std::is_same_v<T, LocalBytes>) {
    return ArgKind::local;
  } else if constexpr (std::is_same_v<T, float>) {
    return ArgKind::float32;
  } else if constexpr (std::is_same_v<T, double>) {
    return ArgKind::float64;
  } else if constexpr (std::is_same_v<T, Floats128>) {
    return ArgKind::floats128;
  } else {
    static_assert(std::is_same_v<T, std::int32_t> || std::is_same_v<T, std::int64_t>,
                  "a kernel argument is a pointer, int, index, float, double or floats128");
    return sizeof(T) == 4 ? ArgKind::int32 : ArgKind::int64;
  }
}

/// Calls a kernel function with values found behind untyped pointers, the way device drivers pass
/// them.
template <auto Function>
struct HostFunction;

template <class... Parameters, void (*Function)(Parameters...)>
struct HostFunction<Function> {
  static constexpr std::array<ArgKind, sizeof...(Parameters)> kKinds{arg_kind<Parameters>()...};
  static void call(void* const* args) {
    [args]<std::size_t... I>(std::index_sequence<I...>) {
      Function(*static_cast<Parameters*>(args[I])...);
    }(std::index_sequence_for<Parameters...>());
  }
};

/// The entry `name` from its float32 and float64 builds. Generated code calls this.
template <auto Float32, auto Float64>
constexpr KernelEntry host_entry(std::string_view name) {
  using Narrow = HostFunction<Float32>;
  using Wide = HostFunction<Float64>;
  return {name, {{{&Narrow::call, Narrow::kKinds}, {&Wide::call, Wide::kKinds}}}};
}

}  // namespace weir::compute
