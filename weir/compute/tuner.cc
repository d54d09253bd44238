#include "weir/compute/tuner.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cstdlib>
#include <limits>
#include <optional>
#include <vector>

namespace weir::compute {
namespace {
constexpr int kRounds = 3;
/// What another way must gain: less is noise.
constexpr double kWorthIt = 0.97;

std::optional<std::size_t> number_in(std::string_view text) {
  std::size_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc() && end == text.data() + text.size() ? std::optional(number)
                                                                  : std::nullopt;
}

double now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}
}  // namespace

std::optional<std::size_t> Tuner::told() {
  const char* value = std::getenv("WEIR_TUNE");
  return value == nullptr ? std::nullopt : number_in(value);
}

Tuner& Tuner::of_user() {
  static Tuner tuner(KernelCache::of_user(), now, false);
  return tuner;
}

Tuner::Tuner(KernelCache cache, Clock clock) : Tuner(std::move(cache), std::move(clock), true) {}

Tuner::Tuner(KernelCache cache, Clock clock, bool measures_processors)
    : cache_(std::move(cache)),
      clock_(std::move(clock)),
      measures_processors_(measures_processors) {}

std::size_t Tuner::choose(const Target& target, Queue& queue, std::string_view text,
                          std::string_view question, std::size_t ways,
                          const std::function<void(std::size_t)>& launch) {
  if (const auto way = told()) {
    return *way % ways;
  }
  const bool is_processor = target.is_processor || target.kind == TargetKind::host;
  if (is_processor && !measures_processors_) {
    return 0;
  }
  const std::string key = kernel_key(target, fmt::format("way of {}: {}", ways, question), text);
  const std::lock_guard lock(mutex_);  // Two measurements at once would disturb each other.
  if (const auto found = chosen_.find(key); found != chosen_.end()) {
    return found->second;
  }
  const auto kept = cache_.find(key);
  std::optional<std::size_t> way = kept ? number_in(*kept) : std::nullopt;
  if (!way || *way >= ways) {
    way = measure(queue, ways, launch);
    cache_.keep(key, fmt::format("{}", *way));
  }
  return chosen_[key] = *way;
}

/// The best of each way's rounds, which take turns: what disturbs one disturbs all.
std::size_t Tuner::measure(Queue& queue, std::size_t ways,
                           const std::function<void(std::size_t)>& launch) const {
  std::vector<double> best(ways, std::numeric_limits<double>::infinity());
  for (std::size_t way = 0; way < ways; ++way) {
    launch(way);  // Loads it.
  }
  queue.finish();
  for (int round = 0; round < kRounds; ++round) {
    for (std::size_t way = 0; way < ways; ++way) {
      const double start = clock_();
      launch(way);
      queue.finish();
      best[way] = std::min(best[way], clock_() - start);
    }
  }
  const auto fastest = std::ranges::min_element(best);
  return *fastest < kWorthIt * best.front() ? static_cast<std::size_t>(fastest - best.begin()) : 0;
}

}  // namespace weir::compute
