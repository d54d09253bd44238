#include "weir/core/parallel_loop.h"

#include <gtest/gtest.h>

#include <atomic>

#include "weir/core/error.h"

namespace weir {
namespace {

TEST(ParallelLoop, DoesEveryTaskOnce) {
  std::atomic<std::int64_t> sum{0};
  parallel_loop(1000, [&](std::int64_t i) { sum += i; });
  EXPECT_EQ(sum, 999 * 1000 / 2);
  parallel_loop(0, [](std::int64_t) { FAIL(); });
}

TEST(ParallelLoop, PassesOnTheFirstErrorInTheOrderOfTasks) {
  for (int round = 0; round < 200; ++round) {
    try {
      parallel_loop(64, [](std::int64_t i) {
        if (i >= 5) {
          throw Error(ErrorCode::io, std::to_string(i));
        }
      });
      FAIL() << "no error";
    } catch (const Error& error) {
      EXPECT_EQ(error.text(), "5");
    }
  }
}

}  // namespace
}  // namespace weir
