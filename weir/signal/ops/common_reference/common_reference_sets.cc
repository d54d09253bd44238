#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include "weir/signal/channel_list.h"
#include "weir/signal/ops/common_reference/common_reference.h"

namespace weir::signal {
namespace {
using Indices = std::vector<std::uint32_t>;

[[noreturn]] void refuse(const std::string& text) {
  throw Error(ErrorCode::invalid_spec, text);
}

/// Indices as kernels hold them.
Indices narrow(const std::vector<std::int64_t>& channels) {
  return {channels.begin(), channels.end()};
}

bool contains(const Indices& sorted, std::uint32_t index) {
  return std::binary_search(sorted.begin(), sorted.end(), index);
}

Indices electrical_less_excluded(const CommonReference& params, const StreamInfo& in) {
  const Indices excluded = narrow(find_channels(params.exclude, in, "exclude"));
  Indices part;
  for (const std::int64_t c : electrical_channels(in.channels)) {
    if (!contains(excluded, static_cast<std::uint32_t>(c))) {
      part.push_back(static_cast<std::uint32_t>(c));
    }
  }
  return part;
}

std::vector<Indices> named_groups(const CommonReference& params, const StreamInfo& in,
                                  const Indices& candidates) {
  std::vector<Indices> groups;
  std::map<std::uint32_t, std::size_t> seen;
  for (std::size_t g = 0; g < params.groups.lists.size(); ++g) {
    Indices kept;
    for (const auto c : narrow(find_channels(params.groups.lists[g], in, "groups"))) {
      const auto [other, fresh] = seen.emplace(c, g);
      if (!fresh) {
        refuse(fmt::format("groups: channel {} (\"{}\") is in groups {} and {}", c,
                           in.channels[c].name, other->second, g));
      }
      if (contains(candidates, c)) {
        kept.push_back(c);
      }
    }
    if (kept.empty()) {
      refuse(fmt::format("groups: no channel of group {} takes part", g));
    }
    groups.push_back(std::move(kept));
  }
  return groups;
}

std::vector<Indices> own_groups(const StreamInfo& in, const Indices& part) {
  std::map<std::string, Indices> groups;
  for (const auto c : part) {
    groups[in.channels[c].group].push_back(c);
  }
  std::vector<Indices> lists;
  lists.reserve(groups.size());
  for (auto& [name, list] : groups) {
    lists.push_back(std::move(list));
  }
  return lists;
}

struct Neighbour {
  double distance = 0;
  std::uint32_t channel = 0;
};

/// The channels of the annulus; widened outwards when they are too few, and inwards only when no
/// channel at all lies outside the inner radius.
Indices neighbours(std::size_t of, const CommonReference& params, const Indices& part,
                   const Positions& positions, bool& widened) {
  std::vector<Neighbour> outside;
  std::vector<Neighbour> inside;
  for (std::size_t i = 0; i < part.size(); ++i) {
    if (i != of) {
      const double distance = distance_um(positions[of], positions[i]);
      (distance > params.local_um[0] ? outside : inside).push_back({distance, part[i]});
    }
  }
  const bool inwards = outside.empty();
  std::vector<Neighbour>& candidates = inwards ? inside : outside;
  std::sort(candidates.begin(), candidates.end(), [&](const auto& a, const auto& b) {
    if (a.distance != b.distance) {
      return inwards ? a.distance > b.distance : a.distance < b.distance;
    }
    return a.channel < b.channel;
  });
  Indices chosen;
  for (const auto& candidate : candidates) {
    const bool in_annulus = !inwards && candidate.distance <= params.local_um[1];
    if (in_annulus || chosen.size() < kLeastNeighbours) {
      chosen.push_back(candidate.channel);
      widened = widened || !in_annulus;
    }
  }
  std::sort(chosen.begin(), chosen.end());
  return chosen;
}

std::vector<ReferenceSet> local_sets(const CommonReference& params, const StreamInfo& in,
                                     const Indices& part, std::vector<std::string>& decisions) {
  const auto& radii = params.local_um;
  if (radii.size() != 2 || !(radii[0] >= 0) || !(radii[0] < radii[1])) {
    refuse(fmt::format("local_um: needs [inner, outer] with 0 <= inner < outer, found [{}]",
                       fmt::join(radii, ", ")));
  }
  if (part.size() < 2) {
    refuse("scope: local needs at least two channels that take part");
  }
  const Positions positions = positions_of({part.begin(), part.end()}, in, "scope: local");
  std::vector<ReferenceSet> sets;
  Indices widened_for;
  for (std::size_t i = 0; i < part.size(); ++i) {
    const auto c = part[i];
    bool widened = false;
    sets.push_back({neighbours(i, params, part, positions, widened), {c}});
    if (widened) {
      widened_for.push_back(c);
    }
  }
  if (!widened_for.empty()) {
    decisions.push_back(
        fmt::format("fewer than {} channels in ({}, {}] um: the nearest outside {} um are used for "
                    "channels {}",
                    kLeastNeighbours, radii[0], radii[1], radii[0], fmt::join(widened_for, ", ")));
  }
  return sets;
}

Indices chosen_references(const CommonReference& params, const StreamInfo& in,
                          const Indices& part) {
  const Indices chosen = narrow(find_channels(params.reference_channels, in, "reference_channels"));
  if (chosen.empty()) {
    refuse("reference_channels: scope channels needs at least one");
  }
  for (const auto c : chosen) {
    if (!contains(part, c)) {
      refuse(fmt::format("reference_channels: channel {} (\"{}\", unit \"{}\") takes no part", c,
                         in.channels[c].name, in.channels[c].unit));
    }
  }
  return chosen;
}

void check_scope(const CommonReference& params) {
  const bool grouped = params.scope == ReferenceScope::all || params.scope == ReferenceScope::group;
  if (!params.groups.lists.empty() && !grouped) {
    refuse("groups: only scope all and scope group use them");
  }
  if (!params.reference_channels.empty() && params.scope != ReferenceScope::channels) {
    refuse("reference_channels: only scope channels uses them");
  }
}
}  // namespace

std::vector<std::uint32_t> taking_part(const CommonReference& params, const StreamInfo& in) {
  check_scope(params);
  Indices part = electrical_less_excluded(params, in);
  if (!params.groups.lists.empty()) {
    Indices grouped;
    for (const auto& group : named_groups(params, in, part)) {
      grouped.insert(grouped.end(), group.begin(), group.end());
    }
    std::sort(grouped.begin(), grouped.end());
    part = std::move(grouped);
  }
  if (part.empty()) {
    refuse("exclude: no channel is left to take part");
  }
  if (part.size() > kMostReferenceChannels) {
    refuse(fmt::format("exclude: {} channels take part; at most {} can", part.size(),
                       kMostReferenceChannels));
  }
  return part;
}

std::vector<ReferenceSet> reference_sets(const CommonReference& params, const StreamInfo& in,
                                         std::vector<std::string>& decisions) {
  const Indices part = taking_part(params, in);
  if (params.scope == ReferenceScope::local) {
    return local_sets(params, in, part, decisions);
  }
  if (params.scope == ReferenceScope::channels) {
    return {{chosen_references(params, in, part), part}};
  }
  std::vector<ReferenceSet> sets;
  if (!params.groups.lists.empty()) {
    for (const auto& group : named_groups(params, in, part)) {
      sets.push_back({group, group});
    }
  } else if (params.scope == ReferenceScope::group) {
    for (const auto& group : own_groups(in, part)) {
      sets.push_back({group, group});
    }
  } else {
    sets.push_back({part, part});
  }
  for (const auto& set : sets) {
    if (set.members.size() == 1) {
      decisions.push_back(fmt::format("channel {} is alone in its group: its output is 0",
                                      in.channels[set.members[0]].name));
    }
  }
  return sets;
}

}  // namespace weir::signal
