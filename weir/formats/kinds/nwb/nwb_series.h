#pragma once

#include <memory>
#include <string>
#include <vector>

#include "weir/core/recording.h"
#include "weir/formats/hdf5/hdf5_file.h"

namespace weir::formats {

/// An ElectricalSeries by its path in the file.
struct NwbSeries {
  std::string path;  ///< "/acquisition/ElectricalSeriesAP"
  std::string name;  ///< The last part; the path where that is not unique.
  std::int64_t frames = 0;
  std::int64_t channels = 0;
  std::string problem;  ///< Why it cannot be read, empty when it can.
};

/// All of acquisition and processing, by path.
std::vector<NwbSeries> list_nwb_series(const Hdf5File& file);

/// Rate, channels, segments, units and what was odd about it. Frames follow one another in the
/// data: segment i starts where segment i - 1 ends.
/// Errors: `corrupt_data`, `unsupported` naming the array.
/// Source: NWB core schema 2, types TimeSeries, ElectricalSeries and DynamicTableRegion.
RecordingInfo describe_nwb_series(const Hdf5File& file, const NwbSeries& series);

}  // namespace weir::formats
