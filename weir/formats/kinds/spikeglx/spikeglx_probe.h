#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "weir/formats/kinds/spikeglx/spikeglx_meta.h"
#include "weir/formats/kinds/spikeglx/spikeglx_probe_shape.h"

namespace weir::formats {

/// What `~imroTbl` says of one channel of a probe. Range: gains above zero.
struct SpikeglxReadout {
  double ap_gain = 0;
  double lf_gain = 0;
  std::int64_t shank = 0;
  std::optional<std::int64_t> electrode;  ///< On its shank, counted from the tip.
};

/// A probe as its header describes it.
struct SpikeglxProbe {
  std::string part;                           ///< "NP2013"; empty when the header has no word.
  const SpikeglxProbeShape* shape = nullptr;  ///< Null for a kind that is not known.
  double microvolts = 0;                      ///< Of a count before the amplifier's gain.
  std::map<std::int64_t, SpikeglxReadout> readouts;  ///< By the channel's number on the probe.
  std::optional<SpikeglxReadout> every;              ///< That of all channels, where it is one.

  /// Errors: `corrupt_data` when the header has no entry for the channel.
  const SpikeglxReadout& readout(std::int64_t channel) const;
};

/// Errors: `corrupt_data` naming the key. A kind of probe that is not known is read by what else
/// the header says, with a warning.
SpikeglxProbe read_spikeglx_probe(const SpikeglxMeta& meta, std::vector<std::string>& warnings);

/// Where a channel's electrode is.
struct SpikeglxSite {
  std::string shank;
  std::optional<std::array<double, 3>> position;  ///< Micrometres: across, up from the tip, 0.
  bool used = true;                               ///< False where the header says so.
};

/// The sites of the saved electrodes `channels` (numbers on the probe, in file order), from
/// `~snsGeomMap`, else `~snsShankMap`, else `~imroTbl`.
std::vector<SpikeglxSite> read_spikeglx_sites(const SpikeglxMeta& meta, const SpikeglxProbe& probe,
                                              std::span<const std::int64_t> channels,
                                              std::vector<std::string>& warnings);

}  // namespace weir::formats
