#include "weir/formats/kinds/zarr/zarr_event_writer.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "weir/core/error.h"
#include "weir/core/text.h"
#include "weir/formats/input_file.h"
#include "weir/formats/kinds/zarr/zarr_event_columns.h"
#include "weir/formats/kinds/zarr/zarr_event_source.h"
#include "weir/formats/kinds/zarr/zarr_partial.h"
#include "weir/formats/output_file.h"
#include "weir/formats/saved_writer.h"
#include "weir/formats/stored_samples.h"

namespace weir::formats {
namespace {
namespace fs = std::filesystem;

/// Groups between a store and what is put in it: `rec.zarr` and `rec.zarr/events`, when missing.
void make_groups_above(const fs::path& path) {
  std::vector<fs::path> groups;
  fs::path at = path.parent_path();
  for (; at.has_relative_path(); at = at.parent_path()) {
    groups.push_back(at);
    if (ends_with_ignoring_case(at.string(), ".zarr")) {
      break;
    }
  }
  make_parent_folders(path);
  if (!at.has_relative_path()) {
    return;  // The group is a store of its own.
  }
  const std::string document = to_json(group_document(Value::object()), 1) + "\n";
  for (auto group = groups.rbegin(); group != groups.rend(); ++group) {
    if (!stands_at(*group / "zarr.json")) {
      write_text_file((*group / "zarr.json").string(), document);
    }
  }
}

class ZarrEventWriter final : public EventWriter {
 public:
  ZarrEventWriter(const EventOutput& output, ZarrPartial::Start start)
      : output_(output), partial_(output.path, start) {}

  void resume(const SavedWriter& saved) {
    chunks_ = saved.fields.at("chunks").as_integer();
    rows_ = saved.fields.at("rows").as_integer();
    total_ = saved.fields.at("total").as_integer();
    partial_.set_bytes_written(saved.fields.at("bytes").as_integer());
    auto at = saved.pending.begin();
    for (std::size_t i = 0; i < columns_.size(); ++i) {
      const std::int64_t bytes = rows_ * stored_bytes(kZarrEventColumns[i].type);
      if (bytes < 0 || bytes > saved.pending.end() - at) {
        throw Error(ErrorCode::corrupt_data,
                    fmt::format("checkpoint: too few bytes for {} events", rows_));
      }
      columns_[i].assign(at, at + bytes);
      at += bytes;
    }
  }

  void append(const EventList& events) override {
    for (const auto& event : events) {
      append_row(columns_, to_row(event, output_.table));
      ++rows_;
      ++total_;
      if (rows_ == chunk_rows()) {
        write_chunk();
      }
    }
  }

  std::vector<std::byte> save() override {
    SavedWriter saved;
    saved.fields.set("chunks", chunks_);
    saved.fields.set("rows", rows_);
    saved.fields.set("total", total_);
    saved.fields.set("bytes", partial_.bytes_written());
    for (const auto& column : columns_) {
      saved.pending.insert(saved.pending.end(), column.begin(), column.end());
    }
    return encode_saved("zarr events", saved);
  }

  void keep_partial() noexcept override { partial_.keep(); }

  void finish() override {
    if (rows_ > 0) {
      write_chunk();
    }
  }

  void commit(const std::string& provenance) override {
    finish();
    for (std::size_t i = 0; i < columns_.size(); ++i) {
      partial_.write(fs::path(kZarrEventColumns[i].name) / "zarr.json",
                     to_value(event_array(i, total_)));
    }
    Value attributes = Value::object();
    attributes.set("weir_events", 1);
    attributes.set("sample_rate_hz", output_.table.stream.rate.hz());
    Value names = Value::array();
    for (const auto& channel : output_.table.stream.channels) {
      names.push_back(channel.name);
    }
    attributes.set("channel_names", std::move(names));
    attributes.set("segments", zarr_event_segments(output_.table.stream.segments));
    partial_.write("zarr.json", group_document(std::move(attributes)));
    make_groups_above(output_.path);
    commit_partial(output_.path, {}, {}, provenance, output_.overwrite);
  }

  std::int64_t bytes_written() const noexcept override { return partial_.bytes_written(); }

 private:
  static std::int64_t chunk_rows() { return kZarrEventChunkRows; }

  void write_chunk() {
    for (std::size_t i = 0; i < columns_.size(); ++i) {
      const ZarrArrayMetadata array = event_array(i, 0);
      // The last chunk is as long as any other: the rest of it is the fill value.
      columns_[i].resize(static_cast<std::size_t>(array.chunk[0] * stored_bytes(array.type)));
      partial_.write(fs::path(kZarrEventColumns[i].name) / "c" / fmt::format("{}", chunks_),
                     std::vector<std::vector<std::byte>>{encode(array.codecs, columns_[i])});
      columns_[i].clear();
    }
    ++chunks_;
    rows_ = 0;
  }

  EventOutput output_;
  ZarrPartial partial_;
  ZarrEventBytes columns_;   ///< Of the current chunk.
  std::int64_t rows_ = 0;    ///< In it.
  std::int64_t chunks_ = 0;  ///< Written.
  std::int64_t total_ = 0;   ///< Rows in all chunks and this one.
};
}  // namespace

std::unique_ptr<EventWriter> make_zarr_event_writer(const EventOutput& output) {
  if (output.resume_from.empty()) {
    check_output(output.path, output.overwrite);
    return std::make_unique<ZarrEventWriter>(output, ZarrPartial::Start::anew);
  }
  const SavedWriter saved = decode_saved("zarr events", output.resume_from);
  auto writer = std::make_unique<ZarrEventWriter>(output, ZarrPartial::Start::resumed);
  writer->resume(saved);
  return writer;
}

}  // namespace weir::formats
