#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>
#include <xxhash.h>

#include <algorithm>
#include <ctime>
#include <memory>

#include "weir/core/error.h"
#include "weir/pipeline/input/input.h"

namespace weir::pipeline {
namespace {
constexpr std::int64_t kPart = 64 << 10;

class Hash {
 public:
  Hash() { XXH3_64bits_reset(state_.get()); }
  void add(const void* data, std::size_t bytes) { XXH3_64bits_update(state_.get(), data, bytes); }
  std::string text() const { return fmt::format("{:016x}", XXH3_64bits_digest(state_.get())); }

 private:
  std::unique_ptr<XXH3_state_t, XXH_errorcode (*)(XXH3_state_t*)> state_{XXH3_createState(),
                                                                         &XXH3_freeState};
};

struct stat facts_of(const std::filesystem::path& path) {
  struct stat facts{};
  if (::stat(path.c_str(), &facts) != 0) {
    throw_errno(path.string(), "cannot look at");
  }
  return facts;
}

/// Closes when it dies.
class Opened {
 public:
  explicit Opened(const std::filesystem::path& path)
      : path_(path), file_(::open(path.c_str(), O_RDONLY | O_CLOEXEC)) {
    if (file_ < 0) {
      throw_errno(path.string(), "cannot open");
    }
  }
  Opened(const Opened&) = delete;
  Opened& operator=(const Opened&) = delete;
  ~Opened() { ::close(file_); }

  /// Hashes up to `bytes` bytes from `first`; less where the file ends.
  void hash(std::int64_t first, std::int64_t bytes, Hash& hash) const {
    std::vector<char> part(static_cast<std::size_t>(bytes));
    for (std::int64_t done = 0; done < bytes;) {
      const auto got =
          ::pread(file_, part.data(), static_cast<std::size_t>(bytes - done), first + done);
      if (got < 0) {
        throw_errno(path_.string(), "cannot read");
      }
      if (got == 0) {
        return;
      }
      hash.add(part.data(), static_cast<std::size_t>(got));
      done += got;
    }
  }

 private:
  const std::filesystem::path& path_;
  int file_;
};

void hash_ends(const std::filesystem::path& path, std::int64_t bytes, Hash& hash) {
  const Opened file(path);
  file.hash(0, std::min(bytes, kPart), hash);
  if (bytes > kPart) {
    const std::int64_t tail = std::max(kPart, bytes - kPart);
    file.hash(tail, bytes - tail, hash);
  }
}

std::string time_text(const timespec& moment) {
  std::tm parts{};
  ::gmtime_r(&moment.tv_sec, &parts);
  return fmt::format("{:04}-{:02}-{:02}T{:02}:{:02}:{:02}.{:09}Z", parts.tm_year + 1900,
                     parts.tm_mon + 1, parts.tm_mday, parts.tm_hour, parts.tm_min, parts.tm_sec,
                     moment.tv_nsec);
}

/// A folder is known by the names and sizes of all its files and the text of its JSON files.
std::int64_t hash_folder(const std::filesystem::path& folder, timespec& latest, Hash& hash) {
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
    if (entry.is_regular_file()) {
      files.push_back(entry.path());
    }
  }
  std::sort(files.begin(), files.end());
  std::int64_t total = 0;
  for (const auto& file : files) {
    const struct stat facts = facts_of(file);
    const std::string line =
        fmt::format("{}\n{}\n", file.lexically_relative(folder).string(), facts.st_size);
    hash.add(line.data(), line.size());
    if (file.extension() == ".json") {
      hash_ends(file, facts.st_size, hash);
    }
    total += facts.st_size;
    const timespec& changed = facts.st_mtim;
    if (changed.tv_sec > latest.tv_sec ||
        (changed.tv_sec == latest.tv_sec && changed.tv_nsec > latest.tv_nsec)) {
      latest = changed;
    }
  }
  return total;
}
}  // namespace

Value input_identity(const std::filesystem::path& path) {
  const struct stat facts = facts_of(path);
  timespec changed = facts.st_mtim;
  std::int64_t bytes = facts.st_size;
  Hash hash;
  if (S_ISDIR(facts.st_mode)) {
    changed = {};
    bytes = hash_folder(path, changed, hash);
  } else {
    hash_ends(path, bytes, hash);
  }
  Value identity = Value::object();
  identity.set("path", path.string());
  identity.set("bytes", bytes);
  identity.set("modified", time_text(changed));
  identity.set("xxh3_of_ends", hash.text());
  return identity;
}

}  // namespace weir::pipeline
