#include "weir/core/replacement.h"

#include <fmt/format.h>

#include "weir/core/error.h"

namespace weir {
namespace {
namespace fs = std::filesystem;

/// Runs file operations; what they throw becomes an `io` error about the data.
template <class Work>
void about(const Replacement& replacement, const Work& work) {
  try {
    work();
  } catch (const fs::filesystem_error& failure) {
    throw Error(ErrorCode::io, fmt::format("{}: cannot replace: {}", replacement.data.string(),
                                           failure.code().message()));
  }
}

bool stands(const fs::path& path) {
  return fs::exists(fs::symlink_status(path));
}
}  // namespace

ReplacementState state_of(const Replacement& replacement) {
  std::error_code failure;
  if (!fs::exists(replacement.aside, failure)) {
    return ReplacementState::none;
  }
  const bool torn = !fs::exists(fs::symlink_status(replacement.data, failure)) &&
                    fs::exists(fs::symlink_status(replacement.former(), failure));
  return torn ? ReplacementState::torn : ReplacementState::whole;
}

void set_aside(const Replacement& replacement) {
  about(replacement, [&] {
    fs::remove_all(replacement.aside);
    fs::create_directories(replacement.aside);
    for (const auto& companion : replacement.companions) {
      if (stands(companion)) {
        fs::copy_file(companion, replacement.aside / companion.filename());
      }
    }
    fs::rename(replacement.data, replacement.former());
  });
}

void put_back(const Replacement& replacement) {
  about(replacement, [&] {
    for (const auto& companion : replacement.companions) {
      const fs::path kept = replacement.aside / companion.filename();
      if (stands(kept)) {
        fs::copy_file(kept, companion, fs::copy_options::overwrite_existing);
      } else {
        fs::remove(companion);  // The new content's: the former had none.
      }
    }
    fs::rename(replacement.former(), replacement.data);
    fs::remove_all(replacement.aside);
  });
}

void drop_aside(const Replacement& replacement) {
  about(replacement, [&] {
    // Renamed first: half removed, it must not look like something to put back.
    if (stands(replacement.former())) {
      fs::rename(replacement.former(), replacement.aside / "dropped");
    }
    fs::remove_all(replacement.aside);
  });
}

}  // namespace weir
