#include "weir/formats/kinds/csv/csv.h"

#include <fmt/format.h>

#include <iterator>

#include "weir/core/error.h"
#include "weir/core/text.h"
#include "weir/formats/kinds/csv/csv_events.h"
#include "weir/formats/kinds/csv/csv_recording.h"
#include "weir/formats/kinds/csv/csv_table.h"
#include "weir/formats/output_file.h"
#include "weir/formats/saved_writer.h"

namespace weir::formats {
namespace {
constexpr std::size_t kBufferBytes = std::size_t{1} << 20;

template <class Number>
std::string text_of(const std::optional<Number>& number) {
  return number ? fmt::format("{}", *number) : std::string();
}

class CsvWriter final : public EventWriter {
 public:
  CsvWriter(const EventOutput& output, std::int64_t kept)
      : output_(output), file_(output.path, kept) {
    if (kept == 0) {
      text_ = csv_header();
    }
  }

  void append(const EventList& events) override {
    for (const auto& event : events) {
      append_csv_row(text_, to_row(event, output_.table));
      if (text_.size() >= kBufferBytes) {
        flush();
      }
    }
  }

  std::vector<std::byte> save() override {
    flush();
    Value fields = Value::object();
    fields.set("bytes", file_.size());
    return encode_saved("csv", {std::move(fields), {}});
  }

  void keep_partial() noexcept override { file_.keep(); }

  void commit(const std::string& provenance) override {
    flush();
    file_.close();
    commit_partial(output_.path, {}, {}, provenance, output_.overwrite);
  }

  /// Of the rows appended, whether or not they have left the buffer.
  std::int64_t bytes_written() const noexcept override {
    return file_.size() + static_cast<std::int64_t>(text_.size());
  }

 private:
  void flush() {
    file_.write(std::as_bytes(std::span(text_)));
    text_.clear();
  }

  EventOutput output_;
  OutputFile file_;
  std::string text_;
};

Match probe(const std::filesystem::path& path, std::span<const std::byte>) {
  return ends_with_ignoring_case(path.string(), ".csv") ? Match::by_name : Match::no;
}

std::unique_ptr<EventWriter> create_events(const EventOutput& output) {
  if (output.resume_from.empty()) {
    check_output(output.path, output.overwrite);
    return std::make_unique<CsvWriter>(output, 0);
  }
  const auto saved = decode_saved("csv", output.resume_from);
  return std::make_unique<CsvWriter>(output, saved.fields.at("bytes").as_integer());
}
/// The sidecar tells what the channels are; the text itself holds values.
std::vector<std::string> csv_not_kept(const RecordingOutput& output) {
  return output.stream.type == SampleType::float32
             ? std::vector<std::string>{}
             : std::vector<std::string>{"the counts: CSV holds physical values"};
}

std::vector<TableInfo> list_tables(const std::filesystem::path& path,
                                   const OpenOptions& /*options*/) {
  return {open_csv_table(path)->info()};
}

std::unique_ptr<TableSource> open_table(const std::filesystem::path& path,
                                        const OpenOptions& options) {
  choose_table({""}, options.stream, path.string());
  return open_csv_table(path);
}
}  // namespace

std::string csv_quoted(const std::string& text) {
  if (text.find_first_of(",\"\r\n") == std::string::npos) {
    return text;
  }
  std::string result = "\"";
  for (const char c : text) {
    result.append(c == '"' ? 2 : 1, c);
  }
  return result + '"';
}

std::string csv_header() {
  return "channel,channel_name,onset_sample,offset_sample,peak_sample,peak_value,onset_s,offset_s,"
         "duration_s,segment,polarity\r\n";
}

void append_csv_row(std::string& text, const EventRow& row) {
  fmt::format_to(std::back_inserter(text), "{},{},{},{},{},{},{},{},{},{},{}\r\n", row.channel,
                 csv_quoted(row.channel_name), row.onset_sample, text_of(row.offset_sample),
                 row.peak_sample, row.peak_value, row.onset_s, text_of(row.offset_s),
                 text_of(row.duration_s), row.segment, static_cast<int>(row.polarity));
}

const Format& csv_format() {
  static const Format kFormat{
      .name = "csv",
      .summary = "Event tables and small recordings as comma-separated text (RFC 4180)",
      .extensions = {".csv"},
      .probe = &probe,
      .open = nullptr,
      .create = &make_csv_recording_writer,
      .create_events = &create_events,
      .not_kept = &csv_not_kept,
      .writer_bytes = &csv_recording_bytes,
      .list_events = &list_csv_events,
      .open_events = &open_csv_events,
      .list_tables = &list_tables,
      .open_table = &open_table,
  };
  return kFormat;
}

}  // namespace weir::formats
