#include "weir/formats/saved_writer.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "weir/core/error.h"
#include "weir/formats/json.h"

namespace weir::formats {
namespace {
constexpr std::int64_t kVersion = 1;
}

std::vector<std::byte> encode_saved(std::string_view writer, const SavedWriter& saved) {
  Value document = Value::object();
  document.set("writer", writer);
  document.set("version", kVersion);
  document.set("fields", saved.fields);
  const std::string text = to_json(document);
  const auto head = std::as_bytes(std::span(text.c_str(), text.size() + 1));
  std::vector<std::byte> bytes(head.begin(), head.end());
  bytes.insert(bytes.end(), saved.pending.begin(), saved.pending.end());
  return bytes;
}

SavedWriter decode_saved(std::string_view writer, std::span<const std::byte> bytes) {
  const auto end = std::find(bytes.begin(), bytes.end(), std::byte{0});
  const std::string_view text(reinterpret_cast<const char*>(bytes.data()),
                              static_cast<std::size_t>(end - bytes.begin()));
  if (end == bytes.end()) {
    throw Error(ErrorCode::corrupt_data, "checkpoint: the writer's part is cut short");
  }
  const Value document = in_context("checkpoint", [&] { return parse_json(text); });
  const Value* who = document.find("writer");
  if (who == nullptr || *who != Value(writer) || document.at("version") != Value(kVersion)) {
    throw Error(ErrorCode::corrupt_data,
                fmt::format("checkpoint: not saved by this version of the {} writer", writer));
  }
  return {document.at("fields"), std::vector<std::byte>(end + 1, bytes.end())};
}

Value to_value(const std::vector<std::int64_t>& numbers) {
  return Value(Value::Array(numbers.begin(), numbers.end()));
}

std::vector<std::int64_t> to_integers(const Value& value) {
  std::vector<std::int64_t> numbers;
  for (const auto& item : value.as_array()) {
    numbers.push_back(item.as_integer());
  }
  return numbers;
}

}  // namespace weir::formats
