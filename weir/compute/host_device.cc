#include <cstring>

#include "weir/compute/backends_internal.h"
#include "weir/compute/flush_to_zero.h"
#include "weir/compute/work_item.h"

namespace weir::compute {
namespace {

struct HostStorage final : Buffer::Storage {
  /// All bits one is NaN: a kernel that reads what nobody wrote does not pass for right.
  explicit HostStorage(std::size_t size) : bytes(size, std::byte{0xff}) {}
  std::vector<std::byte> bytes;
};

std::byte* data_of(const Buffer& buffer) {
  return buffer ? static_cast<HostStorage*>(buffer.storage())->bytes.data() : nullptr;
}

class HostQueue final : public Queue {
 public:
  void upload(const Buffer& to, std::size_t offset, std::span<const std::byte> from) override {
    if (!from.empty()) {
      std::memcpy(data_of(to) + offset, from.data(), from.size());
    }
  }
  void download(const Buffer& from, std::size_t offset, std::span<std::byte> to) override {
    if (!to.empty()) {
      std::memcpy(to.data(), data_of(from) + offset, to.size());
    }
  }
  void clear(const Buffer& buffer) override {
    if (buffer.bytes() > 0) {
      std::memset(data_of(buffer), 0, buffer.bytes());
    }
  }
  void copy(const Buffer& from, std::size_t from_offset, const Buffer& to, std::size_t to_offset,
            std::size_t bytes) override {
    if (bytes > 0) {
      std::memmove(data_of(to) + to_offset, data_of(from) + from_offset, bytes);
    }
  }
  void finish() override {}

 protected:
  void start(const Kernel& kernel, const Range& range, std::array<std::int64_t, 2> groups,
             std::span<const Arg> args) override {
    std::vector<std::byte> local(range.local_bytes);
    LocalBytes local_arg{local.data()};
    std::vector<std::byte*> pointers(args.size());
    std::vector<void*> values;
    for (std::size_t i = 0; i < args.size(); ++i) {
      if (args[i].kind() == ArgKind::buffer) {
        pointers[i] = data_of(args[i].buffer());
        values.push_back(&pointers[i]);
      } else {
        values.push_back(const_cast<void*>(args[i].value()));
      }
    }
    values.push_back(&local_arg);
    const FlushToZero guard;
    WorkGroup group({.local_size = range.group, .group_count = groups});
    for (std::int64_t y = 0; y < groups[1]; ++y) {
      for (std::int64_t x = 0; x < groups[0]; ++x) {
        group.run({x, y}, kernel.entry->at(kernel.real).call, values.data());
      }
    }
  }
};

class HostDevice final : public Device {
 public:
  explicit HostDevice(Target target) : Device(std::move(target)) {}
  Buffer allocate(std::size_t bytes) override {
    return {std::make_shared<HostStorage>(bytes), bytes};
  }
  std::unique_ptr<Queue> make_queue() override { return std::make_unique<HostQueue>(); }

 protected:
  std::shared_ptr<const Program> compile(const KernelSource&, Real) override {
    return std::make_shared<Program>();  // The build compiled it.
  }
};

}  // namespace

std::shared_ptr<Device> open_host_device(const Target& target) {
  return std::make_shared<HostDevice>(target);
}

}  // namespace weir::compute
