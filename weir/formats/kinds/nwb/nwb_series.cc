#include "weir/formats/kinds/nwb/nwb_series.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>

#include "weir/core/error.h"
#include "weir/core/text.h"
#include "weir/formats/dense_source.h"
#include "weir/formats/kinds/nwb/nwb_clock.h"
#include "weir/formats/kinds/nwb/nwb_values.h"

namespace weir::formats {
namespace {
constexpr int kMostDepth = 6;
constexpr int kMostVisits = 20'000;

[[noreturn]] void refuse(const std::string& text) {
  throw Error(ErrorCode::corrupt_data, text);
}

void search(const Hdf5File& file, const std::string& group, int depth, int& visits,
            std::vector<std::string>& found) {
  for (const auto& name : file.members(group)) {
    if (++visits > kMostVisits) {
      return;
    }
    const std::string path = fmt::format("{}/{}", group, name);
    if (file.text_attribute(path, "neurodata_type") == "ElectricalSeries") {
      found.push_back(path);
    } else if (depth < kMostDepth) {
      search(file, path, depth + 1, visits, found);
    }
  }
}

NwbSeries series_at(const Hdf5File& file, const std::string& path) {
  NwbSeries series;
  series.path = path;
  series.name = path.substr(path.rfind('/') + 1);
  const auto data = file.dataset(path + "/data", 0);
  if (data == nullptr) {
    series.problem = "has no data";
    return series;
  }
  const Hdf5Array& array = data->array();
  if (array.shape.empty() || array.shape.size() > 2) {
    series.problem = fmt::format("its data has {} axes, not time and channel", array.shape.size());
  } else {
    series.frames = array.shape[0];
    series.channels = array.shape.size() == 2 ? array.shape[1] : 1;
    series.problem = array.problem.empty() && !array.type ? "its data are no numbers that are read"
                                                          : array.problem;
  }
  return series;
}

std::string plain_unit(const std::string& unit) {
  static const std::map<std::string, std::string> kUnits{
      {"volts", "V"}, {"volt", "V"}, {"millivolts", "mV"}, {"microvolts", "uV"}, {"\u00b5V", "uV"}};
  const auto found = kUnits.find(unit);
  return found == kUnits.end() ? unit : found->second;
}

/// The rows of the electrodes table that the channels are.
std::vector<std::int64_t> electrode_rows(const Hdf5File& file, const NwbSeries& series,
                                         std::vector<std::string>& warnings) {
  const std::string path = series.path + "/electrodes";
  const auto region = file.dataset(path, 0);
  if (region == nullptr) {
    warnings.push_back(fmt::format("{}: names no electrodes", series.path));
    return {};
  }
  const auto values = nwb_numbers(*region, path, series.channels + 1);
  if (std::ssize(values) != series.channels) {
    refuse(fmt::format("{}: {} electrodes for {} channels{}", path, values.size(), series.channels,
                       std::ssize(values) == series.frames
                           ? ": its data seem to be [channels, time], which NWB does not allow"
                           : ""));
  }
  std::vector<std::int64_t> rows;
  rows.reserve(values.size());
  for (const double value : values) {
    if (!(value >= 0 && value <= static_cast<double>(kMaxChannels))) {
      refuse(fmt::format("{}: {} is no row of a table", path, value));
    }
    rows.push_back(static_cast<std::int64_t>(value));
  }
  return rows;
}

/// Columns of the electrodes table, by channel.
class Electrodes {
 public:
  Electrodes(const Hdf5File& file, const NwbSeries& series, std::vector<std::int64_t> rows)
      : file_(file), rows_(std::move(rows)) {
    table_ = file.reference_attribute(series.path + "/electrodes", "table")
                 .value_or("/general/extracellular_ephys/electrodes");
    const auto id = file.dataset(table_ + "/id", 0);
    if (id == nullptr || id->array().shape.size() != 1 || id->array().shape[0] > kMaxChannels) {
      refuse(fmt::format("{}: is no table of electrodes", table_));
    }
    length_ = id->array().shape[0];
    for (const std::int64_t row : rows_) {
      if (row < 0 || row >= length_) {
        refuse(fmt::format("{}/electrodes: names row {} of the {} in {}", series.path, row, length_,
                           table_));
      }
    }
  }

  std::optional<std::vector<double>> numbers(const std::string& column) const {
    const std::string path = table_ + "/" + column;
    const auto values = file_.dataset(path, 0);
    if (values == nullptr || !values->array().type ||
        values->array().shape != std::vector<std::int64_t>{length_}) {
      return std::nullopt;
    }
    return picked(nwb_numbers(*values, path, length_));
  }

  std::optional<std::vector<std::string>> texts(const std::string& column) const {
    const auto values = file_.dataset(table_ + "/" + column, 0);
    if (values == nullptr || !values->array().text ||
        values->array().shape != std::vector<std::int64_t>{length_} ||
        !values->array().problem.empty()) {
      return std::nullopt;
    }
    return picked(nwb_reading(table_ + "/" + column, [&] { return values->texts(length_); }));
  }

 private:
  template <class T>
  std::vector<T> picked(const std::vector<T>& values) const {
    std::vector<T> result;
    result.reserve(rows_.size());
    for (const std::int64_t row : rows_) {
      result.push_back(values[static_cast<std::size_t>(row)]);
    }
    return result;
  }

  const Hdf5File& file_;
  std::vector<std::int64_t> rows_;
  std::string table_;
  std::int64_t length_ = 0;
};

/// Names, groups and positions: on the probe where the table has them, else in the brain.
void place_channels(const Electrodes& electrodes, RecordingInfo& info) {
  const auto names = electrodes.texts("channel_name");
  const auto ids = electrodes.numbers("id");
  const auto groups = electrodes.texts("group_name");
  const bool relative = electrodes.numbers("rel_x") && electrodes.numbers("rel_y");
  const auto x = electrodes.numbers(relative ? "rel_x" : "x");
  const auto y = electrodes.numbers(relative ? "rel_y" : "y");
  const auto z = electrodes.numbers(relative ? "rel_z" : "z");
  for (std::size_t i = 0; i < info.channels.size(); ++i) {
    Channel& channel = info.channels[i];
    if (names && !(*names)[i].empty()) {
      channel.name = (*names)[i];
    } else if (ids) {
      channel.name = fmt::format("{}", (*ids)[i]);
    }
    if (groups) {
      channel.group = (*groups)[i];
    }
    if (x && y && std::isfinite((*x)[i]) && std::isfinite((*y)[i])) {
      const double depth = z && std::isfinite((*z)[i]) ? (*z)[i] : 0;
      channel.position = {(*x)[i], (*y)[i], depth};
    }
  }
  if (x && y) {
    info.metadata["positions"] = relative ? "rel_x, rel_y" : "x, y, z";
  }
}

void scale_channels(const Hdf5File& file, const NwbSeries& series, RecordingInfo& info) {
  const std::string data = series.path + "/data";
  const double conversion = file.number_attribute(data, "conversion").value_or(1);
  const double offset = file.number_attribute(data, "offset").value_or(0);
  const std::string unit = plain_unit(file.text_attribute(data, "unit").value_or("volts"));
  std::vector<double> factors(static_cast<std::size_t>(series.channels), 1);
  const std::string path = series.path + "/channel_conversion";
  if (const auto own = file.dataset(path, 0)) {
    factors = nwb_numbers(*own, path, series.channels + 1);
    if (std::ssize(factors) != series.channels) {
      refuse(fmt::format("{}: {} numbers for {} channels", path, factors.size(), series.channels));
    }
  }
  for (std::size_t i = 0; i < info.channels.size(); ++i) {
    Channel& channel = info.channels[i];
    channel.gain = conversion * factors[i];
    channel.offset = offset;
    channel.unit = unit;
    if (!std::isfinite(channel.gain) || channel.gain == 0 || !std::isfinite(offset)) {
      refuse(
          fmt::format("{}: channel {}: conversion {}, channel_conversion {} and offset {} give "
                      "no scale",
                      series.path, i, conversion, factors[i], offset));
    }
  }
}
}  // namespace

std::vector<NwbSeries> list_nwb_series(const Hdf5File& file) {
  std::vector<std::string> paths;
  int visits = 0;
  for (const char* place : {"/acquisition", "/processing"}) {
    search(file, place, 0, visits, paths);
  }
  std::vector<NwbSeries> series;
  std::map<std::string, int> names;
  for (const auto& path : paths) {
    series.push_back(series_at(file, path));
    ++names[series.back().name];
  }
  for (auto& one : series) {
    if (names[one.name] > 1) {
      one.name = one.path;
    }
  }
  return series;
}

RecordingInfo describe_nwb_series(const Hdf5File& file, const NwbSeries& series) {
  if (!series.problem.empty()) {
    throw Error(ErrorCode::unsupported, fmt::format("{}: {}", series.path, series.problem));
  }
  RecordingInfo info;
  info.format = "nwb";
  info.channels =
      in_context(series.path, [&] { return make_channels(checked_channels(series.channels)); });
  info.stored = *file.dataset(series.path + "/data", 0)->array().type;
  scale_channels(file, series, info);
  auto rows = electrode_rows(file, series, info.warnings);
  if (!rows.empty()) {
    place_channels(Electrodes(file, series, std::move(rows)), info);
  }
  read_nwb_clock(file, series.path, series.frames, info);
  return info;
}

}  // namespace weir::formats
