#include "weir/model/compile/instruction_list.h"

#include <fmt/format.h>

#include <algorithm>

#include "weir/model/compile/contract.h"

namespace weir::model {
namespace {

using Place = Operand::Place;

// Rough costs in additions. What costs less than reading a kept column from memory is computed
// again.
constexpr int kCostOfReading = 4;
constexpr int kMostCost = 1 << 20;

int cost_of(Code code) {
  switch (code) {
    case Code::constant:
    case Code::parameter:
    case Code::column:
      return 0;
    case Code::divide:
    case Code::sqrt:
      return 6;
    case Code::unary:
    case Code::binary:
      return 12;
    default:
      return 1;
  }
}

class Stages {
 public:
  Stages(const OutputGraph& of, const Symbols& symbols)
      : graph_(of.graph),
        outputs_(of.outputs),
        place_(static_cast<std::size_t>(graph_.size())),
        kept_(place_.size()) {
    result_.symbols = symbols;
    place_scalars();
    choose_kept();
    emit_invariant();
    emit_event_only();
    emit_mixed();
  }

  CompiledModel take() { return std::move(result_); }

 private:
  static std::size_t at(std::int32_t value) { return static_cast<std::size_t>(value); }
  bool on_events(Value value) const { return (graph_[value].dependence & kOnEvents) != 0; }
  bool event_only(Value value) const { return graph_[value].dependence == kOnEvents; }
  bool is_leaf(Value value) const { return graph_[value].operand_count() == 0; }

  void place_scalars() {
    for (Value value = 0; value < graph_.size(); ++value) {
      if (graph_[value].code == Code::constant) {
        place_[at(value)] = {Place::scalar, static_cast<std::int32_t>(result_.constants.size())};
        result_.constants.push_back(graph_[value].value);
      }
    }
    result_.scalars =
        static_cast<std::int32_t>(result_.constants.size() + result_.symbols.parameters.size());
    for (Value value = 0; value < graph_.size(); ++value) {
      const Scalar& scalar = graph_[value];
      if (scalar.code == Code::parameter) {
        place_[at(value)] = {Place::scalar, result_.first_parameter() + scalar.index};
      } else if (scalar.code == Code::column) {
        place_[at(value)] = {Place::column, scalar.index};
      } else if (!is_leaf(value) && !on_events(value)) {
        place_[at(value)] = {Place::scalar, result_.scalars++};
      }
    }
  }

  /// Event-only values that something else than an event-only value uses, where keeping them pays.
  void choose_kept() {
    std::vector<int> cost(place_.size());
    std::vector<bool> wanted(place_.size());
    for (Value value = 0; value < graph_.size(); ++value) {
      const Scalar& scalar = graph_[value];
      std::int64_t sum = cost_of(scalar.code);
      for (int i = 0; i < scalar.operand_count(); ++i) {
        const Value operand = scalar.operands[at(i)];
        sum += cost[at(operand)];
        if (!event_only(value) && event_only(operand)) {
          wanted[at(operand)] = true;
        }
      }
      cost[at(value)] = static_cast<int>(std::min<std::int64_t>(sum, kMostCost));
    }
    for (const Value output : outputs_) {
      wanted[at(output)] = wanted[at(output)] || event_only(output);
    }
    for (Value value = 0; value < graph_.size(); ++value) {
      kept_[at(value)] = wanted[at(value)] && !is_leaf(value) && cost[at(value)] > kCostOfReading;
    }
  }

  void emit_invariant() {
    for (Value value = 0; value < graph_.size(); ++value) {
      if (!is_leaf(value) && !on_events(value)) {
        result_.invariant.instructions.push_back(
            instruction(value, place_, place_[at(value)].index));
      }
    }
  }

  void emit_event_only() {
    std::vector<Value> kept;
    for (Value value = 0; value < graph_.size(); ++value) {
      if (kept_[at(value)]) {
        kept.push_back(value);
      }
    }
    result_.cached = emit(kept, place_, result_.event_only);
  }

  void emit_mixed() {
    std::vector<Operand> place = place_;
    std::int32_t next = 0;
    for (Value value = 0; value < graph_.size(); ++value) {
      if (kept_[at(value)]) {
        place[at(value)] = {Place::cached, next++};
      }
    }
    result_.outputs = emit(outputs_, place, result_.mixed);
  }

  Instruction instruction(Value value, const std::vector<Operand>& place,
                          std::int32_t target) const {
    const Scalar& scalar = graph_[value];
    Instruction made{
        .code = scalar.code, .function = scalar.function, .operands = {}, .target = target};
    for (int i = 0; i < scalar.operand_count(); ++i) {
      made.operands[at(i)] = place[at(scalar.operands[at(i)])];
    }
    return made;
  }

  /// Writes what `wanted` needs and `place` does not give yet; where the wanted values are then.
  std::vector<Operand> emit(const std::vector<Value>& wanted, std::vector<Operand> place,
                            Program& program) const;

  const ScalarGraph& graph_;
  const std::vector<Value>& outputs_;
  std::vector<Operand> place_;
  std::vector<bool> kept_;
  CompiledModel result_;
};

/// Tiles that are free to be written.
class FreeTiles {
 public:
  std::int32_t take() {
    if (free_.empty()) {
      return count_++;
    }
    const std::int32_t tile = free_.back();
    free_.pop_back();
    return tile;
  }
  void give_back(std::int32_t tile) { free_.push_back(tile); }
  std::int32_t count() const { return count_; }

 private:
  std::vector<std::int32_t> free_;
  std::int32_t count_ = 0;
};

/// What is to be computed, and until which value each result is needed.
struct Needs {
  std::vector<bool> needed;
  std::vector<Value> last_use;
};

Needs needs_of(const ScalarGraph& graph, const std::vector<Value>& wanted,
               const std::vector<Operand>& place) {
  Needs needs{std::vector<bool>(place.size()), std::vector<Value>(place.size(), kNoValue)};
  const auto at = [](Value value) { return static_cast<std::size_t>(value); };
  for (const Value value : wanted) {
    needs.needed[at(value)] = place[at(value)].place == Place::none;
    needs.last_use[at(value)] = graph.size();
  }
  for (Value value = graph.size() - 1; value >= 0; --value) {
    const Scalar& scalar = graph[value];
    for (int i = 0; needs.needed[at(value)] && i < scalar.operand_count(); ++i) {
      const Value operand = scalar.operands[at(i)];
      if (place[at(operand)].place == Place::none) {
        needs.needed[at(operand)] = true;
        needs.last_use[at(operand)] = std::max(needs.last_use[at(operand)], value);
      }
    }
  }
  return needs;
}

/// Gives the tiles of operands that nobody uses after `value` back.
void release_operands(const Scalar& scalar, Value value, const Needs& needs,
                      const std::vector<Operand>& place, FreeTiles& tiles) {
  for (int i = 0; i < scalar.operand_count(); ++i) {
    const auto here = scalar.operands.begin() + i;
    const auto at = static_cast<std::size_t>(*here);
    const bool first = std::find(scalar.operands.begin(), here, *here) == here;
    if (first && place[at].place == Place::tile && needs.last_use[at] == value) {
      tiles.give_back(place[at].index);
    }
  }
}

std::vector<Operand> Stages::emit(const std::vector<Value>& wanted, std::vector<Operand> place,
                                  Program& program) const {
  const Needs needs = needs_of(graph_, wanted, place);
  FreeTiles tiles;
  for (Value value = 0; value < graph_.size(); ++value) {
    if (!needs.needed[at(value)]) {
      continue;
    }
    Instruction made = instruction(value, place, 0);
    std::vector<std::int32_t> copies;
    for (Operand& operand : made.operands) {
      // Functions of two arguments take whole tiles.
      if (made.code == Code::binary && operand.place == Place::scalar) {
        copies.push_back(tiles.take());
        program.instructions.push_back(
            {.code = Code::copy, .function = {}, .operands = {operand}, .target = copies.back()});
        operand = {Place::tile, copies.back()};
      }
    }
    release_operands(graph_[value], value, needs, place, tiles);
    for (const std::int32_t copy : copies) {
      tiles.give_back(copy);
    }
    made.target = tiles.take();
    place[at(value)] = {Place::tile, made.target};
    program.instructions.push_back(made);
  }
  program.tiles = tiles.count();
  std::vector<Operand> where;
  where.reserve(wanted.size());
  for (const Value value : wanted) {
    where.push_back(place[at(value)]);
  }
  return where;
}

std::string_view text(Code code) {
  constexpr std::array kNames = {"constant",
                                 "parameter",
                                 "column",
                                 "add",
                                 "subtract",
                                 "multiply",
                                 "divide",
                                 "negate",
                                 "multiply_add",
                                 "multiply_subtract",
                                 "negated_multiply_add",
                                 "copy",
                                 "guarded_multiply",
                                 "sqrt",
                                 "absolute",
                                 "copy_sign",
                                 "minimum",
                                 "maximum",
                                 "less",
                                 "less_equal",
                                 "equal",
                                 "select",
                                 "unary",
                                 "binary"};
  static_assert(kNames.size() == static_cast<std::size_t>(Code::binary) + 1);
  return kNames[static_cast<std::size_t>(code)];
}

std::string text(const Operand& operand) {
  constexpr std::array kPlaces = {"", "s", "column ", "cached ", "t"};
  return fmt::format("{}{}", kPlaces[static_cast<std::size_t>(operand.place)], operand.index);
}

void append(std::string& out, std::string_view title, std::string_view target,
            const Program& program) {
  fmt::format_to(std::back_inserter(out), "{}:\n", title);
  for (const Instruction& instruction : program.instructions) {
    const bool function = instruction.code == Code::unary || instruction.code == Code::binary;
    fmt::format_to(std::back_inserter(out), "  {}{} = {}", target, instruction.target,
                   function ? name(instruction.function) : text(instruction.code));
    for (const Operand& operand : instruction.operands) {
      if (operand.place != Place::none) {
        fmt::format_to(std::back_inserter(out), " {}", text(operand));
      }
    }
    out += '\n';
  }
}

}  // namespace

CompiledModel compile(const ScalarGraph& graph, const std::vector<Value>& outputs,
                      const Symbols& symbols) {
  return Stages(contracted(graph, outputs), symbols).take();
}

std::string text(const CompiledModel& compiled) {
  std::string out;
  append(out, "once a call", "s", compiled.invariant);
  append(out, "once a dataset", "t", compiled.event_only);
  append(out, "for every event", "t", compiled.mixed);
  return out;
}

}  // namespace weir::model
