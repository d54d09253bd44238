#include "weir/cli/channel_words.h"

#include <algorithm>

#include "weir/core/text.h"
#include "weir/core/value.h"
#include "weir/pipeline/input/channel_selection.h"

namespace weir::cli {
namespace {
constexpr std::int64_t kFew = 24;

std::vector<std::int64_t> spread(std::int64_t count) {
  const std::int64_t shown = std::min(count, kFew);
  std::vector<std::int64_t> indices;
  indices.reserve(static_cast<std::size_t>(shown));
  for (std::int64_t i = 0; i < shown; ++i) {
    indices.push_back(i * count / shown);
  }
  return indices;
}
}  // namespace

std::vector<std::int64_t> picked_channels(const std::string& words,
                                          const std::vector<Channel>& channels,
                                          std::string_view whose) {
  if (words.empty()) {
    return spread(static_cast<std::int64_t>(channels.size()));
  }
  if (words == "all") {
    return pipeline::select_channels(Value("all"), channels, whose);
  }
  Value list = Value::array();
  for (const auto& word : split(words, ',')) {
    const bool index = !word.empty() && word.find_first_not_of("0123456789") == std::string::npos;
    list.push_back(index ? Value(parse_integer(word)) : Value(std::string(trimmed(word))));
  }
  return pipeline::select_channels(list, channels, whose);
}

}  // namespace weir::cli
