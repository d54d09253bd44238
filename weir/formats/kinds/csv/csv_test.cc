#include "weir/formats/kinds/csv/csv.h"

#include <gtest/gtest.h>

#include "weir/core/error.h"
#include "weir/testing/conformance.h"
#include "weir/testing/format_conformance.h"

namespace weir::formats {
namespace {
using testing::expect_error;
using testing::read_string;
using testing::ScratchFolder;

EventOutput output_at(const std::filesystem::path& path) {
  EventOutput output;
  output.path = path;
  output.table.stream.rate = SampleRate::from_hz(30000);
  output.table.stream.channels = make_channels(2, 0.195, 0, "uV");
  output.table.stream.channels[1].name = "Cz, \"top\"";
  output.table.stream.segments = {Segment{.frames = 100000, .start_s = Rational(1, 10)}};
  return output;
}

const EventList kEvents{{.onset = 3,
                         .offset = 9,
                         .peak = 5,
                         .final = 9,
                         .peak_value = -100,
                         .channel = 0,
                         .segment = 0,
                         .polarity = -1},
                        {.onset = 40000,
                         .peak = 40001,
                         .final = 100000,
                         .peak_value = 1.0F / 3,
                         .channel = 1,
                         .segment = 0,
                         .polarity = 1}};

const std::string kExpected =
    "channel,channel_name,onset_sample,offset_sample,peak_sample,peak_value,onset_s,offset_s,"
    "duration_s,segment,polarity\r\n"
    "0,ch0,3,9,5,-19.5,0.1001,0.1003,0.0002,0,-1\r\n"
    "1,\"Cz, \"\"top\"\"\",40000,,40001,0.065000005,1.4333333333333333,,,0,1\r\n";

TEST(Csv, WritesTheColumnsOfTheSpec) {
  const ScratchFolder folder;
  const auto writer = csv_format().create_events(output_at(folder / "a" / "events.csv"));
  writer->append(kEvents);
  EXPECT_FALSE(std::filesystem::exists(folder / "a" / "events.csv"));
  writer->commit("{}");
  EXPECT_EQ(read_string(folder / "a" / "events.csv"), kExpected);
  EXPECT_EQ(writer->bytes_written(), static_cast<std::int64_t>(kExpected.size()));
  EXPECT_EQ(read_string(folder / "a" / "events.csv.weir.json"), "{}");
}

TEST(Csv, WritesTheHeaderOfAnEmptyTable) {
  const ScratchFolder folder;
  csv_format().create_events(output_at(folder / "events.csv"))->commit("{}");
  EXPECT_EQ(read_string(folder / "events.csv"), csv_header());
}

TEST(Csv, ContinuesAfterAKill) {
  const ScratchFolder folder;
  auto output = output_at(folder / "events.csv");
  {
    const auto writer = csv_format().create_events(output);
    writer->append({kEvents[0]});
    output.resume_from = writer->save();
    writer->append(kEvents);
    writer->save();
    writer->keep_partial();
  }
  const auto writer = csv_format().create_events(output);
  writer->append({kEvents[1]});
  writer->commit("{}");
  EXPECT_EQ(read_string(folder / "events.csv"), kExpected);
}

TEST(Csv, LeavesNothingBehindWhenItDies) {
  const ScratchFolder folder;
  {
    const auto writer = csv_format().create_events(output_at(folder / "events.csv"));
    writer->append(kEvents);
    writer->save();
  }
  EXPECT_TRUE(testing::folder_content(folder.path()).empty());
}

TEST(Csv, RefusesAnExistingTable) {
  const ScratchFolder folder;
  testing::write_string(folder / "events.csv", "precious");
  expect_error(ErrorCode::output_exists, "--overwrite",
               [&] { csv_format().create_events(output_at(folder / "events.csv")); });
  EXPECT_EQ(read_string(folder / "events.csv"), "precious");
}

}  // namespace
}  // namespace weir::formats
