#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace weir {

/// A document value: what JSON and TOML have in common. Objects keep the order of their keys.
class Value {
 public:
  using Array = std::vector<Value>;
  using Member = std::pair<std::string, Value>;
  using Object = std::vector<Member>;

  Value() = default;
  Value(std::nullptr_t) {}                                      // NOLINT: a value converts
  Value(bool value) : data_(value) {}                           // NOLINT
  Value(int value) : data_(std::int64_t{value}) {}              // NOLINT
  Value(std::int64_t value) : data_(value) {}                   // NOLINT
  Value(double value) : data_(value) {}                         // NOLINT
  Value(const char* value) : data_(std::string(value)) {}       // NOLINT
  Value(std::string value) : data_(std::move(value)) {}         // NOLINT
  Value(std::string_view value) : data_(std::string(value)) {}  // NOLINT
  Value(Array value) : data_(std::move(value)) {}               // NOLINT
  Value(Object value) : data_(std::move(value)) {}              // NOLINT
  static Value object() { return Value(Object{}); }
  static Value array() { return Value(Array{}); }

  bool is_null() const noexcept { return std::holds_alternative<std::monostate>(data_); }
  bool is_bool() const noexcept { return std::holds_alternative<bool>(data_); }
  bool is_integer() const noexcept { return std::holds_alternative<std::int64_t>(data_); }
  bool is_number() const noexcept { return is_integer() || std::holds_alternative<double>(data_); }
  bool is_string() const noexcept { return std::holds_alternative<std::string>(data_); }
  bool is_array() const noexcept { return std::holds_alternative<Array>(data_); }
  bool is_object() const noexcept { return std::holds_alternative<Object>(data_); }
  /// "null", "bool", "integer", "number", "string", "array", "object".
  std::string_view type_name() const noexcept;

  /// The content. Errors: `invalid_spec` naming both types when it is something else.
  bool as_bool() const;
  std::int64_t as_integer() const;  ///< A double that is a whole number counts.
  double as_number() const;
  const std::string& as_string() const;
  const Array& as_array() const;
  const Object& as_object() const;
  Array& as_array();
  Object& as_object();

  /// The member called `key`, or null when this is no object or has none.
  const Value* find(std::string_view key) const noexcept;
  Value* find(std::string_view key) noexcept;
  /// The member called `key`. Errors: `invalid_spec` naming the key.
  const Value& at(std::string_view key) const;
  /// Replace or append a member; a null value becomes an object first.
  Value& set(std::string_view key, Value value);
  void push_back(Value value);

  friend bool operator==(const Value&, const Value&) = default;

 private:
  std::variant<std::monostate, bool, std::int64_t, double, std::string, Array, Object> data_;
};

/// JSON text, numbers in their shortest round-trip form; `indent` < 0 for one line.
/// NaN and infinities become null, as JSON has no word for them.
std::string to_json(const Value& value, int indent = -1);

/// The key of `known` nearest to `word` by edit distance, when near enough to be a likely slip.
std::optional<std::string> nearest_word(std::string_view word,
                                        const std::vector<std::string>& known);

}  // namespace weir
