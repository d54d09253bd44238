// Workload W1 of survey/models.md: a normal peak on a truncated exponential, four parameters, 10^6
// events.
#include <benchmark/benchmark.h>

#include <cmath>
#include <memory>
#include <random>
#include <vector>

#include "weir/model/expr/operations.h"
#include "weir/model/run/prepared_model.h"

namespace weir::model {
namespace {

Expr p(const std::string& name) {
  return parameter({.name = name, .initial = 1.0});
}

Expr mixture() {
  const Expr x = column("x");
  const Expr t = (x - p("mu")) * (1 / p("sigma"));
  const Expr peak = exp(-0.5 * t * t) * (1 / (p("sigma") * std::sqrt(2 * M_PI)));
  const Expr fall = exp(x * (-1 / p("slope"))) * (1 / (p("slope") * (1 - exp(-1 / p("slope")))));
  return p("z") * peak + (1 - p("z")) * fall;
}

/// A sum of normal peaks, three parameters each.
Expr peaks(int count) {
  Expr sum = 0.1;
  for (int i = 0; i < count; ++i) {
    const Expr t =
        (column("x") - p("mu" + std::to_string(i))) * (1 / p("sigma" + std::to_string(i)));
    sum = sum + p("a" + std::to_string(i)) * exp(-0.5 * t * t);
  }
  return sum;
}

std::shared_ptr<ResidentTable> events() {
  constexpr std::int64_t kRows = 1'000'000;
  std::mt19937_64 random(1);
  std::vector<double> x(kRows);
  for (double& value : x) {
    value = std::uniform_real_distribution(0.0, 1.0)(random);
  }
  auto table = std::make_shared<ResidentTable>("events", kRows);
  table->add_column("x", x);
  return table;
}

void measure(benchmark::State& state, const Expr& expr, const std::vector<double>& at,
             bool gradient) {
  const PreparedModel model(expr, {.threads = static_cast<int>(state.range(0))});
  const auto data = model.prepare(events());
  for (auto _ : state) {
    const Reduction sum =
        gradient ? model.reduce_with_gradient(at, data, Plan::weighted_log_positive_real)
                 : model.reduce(at, data, Plan::weighted_log_positive_real);
    benchmark::DoNotOptimize(sum.value);
  }
  state.SetItemsProcessed(state.iterations() * data.rows());
}

std::vector<double> of_peaks(int count) {
  std::vector<double> at;
  for (int i = 0; i < count; ++i) {
    at.insert(at.end(), {1.0, (i + 0.5) / count, 0.1});
  }
  return at;
}

void value_of_mixture(benchmark::State& state) {
  measure(state, mixture(), {0.5, 0.5, 0.1, 1.0}, false);
}
void gradient_of_mixture(benchmark::State& state) {
  measure(state, mixture(), {0.5, 0.5, 0.1, 1.0}, true);
}
void value_of_40(benchmark::State& state) {
  measure(state, peaks(13), of_peaks(13), false);
}
void gradient_of_40(benchmark::State& state) {
  measure(state, peaks(13), of_peaks(13), true);
}
BENCHMARK(value_of_mixture)->Arg(1)->Arg(2)->UseRealTime()->Unit(benchmark::kMillisecond);
BENCHMARK(gradient_of_mixture)->Arg(1)->Arg(2)->UseRealTime()->Unit(benchmark::kMillisecond);
BENCHMARK(value_of_40)->Arg(1)->UseRealTime()->Unit(benchmark::kMillisecond);
BENCHMARK(gradient_of_40)->Arg(1)->UseRealTime()->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace weir::model
