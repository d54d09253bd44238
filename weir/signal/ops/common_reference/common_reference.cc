#include "weir/signal/ops/common_reference/common_reference.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "weir/core/buffer.h"
#include "weir/signal/ops/common_reference/common_reference_cl.h"
#include "weir/signal/ops/common_reference/common_reference_internal.h"

namespace weir::op {

/// A flat list is refused: whether [0, 1] means one group or two cannot be known.
template <>
struct Codec<signal::ChannelGroups> {
  static std::string type() { return "any"; }
  static std::vector<std::string> choices() { return {}; }
  static signal::ChannelGroups read(const Value& value) {
    signal::ChannelGroups groups;
    for (const auto& list : value.as_array()) {
      if (!list.is_array()) {
        throw Error(ErrorCode::invalid_spec,
                    "is a flat list of channels; nest it, one list per group: [[0, 1], [2, 3]], "
                    "or [[0, 1, 2, 3]] for a single group");
      }
      if (list.as_array().empty()) {
        throw Error(ErrorCode::invalid_spec, "a group is empty");
      }
      groups.lists.push_back(list.as_array());
    }
    return groups;
  }
  static Value write(const signal::ChannelGroups& groups) {
    Value lists = Value::array();
    for (const auto& list : groups.lists) {
      lists.push_back(list);
    }
    return lists;
  }
};

}  // namespace weir::op

namespace weir::signal {

static std::span<const op::EnumName<ReferenceStatistic>> names_of(ReferenceStatistic) {
  static constexpr op::EnumName<ReferenceStatistic> kNames[] = {
      {"median", ReferenceStatistic::median},
      {"mean", ReferenceStatistic::mean},
      {"average", ReferenceStatistic::mean}};
  return kNames;
}

static std::span<const op::EnumName<ReferenceScope>> names_of(ReferenceScope) {
  static constexpr op::EnumName<ReferenceScope> kNames[] = {
      {"all", ReferenceScope::all},     {"group", ReferenceScope::group},
      {"local", ReferenceScope::local}, {"channels", ReferenceScope::channels},
      {"global", ReferenceScope::all},  {"single", ReferenceScope::channels}};
  return kNames;
}

namespace {
/// Volts per unit; 0 for what is no voltage.
double volts(const std::string& unit) noexcept {
  if (!is_electrical(unit)) {
    return 0;
  }
  return unit == "V" ? 1 : unit == "mV" ? 1e-3 : unit == "nV" ? 1e-9 : 1e-6;
}

/// Physical units per count, in the unit of `first`.
double comparable_gain(const Channel& channel, const Channel& first) {
  if (!(channel.gain != 0) || !std::isfinite(channel.gain)) {
    throw Error(ErrorCode::invalid_spec,
                fmt::format("exclude: channel \"{}\" takes part but has gain {}", channel.name,
                            channel.gain));
  }
  if (channel.unit == first.unit) {
    return channel.gain;
  }
  const double own = volts(channel.unit);
  const double other = volts(first.unit);
  if (own == 0 || other == 0) {
    throw Error(ErrorCode::invalid_spec,
                fmt::format("exclude: channels \"{}\" ({}) and \"{}\" ({}) take part together, but "
                            "their units cannot be compared",
                            first.name, first.unit, channel.name, channel.unit));
  }
  return channel.gain * (own / other);
}

bool on_integers(const std::vector<std::uint32_t>& part, const StreamInfo& in) {
  const Channel& first = in.channels[part[0]];
  return in.type == SampleType::int16 && std::all_of(part.begin(), part.end(), [&](auto c) {
           const Channel& channel = in.channels[c];
           return comparable_gain(channel, first) == first.gain && channel.offset == first.offset;
         });
}

op::InputForm reference_form(const CommonReference& params, const StreamInfo& in) {
  if (on_integers(taking_part(params, in), in)) {
    return {SampleType::int16, false};
  }
  return {SampleType::float32, true};
}

void fill_weights(ReferencePlan& plan, const std::vector<std::uint32_t>& part,
                  const StreamInfo& in) {
  const Channel& first = in.channels[part[0]];
  for (const auto c : part) {
    const double weight = comparable_gain(in.channels[c], first);
    plan.weighted = plan.weighted || weight != first.gain;
    plan.weight[c] = static_cast<float>(weight);
    plan.per_weight[c] = static_cast<float>(1 / weight);
  }
  if (!plan.weighted) {
    std::fill(plan.per_weight.begin(), plan.per_weight.end(), 1.0F);
  }
}

/// The output's channels, and what int16 counts need added so that an offset of 0 is true.
void fold_offsets(ReferencePlan& plan, const StreamInfo& in) {
  plan.channels = in.channels;
  if (!plan.integer) {
    return;
  }
  for (std::size_t c = 0; c < plan.channels.size(); ++c) {
    Channel& channel = plan.channels[c];
    if (plan.target[c] != 0) {
      channel.offset = 0;
    } else if (channel.gain != 0) {  // without a gain only the description can hold the offset
      plan.fold[c] = static_cast<float>(channel.offset / channel.gain);
      channel.offset = 0;
    }
  }
}

void describe(ReferencePlan& plan, std::size_t part) {
  const char* form = plan.integer    ? "on int16 counts (one gain and offset)"
                     : plan.weighted ? "on physical values (gains differ)"
                                     : "on float32 counts (one gain)";
  plan.decisions.insert(
      plan.decisions.begin(),
      fmt::format("{} of {} of {} channels in {} set{}, {}",
                  plan.statistic == ReferenceStatistic::median ? "median" : "mean", part,
                  plan.channels.size(), plan.sets.size(), plan.sets.size() == 1 ? "" : "s", form));
}
}  // namespace

ReferencePlan plan_reference(const CommonReference& params, const StreamInfo& in) {
  ReferencePlan plan;
  plan.statistic = params.statistic;
  plan.sets = reference_sets(params, in, plan.decisions);
  const auto part = taking_part(params, in);
  const auto padded = static_cast<std::size_t>(padded_channels(in.channel_count()));
  plan.member.assign(padded, 0);
  plan.target.assign(padded, 0);
  plan.weight.assign(padded, 0);
  plan.per_weight.assign(padded, 0);
  plan.fold.assign(padded, 0);
  for (const auto c : part) {
    plan.target[c] = -1;
  }
  for (const auto c : plan.sets[0].members) {
    plan.member[c] = -1;
  }
  plan.integer = on_integers(part, in);
  fill_weights(plan, part, in);
  fold_offsets(plan, in);
  describe(plan, part.size());
  return plan;
}

namespace {
class ReferenceStep final : public op::Step {
 public:
  ReferenceStep(const CommonReference& params, const StreamInfo& in)
      : plan_(plan_reference(params, in)) {
    StreamInfo out = in;
    out.type = SampleType::float32;
    out.channels = plan_.channels;
    ports_.push_back({.name = "signal", .stream = std::move(out)});
  }

  const std::vector<op::Port>& ports() const noexcept override { return ports_; }
  op::Parallel parallel() const noexcept override { return op::Parallel::frames; }
  std::size_t state_bytes(std::int64_t) const noexcept override {
    return scratch_bytes() + reference_bytes();
  }
  std::vector<std::string> decisions() const override { return plan_.decisions; }
  std::unique_ptr<op::State> start(const op::StartPoint&) const override {
    return std::make_unique<op::State>();
  }

  bool runs_on(const compute::Target&) const noexcept override {
    return reference_fits_device(plan_);
  }
  std::unique_ptr<op::DeviceStep> device(const op::DevicePlace& place,
                                         const op::StartPoint&) const override {
    return reference_on(place, plan_);
  }
  std::size_t device_bytes(std::int64_t, std::int64_t) const noexcept override {
    return reference_device_bytes(plan_);
  }

  void run(op::State&, AnyBlock in, std::span<op::Emission> out) const override {
    const AnyBlock room = out[0].room;
    if (plan_.integer) {
      reference(Block<const std::int16_t>(in.as<std::int16_t>()), room.as<float>());
    } else {
      reference(Block<const float>(in.as<float>()), room.as<float>());
    }
    out[0].frames = in.frames();
  }

 private:
  std::size_t scratch_bytes() const noexcept { return reference_scratch_bytes(plan_.fold.size()); }
  std::size_t reference_bytes() const noexcept {
    return plan_.sets.size() * kReferenceRows * sizeof(float);
  }

  /// The mean of one set goes row by row: a few rows stay in the first-level cache until they are
  /// subtracted from.
  std::int64_t tile_frames() const noexcept {
    const bool by_row = plan_.statistic == ReferenceStatistic::mean && plan_.sets.size() == 1;
    return by_row ? std::int64_t{4} : kReferenceRows;
  }

  template <class T>
  void reference(Block<const T> in, Block<float> out) const {
    // Rows have no state, so stretches run concurrently on one State: scratch belongs to the
    // thread.
    thread_local AlignedBytes scratch;
    if (scratch.size() < scratch_bytes() + reference_bytes()) {
      scratch = AlignedBytes(scratch_bytes() + reference_bytes());
    }
    auto* references = reinterpret_cast<float*>(scratch.data() + scratch_bytes());
    const std::int64_t longest = tile_frames();
    for (std::int64_t first = 0; first < in.frames(); first += longest) {
      const std::int64_t frames = std::min(longest, in.frames() - first);
      ReferenceTile<T> tile;
      tile.frames = static_cast<std::size_t>(frames);
      for (std::int64_t row = 0; row < kReferenceRows; ++row) {
        tile.rows[static_cast<std::size_t>(row)] = in.row(first + std::min(row, frames - 1));
      }
      if (plan_.statistic == ReferenceStatistic::median) {
        median_references(plan_, tile, scratch.data(), references);
      } else {
        mean_references(plan_, tile, scratch.data(), references);
      }
      const Block<float> rows = out.slice(first, frames);
      if (plan_.sets.size() > 1) {
        spread(references, rows);
      }
      subtract_references(plan_, in.slice(first, frames), rows, references);
    }
  }

  /// Puts each channel's reference where its output will stand.
  void spread(const float* references, Block<float> rows) const noexcept {
    for (std::size_t s = 0; s < plan_.sets.size(); ++s) {
      for (const auto target : plan_.sets[s].targets) {
        for (std::int64_t frame = 0; frame < rows.frames(); ++frame) {
          rows.row(frame)[target] = references[s * kReferenceRows + frame];
        }
      }
    }
  }

  ReferencePlan plan_;
  std::vector<op::Port> ports_;
};

op::Schema<CommonReference> reference_schema() {
  using op::field;
  return op::Schema<CommonReference>{
      field("statistic", &CommonReference::statistic,
            {.aliases = {"operator"},
             .doc = "What the reference is of its channels; an even count's median is the mean of "
                    "the middle two."}),
      field("scope", &CommonReference::scope,
            {.aliases = {"reference"},
             .doc = "Which channels make a channel's reference: all that take part, its group, "
                    "those around it, or reference_channels."}),
      field("groups", &CommonReference::groups,
            {.doc = "Lists of channels (indices or names), one list per group; they replace the "
                    "channels' own groups. Channels in no list take no part."}),
      field("exclude", &CommonReference::exclude,
            {.doc = "Channels (indices or names) that take no part and pass unchanged."}),
      field("reference_channels", &CommonReference::reference_channels,
            {.doc = "The channels (indices or names) of scope channels."}),
      field("local_um", &CommonReference::local_um,
            {.unit = "um",
             .min = 0,
             .doc = "Scope local: channels farther than the first and no farther than the second "
                    "number; fewer than 5 are filled up with the nearest outside the first."})};
}
}  // namespace

const op::Operator& common_reference_operator() {
  static const auto kMade = op::make_operator<CommonReference>(
      {.name = "common_reference",
       .summary = "Subtract what the channels have in common.",
       .schema = reference_schema(),
       .plan = [](const CommonReference& params,
                  const op::StepContext& context) -> std::unique_ptr<op::Step> {
         return std::make_unique<ReferenceStep>(params, context.in);
       },
       .input_form = &reference_form,
       .device = kernels::kCommonReference});
  return *kMade;
}

}  // namespace weir::signal
