#include "weir/compute/device.h"

#include <fmt/format.h>

#include <algorithm>

#include "weir/compute/backends_internal.h"
#include "weir/core/error.h"

namespace weir::compute {
namespace {

/// The largest group every driver we met accepts.
constexpr std::int64_t kMaxGroupItems = 1024;
/// CUDA's limit of groups along the second axis; kernels stride over what is left.
constexpr std::int64_t kMaxGroupsY = 65535;

void require_arguments(const Kernel& kernel, const Range& range, std::span<const Arg> args) {
  const auto kinds = kernel.entry->at(kernel.real).kinds;
  const bool local = !kinds.empty() && kinds.back() == ArgKind::local;
  const std::size_t wanted = kinds.size() - (local ? 1 : 0);
  if (args.size() != wanted || local != (range.local_bytes > 0)) {
    throw Error(ErrorCode::internal,
                fmt::format("kernel {}: {} arguments and {} bytes of local memory given; it has {} "
                            "and {} local memory",
                            kernel.entry->name, args.size(), range.local_bytes, wanted,
                            local ? "wants" : "no"));
  }
  for (std::size_t i = 0; i < wanted; ++i) {
    if (args[i].kind() != kinds[i]) {
      throw Error(ErrorCode::internal,
                  fmt::format("kernel {}: argument {} is {}, not {}", kernel.entry->name, i,
                              name(kinds[i]), name(args[i].kind())));
    }
  }
}

}  // namespace

void Queue::launch(const Kernel& kernel, const Range& range, std::span<const Arg> args) {
  require_arguments(kernel, range, args);
  WEIR_CHECK(range.group[0] > 0 && range.group[1] > 0 &&
             range.group[0] * range.group[1] <= kMaxGroupItems);
  if (range.items[0] <= 0 || range.items[1] <= 0) {
    return;
  }
  const auto groups = [&range](std::size_t axis) {
    return (range.items[axis] + range.group[axis] - 1) / range.group[axis];
  };
  start(kernel, range, {groups(0), std::min(groups(1), kMaxGroupsY)}, args);
}

void Queue::start_upload(const Buffer& to, std::size_t offset, const HostMemory& from,
                         std::size_t from_offset, std::size_t bytes) {
  upload(to, offset, from.bytes().subspan(from_offset, bytes));
}

void Queue::start_download(const Buffer& from, std::size_t offset, const HostMemory& to,
                           std::size_t to_offset, std::size_t bytes) {
  download(from, offset, to.bytes().subspan(to_offset, bytes));
}

Fence Queue::record() {
  finish();
  return {};
}

void Queue::wait(const Fence& fence) {
  fence.wait();
}

HostMemory Device::allocate_host(std::size_t bytes) {
  return HostMemory(bytes);
}

Kernel Device::kernel(const KernelSource& source, std::string_view entry, Real real,
                      std::span<const Constant> constants) {
  const KernelEntry* found = source.find(entry);
  if (found == nullptr) {
    throw Error(ErrorCode::internal, fmt::format("{}: has no kernel {}", source.file, entry));
  }
  if (real == Real::float64 && !target_.fp64) {
    throw Error(ErrorCode::unsupported, fmt::format("{} ({}) has no float64, which {} needs here",
                                                    target_.name, target_.device, source.file));
  }
  Compiled& compiled = entry_for(source, real, specialised(source, constants));
  // Threads that want different texts compile at once.
  std::call_once(compiled.once, [&] { compiled.program = compile(compiled.source, real); });
  return {compiled.program, &compiled.source, found, real};
}

Device::Compiled& Device::entry_for(const KernelSource& source, Real real, std::string text) {
  const std::lock_guard lock(mutex_);
  auto at = std::find_if(compiled_.begin(), compiled_.end(), [&](const auto& one) {
    return one->source.entries.data() == source.entries.data() && one->real == real &&
           one->text == text;
  });
  if (at == compiled_.end()) {
    compiled_.push_back(std::make_unique<Compiled>(std::move(text), source, real));
    at = compiled_.end() - 1;
  }
  return **at;
}

std::shared_ptr<Device> open_device(std::string_view name) {
  const Target target = find_target(name);
  switch (target.kind) {
    case TargetKind::host:
      return open_host_device(target);
    case TargetKind::opencl:
      return open_opencl_device(target);
    case TargetKind::cuda:
      return open_cuda_device(target);
    case TargetKind::cpu:
      break;
  }
  throw Error(
      ErrorCode::unsupported,
      fmt::format("{} does not run device kernels: they need host, opencl or cuda", target.name));
}

}  // namespace weir::compute
