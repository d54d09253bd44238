#include "weir/testing/counting_device.h"

#include <algorithm>

namespace weir::testing {
namespace {

class CountingQueue final : public compute::Queue {
 public:
  CountingQueue(std::unique_ptr<compute::Queue> queue, DeviceCounts& counts)
      : queue_(std::move(queue)), counts_(counts) {}
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
    queue_->launch(kernel, range, args);
  }

 private:
  std::unique_ptr<compute::Queue> queue_;
  DeviceCounts& counts_;
};

class CountingDevice final : public compute::Device {
 public:
  CountingDevice(compute::Device& device, DeviceCounts& counts)
      : Device(device.target()), device_(device), counts_(counts) {}
  compute::Buffer allocate(std::size_t bytes) override {
    const compute::Buffer buffer = device_.allocate(bytes);
    counts_.bytes += bytes;
    counts_.most_bytes = std::max(counts_.most_bytes, counts_.bytes);
    const auto release = [buffer, bytes, counts = &counts_](compute::Buffer::Storage*) {
      counts->bytes -= bytes;
    };
    return {std::shared_ptr<compute::Buffer::Storage>(buffer.storage(), release), bytes};
  }
  std::unique_ptr<compute::Queue> make_queue() override {
    return std::make_unique<CountingQueue>(device_.make_queue(), counts_);
  }

 protected:
  std::shared_ptr<const compute::Program> compile(const compute::KernelSource& source,
                                                  compute::Real real) override {
    return device_.kernel(source, source.entries.front().name, real).program;
  }

 private:
  compute::Device& device_;
  DeviceCounts& counts_;
};

}  // namespace

std::unique_ptr<compute::Device> counting_device(compute::Device& device, DeviceCounts& counts) {
  return std::make_unique<CountingDevice>(device, counts);
}

}  // namespace weir::testing
