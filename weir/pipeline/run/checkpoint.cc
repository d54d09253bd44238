#include "weir/pipeline/run/checkpoint.h"

#include <fmt/format.h>

#include "weir/core/error.h"
#include "weir/core/text.h"
#include "weir/core/version.h"
#include "weir/formats/json.h"
#include "weir/op/bytes.h"

namespace weir::pipeline {
namespace {
constexpr std::string_view kMagic = "weir checkpoint";
constexpr std::int64_t kVersion = 1;

/// The first member whose values differ, for the error text.
std::string first_difference(const std::string& ours, const std::string& theirs) {
  const Value a = formats::parse_json(ours);
  const Value b = formats::parse_json(theirs);
  for (const auto& [key, value] : a.as_object()) {
    const Value* other = b.find(key);
    if (other == nullptr || !(*other == value)) {
      return key;
    }
  }
  return "content";
}

Checkpoint parse(op::ByteReader& reader) {
  Checkpoint checkpoint;
  checkpoint.segment = reader.get<std::int64_t>();
  checkpoint.first_frame = reader.get<std::int64_t>();
  checkpoint.complete = reader.get<bool>();
  checkpoint.fits = formats::parse_json(reader.get_text());
  checkpoint.groups = reader.get_vector<ChannelGroup>();
  checkpoint.graph = reader.get_vector<std::byte>();
  const auto outputs = reader.get<std::int64_t>();
  for (std::int64_t i = 0; i < outputs; ++i) {
    checkpoint.outputs.push_back(reader.get_vector<std::byte>());
  }
  return checkpoint;
}
}  // namespace

void write_checkpoint(const std::filesystem::path& path, const Checkpoint& checkpoint) {
  op::ByteWriter out;
  out.put_text(kMagic);
  out.put(kVersion);
  out.put_text(checkpoint.identity);
  out.put(checkpoint.segment);
  out.put(checkpoint.first_frame);
  out.put(checkpoint.complete);
  out.put_text(to_json(checkpoint.fits));
  out.put_all(checkpoint.groups);
  out.put_all(checkpoint.graph);
  out.put(static_cast<std::int64_t>(checkpoint.outputs.size()));
  for (const auto& output : checkpoint.outputs) {
    out.put_all(output);
  }
  const auto& bytes = out.bytes();
  write_text_file(path.string(), {reinterpret_cast<const char*>(bytes.data()),
                                  bytes.size()});  // NOLINT: bytes as text
}

std::optional<Checkpoint> read_checkpoint(const std::filesystem::path& path,
                                          const std::string& identity) {
  std::error_code failure;
  if (!std::filesystem::exists(path, failure)) {
    return std::nullopt;
  }
  const std::string text = read_text_file(path.string(), std::int64_t{1} << 40);
  return in_context(path.string(), [&] {
    op::ByteReader reader(std::as_bytes(std::span(text)));
    if (reader.get_text() != kMagic) {
      throw Error(ErrorCode::corrupt_data, "not a checkpoint");
    }
    const auto written = reader.get<std::int64_t>();
    if (written > kVersion) {
      throw Error(ErrorCode::unsupported,
                  fmt::format("checkpoint version {}; weir {} reads up to {}", written, version(),
                              kVersion));
    }
    const std::string theirs = reader.get_text();
    if (theirs != identity) {
      throw Error(ErrorCode::invalid_spec,
                  fmt::format("the checkpoint belongs to another run: its {} differs; remove it, "
                              "or run without --resume",
                              first_difference(identity, theirs)));
    }
    Checkpoint checkpoint = parse(reader);
    checkpoint.identity = theirs;
    return std::optional<Checkpoint>(std::move(checkpoint));
  });
}

}  // namespace weir::pipeline
