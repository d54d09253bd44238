#include "weir/formats/raw_options.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "weir/core/error.h"
#include "weir/formats/dense_source.h"

namespace weir::formats {
namespace {
const std::vector<std::string> kKeys{"channels", "rate_hz", "dtype", "order",
                                     "gain",     "offset",  "unit",  "header_bytes"};

[[noreturn]] void refuse_key(const std::string& key) {
  const auto nearest = nearest_word(key, kKeys);
  throw Error(ErrorCode::invalid_spec,
              fmt::format("raw.{}: no such field{}; known: {}", key,
                          nearest ? fmt::format("; did you mean {}?", *nearest) : "",
                          fmt::join(kKeys, ", ")));
}

double finite(double number) {
  if (!std::isfinite(number)) {
    throw Error(ErrorCode::invalid_spec, fmt::format("{} is no finite number", number));
  }
  return number;
}

std::int64_t not_negative(std::int64_t number) {
  if (number < 0) {
    throw Error(ErrorCode::invalid_spec, fmt::format("{} is negative", number));
  }
  return number;
}

void set_field(RawOptions& options, const std::string& key, const Value& value) {
  if (key == "channels") {
    options.channels = checked_channels(value.as_integer());
  } else if (key == "rate_hz") {
    options.rate_hz = SampleRate::from_hz(value.as_number()).hz();
  } else if (key == "dtype") {
    options.dtype = stored_type(value.as_string());
  } else if (key == "order") {
    options.order = sample_order(value.as_string());
  } else if (key == "gain") {
    options.gain = finite(value.as_number());
  } else if (key == "offset") {
    options.offset = finite(value.as_number());
  } else if (key == "unit") {
    options.unit = value.as_string();
  } else if (key == "header_bytes") {
    options.header_bytes = not_negative(value.as_integer());
  } else {
    refuse_key(key);
  }
}
}  // namespace

const std::vector<std::string>& RawOptions::keys() {
  return kKeys;
}

Error RawOptions::missing(std::string_view field) {
  return {
      ErrorCode::invalid_spec,
      fmt::format("raw.{0}: required, as the file does not say it: raw = {{{0} = …}} in a spec, "
                  "--raw {0}=… for a command",
                  field)};
}

RawOptions RawOptions::from(const Value& value) {
  RawOptions options;
  if (value.is_null()) {
    return options;
  }
  for (const auto& [key, member] :
       in_context("raw", [&]() -> const Value::Object& { return value.as_object(); })) {
    if (member.is_null()) {
      continue;
    }
    const bool known = std::find(kKeys.begin(), kKeys.end(), key) != kKeys.end();
    known ? in_context("raw." + key, [&] { set_field(options, key, member); }) : refuse_key(key);
  }
  return options;
}

SampleRate RawOptions::rate() const {
  if (!rate_hz) {
    throw missing("rate_hz");
  }
  return SampleRate::from_hz(*rate_hz);
}

std::vector<Channel> RawOptions::channel_list(std::int64_t count) const {
  return make_channels(count, gain.value_or(1), offset.value_or(0), unit.value_or(""));
}

}  // namespace weir::formats
