#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "weir/op/operator.h"

namespace weir::signal {

enum class ReferenceStatistic { median, mean };

/// Which channels make a channel's reference.
enum class ReferenceScope {
  all,      ///< Every channel that takes part.
  group,    ///< Those of its own group (a shank).
  local,    ///< Those at a distance in (inner, outer].
  channels  ///< Those named by `reference_channels`.
};

/// Lists of channels, each an index or a name.
struct ChannelGroups {
  std::vector<std::vector<Value>> lists;
};

/// Subtracts from every channel what the channels around it have in common.
struct CommonReference {
  ReferenceStatistic statistic = ReferenceStatistic::median;
  ReferenceScope scope = ReferenceScope::all;
  ChannelGroups groups;                          ///< Replace the channels' own groups.
  std::vector<Value> exclude;                    ///< Neither make a reference nor lose one.
  std::vector<Value> reference_channels;         ///< For scope `channels`.
  std::vector<double> local_um = {40.0, 140.0};  ///< For scope `local`: inner and outer radius.
};

/// An annulus that holds fewer channels than this is widened outwards until it holds them.
inline constexpr std::size_t kLeastNeighbours = 5;
/// Kernels count channels in 16 bits.
inline constexpr std::size_t kMostReferenceChannels = 32767;

/// Channels whose common value is taken from the same channels.
struct ReferenceSet {
  std::vector<std::uint32_t> members;  ///< Make the reference, ascending.
  std::vector<std::uint32_t> targets;  ///< Lose it.
};

/// `CommonReference` bound to a stream; what kernels on any target need.
/// Shape: the per-channel tables have `padded_channels` entries; padding takes no part.
struct ReferencePlan {
  ReferenceStatistic statistic = ReferenceStatistic::median;
  std::vector<ReferenceSet> sets;
  bool integer = false;              ///< int16 counts go in and the statistic is taken on them.
  bool weighted = false;             ///< Gains differ: the statistic is taken on count * `weight`.
  std::vector<std::int32_t> member;  ///< -1 for members of the only set, else 0.
  std::vector<std::int32_t> target;  ///< -1 for channels that lose a reference, else 0.
  std::vector<float> weight;         ///< Physical units per count, in the first channel's unit.
  std::vector<float> per_weight;     ///< 1 / `weight`.
  std::vector<float> fold;           ///< Added to int16 counts: offset / gain of the channels that
                                     ///< take no part.
  std::vector<Channel> channels;     ///< Of the output.
  std::vector<std::string> decisions;
};

/// Errors: `invalid_spec` naming the field when a channel is unknown, named twice or not
///         electrical, a list is empty, a position is missing, or gains cannot be compared.
ReferencePlan plan_reference(const CommonReference& params, const StreamInfo& in);
/// Indices of the channels that take part: the electrical ones, less `exclude` and, with `groups`,
/// less those in no group.
std::vector<std::uint32_t> taking_part(const CommonReference& params, const StreamInfo& in);
/// One entry per distinct set of reference channels.
std::vector<ReferenceSet> reference_sets(const CommonReference& params, const StreamInfo& in,
                                         std::vector<std::string>& decisions);

const op::Operator& common_reference_operator();

}  // namespace weir::signal
