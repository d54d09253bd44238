#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <set>

#include "weir/core/error.h"
#include "weir/core/probe_document.h"
#include "weir/signal/channel_list.h"
#include "weir/signal/ops/channel_map/channel_map_internal.h"

namespace weir::signal {
namespace {
[[noreturn]] void refuse(const std::string& text) {
  throw Error(ErrorCode::invalid_spec, text);
}

/// Pairs, where they were given, and what their first channel is called.
struct GivenPairs {
  std::vector<ChannelPair> list;
  std::string field;
  std::int64_t base = 0;
};

/// A file's table: `channel_map`, or `remap` as dspk calls it.
GivenPairs pairs_of_file(const Value& file) {
  const Value* table = nullptr;
  for (const auto& [key, value] : file.as_object()) {
    if (key != "channel_map" && key != "remap") {
      refuse(
          fmt::format("file: unknown key \"{}\"; a table channel_map (or remap) is wanted", key));
    }
    if (table != nullptr) {
      refuse("file: holds both channel_map and remap");
    }
    table = &value;
  }
  if (table == nullptr || !table->is_object()) {
    refuse("file: has no table channel_map (or remap)");
  }
  GivenPairs given{{}, "file", 0};
  for (const auto& [key, value] : table->as_object()) {
    if (key == "pairs") {
      given.list = in_context("file: pairs", [&value = value] {
                     return op::Codec<ChannelPairList>::read(value);
                   }).list;
    } else if (key == "base") {
      given.base = in_context("file: base", [&value = value] { return value.as_integer(); });
    } else {
      refuse(fmt::format("file: unknown key \"{}\"; known: base, pairs", key));
    }
  }
  if (given.base != 0 && given.base != 1) {
    refuse(fmt::format("file: base: {} is neither 0 nor 1", given.base));
  }
  return given;
}

GivenPairs given_pairs(const ChannelMap& params) {
  if (params.file.is_null()) {
    return {params.pairs.list, "pairs", params.base.value_or(0)};
  }
  if (!params.pairs.list.empty()) {
    refuse("file: pairs are given too");
  }
  if (params.base) {
    refuse("base: the file says what its base is");
  }
  GivenPairs given = pairs_of_file(params.file);
  if (given.list.empty()) {
    refuse("file: has no pairs");
  }
  return given;
}

/// The input of a pair.
std::int64_t input_of(const ChannelPair& pair, const GivenPairs& given, const StreamInfo& in) {
  if (!pair.from.is_number()) {
    return find_channel(pair.from, in, given.field + ": from");
  }
  const std::int64_t from =
      in_context(given.field + ": from", [&pair] { return pair.from.as_integer(); });
  if (from < given.base || from - given.base >= in.channel_count()) {
    refuse(fmt::format("{}: from: there is no channel {}; the stream has {} to {}", given.field,
                       from, given.base, in.channel_count() - 1 + given.base));
  }
  return from - given.base;
}

/// The pair of each output. A stream without channels has no map: there is none to be planned.
std::vector<const ChannelPair*> by_output(const GivenPairs& given) {
  const std::int64_t outputs = std::ssize(given.list);
  std::vector<const ChannelPair*> pairs(given.list.size(), nullptr);
  for (const auto& pair : given.list) {
    if (pair.to < given.base || pair.to - given.base >= outputs) {
      refuse(fmt::format("{}: to: {} pairs make outputs {} to {}, not {}", given.field, outputs,
                         given.base, outputs - 1 + given.base, pair.to));
    }
    auto& place = pairs[static_cast<std::size_t>(pair.to - given.base)];
    if (place != nullptr) {
      // As many pairs as outputs: one that has two leaves another without any.
      refuse(fmt::format("{}: to: output {} has two inputs, {} and {}", given.field, pair.to,
                         to_json(place->from), to_json(pair.from)));
    }
    place = &pair;
  }
  return pairs;
}

void refuse_double_names(const PlannedMap& map, const std::vector<const ChannelPair*>& pairs,
                         const std::string& field) {
  std::map<std::string_view, std::size_t> seen;
  for (std::size_t j = 0; j < pairs.size(); ++j) {
    const auto [first, fresh] = seen.emplace(map.channels[j].name, j);
    // Names that a recording has twice already are its own.
    if (!fresh && !(pairs[j]->name.empty() && pairs[first->second]->name.empty())) {
      refuse(fmt::format("{}: name: outputs {} and {} would both be called \"{}\"", field,
                         pairs[first->second]->to, pairs[j]->to, map.channels[j].name));
    }
  }
}

PlannedMap mapped(const GivenPairs& given, const StreamInfo& in) {
  const auto pairs = by_output(given);
  PlannedMap map;
  std::map<std::int64_t, std::int64_t> used;
  for (const ChannelPair* pair : pairs) {
    const std::int64_t from = input_of(*pair, given, in);
    const auto [first, fresh] = used.emplace(from, pair->to);
    if (!fresh) {
      refuse(fmt::format("{}: from: input {} (\"{}\") makes outputs {} and {}", given.field,
                         from + given.base, in.channels[static_cast<std::size_t>(from)].name,
                         first->second, pair->to));
    }
    map.from.push_back(static_cast<std::int32_t>(from));
    map.channels.push_back(in.channels[static_cast<std::size_t>(from)]);
    if (!pair->name.empty()) {
      map.channels.back().name = pair->name;
    }
  }
  refuse_double_names(map, pairs, given.field);
  map.decisions.push_back(fmt::format("{} of {} channels{}", map.from.size(), in.channels.size(),
                                      map.keeps_order(in.channel_count()) ? "" : ", moved"));
  return map;
}

PlannedMap unmapped(const StreamInfo& in) {
  PlannedMap map;
  map.from.resize(in.channels.size());
  std::iota(map.from.begin(), map.from.end(), 0);
  map.channels = in.channels;
  return map;
}

void place_on_probe(const Value& document, PlannedMap& map) {
  const auto contacts = in_context("probe", [&document]() -> std::map<std::int64_t, ProbeContact> {
    try {
      return read_probe_document(document);
    } catch (const Error& error) {
      throw Error(ErrorCode::invalid_spec, error.text());
    }
  });
  const bool several = std::any_of(contacts.begin(), contacts.end(),
                                   [](const auto& contact) { return contact.second.probe > 0; });
  std::set<std::int64_t> taken;
  for (Channel& channel : map.channels) {
    channel.position.reset();
    channel.group.clear();
    const auto contact = contacts.find(channel.source_index);
    if (contact == contacts.end()) {
      continue;
    }
    if (!taken.insert(channel.source_index).second) {
      refuse(
          fmt::format("probe: two channels are at position {} of their files; place them before "
                      "they are joined",
                      channel.source_index));
    }
    channel.position = contact->second.position;
    channel.group = several ? fmt::format("{}:{}", contact->second.probe, contact->second.shank)
                            : contact->second.shank;
  }
  if (taken.empty()) {
    refuse(fmt::format("probe: none of its {} wired contacts belongs to a channel of the stream",
                       contacts.size()));
  }
  map.decisions.push_back(fmt::format("{} of {} channels have a contact of the probe", taken.size(),
                                      map.channels.size()));
}
}  // namespace

bool PlannedMap::keeps_order(std::int64_t inputs) const noexcept {
  return std::ssize(from) == inputs && std::is_sorted(from.begin(), from.end());
}

PlannedMap plan_channel_map(const ChannelMap& params, const StreamInfo& in) {
  const GivenPairs given = given_pairs(params);
  if (given.list.empty() && params.probe.is_null()) {
    refuse("pairs: neither pairs, a file nor a probe is given");
  }
  PlannedMap map = given.list.empty() ? unmapped(in) : mapped(given, in);
  if (!params.probe.is_null()) {
    place_on_probe(params.probe, map);
  }
  return map;
}

}  // namespace weir::signal
