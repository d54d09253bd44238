#include "weir/formats/kinds/spikeinterface/binary_folder.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "weir/core/error.h"
#include "weir/core/text.h"
#include "weir/formats/dense_source.h"
#include "weir/formats/frame_time.h"
#include "weir/formats/numpy_type.h"

namespace weir::formats {
namespace {
constexpr std::int64_t kMostFiles = 100'000;

[[noreturn]] void refuse(const std::string& text) {
  throw Error(ErrorCode::corrupt_data, text);
}

const Value* given(const Value& object, std::string_view key) {
  const Value* value = object.find(key);
  return value == nullptr || value->is_null() ? nullptr : value;
}

std::string file_of(const Value& value) {
  const std::string& text = value.as_string();
  const std::filesystem::path path(text);
  const bool leaves = path.is_absolute() || std::any_of(path.begin(), path.end(),
                                                        [](const auto& p) { return p == ".."; });
  if (text.empty() || leaves || text.find('\0') != std::string::npos) {
    refuse(fmt::format("file_paths: \"{}\" is no file inside the folder", printable(text)));
  }
  return text;
}

std::string id_text(const Value& value) {
  return value.is_string() ? value.as_string() : to_json(value);
}

std::vector<Channel> channels_of(const Value& arguments, std::int64_t count) {
  auto channels = make_channels(count);
  const auto list = [&](std::string_view key) -> const Value::Array* {
    const Value* value = given(arguments, key);
    if (value == nullptr) {
      return nullptr;
    }
    const auto& entries =
        in_context(key, [&]() -> const Value::Array& { return value->as_array(); });
    if (std::ssize(entries) != count) {
      refuse(fmt::format("{}: {} entries for {} channels", key, entries.size(), count));
    }
    return &entries;
  };
  const auto* ids = list("channel_ids");
  const auto* gains = list("gain_to_uV");
  const auto* offsets = list("offset_to_uV");
  for (std::size_t i = 0; i < channels.size(); ++i) {
    channels[i].name = ids != nullptr ? id_text((*ids)[i]) : channels[i].name;
    if (gains != nullptr) {
      channels[i].gain = in_context("gain_to_uV", [&] { return (*gains)[i].as_number(); });
      channels[i].offset =
          offsets != nullptr ? in_context("offset_to_uV", [&] { return (*offsets)[i].as_number(); })
                             : 0;
      channels[i].unit = "uV";
    }
  }
  return channels;
}

void read_segments(const Value& arguments, BinaryFolder& folder) {
  const auto& files = arguments.at("file_paths").as_array();
  if (files.empty() || std::ssize(files) > kMostFiles) {
    refuse(fmt::format("file_paths: {} files", files.size()));
  }
  const Value* starts = given(arguments, "t_starts");
  if (starts != nullptr && starts->as_array().size() != files.size()) {
    refuse(
        fmt::format("t_starts: {} entries for {} files", starts->as_array().size(), files.size()));
  }
  for (std::size_t i = 0; i < files.size(); ++i) {
    folder.files.push_back(file_of(files[i]));
    Segment segment;
    segment.index = static_cast<std::int64_t>(i);
    if (starts != nullptr && !starts->as_array()[i].is_null()) {
      const double start = starts->as_array()[i].as_number();
      segment.start_s = in_context("t_starts", [&] { return exact_seconds(start); });
    }
    folder.info.segments.push_back(segment);
  }
}
}  // namespace

bool is_binary_folder(const Value& document) {
  const Value* kind = document.find("class");
  return kind != nullptr && kind->is_string() && document.find("kwargs") != nullptr &&
         kind->as_string().ends_with(".BinaryRecordingExtractor");
}

BinaryFolder read_binary_folder(const Value& document) {
  if (!is_binary_folder(document)) {
    throw Error(ErrorCode::unsupported, "class: is no BinaryRecordingExtractor");
  }
  const Value& arguments = document.at("kwargs");
  BinaryFolder folder;
  RecordingInfo& info = folder.info;
  const double rate = in_context("sampling_frequency",
                                 [&] { return arguments.at("sampling_frequency").as_number(); });
  info.rate = in_context("sampling_frequency", [&] { return SampleRate::from_hz(rate); });
  const Value* count = given(arguments, "num_channels");
  count = count != nullptr ? count : &arguments.at("num_chan");  // Before version 0.98.
  const std::int64_t channels =
      in_context("num_channels", [&] { return checked_channels(count->as_integer()); });
  info.channels = channels_of(arguments, channels);
  const NumpyType type =
      in_context("dtype", [&] { return numpy_type(arguments.at("dtype").as_string()); });
  info.stored = type.type;
  folder.big_endian = type.big_endian;
  const Value* axis = given(arguments, "time_axis");
  info.order = axis != nullptr && axis->as_integer() == 1 ? SampleOrder::channel_major
                                                          : SampleOrder::time_major;
  const Value* skipped = given(arguments, "file_offset");
  folder.first_byte = skipped != nullptr ? skipped->as_integer() : 0;
  if (folder.first_byte < 0) {
    refuse(fmt::format("file_offset: {} cannot be", folder.first_byte));
  }
  read_segments(arguments, folder);
  return folder;
}

}  // namespace weir::formats
