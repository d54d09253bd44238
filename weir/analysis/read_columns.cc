#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "weir/analysis/read_columns_internal.h"
#include "weir/core/error.h"
#include "weir/formats/four_momentum.h"
#include "weir/formats/table_numbers.h"

namespace weir::analysis {
namespace {

using model::MomentumComponent;
constexpr std::array kComponents = {MomentumComponent::e, MomentumComponent::px,
                                    MomentumComponent::py, MomentumComponent::pz};

/// What is wanted of the file for these names, and under which names it will come.
struct Wanted {
  formats::TableQuery query;
  std::vector<std::string> names;
};

Wanted wanted_of(const OpenedTable& table, const std::vector<std::string>& names) {
  Wanted wanted;
  const auto of_momentum = [&](const std::string& name, const std::string& momentum) {
    return std::any_of(kComponents.begin(), kComponents.end(), [&](auto component) {
      return model::momentum_column(momentum, component) == name;
    });
  };
  const auto is_component = [&](const std::string& name) {
    return std::any_of(table.momenta.begin(), table.momenta.end(),
                       [&](const std::string& momentum) { return of_momentum(name, momentum); });
  };
  std::copy_if(names.begin(), names.end(), std::back_inserter(wanted.query.columns),
               [&](const std::string& name) { return !is_component(name); });
  wanted.names = wanted.query.columns;
  for (const std::string& momentum : table.momenta) {
    if (std::any_of(names.begin(), names.end(),
                    [&](const std::string& name) { return of_momentum(name, momentum); })) {
      wanted.query.momenta.push_back(formats::find_momentum(table.source->info(), momentum));
      for (const auto component : kComponents) {
        wanted.names.push_back(model::momentum_column(momentum, component));
      }
    }
  }
  return wanted;
}

}  // namespace

OpenedTable open_table(const DataSection& data, const formats::FormatList& formats) {
  OpenedTable table;
  formats::OpenOptions options;
  options.stream = data.tree;
  table.source = formats.open_table(data.file, options);
  for (const auto& column : table.source->info().schema.columns) {
    table.columns.push_back(column.name);
  }
  for (const std::string& name : data.momenta) {
    in_context("data.momenta", [&] { formats::find_momentum(table.source->info(), name); });
    table.momenta.push_back(name);
    for (const auto component : kComponents) {
      table.columns.push_back(model::momentum_column(name, component));
    }
  }
  return table;
}

FileColumns read_columns(const OpenedTable& table, const std::vector<std::string>& names) {
  Wanted wanted = wanted_of(table, names);
  FileColumns columns;
  columns.names = std::move(wanted.names);
  columns.rows = table.source->info().rows;
  columns.values.resize(columns.names.size());
  // A condition may read what not every row has; what is fitted must be there (events.cc).
  wanted.query.nulls = formats::Nulls::nan;
  for (auto& values : columns.values) {
    values.reserve(static_cast<std::size_t>(columns.rows));
  }
  const formats::TableNumbers numbers(table.source, std::move(wanted.query));
  numbers.read_ahead({0, columns.rows}, [&](const formats::NumberBatch& batch) {
    for (std::size_t i = 0; i < columns.values.size(); ++i) {
      columns.values[i].insert(columns.values[i].end(), batch.columns[i].begin(),
                               batch.columns[i].end());
    }
  });
  return columns;
}

}  // namespace weir::analysis
