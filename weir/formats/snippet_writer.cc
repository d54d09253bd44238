#include "weir/formats/snippet_writer.h"

#include <fmt/format.h>

#include "weir/core/error.h"
#include "weir/formats/dense_writer.h"
#include "weir/formats/kinds/csv/csv.h"
#include "weir/formats/output_file.h"
#include "weir/formats/saved_writer.h"

namespace weir::formats {
namespace {
constexpr std::size_t kBufferBytes = std::size_t{4} << 20;
/// Of the array's header: room for any shape, and a multiple of 64 as NumPy aligns it.
constexpr std::size_t kHeaderBytes = 192;

/// Source: NumPy, "numpy.lib.format", version 1.0.
std::vector<std::byte> array_header(const SnippetOutput& output, std::int64_t count) {
  const bool integers = output.stream.type == SampleType::int16;
  const std::string dictionary =
      fmt::format("{{'descr': '{}', 'fortran_order': False, 'shape': ({}, {}, {}), }}",
                  integers ? "<i2" : "<f4", count, output.frames, output.stream.channel_count());
  std::string text("\x93NUMPY\x01\x00\x00\x00", 10);
  const std::size_t length = kHeaderBytes - text.size();
  text[8] = static_cast<char>(length & 0xFF);
  text[9] = static_cast<char>(length >> 8);
  text += dictionary;
  WEIR_CHECK(text.size() < kHeaderBytes);
  text.resize(kHeaderBytes - 1, ' ');
  text += '\n';
  const auto bytes = std::as_bytes(std::span(text));
  return {bytes.begin(), bytes.end()};
}

Value sidecar(const SnippetOutput& output, std::int64_t count) {
  Value document = Value::object();
  document.set("weir_snippets", 1);
  document.set("count", count);
  document.set("samples", output.frames);
  document.set("samples_before", output.before_frames);
  document.set("rate", Value::Array{output.stream.rate.exact().numerator(),
                                    output.stream.rate.exact().denominator()});
  document.set("dtype", name(output.stream.type));
  Value channels = Value::array();
  for (const Channel& channel : output.stream.channels) {
    Value one = Value::object();
    one.set("name", channel.name);
    one.set("gain", channel.gain);
    one.set("offset", channel.offset);
    one.set("unit", channel.unit);
    channels.push_back(one);
  }
  document.set("channels", channels);
  document.set("events", snippet_table_path(output.path).filename().string());
  return document;
}

class NpySnippets final : public SnippetWriter {
 public:
  NpySnippets(const SnippetOutput& output, std::int64_t kept)
      : output_(output), file_(output.path, kept) {
    if (kept == 0) {
      file_.write(array_header(output_, 0));
    }
  }

  void open_table(std::vector<std::byte> resume_from) {
    EventOutput table;
    table.path = snippet_table_path(output_.path);
    table.table = output_.table;
    table.overwrite = output_.overwrite;
    const bool committed = !resume_from.empty() && std::filesystem::exists(table.path) &&
                           !std::filesystem::exists(partial_path(table.path));
    table.resume_from = std::move(resume_from);
    table_saved_ = table.resume_from;
    // A run that was killed between the two commits has the table in its place already.
    table_ = committed ? nullptr : csv_format().create_events(table);
  }
  void resume(std::int64_t count) { count_ = count; }

  void append(const Event& event, AnyBlock rows) override {
    WEIR_CHECK(rows.type() == output_.stream.type && rows.frames() == output_.frames &&
               rows.channels() == output_.stream.channel_count());
    const auto width = static_cast<std::size_t>(rows.channels()) * size_of(rows.type());
    for (std::int64_t f = 0; f < rows.frames(); ++f) {
      const auto* first = static_cast<const std::byte*>(rows.slice(f, 1).data());
      buffer_.insert(buffer_.end(), first, first + width);
    }
    events_.push_back(event);
    ++count_;
    if (buffer_.size() >= kBufferBytes) {
      flush();
    }
  }

  std::vector<std::byte> save() override {
    flush();
    Value fields = Value::object();
    fields.set("bytes", file_.size());
    fields.set("count", count_);
    return encode_saved("snippets",
                        {std::move(fields), table_ == nullptr ? table_saved_ : table_->save()});
  }

  void keep_partial() noexcept override {
    file_.keep();
    if (table_ != nullptr) {
      table_->keep_partial();
    }
  }

  void commit(const std::string& provenance) override {
    flush();
    if (table_ != nullptr) {
      table_->finish();
      table_->commit(provenance);
    }
    file_.rewrite(0, array_header(output_, count_));
    file_.close();
    commit_partial(output_.path, sidecar_path(output_.path),
                   to_json(sidecar(output_, count_), 1) + "\n", provenance, output_.overwrite);
  }

  std::int64_t bytes_written() const noexcept override {
    return file_.size() + static_cast<std::int64_t>(buffer_.size()) +
           (table_ == nullptr ? 0 : table_->bytes_written());
  }

 private:
  void flush() {
    file_.write(buffer_);
    buffer_.clear();
    if (table_ != nullptr) {
      table_->append(events_);
    }
    events_.clear();
  }

  SnippetOutput output_;
  OutputFile file_;
  std::unique_ptr<EventWriter> table_;
  std::vector<std::byte> table_saved_;
  std::vector<std::byte> buffer_;
  EventList events_;
  std::int64_t count_ = 0;
};
}  // namespace

std::unique_ptr<SnippetWriter> make_snippet_writer(const SnippetOutput& output) {
  WEIR_CHECK(output.stream.type == SampleType::float32 || output.stream.type == SampleType::int16);
  if (output.resume_from.empty()) {
    check_output(output.path, output.overwrite);
    check_output(snippet_table_path(output.path), output.overwrite);
    auto writer = std::make_unique<NpySnippets>(output, 0);
    writer->open_table({});
    return writer;
  }
  const SavedWriter saved = decode_saved("snippets", output.resume_from);
  auto writer = std::make_unique<NpySnippets>(output, saved.fields.at("bytes").as_integer());
  writer->open_table(saved.pending);
  writer->resume(saved.fields.at("count").as_integer());
  return writer;
}

std::filesystem::path snippet_table_path(const std::filesystem::path& path) {
  std::filesystem::path table = path;
  table += ".csv";
  return table;
}

std::size_t snippet_writer_bytes() noexcept {
  return 2 * kBufferBytes;
}

}  // namespace weir::formats
