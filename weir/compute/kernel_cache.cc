#include "weir/compute/kernel_cache.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <system_error>

namespace weir::compute {
namespace {

constexpr int kFormat = 1;
/// Far more than any program; a file beyond it is not ours.
constexpr std::uintmax_t kLargestEntry = std::uintmax_t{256} << 20;

/// What an entry begins with; the key and the code follow.
struct Header {
  std::array<char, 16> magic{"weir kernels 1\n"};
  std::uint64_t key_bytes = 0;
  std::uint64_t code_bytes = 0;
  std::uint64_t checksum = 0;  ///< Of the code.
};

/// Source: FNV-1a, 64 bits (RFC 9923).
std::uint64_t hash(std::string_view bytes, std::uint64_t state = 0xcbf29ce484222325U) {
  for (const char byte : bytes) {
    state = (state ^ static_cast<unsigned char>(byte)) * 0x100000001b3U;
  }
  return state;
}

std::string_view environment(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? std::string_view() : std::string_view(value);
}

bool write_whole(int descriptor, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(descriptor, bytes.data(), bytes.size());
    if (written < 0 && errno != EINTR) {
      return false;
    }
    bytes.remove_prefix(static_cast<std::size_t>(std::max<ssize_t>(written, 0)));
  }
  return true;
}

/// Written beside `path` and renamed over it: a reader sees the former file or this one.
bool replace_file(const std::filesystem::path& path,
                  std::initializer_list<std::string_view> parts) {
  std::string beside = path.string() + ".XXXXXX";
  const int descriptor = ::mkstemp(beside.data());
  if (descriptor < 0) {
    return false;
  }
  bool whole = true;
  for (const auto part : parts) {
    whole = whole && write_whole(descriptor, part);
  }
  whole = ::close(descriptor) == 0 && whole;
  if (!whole || ::rename(beside.c_str(), path.c_str()) != 0) {
    ::unlink(beside.c_str());
    return false;
  }
  return true;
}

/// The nearest folder that exists, which is where a missing one would be made.
std::filesystem::path nearest_folder(std::filesystem::path folder) {
  std::error_code ignored;  // What cannot be looked at does not exist for us.
  while (!std::filesystem::exists(folder, ignored) && folder.has_relative_path()) {
    folder = folder.parent_path();
  }
  return folder;
}

}  // namespace

KernelCache KernelCache::of_user() {
  KernelCache cache;
  if (environment("WEIR_KERNEL_CACHE") == "0") {
    cache.why_off_ = "WEIR_KERNEL_CACHE is 0";
  } else if (const auto own = environment("WEIR_CACHE_DIR"); !own.empty()) {
    cache.folder_ = std::filesystem::path(own) / "kernels";
  } else if (const auto xdg = environment("XDG_CACHE_HOME"); !xdg.empty()) {
    cache.folder_ = std::filesystem::path(xdg) / "weir" / "kernels";
  } else if (const auto home = environment("HOME"); !home.empty()) {
    cache.folder_ = std::filesystem::path(home) / ".cache" / "weir" / "kernels";
  } else {
    cache.why_off_ = "neither WEIR_CACHE_DIR nor HOME is set";
  }
  return cache;
}

std::filesystem::path KernelCache::path_of(std::string_view key) const {
  return folder_ / fmt::format("{:016x}.kernel", hash(key));
}

std::optional<std::string> KernelCache::find(std::string_view key) const {
  if (!why_off_.empty()) {
    return std::nullopt;
  }
  // The size is asked of the open file: another process may rename its own over the path.
  std::ifstream file(path_of(key), std::ios::binary | std::ios::ate);
  const auto size = static_cast<std::uintmax_t>(std::max<std::streamoff>(file.tellg(), 0));
  if (!file || size < sizeof(Header) || size > kLargestEntry) {
    return std::nullopt;
  }
  std::string bytes(size, '\0');
  file.seekg(0);
  if (!file.read(bytes.data(), static_cast<std::streamsize>(size))) {
    return std::nullopt;
  }
  Header header;
  std::memcpy(&header, bytes.data(), sizeof header);
  const std::uint64_t rest = size - sizeof header;
  if (header.magic != Header().magic || header.key_bytes != key.size() || key.size() > rest ||
      header.code_bytes != rest - key.size() ||
      std::string_view(bytes).substr(sizeof header, key.size()) != key) {
    return std::nullopt;
  }
  bytes.erase(0, sizeof header + key.size());
  if (header.checksum != hash(bytes)) {
    return std::nullopt;
  }
  return bytes;
}

bool KernelCache::keep(std::string_view key, std::string_view code) const noexcept {
  if (!why_off_.empty()) {
    return false;
  }
  try {
    // What is in it runs as the user, so nobody else may write there.
    std::error_code failed;
    const bool made = std::filesystem::create_directories(folder_, failed);
    if (made) {
      std::filesystem::permissions(folder_, std::filesystem::perms::owner_all, failed);
    }
    if (failed) {
      return false;
    }
    Header header;
    header.key_bytes = key.size();
    header.code_bytes = code.size();
    header.checksum = hash(code);
    return replace_file(path_of(key),
                        {{reinterpret_cast<const char*>(&header), sizeof header}, key, code});
  } catch (const std::exception&) {  // No memory for a path: what was compiled is still good.
    return false;
  }
}

std::string KernelCache::description() const {
  if (!why_off_.empty()) {
    return "off: " + why_off_;
  }
  if (::access(nearest_folder(folder_).c_str(), W_OK | X_OK) != 0) {
    return fmt::format("{} cannot be written ({}): each process compiles what it does not hold",
                       folder_.string(), std::generic_category().message(errno));
  }
  return folder_.string();
}

std::string kernel_key(const Target& target, std::string_view options, std::string_view text) {
  return fmt::format("{}\n{}\n{}\n{}\n{}\n{}", kFormat,
                     target.name.substr(0, target.name.find(':')), target.device, target.driver,
                     options, text);
}

}  // namespace weir::compute
