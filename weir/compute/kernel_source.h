#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace weir::compute {

/// What `real` means in one build of a kernel file.
enum class Real : std::uint8_t { float32, float64 };

/// The kind of one kernel argument. `local` is the group's shared memory, always the last.
enum class ArgKind : std::uint8_t { buffer, int32, int64, float32, float64, floats128, local };

/// Numbers that every item of a launch reads at places it knows while it compiles: as an argument
/// they come to the arithmetic without a load and without a register of their own. Kernels call it
/// `floats128`.
struct Floats128 {
  float at[128] = {};
};

std::string_view name(ArgKind kind) noexcept;

/// One entry as C++: how the host runs a work-item of it, and what arguments every target expects.
struct HostCall {
  /// `args[i]` points at the i-th argument's value.
  void (*call)(void* const* args) = nullptr;
  std::span<const ArgKind> kinds;
};

struct KernelEntry {
  std::string_view name;
  std::array<HostCall, 2> host;  ///< By `Real`.
  const HostCall& at(Real real) const noexcept { return host[static_cast<std::size_t>(real)]; }
};

/// One kernel file: its text for devices and its entries as the host build made them.
/// The build makes one of each .cl: `iir.cl` is `weir::kernels::kIir` in "…/iir_cl.h".
struct KernelSource {
  std::string_view file;  ///< "weir/signal/ops/iir/iir.cl".
  std::string_view text;
  std::span<const KernelEntry> entries;

  /// Null when there is none of that name.
  const KernelEntry* find(std::string_view entry) const noexcept;
};

/// A number that one build of a text knows while it compiles. The text has a line
/// `#define NAME argument`, which stands for every value and is what the host build runs; devices
/// compile `#define NAME value`, with the same argument of that value: loops unroll, arrays become
/// registers.
struct Constant {
  std::string_view name;
  std::int64_t value = 0;
};

/// The text with these constants; its lines keep their numbers.
/// Errors: `internal` when the text does not define one.
std::string specialised(const KernelSource& source, std::span<const Constant> constants);

}  // namespace weir::compute
