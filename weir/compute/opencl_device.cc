#include <fmt/format.h>

#include <algorithm>

#include "weir/compute/backends_internal.h"
#include "weir/compute/kernel_cache.h"
#include "weir/compute/opencl_program_internal.h"
#include "weir/compute/preludes.h"
#include "weir/core/error.h"

namespace weir::compute {
namespace {

std::string device_string(const OpenclLibrary& cl, cl_device_id device, cl_device_info what) {
  std::size_t size = 0;
  if (cl.clGetDeviceInfo(device, what, 0, nullptr, &size) != CL_SUCCESS || size == 0) {
    return {};
  }
  std::string text(size, '\0');
  cl.clGetDeviceInfo(device, what, size, text.data(), nullptr);
  text.resize(text.find('\0'));
  return text;
}

template <class T>
T device_number(const OpenclLibrary& cl, cl_device_id device, cl_device_info what) {
  T value{};
  cl.clGetDeviceInfo(device, what, sizeof value, &value, nullptr);
  return value;
}

std::vector<cl_device_id> find_devices(const OpenclLibrary& cl) {
  cl_uint platform_count = 0;
  if (cl.clGetPlatformIDs(0, nullptr, &platform_count) != CL_SUCCESS || platform_count == 0) {
    return {};  // The loader answers with an error of its own when no platform is installed.
  }
  std::vector<cl_platform_id> platforms(platform_count);
  cl.clGetPlatformIDs(platform_count, platforms.data(), nullptr);
  std::vector<cl_device_id> devices;
  for (cl_platform_id platform : platforms) {
    cl_uint count = 0;
    if (cl.clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 0, nullptr, &count) != CL_SUCCESS) {
      continue;
    }
    const std::size_t before = devices.size();
    devices.resize(before + count);
    cl.clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, count, devices.data() + before, nullptr);
  }
  return devices;
}

Target describe(const OpenclLibrary& cl, cl_device_id device, int index) {
  Target target{.name = fmt::format("opencl:{}", index), .kind = TargetKind::opencl};
  target.index = index;
  target.device = device_string(cl, device, CL_DEVICE_NAME);
  target.driver = device_string(cl, device, CL_DEVICE_VERSION) + ", driver " +
                  device_string(cl, device, CL_DRIVER_VERSION);
  target.memory_bytes = device_number<cl_ulong>(cl, device, CL_DEVICE_GLOBAL_MEM_SIZE);
  target.fp64 = device_number<cl_device_fp_config>(cl, device, CL_DEVICE_DOUBLE_FP_CONFIG) != 0;
  target.is_processor =
      (device_number<cl_device_type>(cl, device, CL_DEVICE_TYPE) & CL_DEVICE_TYPE_CPU) != 0;
  if (device_number<cl_bool>(cl, device, CL_DEVICE_AVAILABLE) == CL_FALSE) {
    target.why_not = "the driver says the device is not available";
  } else if (device_number<cl_bool>(cl, device, CL_DEVICE_COMPILER_AVAILABLE) == CL_FALSE) {
    target.why_not = "the driver has no compiler";
  } else if (device_number<cl_bool>(cl, device, CL_DEVICE_ENDIAN_LITTLE) == CL_FALSE) {
    target.why_not = "the device is big-endian";
  }
  return target;
}

struct OpenclStorage final : Buffer::Storage {
  OpenclStorage(std::shared_ptr<OpenclContext> in, std::size_t bytes) : context(std::move(in)) {
    cl_int status = CL_SUCCESS;
    handle = context->cl.clCreateBuffer(context->handle, CL_MEM_READ_WRITE, bytes == 0 ? 1 : bytes,
                                        nullptr, &status);
    if (status != CL_SUCCESS) {
      require_opencl(status, fmt::format("allocating {} bytes on the device", bytes).c_str());
    }
  }
  ~OpenclStorage() override { context->cl.clReleaseMemObject(handle); }
  OpenclStorage(const OpenclStorage&) = delete;
  OpenclStorage& operator=(const OpenclStorage&) = delete;

  std::shared_ptr<OpenclContext> context;
  cl_mem handle = nullptr;
};

cl_mem handle_of(const Buffer& buffer) {
  return buffer ? static_cast<OpenclStorage*>(buffer.storage())->handle : nullptr;
}

struct OpenclMark final : Fence::Mark {
  OpenclMark(std::shared_ptr<OpenclContext> in, cl_event marker)
      : context(std::move(in)), event(marker) {}
  ~OpenclMark() override { context->cl.clReleaseEvent(event); }
  OpenclMark(const OpenclMark&) = delete;
  OpenclMark& operator=(const OpenclMark&) = delete;

  bool reached() const override {
    cl_int status = CL_COMPLETE;
    require_opencl(context->cl.clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS,
                                              sizeof status, &status, nullptr),
                   "asking whether work is done");
    require_opencl(std::min(status, CL_COMPLETE), "waiting for work");  // Errors are negative.
    return status == CL_COMPLETE;
  }
  void wait() const override {
    require_opencl(context->cl.clWaitForEvents(1, &event), "waiting for work");
  }

  std::shared_ptr<OpenclContext> context;
  cl_event event;
};

class OpenclQueue final : public Queue {
 public:
  explicit OpenclQueue(std::shared_ptr<OpenclContext> context) : context_(std::move(context)) {
    cl_int status = CL_SUCCESS;
    handle_ = cl().clCreateCommandQueue(context_->handle, context_->device, 0, &status);
    require_opencl(status, "making an OpenCL queue");
  }
  ~OpenclQueue() override {
    cl().clFinish(handle_);
    for (const auto& [entry, kernel] : kernels_) {
      cl().clReleaseKernel(kernel);
    }
    cl().clReleaseCommandQueue(handle_);
  }
  OpenclQueue(const OpenclQueue&) = delete;
  OpenclQueue& operator=(const OpenclQueue&) = delete;

  void upload(const Buffer& to, std::size_t offset, std::span<const std::byte> from) override {
    write(CL_TRUE, to, offset, from);
  }
  void download(const Buffer& from, std::size_t offset, std::span<std::byte> to) override {
    read(CL_TRUE, from, offset, to);
  }
  void clear(const Buffer& buffer) override {
    const cl_uchar zero = 0;
    if (buffer.bytes() > 0) {
      require_opencl(cl().clEnqueueFillBuffer(handle_, handle_of(buffer), &zero, sizeof zero, 0,
                                              buffer.bytes(), 0, nullptr, nullptr),
                     "clearing a buffer");
    }
  }
  void copy(const Buffer& from, std::size_t from_offset, const Buffer& to, std::size_t to_offset,
            std::size_t bytes) override {
    if (bytes > 0) {
      require_opencl(cl().clEnqueueCopyBuffer(handle_, handle_of(from), handle_of(to), from_offset,
                                              to_offset, bytes, 0, nullptr, nullptr),
                     "copying on the device");
    }
  }
  void finish() override { require_opencl(cl().clFinish(handle_), "waiting for the device"); }
  void start_upload(const Buffer& to, std::size_t offset, const HostMemory& from,
                    std::size_t from_offset, std::size_t bytes) override {
    write(CL_FALSE, to, offset, from.bytes().subspan(from_offset, bytes));
    flush();
  }
  void start_download(const Buffer& from, std::size_t offset, const HostMemory& to,
                      std::size_t to_offset, std::size_t bytes) override {
    read(CL_FALSE, from, offset, to.bytes().subspan(to_offset, bytes));
    flush();
  }
  Fence record() override {
    cl_event marker = nullptr;
    require_opencl(cl().clEnqueueMarkerWithWaitList(handle_, 0, nullptr, &marker),
                   "recording an event");
    auto mark = std::make_shared<const OpenclMark>(context_, marker);
    flush();
    return Fence(std::move(mark));
  }
  void wait(const Fence& fence) override {
    const auto* mark = dynamic_cast<const OpenclMark*>(fence.mark());
    if (mark == nullptr || mark->context != context_) {
      fence.wait();
      return;
    }
    require_opencl(cl().clEnqueueBarrierWithWaitList(handle_, 1, &mark->event, nullptr),
                   "waiting for an event");
  }

 protected:
  void start(const Kernel& kernel, const Range& range, std::array<std::int64_t, 2> groups,
             std::span<const Arg> args) override {
    cl_kernel handle = kernel_of(kernel);
    cl_uint at = 0;
    for (const Arg& arg : args) {
      const bool buffer = arg.kind() == ArgKind::buffer;
      cl_mem memory = buffer ? handle_of(arg.buffer()) : nullptr;
      require_opencl(cl().clSetKernelArg(handle, at++, buffer ? sizeof(cl_mem) : arg.size(),
                                         buffer ? &memory : arg.value()),
                     "setting a kernel argument");
    }
    if (range.local_bytes > 0) {
      require_opencl(cl().clSetKernelArg(handle, at, range.local_bytes, nullptr),
                     "setting a kernel's local memory");
    }
    const std::array<std::size_t, 2> local{static_cast<std::size_t>(range.group[0]),
                                           static_cast<std::size_t>(range.group[1])};
    const std::array<std::size_t, 2> global{local[0] * static_cast<std::size_t>(groups[0]),
                                            local[1] * static_cast<std::size_t>(groups[1])};
    require_opencl(cl().clEnqueueNDRangeKernel(handle_, handle, 2, nullptr, global.data(),
                                               local.data(), 0, nullptr, nullptr),
                   fmt::format("launching {}", kernel.entry->name).c_str());
    flush();
  }

 private:
  using Entry = std::pair<const Program*, const KernelEntry*>;

  const OpenclLibrary& cl() const noexcept { return context_->cl; }

  void write(cl_bool blocking, const Buffer& to, std::size_t offset,
             std::span<const std::byte> from) {
    if (!from.empty()) {
      require_opencl(cl().clEnqueueWriteBuffer(handle_, handle_of(to), blocking, offset,
                                               from.size(), from.data(), 0, nullptr, nullptr),
                     "uploading");
    }
  }
  void read(cl_bool blocking, const Buffer& from, std::size_t offset, std::span<std::byte> to) {
    if (!to.empty()) {
      require_opencl(cl().clEnqueueReadBuffer(handle_, handle_of(from), blocking, offset, to.size(),
                                              to.data(), 0, nullptr, nullptr),
                     "downloading");
    }
  }
  void flush() { require_opencl(cl().clFlush(handle_), "handing work to the device"); }

  /// A kernel object holds its arguments, so each queue has its own.
  cl_kernel kernel_of(const Kernel& kernel) {
    const Entry entry{kernel.program.get(), kernel.entry};
    for (const auto& [known, handle] : kernels_) {
      if (known == entry) {
        return handle;
      }
    }
    const auto& program = static_cast<const OpenclProgram&>(*kernel.program);
    cl_int status = CL_SUCCESS;
    cl_kernel handle =
        cl().clCreateKernel(program.handle(), std::string(kernel.entry->name).c_str(), &status);
    require_opencl(status, "finding a kernel in its program");
    kernels_.emplace_back(entry, handle);
    programs_.push_back(kernel.program);
    return handle;
  }

  std::shared_ptr<OpenclContext> context_;
  cl_command_queue handle_ = nullptr;
  std::vector<std::pair<Entry, cl_kernel>> kernels_;
  std::vector<std::shared_ptr<const Program>> programs_;  ///< Keeps the keys of `kernels_` alive.
};

class OpenclDevice final : public Device {
 public:
  OpenclDevice(Target target, std::shared_ptr<OpenclContext> context)
      : Device(std::move(target)), context_(std::move(context)) {}
  Buffer allocate(std::size_t bytes) override {
    return {std::make_shared<OpenclStorage>(context_, bytes), bytes};
  }
  std::unique_ptr<Queue> make_queue() override { return std::make_unique<OpenclQueue>(context_); }

 protected:
  std::shared_ptr<const Program> compile(const KernelSource& source, Real real) override {
    const std::string text = device_text(kOpenclPrelude, source, real);
    const std::string key = kernel_key(target(), context_->options, text);
    return cache_.load_or_make(
        key, [&](const std::string& code) { return OpenclProgram::of_code(context_, code); },
        [&] { return OpenclProgram::of_text(context_, source, text); },
        [](const OpenclProgram::Shared& program) { return program->code(); });
  }

 private:
  std::shared_ptr<OpenclContext> context_;
  KernelCache cache_ = KernelCache::of_user();
};

}  // namespace

std::vector<Target> probe_opencl() {
  const OpenclLibrary* cl = OpenclLibrary::open();
  std::vector<Target> targets;
  if (cl != nullptr) {
    for (cl_device_id device : find_devices(*cl)) {
      targets.push_back(describe(*cl, device, static_cast<int>(targets.size())));
    }
  }
  if (targets.empty()) {
    targets.push_back({.name = "opencl", .kind = TargetKind::opencl});
    targets.back().why_not =
        cl == nullptr ? OpenclLibrary::why_not() : "the OpenCL loader finds no device";
  }
  return targets;
}

std::shared_ptr<Device> open_opencl_device(const Target& target) {
  const OpenclLibrary* cl = OpenclLibrary::open();
  const auto devices = find_devices(*cl);
  WEIR_CHECK(static_cast<std::size_t>(target.index) < devices.size());
  return std::make_shared<OpenclDevice>(
      target,
      std::make_shared<OpenclContext>(*cl, devices[static_cast<std::size_t>(target.index)]));
}

}  // namespace weir::compute
