#include "weir/signal/ops/matrix/matrix.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "weir/core/error.h"
#include "weir/signal/channel_list.h"

namespace weir::signal {
namespace {
[[noreturn]] void refuse(const std::string& text) {
  throw Error(ErrorCode::invalid_spec, text);
}

using Row = std::vector<MatrixTerm>;

void add_term(Row& row, std::int64_t channel, double weight, std::size_t number,
              const std::string& field) {
  if (!std::isfinite(weight)) {
    refuse(fmt::format("{}: the weight of channel {} in row {} is {}", field, channel, number,
                       weight));
  }
  if (weight != 0) {
    row.push_back({channel, weight});
  }
}

Row dense_row(const Value::Array& weights, const StreamInfo& in, std::size_t number) {
  if (std::ssize(weights) != in.channel_count()) {
    refuse(fmt::format("rows: row {} has {} weights, the stream has {} channels", number,
                       weights.size(), in.channel_count()));
  }
  Row row;
  for (std::size_t c = 0; c < weights.size(); ++c) {
    const double weight =
        in_context(fmt::format("rows: row {}", number), [&] { return weights[c].as_number(); });
    add_term(row, static_cast<std::int64_t>(c), weight, number, "rows");
  }
  return row;
}

/// The channel a key stands for: a name, or else an index.
Value channel_of(const std::string& key, const StreamInfo& in) {
  const bool named = std::any_of(in.channels.begin(), in.channels.end(),
                                 [&](const Channel& channel) { return channel.name == key; });
  const bool digits =
      !key.empty() && key.size() < 10 && key.find_first_not_of("0123456789") == std::string::npos;
  return named || !digits ? Value(key) : Value(std::int64_t{std::stol(key)});
}

Row sparse_row(const Value::Object& weights, const StreamInfo& in, std::size_t number) {
  Row row;
  for (const auto& [key, value] : weights) {
    const auto channel = find_channel(channel_of(key, in), in, "rows");
    const double weight = in_context(fmt::format("rows: row {}: {}", number, key),
                                     [&value] { return value.as_number(); });
    add_term(row, channel, weight, number, "rows");
  }
  std::sort(row.begin(), row.end(),
            [](const auto& a, const auto& b) { return a.channel < b.channel; });
  const auto twice = std::adjacent_find(
      row.begin(), row.end(), [](const auto& a, const auto& b) { return a.channel == b.channel; });
  if (twice != row.end()) {
    refuse(fmt::format("rows: row {} names channel {} twice", number, twice->channel));
  }
  return row;
}

std::vector<Row> rows_of_file(const std::string& file, const StreamInfo& in) {
  const MatrixTable table = in_context("file", [&] { return read_matrix_file(file); });
  if (table.columns != in.channel_count()) {
    refuse(fmt::format("file: {} has rows of {} weights, the stream has {} channels", file,
                       table.columns, in.channel_count()));
  }
  std::vector<Row> rows(static_cast<std::size_t>(table.rows));
  for (std::size_t i = 0; i < table.weights.size(); ++i) {
    const auto columns = static_cast<std::size_t>(table.columns);
    add_term(rows[i / columns], static_cast<std::int64_t>(i % columns), table.weights[i],
             i / columns, "file");
  }
  return rows;
}

std::vector<Row> rows_of(const Matrix& params, const StreamInfo& in) {
  if (params.rows.is_null() == params.file.empty()) {
    refuse("rows: give either rows or a file");
  }
  if (!params.file.empty()) {
    return rows_of_file(params.file, in);
  }
  std::vector<Row> rows;
  for (const Value& row : in_context("rows", [&] { return params.rows.as_array(); })) {
    if (row.is_array()) {
      rows.push_back(dense_row(row.as_array(), in, rows.size()));
    } else if (row.is_object()) {
      rows.push_back(sparse_row(row.as_object(), in, rows.size()));
    } else {
      refuse(
          fmt::format("rows: row {} is a {}; a list of one weight per channel or {{channel: "
                      "weight, …}} is wanted",
                      rows.size(), row.type_name()));
    }
  }
  if (rows.empty()) {
    refuse("rows: there is none");
  }
  return rows;
}

std::vector<std::string> names_of_rows(const Matrix& params, std::size_t rows) {
  if (!params.names.empty() && params.names.size() != rows) {
    refuse(fmt::format("names: {} names for {} rows", params.names.size(), rows));
  }
  std::vector<std::string> names = params.names;
  for (std::size_t r = names.size(); r < rows; ++r) {
    names.push_back(fmt::format("m{}", r));
  }
  std::set<std::string_view> seen;
  for (const auto& name : names) {
    if (!seen.insert(name).second) {
      refuse(fmt::format("names: \"{}\" is given twice", name));
    }
  }
  return names;
}
}  // namespace

ChannelMatrix plan_matrix(const Matrix& params, const StreamInfo& in) {
  ChannelMatrix matrix{in.channel_count(), rows_of(params, in), {}};
  const auto names = names_of_rows(params, matrix.rows.size());
  for (std::size_t r = 0; r < matrix.rows.size(); ++r) {
    Row& row = matrix.rows[r];
    Channel channel = sum_channel(row, in.channels);
    channel.name = names[r];
    if (params.unit.empty()) {
      in_context(fmt::format("unit: row {}", r),
                 [&] { convert_weights(row, in.channels, channel.unit); });
    } else {
      channel.unit = params.unit;
      channel.gain = 1;
    }
    if (!std::isnormal(channel.gain)) {
      channel.gain = 1;
    }
    matrix.channels.push_back(std::move(channel));
  }
  return matrix;
}

const op::Operator& matrix_operator() {
  using op::field;
  static const auto kMade = op::make_operator<Matrix>(
      {.name = "matrix",
       .summary = "Every output a weighted sum of channels.",
       .schema =
           op::Schema<Matrix>{
               field("rows", &Matrix::rows,
                     {.doc = "One row for each output: a list of one weight per channel, or an "
                             "object of channels (names, else indices) and their weights."}),
               field("file", &Matrix::file,
                     {.holds = op::Holds::path,
                      .doc = "Instead of rows: a two-dimensional .npy file [outputs, channels], or "
                             "text with a row a line."}),
               field("names", &Matrix::names, {.doc = "Names of the outputs; default m0, m1, …"}),
               field("unit", &Matrix::unit,
                     {.doc = "Unit of the outputs, weights being in it per unit of each channel; "
                             "default the unit that all channels of a row share."})},
       .plan = [](const Matrix& params,
                  const op::StepContext& context) -> std::unique_ptr<op::Step> {
         ChannelMatrix matrix = plan_matrix(params, context.in);
         const std::string told = describe(matrix);
         return channel_matrix_step(std::move(matrix), context.in, {.decisions = {told}});
       },
       .device = channel_matrix_kernels()});
  return *kMade;
}

}  // namespace weir::signal
