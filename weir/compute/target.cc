#include "weir/compute/target.h"

#include <fmt/format.h>
#include <hwy/targets.h>
#include <unistd.h>

#include <algorithm>
#include <bit>
#include <fstream>
#include <iterator>
#include <thread>

#include "weir/compute/backends_internal.h"
#include "weir/compute/build_id_internal.h"
#include "weir/core/error.h"
#include "weir/core/text.h"

namespace weir::compute {
namespace {

std::string processor_name() {
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with("model name")) {
      return std::string(trimmed(std::string_view(line).substr(line.find(':') + 1)));
    }
  }
  return "CPU";
}

/// The instruction set HWY_DYNAMIC_DISPATCH picks: the best of those compiled and supported, which
/// is the lowest bit.
std::string_view highway_target() {
  const auto targets = static_cast<std::uint64_t>(hwy::SupportedTargets() & HWY_TARGETS);
  return hwy::TargetName(static_cast<std::int64_t>(targets & (~targets + 1)));
}

Target processor(std::string name, TargetKind kind, std::string driver) {
  Target target{.name = std::move(name), .kind = kind};
  target.device =
      fmt::format("{}, {} threads", processor_name(), std::thread::hardware_concurrency());
  target.driver = std::move(driver);
  target.memory_bytes = static_cast<std::size_t>(sysconf(_SC_PHYS_PAGES)) *
                        static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  target.fp64 = true;
  return target;
}

bool answers_to(const Target& target, std::string_view name) {
  if (target.name == name) {
    return true;
  }
  const std::size_t colon = target.name.find(':');
  const std::string_view kind = std::string_view(target.name).substr(0, colon);
  if (name == kind) {
    return true;
  }
  return colon != std::string::npos && name.starts_with(fmt::format("{}:", kind)) &&
         name.find_first_not_of("0123456789", kind.size() + 1) != std::string_view::npos &&
         target.device.find(name.substr(kind.size() + 1)) != std::string::npos;
}

/// What needs no driver.
std::vector<Target> processors() {
  return {processor("cpu", TargetKind::cpu, fmt::format("Highway {}", highway_target())),
          processor("host", TargetKind::host, "device kernels as C++, the reference of the tests")};
}

}  // namespace

std::vector<Target> list_targets() {
  std::vector<Target> targets = processors();
  for (auto& found : probe_opencl()) {
    targets.push_back(std::move(found));
  }
  for (auto& found : probe_cuda()) {
    targets.push_back(std::move(found));
  }
  return targets;
}

bool may_have_gpu() {
  // NVIDIA's and AMD's own nodes, render nodes of any, and that of Windows below Linux.
  const auto exists = [](const char* path) { return ::access(path, F_OK) == 0; };
  return exists("/dev/nvidiactl") || exists("/dev/kfd") || exists("/dev/dri") || exists("/dev/dxg");
}

Target find_target(std::string_view name) {
  for (const auto& target : processors()) {
    if (target.name == name) {
      return target;  // Drivers take time and memory to open.
    }
  }
  const auto targets = list_targets();
  const Target* unusable = nullptr;
  std::vector<std::string> names;
  for (const auto& target : targets) {
    names.push_back(target.name);
    if (!answers_to(target, name)) {
      continue;
    }
    if (target.usable()) {
      return target;
    }
    unusable = unusable == nullptr ? &target : unusable;
  }
  if (unusable != nullptr) {
    throw Error(ErrorCode::device, fmt::format("target {}: {}", name, unusable->why_not));
  }
  throw Error(ErrorCode::not_found, fmt::format("no target is called \"{}\"; this machine has: {}",
                                                name, fmt::join(names, ", ")));
}

namespace {
/// "cuda:*": every usable device of the kind.
std::vector<Target> all_of_kind(std::string_view kind) {
  std::vector<Target> found;
  for (auto& target : list_targets()) {
    if (target.usable() && target.name.starts_with(fmt::format("{}:", kind))) {
      found.push_back(std::move(target));
    }
  }
  return found.empty() ? std::vector{find_target(kind)} : found;  // Whose error says why not.
}

void check_together(const std::vector<Target>& targets) {
  for (std::size_t i = 0; i < targets.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      if (targets[i].name == targets[j].name) {
        throw Error(ErrorCode::invalid_spec, fmt::format("{} is named twice", targets[i].name));
      }
      if (targets[i].kind != targets[j].kind) {
        throw Error(ErrorCode::invalid_spec,
                    fmt::format("{} and {} are of two kinds, whose results differ by rounding; "
                                "name devices of one kind",
                                targets[j].name, targets[i].name));
      }
    }
  }
}
}  // namespace

std::vector<Target> find_targets(std::string_view names) {
  constexpr std::string_view kAll = ":*";
  std::vector<Target> targets;
  for (std::size_t at = 0; at <= names.size();) {
    const std::size_t comma = std::min(names.find(',', at), names.size());
    const std::string_view name = trimmed(names.substr(at, comma - at));
    if (name.ends_with(kAll)) {
      std::ranges::move(all_of_kind(name.substr(0, name.size() - kAll.size())),
                        std::back_inserter(targets));
    } else {
      targets.push_back(find_target(name));
    }
    at = comma + 1;
  }
  check_together(targets);
  return targets;
}

std::string cpu_description() {
  static const std::string kDescription = fmt::format("{} build {}", highway_target(), build_id());
  return kDescription;
}

}  // namespace weir::compute
