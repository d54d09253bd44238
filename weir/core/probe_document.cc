#include "weir/core/probe_document.h"

#include <fmt/format.h>

#include <cmath>
#include <set>

#include "weir/core/error.h"

namespace weir {
namespace {
[[noreturn]] void refuse(const std::string& text) {
  throw Error(ErrorCode::corrupt_data, text);
}

std::array<double, 3> position_of(const Value& value, double micrometres) {
  std::array<double, 3> position{};
  const auto& numbers = value.as_array();
  if (numbers.size() < 2 || numbers.size() > 3) {
    refuse(fmt::format("contact_positions: {} coordinates, not 2 or 3", numbers.size()));
  }
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    position.at(i) = numbers[i].as_number() * micrometres;
  }
  return position;
}

/// Entry `index` of a list with one entry a contact, if there is such a list.
const Value* entry_of(const Value& probe, std::string_view key, std::size_t index,
                      std::size_t contacts) {
  const Value* list = probe.find(key);
  if (list == nullptr || list->is_null()) {
    return nullptr;
  }
  if (list->as_array().size() != contacts) {
    refuse(fmt::format("{}: {} entries for {} contacts", key, list->as_array().size(), contacts));
  }
  return &list->as_array()[index];
}

void read_probe(const Value& probe, std::size_t number,
                std::map<std::int64_t, ProbeContact>& contacts) {
  const Value* unit = probe.find("si_units");
  const bool millimetres = unit != nullptr && *unit == Value("mm");
  if (unit != nullptr && !millimetres && *unit != Value("um")) {
    refuse(fmt::format("si_units: {} is neither um nor mm", to_json(*unit)));
  }
  const auto& positions = probe.at("contact_positions").as_array();
  const auto first = static_cast<std::int64_t>(contacts.size());
  for (std::size_t i = 0; i < positions.size(); ++i) {
    const Value* wired = entry_of(probe, "device_channel_indices", i, positions.size());
    const std::int64_t channel =
        wired != nullptr ? wired->as_integer() : first + static_cast<std::int64_t>(i);
    if (channel < 0) {
      continue;
    }
    ProbeContact contact{position_of(positions[i], millimetres ? 1000 : 1), {}, number};
    const Value* shank = entry_of(probe, "shank_ids", i, positions.size());
    if (shank != nullptr) {
      contact.shank = shank->is_string() ? shank->as_string() : to_json(*shank);
    }
    if (!contacts.emplace(channel, std::move(contact)).second) {
      refuse(fmt::format("device_channel_indices: channel {} has two contacts", channel));
    }
  }
}
}  // namespace

std::map<std::int64_t, ProbeContact> read_probe_document(const Value& document) {
  std::map<std::int64_t, ProbeContact> contacts;
  try {
    const auto& probes = document.at("probes").as_array();
    for (std::size_t i = 0; i < probes.size(); ++i) {
      in_context(fmt::format("probe {}", i), [&] { read_probe(probes[i], i, contacts); });
    }
  } catch (const Error& error) {
    throw Error(ErrorCode::corrupt_data, error.text());
  }
  return contacts;
}

Value to_probe_document(const std::vector<Channel>& channels) {
  std::set<std::string> names;
  bool flat = true;
  for (const auto& channel : channels) {
    names.insert(channel.name);
    flat = flat && (!channel.position || (*channel.position)[2] == 0);
  }
  Value positions = Value::array();
  Value axes = Value::array();
  Value shapes = Value::array();
  Value sizes = Value::array();
  Value wired = Value::array();
  Value ids = Value::array();
  Value shanks = Value::array();
  const std::size_t dimensions = flat ? 2 : 3;
  for (std::size_t i = 0; i < channels.size(); ++i) {
    const Channel& channel = channels[i];
    if (!channel.position) {
      continue;
    }
    Value::Array place(channel.position->begin(),
                       channel.position->begin() + static_cast<std::ptrdiff_t>(dimensions));
    positions.push_back(Value(std::move(place)));
    Value across = Value::array();
    for (const std::size_t along : {0U, 1U}) {
      Value::Array axis(dimensions, Value(0.0));
      axis[along] = 1.0;
      across.push_back(Value(std::move(axis)));
    }
    axes.push_back(std::move(across));
    shapes.push_back("circle");
    Value size = Value::object();
    size.set("radius", 1.0);
    sizes.push_back(std::move(size));
    wired.push_back(static_cast<std::int64_t>(i));
    ids.push_back(names.size() == channels.size() ? channel.name : fmt::format("{}", i));
    shanks.push_back(channel.group);
  }
  Value notes = Value::object();
  notes.set("model_name", "");
  notes.set("manufacturer", "");
  notes.set("contact_shapes", "not known");
  Value probe = Value::object();
  probe.set("ndim", static_cast<std::int64_t>(dimensions));
  probe.set("si_units", "um");
  probe.set("annotations", std::move(notes));
  probe.set("contact_annotations", Value::object());
  probe.set("contact_positions", std::move(positions));
  probe.set("contact_plane_axes", std::move(axes));
  probe.set("contact_shapes", std::move(shapes));
  probe.set("contact_shape_params", std::move(sizes));
  probe.set("device_channel_indices", std::move(wired));
  probe.set("contact_ids", std::move(ids));
  probe.set("shank_ids", std::move(shanks));
  Value document = Value::object();
  document.set("specification", "probeinterface");
  document.set("version", "0.4.2");
  document.set("probes", Value(Value::Array{std::move(probe)}));
  return document;
}

}  // namespace weir
