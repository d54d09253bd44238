#include "weir/formats/kinds/spikeinterface/binary_folder_writer.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <limits>
#include <map>
#include <optional>

#include "weir/core/error.h"
#include "weir/core/probe_document.h"
#include "weir/core/text.h"
#include "weir/formats/kinds/spikeinterface/binary_folder.h"
#include "weir/formats/numpy_type.h"
#include "weir/formats/output_file.h"
#include "weir/formats/saved_writer.h"
#include "weir/formats/stored_samples.h"

namespace weir::formats {
namespace {
namespace fs = std::filesystem;
constexpr std::int64_t kBufferBytes = std::int64_t{4} << 20;

std::string trace_name(std::size_t segment) {
  return fmt::format("traces_cached_seg{}.raw", segment);
}

/// An array as NumPy stores it, version 1.0.
std::string npy(std::string_view type, std::int64_t count, std::string_view bytes) {
  std::string head =
      fmt::format("{{'descr': '{}', 'fortran_order': False, 'shape': ({},), }}", type, count);
  head.resize((head.size() + 10 + 64) / 64 * 64 - 11, ' ');
  head += '\n';
  std::string text("\x93NUMPY\x01\x00", 8);
  text += static_cast<char>(head.size() % 256);
  text += static_cast<char>(head.size() / 256);
  return text + head + std::string(bytes);
}

template <class T>
std::string npy(std::string_view type, const std::vector<T>& values) {
  return npy(type, std::ssize(values),
             {reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T)});
}

/// The scalar values of UTF-8 text; a byte that is none is U+FFFD.
std::u32string code_points(std::string_view text) {
  std::u32string points;
  for (std::size_t i = 0; i < text.size();) {
    const auto lead = static_cast<unsigned char>(text[i]);
    const std::size_t length = lead < 0x80 ? 1 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
    char32_t point = length == 1 ? lead : lead & (0xffU >> (length + 1));
    bool legal = lead < 0x80 || (lead >= 0xc2 && lead < 0xf5 && i + length <= text.size());
    for (std::size_t k = 1; legal && k < length; ++k) {
      const auto next = static_cast<unsigned char>(text[i + k]);
      legal = (next & 0xc0U) == 0x80;
      point = (point << 6U) | (next & 0x3fU);
    }
    points += legal ? point : char32_t{0xfffd};
    i += legal ? length : 1;
  }
  return points;
}

std::string npy_texts(const std::vector<std::string>& texts) {
  std::size_t longest = 1;
  std::vector<std::u32string> rows;
  for (const auto& text : texts) {
    rows.push_back(code_points(text));
    longest = std::max(longest, rows.back().size());
  }
  std::u32string bytes;
  for (auto& row : rows) {
    row.resize(longest, U'\0');
    bytes += row;
  }
  return npy(fmt::format("<U{}", longest), std::ssize(texts),
             {reinterpret_cast<const char*>(bytes.data()), bytes.size() * sizeof(char32_t)});
}

/// Microvolts of one `unit`; empty for what is no voltage.
std::optional<double> microvolts(std::string_view unit) {
  constexpr std::array<std::pair<std::string_view, double>, 5> kUnits{
      {{"V", 1e6}, {"mV", 1e3}, {"uV", 1}, {"\u00b5V", 1}, {"nV", 1e-3}}};
  const auto* found = std::find_if(kUnits.begin(), kUnits.end(),
                                   [&](const auto& known) { return known.first == unit; });
  return found == kUnits.end() ? std::nullopt : std::optional(found->second);
}

/// What SpikeInterface keeps of channels, one entry each.
struct ChannelColumns {
  bool volts = true;    ///< Gains and offsets are in microvolts.
  bool placed = false;  ///< Every channel has a position.
  std::vector<double> gains;
  std::vector<double> offsets;
  std::vector<std::string> units;
  std::vector<std::string> names;
  std::vector<std::string> groups;
  std::vector<std::int64_t> group_numbers;
};

ChannelColumns columns_of(const std::vector<Channel>& channels) {
  ChannelColumns columns;
  std::map<std::string, std::int64_t> groups;
  columns.placed = !channels.empty();
  for (const auto& channel : channels) {
    const auto factor = microvolts(channel.unit);
    columns.volts = columns.volts && factor.has_value();
    columns.gains.push_back(channel.gain * factor.value_or(1));
    columns.offsets.push_back(channel.offset * factor.value_or(1));
    columns.units.push_back(factor ? "uV" : channel.unit);
    columns.names.push_back(channel.name);
    columns.groups.push_back(channel.group);
    columns.group_numbers.push_back(
        groups.try_emplace(channel.group, std::ssize(groups)).first->second);
    columns.placed = columns.placed && channel.position.has_value();
  }
  return columns;
}

Value numbers(const std::vector<double>& values) {
  return Value(Value::Array(values.begin(), values.end()));
}

Value arguments_of(const StreamInfo& stream, const ChannelColumns& columns) {
  Value paths = Value::array();
  Value starts = Value::array();
  for (std::size_t i = 0; i < stream.segments.size(); ++i) {
    paths.push_back(trace_name(i));
    starts.push_back(stream.segments[i].start_s.to_double());
  }
  Value arguments = Value::object();
  arguments.set("file_paths", std::move(paths));
  arguments.set("sampling_frequency", stream.rate.hz());
  arguments.set("t_starts", std::move(starts));
  arguments.set("num_channels", stream.channel_count());
  arguments.set("dtype", fmt::format("<{}", numpy_code(stored_as(stream.type))));
  arguments.set("channel_ids", Value(Value::Array(columns.names.begin(), columns.names.end())));
  arguments.set("time_axis", 0);
  arguments.set("file_offset", 0);
  arguments.set("gain_to_uV", columns.volts ? numbers(columns.gains) : Value());
  arguments.set("offset_to_uV", columns.volts ? numbers(columns.offsets) : Value());
  arguments.set("is_filtered", Value());
  return arguments;
}

std::string class_document(const std::string& name, Value arguments) {
  Value document = Value::object();
  document.set("class", "spikeinterface.core." + name);
  document.set("module", "spikeinterface");
  document.set("version", "0.105.3");
  document.set("kwargs", std::move(arguments));
  document.set("annotations", Value::object());
  document.set("properties", Value::object());
  document.set("relative_paths", true);
  return to_json(document, 1) + "\n";
}

/// Files by their path in the folder: everything but the samples.
std::map<std::string, std::string> describe_folder(const StreamInfo& stream,
                                                   const std::string& start_time) {
  const ChannelColumns columns = columns_of(stream.channels);
  std::map<std::string, std::string> files;
  files["properties/group.npy"] = npy("<i8", columns.group_numbers);
  files["properties/group_name.npy"] = npy_texts(columns.groups);
  files["properties/channel_name.npy"] = npy_texts(columns.names);
  const char* kind = columns.volts ? "uV" : "physical_unit";
  files[fmt::format("properties/gain_to_{}.npy", kind)] = npy("<f8", columns.gains);
  files[fmt::format("properties/offset_to_{}.npy", kind)] = npy("<f8", columns.offsets);
  if (!columns.volts) {
    files["properties/physical_unit.npy"] = npy_texts(columns.units);
  }
  if (columns.placed) {
    files["probegroup.json"] = to_json(to_probe_document(stream.channels), 1) + "\n";
  }
  files["binary.json"] = class_document("binaryrecordingextractor.BinaryRecordingExtractor",
                                        arguments_of(stream, columns));
  Value folder = Value::object();
  folder.set("folder_path", ".");
  files["si_folder.json"] = class_document("binaryfolder.BinaryFolderRecording", std::move(folder));
  Value notes = Value::object();
  if (!start_time.empty()) {
    notes.set("start_time", start_time);
  }
  files["annotations.json"] = to_json(notes, 1) + "\n";
  return files;
}

class BinaryFolderWriter final : public RecordingWriter {
 public:
  explicit BinaryFolderWriter(const RecordingOutput& output)
      : output_(output), folder_(partial_path(output.path)) {}

  ~BinaryFolderWriter() override {
    traces_.reset();
    std::error_code ignored;  // There is nobody left to tell.
    if (!kept_) {
      fs::remove_all(folder_, ignored);
    }
  }

  void start_anew() {
    std::error_code failure;
    fs::remove_all(folder_, failure);
    fs::create_directories(folder_ / "properties", failure);
    if (failure) {
      throw Error(ErrorCode::io,
                  fmt::format("{}: cannot make the folder {}: {}", output_.path.string(),
                              folder_.string(), failure.message()));
    }
  }

  void resume(const Value& fields) {
    kept_ = true;  // What a resumed writer cannot use stays for another try.
    done_ = to_integers(fields.at("segments"));
    bytes_ = fields.at("bytes").as_integer();
    const std::int64_t current = fields.at("current").as_integer();
    if (std::ssize(done_) > std::ssize(output_.stream.segments) || current < 0) {
      throw Error(ErrorCode::corrupt_data, "checkpoint: more segments than the recording has");
    }
    std::error_code failure;
    for (std::size_t i = done_.size(); i < output_.stream.segments.size(); ++i) {
      const fs::path file = folder_ / trace_name(i);
      if (i == done_.size() && current > 0 && fs::exists(file, failure)) {
        fs::rename(file, partial_path(file), failure);  // Finished after the save point.
      } else {
        fs::remove(file, failure);
      }
    }
    if (current > 0) {
      traces_.emplace(folder_ / trace_name(done_.size()), current);
    }
    kept_ = false;
  }

  void append(AnyBlock rows) override {
    WEIR_CHECK(rows.type() == output_.stream.type &&
               rows.channels() == output_.stream.channel_count());
    WEIR_CHECK(done_.size() < output_.stream.segments.size());
    const auto size = static_cast<std::int64_t>(size_of(rows.type()));
    const std::int64_t row_bytes = rows.channels() * size;
    const auto* from = static_cast<const std::byte*>(rows.data());
    for (std::int64_t f = 0; f < rows.frames(); ++f) {
      const std::byte* row = from + f * rows.stride() * size;
      buffer_.insert(buffer_.end(), row, row + row_bytes);
      if (std::ssize(buffer_) >= kBufferBytes) {
        flush();
      }
    }
  }

  void end_segment() override {
    WEIR_CHECK(done_.size() < output_.stream.segments.size());
    flush();
    const fs::path file = folder_ / trace_name(done_.size());
    OutputFile& traces = open_traces();
    done_.push_back(traces.size());
    traces.close();
    std::error_code failure;
    fs::rename(partial_path(file), file, failure);
    if (failure) {
      throw Error(ErrorCode::io, fmt::format("{}: cannot rename into place: {}", file.string(),
                                             failure.message()));
    }
    traces_.reset();
  }

  std::vector<std::byte> save() override {
    flush();
    Value fields = Value::object();
    fields.set("segments", to_value(done_));
    fields.set("current", traces_ ? traces_->size() : std::int64_t{0});
    fields.set("bytes", bytes_);
    return encode_saved("spikeinterface", {std::move(fields), {}});
  }

  void keep_partial() noexcept override {
    kept_ = true;
    if (traces_) {
      traces_->keep();
    }
  }

  void commit(const std::string& provenance) override {
    flush();
    while (done_.size() < output_.stream.segments.size()) {
      end_segment();
    }
    for (const auto& [name, text] : describe_folder(output_.stream, output_.start_time)) {
      write_text_file((folder_ / name).string(), text);
    }
    commit_partial(output_.path, {}, {}, provenance, output_.overwrite);
  }

  std::int64_t bytes_written() const noexcept override { return bytes_; }

 private:
  OutputFile& open_traces() {
    if (!traces_) {
      traces_.emplace(folder_ / trace_name(done_.size()));
    }
    return *traces_;
  }

  void flush() {
    if (!buffer_.empty()) {
      open_traces().write(buffer_);
      bytes_ += std::ssize(buffer_);
      buffer_.clear();
    }
  }

  RecordingOutput output_;
  fs::path folder_;
  std::optional<OutputFile> traces_;  ///< Of the current segment, once it has a sample.
  std::vector<std::byte> buffer_;
  std::vector<std::int64_t> done_;  ///< Bytes of each complete segment.
  std::int64_t bytes_ = 0;
  bool kept_ = false;
};

void refuse_other_axes(const RecordingOutput& output) {
  if (output.stream.axis != Axis::time_s) {
    throw Error(ErrorCode::unsupported,
                fmt::format("{}: SpikeInterface's recordings run along time, these rows along {}: "
                            "use another format",
                            output.path.string(), name(output.stream.axis)));
  }
}
}  // namespace

std::unique_ptr<RecordingWriter> make_binary_folder_writer(const RecordingOutput& output) {
  refuse_other_axes(output);
  if (output.resume_from.empty()) {
    check_output(output.path, output.overwrite);
    auto writer = std::make_unique<BinaryFolderWriter>(output);
    writer->start_anew();
    return writer;
  }
  const SavedWriter saved = decode_saved("spikeinterface", output.resume_from);
  auto writer = std::make_unique<BinaryFolderWriter>(output);
  writer->resume(saved.fields);
  return writer;
}

std::vector<std::string> binary_folder_not_kept(const RecordingOutput& output) {
  const auto& stream = output.stream;
  const auto placed = std::count_if(stream.channels.begin(), stream.channels.end(),
                                    [](const Channel& c) { return c.position.has_value(); });
  std::vector<std::string> phrases;
  if (placed > 0 && placed < stream.channel_count()) {
    phrases.push_back(fmt::format("the positions: {} of {} channels have one, a probe needs all",
                                  placed, stream.channel_count()));
  }
  if (std::any_of(stream.channels.begin(), stream.channels.end(), [](const Channel& c) {
        return c.unit == "V" || c.unit == "mV" || c.unit == "nV";
      })) {
    phrases.emplace_back("the unit of voltages: gains are in microvolts, their values the same");
  }
  return phrases;
}

std::size_t binary_folder_writer_bytes(const RecordingOutput& output) {
  refuse_other_axes(output);
  const auto row =
      static_cast<std::size_t>(output.stream.channel_count()) * size_of(output.stream.type);
  return 2 * (static_cast<std::size_t>(kBufferBytes) + row);
}

}  // namespace weir::formats
