#include "weir/formats/kinds/raw/foreign_sidecar.h"

#include <fmt/format.h>

#include <algorithm>

#include "weir/core/error.h"
#include "weir/formats/dense_source.h"
#include "weir/formats/recording_document.h"
#include "weir/formats/stored_samples.h"

namespace weir::formats {
namespace {
SampleOrder foreign_order(const Value& document) {
  const Value* order = document.find("order");
  if (order == nullptr || *order == Value("channels_first")) {
    return SampleOrder::channel_major;
  }
  if (*order == Value("interleaved")) {
    return SampleOrder::time_major;
  }
  return in_context("order", [&] { return sample_order(order->as_string()); });
}

double number_of(const Value& document, std::string_view key, double otherwise) {
  const Value* value = document.find(key);
  return value == nullptr || value->is_null() ? otherwise
                                              : in_context(key, [&] { return value->as_number(); });
}

std::vector<Channel> foreign_channels(const Value& document) {
  const std::int64_t count = in_context(
      "channels", [&] { return checked_channels(document.at("channels").as_integer()); });
  const bool microvolts =
      document.find("gain_uv") != nullptr || document.find("offset_uv") != nullptr;
  std::string unit = microvolts ? "uV" : "";
  if (const Value* value = document.find("unit"); value != nullptr && !value->is_null()) {
    unit = in_context("unit", [&] { return value->as_string(); });
  }
  return make_channels(count, number_of(document, microvolts ? "gain_uv" : "gain", 1),
                       number_of(document, microvolts ? "offset_uv" : "offset", 0), unit);
}

std::int64_t count_of(const Value& document, std::string_view key, std::int64_t otherwise) {
  const Value* value = document.find(key);
  if (value == nullptr || value->is_null()) {
    return otherwise;
  }
  return in_context(key, [&] {
    if (value->as_integer() < 0) {
      throw Error(ErrorCode::corrupt_data, fmt::format("{} cannot be", value->as_integer()));
    }
    return value->as_integer();
  });
}
}  // namespace

std::filesystem::path foreign_sidecar_path(const std::filesystem::path& path) {
  std::filesystem::path sidecar = path;
  return sidecar.replace_extension(".meta");
}

std::unique_ptr<RecordingSource> open_foreign(InputFile file, const Value& document,
                                              RecordingInfo info) {
  const std::string sidecar = foreign_sidecar_path(file.path()).string();
  std::int64_t header_bytes = 0;
  reading_document(sidecar, [&] {
    info.rate = in_context(
        kForeignKey, [&] { return SampleRate::from_hz(document.at(kForeignKey).as_number()); });
    info.channels = foreign_channels(document);
    info.order = foreign_order(document);
    info.stored = StoredType::float32;
    if (const Value* format = document.find("format")) {
      info.stored = in_context("format", [&] { return stored_type(format->as_string()); });
    }
    const std::int64_t row =
        in_context("format", [&] { return stored_bytes(info.stored); }) * info.channel_count();
    header_bytes = count_of(document, "header_bytes", 0);
    const std::int64_t available = (file.size() - std::min(header_bytes, file.size())) / row;
    const std::int64_t samples = count_of(document, "samples", available);
    info.segments = {Segment{.frames = samples, .start_s = {}}};
  });
  const std::int64_t end = file.size();
  return make_dense_source(std::move(file), {.first_byte = header_bytes, .end_byte = end},
                           std::move(info));
}

}  // namespace weir::formats
