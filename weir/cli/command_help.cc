#include "weir/cli/command_help.h"

#include <fmt/format.h>

#include <algorithm>

#include "weir/cli/arguments.h"
#include "weir/cli/command_list.h"
#include "weir/cli/text_table.h"
#include "weir/core/version.h"

namespace weir::cli {
namespace {
constexpr std::size_t kWidth = 96;

std::string_view heading(Group group) {
  switch (group) {
    case Group::pipelines:
      return "Pipelines";
    case Group::recordings:
      return "Recordings";
    case Group::parts:
      return "What this program has";
  }
  return "";
}

std::string upper(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(), [](char letter) {
    return letter >= 'a' && letter <= 'z' ? static_cast<char>(letter - 'a' + 'A') : letter;
  });
  return text;
}

bool is_positional(const Command& command, const op::FieldInfo& field) {
  const auto& names = command.positional();
  return std::find(names.begin(), names.end(), field.name) != names.end();
}

/// "--set TEXT", "--json", "--start S".
std::string flag_line(const op::FieldInfo& field) {
  if (field.type == "bool") {
    return flag_of(field.name);
  }
  const std::string_view word = field.unit.empty() ? std::string_view(field.type) : field.unit;
  if (!field.choices.empty()) {
    return fmt::format("{} {}", flag_of(field.name), fmt::join(field.choices, "|"));
  }
  const auto last = word.rfind(' ');
  return fmt::format("{} {}", flag_of(field.name),
                     upper(std::string(last == word.npos ? word : word.substr(last + 1))));
}

bool says_something(const Value& fallback) {
  return !fallback.is_null() && !(fallback.is_string() && fallback.as_string().empty()) &&
         !(fallback.is_array() && fallback.as_array().empty()) &&
         !(fallback.is_bool() && !fallback.as_bool());
}

std::string shown(const Value& value) {
  return value.is_string() ? value.as_string() : to_json(value);
}

std::string usage(const Command& command) {
  std::string text = "usage: weir " + command.name();
  for (const auto& name : command.positional()) {
    const auto& fields = command.fields();
    const auto field = std::find_if(fields.begin(), fields.end(),
                                    [&](const op::FieldInfo& f) { return f.name == name; });
    const std::string word = upper(name) + (field->type.starts_with("list") ? "…" : "");
    text += field->required ? " " + word : " [" + word + "]";
  }
  const bool flags =
      std::any_of(command.fields().begin(), command.fields().end(),
                  [&](const op::FieldInfo& field) { return !is_positional(command, field); });
  return text + (flags ? " [flags]\n" : "\n");
}

std::string lines(const std::vector<std::pair<std::string, std::string>>& rows) {
  std::size_t left = 0;
  for (const auto& [name, doc] : rows) {
    left = std::max(left, shown_width(name));
  }
  std::string text;
  for (const auto& [name, doc] : rows) {
    text += fmt::format("  {}{}  {}\n", name, std::string(left - shown_width(name), ' '),
                        wrapped(doc, kWidth - left - 4, left + 4));
  }
  return text;
}

/// "median | mean (or average)".
std::string choices_text(const op::FieldInfo& field) {
  std::string text;
  for (const auto& choice : field.choices) {
    std::vector<std::string> others;
    for (const auto& other : field.other_choices) {
      if (other.name == choice) {
        others.push_back(other.spelling);
      }
    }
    text += fmt::format("{}{}{}", text.empty() ? "" : " | ", choice,
                        others.empty() ? "" : fmt::format(" (or {})", fmt::join(others, ", ")));
  }
  return text;
}

/// "number, Hz, > 0, default 5".
std::string facts(const op::FieldInfo& field) {
  std::string text = field.choices.empty() ? field.type : choices_text(field);
  if (!field.unit.empty()) {
    text += ", " + field.unit;
  }
  if (field.min) {
    text += fmt::format(", {} {}", field.above_min ? ">" : "≥", *field.min);
  }
  if (field.max) {
    text += fmt::format(", ≤ {}", *field.max);
  }
  if (field.required) {
    text += ", required";
  } else if (says_something(field.fallback) || field.fallback.is_bool()) {
    text += ", default " + shown(field.fallback);
  }
  return text;
}
}  // namespace

std::string wrapped(std::string_view text, std::size_t width, std::size_t indent) {
  std::string out;
  std::size_t used = 0;
  while (!text.empty()) {
    const auto end = std::min(text.find(' '), text.size());
    const std::string word(text.substr(0, end));
    if (used > 0 && used + 1 + shown_width(word) > width) {
      out += '\n' + std::string(indent, ' ');
      used = 0;
    } else if (used > 0) {
      out += ' ';
      ++used;
    }
    out += word;
    used += shown_width(word);
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return out;
}

std::string field_lines(const std::vector<op::FieldInfo>& fields) {
  if (fields.empty()) {
    return "  It has no fields.\n";
  }
  std::string text;
  for (const auto& field : fields) {
    std::string name = field.name;
    if (!field.aliases.empty()) {
      name += fmt::format(" (or {})", fmt::join(field.aliases, ", "));
    }
    text += fmt::format("  {}: {}\n      {}\n", name, wrapped(facts(field), kWidth - 6, 6),
                        wrapped(field.doc, kWidth - 6, 6));
  }
  return text;
}

std::string command_help(const Command& command) {
  std::string text = usage(command) + '\n' + wrapped(command.summary(), kWidth, 0) + '\n';
  std::vector<std::pair<std::string, std::string>> places, flags;
  for (const auto& field : command.fields()) {
    std::string doc = field.doc;
    if (says_something(field.fallback)) {
      doc += fmt::format(" (default: {})", shown(field.fallback));
    }
    if (is_positional(command, field)) {
      places.emplace_back(upper(field.name), doc);
    } else {
      flags.emplace_back(flag_line(field), doc);
    }
  }
  if (!places.empty()) {
    text += '\n' + lines(places);
  }
  if (!flags.empty()) {
    text += "\nFlags\n" + lines(flags);
  }
  if (!command.examples().empty()) {
    text += "\nExamples\n";
    for (const auto& example : command.examples()) {
      text += fmt::format("  weir {}{}{}\n", command.name(), example.empty() ? "" : " ", example);
    }
  }
  return text;
}

std::string program_help() {
  std::string text =
      "usage: weir COMMAND …\n\n"
      "Weir carries recordings far larger than memory through pipelines written as data.\n";
  for (const Group group : {Group::pipelines, Group::recordings, Group::parts}) {
    std::vector<std::pair<std::string, std::string>> rows;
    for (const Command* command : commands()) {
      if (command->group() == group) {
        rows.emplace_back(command->name(), command->summary());
      }
    }
    if (!rows.empty()) {
      text += fmt::format("\n{}\n{}", heading(group), lines(rows));
    }
  }
  return text +
         "\nweir COMMAND --help says more about one; weir --version prints the version.\n"
         "Exit codes: 0 done, 2 wrong use or spec, 3 not found, 4 damaged or unsupported file,\n"
         "5 device, 6 over the memory cap, 7 output exists, 8 read or write failed, 130 "
         "cancelled.\n";
}

}  // namespace weir::cli
