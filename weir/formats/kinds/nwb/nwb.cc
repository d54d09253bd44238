#include "weir/formats/kinds/nwb/nwb.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstring>

#include "weir/core/error.h"
#include "weir/core/text.h"
#include "weir/formats/hdf5/hdf5_file.h"
#include "weir/formats/kinds/nwb/nwb_events.h"
#include "weir/formats/kinds/nwb/nwb_series.h"
#include "weir/formats/kinds/nwb/nwb_values.h"
#include "weir/formats/stored_samples.h"

namespace weir::formats {
namespace {
namespace fs = std::filesystem;
constexpr std::int64_t kPieceBytes = std::int64_t{1} << 20;
constexpr std::int64_t kMostChunkBytes = std::int64_t{256} << 20;
constexpr std::int64_t kWantedCacheBytes = std::int64_t{64} << 20;

Match probe(const fs::path& path, std::span<const std::byte> head) {
  const bool named = ends_with_ignoring_case(path.string(), ".nwb");
  const bool hdf5 = head.size() >= 8 && std::memcmp(head.data(), "\x89HDF\r\n\x1a\n", 8) == 0;
  if (hdf5) {
    return named ? Match::certain : Match::by_content;
  }
  return named ? Match::by_name : Match::no;
}

/// Decoded chunks that are kept: as many as lie side by side, so that rows are decoded once.
std::int64_t cache_for(const Hdf5Array& array) {
  if (array.chunk.empty()) {
    return 0;
  }
  std::int64_t across = 1;
  if (array.shape.size() == 2 && array.chunk.size() == 2) {
    across = (array.shape[1] + array.chunk[1] - 1) / std::max(array.chunk[1], std::int64_t{1});
  }
  const std::int64_t row = std::min(across, kWantedCacheBytes) * array.chunk_bytes;
  return std::max(array.chunk_bytes, std::min(row, kWantedCacheBytes));
}

class NwbSource final : public RecordingSource {
 public:
  NwbSource(std::shared_ptr<const Hdf5File> file, std::unique_ptr<Hdf5Dataset> data,
            std::int64_t cache, RecordingInfo info)
      : file_(std::move(file)), data_(std::move(data)), cache_(cache), info_(std::move(info)) {
    std::int64_t first = 0;
    for (const auto& segment : info_.segments) {
      first_frames_.push_back(first);
      first += segment.frames;
    }
  }

  const RecordingInfo& info() const noexcept override { return info_; }

  void read(std::int64_t segment, std::int64_t first, std::span<const std::int64_t> channels,
            Block<float> out) const override {
    read_as(segment, first, channels, out);
  }
  bool stored_as_int16() const noexcept override { return fits_int16(info_.stored); }
  void read_stored(std::int64_t segment, std::int64_t first, std::span<const std::int64_t> channels,
                   Block<std::int16_t> out) const override {
    read_as(segment, first, channels, out);
  }
  std::int64_t preferred_frames() const noexcept override {
    return data_->array().chunk.empty() ? 0 : data_->array().chunk[0];
  }
  std::size_t cache_bytes(std::int64_t) const noexcept override {
    // HDF5 holds an encoded chunk beside the decoded ones.
    return static_cast<std::size_t>(cache_ + data_->array().chunk_bytes + kPieceBytes);
  }

 private:
  template <class T>
  void read_as(std::int64_t segment, std::int64_t first, std::span<const std::int64_t> channels,
               Block<T> out) const {
    if (channels.empty() || out.frames() == 0) {
      return;
    }
    const auto [low, high] = std::minmax_element(channels.begin(), channels.end());
    const std::int64_t width = *high - *low + 1;
    std::vector<std::int64_t> columns;
    for (const std::int64_t channel : channels) {
      columns.push_back(channel - *low);
    }
    const std::int64_t row_bytes = width * stored_bytes(info_.stored);
    const std::int64_t piece = std::max(std::int64_t{1}, kPieceBytes / row_bytes);
    std::vector<std::byte> bytes;
    const std::int64_t start = first_frames_[static_cast<std::size_t>(segment)] + first;
    const bool flat = data_->array().shape.size() == 1;
    for (std::int64_t f = 0; f < out.frames(); f += piece) {
      const std::int64_t count = std::min(piece, out.frames() - f);
      bytes.resize(static_cast<std::size_t>(count * row_bytes));
      nwb_reading(info_.name, [&] {
        data_->read(flat ? std::vector{start + f} : std::vector{start + f, *low},
                    flat ? std::vector{count} : std::vector{count, width}, bytes);
      });
      unpack_rows(info_.stored, bytes.data(), width, columns, out.slice(f, count));
    }
  }

  std::shared_ptr<const Hdf5File> file_;
  std::unique_ptr<Hdf5Dataset> data_;
  std::int64_t cache_;
  RecordingInfo info_;
  std::vector<std::int64_t> first_frames_;  ///< Of each segment in the data.
};

std::string list_names(const std::vector<NwbSeries>& series) {
  std::vector<std::string> names;
  names.reserve(series.size());
  for (const auto& one : series) {
    names.push_back(fmt::format("{} ({} channel{})", printable(one.name), one.channels,
                                one.channels == 1 ? "" : "s"));
  }
  return fmt::format("{}", fmt::join(names, ", "));
}

const NwbSeries& choose(const std::vector<NwbSeries>& series, const std::string& wanted) {
  if (series.empty()) {
    throw Error(ErrorCode::unsupported, "holds no ElectricalSeries in acquisition or processing");
  }
  const auto size = [](const NwbSeries& one) {
    return static_cast<double>(one.frames) * static_cast<double>(one.channels);
  };
  const auto found =
      wanted.empty()
          ? std::max_element(series.begin(), series.end(),
                             [&](const auto& a, const auto& b) { return size(a) < size(b); })
          : std::find_if(series.begin(), series.end(),
                         [&](const auto& one) { return one.name == wanted || one.path == wanted; });
  if (found == series.end()) {
    throw Error(ErrorCode::not_found,
                fmt::format("stream: no \"{}\"; it holds {}", wanted, list_names(series)));
  }
  return *found;
}

void add_metadata(const Hdf5File& file, const std::vector<NwbSeries>& series,
                  const NwbSeries& chosen, RecordingInfo& info) {
  info.metadata["stream"] = chosen.name;
  if (series.size() > 1) {
    info.metadata["streams"] = list_names(series);
  }
  info.metadata["nwb_version"] = file.text_attribute("/", "nwb_version").value_or("");
  for (const char* name : {"identifier", "session_description", "session_start_time"}) {
    const auto value = file.dataset(std::string("/") + name, 0);
    if (value == nullptr || !value->array().text || !value->array().shape.empty()) {
      continue;
    }
    const std::string text = value->texts(1)[0];
    if (std::string_view(name) == "session_start_time") {
      info.start_time = text;
    } else if (!text.empty()) {
      info.metadata[name] = text;
    }
  }
}

std::unique_ptr<RecordingSource> open(const fs::path& path, const OpenOptions& options) {
  return open_nwb(open_hdf5(path.string()), path, options);
}
}  // namespace

std::unique_ptr<RecordingSource> open_nwb(std::shared_ptr<const Hdf5File> file,
                                          const fs::path& path, const OpenOptions& options) {
  return in_context(path.string(), [&] {
    return nwb_reading("HDF5", [&]() -> std::unique_ptr<RecordingSource> {
      if (!file->text_attribute("/", "nwb_version")) {
        throw Error(ErrorCode::unsupported, "is an HDF5 file, but no NWB: it has no nwb_version");
      }
      const auto series = list_nwb_series(*file);
      const NwbSeries& chosen = choose(series, options.stream);
      RecordingInfo info = describe_nwb_series(*file, chosen);
      info.name = path.filename().string();
      add_metadata(*file, series, chosen, info);
      const Hdf5Array array = file->dataset(chosen.path + "/data", 0)->array();
      if (array.chunk_bytes > kMostChunkBytes) {
        throw Error(ErrorCode::unsupported,
                    fmt::format("{}/data: chunks of {} bytes, at most {} are read", chosen.path,
                                grouped(array.chunk_bytes), grouped(kMostChunkBytes)));
      }
      for (auto& warning : info.warnings) {
        warning = fmt::format("{}: {}", path.string(), warning);
      }
      const std::int64_t cache = cache_for(array);
      auto data = file->dataset(chosen.path + "/data", static_cast<std::size_t>(cache));
      return std::make_unique<NwbSource>(file, std::move(data), cache, std::move(info));
    });
  });
}

const Format& nwb_format() {
  static const Format kFormat{
      .name = "nwb",
      .summary = "Neurodata Without Borders (HDF5): series, spike times, intervals",
      .extensions = {".nwb"},
      .probe = &probe,
      .open = &open,
      .create = nullptr,
      .create_events = nullptr,
      .writer_bytes = nullptr,
      .list_events = &list_nwb_events,
      .open_events = &open_nwb_events,
  };
  return kFormat;
}

}  // namespace weir::formats
