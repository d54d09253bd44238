#include "weir/formats/probe_file.h"

#include <fmt/format.h>

#include <algorithm>

#include "weir/core/error.h"
#include "weir/core/text.h"
#include "weir/formats/json.h"
#include "weir/formats/python_literal.h"
#include "weir/formats/recording_document.h"

namespace weir::formats {
namespace {
constexpr std::int64_t kMostBytes = std::int64_t{64} << 20;

ProbeContact prb_contact(const Value& place, const std::string& group) {
  const auto& axes = place.as_array();
  if (axes.size() < 2 || axes.size() > 3) {
    throw Error(ErrorCode::corrupt_data, fmt::format("{} coordinates, not 2 or 3", axes.size()));
  }
  ProbeContact contact;
  for (std::size_t i = 0; i < axes.size(); ++i) {
    contact.position.at(i) = axes[i].as_number();
  }
  contact.shank = group;
  return contact;
}

void read_group(const std::string& name, const Value& group,
                std::map<std::int64_t, ProbeContact>& contacts) {
  const Value& geometry = group.at("geometry");
  for (const Value& channel : group.at("channels").as_array()) {
    const std::int64_t index = channel.as_integer();
    const Value* place = geometry.find(fmt::format("{}", index));
    if (place == nullptr) {
      throw Error(ErrorCode::corrupt_data, fmt::format("geometry: no place for channel {}", index));
    }
    const auto contact = in_context(fmt::format("geometry: channel {}", index),
                                    [&] { return prb_contact(*place, name); });
    if (!contacts.emplace(index, contact).second) {
      throw Error(ErrorCode::corrupt_data, fmt::format("channels: {} is named twice", index));
    }
  }
}

std::map<std::int64_t, ProbeContact> read_prb(const std::string& text) {
  std::map<std::int64_t, ProbeContact> contacts;
  const Value groups = python_literal(text, "channel_groups");
  for (const auto& [name, group] : groups.as_object()) {
    in_context(fmt::format("channel_groups[{}]", printable(name)),
               [&] { read_group(name, group, contacts); });
  }
  return contacts;
}
}  // namespace

std::map<std::int64_t, ProbeContact> read_probe_file(const std::filesystem::path& path) {
  const std::string text = read_text_file(path.string(), kMostBytes);
  const bool prb = ends_with_ignoring_case(path.string(), ".prb");
  auto contacts = reading_document(
      path.string(), [&] { return prb ? read_prb(text) : read_probe_document(parse_json(text)); });
  if (contacts.empty()) {
    throw Error(ErrorCode::corrupt_data,
                fmt::format("{}: no contact is wired to a channel", path.string()));
  }
  return contacts;
}

void attach_probe(const std::map<std::int64_t, ProbeContact>& contacts,
                  std::vector<Channel>& channels) {
  const auto wanted = electrical_channels(channels);
  const auto refuse = [&](const std::string& what) {
    throw Error(ErrorCode::invalid_spec,
                fmt::format("probe: {} contacts for {} channels that record a voltage: {}",
                            contacts.size(), wanted.size(), what));
  };
  for (const std::int64_t index : wanted) {
    if (!contacts.contains(index)) {
      refuse(fmt::format("channel {} ({}) has none", index,
                         printable(channels[static_cast<std::size_t>(index)].name)));
    }
  }
  std::size_t probes = 0;
  for (const auto& [index, contact] : contacts) {
    if (!std::binary_search(wanted.begin(), wanted.end(), index)) {
      refuse(fmt::format("a contact is wired to channel {}", index));
    }
    probes = std::max(probes, contact.probe + 1);
  }
  for (const auto& [index, contact] : contacts) {
    Channel& channel = channels[static_cast<std::size_t>(index)];
    channel.position = contact.position;
    channel.group = probes > 1 ? fmt::format("{}:{}", contact.probe, contact.shank) : contact.shank;
  }
}

}  // namespace weir::formats
