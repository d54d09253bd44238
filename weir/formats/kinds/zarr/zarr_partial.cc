#include "weir/formats/kinds/zarr/zarr_partial.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstdio>
#include <memory>
#include <span>

#include "weir/core/error.h"
#include "weir/formats/writer.h"

namespace weir::formats {
namespace {
namespace fs = std::filesystem;

[[noreturn]] void refuse(const fs::path& path, const std::string& what, const std::string& why) {
  throw Error(ErrorCode::io, fmt::format("{}: {}: {}", path.string(), what, why));
}

void write_whole(const fs::path& file, const std::vector<std::vector<std::byte>>& pieces) {
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> stream(std::fopen(file.c_str(), "wb"),
                                                               &std::fclose);
  if (!stream) {
    refuse(file, "cannot create", errno_text(errno));
  }
  std::setvbuf(stream.get(), nullptr, _IONBF, 0);
  for (const auto& bytes : pieces) {
    if (std::fwrite(bytes.data(), 1, bytes.size(), stream.get()) != bytes.size()) {
      refuse(file, "cannot write", errno_text(errno));
    }
  }
}

/// Files whose writing a kill cut off.
void remove_unfinished(const fs::path& folder) {
  std::error_code failure;
  std::vector<fs::path> unfinished;
  for (fs::recursive_directory_iterator entry(folder, failure), end; !failure && entry != end;
       entry.increment(failure)) {
    if (entry->path().extension() == ".part") {
      unfinished.push_back(entry->path());
    }
  }
  for (const auto& file : unfinished) {
    fs::remove(file, failure);
  }
  if (failure) {
    refuse(folder, "cannot take up again", failure.message());
  }
}
}  // namespace

ZarrPartial::ZarrPartial(const fs::path& path, Start start)
    : path_(path), folder_(partial_path(path)) {
  std::error_code failure;
  if (start == Start::resumed) {
    if (!fs::is_directory(folder_, failure)) {
      throw Error(ErrorCode::corrupt_data,
                  fmt::format("{}: the checkpoint counts on this folder", folder_.string()));
    }
    remove_unfinished(folder_);
    return;
  }
  fs::remove_all(folder_, failure);
  fs::create_directories(folder_, failure);
  if (failure) {
    refuse(path_, fmt::format("cannot make the folder {}", folder_.string()), failure.message());
  }
}

ZarrPartial::~ZarrPartial() {
  std::error_code ignored;  // There is nobody left to tell.
  if (!kept_) {
    fs::remove_all(folder_, ignored);
  }
}

void ZarrPartial::write(const fs::path& inside, const std::vector<std::vector<std::byte>>& pieces) {
  const fs::path file = folder_ / inside;
  fs::path unfinished = file;
  unfinished += ".part";
  std::error_code failure;
  fs::create_directories(file.parent_path(), failure);
  if (failure) {
    refuse(file, "cannot make its folder", failure.message());
  }
  write_whole(unfinished, pieces);
  fs::rename(unfinished, file, failure);
  if (failure) {
    refuse(file, "cannot rename into place", failure.message());
  }
  for (const auto& bytes : pieces) {
    bytes_written_ += std::ssize(bytes);
  }
}

void ZarrPartial::write(const fs::path& inside, const Value& document) {
  const std::string text = to_json(document, 1) + "\n";
  const auto bytes = std::as_bytes(std::span(text));
  write(inside, std::vector<std::vector<std::byte>>{{bytes.begin(), bytes.end()}});
}

}  // namespace weir::formats
