#include "weir/core/parse_json.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "weir/core/error.h"

namespace weir {
namespace {

constexpr std::size_t kDeepest = 200;

/// Puts a document together from what the parser meets, in linear time: the parser's own tree, when
/// it is watched, looks through a list again after each object in it.
class Builder final : public nlohmann::json_sax<nlohmann::json> {
 public:
  explicit Builder(std::string_view text) : text_(text) {}

  Value take() { return std::move(document_); }

  bool null() override { return add(nullptr); }
  bool boolean(bool value) override { return add(value); }
  bool number_integer(number_integer_t value) override { return add(std::int64_t{value}); }
  bool number_unsigned(number_unsigned_t value) override {
    return value <= std::uint64_t{std::numeric_limits<std::int64_t>::max()}
               ? add(static_cast<std::int64_t>(value))
               : add(static_cast<double>(value));
  }
  bool number_float(number_float_t value, const string_t& /*digits*/) override {
    return add(value);
  }
  bool string(string_t& value) override { return add(std::move(value)); }
  bool binary(binary_t& /*value*/) override { return false; }

  bool start_object(std::size_t /*elements*/) override { return open(Value::object()); }
  bool start_array(std::size_t /*elements*/) override { return open(Value::array()); }
  bool end_object() override { return close(); }
  bool end_array() override { return close(); }

  bool key(string_t& word) override {
    if (!open_.back().keys.insert(word).second) {
      throw Error(ErrorCode::corrupt_data,
                  fmt::format("the key \"{}\" appears twice in one JSON object", word));
    }
    open_.back().key = std::move(word);
    return true;
  }

  bool parse_error(std::size_t position, const std::string& /*token*/,
                   const nlohmann::detail::exception& error) override {
    if (dynamic_cast<const nlohmann::json::parse_error*>(&error) == nullptr) {
      throw Error(ErrorCode::corrupt_data, fmt::format("not valid JSON: {}", error.what()));
    }
    const std::string_view before = text_.substr(0, position == 0 ? 0 : position - 1);
    const auto line = 1 + std::count(before.begin(), before.end(), '\n');
    const auto last = before.find_last_of('\n');
    const auto column = last == std::string_view::npos ? before.size() + 1 : before.size() - last;
    throw Error(ErrorCode::corrupt_data,
                fmt::format("not valid JSON at line {}, column {}", line, column));
  }

 private:
  /// A list or object whose end has not come yet.
  struct Open {
    Value value;
    std::string key;             ///< Of the member that comes next.
    std::set<std::string> keys;  ///< Those met.
  };

  bool add(Value value) {
    if (open_.empty()) {
      document_ = std::move(value);
    } else if (open_.back().value.is_array()) {
      open_.back().value.as_array().push_back(std::move(value));
    } else {
      open_.back().value.as_object().emplace_back(std::move(open_.back().key), std::move(value));
    }
    return true;
  }
  bool open(Value value) {
    if (open_.size() >= kDeepest) {
      throw Error(ErrorCode::corrupt_data,
                  fmt::format("JSON is nested more than {} levels deep", kDeepest));
    }
    open_.push_back({.value = std::move(value), .key = {}, .keys = {}});
    return true;
  }
  bool close() {
    Value whole = std::move(open_.back().value);
    open_.pop_back();
    return add(std::move(whole));
  }

  std::string_view text_;
  std::vector<Open> open_;
  Value document_;
};

}  // namespace

Value parse_json(std::string_view text) {
  Builder builder(text);
  nlohmann::json::sax_parse(text.begin(), text.end(), &builder);
  return builder.take();
}

}  // namespace weir
