#include "weir/signal/ops/remove_saturation/remove_saturation.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "weir/signal/ops/remove_saturation/remove_saturation_cl.h"
#include "weir/signal/ops/remove_saturation/remove_saturation_internal.h"

namespace weir::signal {

static std::span<const op::EnumName<SaturationDirection>> names_of(SaturationDirection) {
  static constexpr op::EnumName<SaturationDirection> kNames[] = {
      {"both", SaturationDirection::both},
      {"upper", SaturationDirection::upper},
      {"lower", SaturationDirection::lower}};
  return kNames;
}

static std::span<const op::EnumName<SaturationMode>> names_of(SaturationMode) {
  static constexpr op::EnumName<SaturationMode> kNames[] = {{"linear", SaturationMode::linear},
                                                            {"zeros", SaturationMode::zeros}};
  return kNames;
}

namespace {
/// The greatest float32 that is not above; for the least that is not below, of the negatives.
float not_above(double value) {
  const auto near = static_cast<float>(value);
  return near > value ? std::nextafter(near, -std::numeric_limits<float>::infinity()) : near;
}

SaturationRules rules_of(const RemoveSaturation& params, const StreamInfo& in) {
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  const auto frames = [&](const char* field, double seconds) {
    return in_context(field, [&] { return in.rate.nearest_frames(seconds); });
  };
  SaturationRules rules;
  rules.before = frames("before_s", params.before_s);
  rules.after = frames("after_s", params.after_s);
  rules.longest =
      params.mode == SaturationMode::zeros ? 0 : frames("max_blank_s", params.max_blank_s);
  const auto padded = static_cast<std::size_t>(padded_channels(in.channel_count()));
  rules.least.assign(padded, -kInfinity);
  rules.most.assign(padded, kInfinity);
  const double level = std::fabs(params.level);
  for (std::size_t c = 0; c < in.channels.size(); ++c) {
    const double gain = in.channels[c].gain;
    if (gain == 0) {
      continue;
    }
    // The nearest counts that reach the level: those between lie on the other side of it.
    const float count = -not_above(-level / std::fabs(gain));
    const bool up = params.direction != SaturationDirection::lower;
    const bool down = params.direction != SaturationDirection::upper;
    rules.most[c] = (gain > 0 ? up : down) ? count : kInfinity;
    rules.least[c] = (gain > 0 ? down : up) ? -count : -kInfinity;
  }
  return rules;
}

/// The stretch of bad frames that holds `frame`, as far as it matters. Marks are known up to `end`,
/// which is the segment's where `ends`.
SaturationRun run_at(const SaturationState& state, const SaturationRules& rules, std::int64_t frame,
                     std::int64_t channel, std::int64_t end) {
  SaturationRun run{frame, frame + 1, false};
  const std::int64_t lowest = std::max(state.begun, frame - rules.longest);
  while (run.first > lowest && state.is_bad(run.first - 1, channel)) {
    --run.first;
  }
  const std::int64_t highest = std::min(end, frame + rules.longest + 1);
  while (run.end < highest && state.is_bad(run.end, channel)) {
    ++run.end;
  }
  run.short_enough = run.end - run.first <= rules.longest;
  return run;
}

/// One bad sample.
float repaired(SaturationState& state, const SaturationRules& rules, Block<const float> in,
               std::int64_t frame, std::int64_t channel, std::int64_t end) {
  SaturationRun& run = state.runs[static_cast<std::size_t>(channel)];
  if (frame < run.first || frame >= run.end) {
    run = run_at(state, rules, frame, channel, end);
  }
  if (!run.short_enough) {
    state.too_long += rules.longest > 0 ? 1 : 0;
    return 0;
  }
  const bool has_left = run.first > state.begun;
  const bool has_right = run.end < end;
  const float left = has_left ? state.row(run.first - 1, in)[channel] : 0;
  const float right = has_right ? state.row(run.end, in)[channel] : left;
  const float part =
      static_cast<float>(frame - run.first + 1) / static_cast<float>(run.end - run.first + 1);
  return has_left && has_right ? left + (right - left) * part : right;
}

/// Row `frame`; marks are known before `end`.
void emit_row(SaturationState& state, const SaturationRules& rules, Block<const float> in,
              std::int64_t end, float* out) {
  const std::int64_t frame = state.emitted++;
  std::copy_n(state.row(frame, in), state.channels, out);
  if (state.any[state.slot(frame)] == 0) {
    return;
  }
  for (std::int64_t c = 0; c < state.channels; ++c) {
    if (state.is_bad(frame, c)) {
      ++state.blanked;
      out[c] = repaired(state, rules, in, frame, c, end);
    }
  }
}

class RemoveSaturationStep final : public op::Step {
 public:
  RemoveSaturationStep(const RemoveSaturation& params, StreamInfo in)
      : rules_(rules_of(params, in)) {
    in.type = SampleType::float32;
    ports_.push_back({.name = "signal", .stream = std::move(in)});
  }

  const std::vector<op::Port>& ports() const noexcept override { return ports_; }
  op::Parallel parallel() const noexcept override { return op::Parallel::channels; }
  op::Latency latency() const noexcept override { return {rules_.rows_kept(), rules_.rows_kept()}; }
  std::int64_t settle_frames() const noexcept override { return rules_.rows_kept(); }
  std::size_t state_bytes(std::int64_t channels) const noexcept override {
    const auto rows = static_cast<std::size_t>(rules_.rows_kept());
    const auto padded = static_cast<std::size_t>(padded_channels(channels));
    return Buffer::bytes_for(SampleType::float32, rules_.rows_kept(), channels) +
           rows * (padded + 1) + padded * sizeof(std::int32_t) +
           static_cast<std::size_t>(channels) * sizeof(SaturationRun);
  }
  std::vector<std::string> decisions() const override {
    return {fmt::format("{} frames before and {} after saturated ones; lines over at most {}",
                        rules_.before, rules_.after, rules_.longest)};
  }

  std::unique_ptr<op::State> start(const op::StartPoint& at) const override {
    return std::make_unique<SaturationState>(rules_, at);
  }
  void run(op::State& state, AnyBlock in, std::span<op::Emission> out) const override {
    auto& saturation = static_cast<SaturationState&>(state);
    const Block<const float> rows = in.as<float>();
    const Block<float> room = out[0].room.as<float>();
    out[0].frames = 0;
    for (std::int64_t k = 0; k < rows.frames(); ++k) {
      const std::int64_t row = saturation.fed + k;
      saturation.mark(rules_, rows.row(k), row);
      if (row - rules_.ahead() >= saturation.begun) {
        emit_row(saturation, rules_, rows, row - rules_.before + 1, room.row(out[0].frames++));
      }
    }
    const std::int64_t kept = saturation.past.frames();
    for (std::int64_t i = std::max<std::int64_t>(0, rows.frames() - kept); i < rows.frames(); ++i) {
      std::copy_n(rows.row(i), saturation.channels,
                  saturation.past.as<float>().row((saturation.fed + i) % kept));
    }
    saturation.fed += rows.frames();
  }
  bool finish(op::State& state, std::span<op::Emission> out) const override {
    auto& saturation = static_cast<SaturationState&>(state);
    if (!saturation.ended) {
      saturation.ended = true;
      for (std::int64_t row = saturation.fed; row < saturation.fed + rules_.before; ++row) {
        saturation.mark(rules_, nullptr, row);
      }
    }
    const Block<float> room = out[0].room.as<float>();
    out[0].frames = 0;
    while (saturation.emitted < saturation.fed && out[0].frames < room.frames()) {
      emit_row(saturation, rules_, {}, saturation.fed, room.row(out[0].frames++));
    }
    return saturation.emitted == saturation.fed;
  }
  void save(const op::State& state, op::ByteWriter& to) const override;
  void load(op::State& state, op::ByteReader& from) const override;

  bool runs_on(const compute::Target&) const noexcept override { return true; }
  std::unique_ptr<op::DeviceStep> device(const op::DevicePlace& place,
                                         const op::StartPoint& at) const override {
    return remove_saturation_on(place, at, rules_);
  }
  std::size_t device_bytes(std::int64_t channels, std::int64_t frames) const noexcept override {
    return remove_saturation_device_bytes(rules_, channels, frames);
  }

 private:
  SaturationRules rules_;
  std::vector<op::Port> ports_;
};

void RemoveSaturationStep::save(const op::State& state, op::ByteWriter& to) const {
  const auto& saturation = static_cast<const SaturationState&>(state);
  for (const std::int64_t number : {saturation.begun, saturation.fed, saturation.emitted,
                                    saturation.blanked, saturation.too_long}) {
    to.put(number);
  }
  for (std::int64_t row = 0; row < saturation.past.frames(); ++row) {
    to.put_all(std::span<const float>(saturation.past.as<float>().row(row),
                                      static_cast<std::size_t>(saturation.channels)));
  }
}

void RemoveSaturationStep::load(op::State& state, op::ByteReader& from) const {
  auto& saturation = static_cast<SaturationState&>(state);
  for (std::int64_t* number : {&saturation.begun, &saturation.fed, &saturation.emitted,
                               &saturation.blanked, &saturation.too_long}) {
    *number = from.get<std::int64_t>();
  }
  for (std::int64_t row = 0; row < saturation.past.frames(); ++row) {
    from.get_all(std::span<float>(saturation.past.as<float>().row(row),
                                  static_cast<std::size_t>(saturation.channels)));
  }
  saturation.rebuild_from_past(rules_);
}

std::unique_ptr<op::Step> plan(const RemoveSaturation& params, const op::StepContext& context) {
  const bool fits =
      params.direction == SaturationDirection::lower ? params.level < 0 : params.level > 0;
  if (!fits || !std::isfinite(params.level)) {
    throw Error(
        ErrorCode::invalid_spec,
        fmt::format("level: {} must be a number {} 0 when direction is \"{}\"", params.level,
                    params.direction == SaturationDirection::lower ? "below" : "above",
                    op::Codec<SaturationDirection>::write(params.direction).as_string()));
  }
  return std::make_unique<RemoveSaturationStep>(params, context.in);
}
}  // namespace

const op::Operator& remove_saturation_operator() {
  using op::field;
  static const auto kMade = op::make_operator<RemoveSaturation>(
      {.name = "remove_saturation",
       .summary = "Replace saturated samples and what stands around them.",
       .schema =
           op::Schema<RemoveSaturation>{
               field("level", &RemoveSaturation::level,
                     {.unit = "each channel's unit",
                      .required = true,
                      .aliases = {"abs_threshold"},
                      .doc = "Samples that reach it are saturated."}),
               field("direction", &RemoveSaturation::direction,
                     {.doc = "both: |x| >= level; upper; lower, for which level is below 0."}),
               field(
                   "before_s", &RemoveSaturation::before_s,
                   {.unit = "s", .min = 0, .max = 10, .doc = "Replaced before saturated samples."}),
               field("after_s", &RemoveSaturation::after_s,
                     {.unit = "s", .min = 0, .max = 10, .doc = "And after them."}),
               field("mode", &RemoveSaturation::mode,
                     {.doc = "linear, a line from the sample before to the one after; or zeros."}),
               field("max_blank_s", &RemoveSaturation::max_blank_s,
                     {.unit = "s",
                      .min = 0,
                      .max = 10,
                      .doc = "Linear: longer stretches become 0 and are counted."})},
       .plan = plan,
       .device = kernels::kRemoveSaturation});
  return *kMade;
}

}  // namespace weir::signal
