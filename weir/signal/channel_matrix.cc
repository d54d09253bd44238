#include "weir/signal/channel_matrix.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "weir/core/error.h"

namespace weir::signal {
namespace {
/// Volts per unit; 0 for what is no voltage.
double volts(const std::string& unit) noexcept {
  if (!is_electrical(unit)) {
    return 0;
  }
  return unit == "V" ? 1 : unit == "mV" ? 1e-3 : unit == "nV" ? 1e-9 : 1e-6;
}

float weight_of_counts(const MatrixTerm& term, const Channel& in, const Channel& out) {
  const auto weight = static_cast<float>(term.weight * in.gain / out.gain);
  if (!std::isfinite(weight)) {
    throw Error(ErrorCode::invalid_spec,
                fmt::format("input: the weight {} of channel \"{}\" (gain {}) in \"{}\" (gain {}) "
                            "leaves the range of floats",
                            term.weight, in.name, in.gain, out.name, out.gain));
  }
  return weight;
}

/// The factor between units: 1 for the same, powers of ten between voltages, else 0.
double unit_ratio(const std::string& from, const std::string& to) noexcept {
  if (from == to) {
    return 1;
  }
  const double one = volts(from);
  const double other = volts(to);
  return one == 0 || other == 0 ? 0 : one / other;
}

using Rows = std::vector<std::vector<MatrixTerm>>;

/// The inputs of rows `first` to `end`, ascending.
std::vector<std::int32_t> inputs_of(const Rows& rows, std::size_t first, std::size_t end) {
  std::vector<std::int32_t> columns;
  for (std::size_t r = first; r < end; ++r) {
    for (const MatrixTerm& term : rows[r]) {
      columns.push_back(static_cast<std::int32_t>(term.channel));
    }
  }
  std::sort(columns.begin(), columns.end());
  columns.erase(std::unique(columns.begin(), columns.end()), columns.end());
  return columns;
}
}  // namespace

std::int64_t ChannelMatrix::terms() const noexcept {
  std::int64_t count = 0;
  for (const auto& row : rows) {
    count += std::ssize(row);
  }
  return count;
}

PackedMatrix pack(const ChannelMatrix& matrix, const std::vector<Channel>& in, std::int64_t width) {
  PackedMatrix packed{matrix.inputs, std::ssize(matrix.rows), width, {}, {}, {}};
  const auto panel_rows = static_cast<std::size_t>(width);
  for (std::size_t first = 0; first < matrix.rows.size(); first += panel_rows) {
    const std::size_t end = std::min(first + panel_rows, matrix.rows.size());
    const auto columns = inputs_of(matrix.rows, first, end);
    packed.panels.push_back({std::ssize(packed.columns), std::ssize(columns)});
    const std::size_t entry = packed.columns.size();
    packed.columns.insert(packed.columns.end(), columns.begin(), columns.end());
    packed.weights.resize(packed.columns.size() * panel_rows, 0.0F);
    for (std::size_t r = first; r < end; ++r) {
      for (const MatrixTerm& term : matrix.rows[r]) {
        const auto at = std::lower_bound(columns.begin(), columns.end(), term.channel);
        const auto e = entry + static_cast<std::size_t>(at - columns.begin());
        packed.weights[e * panel_rows + (r - first)] =
            weight_of_counts(term, in[static_cast<std::size_t>(term.channel)], matrix.channels[r]);
      }
    }
  }
  return packed;
}

void convert_weights(std::vector<MatrixTerm>& row, const std::vector<Channel>& in,
                     const std::string& unit) {
  for (MatrixTerm& term : row) {
    const Channel& channel = in[static_cast<std::size_t>(term.channel)];
    const double ratio = unit_ratio(channel.unit, unit);
    if (ratio == 0) {
      throw Error(ErrorCode::invalid_spec,
                  fmt::format("channel \"{}\" in \"{}\" cannot be added to values in \"{}\"",
                              channel.name, channel.unit, unit));
    }
    term.weight *= ratio;
  }
}

ChannelMatrix identity_matrix(const StreamInfo& in) {
  ChannelMatrix matrix{in.channel_count(), {}, in.channels};
  for (std::int64_t c = 0; c < in.channel_count(); ++c) {
    matrix.rows.push_back({{c, 1.0}});
    Channel& channel = matrix.channels[static_cast<std::size_t>(c)];
    channel.gain = std::isnormal(channel.gain) ? channel.gain : 1;
  }
  return matrix;
}

void set_row(ChannelMatrix& matrix, std::int64_t channel, std::vector<MatrixTerm> row,
             const StreamInfo& in, const std::string& field) {
  const auto at = static_cast<std::size_t>(channel);
  in_context(field, [&] { convert_weights(row, in.channels, matrix.channels[at].unit); });
  std::sort(row.begin(), row.end(),
            [](const auto& a, const auto& b) { return a.channel < b.channel; });
  matrix.rows[at] = std::move(row);
}

Channel sum_channel(const std::vector<MatrixTerm>& row, const std::vector<Channel>& in) {
  Channel sum;
  if (row.empty()) {
    return sum;
  }
  const auto channel_of = [&](const MatrixTerm& term) -> const Channel& {
    return in[static_cast<std::size_t>(term.channel)];
  };
  const auto heaviest = *std::max_element(row.begin(), row.end(), [](const auto& a, const auto& b) {
    return std::fabs(a.weight) < std::fabs(b.weight);
  });
  sum = channel_of(heaviest);
  sum.offset = 0;
  if (row.size() > 1) {
    sum.position.reset();
  }
  if (std::any_of(row.begin(), row.end(),
                  [&](const auto& term) { return channel_of(term).group != sum.group; })) {
    sum.group.clear();
  }
  return sum;
}

std::string describe(const ChannelMatrix& matrix) {
  return fmt::format("{} outputs of {} channels, {} weights", matrix.rows.size(), matrix.inputs,
                     matrix.terms());
}

}  // namespace weir::signal
