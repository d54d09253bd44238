#include "weir/formats/kinds/parquet/parquet.h"

#include <gtest/gtest.h>

#include "weir/core/error.h"
#include "weir/formats/format_list.h"
#include "weir/formats/tables/table_file.h"
#include "weir/testing/conformance.h"
#include "weir/testing/format_conformance.h"
#include "weir/testing/required.h"

namespace weir::formats {
namespace {
// What it writes is tested in weir/formats/table_event_writer_test.cc.

std::filesystem::path golden(const std::string& name) {
  return std::filesystem::path(WEIR_SOURCE_DIR) / "weir/formats/kinds/parquet/golden" / name;
}

class Parquet : public ::testing::Test {
 public:
  void SetUp() override {
    try {
      table_library();
    } catch (const Error& error) {
      if (testing::is_required("arrow")) {
        FAIL() << error.what();
      }
      GTEST_SKIP() << error.what();
    }
  }
};

/// The rows of golden/make.py at 10 kHz.
const EventList kRows{
    {.onset = 3, .offset = 9, .peak = 5, .final = 9, .peak_value = -19.5F, .polarity = -1},
    {.onset = 50, .offset = 50, .peak = 50, .final = 50, .peak_value = 7, .polarity = 1},
    {.onset = 40, .peak = 41, .final = 51, .peak_value = 0.25F, .channel = 1, .polarity = 1},
    {.onset = 7,
     .offset = 11,
     .peak = 8,
     .final = 11,
     .peak_value = -3.5F,
     .segment = 1,
     .polarity = -1}};

TEST_F(Parquet, ReadsTablesOfOtherPrograms) {
  for (const std::string file : {"pandas.parquet", "polars.parquet", "pyarrow.parquet"}) {
    SCOPED_TRACE(file);
    OpenOptions options;
    options.raw.set("rate_hz", 10000);
    const auto listed = parquet_format().list_events(golden(file), options);
    ASSERT_EQ(listed.size(), 1U);
    EXPECT_EQ(listed[0].count, 4);
    const auto source = parquet_format().open_events(golden(file), options);
    const auto& stream = source->info().table.stream;
    EXPECT_EQ(stream.rate, SampleRate::from_hz(10000));
    ASSERT_EQ(stream.channel_count(), 2);
    EXPECT_EQ(stream.channels[0].name, "left");
    EXPECT_EQ(stream.channels[1].name, "right");
    ASSERT_EQ(stream.segments.size(), 2U);
    EXPECT_EQ(stream.segments[0].start_s, Rational(10));
    EXPECT_EQ(stream.segments[1].start_s, Rational(100));
    EXPECT_EQ(stream.segments[1].index, 2);
    EXPECT_EQ(testing::read_all_events(*source), kRows);
    testing::check_event_source(*source);
    EXPECT_EQ(source->info().warnings.size(), file.starts_with("pandas") ? 2U : 0U);
  }
}

TEST_F(Parquet, NamesWhatItLacks) {
  testing::expect_error(ErrorCode::unsupported, "raw.rate_hz",
                        [] { parquet_format().list_events(golden("pandas.parquet"), {}); });
  const testing::ScratchFolder folder;
  const std::string whole = testing::read_string(golden("pandas.parquet"));
  OpenOptions options;
  options.raw.set("rate_hz", 10000);
  for (std::size_t length = 0; length < whole.size(); length += 41) {
    testing::write_string(folder / "pandas.parquet", whole.substr(0, length));
    testing::expect_error(ErrorCode::corrupt_data, "pandas.parquet", [&] {
      parquet_format().list_events(folder / "pandas.parquet", options);
    });
  }
}

TEST_F(Parquet, IsPickedByItsExtensions) {
  const FormatList formats({&parquet_format()});
  for (const auto extension : parquet_format().extensions) {
    EXPECT_EQ(&formats.for_events("spikes" + std::string(extension)), &parquet_format());
  }
}

}  // namespace
}  // namespace weir::formats
