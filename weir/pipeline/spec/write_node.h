#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "weir/op/schema.h"

namespace weir::pipeline {

/// `stored`: whole numbers as the file holds them, in int16 where they fit, else in int32; floats
/// as float32 physical values.
enum class WriteType { float32, int16, stored };

/// The fields of a `write` node.
struct Write {
  std::string path;    ///< May hold `{input}`, `{stem}` and `{node}`.
  std::string format;  ///< Empty: by the extension of `path`.
  WriteType dtype = WriteType::float32;
  std::optional<double> gain;  ///< Physical units per count of int16 output; absent: the input's.
  Value channels = "all";      ///< As in `read`, of the stream that is written.
  std::vector<std::string> events;  ///< Event streams of the input that the file takes in.
  double zarr_chunk_s = 0.1;
  double zarr_shard_s = 1;
  std::string codec = "blosc-zstd-bitshuffle";
  std::int64_t level = 5;
  bool overwrite = false;
};
const op::Schema<Write>& write_schema();

}  // namespace weir::pipeline
