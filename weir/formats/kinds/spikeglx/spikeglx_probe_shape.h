#pragma once

#include <string_view>

namespace weir::formats {

/// How the electrodes of a kind of probe lie, and how its counts are scaled.
/// Units:  micrometres; x from the left edge of a shank, rows counted from the tip.
struct SpikeglxProbeShape {
  std::string_view parts;  ///< Part numbers, separated by blanks.
  int columns = 2;
  int bank_channels = 384;
  double even_row_x = 0;
  double odd_row_x = 0;
  double column_pitch = 0;
  double row_pitch = 0;
  double shank_pitch = 0;
  int max_int = 512;  ///< Counts of the range `imAiRangeMax`, where the header lacks `imMaxInt`.
  double gain = 0;    ///< Of every channel; 0 where `~imroTbl` tells each channel's.
};

/// The shape of the probe with this part number ("NP2013"), or of this `imDatPrb_type` ("24");
/// null when it is not known.
const SpikeglxProbeShape* find_spikeglx_shape(std::string_view part_or_type) noexcept;

}  // namespace weir::formats
