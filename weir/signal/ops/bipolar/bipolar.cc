#include "weir/signal/ops/bipolar/bipolar.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <set>

#include "weir/core/error.h"
#include "weir/signal/channel_list.h"

namespace weir::signal {

static std::span<const op::EnumName<BipolarOrder>> names_of(BipolarOrder) {
  static constexpr std::array<op::EnumName<BipolarOrder>, 4> kNames{
      {{"channels", BipolarOrder::channels},
       {"x", BipolarOrder::x},
       {"y", BipolarOrder::y},
       {"z", BipolarOrder::z}}};
  return kNames;
}

namespace {
using Pair = std::pair<std::int64_t, std::int64_t>;

[[noreturn]] void refuse(const std::string& text) {
  throw Error(ErrorCode::invalid_spec, text);
}

std::vector<Pair> given_pairs(const Bipolar& params, const StreamInfo& in) {
  if (params.along != BipolarOrder::channels) {
    refuse("along: orders neighbours; pairs are given");
  }
  std::vector<Pair> pairs;
  for (const auto& [plus, minus] : params.pairs.list) {
    const Pair pair{find_channel(plus, in, "pairs"), find_channel(minus, in, "pairs")};
    const std::string& name = in.channels[static_cast<std::size_t>(pair.first)].name;
    if (pair.first == pair.second) {
      refuse(fmt::format("pairs: channel {} (\"{}\") less itself", pair.first, name));
    }
    if (std::find(pairs.begin(), pairs.end(), pair) != pairs.end()) {
      refuse(fmt::format("pairs: [{}, {}] is given twice", pair.first, pair.second));
    }
    pairs.push_back(pair);
  }
  return pairs;
}

std::vector<Pair> neighbours(const Bipolar& params, const StreamInfo& in) {
  std::vector<Pair> pairs;
  for (auto group : by_group(electrical_channels(in.channels), in)) {
    if (params.along != BipolarOrder::channels) {
      const auto axis = static_cast<std::size_t>(params.along) - 1;
      group = along_axis(group, in, axis, "along: an axis");
    }
    for (std::size_t i = 1; i < group.size(); ++i) {
      pairs.emplace_back(group[i - 1], group[i]);
    }
  }
  if (pairs.empty()) {
    refuse("along: no group has two channels");
  }
  return pairs;
}

/// The plus channel, between the two.
Channel difference_of(const Channel& plus, const Channel& minus) {
  Channel channel = plus;
  channel.name = fmt::format("{}-{}", plus.name, minus.name);
  channel.offset = 0;
  channel.gain = std::isnormal(plus.gain) ? plus.gain : 1;
  if (plus.group != minus.group) {
    channel.group.clear();
  }
  if (plus.position && minus.position) {
    for (std::size_t axis = 0; axis < 3; ++axis) {
      (*channel.position)[axis] = ((*plus.position)[axis] + (*minus.position)[axis]) / 2;
    }
  } else {
    channel.position.reset();
  }
  return channel;
}
}  // namespace

ChannelMatrix plan_bipolar(const Bipolar& params, const StreamInfo& in) {
  const auto pairs = params.pairs.list.empty() ? neighbours(params, in) : given_pairs(params, in);
  ChannelMatrix matrix{in.channel_count(), {}, {}};
  std::set<std::int64_t> used;
  for (const auto& [plus, minus] : pairs) {
    const Channel& from = in.channels[static_cast<std::size_t>(plus)];
    matrix.channels.push_back(difference_of(from, in.channels[static_cast<std::size_t>(minus)]));
    matrix.rows.emplace_back();
    set_row(matrix, std::ssize(matrix.rows) - 1, {{plus, 1.0}, {minus, -1.0}}, in, "pairs");
    used.insert({plus, minus});
  }
  const auto electrical = electrical_channels(in.channels);
  for (std::int64_t c = 0; c < in.channel_count(); ++c) {
    if (!std::binary_search(electrical.begin(), electrical.end(), c) && !used.contains(c)) {
      ChannelMatrix all = identity_matrix(in);
      matrix.rows.push_back(all.rows[static_cast<std::size_t>(c)]);
      matrix.channels.push_back(all.channels[static_cast<std::size_t>(c)]);
    }
  }
  return matrix;
}

const op::Operator& bipolar_operator() {
  using op::field;
  static const auto kMade = op::make_operator<Bipolar>(
      {.name = "bipolar",
       .summary = "Differences of neighbouring channels.",
       .schema = op::Schema<Bipolar>{field("pairs", &Bipolar::pairs,
                                           {.doc = "The differences: [[a, b], …] gives a less b. "
                                                   "Default: each channel less the next of its "
                                                   "group."}),
                                     field("along", &Bipolar::along,
                                           {.doc = "Which channel is the next: in the order of the "
                                                   "channels, or of their positions on an axis."})},
       .plan = [](const Bipolar& params,
                  const op::StepContext& context) -> std::unique_ptr<op::Step> {
         ChannelMatrix matrix = plan_bipolar(params, context.in);
         const std::string told = describe(matrix);
         return channel_matrix_step(std::move(matrix), context.in, {.decisions = {told}});
       },
       .device = channel_matrix_kernels()});
  return *kMade;
}

}  // namespace weir::signal
