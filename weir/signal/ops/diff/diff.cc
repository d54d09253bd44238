#include "weir/signal/ops/diff/diff.h"

#include <algorithm>

#include "weir/signal/ops/diff/diff_cl.h"
#include "weir/signal/ops/diff/diff_internal.h"

namespace weir::signal {

static std::span<const op::EnumName<DiffStart>> names_of(DiffStart) {
  static constexpr op::EnumName<DiffStart> kNames[] = {{"hold", DiffStart::hold},
                                                       {"zero", DiffStart::zero}};
  return kNames;
}

DiffState::DiffState(std::int64_t n, std::int64_t channel_count)
    : channels(channel_count),
      past(SampleType::float32, n, channel_count),
      previous(SampleType::float32, n, channel_count) {}

const float* DiffState::row(std::int64_t row, Block<const float> in,
                            DiffStart rule) const noexcept {
  if (row < 0 && rule == DiffStart::zero) {
    return nullptr;
  }
  const std::int64_t at = std::max<std::int64_t>(row, 0);
  return at >= fed ? in.row(at - fed) : past.as<float>().row(at % past.frames());
}

namespace {
class DiffStep final : public op::Step {
 public:
  DiffStep(const Diff& params, StreamInfo in) : params_(params) {
    in.type = SampleType::float32;
    ports_.push_back({.name = "signal", .stream = std::move(in)});
  }

  const std::vector<op::Port>& ports() const noexcept override { return ports_; }
  op::Parallel parallel() const noexcept override { return op::Parallel::channels; }
  std::int64_t settle_frames() const noexcept override { return params_.n; }
  // Each of n subtractions is off by half a unit in the last place at most, and later ones double
  // what earlier ones were off by.
  double tolerance() const noexcept override {
    return 0x1p-24 * static_cast<double>((std::int64_t{1} << params_.n) - 1);
  }
  std::size_t state_bytes(std::int64_t channels) const noexcept override {
    return 2 * Buffer::bytes_for(SampleType::float32, params_.n, channels);
  }

  std::unique_ptr<op::State> start(const op::StartPoint& at) const override {
    return std::make_unique<DiffState>(params_.n, at.channel_count);
  }
  void run(op::State& state, AnyBlock in, std::span<op::Emission> out) const override {
    auto& diff = static_cast<DiffState&>(state);
    const Block<const float> rows = in.as<float>();
    out[0].frames = rows.frames();
    if (rows.frames() == 0) {
      return;
    }
    find_previous(diff, rows);
    diff_rows(rows, diff.previous.as<float>(), out[0].room.as<float>());
    const Block<float> past = diff.past.as<float>();
    for (std::int64_t i = std::max<std::int64_t>(0, rows.frames() - params_.n); i < rows.frames();
         ++i) {
      std::copy_n(rows.row(i), diff.channels, past.row((diff.fed + i) % params_.n));
    }
    diff.fed += rows.frames();
  }

  void save(const op::State& state, op::ByteWriter& to) const override {
    const auto& diff = static_cast<const DiffState&>(state);
    to.put(diff.fed);
    for (std::int64_t row = 0; row < params_.n; ++row) {
      to.put_all(std::span<const float>(diff.past.as<float>().row(row),
                                        static_cast<std::size_t>(diff.channels)));
    }
  }
  void load(op::State& state, op::ByteReader& from) const override {
    auto& diff = static_cast<DiffState&>(state);
    diff.fed = from.get<std::int64_t>();
    for (std::int64_t row = 0; row < params_.n; ++row) {
      from.get_all(std::span<float>(diff.past.as<float>().row(row),
                                    static_cast<std::size_t>(diff.channels)));
    }
  }

  bool runs_on(const compute::Target&) const noexcept override { return true; }
  std::unique_ptr<op::DeviceStep> device(const op::DevicePlace& place,
                                         const op::StartPoint& at) const override {
    return diff_on(place, params_, at.channel_count);
  }
  std::size_t device_bytes(std::int64_t channels, std::int64_t) const noexcept override {
    return static_cast<std::size_t>(params_.n * channels) * sizeof(float);
  }

 private:
  /// The differences of the frame before `in`, from the last n rows.
  void find_previous(DiffState& state, Block<const float> in) const {
    const Block<float> rows = state.previous.as<float>();
    const std::int64_t n = params_.n;
    for (std::int64_t k = 0; k < n; ++k) {  // Row k: the sample k frames back.
      const float* from = state.row(state.fed - 1 - k, in, params_.start);
      if (from == nullptr) {
        std::fill_n(rows.row(k), state.channels, 0.0F);
      } else {
        std::copy_n(from, state.channels, rows.row(k));
      }
    }
    for (std::int64_t order = 1; order < n; ++order) {
      for (std::int64_t k = n - 1; k >= order; --k) {  // From here row k is k - order back.
        for (std::int64_t c = 0; c < state.channels; ++c) {
          rows.row(k)[c] = rows.row(k - 1)[c] - rows.row(k)[c];
        }
      }
    }
  }

  Diff params_;
  std::vector<op::Port> ports_;
};
}  // namespace

const op::Operator& diff_operator() {
  static const auto kMade = op::make_operator<Diff>(
      {.name = "diff",
       .summary = "Differences between neighbouring samples, n times over.",
       .schema = op::Schema<Diff>{op::field("n", &Diff::n,
                                            {.min = 1,
                                             .max = static_cast<double>(kMostDiffs),
                                             .aliases = {"order"},
                                             .doc = "How many times the differences are taken."}),
                                  op::field("start", &Diff::start,
                                            {.doc = "What stands before a segment: hold, its first "
                                                    "sample; zero, 0 physical units."})},
       .plan = [](const Diff& params, const op::StepContext& context) -> std::unique_ptr<op::Step> {
         return std::make_unique<DiffStep>(params, context.in);
       },
       .device = kernels::kDiff});
  return *kMade;
}

}  // namespace weir::signal
