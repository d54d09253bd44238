#include "weir/formats/kinds/spikeglx/spikeglx_events.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "weir/core/error.h"
#include "weir/formats/kinds/spikeglx/spikeglx.h"
#include "weir/testing/conformance.h"
#include "weir/testing/format_conformance.h"

namespace weir::formats {
namespace {
using testing::expect_error;
using testing::ScratchFolder;

/// A file of `width` channels whose words `toggle` (column, bit) from frame 10 on.
std::filesystem::path file_of(const ScratchFolder& folder, const std::string& header,
                              std::size_t width,
                              const std::vector<std::pair<std::size_t, unsigned>>& toggle) {
  std::vector<std::uint16_t> samples(30 * width, 0);
  for (std::size_t frame = 10; frame < 20; ++frame) {
    for (const auto& [column, bit] : toggle) {
      samples[frame * width + column] |= static_cast<std::uint16_t>(1U << bit);
    }
  }
  testing::write_bytes(folder / "a.bin", std::as_bytes(std::span(samples)));
  testing::write_string(folder / "a.meta", header);
  return folder / "a.bin";
}

const std::string kProbe =
    "typeThis=imec\nimSampRate=30000\nimAiRangeMax=0.6\nimMaxInt=512\nimDatPrb_type=0\n"
    "nSavedChans=2\nacqApLfSy=384,384,1\nsnsApLfSy=1,0,1\nsnsSaveChanSubset=0,768\n"
    "~imroTbl=(0,384)(0 0 0 500 250 1)\nfirstSample=300\n";
const std::string kNidaq =
    "typeThis=nidq\nniSampRate=25000\nniAiRangeMax=5\nniMNGain=1\nniMAGain=1\nnSavedChans=3\n"
    "acqMnMaXaDw=0,0,1,2\nsnsMnMaXaDw=0,0,1,2\nsnsSaveChanSubset=all\n";

std::vector<std::string> rows_of(const EventSource& source) {
  std::vector<std::string> rows;
  for (const auto& event : testing::read_all_events(source)) {
    const EventRow row = to_row(event, source.info().table);
    rows.push_back(fmt::format("{} {} {:+} {}", row.channel_name, row.onset_sample, row.polarity,
                               row.onset_s));
  }
  return rows;
}

TEST(SpikeglxEvents, AreEdgesOfTheSyncWord) {
  const ScratchFolder folder;
  const auto path = file_of(folder, kProbe, 2, {{1, 6}, {0, 3}});
  const auto listed = spikeglx_format().list_events(path, {});
  ASSERT_EQ(listed.size(), 1U);
  EXPECT_EQ(listed[0].name, "sync");
  EXPECT_EQ(listed[0].kind, EventKind::ttl);
  EXPECT_FALSE(listed[0].count);
  EXPECT_EQ(listed[0].table.stream.channels.size(), 16U);
  const auto source = spikeglx_format().open_events(folder / "a.meta", {});
  testing::check_event_source(*source);
  EXPECT_EQ(source->info().count, 2);
  EXPECT_EQ(rows_of(*source), (std::vector<std::string>{"SY6 10 +1 0.010333333333333333",
                                                        "SY6 20 -1 0.010666666666666666"}));
}

/// Case D7: line 9 alone toggles, edges are on line 9 alone; the sixteenth and those of a second
/// word too.
TEST(SpikeglxEvents, AreEdgesOfEveryLineOfDigitalWords) {
  const ScratchFolder folder;
  const auto nine = spikeglx_format().open_events(file_of(folder, kNidaq, 3, {{1, 9}}),
                                                  {.stream = "", .raw = {}});
  EXPECT_EQ(rows_of(*nine), (std::vector<std::string>{"XD9 10 +1 0.0004", "XD9 20 -1 0.0008"}));
  const auto more = spikeglx_format().open_events(
      file_of(folder, kNidaq, 3, {{1, 15}, {2, 0}, {2, 15}}), {.stream = "digital", .raw = {}});
  testing::check_event_source(*more);
  EXPECT_EQ(rows_of(*more), (std::vector<std::string>{"XD15 10 +1 0.0004", "XD16 10 +1 0.0004",
                                                      "XD31 10 +1 0.0004", "XD15 20 -1 0.0008",
                                                      "XD16 20 -1 0.0008", "XD31 20 -1 0.0008"}));
  expect_error(ErrorCode::not_found, "no events called \"sync\"; there are digital", [&] {
    spikeglx_format().open_events(folder / "a.bin", {.stream = "sync", .raw = {}});
  });
}

TEST(SpikeglxEvents, OfARunLieInTheSegmentsOfItsTriggers) {
  const ScratchFolder folder;
  const auto part = [&](const std::string& name, const std::string& header, std::size_t width,
                        std::pair<std::size_t, unsigned> toggle) {
    const ScratchFolder scratch;
    file_of(scratch, header, width, {toggle});
    for (const char* ending : {".bin", ".meta"}) {
      std::filesystem::copy_file(scratch / (std::string("a") + ending),
                                 folder / "run_g0" / (name + ending));
    }
  };
  std::filesystem::create_directories(folder / "run_g0");
  part("run_g0_t0.nidq", kNidaq, 3, {1, 2});
  part("run_g0_t1.nidq", kNidaq + "firstSample=100\n", 3, {2, 0});
  part("run_g0_t0.imec0.ap", kProbe, 2, {1, 6});
  const auto listed = spikeglx_format().list_events(folder / "run_g0", {});
  std::vector<std::string> names;
  for (const auto& info : listed) {
    names.push_back(info.name);
  }
  std::sort(names.begin(), names.end());
  EXPECT_EQ(names, (std::vector<std::string>{"imec0.ap sync", "nidq digital"}));
  const auto source =
      spikeglx_format().open_events(folder / "run_g0", {.stream = "nidq digital", .raw = {}});
  testing::check_event_source(*source);
  EXPECT_EQ(rows_of(*source), (std::vector<std::string>{"XD2 10 +1 0.0004", "XD2 20 -1 0.0008",
                                                        "XD16 10 +1 0.0044", "XD16 20 -1 0.0048"}));
}

TEST(SpikeglxEvents, OfMoreWordsThanLinesAreToldApartAreRefused) {
  const ScratchFolder folder;
  testing::write_string(folder / "a.bin", "");
  testing::write_string(folder / "a.meta",
                        "typeThis=nidq\nniSampRate=25000\nniAiRangeMax=5\nnSavedChans=1000000\n"
                        "acqMnMaXaDw=0,0,0,1000000\nsnsMnMaXaDw=0,0,0,1000000\n");
  EXPECT_EQ(spikeglx_format().open(folder / "a.bin", {})->info().channel_count(), 1'000'000);
  expect_error(ErrorCode::unsupported, "1,000,000 digital words have more than 65,536 lines",
               [&] { spikeglx_format().list_events(folder / "a.bin", {}); });
}

TEST(SpikeglxEvents, OfAFileWithoutWordsAreNone) {
  const ScratchFolder folder;
  std::string header = kNidaq;
  header.replace(header.find("snsMnMaXaDw=0,0,1,2"), 19, "snsMnMaXaDw=0,0,1,0");
  header.replace(header.find("nSavedChans=3"), 13, "nSavedChans=1");
  header.replace(header.find("snsSaveChanSubset=all"), 21, "snsSaveChanSubset=0");
  const auto path = file_of(folder, header, 1, {{0, 3}});
  EXPECT_TRUE(spikeglx_format().list_events(path, {}).empty());
  expect_error(ErrorCode::not_found, "brings no events",
               [&] { spikeglx_format().open_events(path, {}); });
}

}  // namespace
}  // namespace weir::formats
