#pragma once

#include <filesystem>
#include <vector>

namespace weir {

/// An output that is being replaced, so that a process may be killed at any moment and either the
/// former or the new content is whole.
///
/// The folder `aside` holds copies of the companions before the data moves into it, and goes once
/// the new data stands; data and companions of different runs are never seen together.
struct Replacement {
  std::filesystem::path data;                     ///< A file or a folder.
  std::vector<std::filesystem::path> companions;  ///< Small files that describe the data, if any.
  std::filesystem::path aside;                    ///< On the same file system as the data.

  /// Where the former content waits.
  std::filesystem::path former() const { return aside / "data"; }
};

enum class ReplacementState {
  none,   ///< Nothing is aside.
  whole,  ///< What should stand stands; leftovers are aside.
  torn    ///< Nothing stands; the former content is aside.
};
ReplacementState state_of(const Replacement& replacement);

/// Moves the data aside. Errors: `io`; the data then stands where it stood.
void set_aside(const Replacement& replacement);
/// Puts torn content and its companions back. Errors: `io`; may be tried again.
void put_back(const Replacement& replacement);
/// The data stands: what is aside goes. Errors: `io`.
void drop_aside(const Replacement& replacement);

}  // namespace weir
