#include "weir/core/value.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "weir/core/error.h"

namespace weir {
namespace {
[[noreturn]] void wrong_type(const Value& value, std::string_view wanted) {
  throw Error(ErrorCode::invalid_spec,
              fmt::format("expected {}, found {}", wanted, value.type_name()));
}

void write_string(std::string& out, std::string_view text) {
  out += '"';
  char before = 0;
  for (const char c : text) {
    const auto code = static_cast<unsigned char>(c);
    // Controls that JSON lets stand, but a terminal obeys: U+007F, and U+0080 to U+009F.
    const bool of_terminals = code == 0x7f || (before == '\xc2' && code >= 0x80 && code < 0xa0);
    if (of_terminals && code != 0x7f) {
      out.pop_back();
    }
    before = c;
    if (c == '"' || c == '\\') {
      out += '\\';
      out += c;
    } else if (c == '\n') {
      out += "\\n";
    } else if (c == '\t') {
      out += "\\t";
    } else if (code < 0x20 || of_terminals) {
      out += fmt::format("\\u{:04x}", code);
    } else {
      out += c;
    }
  }
  out += '"';
}

void write_number(std::string& out, double number) {
  if (!std::isfinite(number)) {
    out += "null";
    return;
  }
  const std::string text = fmt::format("{}", number);
  out += text;
  if (text.find_first_of(".e") == std::string::npos) {
    out += ".0";
  }
}

class Writer {
 public:
  explicit Writer(int indent) : indent_(indent) {}

  std::string take() { return std::move(out_); }

  void write(const Value& value, int depth) {
    if (value.is_null()) {
      out_ += "null";
    } else if (value.is_bool()) {
      out_ += value.as_bool() ? "true" : "false";
    } else if (value.is_integer()) {
      out_ += fmt::format("{}", value.as_integer());
    } else if (value.is_number()) {
      write_number(out_, value.as_number());
    } else if (value.is_string()) {
      write_string(out_, value.as_string());
    } else if (value.is_array()) {
      write_array(value.as_array(), depth);
    } else {
      write_object(value.as_object(), depth);
    }
  }

 private:
  void line(int depth) {
    if (indent_ >= 0) {
      out_ += '\n';
      out_.append(static_cast<std::size_t>(indent_) * static_cast<std::size_t>(depth), ' ');
    }
  }

  void write_array(const Value::Array& items, int depth) {
    const bool flat = std::none_of(items.begin(), items.end(), [](const Value& item) {
      return item.is_object() || item.is_array();
    });
    out_ += '[';
    for (std::size_t i = 0; i < items.size(); ++i) {
      if (i > 0) {
        out_ += flat && indent_ >= 0 ? ", " : ",";
      }
      if (!flat) {
        line(depth + 1);
      }
      write(items[i], depth + 1);
    }
    if (!flat) {
      line(depth);
    }
    out_ += ']';
  }

  void write_object(const Value::Object& members, int depth) {
    out_ += '{';
    for (std::size_t i = 0; i < members.size(); ++i) {
      out_ += i > 0 ? "," : "";
      line(depth + 1);
      write_string(out_, members[i].first);
      out_ += indent_ >= 0 ? ": " : ":";
      write(members[i].second, depth + 1);
    }
    if (!members.empty()) {
      line(depth);
    }
    out_ += '}';
  }

  std::string out_;
  int indent_;
};

std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t substitute = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
      diagonal = row[j];
      row[j] = std::min({substitute, row[j] + 1, row[j - 1] + 1});
    }
  }
  return row.back();
}
}  // namespace

std::string_view Value::type_name() const noexcept {
  constexpr std::string_view kNames[] = {"null",   "bool",  "integer", "number",
                                         "string", "array", "object"};
  return kNames[data_.index()];
}

bool Value::as_bool() const {
  return is_bool() ? std::get<bool>(data_) : (wrong_type(*this, "bool"), false);
}

std::int64_t Value::as_integer() const {
  if (const auto* integer = std::get_if<std::int64_t>(&data_)) {
    return *integer;
  }
  if (const auto* number = std::get_if<double>(&data_)) {
    if (std::trunc(*number) == *number && std::fabs(*number) < 9.0e15) {
      return static_cast<std::int64_t>(*number);
    }
  }
  wrong_type(*this, "integer");
}

double Value::as_number() const {
  if (const auto* integer = std::get_if<std::int64_t>(&data_)) {
    return static_cast<double>(*integer);
  }
  if (const auto* number = std::get_if<double>(&data_)) {
    return *number;
  }
  wrong_type(*this, "number");
}

const std::string& Value::as_string() const {
  if (!is_string()) {
    wrong_type(*this, "string");
  }
  return std::get<std::string>(data_);
}

const Value::Array& Value::as_array() const {
  if (!is_array()) {
    wrong_type(*this, "array");
  }
  return std::get<Array>(data_);
}

const Value::Object& Value::as_object() const {
  if (!is_object()) {
    wrong_type(*this, "object");
  }
  return std::get<Object>(data_);
}

Value::Array& Value::as_array() {
  if (!is_array()) {
    wrong_type(*this, "array");
  }
  return std::get<Array>(data_);
}

Value::Object& Value::as_object() {
  if (!is_object()) {
    wrong_type(*this, "object");
  }
  return std::get<Object>(data_);
}

const Value* Value::find(std::string_view key) const noexcept {
  const auto* object = std::get_if<Object>(&data_);
  if (object == nullptr) {
    return nullptr;
  }
  const auto found =
      std::find_if(object->begin(), object->end(), [&](const Member& m) { return m.first == key; });
  return found == object->end() ? nullptr : &found->second;
}

Value* Value::find(std::string_view key) noexcept {
  return const_cast<Value*>(
      std::as_const(*this).find(key));  // NOLINT: same object, made non-const again
}

const Value& Value::at(std::string_view key) const {
  const Value* found = find(key);
  if (found == nullptr) {
    throw Error(ErrorCode::invalid_spec, fmt::format("the key \"{}\" is missing", key));
  }
  return *found;
}

Value& Value::set(std::string_view key, Value value) {
  if (is_null()) {
    data_ = Object{};
  }
  if (Value* found = find(key)) {
    *found = std::move(value);
    return *found;
  }
  auto& object = as_object();
  object.emplace_back(std::string(key), std::move(value));
  return object.back().second;
}

void Value::push_back(Value value) {
  if (is_null()) {
    data_ = Array{};
  }
  as_array().push_back(std::move(value));
}

std::string to_json(const Value& value, int indent) {
  Writer writer(indent);
  writer.write(value, 0);
  return writer.take();
}

std::optional<std::string> nearest_word(std::string_view word,
                                        const std::vector<std::string>& known) {
  std::size_t best = std::max<std::size_t>(2, word.size() / 2);
  std::optional<std::string> nearest;
  for (const auto& candidate : known) {
    const std::size_t distance = edit_distance(word, candidate);
    if (distance < best || (distance == best && !nearest)) {
      best = distance;
      nearest = candidate;
    }
  }
  return nearest;
}

}  // namespace weir
