#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "weir/model/compile/lower.h"
#include "weir/model/compile/scalar_graph.h"

namespace weir::model {

/// Where an instruction finds a number for each event of its tile.
struct Operand {
  enum class Place : std::uint8_t {
    none,
    scalar,  ///< One number for all events: a constant, a parameter, or made of those.
    column,  ///< A column of the table.
    cached,  ///< A column computed once for the dataset.
    tile,    ///< The result of an earlier instruction.
  };
  Place place = Place::none;
  std::int32_t index = 0;
  friend bool operator==(const Operand&, const Operand&) = default;
};

struct Instruction {
  Code code = Code::copy;
  Function function = Function::exp;
  std::array<Operand, 3> operands;
  std::int32_t target = 0;  ///< A tile; in `invariant` a scalar.
};

/// Instructions in order. Results live in numbered tiles, which are used again once nobody needs
/// what they held.
struct Program {
  std::vector<Instruction> instructions;
  std::int32_t tiles = 0;
};

/// What one or more real outputs per event are computed by: the one list that drives every back
/// end.
struct CompiledModel {
  Symbols symbols;
  /// Scalars are numbered: the constants, then the parameters, then what `invariant` makes of them.
  std::vector<double> constants;
  std::int32_t scalars = 0;
  Program invariant;            ///< Once a call.
  Program event_only;           ///< Once a dataset.
  std::vector<Operand> cached;  ///< Where `event_only` leaves the columns to keep.
  Program mixed;                ///< For every event and call.
  std::vector<Operand> outputs;

  std::int32_t first_parameter() const { return static_cast<std::int32_t>(constants.size()); }
};

/// Divides the graph of `outputs` into stages, chooses what to keep for a dataset, and orders
/// instructions.
CompiledModel compile(const ScalarGraph& graph, const std::vector<Value>& outputs,
                      const Symbols& symbols);

/// The list as text, one instruction a line: for people and tests.
std::string text(const CompiledModel& compiled);

}  // namespace weir::model
