#include "weir/pipeline/input/channel_selection.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <optional>
#include <set>
#include <unordered_map>

#include "weir/core/error.h"
#include "weir/core/text.h"

namespace weir::pipeline {
namespace {
[[noreturn]] void refuse(const std::string& text, ErrorCode code = ErrorCode::invalid_spec) {
  throw Error(code, text);
}

/// A range as written; a missing part is empty.
struct Range {
  std::optional<std::int64_t> first, end, step;
};

/// The range that `text` is; empty when it is a name.
std::optional<Range> as_range(std::string_view text) {
  const auto parts = split(text, ':');
  if (parts.size() < 2 || parts.size() > 3) {
    return std::nullopt;
  }
  Range range;
  std::optional<std::int64_t>* const targets[] = {&range.first, &range.end, &range.step};
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const auto part = trimmed(parts[i]);
    if (part.empty()) {
      continue;
    }
    std::int64_t number = 0;
    const auto [stop, failure] = std::from_chars(part.data(), part.data() + part.size(), number);
    if (failure != std::errc() || stop != part.data() + part.size()) {
      return std::nullopt;
    }
    *targets[i] = number;
  }
  return range;
}

bool is_all(const Value& selection) {
  return selection.is_null() || (selection.is_string() && selection.as_string() == "all");
}

void check_item(const Value& item) {
  if (item.is_number()) {
    if (item.as_integer() < 0) {
      refuse(fmt::format("{} is negative; channels count from 0", item.as_integer()));
    }
    return;
  }
  const auto range = as_range(item.as_string());
  if (!range) {
    return;
  }
  const std::string& text = item.as_string();
  if (range->first.value_or(0) < 0 || range->end.value_or(0) < 0) {
    refuse(fmt::format("\"{}\" is negative; channels count from 0", text));
  }
  if (range->step.value_or(1) < 1) {
    refuse(fmt::format("\"{}\" has a step below 1", text));
  }
  if (range->end && range->first.value_or(0) >= *range->end) {
    refuse(fmt::format("\"{}\" is empty; the end is exclusive", text));
  }
}

void check_object(const Value& selection) {
  static const std::vector<std::string> kKeys{"group", "not"};
  for (const auto& [key, value] : selection.as_object()) {
    if (key == "group") {
      const auto& names = value.is_array() ? value.as_array() : Value::Array{value};
      if (names.empty()) {
        refuse("group names no group");
      }
      std::for_each(names.begin(), names.end(), [](const Value& name) { name.as_string(); });
    } else if (key == "not") {
      if (is_all(value)) {
        refuse("not = all leaves no channel");
      }
      if (!value.is_array() || !value.as_array().empty()) {
        check_selection(value);
      }
    } else {
      const auto nearest = nearest_word(key, kKeys);
      refuse(fmt::format("unknown key \"{}\"; {}", key,
                         nearest ? fmt::format("did you mean \"{}\"?", *nearest)
                                 : std::string("known: group, not")));
    }
  }
  if (selection.as_object().empty()) {
    refuse("an object needs group or not");
  }
}

/// Collects the channels of one selection, each once.
class Picker {
 public:
  Picker(const std::vector<Channel>& channels, std::string_view whose)
      : channels_(channels), whose_(whose), taken_(channels.size(), false) {}

  std::vector<std::int64_t> take() { return std::move(picked_); }

  void pick(const Value& item) {
    if (item.is_number()) {
      pick_index(item.as_integer());
    } else if (const auto range = as_range(item.as_string())) {
      pick_range(*range, item.as_string());
    } else {
      pick_name(item.as_string());
    }
  }

 private:
  std::int64_t count() const { return static_cast<std::int64_t>(channels_.size()); }

  void pick_index(std::int64_t index) {
    if (index >= count()) {
      refuse(fmt::format("{} is out of range; {} has {} channels, 0 to {}", index, whose_, count(),
                         count() - 1));
    }
    if (taken_[static_cast<std::size_t>(index)]) {
      refuse(fmt::format("channel {} ({}) is selected twice", index,
                         channels_[static_cast<std::size_t>(index)].name));
    }
    taken_[static_cast<std::size_t>(index)] = true;
    picked_.push_back(index);
  }

  void pick_range(const Range& range, const std::string& text) {
    const std::int64_t first = range.first.value_or(0);
    const std::int64_t end = range.end.value_or(count());
    if (end > count() || first >= count()) {
      refuse(fmt::format("\"{}\" is out of range; {} has {} channels, 0 to {}", text, whose_,
                         count(), count() - 1));
    }
    const std::int64_t step = std::min(range.step.value_or(1), count());
    for (std::int64_t index = first; index < end; index += step) {
      pick_index(index);
    }
  }

  void pick_name(const std::string& name) {
    if (by_name_.empty()) {
      for (std::int64_t i = 0; i < count(); ++i) {
        by_name_[channels_[static_cast<std::size_t>(i)].name].push_back(i);
      }
    }
    const auto found = by_name_.find(name);
    if (found == by_name_.end()) {
      std::vector<std::string> names;
      names.reserve(channels_.size());
      for (const auto& channel : channels_) {
        names.push_back(channel.name);
      }
      const auto nearest = nearest_word(name, names);
      refuse(fmt::format("{} has no channel \"{}\"{}", whose_, name,
                         nearest ? fmt::format("; did you mean \"{}\"?", *nearest) : ""),
             ErrorCode::not_found);
    }
    if (found->second.size() > 1) {
      refuse(fmt::format("\"{}\" is the name of the channels {} of {}; select by index", name,
                         fmt::join(found->second, ", "), whose_));
    }
    pick_index(found->second.front());
  }

  const std::vector<Channel>& channels_;
  std::string_view whose_;
  std::vector<bool> taken_;
  std::vector<std::int64_t> picked_;
  std::unordered_map<std::string, std::vector<std::int64_t>> by_name_;
};

std::vector<std::int64_t> select(const Value& selection, const std::vector<Channel>& channels,
                                 std::string_view whose);

std::vector<std::int64_t> select_by_object(const Value& selection,
                                           const std::vector<Channel>& channels,
                                           std::string_view whose) {
  std::vector<bool> wanted(channels.size(), true);
  if (const Value* group = selection.find("group")) {
    std::set<std::string> missing;
    for (const auto& name : group->is_array() ? group->as_array() : Value::Array{*group}) {
      missing.insert(name.as_string());
    }
    const std::set<std::string> groups = missing;
    std::vector<std::string> known;
    for (std::size_t i = 0; i < channels.size(); ++i) {
      wanted[i] = groups.contains(channels[i].group);
      missing.erase(channels[i].group);
      if (std::find(known.begin(), known.end(), channels[i].group) == known.end()) {
        known.push_back(channels[i].group);
      }
    }
    if (!missing.empty()) {
      refuse(fmt::format("{} has no group \"{}\"; known: {}", whose, *missing.begin(),
                         fmt::join(known, ", ")),
             ErrorCode::not_found);
    }
  }
  const Value* excluded = selection.find("not");
  if (excluded != nullptr && !(excluded->is_array() && excluded->as_array().empty())) {
    for (const auto index : select(*excluded, channels, whose)) {
      wanted[static_cast<std::size_t>(index)] = false;
    }
  }
  std::vector<std::int64_t> picked;
  for (std::size_t i = 0; i < channels.size(); ++i) {
    if (wanted[i]) {
      picked.push_back(static_cast<std::int64_t>(i));
    }
  }
  return picked;
}

std::vector<std::int64_t> select(const Value& selection, const std::vector<Channel>& channels,
                                 std::string_view whose) {
  if (selection.is_object()) {
    return select_by_object(selection, channels, whose);
  }
  Picker picker(channels, whose);
  if (is_all(selection)) {
    picker.pick(":");
  } else if (selection.is_array()) {
    for (const auto& item : selection.as_array()) {
      picker.pick(item);
    }
  } else {
    picker.pick(selection);
  }
  return picker.take();
}
}  // namespace

void check_selection(const Value& selection) {
  if (is_all(selection)) {
    return;
  }
  if (selection.is_object()) {
    check_object(selection);
    return;
  }
  if (!selection.is_array()) {
    check_item(selection);
    return;
  }
  if (selection.as_array().empty()) {
    refuse("the list is empty");
  }
  for (const auto& item : selection.as_array()) {
    check_item(item);
  }
}

Value canonical_selection(const Value& selection) {
  if (is_all(selection)) {
    return "all";
  }
  return selection.is_array() || selection.is_object() ? selection : Value::Array{selection};
}

std::vector<std::int64_t> select_channels(const Value& selection,
                                          const std::vector<Channel>& channels,
                                          std::string_view whose) {
  return in_context("channels", [&] {
    check_selection(selection);
    if (channels.empty()) {
      refuse(fmt::format("{} has no channels", whose));
    }
    auto picked = select(selection, channels, whose);
    if (picked.empty()) {
      refuse(fmt::format("no channel of {} is left", whose));
    }
    return picked;
  });
}

}  // namespace weir::pipeline
