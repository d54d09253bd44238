#include "weir/formats/kinds/spikeglx/spikeglx.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <numeric>

#include "weir/core/error.h"
#include "weir/formats/format_list.h"
#include "weir/formats/kinds/raw/raw.h"
#include "weir/formats/kinds/spikeglx/spikeglx_channels.h"
#include "weir/testing/conformance.h"
#include "weir/testing/format_conformance.h"

namespace weir::formats {
namespace {
using testing::expect_error;
using testing::ScratchFolder;
using testing::write_bytes;
using testing::write_string;
using Lines = std::vector<std::pair<std::string, std::string>>;

/// A header of four electrodes and the sync word of a Neuropixels 1.0 probe; `changed` lines
/// replace those of the same key or are added, empty ones are left out.
std::string header(const Lines& changed = {}) {
  Lines lines{{"typeThis", "imec"},
              {"imSampRate", "30000"},
              {"imAiRangeMax", "0.6"},
              {"imMaxInt", "512"},
              {"imDatPrb_type", "0"},
              {"nSavedChans", "5"},
              {"acqApLfSy", "384,384,1"},
              {"snsApLfSy", "4,0,1"},
              {"snsSaveChanSubset", "0:3,768"},
              {"~imroTbl",
               "(0,384)(0 0 0 500 250 1)(1 0 0 500 250 1)(2 0 0 1000 125 1)"
               "(3 1 0 250 250 1)"}};
  for (const auto& [key, value] : changed) {
    const auto found = std::find_if(lines.begin(), lines.end(),
                                    [&](const auto& line) { return line.first == key; });
    if (found != lines.end()) {
      found->second = value;
    } else {
      lines.emplace_back(key, value);
    }
  }
  std::string text;
  for (const auto& [key, value] : lines) {
    text += value.empty() ? "" : fmt::format("{}={}\r\n", key, value);
  }
  return text;
}

SpikeglxChannels channels_of(const std::string& text,
                             std::vector<std::string>* warnings = nullptr) {
  std::vector<std::string> ignored;
  return read_spikeglx_channels(SpikeglxMeta::parse(text),
                                warnings != nullptr ? *warnings : ignored);
}

std::filesystem::path recording(const ScratchFolder& folder, const std::string& text,
                                std::int64_t bytes, const std::string& name = "a_g0_t0.imec0.ap") {
  std::vector<std::int16_t> samples(static_cast<std::size_t>(bytes + 1) / 2);
  std::iota(samples.begin(), samples.end(), std::int16_t{-3});
  write_bytes(folder / (name + ".bin"),
              std::as_bytes(std::span(samples)).first(static_cast<std::size_t>(bytes)));
  write_string(folder / (name + ".meta"), text);
  return folder / (name + ".bin");
}

TEST(Spikeglx, ReadsProbesAsTheHeaderDescribesThem) {
  const ScratchFolder folder;
  const auto path = recording(folder,
                              header({{"firstSample", "45000"},
                                      {"fileCreateTime", "2026-11-30T12:00:00"},
                                      {"fileName", "D:/x/run_g0_t0.imec0.ap.bin"}}),
                              10 * 700);
  const auto source = FormatList({&spikeglx_format()}).open(path, {});
  const auto& info = source->info();
  EXPECT_TRUE(info.warnings.empty()) << info.warnings.front();
  EXPECT_EQ(info.total_frames(), 700);
  EXPECT_EQ(info.rate, SampleRate::from_hz(30000));
  EXPECT_EQ(info.segments[0].start_s, Rational(3, 2));
  EXPECT_EQ(info.start_time, "2026-11-30T12:00:00");
  EXPECT_EQ(info.metadata.at("stream"), "imec0.ap");
  ASSERT_EQ(info.channel_count(), 5);
  EXPECT_EQ(info.channels[2].name, "AP2");
  EXPECT_DOUBLE_EQ(info.channels[0].gain, 2.34375);
  EXPECT_DOUBLE_EQ(info.channels[2].gain, 1.171875);
  EXPECT_DOUBLE_EQ(info.channels[3].gain, 4.6875);
  EXPECT_EQ(info.channels[3].unit, "uV");
  EXPECT_EQ(info.channels[3].group, "0");
  // Electrode 387 of the second bank: row 193 is odd, column 1.
  EXPECT_EQ(info.channels[3].position, (std::array<double, 3>{43, 3860, 0}));
  EXPECT_EQ(info.channels[4].name, "SY0");
  EXPECT_EQ(info.channels[4].unit, "");
  EXPECT_EQ(info.channels[4].gain, 1);
  EXPECT_FALSE(info.channels[4].position);
  EXPECT_TRUE(source->stored_as_int16());
  testing::check_source(*source);
  EXPECT_EQ(testing::read_all(*spikeglx_format().open(folder / "a_g0_t0.imec0.ap.meta", {})),
            testing::read_all(*source));
}

TEST(Spikeglx, IsFoundByItsHeaderNeverByItsExtension) {
  const ScratchFolder folder;
  const FormatList formats({&raw_format(), &spikeglx_format()});
  const auto path = recording(folder, header(), 100);
  EXPECT_EQ(&formats.detect(path), &spikeglx_format());
  EXPECT_EQ(&formats.detect(folder / "a_g0_t0.imec0.ap.meta"), &spikeglx_format());
  // A sidecar of ours wins, and another system's .meta is none of SpikeGLX.
  write_string(path.string() + ".json", R"({"weir_raw": 1})");
  EXPECT_EQ(&formats.detect(path), &raw_format());
  recording(folder, R"({"sample_rate_hz": 100, "channels": 1})", 10, "b");
  EXPECT_EQ(&formats.detect(folder / "b.bin"), &raw_format());
  recording(folder, "key=value\n", 10, "c");
  EXPECT_EQ(spikeglx_format().probe(folder / "c.bin", {}), Match::no);
}

TEST(Spikeglx, UsesTheFilesOwnSizeAndTellsBoth) {  // Case D1.
  const ScratchFolder folder;
  const auto text = header({{"fileSizeBytes", "100000"}});
  const auto path = recording(folder, text, 99995);  // 9,999.5 frames of 10 bytes.
  const auto source = spikeglx_format().open(path, {});
  EXPECT_EQ(source->info().total_frames(), 9999);
  ASSERT_EQ(source->info().warnings.size(), 1U);
  EXPECT_NE(source->info().warnings[0].find("holds 99,995 bytes, 9,999 frames, where fileSizeBytes "
                                            "says 100,000; 5 B trailing make no whole frame"),
            std::string::npos)
      << source->info().warnings[0];
  testing::check_source(*source);
  const auto cropped = spikeglx_format().open(recording(folder, text, 50000), {});
  EXPECT_EQ(cropped->info().total_frames(), 5000);
  EXPECT_NE(cropped->info().warnings.at(0).find("50,000 bytes"), std::string::npos);
  EXPECT_EQ(spikeglx_format().open(recording(folder, header(), 0), {})->info().total_frames(), 0);
}

TEST(Spikeglx, AcceptsPartNumbersInTheTablesHeader) {  // Case D3.
  const auto described = channels_of(header({{"imDatPrb_type", ""},
                                             {"imMaxInt", "2048"},
                                             {"imAiRangeMax", "0.62"},
                                             {"acqApLfSy", "384,0,1"},
                                             {"snsSaveChanSubset", "0:3,384"},
                                             {"~imroTbl",
                                              "(NP2014,384)(0 0 0 0 0)(1 1 0 0 1)"
                                              "(2 3 0 0 7)(3 3 1 0 385)"}}));
  EXPECT_EQ(described.probe, "NP2014");
  EXPECT_DOUBLE_EQ(described.channels[0].gain, 0.62 / 2048 / 100 * 1e6);
  EXPECT_EQ(described.channels[2].group, "3");
  EXPECT_EQ(described.channels[1].position, (std::array<double, 3>{250 + 27 + 32, 0, 0}));
  EXPECT_EQ(described.channels[2].position, (std::array<double, 3>{750 + 27 + 32, 45, 0}));
}

TEST(Spikeglx, SplitsLinesAtTheFirstEqualsSign) {  // Case D4.
  const auto meta = SpikeglxMeta::parse(
      header({{"userNotes", "a=b"}, {"catGTCmdline0", "<CatGT -dir=/d -run=r>"}}));
  EXPECT_EQ(*meta.find("userNotes"), "a=b");
  EXPECT_EQ(*meta.find("catGTCmdline0"), "<CatGT -dir=/d -run=r>");
}

/// `~imroTbl` of a whole probe: gain 500 for channels below 200, 1000 above.
std::string whole_table() {
  std::string table = "(0,384)";
  for (int channel = 0; channel < 384; ++channel) {
    table += fmt::format("({} 0 0 {} 250 1)", channel, channel < 200 ? 500 : 1000);
  }
  return table;
}

TEST(Spikeglx, TakesContactsOfTheChannelsThatWereSaved) {  // Case D5.
  const auto described = channels_of(header({{"nSavedChans", "21"},
                                             {"snsApLfSy", "20,0,1"},
                                             {"snsSaveChanSubset", "0:9,200:209,768"},
                                             {"~imroTbl", whole_table()}}));
  ASSERT_EQ(described.channels.size(), 21U);
  EXPECT_EQ(described.channels[9].name, "AP9");
  EXPECT_EQ(described.channels[10].name, "AP200");
  EXPECT_EQ(described.channels[10].source_index, 200);
  EXPECT_EQ(described.channels[10].position, (std::array<double, 3>{27, 2000, 0}));
  EXPECT_EQ(described.channels[20].name, "SY0");
}

TEST(Spikeglx, TakesGainsByTheOriginalChannel) {  // Case D6.
  const auto described = channels_of(header({{"nSavedChans", "4"},
                                             {"snsApLfSy", "4,0,0"},
                                             {"snsSaveChanSubset", "200:203"},
                                             {"~imroTbl", whole_table()}}));
  ASSERT_EQ(described.channels.size(), 4U);
  for (const auto& channel : described.channels) {
    EXPECT_DOUBLE_EQ(channel.gain, 1.171875) << channel.name;
  }
  EXPECT_EQ(described.channels[3].name, "AP203");
}

TEST(Spikeglx, KeepsAllSixteenLinesOfADigitalWord) {  // Case D7.
  const ScratchFolder folder;
  const auto text =
      "typeThis=nidq\nniSampRate=25000\nniAiRangeMax=5\nniMNGain=200\nniMAGain=2\n"
      "nSavedChans=4\nacqMnMaXaDw=1,1,1,1\nsnsMnMaXaDw=1,1,1,1\n"
      "snsSaveChanSubset=all\n~snsChanMap=(1,1,1,1,1)(MN0C0;0:0)(MA0C0;1:1)(XA0;2:2)"
      "(XD0;3:3)\n";
  write_string(folder / "a.nidq.meta", text);
  const std::vector<std::int16_t> samples{1, 2, 3, 0, 4, 5, 6, 1 << 9, 7, 8, 9, -32768};
  write_bytes(folder / "a.nidq.bin", std::as_bytes(std::span(samples)));
  const auto source = spikeglx_format().open(folder / "a.nidq.bin", {});
  const auto values = testing::read_all(*source);
  EXPECT_EQ((std::vector<float>{values[3], values[7], values[11]}),
            (std::vector<float>{0, 512, -32768}));
  const auto& channels = source->info().channels;
  EXPECT_EQ(channels[0].name, "MN0C0");
  EXPECT_DOUBLE_EQ(channels[0].gain, 5.0 / 32768 / 200);
  EXPECT_DOUBLE_EQ(channels[1].gain, 5.0 / 32768 / 2);
  EXPECT_DOUBLE_EQ(channels[2].gain, 5.0 / 32768);
  EXPECT_EQ(channels[2].unit, "V");
  EXPECT_EQ(channels[3].unit, "");
}

TEST(Spikeglx, ReadsAOneBox) {
  const auto described = channels_of(
      "typeThis=obx\nobSampRate=30303\nobAiRangeMax=5\nobMaxInt=32768\nnSavedChans=3\n"
      "acqXaDwSy=12,1,1\nsnsXaDwSy=1,1,1\nsnsSaveChanSubset=3,12:13\n");
  EXPECT_EQ(described.channels[0].name, "XA3");
  EXPECT_DOUBLE_EQ(described.channels[0].gain, 5.0 / 32768);
  EXPECT_EQ(described.channels[1].name, "XD0");
  EXPECT_EQ(described.channels[2].name, "SY0");
}

TEST(Spikeglx, ReadsProbesItDoesNotKnowWithAWarning) {  // Case D9.
  std::vector<std::string> warnings;
  const std::string table =
      "(9999,384)(0 0 0 500 250 1)(1 0 0 500 250 1)(2 0 0 1000 125 1)(3 1 0 9 9 1)";
  auto described = channels_of(header({{"imDatPrb_type", "9999"}, {"~imroTbl", table}}), &warnings);
  EXPECT_DOUBLE_EQ(described.channels[2].gain, 1.171875);
  ASSERT_EQ(warnings.size(), 2U);
  EXPECT_NE(warnings[0].find("imDatPrb_type 9999"), std::string::npos);
  EXPECT_NE(warnings[1].find("no positions"), std::string::npos);
  warnings.clear();
  described =
      channels_of(header({{"imDatPrb_type", "9999"}, {"imDatPrb_pn", "NP1010"}}), &warnings);
  EXPECT_EQ(described.channels[1].position, (std::array<double, 3>{59, 0, 0}));
  ASSERT_EQ(warnings.size(), 1U);
  // A place the header tells needs no kind; the range of counts follows from the low band.
  warnings.clear();
  described =
      channels_of(header({{"imDatPrb_type", "9999"},
                          {"imMaxInt", ""},
                          {"~snsGeomMap", "(X,1,0,70)(0:1:2:1)(0:3:4:1)(0:5:6:0)(0:7:8:1)"}}),
                  &warnings);
  EXPECT_EQ(described.channels[2].position, (std::array<double, 3>{5, 6, 0}));
  EXPECT_EQ(described.unused, (std::vector<std::string>{"AP2"}));
  EXPECT_DOUBLE_EQ(described.channels[2].gain, 1.171875);
  for (const char* type : {"1030", "1100", "2013", "2014", "3010"}) {
    warnings.clear();
    channels_of(header({{"imDatPrb_type", type}}), &warnings);
    EXPECT_TRUE(warnings.empty()) << type << ": " << warnings.front();
  }
}

TEST(Spikeglx, ReadsALowBandThatCatGtMadeOfAWideOne) {  // Case D10.
  const ScratchFolder folder;
  const auto text = header({{"imDatPrb_type", "24"},
                            {"imMaxInt", "8192"},
                            {"imAiRangeMax", "0.5"},
                            {"acqApLfSy", "384,0,1"},
                            {"snsApLfSy", "0,4,1"},
                            {"snsSaveChanSubset", "0:3,384"},
                            {"~imroTbl", "(24,384)(0 0 0 0 0)(1 0 0 0 1)(2 0 0 0 2)(3 0 0 0 3)"}});
  const auto path = recording(folder, text, 100, "x_g0_tcat.imec0.lf");
  const auto source = spikeglx_format().open(path, {});
  EXPECT_EQ(source->info().metadata.at("stream"), "imec0.lf");
  EXPECT_EQ(source->info().channels[3].name, "LF3");
  EXPECT_DOUBLE_EQ(source->info().channels[3].gain, 0.762939453125);
  EXPECT_EQ(source->info().channels[4].name, "SY0");
}

TEST(Spikeglx, PlacesTriggersOnOneClock) {  // Case D12: 15,000 frames lie between the two.
  const ScratchFolder folder;
  const auto first = spikeglx_format().open(
      recording(folder, header({{"firstSample", "0"}}), 300000, "g0_t0"), {});
  const auto second = spikeglx_format().open(
      recording(folder, header({{"firstSample", "45000"}}), 10, "g0_t1"), {});
  EXPECT_EQ(first->info().total_frames(), 30000);
  EXPECT_EQ(second->info().segments[0].start_s - first->info().segments[0].start_s, Rational(3, 2));
}

TEST(Spikeglx, NamesTheKeyThatIsWrong) {
  const ScratchFolder folder;
  const auto refused = [&](const Lines& lines, const std::string& part,
                           ErrorCode code = ErrorCode::corrupt_data) {
    const auto path = recording(folder, header(lines), 100);
    expect_error(code, part, [&] { spikeglx_format().open(path, {}); });
  };
  refused({{"nSavedChans", "0"}}, "nSavedChans: 0 is not between 1");
  refused({{"nSavedChans", "9223372036854775807"}}, "nSavedChans");
  refused({{"nSavedChans", "4"}}, "snsSaveChanSubset: 768 does not fit the 4 channels");
  refused({{"nSavedChans", "6"}}, "lists 5 channels, nSavedChans is 6");
  refused({{"snsSaveChanSubset", "0:3,3"}}, "snsSaveChanSubset");
  refused({{"snsSaveChanSubset", "3:0,0:1,9"}}, "snsSaveChanSubset: 3:0");
  refused({{"snsSaveChanSubset", "0:99999999999"}}, "snsSaveChanSubset: 0:99999999999");
  refused({{"imSampRate", "0"}}, "imSampRate: 0 is not above zero");
  refused({{"imSampRate", "nan"}}, "imSampRate: nan");
  refused({{"imSampRate", ""}}, "imSampRate: missing");
  refused({{"imAiRangeMax", "1e308"}}, "imAiRangeMax: channel AP0 would have gain inf");
  refused({{"imMaxInt", "x"}}, "imMaxInt: \"x\"");
  refused({{"typeThis", "foo"}}, "typeThis: foo", ErrorCode::unsupported);
  refused({{"~imroTbl", "(0,384)(0 0 0 0 250 1)"}}, "~imroTbl: a gain is 0");
  refused({{"~imroTbl", "(0,384)(0 0 0 500 250 1)"}}, "~imroTbl: has no entry for channel 1");
  refused({{"~imroTbl", "(0,384)(0 0"}}, "~imroTbl: a bracket is not closed");
  refused({{"~imroTbl", "(0,384)(0 0)"}}, "~imroTbl: an entry of 2 numbers");
  refused({{"~snsGeomMap", "(a,1,0,70)(0:x:0:1)(0:0:0:1)(0:0:0:1)(0:0:0:1)"}},
          "~snsGeomMap: \"x\"");
  refused({{"firstSample", "9223372036854775807"}, {"imSampRate", "1e-3"}}, "firstSample");
  OpenOptions options;
  options.stream = "imec1.ap";
  const auto path = recording(folder, header(), 100);
  expect_error(ErrorCode::not_found, "stream: no \"imec1.ap\"; this file holds imec0.ap",
               [&] { spikeglx_format().open(path, options); });
}

TEST(Spikeglx, SaysWhenCountsOrMapsDoNotFit) {
  std::vector<std::string> warnings;
  const auto described = channels_of(
      header({{"snsApLfSy", "3,0,1"}, {"~snsGeomMap", "(a,1,0,70)(0:1:2:1)"}}), &warnings);
  ASSERT_EQ(warnings.size(), 2U);
  EXPECT_NE(warnings[0].find("snsApLfSy: (3,0,1) is not the 5 channels"), std::string::npos);
  EXPECT_NE(warnings[1].find("~snsGeomMap: its 1 entries fit neither"), std::string::npos);
  EXPECT_EQ(described.channels[3].name, "AP3");
  EXPECT_EQ(described.channels[4].name, "SY0");
}

}  // namespace
}  // namespace weir::formats
