#pragma once

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>

namespace weir::testing {

/// What a fuzz driver tries: any bytes at all.
using FuzzBody = void (*)(std::span<const std::byte> input);

/// Runs `body` on every file of the folder `corpus/` beside `source_file`, on nothing, and on each
/// file cut short; fails when the folder is empty.
void replay_corpus(const std::filesystem::path& source_file, FuzzBody body);

}  // namespace weir::testing

/// One fuzz target, `WEIR_FUZZ(raw) { … input … }` in `raw_fuzz.cc`. Compiled twice: with
/// `WEIR_FUZZ_MAIN` (preset fuzz, one program per file) it is libFuzzer's entry point; without, it
/// is the ordinary test `Corpus.raw` of the module, which replays the folder `corpus/` beside it.
#ifdef WEIR_FUZZ_MAIN
#define WEIR_FUZZ(name)                                                               \
  static void fuzz_##name(std::span<const std::byte> input);                          \
  extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) { \
    fuzz_##name({reinterpret_cast<const std::byte*>(data), size});                    \
    return 0;                                                                         \
  }                                                                                   \
  static void fuzz_##name([[maybe_unused]] std::span<const std::byte> input)
#else
#define WEIR_FUZZ(name)                                      \
  static void fuzz_##name(std::span<const std::byte> input); \
  TEST(Corpus, name) {                                       \
    ::weir::testing::replay_corpus(__FILE__, &fuzz_##name);  \
  }                                                          \
  static void fuzz_##name([[maybe_unused]] std::span<const std::byte> input)
#endif
