#include <algorithm>
#include <vector>

#include "weir/testing/fake_step_internal.h"

namespace weir::testing {
namespace {
constexpr std::int64_t kRows = 8;
constexpr std::int64_t kRowsAtOnce = 3;
constexpr std::int64_t kSpread = 2;
constexpr std::int64_t kNever = std::int64_t{1} << 40;

struct Table {};

op::Port table_port(const StreamInfo& in, Fault fault) {
  op::Port port{.name = "out", .stream = in, .ratio = Rational(0)};
  port.ratio = Rational(fault == Fault::wrong_rate ? 1 : 0);
  port.spread = fault == Fault::wrong_spread ? 1 : kSpread;
  port.stream.axis = Axis::frequency_hz;
  port.stream.channels.clear();
  for (const auto& channel : in.channels) {
    port.stream.channels.insert(port.stream.channels.end(), kSpread, channel);
  }
  for (auto& segment : port.stream.segments) {
    segment.frames = kRows;
  }
  return port;
}

/// Row r of a segment's table: the sum of the frames f with f mod 8 = r, and what they are without
/// their sign.
class TableStep final : public FakeStep {
 public:
  struct TableState final : op::State {
    std::vector<double> sums;  ///< [rows, channels, 2].
    std::int64_t channels = 0;
    std::int64_t seen = 0;
    std::int64_t emitted = 0;
  };
  TableStep(const op::StepContext& context, Fault fault)
      : FakeStep(table_port(context.in, fault), fault) {}
  std::int64_t settle_frames() const noexcept override { return kNever; }
  std::int64_t max_output(std::int64_t) const noexcept override { return kRowsAtOnce; }
  std::size_t state_bytes(std::int64_t channels) const noexcept override {
    return static_cast<std::size_t>(kRows * channels * kSpread) * sizeof(double);
  }
  std::unique_ptr<op::State> start(const op::StartPoint& at) const override {
    auto state = std::make_unique<TableState>();
    state->channels = at.channel_count;
    state->sums.resize(static_cast<std::size_t>(kRows * at.channel_count * kSpread));
    return state;
  }
  void run(op::State& state, AnyBlock in, std::span<op::Emission> out) const override {
    auto& own = static_cast<TableState&>(state);
    for (std::int64_t frame = 0; frame < in.frames(); ++frame) {
      double* row = own.sums.data() + own.seen++ % kRows * own.channels * kSpread;
      for (std::int64_t channel = 0; channel < in.channels(); ++channel) {
        const double value = in.as<float>()(frame, channel);
        row[channel * kSpread] += value;
        row[channel * kSpread + 1] += value < 0 ? -value : value;
      }
    }
    out[0].frames = 0;
  }
  bool finish(op::State& state, std::span<op::Emission> out) const override {
    auto& own = static_cast<TableState&>(state);
    const std::int64_t rows = std::min(kRowsAtOnce, kRows - own.emitted);
    for (std::int64_t row = 0; row < rows; ++row) {
      const double* from = own.sums.data() + (own.emitted + row) * own.channels * kSpread;
      std::copy(from, from + own.channels * kSpread, out[0].room.as<float>().row(row));
    }
    own.emitted += rows;
    out[0].frames = rows;
    return own.emitted == kRows;
  }
  void save(const op::State& state, op::ByteWriter& to) const override {
    const auto& own = static_cast<const TableState&>(state);
    to.put(own.seen);
    to.put_all(own.sums);
  }
  void load(op::State& state, op::ByteReader& from) const override {
    auto& own = static_cast<TableState&>(state);
    own.seen = from.get<std::int64_t>();
    from.get_all(std::span(own.sums));
  }
};
}  // namespace

std::unique_ptr<op::Operator> fake_table(Fault fault) {
  return op::make_operator(
      op::OperatorParts<Table>{.name = "fake_table",
                               .summary = "Adds up, by the place among eight frames.",
                               .schema = op::Schema<Table>{},
                               .plan = [fault](const Table&, const op::StepContext& context) {
                                 return std::make_unique<TableStep>(context, fault);
                               }});
}

}  // namespace weir::testing
