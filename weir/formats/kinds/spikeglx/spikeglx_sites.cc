#include <fmt/format.h>

#include <cmath>

#include "weir/core/error.h"
#include "weir/core/text.h"
#include "weir/formats/kinds/spikeglx/spikeglx_probe.h"

namespace weir::formats {
namespace {
double number_in(std::string_view key, const std::string& word) {
  constexpr double kMost = 1e9;  // A kilometre, as micrometres.
  const double number = in_context(key, [&] { return parse_number(word); });
  if (!(std::fabs(number) <= kMost)) {
    throw Error(ErrorCode::corrupt_data, fmt::format("{}: {} is no place on a probe", key, word));
  }
  return number;
}

/// Where electrode `column` of `row` is.
std::array<double, 3> place(const SpikeglxProbeShape& shape, double shank, double column,
                            std::int64_t row) {
  const double first = row % 2 == 0 ? shape.even_row_x : shape.odd_row_x;
  return {shank * shape.shank_pitch + first + column * shape.column_pitch,
          static_cast<double>(row) * shape.row_pitch, 0};
}

/// (shank:x:z:used), x from the shank's left edge; the header is
/// (part,shanks,shank pitch,shank width).
SpikeglxSite geometric(const SpikeglxTable& table, const std::vector<std::string>& row) {
  constexpr std::string_view kKey = "~snsGeomMap";
  const double shank = number_in(kKey, row[0]);
  const double pitch = table.header.size() > 2 ? number_in(kKey, table.header[2]) : 0;
  return {
      row[0],
      std::array<double, 3>{shank * pitch + number_in(kKey, row[1]), number_in(kKey, row[2]), 0},
      row[3] != "0"};
}

/// (shank:column:row:used)
SpikeglxSite counted(const SpikeglxProbe& probe, const std::vector<std::string>& row) {
  constexpr std::string_view kKey = "~snsShankMap";
  SpikeglxSite site{row[0], std::nullopt, row[3] != "0"};
  if (probe.shape != nullptr) {
    site.position = place(*probe.shape, number_in(kKey, row[0]), number_in(kKey, row[1]),
                          static_cast<std::int64_t>(number_in(kKey, row[2])));
  }
  return site;
}

SpikeglxSite wired(const SpikeglxProbe& probe, std::int64_t channel) {
  const SpikeglxReadout& readout = probe.readout(channel);
  SpikeglxSite site{fmt::format("{}", readout.shank), std::nullopt, true};
  if (probe.shape != nullptr && readout.electrode) {
    const std::int64_t columns = probe.shape->columns;
    site.position =
        place(*probe.shape, static_cast<double>(readout.shank),
              static_cast<double>(*readout.electrode % columns), *readout.electrode / columns);
  }
  return site;
}

/// The table's row of each saved electrode: tables list what was saved, or everything acquired.
/// Empty when the table does neither.
std::vector<const std::vector<std::string>*> rows_of(const SpikeglxTable& table,
                                                     std::span<const std::int64_t> channels) {
  std::vector<const std::vector<std::string>*> rows;
  const bool saved_only = table.rows.size() == channels.size();
  for (std::size_t i = 0; i < channels.size(); ++i) {
    const std::size_t at = saved_only ? i : static_cast<std::size_t>(channels[i]);
    if (at >= table.rows.size() || table.rows[at].size() != 4) {
      return {};
    }
    rows.push_back(&table.rows[at]);
  }
  return rows;
}
}  // namespace

std::vector<SpikeglxSite> read_spikeglx_sites(const SpikeglxMeta& meta, const SpikeglxProbe& probe,
                                              std::span<const std::int64_t> channels,
                                              std::vector<std::string>& warnings) {
  std::vector<SpikeglxSite> sites;
  for (const char* key : {"snsGeomMap", "snsShankMap"}) {
    const SpikeglxTable table = meta.table(key);
    if (table.rows.empty()) {
      continue;
    }
    const auto rows = rows_of(table, channels);
    if (rows.empty() && !channels.empty()) {
      warnings.push_back(
          fmt::format("~{}: its {} entries fit neither the {} saved electrodes nor "
                      "those acquired; not used",
                      key, table.rows.size(), channels.size()));
      continue;
    }
    for (const auto* row : rows) {
      sites.push_back(key == std::string_view("snsGeomMap") ? geometric(table, *row)
                                                            : counted(probe, *row));
    }
    break;
  }
  for (std::size_t i = sites.size(); i < channels.size(); ++i) {
    sites.push_back(wired(probe, channels[i]));
  }
  if (!sites.empty() && !sites.front().position) {
    warnings.push_back(
        fmt::format("no positions: the header has no ~snsGeomMap, and how the "
                    "electrodes of probe \"{}\" lie is not known",
                    probe.part));
  }
  return sites;
}

}  // namespace weir::formats
