#include "weir/compute/tuner.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>

#include "weir/testing/format_conformance.h"

namespace weir::compute {
namespace {

/// A queue whose launches only pass time, as `seconds` by way tells.
class TunerTest : public ::testing::Test {
 protected:
  TunerTest() : device_(open_device("host")), queue_(device_->make_queue()) {}
  Tuner tuner() {
    return Tuner(KernelCache(folder_.path() / "kernels"), [this] { return now_; });
  }
  std::size_t choose(Tuner& tuner, const std::string& question = "outputs",
                     const std::string& text = "kernel") {
    return tuner.choose(device_->target(), *queue_, text, question, seconds_.size(),
                        [this](std::size_t way) {
                          ++launches_;
                          now_ += seconds_[way];
                        });
  }

  testing::ScratchFolder folder_;
  std::shared_ptr<Device> device_;
  std::unique_ptr<Queue> queue_;
  double now_ = 0;
  std::vector<double> seconds_{3, 2, 1, 4};
  int launches_ = 0;
};

TEST_F(TunerTest, TakesTheFastestAndAsksOnce) {
  Tuner first = tuner();
  EXPECT_EQ(choose(first), 2U);
  EXPECT_GT(launches_, 0);
  launches_ = 0;
  EXPECT_EQ(choose(first), 2U);
  EXPECT_EQ(launches_, 0);
}

TEST_F(TunerTest, KeepsTheChoiceForOtherProcesses) {
  Tuner first = tuner();
  choose(first);
  launches_ = 0;
  seconds_ = {1, 2, 3, 4};  // Would be chosen anew otherwise.
  Tuner second = tuner();
  EXPECT_EQ(choose(second), 2U);
  EXPECT_EQ(launches_, 0);
  EXPECT_EQ(choose(second, "rows"), 0U);                 // Another question,
  EXPECT_EQ(choose(second, "outputs", "kernel 2"), 0U);  // another text.
}

TEST_F(TunerTest, StaysWithTheFirstWayForLessThanNoise) {
  seconds_ = {1, 0.98, 1.5};
  Tuner first = tuner();
  EXPECT_EQ(choose(first), 0U);
}

TEST_F(TunerTest, MeasuresAnewWhatIsSpoiltOrNoLongerThere) {
  Tuner first = tuner();
  choose(first);
  for (const auto& entry : std::filesystem::directory_iterator(folder_.path() / "kernels")) {
    std::ofstream(entry.path(), std::ios::trunc) << "spoilt";
  }
  launches_ = 0;
  Tuner second = tuner();
  EXPECT_EQ(choose(second), 2U);
  EXPECT_GT(launches_, 0);
}

TEST_F(TunerTest, MeasuresNoProcessorForTheUser) {
  EXPECT_EQ(choose(Tuner::of_user()), 0U);
  EXPECT_EQ(launches_, 0);
}

TEST_F(TunerTest, DoesAsItIsTold) {
  ::setenv("WEIR_TUNE", "3", 1);
  EXPECT_EQ(choose(Tuner::of_user()), 3U);
  ::setenv("WEIR_TUNE", "5", 1);
  EXPECT_EQ(choose(Tuner::of_user()), 1U);
  ::unsetenv("WEIR_TUNE");
}

TEST_F(TunerTest, ChoosesWithoutAFolderToKeepItIn) {
  std::ofstream(folder_.path() / "kernels") << "a file where the folder should be";
  Tuner first = tuner();
  EXPECT_EQ(choose(first), 2U);
}

}  // namespace
}  // namespace weir::compute
