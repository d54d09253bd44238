#include "weir/cli/arguments.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "weir/core/error.h"
#include "weir/core/text.h"

namespace weir::cli {
namespace {
constexpr std::string_view kList = "list of ";

bool is_list(const op::FieldInfo& field) {
  return field.type.starts_with(kList);
}

bool is_positional(const Command& command, const op::FieldInfo& field) {
  const auto& names = command.positional();
  return std::find(names.begin(), names.end(), field.name) != names.end();
}

/// The value a word stands for, by the field's type. Text that is no number stays text: the schema
/// then says what was wanted.
Value value_of(std::string_view type, const std::string& word) {
  try {
    if (type == "integer") {
      return parse_integer(word);
    }
    if (type == "number") {
      return parse_number(word);
    }
  } catch (const Error& error) {
    throw Error(ErrorCode::invalid_spec, fmt::format("\"{}\" is no {}", word, type));
  }
  if (type == "bool" && (word == "true" || word == "false")) {
    return word == "true";
  }
  return word;
}

class Parser {
 public:
  explicit Parser(const Command& command) : command_(command), object_(Value::object()) {}

  Value parse(const std::vector<std::string>& words) {
    for (at_ = words.begin(), end_ = words.end(); at_ != end_; ++at_) {
      if (!flags_ended_ && *at_ == "--") {
        flags_ended_ = true;
      } else if (!flags_ended_ && at_->starts_with("--")) {
        flag(at_->substr(2));
      } else if (!flags_ended_ && at_->size() > 1 && at_->front() == '-' && !names_number(*at_)) {
        problem(fmt::format("unknown flag {}: flags are written --name", *at_));
      } else {
        words_.push_back(*at_);
      }
    }
    hand_out();
    require_all();
    throw_if_any(problems_);
    return std::move(object_);
  }

 private:
  static bool names_number(const std::string& word) {
    return word.size() > 1 && (word[1] == '.' || (word[1] >= '0' && word[1] <= '9'));
  }

  void problem(std::string text) { problems_.push_back({"", "", std::move(text)}); }

  const op::FieldInfo* find(std::string_view name) const {
    const auto& fields = command_.fields();
    const auto found = std::find_if(fields.begin(), fields.end(),
                                    [&](const op::FieldInfo& field) { return field.name == name; });
    return found == fields.end() ? nullptr : &*found;
  }

  void unknown(const std::string& name) {
    unknown_flag_ = true;
    std::vector<std::string> known;
    for (const auto& field : command_.fields()) {
      if (!is_positional(command_, field)) {
        known.push_back(field.name);
      }
    }
    const auto nearest = nearest_word(name, known);
    problem(fmt::format("unknown flag {}{}", flag_of(name),
                        nearest ? fmt::format("; did you mean {}?", flag_of(*nearest)) : ""));
  }

  void flag(const std::string& text) {
    const auto equals = text.find('=');
    std::string name = text.substr(0, equals);
    std::replace(name.begin(), name.end(), '-', '_');
    const op::FieldInfo* field = find(name);
    if (field == nullptr) {
      unknown(name);
    } else if (equals != std::string::npos) {
      store(*field, text.substr(equals + 1));
    } else if (field->type == "bool") {
      object_.set(field->name, true);
    } else if (std::next(at_) == end_) {
      problem(fmt::format("{} needs a value", flag_of(field->name)));
    } else {
      store(*field, *++at_);
    }
  }

  /// Words without a flag go to their places in order; a list takes all but one for each place
  /// after it.
  void hand_out() {
    const auto& names = command_.positional();
    auto word = words_.begin();
    for (std::size_t i = 0; i < names.size(); ++i) {
      const op::FieldInfo* field = find(names[i]);
      WEIR_CHECK(field != nullptr);
      const auto after = static_cast<std::ptrdiff_t>(names.size() - i - 1);
      auto count = std::min<std::ptrdiff_t>(1, words_.end() - word);
      if (is_list(*field)) {
        count = std::max(count, words_.end() - word - after);
      }
      for (; count > 0; --count) {
        store(*field, *word++);
      }
    }
    for (; word != words_.end() && !unknown_flag_; ++word) {  // else most likely that flag's value
      problem(fmt::format("one word too many: \"{}\"", *word));
    }
  }

  std::string shown(const op::FieldInfo& field) const {
    return is_positional(command_, field) ? field.name : flag_of(field.name);
  }

  void store(const op::FieldInfo& field, const std::string& word) {
    if (word.empty()) {  // Most likely a variable of the shell that holds nothing.
      object_.set(field.name, word);
      problem(fmt::format("{} is empty: {}", shown(field), field.doc));
      return;
    }
    try {
      if (!is_list(field)) {
        object_.set(field.name, value_of(field.type, word));
        return;
      }
      Value* list = object_.find(field.name);
      if (list == nullptr) {
        list = &object_.set(field.name, Value::array());
      }
      list->push_back(value_of(std::string_view(field.type).substr(kList.size()), word));
    } catch (const Error& error) {
      problem(fmt::format("{}: {}", shown(field), error.text()));
    }
  }

  void require_all() {
    for (const auto& field : command_.fields()) {
      if (field.required && object_.find(field.name) == nullptr) {
        problem(is_positional(command_, field)
                    ? fmt::format("{} is missing: {}", field.name, field.doc)
                    : fmt::format("{} is required", flag_of(field.name)));
      }
    }
  }

  const Command& command_;
  Value object_;
  std::vector<Problem> problems_;
  std::vector<std::string>::const_iterator at_, end_;
  std::vector<std::string> words_;  ///< Those without a flag.
  bool flags_ended_ = false;
  bool unknown_flag_ = false;
};
}  // namespace

std::string flag_of(const std::string& field) {
  std::string flag = "--" + field;
  std::replace(flag.begin(), flag.end(), '_', '-');
  return flag;
}

Value parse_arguments(const Command& command, const std::vector<std::string>& words) {
  return Parser(command).parse(words);
}

}  // namespace weir::cli
