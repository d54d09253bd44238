#include "weir/core/memory_budget.h"

#include <gtest/gtest.h>

#include <atomic>
#include <thread>
#include <vector>

#include "weir/testing/conformance.h"

namespace weir {
namespace {

using testing::expect_error;

TEST(ParseBytes, KnowsUnitsAndShares) {
  EXPECT_EQ(parse_bytes("2 GiB", 0), std::size_t{2} << 30U);
  EXPECT_EQ(parse_bytes("512MB", 0), 512'000'000U);
  EXPECT_EQ(parse_bytes("1.5 KiB", 0), 1536U);
  EXPECT_EQ(parse_bytes("4096", 0), 4096U);
  EXPECT_EQ(parse_bytes(" 70% available ", 1000), 700U);
  EXPECT_EQ(parse_bytes("50 %", 1000), 500U);
}

TEST(ParseBytes, QuotesWhatItCannotRead) {
  for (const char* text :
       {"", "much", "-1 GiB", "0", "3 XiB", "120% available", "50% of it", "nan GiB", "inf"}) {
    expect_error(ErrorCode::invalid_spec, std::string("\"") + text + "\"",
                 [=] { parse_bytes(text, 1000); });
  }
}

TEST(BytesText, IsShort) {
  EXPECT_EQ(bytes_text(17), "17 B");
  EXPECT_EQ(bytes_text(12 << 10U), "12 KiB");
  EXPECT_EQ(bytes_text(std::size_t{3} << 29U), "1.5 GiB");
}

TEST(MemoryBudget, RefusesAPlanOverTheCapNamingTheLargestClaim) {
  MemoryBudget budget(1 << 20U);
  budget.claim("node a: state", 300 << 10U);
  budget.claim("node b: run-in", 600 << 10U);
  budget.claim("node c: nothing", 0);
  budget.require_fits();
  EXPECT_EQ(budget.left(), 124U << 10U);
  EXPECT_EQ(budget.claims().size(), 2U);
  budget.claim("reader: buffers", 200 << 10U);
  EXPECT_EQ(budget.left(), 0U);
  expect_error(ErrorCode::out_of_memory, "the cap is 1 MiB", [&] { budget.require_fits(); });
  expect_error(ErrorCode::out_of_memory, "the largest claim is node b: run-in with 600 KiB",
               [&] { budget.require_fits(); });
}

TEST(MemoryBudget, AutoIsAShareOfWhatIsAvailable) {
  const std::size_t cap = MemoryBudget::parse("auto").cap();
  EXPECT_GT(cap, 0U);
  EXPECT_LE(cap, available_memory() + (std::size_t{8} << 30U));
}

TEST(MemoryPool, RefusesALeaseOverTheCapAndGivesBytesBack) {
  MemoryPool pool(1000);
  {
    const auto first = pool.lease("cache", 600);
    expect_error(ErrorCode::out_of_memory, "reader: 401 B wanted, 400 B of 1000 B left",
                 [&] { pool.lease("reader", 401); });
    EXPECT_EQ(pool.in_use(), 600U);
  }
  EXPECT_EQ(pool.in_use(), 0U);
  EXPECT_EQ(pool.peak(), 600U);
  EXPECT_EQ(pool.lease("whole", 1000).bytes(), 1000U);
}

TEST(MemoryPool, LeasesMoveWithoutCountingTwice) {
  MemoryPool pool(1000);
  auto first = pool.lease("a", 300);
  auto second = std::move(first);
  EXPECT_EQ(pool.in_use(), 300U);
  second = pool.lease("b", 200);
  first = MemoryPool::Lease();
  EXPECT_EQ(second.bytes(), 200U);
  second = MemoryPool::Lease();
  EXPECT_EQ(pool.in_use(), 0U);
}

TEST(MemoryPool, NeverPassesItsCapUnderThreads) {
  constexpr int kThreads = 8;
  constexpr int kTurns = 2000;
  MemoryPool pool(1000);
  std::atomic<int> granted{0};
  std::vector<std::jthread> threads;
  for (int t = 0; t < kThreads; ++t) {
    threads.emplace_back([&] {
      for (int turn = 0; turn < kTurns; ++turn) {
        try {
          const auto lease = pool.lease("turn", 300);
          granted += pool.in_use() <= 1000 ? 1 : -1'000'000;
        } catch (const Error&) {
          std::this_thread::yield();
        }
      }
    });
  }
  threads.clear();
  EXPECT_GT(granted, 0);
  EXPECT_EQ(pool.in_use(), 0U);
  EXPECT_LE(pool.peak(), 1000U);
}

}  // namespace
}  // namespace weir
