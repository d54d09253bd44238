#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "weir/core/error.h"
#include "weir/core/value.h"

namespace weir::op {

/// One spelling of an enumerator. The first spelling of a value is the one written.
template <class E>
struct EnumName {
  std::string_view name;
  E value;
};

/// A further spelling of an enumerator, accepted on input.
struct OtherChoice {
  std::string spelling;
  std::string name;  ///< Its first spelling.
};

/// Converts one member type. An enum needs `std::span<const EnumName<E>> names_of(E)` found by
/// argument lookup.
template <class T>
struct Codec;

template <>
struct Codec<bool> {
  static std::string type() { return "bool"; }
  static std::vector<std::string> choices() { return {}; }
  static bool read(const Value& value) { return value.as_bool(); }
  static Value write(bool value) { return value; }
};

template <>
struct Codec<std::int64_t> {
  static std::string type() { return "integer"; }
  static std::vector<std::string> choices() { return {}; }
  static std::int64_t read(const Value& value) { return value.as_integer(); }
  static Value write(std::int64_t value) { return value; }
};

template <>
struct Codec<double> {
  static std::string type() { return "number"; }
  static std::vector<std::string> choices() { return {}; }
  static double read(const Value& value) { return value.as_number(); }
  static Value write(double value) { return value; }
};

template <>
struct Codec<std::string> {
  static std::string type() { return "string"; }
  static std::vector<std::string> choices() { return {}; }
  static std::string read(const Value& value) { return value.as_string(); }
  static Value write(const std::string& value) { return value; }
};

/// Anything: the owner interprets it.
template <>
struct Codec<Value> {
  static std::string type() { return "any"; }
  static std::vector<std::string> choices() { return {}; }
  static Value read(const Value& value) { return value; }
  static Value write(const Value& value) { return value; }
};

template <class T>
struct Codec<std::optional<T>> {
  static std::string type() { return Codec<T>::type(); }
  static std::vector<std::string> choices() { return Codec<T>::choices(); }
  static std::vector<OtherChoice> other_choices()
    requires requires { Codec<T>::other_choices(); }
  {
    return Codec<T>::other_choices();
  }
  static std::optional<T> read(const Value& value) {
    return value.is_null() ? std::nullopt : std::optional<T>(Codec<T>::read(value));
  }
  static Value write(const std::optional<T>& value) {
    return value ? Codec<T>::write(*value) : Value();
  }
};

/// A list; a single element may stand for a list of one.
template <class T>
struct Codec<std::vector<T>> {
  static std::string type() { return "list of " + Codec<T>::type(); }
  static std::vector<std::string> choices() { return Codec<T>::choices(); }
  static std::vector<OtherChoice> other_choices()
    requires requires { Codec<T>::other_choices(); }
  {
    return Codec<T>::other_choices();
  }
  static std::vector<T> read(const Value& value) {
    std::vector<T> items;
    if (!value.is_array()) {
      items.push_back(Codec<T>::read(value));
      return items;
    }
    for (const auto& item : value.as_array()) {
      items.push_back(Codec<T>::read(item));
    }
    return items;
  }
  static Value write(const std::vector<T>& items) {
    Value list = Value::array();
    for (const auto& item : items) {
      list.push_back(Codec<T>::write(item));
    }
    return list;
  }
};

template <class E>
  requires std::is_enum_v<E>
struct Codec<E> {
  static std::string type() { return "choice"; }
  static std::vector<std::string> choices() {
    std::vector<std::string> names;
    for (const auto& entry : names_of(E{})) {
      if (write(entry.value).as_string() == entry.name) {
        names.emplace_back(entry.name);
      }
    }
    return names;
  }
  static std::vector<OtherChoice> other_choices() {
    std::vector<OtherChoice> others;
    for (const auto& entry : names_of(E{})) {
      std::string first = write(entry.value).as_string();
      if (first != entry.name) {
        others.push_back({std::string(entry.name), std::move(first)});
      }
    }
    return others;
  }
  static E read(const Value& value) {
    const std::string& text = value.as_string();
    for (const auto& entry : names_of(E{})) {
      if (entry.name == text) {
        return entry.value;
      }
    }
    throw Error(ErrorCode::invalid_spec,
                fmt::format("\"{}\" is not one of: {}", text, fmt::join(choices(), ", ")));
  }
  static Value write(E value) {
    for (const auto& entry : names_of(E{})) {
      if (entry.value == value) {
        return entry.name;
      }
    }
    return nullptr;
  }
};

}  // namespace weir::op
