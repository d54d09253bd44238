#include "weir/formats/kinds/spikeglx/spikeglx_meta.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "weir/core/error.h"
#include "weir/core/text.h"
#include "weir/formats/dense_source.h"
#include "weir/formats/text_encoding.h"

namespace weir::formats {
namespace {
/// What a key's value is wrong about is damage of the file, not of a spec.
template <class Body>
auto reading_key(std::string_view key, Body&& body) {
  try {
    return body();
  } catch (const Error& error) {
    throw Error(ErrorCode::corrupt_data, fmt::format("{}: {}", key, error.text()));
  }
}

std::vector<std::string> words_of(std::string_view bracket) {
  std::vector<std::string> words;
  while (!bracket.empty()) {
    const std::size_t end = std::min(bracket.find_first_of(" ,:;"), bracket.size());
    words.emplace_back(bracket.substr(0, end));
    bracket.remove_prefix(std::min(end + 1, bracket.size()));
  }
  return words;
}
}  // namespace

SpikeglxMeta SpikeglxMeta::parse(std::string_view text) {
  SpikeglxMeta meta;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = trimmed(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
    const std::size_t equals = line.find('=');  // The first: values may hold more of them.
    if (equals == std::string_view::npos || equals == 0) {
      continue;
    }
    const bool table = line.front() == '~';
    const auto key = trimmed(line.substr(table ? 1 : 0, equals - (table ? 1 : 0)));
    auto& values = table ? meta.tables_ : meta.values_;
    values.emplace(to_utf8(key), to_utf8(trimmed(line.substr(equals + 1))));
  }
  if (meta.values_.empty()) {
    throw Error(ErrorCode::corrupt_data, "holds no line key=value");
  }
  return meta;
}

const std::string* SpikeglxMeta::find(std::string_view key) const noexcept {
  const auto found = values_.find(key);
  return found == values_.end() || found->second.empty() ? nullptr : &found->second;
}

const std::string& SpikeglxMeta::at(std::string_view key) const {
  const std::string* value = find(key);
  if (value == nullptr) {
    throw Error(ErrorCode::corrupt_data, fmt::format("{}: missing", key));
  }
  return *value;
}

std::optional<double> SpikeglxMeta::number(std::string_view key) const {
  const std::string* value = find(key);
  if (value == nullptr) {
    return std::nullopt;
  }
  return reading_key(key, [&] { return parse_number(*value); });
}

double SpikeglxMeta::positive(std::string_view key) const {
  static_cast<void>(at(key));
  const double value = *number(key);
  if (!std::isfinite(value) || value <= 0) {
    throw Error(ErrorCode::corrupt_data, fmt::format("{}: {} is not above zero", key, value));
  }
  return value;
}

std::optional<std::int64_t> SpikeglxMeta::integer(std::string_view key) const {
  const std::string* value = find(key);
  if (value == nullptr) {
    return std::nullopt;
  }
  return reading_key(key, [&] { return parse_integer(*value); });
}

std::vector<std::int64_t> SpikeglxMeta::counts(std::string_view key) const {
  std::vector<std::int64_t> counts;
  if (const std::string* value = find(key)) {
    for (const auto& word : split(*value, ',')) {
      counts.push_back(reading_key(key, [&] { return parse_integer(word); }));
      if (counts.back() < 0 || counts.back() > kMaxChannels) {
        throw Error(ErrorCode::corrupt_data,
                    fmt::format("{}: {} is no number of channels", key, counts.back()));
      }
    }
  }
  return counts;
}

SpikeglxTable SpikeglxMeta::table(std::string_view key) const {
  SpikeglxTable table;
  const auto found = tables_.find(key);
  std::string_view text = found == tables_.end() ? std::string_view() : found->second;
  bool first = true;
  for (std::size_t open = text.find('('); open != std::string_view::npos; open = text.find('(')) {
    const std::size_t close = text.find(')', open);
    if (close == std::string_view::npos) {
      throw Error(ErrorCode::corrupt_data, fmt::format("~{}: a bracket is not closed", key));
    }
    auto words = words_of(text.substr(open + 1, close - open - 1));
    if (first) {
      table.header = std::move(words);
    } else {
      table.rows.push_back(std::move(words));
    }
    first = false;
    text.remove_prefix(close + 1);
  }
  return table;
}

std::vector<std::int64_t> spikeglx_saved_channels(const SpikeglxMeta& meta, std::int64_t count) {
  constexpr std::string_view kKey = "snsSaveChanSubset";
  const auto refuse = [&](const std::string& text) {
    throw Error(ErrorCode::corrupt_data, fmt::format("{}: {}", kKey, text));
  };
  std::vector<std::int64_t> channels;
  const std::string* text = meta.find(kKey);
  if (text == nullptr || *text == "all") {
    channels.resize(static_cast<std::size_t>(count));
    std::iota(channels.begin(), channels.end(), std::int64_t{0});
    return channels;
  }
  for (const auto& range : split(*text, ',')) {
    const auto ends = split(range, ':');
    const auto first = reading_key(kKey, [&] { return parse_integer(ends.front()); });
    const auto last = reading_key(kKey, [&] { return parse_integer(ends.back()); });
    if (ends.size() > 2 || first < 0 || last < first || last > kMaxChannels ||
        std::ssize(channels) + last - first >= count) {
      refuse(fmt::format("{} does not fit the {} channels of nSavedChans", range, count));
    }
    for (std::int64_t channel = first; channel <= last; ++channel) {
      channels.push_back(channel);
    }
  }
  auto sorted = channels;
  std::sort(sorted.begin(), sorted.end());
  if (std::ssize(channels) != count ||
      std::adjacent_find(sorted.begin(), sorted.end()) != sorted.end()) {
    refuse(fmt::format("lists {} channels, nSavedChans is {}", channels.size(), count));
  }
  return channels;
}

}  // namespace weir::formats
