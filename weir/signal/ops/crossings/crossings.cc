#include "weir/signal/ops/crossings/crossings.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <string>

#include "weir/signal/ops/crossings/crossings_cl.h"
#include "weir/signal/ops/crossings/crossings_internal.h"
#include "weir/signal/spread_fit.h"

namespace weir::signal {
namespace {
constexpr float kNever = std::numeric_limits<float>::quiet_NaN();

std::int64_t ceil_frames(const SampleRate& rate, double seconds, std::string_view field) {
  return in_context(field, [&] { return rate.ceil_frames(seconds); });
}

void check_levels(const Crossings& params) {
  const double level = params.level;
  const double release = params.release.value_or(level);
  if (!std::isfinite(level)) {
    throw Error(ErrorCode::invalid_spec, fmt::format("level: {} is not a finite number", level));
  }
  if (!std::isfinite(release)) {
    throw Error(ErrorCode::invalid_spec,
                fmt::format("release: {} is not a finite number", release));
  }
  const Direction direction = direction_of(params);
  if (direction == Direction::either) {
    if (level <= 0) {
      throw Error(ErrorCode::invalid_spec,
                  fmt::format("level: {} must be above 0 when direction is \"either\"", level));
    }
    if (release < 0 || release > level) {
      throw Error(ErrorCode::invalid_spec,
                  fmt::format("release: {} must lie between 0 and the level ({}) when direction is "
                              "\"either\"",
                              release, level));
    }
  } else if (direction == Direction::above && release > level) {
    throw Error(ErrorCode::invalid_spec,
                fmt::format("release: {} lies above the level ({}); an event above the level would "
                            "end before it starts",
                            release, level));
  } else if (direction == Direction::below && release < level) {
    throw Error(ErrorCode::invalid_spec,
                fmt::format("release: {} lies below the level ({}); an event below the level would "
                            "end before it starts",
                            release, level));
  }
}

class CrossingsStep final : public op::Step {
 public:
  CrossingsStep(const Crossings& params, const StreamInfo& in, FitPlace place,
                std::vector<double> scale)
      : params_(params),
        rules_(crossing_rules(params, in.rate)),
        levels_(crossing_levels(params, in.channels, scale)),
        place_(std::move(place)),
        scale_(std::move(scale)) {
    ports_.push_back({.name = "events", .kind = op::PortKind::events, .stream = in});
  }

  const std::vector<op::Port>& ports() const noexcept override { return ports_; }
  op::Parallel parallel() const noexcept override { return op::Parallel::channels; }
  std::int64_t settle_frames() const noexcept override { return 1; }
  std::int64_t max_output(std::int64_t) const noexcept override { return 0; }
  double tolerance() const noexcept override { return 0; }

  std::size_t state_bytes(std::int64_t channels) const noexcept override {
    return static_cast<std::size_t>(padded_channels(channels)) * sizeof(CrossingLane) +
           Buffer::bytes_for(SampleType::float32, 1, channels);
  }
  std::size_t temporary_bytes() const noexcept override {
    return measured() ? 0 : sample_fit_temporary_bytes(in(), place_.memory_bytes);
  }
  std::size_t fitter_bytes() const noexcept override {
    return measured() ? 0 : sample_fit_bytes(in(), place_.memory_bytes);
  }
  std::size_t fitter_task_bytes() const noexcept override {
    return measured() ? 0 : sample_fit_task_bytes(in());
  }

  std::unique_ptr<op::State> start(const op::StartPoint& at) const override {
    WEIR_CHECK(measured());
    auto state = std::make_unique<CrossingState>();
    state->at = at;
    state->next_frame = at.first_frame;
    state->lanes.resize(static_cast<std::size_t>(padded_channels(at.channel_count)));
    state->previous = Buffer(SampleType::float32, 1, at.channel_count);
    std::fill_n(state->previous.as<float>().row(0), padded_channels(at.channel_count), kNever);
    return state;
  }
  void run(op::State& state, AnyBlock in, std::span<op::Emission> out) const override {
    scan_crossings(rules_, levels_, static_cast<CrossingState&>(state), in.as<float>(),
                   *out[0].events);
  }
  bool finish(op::State& state, std::span<op::Emission> out) const override {
    close_crossings(rules_, levels_, static_cast<CrossingState&>(state), *out[0].events);
    return true;
  }

  bool runs_on(const compute::Target&) const noexcept override { return true; }
  std::unique_ptr<op::DeviceStep> device(const op::DevicePlace& place,
                                         const op::StartPoint& at) const override {
    WEIR_CHECK(measured());
    return crossings_on(place, rules_, levels_, at);
  }
  std::size_t device_bytes(std::int64_t channels, std::int64_t frames) const noexcept override {
    return crossings_device_bytes(rules_, channels, frames);
  }
  std::int64_t max_events(std::int64_t channels, std::int64_t frames) const noexcept override {
    return most_crossings(rules_, channels, frames);
  }

  void save(const op::State& state, op::ByteWriter& to) const override {
    const auto& from = static_cast<const CrossingState&>(state);
    to.put(from.next_frame);
    to.put_all(from.lanes);
    to.put_all(std::span<const float>(from.previous.as<float>().row(0),
                                      static_cast<std::size_t>(from.at.channel_count)));
  }
  void load(op::State& state, op::ByteReader& from) const override {
    auto& into = static_cast<CrossingState&>(state);
    into.next_frame = from.get<std::int64_t>();
    from.get_all(std::span(into.lanes));
    from.get_all(std::span(into.previous.as<float>().row(0),
                           static_cast<std::size_t>(into.at.channel_count)));
  }

  op::Fit fit() const noexcept override {
    return params_.level_unit == LevelUnit::signal || measured() ? op::Fit::none : op::Fit::sample;
  }
  std::unique_ptr<op::Fitter> fitter() const override {
    return make_spread_fitter(params_.level_unit == LevelUnit::mad ? Spread::mad : Spread::sd, in(),
                              place_);
  }
  std::unique_ptr<op::Step> fitted(const Value& values) const override {
    const auto& list = values.at("scale").as_array();
    if (list.size() != in().channels.size()) {
      throw Error(ErrorCode::invalid_spec, fmt::format("scale: {} values for {} channels",
                                                       list.size(), in().channels.size()));
    }
    std::vector<double> scale;
    scale.reserve(list.size());
    for (const Value& value : list) {
      scale.push_back(value.is_null() ? std::numeric_limits<double>::quiet_NaN()
                                      : value.as_number());
    }
    return std::make_unique<CrossingsStep>(params_, in(), place_, std::move(scale));
  }
  std::vector<std::string> decisions() const override;

 private:
  const StreamInfo& in() const noexcept { return ports_.front().stream; }
  bool measured() const noexcept { return scale_.size() == in().channels.size(); }

  Crossings params_;
  CrossingRules rules_;
  CrossingLevels levels_;
  FitPlace place_;
  std::vector<double> scale_;  ///< Empty until fitted.
  std::vector<op::Port> ports_;
};

std::vector<std::string> CrossingsStep::decisions() const {
  const auto direction = op::Codec<Direction>::write(rules_.direction).as_string();
  const auto unit = op::Codec<LevelUnit>::write(params_.level_unit).as_string();
  std::vector<std::string> lines{fmt::format(
      "{} {} (unit: {}), release {}; events of at least {} frames, {} frames refractory", direction,
      params_.level, unit, params_.release.value_or(params_.level), rules_.min_frames,
      rules_.refractory_frames)};
  if (params_.level_unit == LevelUnit::signal || in().channels.empty()) {
    return lines;
  }
  if (!measured()) {
    lines.push_back(fmt::format("{} measured per channel from at most {} frames before the run",
                                unit, sample_fit_frames(in())));
    return lines;
  }
  std::vector<double> known;
  std::copy_if(scale_.begin(), scale_.end(), std::back_inserter(known),
               [](double value) { return std::isfinite(value); });
  if (!known.empty()) {
    const auto [least, most] = std::minmax_element(known.begin(), known.end());
    lines.push_back(fmt::format("measured {}: {:.4g} to {:.4g}{}{}", unit, *least, *most,
                                in().channels.front().unit.empty() ? "" : " ",
                                in().channels.front().unit));
  }
  if (known.size() < scale_.size()) {
    lines.push_back(fmt::format("{} channels have no finite {}: no events there",
                                scale_.size() - known.size(), unit));
  }
  return lines;
}

const op::Schema<Crossings>& schema() {
  using op::field;
  static const op::Schema<Crossings> kFields{
      field("level", &Crossings::level,
            {.required = true, .doc = "Level that starts an event, in `level_unit`, from zero."}),
      field("level_unit", &Crossings::level_unit,
            {.doc = "The signal's own unit, or multiples of each channel's measured spread: mad is "
                    "the median absolute deviation / 0.67449, sd the standard deviation."}),
      field("direction", &Crossings::direction,
            {.doc = "Which way to leave zero; default below for a negative level, else above."}),
      field("release", &Crossings::release,
            {.doc = "Level that ends an event, nearer to zero; default the level."}),
      field("min_duration_s", &Crossings::min_duration_s,
            {.unit = "s", .min = 0, .max = 1e9, .doc = "Shorter events are dropped."}),
      field("refractory_s", &Crossings::refractory_s,
            {.unit = "s",
             .min = 0,
             .max = 1e9,
             .doc = "From the end of an event to the earliest onset that counts again."}),
  };
  return kFields;
}

std::unique_ptr<op::Step> plan(const Crossings& params, const op::StepContext& context) {
  check_levels(params);
  std::vector<double> scale;
  if (params.level_unit == LevelUnit::signal) {
    scale.assign(context.in.channels.size(), 1.0);
  }
  return std::make_unique<CrossingsStep>(params, context.in,
                                         FitPlace{context.memory_bytes, context.temporary_folder},
                                         std::move(scale));
}
}  // namespace

std::span<const op::EnumName<LevelUnit>> names_of(LevelUnit) {
  static constexpr std::array<op::EnumName<LevelUnit>, 3> kNames{
      {{"signal", LevelUnit::signal}, {"mad", LevelUnit::mad}, {"sd", LevelUnit::sd}}};
  return kNames;
}

std::span<const op::EnumName<Direction>> names_of(Direction) {
  static constexpr std::array<op::EnumName<Direction>, 3> kNames{
      {{"above", Direction::above}, {"below", Direction::below}, {"either", Direction::either}}};
  return kNames;
}

Direction direction_of(const Crossings& params) noexcept {
  return params.direction.value_or(params.level < 0 ? Direction::below : Direction::above);
}

CrossingRules crossing_rules(const Crossings& params, const SampleRate& rate) {
  return {direction_of(params), ceil_frames(rate, params.min_duration_s, "min_duration_s"),
          ceil_frames(rate, params.refractory_s, "refractory_s")};
}

float lowest_count_at(double level, double gain) noexcept {
  if (std::isnan(level)) {
    return kNever;
  }
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  auto count = static_cast<float>(level / gain);
  // The quotient is within a step or two; v * gain never falls as v rises.
  while (count > -kInfinity && double{std::nextafter(count, -kInfinity)} * gain >= level) {
    count = std::nextafter(count, -kInfinity);
  }
  while (count < kInfinity && double{count} * gain < level) {
    count = std::nextafter(count, kInfinity);
  }
  return count;
}

CrossingLevels crossing_levels(const Crossings& params, const std::vector<Channel>& channels,
                               const std::vector<double>& scale) {
  const auto padded =
      static_cast<std::size_t>(padded_channels(static_cast<std::int64_t>(channels.size())));
  CrossingLevels levels{std::vector<float>(padded, 1.0F), std::vector<float>(padded, kNever),
                        std::vector<float>(padded, kNever)};
  const double side = direction_of(params) == Direction::below ? -1 : 1;
  for (std::size_t i = 0; i < scale.size(); ++i) {
    const double gain = channels[i].gain;
    levels.sign[i] = static_cast<float>(gain < 0 ? -side : side);
    if (gain != 0 && std::isfinite(gain) && std::isfinite(scale[i])) {
      levels.on[i] = lowest_count_at(side * params.level * scale[i], std::fabs(gain));
      levels.off[i] =
          lowest_count_at(side * params.release.value_or(params.level) * scale[i], std::fabs(gain));
    }
  }
  return levels;
}

const op::Operator& crossings_operator() {
  static const auto kMade = op::make_operator<Crossings>(
      {.name = "crossings",
       .summary = "Events where channels cross a level, with hysteresis and a refractory time.",
       .schema = schema(),
       .plan = plan,
       .device = kernels::kCrossings});
  return *kMade;
}

}  // namespace weir::signal
