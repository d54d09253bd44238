#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "weir/compute/fence.h"
#include "weir/compute/host_memory.h"
#include "weir/compute/kernel_source.h"
#include "weir/compute/target.h"

namespace weir::compute {

/// Device memory, shared by its copies. Its content is undefined until written.
/// Lives: until the last copy is gone; outlives its device and queues safely.
class Buffer {
 public:
  /// What a back end knows about it.
  struct Storage {
    virtual ~Storage() = default;
  };
  Buffer() = default;
  Buffer(std::shared_ptr<Storage> storage, std::size_t bytes)
      : storage_(std::move(storage)), bytes_(bytes) {}
  std::size_t bytes() const noexcept { return bytes_; }
  Storage* storage() const noexcept { return storage_.get(); }
  explicit operator bool() const noexcept { return storage_ != nullptr; }

 private:
  std::shared_ptr<Storage> storage_;
  std::size_t bytes_ = 0;
};

/// One argument of a launch. The type must be the kernel's own: `int` is int32, `index` int64,
/// `floats128` Floats128.
class Arg {
 public:
  Arg(const Buffer& buffer) noexcept : kind_(ArgKind::buffer), buffer_(&buffer) {}  // NOLINT
  Arg(std::int32_t value) noexcept : kind_(ArgKind::int32) { value_.i32 = value; }  // NOLINT
  Arg(std::int64_t value) noexcept : kind_(ArgKind::int64) { value_.i64 = value; }  // NOLINT
  Arg(float value) noexcept : kind_(ArgKind::float32) { value_.f32 = value; }       // NOLINT
  Arg(double value) noexcept : kind_(ArgKind::float64) { value_.f64 = value; }      // NOLINT
  /// Lives: `values` until the launch returns.
  Arg(const Floats128& values) noexcept : kind_(ArgKind::floats128), floats_(&values) {}  // NOLINT
  ArgKind kind() const noexcept { return kind_; }
  const Buffer& buffer() const noexcept { return *buffer_; }
  const void* value() const noexcept {
    return kind_ == ArgKind::floats128 ? static_cast<const void*>(floats_) : &value_;
  }
  std::size_t size() const noexcept {
    if (kind_ == ArgKind::floats128) {
      return sizeof(Floats128);
    }
    return kind_ == ArgKind::int32 || kind_ == ArgKind::float32 ? 4 : 8;
  }

 private:
  ArgKind kind_;
  const Buffer* buffer_ = nullptr;
  const Floats128* floats_ = nullptr;
  union {
    std::int32_t i32;
    std::int64_t i64;
    float f32;
    double f64;
  } value_{};
};

/// How many work-items a launch has, and how they are grouped. Kernels see at least `items`, in
/// whole groups, so they check their id against their own bounds.
struct Range {
  std::array<std::int64_t, 2> items{1, 1};
  std::array<std::int64_t, 2> group{64, 1};
  std::size_t local_bytes = 0;  ///< For kernels that end in `LOCAL_ARG`.
};

/// One item for each channel of as many rows as fill a device; kernels stride over the rest. An
/// item a sample would spend its time starting.
inline Range over_rows(std::int64_t channels, std::int64_t frames) noexcept {
  constexpr std::int64_t kEnough = std::int64_t{1} << 20;
  const std::int64_t rows = channels > 0 ? kEnough / channels + 1 : 1;
  return {.items = {channels, frames < rows ? frames : rows}};
}

/// A kernel file compiled for one device.
struct Program {
  virtual ~Program() = default;
};

/// One entry of a program.
struct Kernel {
  std::shared_ptr<const Program> program;
  const KernelSource* source = nullptr;
  const KernelEntry* entry = nullptr;
  Real real = Real::float32;
};

/// Work in order. Launches return at once; copies return when the bytes have been copied.
/// Errors: all members throw `device` with the driver's reason.
/// Threads: one at a time.
class Queue {
 public:
  virtual ~Queue() = default;
  /// Errors: `internal` when the arguments are not the kernel's.
  void launch(const Kernel& kernel, const Range& range, std::span<const Arg> args);
  void launch(const Kernel& kernel, const Range& range, std::initializer_list<Arg> args) {
    launch(kernel, range, std::span<const Arg>(args.begin(), args.size()));
  }
  virtual void upload(const Buffer& to, std::size_t offset, std::span<const std::byte> from) = 0;
  virtual void download(const Buffer& from, std::size_t offset, std::span<std::byte> to) = 0;
  /// Bytes of zero, enqueued.
  virtual void clear(const Buffer& buffer) = 0;
  virtual void copy(const Buffer& from, std::size_t from_offset, const Buffer& to,
                    std::size_t to_offset, std::size_t bytes) = 0;
  virtual void finish() = 0;

  /// As `upload` and `download` between `HostMemory` and a buffer, but they return at once: the
  /// bytes have been copied when a fence recorded after them is reached, and must be left alone
  /// until then. The memory itself is kept alive by the caller.
  virtual void start_upload(const Buffer& to, std::size_t offset, const HostMemory& from,
                            std::size_t from_offset, std::size_t bytes);
  virtual void start_download(const Buffer& from, std::size_t offset, const HostMemory& to,
                              std::size_t to_offset, std::size_t bytes);
  /// The end of the work given so far.
  virtual Fence record();
  /// What is given from now on starts once `fence`, of any queue, is reached. Does not block where
  /// both queues are of one device.
  virtual void wait(const Fence& fence);

  template <class T>
  void upload(const Buffer& to, std::span<const T> values) {
    upload(to, 0, std::as_bytes(values));
  }
  template <class T>
  void upload(const Buffer& to, const std::vector<T>& values) {
    upload(to, 0, std::as_bytes(std::span(values)));
  }
  template <class T>
  std::vector<T> download(const Buffer& from) {
    std::vector<T> values(from.bytes() / sizeof(T));
    download(from, 0, std::as_writable_bytes(std::span(values)));
    return values;
  }

 protected:
  /// `groups` groups of `range.group` items; the arguments have been checked.
  virtual void start(const Kernel& kernel, const Range& range, std::array<std::int64_t, 2> groups,
                     std::span<const Arg> args) = 0;
};

/// A device in use: makes its buffers, programs and queues.
/// Threads: all members may be called from several threads.
class Device {
 public:
  virtual ~Device() = default;
  const Target& target() const noexcept { return target_; }
  /// Errors: `device` when the driver refuses.
  virtual Buffer allocate(std::size_t bytes) = 0;
  virtual std::unique_ptr<Queue> make_queue() = 0;
  /// Memory of the host that this device copies at the link's speed.
  /// Errors: `device` when the driver refuses; `out_of_memory`.
  virtual HostMemory allocate_host(std::size_t bytes);
  /// The entry of a kernel file, compiled with these constants at its first use.
  /// Errors: `device` quoting the line of the file; `unsupported` for float64 where there is none.
  Kernel kernel(const KernelSource& source, std::string_view entry, Real real = Real::float32,
                std::span<const Constant> constants = {});
  Kernel kernel(const KernelSource& source, std::string_view entry,
                std::initializer_list<Constant> constants) {
    return kernel(source, entry, Real::float32,
                  std::span<const Constant>(constants.begin(), constants.size()));
  }

  /// A buffer with these values.
  template <class T>
  Buffer allocate(Queue& queue, const std::vector<T>& values) {
    Buffer buffer = allocate(values.size() * sizeof(T));
    queue.upload(buffer, values);
    return buffer;
  }

 protected:
  explicit Device(Target target) : target_(std::move(target)) {}
  /// `source` lives as long as the device.
  virtual std::shared_ptr<const Program> compile(const KernelSource& source, Real real) = 0;

 private:
  /// Has a copy of the text, since that of a source with constants is made for one call.
  struct Compiled {
    Compiled(std::string kernel_text, const KernelSource& from, Real of)
        : text(std::move(kernel_text)), source(from), real(of) {
      source.text = text;
    }
    std::string text;
    KernelSource source;
    Real real;
    std::once_flag once;
    std::shared_ptr<const Program> program;
  };
  Compiled& entry_for(const KernelSource& source, Real real, std::string text);
  Target target_;
  std::mutex mutex_;
  std::vector<std::unique_ptr<Compiled>> compiled_;
};

/// Opens a target other than `cpu`. Errors: as `find_target`; `unsupported` for `cpu`.
std::shared_ptr<Device> open_device(std::string_view name);

}  // namespace weir::compute
