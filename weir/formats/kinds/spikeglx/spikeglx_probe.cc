#include "weir/formats/kinds/spikeglx/spikeglx_probe.h"

#include <fmt/format.h>

#include <cmath>

#include "weir/core/error.h"
#include "weir/core/text.h"

namespace weir::formats {
namespace {
[[noreturn]] void refuse(std::string_view key, const std::string& text) {
  throw Error(ErrorCode::corrupt_data, fmt::format("{}: {}", key, text));
}

std::int64_t whole(std::string_view key, const std::string& word) {
  try {
    const std::int64_t number = parse_integer(word);
    if (number < 0 || number > INT32_MAX) {
      refuse(key, fmt::format("{} is out of range", word));
    }
    return number;
  } catch (const Error& error) {
    refuse(key, error.text());
  }
}

double gain_of(const std::string& word) {
  const auto gain = static_cast<double>(whole("~imroTbl", word));
  if (gain <= 0) {
    refuse("~imroTbl", "a gain is 0");
  }
  return gain;
}

/// The probe's kind, from its part number, else its type, else the table's own header.
void identify(const SpikeglxMeta& meta, const SpikeglxTable& imro, SpikeglxProbe& probe,
              std::vector<std::string>& warnings) {
  const std::string* part = meta.find("imDatPrb_pn");
  const std::string* type = meta.find("imDatPrb_type");
  if (part == nullptr && type == nullptr && meta.find("imProbeOpt") != nullptr) {
    probe.part = "3A";
    probe.shape = find_spikeglx_shape(probe.part);
    return;
  }
  const auto* by_type = type != nullptr ? find_spikeglx_shape(*type) : nullptr;
  probe.part = part != nullptr ? *part : std::string();
  probe.shape = part != nullptr ? find_spikeglx_shape(*part) : nullptr;
  probe.shape = probe.shape != nullptr ? probe.shape : by_type;
  if (probe.shape == nullptr && !imro.header.empty()) {
    probe.shape = find_spikeglx_shape(imro.header.front());
    probe.part = probe.part.empty() ? imro.header.front() : probe.part;
  }
  const std::string named = fmt::format("imDatPrb_type {}, imDatPrb_pn {}",
                                        type ? *type : "missing", part ? *part : "missing");
  if (probe.shape == nullptr) {
    warnings.push_back(
        fmt::format("{}: no known kind of probe; gains and sites are those the rest "
                    "of the header tells",
                    named));
  } else if (type != nullptr && by_type == nullptr) {
    warnings.push_back(
        fmt::format("{}: the type is not known; read as the part number or ~imroTbl says", named));
  }
}

/// Microvolts of a count at gain 1.
double count_microvolts(const SpikeglxMeta& meta, const SpikeglxProbe& probe) {
  double counts = 0;
  if (meta.find("imMaxInt") != nullptr) {
    counts = meta.positive("imMaxInt");
  } else if (probe.shape != nullptr) {
    counts = probe.shape->max_int;
  } else {
    // Only Neuropixels 1.0 has a band of its own for low frequencies; its converters have 10 bits.
    const auto acquired = meta.counts("acqApLfSy");
    if (acquired.size() != 3 || acquired[1] == 0) {
      refuse("imMaxInt", "missing, and the kind of probe is not known");
    }
    counts = 512;
  }
  return meta.positive("imAiRangeMax") / counts * 1e6;
}

/// The gain of probes that have the same for every channel.
std::optional<double> common_gain(const SpikeglxMeta& meta, const SpikeglxProbe& probe) {
  if (meta.find("imChan0apGain") != nullptr) {
    return meta.positive("imChan0apGain");
  }
  if (probe.shape != nullptr && probe.shape->gain > 0) {
    return probe.shape->gain;
  }
  return std::nullopt;
}

/// Neuropixels 1.0: (channel bank reference ap lf filter); 3A lacks the filter.
SpikeglxReadout banked(const std::vector<std::string>& row, std::int64_t bank_channels) {
  SpikeglxReadout readout;
  readout.ap_gain = gain_of(row[3]);
  readout.lf_gain = gain_of(row[4]);
  readout.electrode = whole("~imroTbl", row[1]) * bank_channels + whole("~imroTbl", row[0]);
  return readout;
}

/// Neuropixels 2.0 and later: (channel mask reference electrode) or
/// (channel shank bank reference electrode).
SpikeglxReadout selected(const std::vector<std::string>& row, double gain) {
  SpikeglxReadout readout;
  readout.ap_gain = gain;
  readout.lf_gain = gain;  // CatGT makes a low band of these probes from the wide one.
  readout.shank = row.size() == 5 ? whole("~imroTbl", row[1]) : 0;
  readout.electrode = whole("~imroTbl", row.back());
  return readout;
}

/// NP1110: the header (type,mode,reference,ap,lf,filter) serves all channels.
void read_switched(const SpikeglxTable& imro, SpikeglxProbe& probe) {
  probe.every = SpikeglxReadout{.ap_gain = gain_of(imro.header[3]),
                                .lf_gain = gain_of(imro.header[4]),
                                .shank = 0,
                                .electrode = std::nullopt};
}

void read_rows(const SpikeglxMeta& meta, const SpikeglxTable& imro, SpikeglxProbe& probe) {
  const bool phase_3a = imro.header.size() == 3;  // (serial number,option,channels)
  const std::int64_t bank_channels = phase_3a                 ? whole("~imroTbl", imro.header[2])
                                     : probe.shape != nullptr ? probe.shape->bank_channels
                                                              : 384;
  const auto gain = common_gain(meta, probe);
  for (const auto& row : imro.rows) {
    const bool own_gain = row.size() == 6 || (row.size() == 5 && phase_3a);
    if (!own_gain && row.size() != 4 && row.size() != 5) {
      refuse("~imroTbl", fmt::format("an entry of {} numbers is of no known kind", row.size()));
    }
    if (!own_gain && !gain) {
      refuse("imChan0apGain", "missing, and the kind of probe is not known");
    }
    probe.readouts.emplace(whole("~imroTbl", row[0]),
                           own_gain ? banked(row, bank_channels) : selected(row, *gain));
  }
}
}  // namespace

const SpikeglxReadout& SpikeglxProbe::readout(std::int64_t channel) const {
  if (every) {
    return *every;
  }
  const auto found = readouts.find(channel);
  if (found == readouts.end()) {
    refuse("~imroTbl", fmt::format("has no entry for channel {}", channel));
  }
  return found->second;
}

SpikeglxProbe read_spikeglx_probe(const SpikeglxMeta& meta, std::vector<std::string>& warnings) {
  const SpikeglxTable imro = meta.table("imroTbl");
  SpikeglxProbe probe;
  identify(meta, imro, probe, warnings);
  probe.microvolts = count_microvolts(meta, probe);
  if (imro.header.size() == 6) {
    read_switched(imro, probe);
  } else {
    read_rows(meta, imro, probe);
  }
  return probe;
}

}  // namespace weir::formats
