#include "weir/formats/kinds/spikeglx/spikeglx_channels.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>
#include <map>
#include <numeric>
#include <span>

#include "weir/core/error.h"
#include "weir/formats/dense_source.h"
#include "weir/formats/kinds/spikeglx/spikeglx_probe.h"

namespace weir::formats {
namespace {
/// The kinds of channels of one device, in the order they are stored.
struct Device {
  std::string_view type;  ///< Of `typeThis`.
  std::string_view prefix;
  std::string_view acquired_key;
  std::string_view saved_key;
  std::vector<std::string_view> kinds;
};

const Device& device_of(const SpikeglxMeta& meta) {
  static const std::vector<Device> kDevices{
      {"imec", "im", "acqApLfSy", "snsApLfSy", {"AP", "LF", "SY"}},
      {"nidq", "ni", "acqMnMaXaDw", "snsMnMaXaDw", {"MN", "MA", "XA", "XD"}},
      {"obx", "ob", "acqXaDwSy", "snsXaDwSy", {"XA", "XD", "SY"}}};
  const std::string* type = meta.find("typeThis");
  for (const auto& device : kDevices) {
    if (type != nullptr && *type == device.type) {
      return device;
    }
  }
  throw Error(type == nullptr ? ErrorCode::corrupt_data : ErrorCode::unsupported,
              fmt::format("typeThis: {} is none of imec, nidq, obx", type ? *type : "missing"));
}

/// One saved channel.
struct Saved {
  std::int64_t acquired = 0;  ///< Its number among all channels acquired.
  std::int64_t number = 0;    ///< Its number among those of its kind.
  std::string_view kind;
};

/// The index of the part that `at` falls into, or the number of parts.
std::size_t part_of(const std::vector<std::int64_t>& counts, std::int64_t at) {
  std::size_t part = 0;
  while (part < counts.size() && at >= counts[part]) {
    at -= counts[part];
    ++part;
  }
  return part;
}

/// Number of channels `counts` lists in front of part `part`.
std::int64_t before(const std::vector<std::int64_t>& counts, std::size_t part) {
  return std::accumulate(counts.begin(), counts.begin() + static_cast<std::ptrdiff_t>(part),
                         std::int64_t{0});
}

std::vector<Saved> saved_channels(const SpikeglxMeta& meta, const Device& device,
                                  std::vector<std::string>& warnings) {
  const auto count = meta.integer("nSavedChans");
  if (!count || *count < 1 || *count > kMaxChannels) {
    throw Error(ErrorCode::corrupt_data, fmt::format("nSavedChans: {} is not between 1 and {}",
                                                     count.value_or(0), kMaxChannels));
  }
  const auto originals = spikeglx_saved_channels(meta, *count);
  auto acquired = meta.counts(device.acquired_key);
  const auto counts = meta.counts(device.saved_key);
  const bool complete =
      counts.size() == device.kinds.size() && before(counts, counts.size()) == *count;
  if (acquired.size() != device.kinds.size()) {
    acquired = counts;
  }
  if (!complete) {
    warnings.push_back(
        fmt::format("{}: ({}) is not the {} channels of nSavedChans; kinds follow "
                    "from {}",
                    device.saved_key, fmt::join(counts, ","), *count, device.acquired_key));
  }
  std::vector<Saved> saved;
  for (std::int64_t i = 0; i < *count; ++i) {
    const std::int64_t original = originals[static_cast<std::size_t>(i)];
    const std::size_t kind = complete ? part_of(counts, i) : part_of(acquired, original);
    if (kind >= device.kinds.size()) {
      throw Error(ErrorCode::corrupt_data,
                  fmt::format("{}: ({}) has no channel {}", device.acquired_key,
                              fmt::join(acquired, ","), original));
    }
    // CatGT makes a low band of channels that were acquired as AP.
    const std::int64_t start = before(acquired, kind);
    saved.push_back(
        {original, original >= start ? original - start : original, device.kinds[kind]});
  }
  return saved;
}

/// Names by number among those acquired: "(AP0;0:0)", which splits into AP0, 0 and 0.
std::map<std::int64_t, std::string> names_of(const SpikeglxMeta& meta) {
  std::map<std::int64_t, std::string> names;
  for (const auto& row : meta.table("snsChanMap").rows) {
    if (row.size() == 3 && !row[0].empty() && row[1].size() < 8 &&
        row[1].find_first_not_of("0123456789") == std::string::npos && !row[1].empty()) {
      names.emplace(std::stoll(row[1]), row[0]);
    }
  }
  return names;
}

/// Analog inputs of a National Instruments device or a OneBox: volts.
double input_gain(const SpikeglxMeta& meta, const Device& device, std::string_view kind) {
  const auto key = [&](std::string_view rest) { return fmt::format("{}{}", device.prefix, rest); };
  const double counts = meta.find(key("MaxInt")) != nullptr ? meta.positive(key("MaxInt")) : 32768;
  const double volts = meta.positive(key("AiRangeMax")) / counts;
  return kind == "XA" ? volts : volts / meta.positive(fmt::format("niM{}Gain", kind.substr(1)));
}

void describe_electrodes(const SpikeglxMeta& meta, const std::vector<Saved>& saved,
                         std::vector<std::string>& warnings, SpikeglxChannels& result) {
  const SpikeglxProbe probe = read_spikeglx_probe(meta, warnings);
  result.probe = probe.part;
  for (const std::string_view kind : {"AP", "LF"}) {
    std::vector<std::int64_t> numbers;
    std::vector<std::size_t> places;
    for (std::size_t i = 0; i < saved.size(); ++i) {
      if (saved[i].kind == kind) {
        numbers.push_back(saved[i].number);
        places.push_back(i);
      }
    }
    if (numbers.empty()) {
      continue;
    }
    const auto sites = read_spikeglx_sites(meta, probe, numbers, warnings);
    for (std::size_t i = 0; i < numbers.size(); ++i) {
      Channel& channel = result.channels[places[i]];
      const SpikeglxReadout& readout = probe.readout(numbers[i]);
      channel.source_index = numbers[i];
      channel.unit = "uV";
      channel.gain = probe.microvolts / (kind == "AP" ? readout.ap_gain : readout.lf_gain);
      channel.group = sites[i].shank;
      channel.position = sites[i].position;
      if (!sites[i].used) {
        result.unused.push_back(channel.name);
      }
    }
  }
}
}  // namespace

SpikeglxChannels read_spikeglx_channels(const SpikeglxMeta& meta,
                                        std::vector<std::string>& warnings) {
  const Device& device = device_of(meta);
  const auto saved = saved_channels(meta, device, warnings);
  const auto names = names_of(meta);
  SpikeglxChannels result;
  std::map<std::string_view, double> gains;
  result.channels.reserve(saved.size());
  for (const auto& one : saved) {
    Channel channel;
    const auto name = names.find(one.acquired);
    channel.name = name != names.end() ? name->second : fmt::format("{}{}", one.kind, one.number);
    channel.source_index = one.acquired;
    if (one.kind == "XA" || one.kind.front() == 'M') {
      channel.unit = "V";
      const auto gain = gains.find(one.kind);
      channel.gain =
          gain != gains.end()
              ? gain->second
              : gains.emplace(one.kind, input_gain(meta, device, one.kind)).first->second;
    }
    if (one.kind == "XD" || one.kind == "SY") {
      result.words.push_back({std::ssize(result.channels), one.number, one.kind == "SY"});
    }
    result.channels.push_back(std::move(channel));
  }
  if (device.type == "imec") {
    describe_electrodes(meta, saved, warnings, result);
  }
  for (const auto& channel : result.channels) {
    if (!std::isfinite(channel.gain) || channel.gain == 0) {
      throw Error(ErrorCode::corrupt_data,
                  fmt::format("{}AiRangeMax: channel {} would have gain {}", device.prefix,
                              channel.name, channel.gain));
    }
  }
  return result;
}

std::string spikeglx_rate_key(const SpikeglxMeta& meta) {
  return fmt::format("{}SampRate", device_of(meta).prefix);
}

}  // namespace weir::formats
