#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "weir/compute/backends_internal.h"
#include "weir/compute/cuda_library_internal.h"
#include "weir/compute/kernel_cache.h"
#include "weir/compute/nvrtc.h"
#include "weir/compute/preludes.h"
#include "weir/core/error.h"
#include "weir/core/memory_budget.h"

namespace weir::compute {
namespace {

/// After these the driver answers every call of the process with the same error: memory faults,
/// hardware faults and time-outs of a kernel, uncorrectable ECC and link errors.
/// Source: CUDA Driver API reference, CUresult ("the process must be terminated and relaunched").
bool loses_device(CudaStatus status) {
  static constexpr std::array kLost{214, 220, 226, 700, 702, 710, 714, 715, 716, 717, 718, 719};
  return std::find(kLost.begin(), kLost.end(), status) != kLost.end();
}

/// The device's primary context, which a process shares with the libraries beside us; alive as long
/// as anything made in it.
class Context {
 public:
  Context(const CudaLibrary& library, const Target& target)
      : cuda(library), name_(fmt::format("{} ({})", target.name, target.device)) {
    require(cuda.device_get(&device_, target.index), "finding the device");
    require(cuda.device_primary_ctx_retain(&handle_, device_), "opening the device");
  }
  ~Context() { cuda.device_primary_ctx_release(device_); }
  Context(const Context&) = delete;
  Context& operator=(const Context&) = delete;

  /// Makes it the calling thread's while it lives, and leaves what the thread had before.
  class Current {
   public:
    explicit Current(const Context& context) : cuda_(context.cuda) {
      context.require(cuda_.ctx_push_current(context.handle_), "using the device");
    }
    ~Current() {
      CudaContext popped = nullptr;
      cuda_.ctx_pop_current(&popped);
    }
    Current(const Current&) = delete;
    Current& operator=(const Current&) = delete;

   private:
    const CudaLibrary& cuda_;
  };

  /// Calls `release` with the context current. For destructors: a lost device has nothing to free.
  template <class Release>
  void release(Release&& body) const noexcept {
    if (cuda.ctx_push_current(handle_) == kCudaSuccess) {
      body();
      CudaContext popped = nullptr;
      cuda.ctx_pop_current(&popped);
    }
  }

  /// Throws `device` "uploading, on cuda:0 (NVIDIA H200): the driver's text" unless it succeeded.
  void require(CudaStatus status, std::string_view what) const {
    if (status != kCudaSuccess) {
      throw Error(ErrorCode::device,
                  fmt::format("{}, on {}: {}{}", what, name_, cuda.text(status),
                              loses_device(status) ? "; the device is lost to this process" : ""));
    }
  }

  CudaOrdinal device() const noexcept { return device_; }
  const std::string& name() const noexcept { return name_; }

  const CudaLibrary& cuda;

 private:
  std::string name_;
  CudaOrdinal device_ = 0;
  CudaContext handle_ = nullptr;
};

/// "; 1.2 GiB of 139.8 GiB are free".
std::string free_memory_text(const Context& context) {
  std::size_t free = 0;
  std::size_t total = 0;
  if (context.cuda.mem_get_info(&free, &total) != kCudaSuccess) {
    return {};
  }
  return fmt::format("; {} of {} are free", bytes_text(free), bytes_text(total));
}

struct CudaStorage final : Buffer::Storage {
  CudaStorage(std::shared_ptr<const Context> in, std::size_t bytes) : context(std::move(in)) {
    const Context::Current current(*context);
    const CudaStatus status = context->cuda.mem_alloc(&address, bytes == 0 ? 1 : bytes);
    if (status != kCudaSuccess) {
      context->require(status, fmt::format("allocating {} bytes of device memory{}", bytes,
                                           free_memory_text(*context)));
    }
  }
  /// The driver waits for the work that uses the memory.
  ~CudaStorage() override {
    context->release([this] { context->cuda.mem_free(address); });
  }
  CudaStorage(const CudaStorage&) = delete;
  CudaStorage& operator=(const CudaStorage&) = delete;

  std::shared_ptr<const Context> context;
  CudaAddress address = 0;
};

CudaAddress address_of(const Buffer& buffer) {
  return buffer ? static_cast<CudaStorage*>(buffer.storage())->address : 0;
}

class CudaProgram final : public Program {
 public:
  CudaProgram(std::shared_ptr<const Context> in, const KernelSource& source,
              const std::string& code)
      : context_(std::move(in)), source_(source) {
    const Context::Current current(*context_);
    context_->require(context_->cuda.module_load_data(&module_, code.c_str()),
                      fmt::format("loading {}", source.file));
    for (const auto& entry : source.entries) {
      functions_.emplace_back();
      context_->require(context_->cuda.module_get_function(&functions_.back(), module_,
                                                           std::string(entry.name).c_str()),
                        fmt::format("finding {} in {}", entry.name, source.file));
    }
  }
  ~CudaProgram() override {
    context_->release([this] {
      context_->cuda.ctx_synchronize();  // A queue may still be running it.
      context_->cuda.module_unload(module_);
    });
  }
  CudaProgram(const CudaProgram&) = delete;
  CudaProgram& operator=(const CudaProgram&) = delete;

  CudaFunction function(const KernelEntry& entry) const {
    return functions_[static_cast<std::size_t>(&entry - source_.entries.data())];
  }

 private:
  std::shared_ptr<const Context> context_;
  const KernelSource& source_;
  CudaModule module_ = nullptr;
  std::vector<CudaFunction> functions_;  ///< In the order of the file's entries.
};

struct CudaMark final : Fence::Mark {
  explicit CudaMark(std::shared_ptr<const Context> in) : context(std::move(in)) {
    constexpr unsigned kDisableTiming = 2;
    context->require(context->cuda.event_create(&event, kDisableTiming), "making an event");
  }
  ~CudaMark() override {
    context->release([this] { context->cuda.event_destroy(event); });
  }
  CudaMark(const CudaMark&) = delete;
  CudaMark& operator=(const CudaMark&) = delete;

  bool reached() const override {
    const Context::Current current(*context);
    const CudaStatus status = context->cuda.event_query(event);
    if (status != kCudaNotReady) {
      context->require(status, "asking whether work is done");
    }
    return status == kCudaSuccess;
  }
  void wait() const override {
    const Context::Current current(*context);
    context->require(context->cuda.event_synchronize(event), "waiting for work");
  }

  std::shared_ptr<const Context> context;
  CudaEventHandle event = nullptr;
};

class CudaQueue final : public Queue {
 public:
  explicit CudaQueue(std::shared_ptr<const Context> context) : context_(std::move(context)) {
    constexpr unsigned kNonBlocking = 1;  // Does not wait for the legacy default stream.
    const Context::Current current(*context_);
    context_->require(cuda().stream_create(&stream_, kNonBlocking), "making a stream");
  }
  ~CudaQueue() override {
    context_->release([this] {
      cuda().stream_synchronize(stream_);
      cuda().stream_destroy(stream_);
    });
  }
  CudaQueue(const CudaQueue&) = delete;
  CudaQueue& operator=(const CudaQueue&) = delete;

  void upload(const Buffer& to, std::size_t offset, std::span<const std::byte> from) override {
    enqueue_upload(to, offset, from);
    finish();
  }
  void download(const Buffer& from, std::size_t offset, std::span<std::byte> to) override {
    enqueue_download(from, offset, to);
    finish();
  }
  void start_upload(const Buffer& to, std::size_t offset, const HostMemory& from,
                    std::size_t from_offset, std::size_t bytes) override {
    enqueue_upload(to, offset, from.bytes().subspan(from_offset, bytes));
  }
  void start_download(const Buffer& from, std::size_t offset, const HostMemory& to,
                      std::size_t to_offset, std::size_t bytes) override {
    enqueue_download(from, offset, to.bytes().subspan(to_offset, bytes));
  }
  void clear(const Buffer& buffer) override {
    if (buffer.bytes() > 0) {
      const Context::Current current(*context_);
      context_->require(cuda().memset_d8_async(address_of(buffer), 0, buffer.bytes(), stream_),
                        "clearing a buffer");
    }
  }
  void copy(const Buffer& from, std::size_t from_offset, const Buffer& to, std::size_t to_offset,
            std::size_t bytes) override {
    if (bytes > 0) {
      const Context::Current current(*context_);
      context_->require(cuda().memcpy_dtod_async(address_of(to) + to_offset,
                                                 address_of(from) + from_offset, bytes, stream_),
                        "copying on the device");
    }
  }
  void finish() override {
    const Context::Current current(*context_);
    context_->require(cuda().stream_synchronize(stream_), "waiting for the device");
  }
  Fence record() override {
    const Context::Current current(*context_);
    const auto mark = std::make_shared<CudaMark>(context_);
    context_->require(cuda().event_record(mark->event, stream_), "recording an event");
    return Fence(mark);
  }
  void wait(const Fence& fence) override {
    const auto* mark = dynamic_cast<const CudaMark*>(fence.mark());
    if (mark == nullptr) {
      fence.wait();
      return;
    }
    const Context::Current current(*context_);
    context_->require(cuda().stream_wait_event(stream_, mark->event, 0), "waiting for an event");
  }

 protected:
  void start(const Kernel& kernel, const Range& range, std::array<std::int64_t, 2> groups,
             std::span<const Arg> args) override {
    const Context::Current current(*context_);
    CudaFunction function =
        static_cast<const CudaProgram&>(*kernel.program).function(*kernel.entry);
    const auto what = [&] { return fmt::format("launching {}", kernel.entry->name); };
    if (range.local_bytes > kPlainLocalBytes) {
      const CudaStatus status = cuda().func_set_attribute(function, kMaxDynamicSharedBytes,
                                                          static_cast<int>(range.local_bytes));
      if (status != kCudaSuccess) {
        context_->require(
            status, fmt::format("{} with {} bytes of local memory", what(), range.local_bytes));
      }
    }
    // One value more than the arguments: what stands for LOCAL_ARG.
    std::int32_t local_bytes = static_cast<std::int32_t>(range.local_bytes);
    addresses_.resize(args.size());
    values_.clear();
    for (std::size_t i = 0; i < args.size(); ++i) {
      if (args[i].kind() == ArgKind::buffer) {
        addresses_[i] = address_of(args[i].buffer());
        values_.push_back(&addresses_[i]);
      } else {
        values_.push_back(const_cast<void*>(args[i].value()));
      }
    }
    values_.push_back(&local_bytes);
    const CudaStatus status = cuda().launch_kernel(
        function, static_cast<unsigned>(groups[0]), static_cast<unsigned>(groups[1]), 1,
        static_cast<unsigned>(range.group[0]), static_cast<unsigned>(range.group[1]), 1,
        static_cast<unsigned>(range.local_bytes), stream_, values_.data(), nullptr);
    if (status != kCudaSuccess) {
      context_->require(status, what());
    }
  }

 private:
  /// What a kernel may have of dynamic shared memory without asking.
  static constexpr std::size_t kPlainLocalBytes = 48 << 10;
  static constexpr int kMaxDynamicSharedBytes = 8;  ///< CUfunction_attribute.

  const CudaLibrary& cuda() const noexcept { return context_->cuda; }

  void enqueue_upload(const Buffer& to, std::size_t offset, std::span<const std::byte> from) {
    if (!from.empty()) {
      const Context::Current current(*context_);
      context_->require(
          cuda().memcpy_htod_async(address_of(to) + offset, from.data(), from.size(), stream_),
          "uploading");
    }
  }
  void enqueue_download(const Buffer& from, std::size_t offset, std::span<std::byte> to) {
    if (!to.empty()) {
      const Context::Current current(*context_);
      context_->require(
          cuda().memcpy_dtoh_async(to.data(), address_of(from) + offset, to.size(), stream_),
          "downloading");
    }
  }

  std::shared_ptr<const Context> context_;
  CudaStream stream_ = nullptr;
  std::vector<CudaAddress> addresses_;  ///< Of the launch being made; kept for their memory.
  std::vector<void*> values_;
};

class CudaDevice final : public Device {
 public:
  CudaDevice(const Target& target, std::shared_ptr<const Context> context, std::string architecture)
      : Device(target), context_(std::move(context)), architecture_(std::move(architecture)) {}
  Buffer allocate(std::size_t bytes) override {
    return {std::make_shared<CudaStorage>(context_, bytes), bytes};
  }
  std::unique_ptr<Queue> make_queue() override { return std::make_unique<CudaQueue>(context_); }
  HostMemory allocate_host(std::size_t bytes) override {
    constexpr unsigned kPortable = 1;  // Pinned for every device of the process.
    const Context::Current current(*context_);
    void* start = nullptr;
    const CudaStatus status =
        context_->cuda.mem_host_alloc(&start, bytes == 0 ? 1 : bytes, kPortable);
    if (status != kCudaSuccess) {
      context_->require(status, fmt::format("allocating {} bytes of pinned host memory", bytes));
    }
    const auto release = [context = context_](std::byte* memory) {
      context->release([&] { context->cuda.mem_free_host(memory); });
    };
    return {{static_cast<std::byte*>(start), release}, bytes};
  }

 protected:
  std::shared_ptr<const Program> compile(const KernelSource& source, Real real) override {
    const Nvrtc& nvrtc = *Nvrtc::open();
    const std::string key = kernel_key(target(), Nvrtc::options_text(architecture_),
                                       device_text(kCudaPrelude, source, real));
    const auto load = [&](const std::string& code) {
      return std::make_shared<const CudaProgram>(context_, source, code);
    };
    std::string code;
    return cache_.load_or_make(
        key, load,
        [&] {
          code = nvrtc.compile(source, real, architecture_);
          return load(code);
        },
        [&](const auto&) { return code; });
  }

 private:
  std::shared_ptr<const Context> context_;
  std::string architecture_;
  KernelCache cache_ = KernelCache::of_user();
};

}  // namespace

std::shared_ptr<Device> open_cuda_device(const Target& target) {
  const CudaLibrary* cuda = CudaLibrary::open();
  WEIR_CHECK(cuda != nullptr && Nvrtc::open() != nullptr);
  auto context = std::make_shared<const Context>(*cuda, target);
  std::string architecture = Nvrtc::open()->architecture_for(cuda->capability(context->device()));
  return std::make_shared<CudaDevice>(target, std::move(context), std::move(architecture));
}

}  // namespace weir::compute
