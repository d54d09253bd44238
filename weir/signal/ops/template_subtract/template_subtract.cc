#include "weir/signal/ops/template_subtract/template_subtract.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "weir/signal/past_rows.h"

namespace weir::signal {

static std::span<const op::EnumName<TemplateAmplitude>> names_of(TemplateAmplitude) {
  static constexpr std::array<op::EnumName<TemplateAmplitude>, 2> kNames{
      {{"fixed", TemplateAmplitude::fixed}, {"least_squares", TemplateAmplitude::least_squares}}};
  return kNames;
}

namespace {
/// Rows taken in at once: what the ring holds beyond the rows that wait.
constexpr std::int64_t kRowsAtOnce = 64;

struct SubtractPlan {
  EventWindow window;
  bool fits = false;
  double least = 0;
  double most = 0;
  std::int64_t channels = 0;
  std::vector<float> templates;  ///< [templates, window rows, channels], in counts.
  std::vector<double> weights;   ///< Of channels in a fit: counts to physical units, squared.
  bool by_channel = false;       ///< Of the events: else all have the first template.

  const float* row(std::int64_t number, std::int64_t row) const noexcept {
    return templates.data() + (number * window.frames() + row) * channels;
  }
  /// Rows that must be seen behind a row until every event that touches it is known and taken out.
  std::int64_t behind() const noexcept { return window.rows_behind(); }
};

struct SubtractState final : op::State {
  SubtractState(const SubtractPlan& plan, const op::StartPoint& at)
      : past(plan.behind() + kRowsAtOnce, at.channel_count, at.first_frame),
        emitted(at.first_frame) {}
  std::vector<op::Counter> counters() const override {
    return {{"events not subtracted: longer than longest_event_s", too_long},
            {"events not subtracted: their amplitude is no finite number", not_finite},
            {"events subtracted with an amplitude at its bound", at_bound}};
  }
  PastRows past;
  std::int64_t emitted;
  EventQueue queue;
  std::int64_t too_long = 0;
  std::int64_t not_finite = 0;
  std::int64_t at_bound = 0;
};

class SubtractStep final : public op::Step {
 public:
  SubtractStep(SubtractPlan plan, StreamInfo in) : plan_(std::move(plan)) {
    in.type = SampleType::float32;
    ports_.push_back({.name = "signal", .stream = std::move(in)});
  }

  const std::vector<op::Port>& ports() const noexcept override { return ports_; }
  op::Parallel parallel() const noexcept override { return op::Parallel::none; }
  op::Latency latency() const noexcept override { return {plan_.behind(), plan_.behind()}; }
  std::size_t state_bytes(std::int64_t channels) const noexcept override {
    constexpr std::size_t kWaiting = 4096 * sizeof(Event);
    return PastRows::bytes_for(plan_.behind() + kRowsAtOnce, channels) + kWaiting;
  }
  std::vector<std::string> decisions() const override {
    return {fmt::format("{} template{} of {} frames, {} before the {}",
                        std::ssize(plan_.templates) / (plan_.window.frames() * plan_.channels),
                        plan_.by_channel ? "s, by the events' channel," : "", plan_.window.frames(),
                        plan_.window.before,
                        plan_.window.align == EventAlign::peak ? "peak" : "onset")};
  }

  std::unique_ptr<op::State> start(const op::StartPoint& at) const override {
    return std::make_unique<SubtractState>(plan_, at);
  }
  bool hears() const noexcept override { return true; }
  void hear(op::State& state, std::span<const Event> events) const override {
    auto& own = static_cast<SubtractState&>(state);
    for (const Event& event : events) {
      if (plan_.window.too_long(event)) {
        ++own.too_long;
      } else {
        own.queue.push(event);
      }
    }
  }
  void run(op::State& state, AnyBlock in, std::span<op::Emission> out) const override {
    auto& own = static_cast<SubtractState&>(state);
    const Block<const float> rows = in.as<float>();
    for (std::int64_t first = 0; first < rows.frames(); first += kRowsAtOnce) {
      own.past.push(rows.slice(first, std::min(kRowsAtOnce, rows.frames() - first)));
      subtract_known(own);
      emit(own, own.past.next() - plan_.behind(), out[0]);
    }
  }
  bool finish(op::State& state, std::span<op::Emission> out) const override {
    auto& own = static_cast<SubtractState&>(state);
    for (; !own.queue.empty(); own.queue.pop()) {
      subtract(own, own.queue.front());
    }
    emit(own, std::min(own.past.next(), own.emitted + out[0].room.frames()), out[0]);
    return own.emitted == own.past.next();
  }
  void save(const op::State& state, op::ByteWriter& to) const override {
    const auto& own = static_cast<const SubtractState&>(state);
    own.past.save(to);
    own.queue.save(to);
    to.put(own.emitted);
    to.put(std::array{own.too_long, own.not_finite, own.at_bound});
  }
  void load(op::State& state, op::ByteReader& from) const override {
    auto& own = static_cast<SubtractState&>(state);
    own.past.load(from);
    own.queue.load(from);
    own.emitted = from.get<std::int64_t>();
    const auto counts = from.get<std::array<std::int64_t, 3>>();
    own.too_long = counts[0];
    own.not_finite = counts[1];
    own.at_bound = counts[2];
  }

 private:
  /// Events whose window has come, in the order of rows: an event is fitted to what those before it
  /// left.
  void subtract_known(SubtractState& own) const {
    while (!own.queue.empty() &&
           plan_.window.anchor(own.queue.front()) + plan_.window.after <= own.past.next()) {
      subtract(own, own.queue.front());
      own.queue.pop();
    }
  }

  /// As much of the window as lies in the segment.
  void subtract(SubtractState& own, const Event& event) const {
    const std::int64_t first = plan_.window.anchor(event) - plan_.window.before;
    const std::int64_t from = std::max(own.past.first(), first);
    const std::int64_t end = std::min(own.past.next(), first + plan_.window.frames());
    const std::int64_t number = plan_.by_channel ? event.channel : 0;
    float amplitude = 1;
    if (plan_.fits && from < end) {
      const double fitted = amplitude_of(own, number, first, from, end);
      if (!std::isfinite(fitted)) {
        ++own.not_finite;
        return;
      }
      const double bounded = std::clamp(fitted, plan_.least, plan_.most);
      own.at_bound += bounded == fitted ? 0 : 1;
      amplitude = static_cast<float>(bounded);
    }
    for (std::int64_t frame = from; frame < end; ++frame) {
      float* row = own.past.row(frame);
      const float* shape = plan_.row(number, frame - first);
      for (std::int64_t c = 0; c < plan_.channels; ++c) {
        row[c] -= amplitude * shape[c];
      }
    }
  }

  /// <x, t> / <t, t> in physical units, each summed by column of 32 channels and then across: an
  /// order that no cut changes.
  double amplitude_of(const SubtractState& own, std::int64_t number, std::int64_t first,
                      std::int64_t from, std::int64_t end) const {
    std::array<double, kLanePadding> product{};
    std::array<double, kLanePadding> energy{};
    for (std::int64_t frame = from; frame < end; ++frame) {
      const float* row = own.past.row(frame);
      const float* shape = plan_.row(number, frame - first);
      for (std::int64_t c = 0; c < plan_.channels; ++c) {
        const auto lane = static_cast<std::size_t>(c % kLanePadding);
        const double t = shape[c];
        const double weighted = t * plan_.weights[static_cast<std::size_t>(c)];
        product[lane] += weighted * row[c];
        energy[lane] += weighted * t;
      }
    }
    double products = 0;
    double energies = 0;
    for (std::size_t lane = 0; lane < product.size(); ++lane) {
      products += product[lane];
      energies += energy[lane];
    }
    return energies > 0 ? products / energies : 0;
  }

  void emit(SubtractState& own, std::int64_t end, op::Emission& out) const {
    const Block<float> to = out.room.as<float>();
    for (; own.emitted < end; ++own.emitted, ++out.frames) {
      std::copy_n(own.past.row(own.emitted), plan_.channels, to.row(out.frames));
    }
  }

  SubtractPlan plan_;
  std::vector<op::Port> ports_;
};

void check_bounds(const TemplateSubtract& params) {
  const bool bounded = params.amplitude_min || params.amplitude_max;
  if (bounded && params.amplitude == TemplateAmplitude::fixed) {
    throw Error(ErrorCode::invalid_spec,
                "amplitude_min, amplitude_max: belong to amplitude = \"least_squares\"");
  }
  if (params.amplitude_min && params.amplitude_max &&
      *params.amplitude_min > *params.amplitude_max) {
    throw Error(ErrorCode::invalid_spec,
                fmt::format("amplitude_max: {} lies below amplitude_min ({})",
                            *params.amplitude_max, *params.amplitude_min));
  }
}

/// Physical units to counts of each channel.
std::vector<float> in_counts(const TemplateArray& array, const StreamInfo& in) {
  std::vector<float> counts(array.values.size());
  for (std::size_t i = 0; i < counts.size(); ++i) {
    const std::size_t channel = i % static_cast<std::size_t>(array.channels);
    counts[i] = static_cast<float>(array.values[i] / in.channels[channel].gain);
    if (!std::isfinite(counts[i])) {
      throw Error(ErrorCode::invalid_spec,
                  fmt::format("templates: a value for channel \"{}\", whose gain is {}, does not "
                              "fit float32",
                              in.channels[channel].name, in.channels[channel].gain));
    }
  }
  return counts;
}

void check_shape(const TemplateArray& array, const op::StepContext& context) {
  if (array.channels != context.in.channel_count()) {
    throw Error(ErrorCode::invalid_spec, fmt::format("templates: have {} channels, the signal {}",
                                                     array.channels, context.in.channel_count()));
  }
  const std::int64_t kinds = context.events->stream.channel_count();
  if (array.templates != 1 && array.templates != kinds) {
    throw Error(ErrorCode::invalid_spec,
                fmt::format("templates: there are {}; one for all events, or one for each of the "
                            "{} channels (or labels) of the events",
                            array.templates, kinds));
  }
}

std::unique_ptr<op::Step> plan(const TemplateSubtract& params, const op::StepContext& context) {
  check_bounds(params);
  const TemplateArray array =
      in_context("templates", [&] { return read_templates(params.templates); });
  check_shape(array, context);
  SubtractPlan plan;
  plan.window =
      make_event_window({.pre_s = params.pre_s,
                         .post_s = static_cast<double>(array.samples) / context.in.rate.hz(),
                         .align = params.align,
                         .longest_event_s = params.longest_event_s},
                        context);
  plan.window.after = array.samples - plan.window.before;
  if (plan.window.after < 0) {
    throw Error(ErrorCode::invalid_spec,
                fmt::format("pre_s: {} frames before the event, but templates have {}",
                            plan.window.before, array.samples));
  }
  constexpr double kAny = std::numeric_limits<double>::infinity();
  plan.fits = params.amplitude == TemplateAmplitude::least_squares;
  plan.least = params.amplitude_min.value_or(-kAny);
  plan.most = params.amplitude_max.value_or(kAny);
  plan.channels = array.channels;
  const double gain = context.in.channels.front().gain;
  for (const Channel& channel : context.in.channels) {
    plan.weights.push_back(channel.gain / gain * (channel.gain / gain));
  }
  plan.templates = in_counts(array, context.in);
  plan.by_channel = array.templates > 1;
  return std::make_unique<SubtractStep>(std::move(plan), context.in);
}
}  // namespace

const op::Operator& template_subtract_operator() {
  using op::field;
  static const auto kMade = op::make_operator<TemplateSubtract>(
      {.name = "template_subtract",
       .summary = "Take what events look like out of a signal: artefacts of stimuli, spikes.",
       .schema =
           op::Schema<TemplateSubtract>{
               field("templates", &TemplateSubtract::templates,
                     {.required = true,
                      .holds = op::Holds::path,
                      .doc = "A .npy file in physical units: [templates, samples, channels]."}),
               field("pre_s", &TemplateSubtract::pre_s,
                     {.unit = "s",
                      .min = 0,
                      .max = 1e3,
                      .doc = "How much of a template lies before its event."}),
               field("align", &TemplateSubtract::align,
                     {.doc = "The event's sample that stands there: its onset or its peak."}),
               field("amplitude", &TemplateSubtract::amplitude,
                     {.doc = "fixed: the template as it is; least_squares: fitted to each event."}),
               field("amplitude_min", &TemplateSubtract::amplitude_min,
                     {.doc = "Least fitted amplitude; no bound by default."}),
               field("amplitude_max", &TemplateSubtract::amplitude_max,
                     {.doc = "Largest fitted amplitude; no bound by default."}),
               field("longest_event_s", &TemplateSubtract::longest_event_s,
                     {.unit = "s",
                      .min = 0,
                      .max = 1e6,
                      .doc = "From the aligned sample to the event's end; longer ones are "
                             "counted and left."})},
       .plan = plan,
       .takes_events = op::TakesEvents::always});
  return *kMade;
}

}  // namespace weir::signal
