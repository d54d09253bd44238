#include <gtest/gtest.h>

#include <limits>
#include <random>
#include <set>

#include "weir/core/error.h"
#include "weir/model/expr/json_form.h"
#include "weir/model/expr/operations.h"
#include "weir/model/expr/same.h"
#include "weir/model/expr/text_form.h"

namespace weir::model {
namespace {

Expr first_argument(std::span<const Expr> arguments) {
  return arguments[0];
}
const ModelFunction kPair{
    .name = "pair", .arguments = {"x", "a"}, .value = &first_argument, .formula = {}, .source = {}};

/// Grows a pool of expressions by operations on its members.
class Garden {
 public:
  explicit Garden(unsigned seed) : random_(seed) {
    for (const char* name : {"x", "pulse height", "a", "pi", "t1"}) {
      pool_.push_back(column(name));
      pool_.push_back(momentum(name, static_cast<MomentumComponent>(below(4))));
    }
    for (const char* name : {"a", "nan", "mu_1"}) {
      pool_.push_back(parameter({.name = name,
                                 .initial = 0.5,
                                 .upper = 2.0,
                                 .scale = 0.1,
                                 .latex = "\\mu_1",
                                 .description = "a \"test\""}));
    }
    for (const double value :
         {0.0, -0.0, 1.0, 2.0, -2.0, 1.0 / 3, -5e-324, 1e300,
          std::numeric_limits<double>::infinity(), std::numeric_limits<double>::quiet_NaN()}) {
      pool_.push_back(constant(value));
      pool_.push_back(constant(0, value));
      pool_.push_back(constant(value, 1.5));
    }
  }

  Expr grown(int steps) {
    for (int made = 0; made < steps;) {
      try {
        Expr next = any();
        if (below(12) == 0) {
          next = next.tagged({below(2) == 0 ? "A" : "tag \"B\"\n"});
        }
        pool_.push_back(std::move(next));
        ++made;
      } catch (const Error& error) {
        EXPECT_EQ(error.code(), ErrorCode::invalid_spec);  // Kinds that do not fit.
      }
    }
    return pool_.back();
  }

  std::size_t operations_seen() const { return seen_.size(); }

 private:
  int below(int end) { return static_cast<int>(random_() % static_cast<unsigned>(end)); }
  /// Recent ones more often, so that expressions grow.
  Expr pick() {
    const int size = static_cast<int>(pool_.size());
    const int among = below(2) == 0 ? std::min(size, 12) : size;
    return pool_[static_cast<std::size_t>(size - 1 - below(among))];
  }

  Expr any() {
    const auto op = static_cast<Op>(below(static_cast<int>(Op::call) + 1));
    if (op <= Op::momentum) {
      return pick();
    }
    std::vector<Expr> operands;
    const int count = op == Op::matrix ? 4 : 1 + below(3);
    for (int i = 0; i < count; ++i) {
      operands.push_back(pick());
    }
    const int index = op == Op::matrix ? 2 : op == Op::power_integer ? below(9) - 4 : below(3);
    Expr made = op == Op::call
                    ? call(kPair, std::move(operands))
                    : make(op, std::move(operands), index, op == Op::matrix ? 2 : below(2));
    seen_.insert(op);
    return made;
  }

  std::mt19937 random_;
  std::vector<Expr> pool_;
  std::set<Op> seen_;
};

TEST(WrittenForms, GiveAnyExpressionBack) {
  std::size_t most = 0;
  for (unsigned seed = 0; seed < 300; ++seed) {
    Garden garden(seed);
    for (int round = 0; round < 10; ++round) {
      const Expr grown = garden.grown(12);
      const std::string text = print(grown);
      const Expr again = parse(text, names_of(grown));
      ASSERT_TRUE(same(again, grown)) << "seed " << seed << "\n"
                                      << text << "\nnot\n"
                                      << print(again);
      const auto read = parse_json_form(print_json({&grown, 1}), {&kPair});
      ASSERT_TRUE(same(read.at(0), grown)) << "seed " << seed << "\n" << text;
    }
    most = std::max(most, garden.operations_seen());
  }
  EXPECT_GE(most, 45U);
}

TEST(WrittenForms, AreLinearInDeepAndSharedGraphs) {
  const Expr x = column("x");
  Expr left = x;
  Expr right = x;
  Expr shared = x;
  for (int i = 0; i < 40'000; ++i) {
    left = left + x * Expr(i);
    right = Expr(1) / (x + right);
    shared = i % 2 == 0 ? shared * shared + x : sin(shared) * x + shared;
  }
  for (const Expr& deep : {left, right, shared}) {
    const std::string text = print(deep);
    EXPECT_LT(text.size(), 40'000U * 60);
    EXPECT_TRUE(same(parse(text, names_of(deep)), deep));
    EXPECT_TRUE(same(parse_json_form(print_json({&deep, 1}), {}).at(0), deep));
  }
}

}  // namespace
}  // namespace weir::model
