#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "weir/compute/device.h"

namespace weir::compute {

std::shared_ptr<Device> open_host_device(const Target& target);
std::shared_ptr<Device> open_opencl_device(const Target& target);
std::shared_ptr<Device> open_cuda_device(const Target& target);

/// The devices of one kind, or one line with the reason why there is none.
std::vector<Target> probe_opencl();
std::vector<Target> probe_cuda();

/// What the compiler said about a kernel file, with the line of the file it complains about first.
/// The compiler was given `#line` directives, so its own numbers are the file's.
std::string quote_compile_log(const KernelSource& source, std::string_view log);

/// The text given to a device compiler: `prelude`, what `real` is, and the file.
std::string device_text(std::string_view prelude, const KernelSource& source, Real real);

}  // namespace weir::compute
