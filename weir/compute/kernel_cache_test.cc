#include "weir/compute/kernel_cache.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstdint>
#include <cstdlib>
#include <cstring>

#include "weir/compute/device.h"
#include "weir/testing/format_conformance.h"
#include "weir/testing/required.h"
#include "weir/testing/toy_cl.h"

namespace weir::compute {
namespace {

/// An environment variable for the life of the object.
class Environment {
 public:
  Environment(const char* name, const std::string& value) : name_(name) {
    if (const char* before = std::getenv(name); before != nullptr) {
      before_ = before;
    }
    ::setenv(name, value.c_str(), 1);
  }
  ~Environment() {
    if (before_.has_value()) {
      ::setenv(name_, before_->c_str(), 1);
    } else {
      ::unsetenv(name_);
    }
  }
  Environment(const Environment&) = delete;
  Environment& operator=(const Environment&) = delete;

 private:
  const char* name_;
  std::optional<std::string> before_;
};

TEST(KernelCache, GivesWhatWasKeptUnderTheVeryKey) {
  const testing::ScratchFolder scratch;
  const KernelCache cache(scratch.path() / "deep" / "kernels");
  EXPECT_FALSE(cache.find("key").has_value());
  const std::string code("co\0de", 5);
  ASSERT_TRUE(cache.keep("key", code));
  ASSERT_TRUE(cache.keep("empty", ""));
  EXPECT_EQ(cache.find("key"), code);
  EXPECT_EQ(cache.find("empty"), "");
  EXPECT_FALSE(cache.find("ke").has_value());
  EXPECT_EQ(testing::folder_content(scratch.path()).size(), 2U) << "nothing is left beside entries";
}

TEST(KernelCache, TakesNothingCorruptCutShortOrForeign) {
  const testing::ScratchFolder scratch;
  const KernelCache cache(scratch.path());
  ASSERT_TRUE(cache.keep("key", "code"));
  const auto path = cache.path_of("key");
  const std::string whole = testing::read_string(path);
  for (std::size_t size = 0; size < whole.size(); ++size) {
    testing::write_string(path, whole.substr(0, size));
    ASSERT_FALSE(cache.find("key").has_value()) << "cut to " << size;
  }
  testing::write_string(path, whole + "x");
  EXPECT_FALSE(cache.find("key").has_value());
  for (std::size_t at = 0; at < whole.size(); ++at) {
    std::string spoilt = whole;
    spoilt[at] = static_cast<char>(spoilt[at] ^ 0x40);
    testing::write_string(path, spoilt);
    ASSERT_FALSE(cache.find("key").has_value()) << "byte " << at;
  }
  // Another key's entry under this name, as a collision of hashes would leave it.
  ASSERT_TRUE(cache.keep("yek", "code"));
  testing::write_string(path, testing::read_string(cache.path_of("yek")));
  EXPECT_FALSE(cache.find("key").has_value());
  ASSERT_TRUE(cache.keep("key", "code"));
  EXPECT_EQ(testing::read_string(path), whole);
}

TEST(KernelCache, MakesAnewWhatTheDriverDoesNotTake) {
  const testing::ScratchFolder scratch;
  const KernelCache cache(scratch.path());
  ASSERT_TRUE(cache.keep("key", "of another driver"));
  int made = 0;
  const auto load = [](const std::string& code) {
    if (code != "good") {
      throw Error(ErrorCode::device, "not mine");
    }
    return code;
  };
  const auto make = [&made] {
    ++made;
    return std::string("good");
  };
  EXPECT_EQ(cache.load_or_make("key", load, make, [](const auto& c) { return c; }), "good");
  EXPECT_EQ(cache.load_or_make("key", load, make, [](const auto& c) { return c; }), "good");
  EXPECT_EQ(made, 1);
}

TEST(KernelCache, ADriverThatGivesNoCodeAwayIsNoError) {
  const testing::ScratchFolder scratch;
  const KernelCache cache(scratch.path());
  const auto none = [](int) -> std::string { throw Error(ErrorCode::device, "no binaries"); };
  EXPECT_EQ(
      cache.load_or_make("key", [](const std::string&) { return 1; }, [] { return 2; }, none), 2);
  EXPECT_FALSE(cache.find("key").has_value());
}

TEST(KernelCache, IsOffOrUnwritableWithoutHarm) {
  const testing::ScratchFolder scratch;
  const Environment folder("WEIR_CACHE_DIR", scratch.path().string());
  EXPECT_EQ(KernelCache::of_user().description(), (scratch.path() / "kernels").string());
  {
    const Environment off("WEIR_KERNEL_CACHE", "0");
    const KernelCache cache = KernelCache::of_user();
    EXPECT_EQ(cache.description(), "off: WEIR_KERNEL_CACHE is 0");
    EXPECT_FALSE(cache.keep("key", "code"));
    EXPECT_FALSE(cache.find("key").has_value());
  }
  testing::write_string(scratch.path() / "file", "");
  EXPECT_FALSE(KernelCache(scratch.path() / "file" / "kernels").keep("key", "code"));
  EXPECT_FALSE(KernelCache("/dev/full/kernels").keep("key", "code"));
}

TEST(KernelCache, ProcessesThatWriteTheSameEntrySeeWholeOnesOnly) {
  constexpr int kProcesses = 4;
  constexpr int kTurns = 200;
  const testing::ScratchFolder scratch;
  const KernelCache cache(scratch.path() / "kernels");
  std::array<pid_t, kProcesses> children{};
  for (std::size_t i = 0; i < children.size(); ++i) {
    children[i] = ::fork();
    ASSERT_GE(children[i], 0);
    if (children[i] == 0) {
      const std::string own(100'000 + i, static_cast<char>('a' + i));
      bool good = true;
      for (int turn = 0; turn < kTurns && good; ++turn) {
        good = cache.keep("key", own);
        const auto found = cache.find("key");
        // Somebody's, whole: its length says whose.
        good = good && found.has_value() && found->size() >= 100'000 &&
               *found ==
                   std::string(found->size(), static_cast<char>('a' + (found->size() - 100'000)));
      }
      ::_exit(good ? 0 : 1);
    }
  }
  for (const pid_t child : children) {
    int status = 0;
    ASSERT_EQ(::waitpid(child, &status, 0), child);
    EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << status;
  }
  EXPECT_EQ(testing::folder_content(scratch.path()).size(), 1U);
}

std::vector<int> ids_on(Device& device, std::string_view entry) {
  const auto queue = device.make_queue();
  const Buffer plane = device.allocate(8 * sizeof(int));
  queue->launch(device.kernel(kernels::kToy, entry), {.items = {4, 2}}, {plane, 4, 2});
  return queue->download<int>(plane);
}

/// Key and code of an entry: 40 bytes come first, the key's length at the 16th.
std::pair<std::string, std::string> parts_of(const std::string& entry) {
  std::uint64_t key_bytes = 0;
  std::memcpy(&key_bytes, entry.data() + 16, sizeof key_bytes);
  return {entry.substr(40, key_bytes), entry.substr(40 + key_bytes)};
}

class KernelCacheOnDevice : public ::testing::TestWithParam<const char*> {};

TEST_P(KernelCacheOnDevice, SpoiltEntriesAreRewrittenAndWholeOnesKept) {
  const testing::ScratchFolder scratch;
  const Environment folder("WEIR_CACHE_DIR", scratch.path().string());
  const auto first = testing::device_or_skip(GetParam());
  if (first == nullptr) {
    return;
  }
  const auto expected = ids_on(*first, "toy_ids");
  EXPECT_EQ(expected, (std::vector<int>{0, 1, 2, 3, 1000, 1001, 1002, 1003}));
  const auto entries = testing::folder_content(scratch.path());
  ASSERT_EQ(entries.size(), 1U);
  const auto path = scratch.path() / entries[0].first;
  const auto written = std::filesystem::last_write_time(path);
  EXPECT_EQ(ids_on(*open_device(GetParam()), "toy_ids"), expected);
  EXPECT_EQ(std::filesystem::last_write_time(path), written) << "a whole entry is not rewritten";
  testing::write_string(path, entries[0].second.substr(0, entries[0].second.size() / 2));
  EXPECT_EQ(ids_on(*open_device(GetParam()), "toy_ids"), expected);
  EXPECT_GT(std::filesystem::file_size(path), entries[0].second.size() / 2);
}

TEST_P(KernelCacheOnDevice, RunsWhatIsKept) {
  const testing::ScratchFolder scratch;
  const Environment folder("WEIR_CACHE_DIR", scratch.path().string());
  const auto first = testing::device_or_skip(GetParam());
  if (first == nullptr) {
    return;
  }
  const std::string changed = [] {
    std::string text(kernels::kToy.text);
    const auto at = text.find("row * 1000");
    return text.replace(at, 10, "row * 2000");
  }();
  const KernelSource other{kernels::kToy.file, changed, kernels::kToy.entries};
  first->kernel(kernels::kToy, "toy_ids");
  const auto original = testing::folder_content(scratch.path());
  ASSERT_EQ(original.size(), 1U);
  first->kernel(other, "toy_ids");
  // The changed text's code under the original's key.
  for (const auto& [name, content] : testing::folder_content(scratch.path())) {
    if (name != original[0].first) {
      const auto [key, code] = parts_of(original[0].second);
      ASSERT_TRUE(KernelCache::of_user().keep(key, parts_of(content).second));
    }
  }
  EXPECT_EQ(ids_on(*open_device(GetParam()), "toy_ids"),
            (std::vector<int>{0, 1, 2, 3, 2000, 2001, 2002, 2003}));
}

INSTANTIATE_TEST_SUITE_P(Targets, KernelCacheOnDevice, ::testing::Values("opencl", "cuda"),
                         [](const auto& test) { return std::string(test.param); });

}  // namespace
}  // namespace weir::compute
