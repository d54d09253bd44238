#include "weir/formats/table_numbers.h"

#include <fmt/format.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <array>
#include <numeric>

#include "weir/core/error.h"
#include "weir/core/parallel_loop.h"
#include "weir/core/text.h"
#include "weir/formats/tables/number_column.h"

namespace weir::formats {
namespace {
/// A momentum, by the places of its columns among those that are read.
struct PlannedMomentum {
  MomentumForm form = MomentumForm::cartesian;
  std::array<std::size_t, 4> places{};
};

/// One group of rows decoded ahead of the sink.
struct DecodedBatch {
  std::vector<std::int64_t> rows;
  std::vector<std::vector<double>> columns;
};

constexpr std::array<std::string_view, 4> kComponents{"E", "px", "py", "pz"};
}  // namespace

struct TableNumbers::Plan {
  std::shared_ptr<const TableSource> table;
  std::vector<std::string> names;
  std::vector<std::int64_t> read;    ///< Columns of the schema, each once.
  std::vector<std::size_t> columns;  ///< Places in `read` of the columns asked for.
  std::vector<PlannedMomentum> momenta;
  TableCut cut;
  Nulls nulls = Nulls::refused;
  std::vector<std::size_t> cut_places;  ///< In `read`, of each term.

  std::size_t place_of(const std::string& name) {
    const TableInfo& info = table->info();
    const std::int64_t column = find_column(info, name);
    if (info.schema.columns[static_cast<std::size_t>(column)].type == ColumnType::text) {
      throw Error(ErrorCode::invalid_spec,
                  fmt::format("{}: column {} holds text, not numbers", info.path, printable(name)));
    }
    const auto found = std::find(read.begin(), read.end(), column);
    if (found != read.end()) {
      return static_cast<std::size_t>(found - read.begin());
    }
    read.push_back(column);
    return read.size() - 1;
  }

  ColumnType type(std::size_t place) const {
    return table->info().schema.columns[static_cast<std::size_t>(read[place])].type;
  }

  [[noreturn]] void refuse(std::size_t place, std::int64_t first_row,
                           const RefusedNumber& refused) const {
    const TableInfo& info = table->info();
    const auto& column = info.schema.columns[static_cast<std::size_t>(read[place])];
    throw Error(ErrorCode::corrupt_data,
                fmt::format("{}: column {}: row {} {}", info.path, printable(column.name),
                            first_row + static_cast<std::int64_t>(refused.row), refused.reason));
  }

  bool may_keep(std::int64_t group) const {
    for (std::size_t i = 0; i < cut.terms.size(); ++i) {
      const auto range = table->range(read[cut_places[i]], group);
      if (range && !may_pass(cut.terms[i], *range)) {
        return false;
      }
    }
    return true;
  }

  /// The rows of a batch that pass the cut, by their places in it.
  std::vector<std::int64_t> kept(std::int64_t first_row, const ColumnBatch& batch) const {
    std::vector<std::int64_t> rows(static_cast<std::size_t>(batch.rows));
    std::iota(rows.begin(), rows.end(), 0);
    std::vector<double> values;
    for (std::size_t i = 0; i < cut.terms.size(); ++i) {
      const std::size_t place = cut_places[i];
      RefusedNumber refused;
      if (numbers_of(batch.columns[place], type(place), nullptr, values, refused, nulls)) {
        refuse(place, first_row, refused);
      }
      std::erase_if(rows, [&](std::int64_t row) {
        return !passes(cut.terms[i], values[static_cast<std::size_t>(row)]);
      });
    }
    return rows;
  }

  /// Appends the four columns of a momentum.
  static void append(const PlannedMomentum& momentum, const std::vector<std::vector<double>>& read,
                     std::vector<std::vector<double>>& out) {
    const auto& [a, b, c, d] = momentum.places;
    if (momentum.form == MomentumForm::cartesian) {
      for (const std::size_t place : momentum.places) {
        out.push_back(read[place]);
      }
      return;
    }
    const std::size_t rows = read[a].size();
    const std::size_t first = out.size();
    out.resize(first + 4, std::vector<double>(rows));
    for (std::size_t row = 0; row < rows; ++row) {
      const auto four = cartesian_of(read[a][row], read[b][row], read[c][row], read[d][row]);
      for (std::size_t i = 0; i < four.size(); ++i) {
        out[first + i][row] = four[i];
      }
    }
  }

  DecodedBatch decoded(std::int64_t first_row, const ColumnBatch& batch) const {
    DecodedBatch made;
    const bool cuts = !cut.terms.empty();
    made.rows = cuts ? kept(first_row, batch) : std::vector<std::int64_t>();
    std::vector<std::vector<double>> values(read.size());
    for (std::size_t place = 0; place < read.size(); ++place) {
      RefusedNumber refused;
      if (numbers_of(batch.columns[place], type(place), cuts ? &made.rows : nullptr, values[place],
                     refused, nulls)) {
        refuse(place, first_row, refused);
      }
    }
    for (const std::size_t place : columns) {
      made.columns.push_back(values[place]);
    }
    for (const auto& momentum : momenta) {
      append(momentum, values, made.columns);
    }
    if (cuts) {
      for (auto& row : made.rows) {
        row += first_row;
      }
    } else {
      made.rows.resize(static_cast<std::size_t>(batch.rows));
      std::iota(made.rows.begin(), made.rows.end(), first_row);
    }
    return made;
  }

  /// The parts of a range by groups of the file, without those that the cut rules out.
  std::vector<RowRange> parts(RowRange rows) const {
    const auto& ends = table->info().group_ends;
    const std::int64_t stop = rows.first + rows.count;
    std::vector<RowRange> parts;
    auto group = std::upper_bound(ends.begin(), ends.end(), rows.first) - ends.begin();
    for (std::int64_t first = rows.first; first < stop; ++group) {
      const std::int64_t end = std::min(stop, ends.at(static_cast<std::size_t>(group)));
      if (end > first && may_keep(group)) {
        parts.push_back({first, end - first});
      }
      first = end;
    }
    return parts;
  }

  template <class Take>
  void decode(RowRange part, Take&& take) const {
    const auto sink = [&](std::int64_t first_row, const ColumnBatch& batch) {
      auto made = decoded(first_row, batch);
      if (!made.rows.empty()) {
        take(std::move(made));
      }
    };
    if (!read.empty()) {
      table->read(read, part, sink);
      return;
    }
    for (std::int64_t done = 0; done < part.count; done += TableSource::kBatchRows) {
      sink(part.first + done,
           {.rows = std::min(TableSource::kBatchRows, part.count - done), .columns = {}});
    }
  }

  void check(RowRange rows) const {
    WEIR_CHECK(rows.first >= 0 && rows.count >= 0 && rows.count <= table->info().rows - rows.first);
  }

  static void hand(const DecodedBatch& made, const NumberSink& sink) {
    NumberBatch batch;
    batch.rows = made.rows;
    batch.columns.assign(made.columns.begin(), made.columns.end());
    sink(batch);
  }

  std::size_t row_bytes() const {
    return sizeof(std::int64_t) + sizeof(double) * (read.size() + names.size());
  }
};

TableNumbers::TableNumbers(std::shared_ptr<const TableSource> table, TableQuery query) {
  auto plan = std::make_unique<Plan>();
  plan->table = std::move(table);
  plan->nulls = query.nulls;
  for (auto& name : query.columns) {
    plan->columns.push_back(plan->place_of(name));
    plan->names.push_back(std::move(name));
  }
  for (const auto& momentum : query.momenta) {
    auto& planned = plan->momenta.emplace_back();
    planned.form = momentum.form;
    for (std::size_t i = 0; i < momentum.columns.size(); ++i) {
      planned.places[i] = in_context(fmt::format("momentum \"{}\"", printable(momentum.name)),
                                     [&] { return plan->place_of(momentum.columns[i]); });
      plan->names.push_back(fmt::format("{}.{}", momentum.name, kComponents[i]));
    }
  }
  if (!trimmed(query.where).empty()) {
    plan->cut = TableCut::parse(query.where);
  }
  for (const auto& term : plan->cut.terms) {
    plan->cut_places.push_back(in_context("where", [&] { return plan->place_of(term.column); }));
  }
  plan_ = std::move(plan);
}

TableNumbers::TableNumbers(TableNumbers&&) noexcept = default;
TableNumbers::~TableNumbers() = default;

const TableSource& TableNumbers::table() const noexcept {
  return *plan_->table;
}
const std::vector<std::string>& TableNumbers::columns() const noexcept {
  return plan_->names;
}

void TableNumbers::read(RowRange rows, const NumberSink& sink) const {
  plan_->check(rows);
  for (const RowRange part : plan_->parts(rows)) {
    plan_->decode(part, [&](const DecodedBatch& made) { Plan::hand(made, sink); });
  }
}

void TableNumbers::read_ahead(RowRange rows, const NumberSink& sink) const {
  plan_->check(rows);
  const auto parts = plan_->parts(rows);
  const std::int64_t threads = std::max(1, tbb::this_task_arena::max_concurrency());
  for (std::int64_t first = 0; first < std::ssize(parts); first += threads) {
    const std::int64_t count = std::min(threads, std::ssize(parts) - first);
    std::vector<std::vector<DecodedBatch>> groups(static_cast<std::size_t>(count));
    parallel_loop(count, [&](std::int64_t i) {
      plan_->decode(parts[static_cast<std::size_t>(first + i)], [&](DecodedBatch made) {
        groups[static_cast<std::size_t>(i)].push_back(std::move(made));
      });
    });
    for (auto& group : groups) {
      for (const auto& made : group) {
        Plan::hand(made, sink);
      }
      group.clear();
    }
  }
}

std::size_t TableNumbers::read_bytes() const {
  const auto rows = std::min(TableSource::kBatchRows, plan_->table->info().rows);
  return plan_->table->read_bytes(plan_->read) +
         plan_->row_bytes() * static_cast<std::size_t>(rows);
}

std::size_t TableNumbers::read_ahead_bytes(int threads) const {
  std::int64_t longest = 0;
  std::int64_t begin = 0;
  for (const std::int64_t end : plan_->table->info().group_ends) {
    longest = std::max(longest, end - begin);
    begin = end;
  }
  return static_cast<std::size_t>(threads) *
         (read_bytes() + plan_->row_bytes() * static_cast<std::size_t>(longest));
}

}  // namespace weir::formats
