#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace weir::formats {

/// A list in brackets, "(NP2013,4,250,70)(0:27:0:1)…": words of the first bracket and of the rest.
struct SpikeglxTable {
  std::vector<std::string> header;
  std::vector<std::vector<std::string>> rows;
};

/// What a `.meta` file says, line by line: `key=value`, where a value may hold more `=`.
/// Errors: the members that read numbers throw `corrupt_data` naming the key.
class SpikeglxMeta {
 public:
  /// Errors: `corrupt_data` unless at least one line is `key=value`.
  static SpikeglxMeta parse(std::string_view text);

  /// The value of `key`; null when it is missing or empty.
  const std::string* find(std::string_view key) const noexcept;
  /// Errors: `corrupt_data` when it is missing.
  const std::string& at(std::string_view key) const;
  std::optional<double> number(std::string_view key) const;
  /// A number above zero. Errors: `corrupt_data` also when it is missing.
  double positive(std::string_view key) const;
  std::optional<std::int64_t> integer(std::string_view key) const;
  /// "384,384,1"; empty when missing. Errors: `corrupt_data` for negative counts.
  std::vector<std::int64_t> counts(std::string_view key) const;
  /// The table `~key`; empty when missing.
  SpikeglxTable table(std::string_view key) const;
  /// Every key that is no table.
  const std::map<std::string, std::string, std::less<>>& values() const noexcept { return values_; }

 private:
  std::map<std::string, std::string, std::less<>> values_;
  std::map<std::string, std::string, std::less<>> tables_;
};

/// The channels of an acquisition that `snsSaveChanSubset` lists: "0:150,768" or "all".
/// Errors: `corrupt_data` unless there are `count` of them, each once.
std::vector<std::int64_t> spikeglx_saved_channels(const SpikeglxMeta& meta, std::int64_t count);

}  // namespace weir::formats
