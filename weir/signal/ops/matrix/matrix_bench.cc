#include "weir/signal/ops/matrix/matrix.h"
#include "weir/testing/bench_recording.h"
#include "weir/testing/samples.h"

namespace weir::signal {
namespace {
/// Weights within `reach` channels of the diagonal.
void matrix(benchmark::State& bench, std::int64_t reach, std::int64_t block) {
  const StreamInfo stream =
      testing::make_stream(30'000, testing::kBenchChannels, testing::kBenchFrames);
  ChannelMatrix matrix{testing::kBenchChannels, {}, stream.channels};
  for (std::int64_t k = 0; k < testing::kBenchChannels; ++k) {
    std::vector<MatrixTerm> row;
    for (std::int64_t c = std::max<std::int64_t>(0, k - reach);
         c < std::min(testing::kBenchChannels, k + reach + 1); ++c) {
      row.push_back({c, 1.0 / static_cast<double>(1 + c + k)});
    }
    matrix.rows.push_back(std::move(row));
  }
  const auto step = channel_matrix_step(std::move(matrix), stream, {});
  testing::time_step(bench, *step, {.block = block});
}

#define MATRIX_BENCH(...) \
  BENCHMARK_CAPTURE(matrix, __VA_ARGS__)->UseManualTime()->Unit(benchmark::kMillisecond)
MATRIX_BENCH(dense, 384, 160);
MATRIX_BENCH(dense_whole_array, 384, testing::kBenchFrames);
MATRIX_BENCH(neighbours_20, 20, 160);
MATRIX_BENCH(neighbours_1, 1, 160);
}  // namespace
}  // namespace weir::signal
