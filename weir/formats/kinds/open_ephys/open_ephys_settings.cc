#include "weir/formats/kinds/open_ephys/open_ephys_settings.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>

#include "weir/core/error.h"
#include "weir/core/text.h"

namespace weir::formats {
namespace {
/// A start tag: `<CHANNELS CH0="0:0" …>`. Text between tags, comments and entities do not matter
/// here.
struct Tag {
  std::string_view name;
  std::map<std::string_view, std::string_view> attributes;

  std::string_view at(std::string_view key) const {
    const auto found = attributes.find(key);
    return found == attributes.end() ? std::string_view() : found->second;
  }
};

std::string_view take_name(std::string_view& text) {
  const std::size_t end = std::min(text.find_first_of(" \t\r\n=/>\""), text.size());
  const std::string_view name = text.substr(0, end);
  text.remove_prefix(end);
  return name;
}

/// The next start tag of `text`, which is moved behind it.
std::optional<Tag> take_tag(std::string_view& text) {
  const std::size_t open = text.find('<');
  if (open == std::string_view::npos) {
    return std::nullopt;
  }
  text.remove_prefix(open + 1);
  Tag tag;
  tag.name = take_name(text);
  while (!text.empty() && text.front() != '>') {
    text = text.substr(std::min(text.find_first_not_of(" \t\r\n/=\""), text.size()));
    const std::string_view key = take_name(text);
    if (key.empty() || !text.starts_with("=\"")) {
      continue;
    }
    text.remove_prefix(2);
    const std::size_t end = std::min(text.find('"'), text.size());
    tag.attributes.emplace(key, text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return tag;
}

struct Probe {
  std::string part;
  bool enabled = true;
  std::map<std::string_view, std::string_view> banks;  ///< "bank:shank", or "bank".
  std::map<std::string_view, std::string_view> x;
  std::map<std::string_view, std::string_view> y;
};

struct Settings {
  double version = 0;  ///< 0.6 for 0.6.4.
  bool channel_map = false;
  std::vector<std::string> names;  ///< Of probes: streams without "-AP" and "-LFP".
  std::vector<Probe> probes;
};

std::string probe_name(std::string_view stream) {
  for (const std::string_view ending : {"-AP", "-LFP"}) {
    if (stream.ends_with(ending)) {
      stream.remove_suffix(ending.size());
    }
  }
  return std::string(stream);
}

double version_of(std::string_view text) {
  const std::size_t dot = text.find('.');
  const std::size_t end = dot == std::string_view::npos ? dot : text.find('.', dot + 1);
  try {
    return parse_number(text.substr(0, std::min(end, text.size())));
  } catch (const Error&) {
    return 0;
  }
}

void take_into(Settings& settings, const Tag& tag, bool of_probes) {
  if (tag.name == "STREAM" && of_probes && !tag.at("name").empty() &&
      tag.at("name").find("ADC") == std::string_view::npos) {
    const std::string name = probe_name(tag.at("name"));
    if (std::find(settings.names.begin(), settings.names.end(), name) == settings.names.end()) {
      settings.names.push_back(name);
    }
  } else if (tag.name == "NP_PROBE") {
    settings.probes.push_back({.part = std::string(tag.at("probe_part_number")),
                               .enabled = tag.at("isEnabled") != "0",
                               .banks = {},
                               .x = {},
                               .y = {}});
  } else if (!settings.probes.empty()) {
    Probe& probe = settings.probes.back();
    if (tag.name == "CHANNELS") {
      probe.banks = tag.attributes;
    } else if (tag.name == "ELECTRODE_XPOS") {
      probe.x = tag.attributes;
    } else if (tag.name == "ELECTRODE_YPOS") {
      probe.y = tag.attributes;
    }
  }
}

Settings parse(std::string_view text) {
  Settings settings;
  bool of_probes = false;
  for (auto tag = take_tag(text); tag; tag = take_tag(text)) {
    if (tag->name == "VERSION") {
      const std::size_t end = text.find('<');
      settings.version = text.empty() ? 0 : version_of(text.substr(1, end == 0 ? 0 : end - 1));
    } else if (tag->name == "PROCESSOR") {
      const std::string_view name = tag->at("name");
      of_probes = name.find("Neuropix") != std::string_view::npos &&
                  name.find("CAR") == std::string_view::npos;
      of_probes = of_probes || name.find("OneBox") != std::string_view::npos;
      settings.channel_map = settings.channel_map || name.find("Channel Map") != name.npos;
    } else {
      take_into(settings, *tag, of_probes);
    }
  }
  std::erase_if(settings.probes, [](const Probe& probe) { return !probe.enabled; });
  return settings;
}

std::optional<double> micrometres(const std::map<std::string_view, std::string_view>& from,
                                  const std::string& channel) {
  const auto found = from.find(channel);
  if (found == from.end()) {
    return std::nullopt;
  }
  try {
    const double value = parse_number(found->second);
    return std::fabs(value) < 1e9 ? std::optional(value) : std::nullopt;
  } catch (const Error&) {
    return std::nullopt;
  }
}

/// Position, shank and number of the channel, where the probe has one of its name.
bool place(const Probe& probe, Channel& channel) {
  const auto x = micrometres(probe.x, channel.name);
  const auto y = micrometres(probe.y, channel.name);
  const bool numbered = channel.name.size() > 2 && channel.name.size() < 9 &&
                        channel.name.starts_with("CH") &&
                        channel.name.find_first_not_of("0123456789", 2) == std::string::npos;
  if (!x || !y || !numbered) {
    return false;
  }
  channel.position = {*x, *y, 0};
  channel.source_index = parse_integer(channel.name.substr(2));
  const auto bank = probe.banks.find(channel.name);
  const std::string_view text = bank == probe.banks.end() ? std::string_view() : bank->second;
  const std::size_t colon = text.find(':');
  channel.group = colon == std::string_view::npos ? "0" : std::string(text.substr(colon + 1));
  return true;
}

/// Why positions cannot be told; empty when they can.
std::string doubt(const Settings& settings, bool named) {
  if (settings.channel_map) {
    return "a Channel Map stands in the signal chain";
  }
  if (settings.version < 0.6) {
    return "versions before 0.6 wrote them wrong for several shanks";
  }
  if (settings.probes.size() > 1 && (!named || settings.names.size() != settings.probes.size())) {
    return fmt::format("it has {} probes, and none is called as this stream",
                       settings.probes.size());
  }
  return {};
}
}  // namespace

bool place_open_ephys_electrodes(std::string_view text, std::string_view stream_name,
                                 std::vector<Channel>& channels, std::string& probe_part,
                                 std::vector<std::string>& warnings) {
  const Settings settings = parse(text);
  if (settings.probes.empty()) {
    return false;
  }
  const auto name =
      std::find(settings.names.begin(), settings.names.end(), probe_name(stream_name));
  const std::string reason = doubt(settings, name != settings.names.end());
  if (!reason.empty()) {
    warnings.push_back(
        fmt::format("settings.xml: positions of electrodes are not used: {}", reason));
    return false;
  }
  const auto index = settings.probes.size() == 1
                         ? std::size_t{0}
                         : static_cast<std::size_t>(name - settings.names.begin());
  const Probe& probe = settings.probes[index];
  std::int64_t placed = 0;
  for (auto& channel : channels) {
    placed += is_electrical(channel.unit) && place(probe, channel) ? 1 : 0;
  }
  probe_part = placed > 0 ? probe.part : "";
  return placed > 0;
}

}  // namespace weir::formats
