// Toy studies of a mass fit (survey/models.md, W2 and W4): time per study, generation included, and
// the pulls it finds.
#include <benchmark/benchmark.h>
#include <tbb/enumerable_thread_specific.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include <mutex>

#include "weir/fit/minimise.h"
#include "weir/likelihood/toy_experiment_internal.h"

namespace weir::likelihood {
namespace {

/// A likelihood whose events change: one a thread.
struct Study {
  Study() {
    auto term = std::make_unique<UnbinnedTerm>("data", MassFit::density(), MassFit::events(1, 0),
                                               UnbinnedKind::nll, std::nullopt,
                                               model::Execution{.threads = 1});
    data = term.get();
    std::vector<std::unique_ptr<Term>> terms;
    terms.push_back(std::move(term));
    likelihood = std::make_unique<Likelihood>(std::move(terms));
  }
  UnbinnedTerm* data;
  std::unique_ptr<Likelihood> likelihood;
};

void toys(benchmark::State& state) {
  const int threads = static_cast<int>(state.range(0));
  const std::int64_t events = state.range(1);
  const std::int64_t count = state.range(2);
  tbb::task_arena arena(threads);
  double sum = 0;
  double squares = 0;
  std::int64_t failed = 0;
  std::mutex mutex;
  for (auto _ : state) {
    tbb::enumerable_thread_specific<Study> studies;
    sum = squares = 0;
    failed = 0;
    arena.execute([&] {
      tbb::parallel_for(std::int64_t{0}, count, [&](std::int64_t toy) {
        Study& study = studies.local();
        study.data->use_events(MassFit::events(events, 1000 + static_cast<std::uint64_t>(toy)));
        const fit::FitResult result = fit::minimise(*study.likelihood);
        const double pull = (result.value("mb") - MassFit::kMass) / result.error("mb");
        const std::lock_guard lock(mutex);
        failed += result.valid ? 0 : 1;
        sum += result.valid ? pull : 0;
        squares += result.valid ? pull * pull : 0;
      });
    });
  }
  const auto good = static_cast<double>(count - failed);
  state.counters["pull_mean"] = sum / good;
  state.counters["pull_width"] = std::sqrt(squares / good - sum / good * (sum / good));
  state.counters["not_valid"] = static_cast<double>(failed);
  state.SetItemsProcessed(state.iterations() * count);
}
BENCHMARK(toys)
    ->Args({1, 2000, 1000})
    ->Args({2, 2000, 1000})
    ->Args({2, 10000, 1000})
    ->UseRealTime()
    ->Unit(benchmark::kMillisecond)
    ->Iterations(1);

/// Workload W1 of survey/models.md: four parameters, started at the truth; the whole fit with
/// second derivatives.
void fit_of_mixture(benchmark::State& state) {
  const std::int64_t events = state.range(1);
  std::mt19937_64 random(1);
  std::normal_distribution<double> peak(0.5, 0.1);
  std::uniform_real_distribution<double> uniform(0, 1);
  std::vector<double> x;
  x.reserve(static_cast<std::size_t>(events));
  for (std::int64_t i = 0; i < events; ++i) {
    x.push_back(i < events / 2 ? peak(random) : -std::log1p(uniform(random) * std::expm1(-1.0)));
  }
  auto table = std::make_shared<model::ResidentTable>("events", events);
  table->add_column("x", x);
  const auto p = [](const char* name, double start, double upper) {
    return model::parameter({.name = name, .initial = start, .lower = 0, .upper = upper});
  };
  const model::Expr sigma = p("sigma", 0.1, 10);
  const model::Expr slope = p("slope", 1, 10);
  const model::Expr z = p("z", 0.5, 1);
  const model::Expr t = (model::column("x") - p("mu", 0.5, 1)) * (1 / sigma);
  const model::Expr density =
      z * (exp(-0.5 * t * t) * (1 / (sigma * std::sqrt(2 * std::numbers::pi)))) +
      (1 - z) * (exp(model::column("x") * (-1 / slope)) * (1 / (slope * (1 - exp(-1 / slope)))));
  std::int64_t calls = 0;
  for (auto _ : state) {
    std::vector<std::unique_ptr<Term>> terms;
    terms.push_back(std::make_unique<UnbinnedTerm>(
        "data", density, table, UnbinnedKind::nll, std::nullopt,
        model::Execution{.threads = static_cast<int>(state.range(0))}));
    Likelihood likelihood(std::move(terms));
    const fit::FitResult result = fit::minimise(likelihood);
    if (!result.valid) {
      state.SkipWithError(result.reason.c_str());
    }
    calls = result.nfcn + result.ngrad + result.nhessian;
  }
  state.counters["calls"] = static_cast<double>(calls);
}
BENCHMARK(fit_of_mixture)
    ->Args({1, 10'000})
    ->Args({1, 316'228})
    ->Args({2, 316'228})
    ->UseRealTime()
    ->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace weir::likelihood
