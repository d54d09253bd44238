#include "weir/signal/ops/coherence/coherence.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <set>
#include <utility>

#include "weir/core/text.h"
#include "weir/signal/channel_list.h"
#include "weir/signal/ops/coherence/coherence_cl.h"
#include "weir/signal/ops/coherence/coherence_internal.h"

namespace weir::signal {
namespace {
constexpr std::int64_t kRowsAtOnce = 64;
constexpr std::int64_t kNever = std::int64_t{1} << 40;
constexpr std::int64_t kMostUnasked = 8128;  // All pairs of 128 channels.
constexpr std::int64_t kMost = 1 << 17;

using Pair = std::pair<std::int64_t, std::int64_t>;

[[noreturn]] void refuse(const std::string& text) {
  throw Error(ErrorCode::invalid_spec, text);
}

std::vector<Pair> given_pairs(const ChannelPairs& given, const StreamInfo& in) {
  std::vector<Pair> pairs;
  std::set<Pair> seen;
  for (const auto& [first, second] : given.list) {
    const Pair pair{find_channel(first, in, "pairs"), find_channel(second, in, "pairs")};
    if (pair.first == pair.second) {
      refuse(fmt::format("pairs: channel {} (\"{}\") with itself", pair.first,
                         in.channels[static_cast<std::size_t>(pair.first)].name));
    }
    if (!seen.insert(std::minmax(pair.first, pair.second)).second) {
      refuse(fmt::format("pairs: [{}, {}] is given twice", pair.first, pair.second));
    }
    pairs.push_back(pair);
  }
  return pairs;
}

std::vector<Pair> with_reference(const Value& reference, const StreamInfo& in) {
  const std::int64_t first = find_channel(reference, in, "reference_channel");
  std::vector<Pair> pairs;
  for (const std::int64_t other : electrical_channels(in.channels)) {
    if (other != first) {
      pairs.emplace_back(first, other);
    }
  }
  return pairs;
}

std::vector<Pair> all_pairs(const StreamInfo& in) {
  const auto channels = electrical_channels(in.channels);
  const std::int64_t count = std::ssize(channels) * (std::ssize(channels) - 1) / 2;
  if (count > kMostUnasked) {
    refuse(
        fmt::format("pairs: {} channels make {} of them, more than {}; give pairs, or a "
                    "reference_channel",
                    channels.size(), grouped(count), grouped(kMostUnasked)));
  }
  std::vector<Pair> pairs;
  for (std::size_t i = 0; i < channels.size(); ++i) {
    for (std::size_t j = i + 1; j < channels.size(); ++j) {
      pairs.emplace_back(channels[i], channels[j]);
    }
  }
  return pairs;
}

PairPlan plan_pairs(const Coherence& params, const StreamInfo& in) {
  if (!params.pairs.list.empty() && !params.reference_channel.is_null()) {
    refuse("reference_channel: give pairs or reference_channel, not both");
  }
  const auto pairs = !params.pairs.list.empty() ? given_pairs(params.pairs, in)
                     : !params.reference_channel.is_null()
                         ? with_reference(params.reference_channel, in)
                         : all_pairs(in);
  if (pairs.empty()) {
    refuse("pairs: there are none: a coherence is of two channels");
  }
  if (std::ssize(pairs) > kMost) {
    refuse(fmt::format("pairs: {} are more than {}", pairs.size(), grouped(kMost)));
  }
  PairPlan plan;
  for (const auto& [first, second] : pairs) {
    plan.first.push_back(static_cast<std::int32_t>(first));
    plan.second.push_back(static_cast<std::int32_t>(second));
    if (plan.runs.empty() || plan.runs.back().channel != first ||
        plan.runs.back().first_other + plan.runs.back().count != second) {
      plan.runs.push_back(
          {.channel = first, .first_other = second, .first_pair = std::ssize(plan.first) - 1});
    }
    ++plan.runs.back().count;
  }
  for (auto& run : plan.runs) {
    run.padded = padded_channels(run.count);
    run.first_sum = plan.lanes;
    plan.lanes += run.padded;
  }
  return plan;
}

op::Port port_of(const SpectralPlan& plan, const PairPlan& pairs, const StreamInfo& in) {
  op::Port port{.name = "coherence", .stream = spectrum_stream(plan, in), .ratio = Rational(0)};
  port.stream.channels.clear();
  for (std::size_t i = 0; i < pairs.first.size(); ++i) {
    const Channel& first = in.channels[static_cast<std::size_t>(pairs.first[i])];
    const Channel& second = in.channels[static_cast<std::size_t>(pairs.second[i])];
    Channel channel;
    channel.name = fmt::format("{} x {}", first.name, second.name);
    channel.source_index = first.source_index;
    channel.group = first.group == second.group ? first.group : std::string();
    port.stream.channels.push_back(std::move(channel));
  }
  return port;
}

class CoherenceStep final : public op::Step {
 public:
  CoherenceStep(const Coherence& params, const StreamInfo& in)
      : plan_(plan_spectra(params, SpectralScaling::density, Rational(1, 2), in)),
        pairs_(plan_pairs(params, in)),
        channels_(in.channel_count()),
        row_(padded_channels(channels_)),
        ports_{port_of(plan_, pairs_, in)} {
    for (const auto& segment : in.segments) {
      frames_.push_back(segment.frames);
    }
  }

  const std::vector<op::Port>& ports() const noexcept override { return ports_; }
  op::Parallel parallel() const noexcept override { return op::Parallel::none; }
  std::int64_t settle_frames() const noexcept override { return kNever; }
  std::int64_t max_output(std::int64_t) const noexcept override {
    return std::min(plan_.bins(), kRowsAtOnce);
  }
  std::size_t state_bytes(std::int64_t channels) const noexcept override {
    return SpectralFeed::bytes(plan_, channels) +
           (spectra_floats() + powers_floats() + products_floats()) * sizeof(float);
  }
  std::unique_ptr<op::State> start(const op::StartPoint& at) const override {
    const auto segment = static_cast<std::size_t>(at.segment);
    auto state = std::make_unique<CoherenceState>(plan_, frames_[segment], at.channel_count);
    state->rows = ports_[0].stream.segments[segment].frames;
    state->spectra.resize(spectra_floats());
    state->powers.resize(powers_floats());
    state->products.resize(products_floats());
    return state;
  }
  void run(op::State& state, AnyBlock in, std::span<op::Emission> out) const override {
    auto& own = static_cast<CoherenceState&>(state);
    own.feed.push(in.as<float>(), [&](const SpectralPiece& piece) {
      for (std::int64_t row = 0; row < 2 * plan_.bins(); ++row) {
        std::memcpy(own.spectra.data() + row * row_ + piece.lane,
                    piece.spectrum + row * kLanePadding, kLanePadding * sizeof(float));
      }
      if (piece.lane + piece.channels == channels_) {
        add_own_powers(own.spectra.data(), plan_.bins(), row_, own.powers.data());
        add_products(pairs_, own.spectra.data(), plan_.bins(), row_, own.products.data());
      }
    });
    out[0].frames = 0;
  }
  bool finish(op::State& state, std::span<op::Emission> out) const override {
    auto& own = static_cast<CoherenceState&>(state);
    const std::int64_t rows = std::min(max_output(0), own.rows - own.emitted);
    for (std::int64_t row = 0; row < rows; ++row) {
      emit(own, own.emitted + row, out[0].room.as<float>().row(row));
    }
    own.emitted += rows;
    out[0].frames = rows;
    return own.emitted == own.rows;
  }

  void save(const op::State& state, op::ByteWriter& to) const override {
    const auto& own = static_cast<const CoherenceState&>(state);
    own.feed.save(to);
    to.put_all(own.powers);
    to.put_all(own.products);
  }
  void load(op::State& state, op::ByteReader& from) const override {
    auto& own = static_cast<CoherenceState&>(state);
    own.feed.load(from);
    from.get_all(std::span(own.powers));
    from.get_all(std::span(own.products));
  }

  bool runs_on(const compute::Target&) const noexcept override { return true; }
  std::unique_ptr<op::DeviceStep> device(const op::DevicePlace& place,
                                         const op::StartPoint& at) const override {
    return coherence_on(place, plan_, pairs_, frames_[static_cast<std::size_t>(at.segment)],
                        at.channel_count);
  }
  std::size_t device_bytes(std::int64_t channels, std::int64_t frames) const noexcept override {
    return coherence_device_bytes(plan_, pairs_, channels, frames);
  }

  double tolerance() const noexcept override { return plan_.tolerance(); }
  std::vector<std::string> decisions() const override {
    auto lines = plan_.decisions;
    lines.push_back(fmt::format("{} pairs of channels", grouped(pairs_.count())));
    return lines;
  }

 private:
  /// The last run may look as far as its padded lanes past the last row.
  std::size_t spectra_floats() const noexcept {
    return static_cast<std::size_t>(2 * plan_.bins() * row_ + kLanePadding);
  }
  std::size_t powers_floats() const noexcept {
    return static_cast<std::size_t>(2 * plan_.bins() * row_);
  }
  std::size_t products_floats() const noexcept {
    return static_cast<std::size_t>(4 * plan_.bins() * pairs_.lanes);
  }

  void emit(const CoherenceState& state, std::int64_t bin, float* out) const {
    const float* powers = state.powers.data() + bin * 2 * row_;
    for (const auto& run : pairs_.runs) {
      const float* sums =
          state.products.data() + run.first_sum * 4 * plan_.bins() + bin * 4 * run.padded;
      const double a = powers[run.channel];
      for (std::int64_t i = 0; i < run.count; ++i) {
        const double b = powers[run.first_other + i];
        const double re = sums[i];
        const double im = sums[2 * run.padded + i];
        out[run.first_pair + i] = static_cast<float>((re / a) * (re / b) + (im / a) * (im / b));
      }
    }
  }

  SpectralPlan plan_;
  PairPlan pairs_;
  std::int64_t channels_;
  std::int64_t row_;  ///< Floats of one part of the spectra at one frequency.
  std::vector<op::Port> ports_;
  std::vector<std::int64_t> frames_;  ///< Of each segment.
};

const op::Schema<Coherence>& schema() {
  using op::field;
  static const auto kFields = spectral_schema<Coherence>(
      "half of them if not given",
      field("pairs", &Coherence::pairs,
            {.doc = "Pairs of channels, by index or name: [[0, 1], [\"Cz\", \"Pz\"]]; all pairs of "
                    "at most 128 channels if neither it nor reference_channel is given."}),
      field("reference_channel", &Coherence::reference_channel,
            {.doc = "One channel, by index or name, with each of the others."}));
  return kFields;
}
}  // namespace

const op::Operator& coherence_operator() {
  static const auto kMade = op::make_operator<Coherence>(
      {.name = "coherence",
       .summary = "Coherence of pairs of channels: one table a segment, a row a frequency.",
       .schema = schema(),
       .plan = [](const Coherence& params,
                  const op::StepContext& context) -> std::unique_ptr<op::Step> {
         return std::make_unique<CoherenceStep>(params, context.in);
       },
       .device = kernels::kCoherence});
  return *kMade;
}

}  // namespace weir::signal
