#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "weir/core/channel.h"
#include "weir/formats/kinds/spikeglx/spikeglx_meta.h"

namespace weir::formats {

/// A saved channel that holds 16 digital lines.
struct SpikeglxWord {
  std::int64_t column = 0;  ///< Among the saved channels.
  std::int64_t number =
      0;              ///< Among the words of its kind: it has the lines from 16 times that on.
  bool sync = false;  ///< A probe's or OneBox's own word, "SY", not inputs, "XD".
};

/// What the header says of the saved channels.
struct SpikeglxChannels {
  /// In file order. `source_index` of an electrode is its number on the probe, of any other channel
  /// its number among those acquired. Words of digital lines have no unit and gain 1.
  std::vector<Channel> channels;
  std::string probe;                ///< Its part number; empty for devices that are no probes.
  std::vector<std::string> unused;  ///< Names of electrodes the header marks as not in use.
  std::vector<SpikeglxWord> words;
};

/// Errors: `corrupt_data` naming the key.
SpikeglxChannels read_spikeglx_channels(const SpikeglxMeta& meta,
                                        std::vector<std::string>& warnings);

/// The key of the sampling rate of the device `typeThis`. Errors: `unsupported`.
std::string spikeglx_rate_key(const SpikeglxMeta& meta);

}  // namespace weir::formats
