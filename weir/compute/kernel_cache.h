#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "weir/compute/target.h"
#include "weir/core/error.h"

namespace weir::compute {

/// Compiled kernels on disk, one file for each key. Processes share it without locks: entries
/// appear whole, by a rename. What is corrupt, cut short or foreign is as good as absent and
/// written anew. Threads: all members may be called from several threads.
class KernelCache {
 public:
  /// The user's: in WEIR_CACHE_DIR, else XDG_CACHE_HOME/weir, else HOME/.cache/weir. Off when
  /// WEIR_KERNEL_CACHE is 0 or none of these is set.
  static KernelCache of_user();
  /// In `folder`, made at the first entry.
  explicit KernelCache(std::filesystem::path folder) : folder_(std::move(folder)) {}

  /// What was kept under this very key.
  std::optional<std::string> find(std::string_view key) const;
  /// False, and the cache as it was, when the folder cannot be written.
  bool keep(std::string_view key, std::string_view code) const noexcept;

  /// What `load` makes of the kept code, else what `make` makes; the code of that, as `code_of`
  /// tells it, is then kept. A driver that gives no code away is no error.
  template <class Load, class Make, class CodeOf>
  auto load_or_make(std::string_view key, Load&& load, Make&& make, CodeOf&& code_of) const {
    if (const auto kept = find(key)) {
      try {
        return load(*kept);
      } catch (const Error& error) {
        // Whole, but not to this driver's liking: it is made anew.
        require_device_error(error);
      }
    }
    auto made = make();
    if (why_off_.empty()) {
      try {
        keep(key, code_of(made));
      } catch (const Error& error) {
        require_device_error(error);
      }
    }
    return made;
  }

  /// Where it is, or why it is not: for `weir targets`.
  std::string description() const;
  std::filesystem::path path_of(std::string_view key) const;

 private:
  KernelCache() = default;
  /// Throws on what is of any other kind.
  static void require_device_error(const Error& error) {
    if (error.code() != ErrorCode::device) {
      throw Error(error);
    }
  }

  std::filesystem::path folder_;
  std::string why_off_;
};

/// Everything that decides what a compiler makes of a kernel file: the device, its driver, the
/// compiler's options and the whole text.
std::string kernel_key(const Target& target, std::string_view options, std::string_view text);

}  // namespace weir::compute
