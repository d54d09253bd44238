#include "weir/formats/spikeinterface_channels.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>

#include "weir/core/error.h"
#include "weir/core/probe_document.h"
#include "weir/formats/stored_samples.h"

namespace weir::formats {
namespace {
double double_at(StoredType type, const std::byte* bytes) {
  const auto as = [&]<class T>(T) {
    T value{};
    std::memcpy(&value, bytes, sizeof value);
    return static_cast<double>(value);
  };
  switch (type) {
    case StoredType::int64:
      return as(std::int64_t{});
    case StoredType::uint64:
      return as(std::uint64_t{});
    case StoredType::int32:
      return as(std::int32_t{});
    case StoredType::uint32:
      return as(std::uint32_t{});
    case StoredType::int16:
      return as(std::int16_t{});
    case StoredType::uint16:
      return as(std::uint16_t{});
    case StoredType::int8:
      return as(std::int8_t{});
    case StoredType::uint8:
      return as(std::uint8_t{});
    case StoredType::float32:
      return as(float{});
    case StoredType::float64:
      return as(double{});
    default:
      throw Error(ErrorCode::unsupported, fmt::format("holds {}", name(type)));
  }
}

void place_contacts(const Value& document, RecordingInfo& info) {
  const auto contacts = read_probe_document(document);
  std::size_t probes = 0;
  for (const auto& [channel, contact] : contacts) {
    probes = std::max(probes, contact.probe + 1);
  }
  for (const auto& [index, contact] : contacts) {
    if (index >= info.channel_count()) {
      throw Error(ErrorCode::corrupt_data, fmt::format("a contact is wired to channel {} of {}",
                                                       index, info.channel_count()));
    }
    Channel& channel = info.channels[static_cast<std::size_t>(index)];
    channel.position = contact.position;
    channel.group = probes > 1 ? fmt::format("{}:{}", contact.probe, contact.shank) : contact.shank;
  }
}
}  // namespace

void describe_channels(const SpikeinterfaceProperties& properties, const Value* probe,
                       const std::string& probe_name, RecordingInfo& info) {
  if (probe != nullptr) {
    try {
      place_contacts(*probe, info);
    } catch (const Error& error) {
      info.warnings.push_back(
          fmt::format("{}: the probe is not used: {}", probe_name, error.text()));
      for (auto& channel : info.channels) {
        channel.position.reset();
        channel.group.clear();
      }
    }
  }
  for (std::size_t i = 0; i < info.channels.size(); ++i) {
    Channel& channel = info.channels[i];
    if (properties.gains) {
      channel.gain = properties.gains->at(i);
      channel.unit = "uV";
    }
    if (properties.offsets && channel.unit == "uV") {
      channel.offset = properties.offsets->at(i);
    }
    if (properties.groups && (channel.group.empty() || channel.group == "0:")) {
      channel.group = properties.groups->at(i);
    }
  }
}

std::vector<double> property_numbers(StoredType type, std::span<const std::byte> values) {
  const auto size = static_cast<std::size_t>(stored_bytes(type));
  std::vector<double> numbers;
  for (std::size_t at = 0; at + size <= values.size(); at += size) {
    numbers.push_back(double_at(type, values.data() + at));
    if (!std::isfinite(numbers.back())) {
      throw Error(ErrorCode::corrupt_data, fmt::format("holds {}", numbers.back()));
    }
  }
  return numbers;
}

std::vector<std::string> number_texts(const std::vector<double>& numbers) {
  std::vector<std::string> texts;
  texts.reserve(numbers.size());
  for (const double number : numbers) {
    texts.push_back(fmt::format("{}", number));
  }
  return texts;
}

}  // namespace weir::formats
