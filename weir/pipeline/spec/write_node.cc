#include "weir/pipeline/spec/write_node.h"

#include <array>
#include <span>

namespace weir::pipeline {

std::span<const op::EnumName<WriteType>> names_of(WriteType) {
  static constexpr std::array<op::EnumName<WriteType>, 3> kNames{{{"float32", WriteType::float32},
                                                                  {"int16", WriteType::int16},
                                                                  {"stored", WriteType::stored}}};
  return kNames;
}

const op::Schema<Write>& write_schema() {
  using op::field;
  static const op::Schema<Write> kSchema{
      field("path", &Write::path,
            {.required = true,
             .holds = op::Holds::path,
             .doc = "Where to; may hold {input}, {stem} and {node}."}),
      field("format", &Write::format, {.doc = "Format name; by default the extension decides."}),
      field("dtype", &Write::dtype,
            {.doc = "float32 stores physical values, int16 counts that are rounded and clipped; "
                    "stored what the input holds, whole numbers as they are."}),
      field("gain", &Write::gain,
            {.min = 0,
             .above_min = true,
             .doc = "Physical units per count of int16 output; by default the input's gain."}),
      field("channels", &Write::channels,
            {.doc = "Channels to write: all, indices, \"0:96\", names, {group} or {not}."}),
      field("events", &Write::events,
            {.doc = "Event streams of the input that go into the file: EDF+ and BDF+ keep them as "
                    "annotations."}),
      field("zarr_chunk_s", &Write::zarr_chunk_s,
            {.unit = "s", .min = 0, .above_min = true, .doc = "Length of a Zarr chunk."}),
      field("zarr_shard_s", &Write::zarr_shard_s,
            {.unit = "s", .min = 0, .above_min = true, .doc = "Length of a Zarr shard."}),
      field("codec", &Write::codec, {.doc = "Compression of Zarr chunks."}),
      field("level", &Write::level, {.min = 0, .max = 22, .doc = "Compression level."}),
      field("overwrite", &Write::overwrite, {.doc = "Replace what stands at the path."})};
  return kSchema;
}

}  // namespace weir::pipeline
