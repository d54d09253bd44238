#pragma once

#include <array>
#include <bit>
#include <cstddef>

namespace weir::signal {

/// One step of a sorting network: the smaller value goes to `low`, the larger to `high`.
struct Exchange {
  std::size_t low = 0;
  std::size_t high = 0;
};

/// Calls `visit` with the exchanges that sort `count` values, in order.
/// Source: merge exchange, Batcher 1968; Knuth, The Art of Computer Programming 3, 5.2.2, algorithm
/// M.
template <class Visit>
constexpr void merge_exchange(std::size_t count, Visit visit) {
  const std::size_t top = std::bit_ceil(count) / 2;
  for (std::size_t p = top; p > 0; p /= 2) {
    std::size_t r = 0;
    std::size_t d = p;
    for (std::size_t q = top;; q /= 2) {
      for (std::size_t i = 0; i + d < count; ++i) {
        if ((i & p) == r) {
          visit(Exchange{i, i + d});
        }
      }
      if (q == p) {
        break;
      }
      d = q - p;
      r = p;
    }
  }
}

template <std::size_t kCount>
constexpr std::size_t exchanges_to_sort() {
  std::size_t exchanges = 0;
  merge_exchange(kCount, [&](Exchange) { ++exchanges; });
  return exchanges;
}

/// The exchanges that sort kCount values.
template <std::size_t kCount>
constexpr auto sorting_network() {
  std::array<Exchange, exchanges_to_sort<kCount>()> network{};
  std::size_t at = 0;
  merge_exchange(kCount, [&](Exchange exchange) { network[at++] = exchange; });
  return network;
}

}  // namespace weir::signal
