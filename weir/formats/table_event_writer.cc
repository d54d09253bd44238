#include "weir/formats/table_event_writer.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <optional>
#include <utility>

#include "weir/core/error.h"
#include "weir/formats/event_columns.h"
#include "weir/formats/output_file.h"
#include "weir/formats/saved_writer.h"

namespace weir::formats {
namespace {
/// An event as it waits in a checkpoint: its members without the padding between them.
constexpr std::size_t kSavedBytes = 45;

template <class Visit>
void visit_members(Event& event, Visit&& visit) {
  visit(event.onset);
  visit(event.offset);
  visit(event.peak);
  visit(event.final);
  visit(event.peak_value);
  visit(event.channel);
  visit(event.segment);
  visit(event.polarity);
}

std::vector<std::byte> to_saved(const EventList& events) {
  std::vector<std::byte> bytes;
  for (Event event : events) {
    visit_members(event, [&](const auto& member) {
      const auto* from = reinterpret_cast<const std::byte*>(&member);
      bytes.insert(bytes.end(), from, from + sizeof member);
    });
  }
  return bytes;
}

EventList from_saved(std::span<const std::byte> bytes) {
  EventList events(bytes.size() / kSavedBytes);
  const std::byte* at = bytes.data();
  for (Event& event : events) {
    visit_members(event, [&](auto& member) {
      std::memcpy(&member, at, sizeof member);
      at += sizeof member;
    });
  }
  return events;
}

class TableEventWriter final : public EventWriter {
 public:
  TableEventWriter(const EventOutput& output, TableFile kind, std::int64_t kept,
                   std::span<const std::byte> encoder)
      : output_(output),
        schema_(event_schema(output.table)),
        encoder_(table_library().encoder(kind, schema_, encoder)),
        columns_(schema_),
        file_(output.path, kept) {
    if (kept == 0) {
      file_.write(encoder_->head());
    }
  }

  void expect(EventList waiting) { waiting_ = std::move(waiting); }

  void append(const EventList& events) override {
    for (const auto& event : events) {
      waiting_.push_back(event);
      if (std::ssize(waiting_) == kEventGroupRows) {
        write_group();
      }
    }
  }

  std::vector<std::byte> save() override {
    const std::vector<std::byte> encoder = encoder_->save();
    SavedWriter saved;
    saved.fields.set("bytes", file_.size());
    saved.fields.set("encoder", std::ssize(encoder));
    saved.pending = encoder;
    const auto waiting = to_saved(waiting_);
    saved.pending.insert(saved.pending.end(), waiting.begin(), waiting.end());
    return encode_saved("table", saved);
  }

  void keep_partial() noexcept override { file_.keep(); }

  void finish() override {
    if (!waiting_.empty()) {
      write_group();
    }
  }

  void commit(const std::string& provenance) override {
    finish();
    file_.write(encoder_->tail());
    file_.close();
    commit_partial(output_.path, {}, {}, provenance, output_.overwrite);
  }

  std::int64_t bytes_written() const noexcept override { return file_.size(); }

 private:
  void write_group() {
    for (const auto& event : waiting_) {
      columns_.append(to_row(event, output_.table));
    }
    waiting_.clear();
    file_.write(encoder_->group(columns_.batch()));
    columns_.clear();
  }

  EventOutput output_;
  TableSchema schema_;
  std::unique_ptr<TableEncoder> encoder_;
  EventColumns columns_;
  OutputFile file_;
  EventList waiting_;  ///< For the next group.
};
}  // namespace

std::unique_ptr<EventWriter> make_table_event_writer(const EventOutput& output, TableFile kind) {
  if (output.resume_from.empty()) {
    check_output(output.path, output.overwrite);
    return std::make_unique<TableEventWriter>(output, kind, 0, std::span<const std::byte>());
  }
  const SavedWriter saved = decode_saved("table", output.resume_from);
  const std::int64_t encoder = saved.fields.at("encoder").as_integer();
  const std::span<const std::byte> pending(saved.pending);
  if (encoder < 0 || encoder > std::ssize(pending) ||
      (pending.size() - static_cast<std::size_t>(encoder)) % kSavedBytes != 0) {
    throw Error(ErrorCode::corrupt_data, "checkpoint: the table writer's part is cut short");
  }
  const auto size = static_cast<std::size_t>(encoder);
  auto writer = std::make_unique<TableEventWriter>(
      output, kind, saved.fields.at("bytes").as_integer(), pending.first(size));
  writer->expect(from_saved(pending.subspan(size)));
  return writer;
}

std::size_t table_event_writer_bytes(const EventOutput& output) {
  table_library();
  std::size_t longest = 0;
  for (const auto& channel : output.table.stream.channels) {
    longest = std::max(longest, channel.name.size());
  }
  // Numbers and flags of a row, twice as columns grow, once as Arrow encodes, once encoded.
  constexpr std::size_t kRowBytes = 68;
  constexpr std::size_t kLibraryBytes = std::size_t{8} << 20;
  return kLibraryBytes + static_cast<std::size_t>(kEventGroupRows) *
                             (sizeof(Event) * 2 + 4 * (kRowBytes + longest));
}

}  // namespace weir::formats
