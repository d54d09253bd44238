#pragma once

#include <cstdint>
#include <functional>
#include <string>

namespace weir {

/// Where a run stands. Called on the caller's thread, about ten times a second at most.
struct Progress {
  std::int64_t input = 0;  ///< Index of the input being read.
  std::int64_t inputs = 1;
  std::int64_t blocks_done = 0;
  std::int64_t blocks = 0;
  std::int64_t bytes_read = 0;
  double seconds_done = 0;   ///< Of recording, in this stage.
  double seconds_total = 0;  ///< Of recording, that this stage looks at.
  std::string stage;         ///< "fit", "run", "commit".
};

/// Returning false cancels the run; inputs already finished stay.
using Observer = std::function<bool(const Progress&)>;

}  // namespace weir
