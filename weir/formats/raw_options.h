#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "weir/core/error.h"
#include "weir/core/recording.h"
#include "weir/core/value.h"

namespace weir::formats {

/// What a user says about a file that says too little itself: the field `raw` of `read`.
struct RawOptions {
  std::optional<std::int64_t> channels;
  std::optional<double> rate_hz;
  std::optional<StoredType> dtype;
  std::optional<SampleOrder> order;
  std::optional<double> gain;
  std::optional<double> offset;
  std::optional<std::string> unit;
  std::optional<std::int64_t> header_bytes;

  static const std::vector<std::string>& keys();
  /// That a field must be given: `invalid_spec`.
  static Error missing(std::string_view field);
  /// Errors: `invalid_spec` "raw.field: …"; an unknown key names the nearest known one.
  static RawOptions from(const Value& value);
  /// The rate. Errors: `invalid_spec` when it was not given.
  SampleRate rate() const;
  /// `count` channels with the gain, offset and unit given.
  std::vector<Channel> channel_list(std::int64_t count) const;
};

}  // namespace weir::formats
