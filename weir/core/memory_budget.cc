#include "weir/core/memory_budget.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>
#include <mutex>
#include <numeric>
#include <utility>

#include "weir/core/error.h"
#include "weir/core/text.h"

namespace weir {
namespace {
struct Unit {
  std::string_view name;
  double bytes;
};
constexpr Unit kUnits[] = {{"TiB", 1099511627776.0},
                           {"GiB", 1073741824.0},
                           {"MiB", 1048576.0},
                           {"KiB", 1024.0},
                           {"TB", 1e12},
                           {"GB", 1e9},
                           {"MB", 1e6},
                           {"kB", 1e3},
                           {"KB", 1e3},
                           {"B", 1}};

[[noreturn]] void refuse_size(std::string_view text) {
  throw Error(
      ErrorCode::invalid_spec,
      fmt::format(
          "\"{}\" is not an amount of memory; write \"2 GiB\", \"512 MB\" or \"70% available\"",
          text));
}

double positive_number(std::string_view digits, std::string_view text) {
  double number = 0;
  try {
    number = parse_number(digits);
  } catch (const Error&) {
    refuse_size(text);
  }
  if (!(number > 0) || !std::isfinite(number)) {
    refuse_size(text);
  }
  return number;
}

std::size_t to_size(double bytes) {
  return bytes >= 9.2e18 ? std::numeric_limits<std::size_t>::max() / 2
                         : static_cast<std::size_t>(bytes);
}

/// The number in a one-line file of the kernel, or nothing for "max" and missing files.
std::size_t kernel_number(const std::string& path) {
  constexpr std::size_t kUnlimited = std::numeric_limits<std::size_t>::max();
  try {
    return static_cast<std::size_t>(parse_integer(read_text_file(path)));
  } catch (const Error&) {
    return kUnlimited;
  }
}

/// What this process's own cgroup path is, for the hierarchy `name` ("" for v2).
std::string cgroup_path(std::string_view name) {
  try {
    for (const auto& line : split(read_text_file("/proc/self/cgroup"), '\n')) {
      const auto parts = split(line, ':');
      if (parts.size() >= 3 && parts[1] == name) {
        return parts[2] == "/" ? "" : parts[2];
      }
    }
  } catch (const Error&) {
    return "";
  }
  return "";
}

std::size_t left_in(const std::string& folder, const char* limit_file, const char* usage_file) {
  const std::size_t limit = kernel_number(folder + limit_file);
  if (limit >= (std::size_t{1} << 60)) {
    return std::numeric_limits<std::size_t>::max();
  }
  const std::size_t usage = kernel_number(folder + usage_file);
  return usage < limit ? limit - usage : 0;
}

std::size_t left_in_cgroup() {
  const std::string v2 = "/sys/fs/cgroup";
  const std::string v1 = "/sys/fs/cgroup/memory";
  std::size_t left = std::numeric_limits<std::size_t>::max();
  for (const auto& folder : {v2 + cgroup_path(""), v2}) {
    left = std::min(left, left_in(folder, "/memory.max", "/memory.current"));
  }
  for (const auto& folder : {v1 + cgroup_path("memory"), v1}) {
    left = std::min(left, left_in(folder, "/memory.limit_in_bytes", "/memory.usage_in_bytes"));
  }
  return left;
}

std::size_t available_on_machine() {
  for (const auto& line : split(read_text_file("/proc/meminfo"), '\n')) {
    if (line.starts_with("MemAvailable:")) {
      const auto digits = split(trimmed(std::string_view(line).substr(13)), ' ');
      return static_cast<std::size_t>(parse_integer(digits.front())) * 1024;
    }
  }
  return std::size_t{1} << 30;
}
}  // namespace

std::size_t parse_bytes(std::string_view text, std::size_t available) {
  const std::string_view bare = trimmed(text);
  const auto percent = bare.find('%');
  if (percent != std::string_view::npos) {
    const std::string_view rest = trimmed(bare.substr(percent + 1));
    const double share = positive_number(bare.substr(0, percent), text);
    if ((!rest.empty() && rest != "available") || share > 100) {
      refuse_size(text);
    }
    return to_size(share / 100 * static_cast<double>(available));
  }
  for (const auto& unit : kUnits) {
    if (bare.ends_with(unit.name)) {
      return to_size(positive_number(bare.substr(0, bare.size() - unit.name.size()), text) *
                     unit.bytes);
    }
  }
  return to_size(positive_number(bare, text));
}

std::string bytes_text(std::size_t bytes) {
  for (const auto& unit : {kUnits[0], kUnits[1], kUnits[2], kUnits[3]}) {
    if (static_cast<double>(bytes) >= unit.bytes) {
      return fmt::format("{:.3g} {}", static_cast<double>(bytes) / unit.bytes, unit.name);
    }
  }
  return fmt::format("{} B", bytes);
}

std::size_t available_memory() {
  return std::min(available_on_machine(), left_in_cgroup());
}

MemoryBudget MemoryBudget::parse(std::string_view text) {
  const std::size_t available = available_memory();
  return MemoryBudget(parse_bytes(trimmed(text) == "auto" ? "70% available" : text, available));
}

std::size_t MemoryBudget::claimed() const noexcept {
  return std::accumulate(claims_.begin(), claims_.end(), std::size_t{0},
                         [](std::size_t sum, const Claim& claim) { return sum + claim.bytes; });
}

void MemoryBudget::claim(std::string owner, std::size_t bytes) {
  if (bytes > 0) {
    claims_.push_back({std::move(owner), bytes});
  }
}

void MemoryBudget::require_fits() const {
  if (claimed() <= cap_) {
    return;
  }
  const auto largest =
      std::max_element(claims_.begin(), claims_.end(),
                       [](const Claim& a, const Claim& b) { return a.bytes < b.bytes; });
  throw Error(ErrorCode::out_of_memory,
              fmt::format("the plan needs {}, the cap is {}; the largest claim is {} with {}",
                          bytes_text(claimed()), bytes_text(cap_), largest->owner,
                          bytes_text(largest->bytes)));
}

struct MemoryPool::Shared {
  std::size_t cap = 0;
  std::size_t in_use = 0;
  std::size_t peak = 0;
  mutable std::mutex mutex;
};

MemoryPool::MemoryPool(std::size_t cap) : shared_(std::make_unique<Shared>()) {
  shared_->cap = cap;
}
MemoryPool::~MemoryPool() = default;

MemoryPool::Lease MemoryPool::lease(std::string_view owner, std::size_t bytes) {
  const std::lock_guard lock(shared_->mutex);
  if (bytes > shared_->cap - shared_->in_use) {
    throw Error(ErrorCode::out_of_memory,
                fmt::format("{}: {} wanted, {} of {} left", owner, bytes_text(bytes),
                            bytes_text(shared_->cap - shared_->in_use), bytes_text(shared_->cap)));
  }
  shared_->in_use += bytes;
  shared_->peak = std::max(shared_->peak, shared_->in_use);
  return {this, bytes};
}

void MemoryPool::give_back(std::size_t bytes) noexcept {
  const std::lock_guard lock(shared_->mutex);
  shared_->in_use -= bytes;
}

std::size_t MemoryPool::in_use() const noexcept {
  const std::lock_guard lock(shared_->mutex);
  return shared_->in_use;
}

std::size_t MemoryPool::peak() const noexcept {
  const std::lock_guard lock(shared_->mutex);
  return shared_->peak;
}

MemoryPool::Lease::Lease(Lease&& other) noexcept
    : pool_(std::exchange(other.pool_, nullptr)), bytes_(std::exchange(other.bytes_, 0)) {}

MemoryPool::Lease& MemoryPool::Lease::operator=(Lease&& other) noexcept {
  std::swap(pool_, other.pool_);
  std::swap(bytes_, other.bytes_);
  return *this;
}

MemoryPool::Lease::~Lease() {
  if (pool_ != nullptr) {
    pool_->give_back(bytes_);
  }
}

}  // namespace weir
