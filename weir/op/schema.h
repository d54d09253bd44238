#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "weir/core/error.h"
#include "weir/core/value.h"
#include "weir/op/schema_codecs.h"  // IWYU pragma: export

namespace weir::op {

/// What a text in a field stands for.
enum class Holds {
  value,    ///< Itself.
  path,     ///< A file or folder. Relative ones are meant from the spec's folder, in --set from the
            ///< current one; operators get them absolute.
  document  ///< A JSON or TOML file, likewise; operators get the object it holds.
};

/// What a field's documentation, limits and JSON Schema are made from.
struct FieldInfo {
  std::string name;
  std::string type;  ///< "number", "integer", "bool", "string", "choice", "list of numbers", …
  std::string unit;
  std::string doc;
  std::vector<std::string> aliases;  ///< Other names accepted on input.
  std::vector<std::string> choices;  ///< The first name of each enumerator, the default elsewhere.
  std::vector<OtherChoice> other_choices;
  std::optional<double> min;
  std::optional<double> max;
  bool above_min = false;  ///< `min` itself is refused too.
  bool required = false;
  Holds holds = Holds::value;
  Value fallback;  ///< The default.
};

/// The part of `FieldInfo` written beside a member.
struct FieldOptions {
  std::string unit = {};
  std::optional<double> min = {};
  std::optional<double> max = {};
  bool above_min = false;
  bool required = false;
  std::vector<std::string> aliases = {};
  Holds holds = Holds::value;
  std::string doc = {};
};

/// A parameter struct's fields: reads, checks, writes and documents it.
template <class T>
class Schema {
 public:
  struct Field {
    FieldInfo info;
    std::function<void(T&, const Value&)> read;
    std::function<Value(const T&)> write;
  };

  template <class... Fields>
  explicit Schema(Fields... fields) : fields_{std::move(fields)...} {
    const T defaults{};
    for (auto& field : fields_) {
      field.info.fallback = field.write(defaults);
    }
  }

  /// Reads every member of `object`, skipping the keys in `reserved` ("op", "id"). Each unknown key
  /// (naming the nearest), wrong type, broken limit and missing required field becomes a problem of
  /// `node`.
  T read(const Value& object, const std::string& node, std::span<const std::string_view> reserved,
         std::vector<Problem>& problems) const;

  /// Every field with its value, defaults included.
  Value write(const T& params) const {
    Value object = Value::object();
    for (const auto& field : fields_) {
      object.set(field.info.name, field.write(params));
    }
    return object;
  }

  std::vector<FieldInfo> describe() const {
    std::vector<FieldInfo> infos;
    infos.reserve(fields_.size());
    for (const auto& field : fields_) {
      infos.push_back(field.info);
    }
    return infos;
  }

 private:
  std::vector<Field> fields_;
};

/// Refuses numbers outside the limits of `info`, element by element for lists.
void check_limits(const FieldInfo& info, const Value& value);
/// Appends a problem for each key of `object` that no field has, naming the nearest.
void check_keys(const Value& object, const std::vector<FieldInfo>& fields, const std::string& node,
                std::span<const std::string_view> reserved, std::vector<Problem>& problems);
/// The member `info` names, by its name or an alias; null when absent. Both at once is a problem.
const Value* find_field(const Value& object, const FieldInfo& info, const std::string& node,
                        std::vector<Problem>& problems);
/// JSON Schema (draft 2020-12) of an object with these fields.
Value json_schema(const std::vector<FieldInfo>& fields);

template <class T, class M>
typename Schema<T>::Field field(std::string name, M T::* member, FieldOptions options = {}) {
  FieldInfo info;
  info.name = std::move(name);
  info.type = Codec<M>::type();
  info.unit = std::move(options.unit);
  info.doc = std::move(options.doc);
  info.aliases = std::move(options.aliases);
  info.choices = Codec<M>::choices();
  if constexpr (requires { Codec<M>::other_choices(); }) {
    info.other_choices = Codec<M>::other_choices();
  }
  info.min = options.min;
  info.max = options.max;
  info.above_min = options.above_min;
  info.required = options.required;
  info.holds = options.holds;
  auto read = [member, info](T& params, const Value& value) {
    check_limits(info, value);
    params.*member = Codec<M>::read(value);
  };
  auto write = [member](const T& params) { return Codec<M>::write(params.*member); };
  return {std::move(info), std::move(read), std::move(write)};
}

template <class T>
T Schema<T>::read(const Value& object, const std::string& node,
                  std::span<const std::string_view> reserved,
                  std::vector<Problem>& problems) const {
  T params{};
  check_keys(object, describe(), node, reserved, problems);
  for (const auto& field : fields_) {
    const Value* value = find_field(object, field.info, node, problems);
    if (value == nullptr || value->is_null()) {
      if (field.info.required) {
        problems.push_back({node, field.info.name, "is required"});
      }
      continue;
    }
    try {
      field.read(params, *value);
    } catch (const Error& error) {
      problems.push_back({node, field.info.name, error.text(), error.code()});
    }
  }
  return params;
}

}  // namespace weir::op
