#include "weir/testing/counting_device.h"

#include <limits>

#include "weir/core/error.h"

namespace weir::testing {
namespace {

class CountingQueue final : public compute::Queue {
 public:
  CountingQueue(std::unique_ptr<compute::Queue> queue, DeviceCounts& counts,
                std::int64_t good_launches)
      : queue_(std::move(queue)), counts_(counts), good_launches_(good_launches) {}
  void upload(const compute::Buffer& to, std::size_t offset,
              std::span<const std::byte> from) override {
    queue_->upload(to, offset, from);
  }
  void download(const compute::Buffer& from, std::size_t offset, std::span<std::byte> to) override {
    queue_->download(from, offset, to);
  }
  void clear(const compute::Buffer& buffer) override {
    ++counts_.commands;
    queue_->clear(buffer);
  }
  void copy(const compute::Buffer& from, std::size_t from_offset, const compute::Buffer& to,
            std::size_t to_offset, std::size_t bytes) override {
    ++counts_.commands;
    queue_->copy(from, from_offset, to, to_offset, bytes);
  }
  void finish() override { queue_->finish(); }

 protected:
  void start(const compute::Kernel& kernel, const compute::Range& range,
             std::array<std::int64_t, 2> /*groups*/, std::span<const compute::Arg> args) override {
    ++counts_.commands;
    if (++counts_.launches > good_launches_) {
      throw Error(ErrorCode::device, kLostDevice);
    }
    queue_->launch(kernel, range, args);
  }

 private:
  std::unique_ptr<compute::Queue> queue_;
  DeviceCounts& counts_;
  std::int64_t good_launches_;
};

class CountingDevice : public compute::Device {
 public:
  CountingDevice(compute::Device& device, DeviceCounts& counts, std::int64_t good_launches)
      : Device(device.target()), device_(device), counts_(counts), good_launches_(good_launches) {}
  compute::Buffer allocate(std::size_t bytes) override {
    const compute::Buffer buffer = device_.allocate(bytes);
    ++counts_.allocations;
    const std::size_t now = counts_.bytes += bytes;
    std::size_t most = counts_.most_bytes;
    while (most < now && !counts_.most_bytes.compare_exchange_weak(most, now)) {
    }
    const auto release = [buffer, bytes, counts = &counts_](compute::Buffer::Storage*) {
      counts->bytes -= bytes;
    };
    return {std::shared_ptr<compute::Buffer::Storage>(buffer.storage(), release), bytes};
  }
  std::unique_ptr<compute::Queue> make_queue() override {
    return std::make_unique<CountingQueue>(device_.make_queue(), counts_, good_launches_);
  }

 protected:
  std::shared_ptr<const compute::Program> compile(const compute::KernelSource& source,
                                                  compute::Real real) override {
    return device_.kernel(source, source.entries.front().name, real).program;
  }

 private:
  compute::Device& device_;
  DeviceCounts& counts_;
  std::int64_t good_launches_;
};

class FullDevice final : public CountingDevice {
 public:
  FullDevice(compute::Device& device, std::int64_t good_allocations)
      : CountingDevice(device, own_, std::numeric_limits<std::int64_t>::max()),
        good_allocations_(good_allocations) {}
  compute::Buffer allocate(std::size_t bytes) override {
    if (own_.allocations >= good_allocations_) {
      throw Error(ErrorCode::device, kFullDevice);
    }
    return CountingDevice::allocate(bytes);
  }

 private:
  DeviceCounts own_;
  std::int64_t good_allocations_;
};

/// Keeps its own counts.
class FailingDevice final : public CountingDevice {
 public:
  FailingDevice(compute::Device& device, std::int64_t good_launches)
      : CountingDevice(device, own_, good_launches) {}

 private:
  DeviceCounts own_;
};

}  // namespace

std::unique_ptr<compute::Device> counting_device(compute::Device& device, DeviceCounts& counts) {
  return std::make_unique<CountingDevice>(device, counts, std::numeric_limits<std::int64_t>::max());
}

std::unique_ptr<compute::Device> failing_device(compute::Device& device,
                                                std::int64_t good_launches) {
  return std::make_unique<FailingDevice>(device, good_launches);
}

std::unique_ptr<compute::Device> full_device(compute::Device& device,
                                             std::int64_t good_allocations) {
  return std::make_unique<FullDevice>(device, good_allocations);
}

}  // namespace weir::testing
