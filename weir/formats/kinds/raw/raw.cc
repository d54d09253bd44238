#include "weir/formats/kinds/raw/raw.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>

#include "weir/core/error.h"
#include "weir/core/text.h"
#include "weir/formats/dense_source.h"
#include "weir/formats/dense_writer.h"
#include "weir/formats/json.h"
#include "weir/formats/kinds/raw/foreign_sidecar.h"
#include "weir/formats/raw_options.h"
#include "weir/formats/recording_document.h"
#include "weir/formats/stored_samples.h"

namespace weir::formats {
namespace {
namespace fs = std::filesystem;
constexpr std::array<std::string_view, 5> kExtensions{".bin", ".dat", ".raw", ".i16", ".f32"};

/// The document in `path`, or null when it is missing, no JSON or lacks `key`.
Value document_with(const fs::path& path, std::string_view key) {
  std::error_code failure;
  if (!fs::is_regular_file(path, failure)) {
    return nullptr;
  }
  try {
    Value document = parse_json(read_text_file(path.string()));
    return document.find(key) != nullptr ? document : nullptr;
  } catch (const Error&) {
    return nullptr;  // A .meta of another system, for one.
  }
}

/// .npy and WAV files have the sidecar of raw files too, but a header in front of their samples.
bool has_own_header(std::span<const std::byte> head) {
  const std::string_view text(reinterpret_cast<const char*>(head.data()), head.size());
  const bool riff = text.starts_with("RIFF") || text.starts_with("RF64");
  return text.starts_with("\x93NUMPY") ||
         (riff && text.size() >= 12 && text.substr(8, 4) == "WAVE");
}

Match probe(const fs::path& path, std::span<const std::byte> head) {
  std::error_code failure;
  if (!fs::is_regular_file(path, failure) || has_own_header(head)) {
    return Match::no;
  }
  if (!document_with(sidecar_path(path), "weir_raw").is_null() ||
      !document_with(foreign_sidecar_path(path), kForeignKey).is_null()) {
    return Match::certain;
  }
  const bool named = std::any_of(kExtensions.begin(), kExtensions.end(), [&](auto extension) {
    return ends_with_ignoring_case(path.string(), extension);
  });
  return named ? Match::by_name : Match::no;
}

RecordingInfo start_info(const fs::path& path) {
  RecordingInfo info;
  info.name = path.filename().string();
  info.format = "raw";
  return info;
}

/// The file as `raw = {…}` describes it.
std::unique_ptr<RecordingSource> open_described(InputFile file, const Value& raw,
                                                const fs::path& sidecar) {
  const auto options = RawOptions::from(raw);
  if (!options.channels || !options.dtype) {
    throw RawOptions::missing(!options.channels ? "channels" : "dtype");
  }
  RecordingInfo info = start_info(file.path());
  info.rate = options.rate();
  info.channels = options.channel_list(*options.channels);
  info.stored = *options.dtype;
  in_context("raw.dtype", [&] { return stored_bytes(info.stored); });
  info.order = options.order.value_or(SampleOrder::time_major);
  if (stands_at(sidecar)) {
    info.warnings.push_back(fmt::format("{}: read as the field raw says; its sidecar {} is ignored",
                                        file.path().string(), sidecar.string()));
  }
  const std::int64_t end = file.size();
  return make_dense_source(std::move(file),
                           {.first_byte = options.header_bytes.value_or(0), .end_byte = end},
                           std::move(info));
}

std::unique_ptr<RecordingSource> open_with_sidecar(InputFile file, const fs::path& sidecar) {
  const std::string text = read_text_file(sidecar.string());
  const Value json = in_context(sidecar.string(), [&] { return parse_json(text); });
  RecordingDocument document = from_document(json, "weir_raw", sidecar.string());
  reading_document(sidecar.string(), [&] {
    in_context("dtype", [&] { return stored_bytes(document.stored); });
    in_context("channels", [&] {
      return checked_channels(static_cast<std::int64_t>(document.channels.size()));
    });
  });
  RecordingInfo info = start_info(file.path());
  info.rate = document.rate;
  info.axis = document.axis;
  info.channels = std::move(document.channels);
  info.segments = std::move(document.segments);
  info.stored = document.stored;
  info.order = document.order;
  info.start_time = std::move(document.start_time);
  const std::int64_t end = file.size();
  return make_dense_source(std::move(file), {.end_byte = end}, std::move(info));
}

std::unique_ptr<RecordingSource> open(const fs::path& path, const OpenOptions& options) {
  InputFile file(path);
  const fs::path sidecar = sidecar_path(path);
  const fs::path foreign = foreign_sidecar_path(path);
  if (!options.raw.is_null()) {
    return in_context(path.string(), [&] {
      return open_described(std::move(file), options.raw, stands_at(sidecar) ? sidecar : foreign);
    });
  }
  if (stands_at(sidecar)) {
    return open_with_sidecar(std::move(file), sidecar);
  }
  if (const Value document = document_with(foreign, kForeignKey); !document.is_null()) {
    return open_foreign(std::move(file), document, start_info(path));
  }
  throw Error(
      ErrorCode::invalid_spec,
      fmt::format(
          "{}: raw: required, as there is no sidecar {}: raw = {{channels = …, rate_hz = …, "
          "dtype = …}} in a spec, --raw channels=… and so on for a command",
          path.string(), sidecar.string()));
}

std::unique_ptr<RecordingWriter> create(const RecordingOutput& output) {
  return make_dense_writer(output, nullptr);
}
}  // namespace

const Format& raw_format() {
  static const Format kFormat{
      .name = "raw",
      .summary = "Raw binary samples with a JSON sidecar (<file>.json)",
      .extensions = {kExtensions.begin(), kExtensions.end()},
      .probe = &probe,
      .open = &open,
      .create = &create,
      .create_events = nullptr,
      .writer_bytes = &dense_writer_bytes,
  };
  return kFormat;
}

}  // namespace weir::formats
