#include "weir/formats/kinds/open_ephys/open_ephys_events.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <numeric>

#include "weir/core/error.h"
#include "weir/formats/json.h"
#include "weir/formats/kinds/open_ephys/open_ephys.h"
#include "weir/testing/conformance.h"
#include "weir/testing/format_conformance.h"

namespace weir::formats {
namespace {
namespace fs = std::filesystem;
using testing::expect_error;
using testing::ScratchFolder;
using testing::write_string;

/// A .npy of `type` whose header promises `promised` values.
std::string npy_of(const std::string& type, const std::string& bytes, std::int64_t promised) {
  std::string text =
      fmt::format("{{'descr': '{}', 'fortran_order': False, 'shape': ({},), }}", type, promised);
  text.resize(117, ' ');
  return std::string("\x93NUMPY\x01\x00\x76\x00", 10) + text + "\n" + bytes;
}
template <class T>
std::string npy_of(const std::vector<T>& values) {
  const std::string bytes(reinterpret_cast<const char*>(values.data()), sizeof(T) * values.size());
  const char* type = std::is_same_v<T, double> ? "<f8" : sizeof(T) == 8 ? "<i8" : "<i2";
  return npy_of(type, bytes, std::ssize(values));
}

constexpr const char* kStructure = R"({"GUI version": "0.6.7", "continuous": [
  {"folder_name": "Probe-100.A/", "sample_rate": 1000.0, "stream_name": "A", "num_channels": 1,
   "channels": [{"channel_name": "CH1", "bit_volts": 0.195, "units": "uV"}]},
  {"folder_name": "Slow-101.B/", "sample_rate": 10, "stream_name": "B", "num_channels": 1,
   "channels": [{"channel_name": "CH1", "bit_volts": 1}]}],
  "events": [{"folder_name": "Probe-100.A/TTL/", "stream_name": "A", "sample_rate": 1000.0},
             {"folder_name": "MessageCenter/", "stream_name": "A", "type": "string"},
             {"folder_name": "Slow-101.B/TTL/", "stream_name": "B", "sample_rate": 10}]})";

/// 100 samples of stream A: numbers 5000 to 5049, then 6000 to 6049.
struct Session {
  ScratchFolder folder;
  fs::path recording = folder / "Record Node 101" / "experiment1" / "recording1";
  fs::path lines = recording / "events" / "Probe-100.A" / "TTL";
  fs::path messages = recording / "events" / "MessageCenter";

  explicit Session(const std::string& structure = kStructure) {
    const auto stream = recording / "continuous" / "Probe-100.A";
    for (const auto& one : {stream, lines, messages}) {
      fs::create_directories(one);
    }
    write_string(recording / "structure.oebin", structure);
    write_string(stream / "continuous.dat", std::string(200, '\1'));
    std::vector<std::int64_t> numbers(100);
    std::iota(numbers.begin(), numbers.begin() + 50, 5000);
    std::iota(numbers.begin() + 50, numbers.end(), 6000);
    write_string(stream / "sample_numbers.npy", npy_of(numbers));
  }
  void write_lines(const std::vector<std::int16_t>& states,
                   const std::vector<std::int64_t>& numbers) const {
    write_string(lines / "states.npy", npy_of(states));
    write_string(lines / "sample_numbers.npy", npy_of(numbers));
    write_string(lines / "timestamps.npy", npy_of(std::vector<double>(numbers.size(), 7.5)));
  }
  std::unique_ptr<EventSource> open(const std::string& name) const {
    return open_ephys_format().open_events(folder.path(), {.stream = name, .raw = {}});
  }
};

std::vector<std::string> rows_of(const EventSource& source) {
  std::vector<std::string> rows;
  for (const auto& event : testing::read_all_events(source)) {
    const EventRow row = to_row(event, source.info().table);
    rows.push_back(fmt::format("{} {:+} {}:{} {}", row.channel_name, row.polarity, row.segment,
                               row.onset_sample, row.onset_s));
  }
  return rows;
}

TEST(OpenEphysEvents, AreEdgesAtTheirSampleNumbers) {
  const Session session;
  session.write_lines({1, 3, -1, -3, 1}, {5000, 5010, 5010, 6007, 7000});
  const auto source = session.open("Probe-100.A/TTL");
  testing::check_event_source(*source);
  EXPECT_EQ(source->info().kind, EventKind::ttl);
  EXPECT_TRUE(source->info().warnings.empty());
  EXPECT_EQ(source->info().table.stream.channels.size(), 3U);
  EXPECT_EQ(rows_of(*source), (std::vector<std::string>{
                                  "line 1 +1 0:0 5", "line 1 -1 0:10 5.01", "line 3 +1 0:10 5.01",
                                  "line 3 -1 1:7 6.007", "line 1 +1 1:1000 7"}));
}

/// Case E6: whole numbers in timestamps.npy are samples, as before version 0.6.
TEST(OpenEphysEvents, OfVersionFiveCountInTheirTimestamps) {
  const Session session;
  write_string(session.lines / "channel_states.npy", npy_of(std::vector<std::int16_t>{2, -2}));
  write_string(session.lines / "timestamps.npy", npy_of(std::vector<std::int64_t>{5001, 5002}));
  EXPECT_EQ(rows_of(*session.open("Probe-100.A/TTL")),
            (std::vector<std::string>{"line 2 +1 0:1 5.001", "line 2 -1 0:2 5.002"}));
  write_string(session.lines / "timestamps.npy", npy_of(std::vector<double>{5.001, 5.002}));
  const auto timed = session.open("Probe-100.A/TTL");
  EXPECT_EQ(timed->info().count, 0);
  ASSERT_EQ(timed->info().warnings.size(), 2U);
  EXPECT_NE(timed->info().warnings[0].find("has no sample numbers"), std::string::npos);
}

TEST(OpenEphysEvents, AreTextsToo) {
  const Session session;
  write_string(session.messages / "text.npy",
               npy_of("|S6", std::string("start\0be\xc3\xa9p\0start\0", 18), 1));
  write_string(session.messages / "sample_numbers.npy",
               npy_of(std::vector<std::int64_t>{5001, 5003, 6002}));
  const auto source = session.open("MessageCenter");
  testing::check_event_source(*source);
  EXPECT_EQ(source->info().kind, EventKind::annotations);
  EXPECT_EQ(source->info().table.stream.channels.size(), 2U);
  EXPECT_EQ(rows_of(*source), (std::vector<std::string>{"start +1 0:1 5.001", "beép +1 0:3 5.003",
                                                        "start +1 1:2 6.002"}));
  write_string(
      session.messages / "text.npy",
      npy_of("<U2", std::string("a\0\0\0\xe9\0\0\0b\0\0\0\0\0\0\0c\0\0\0\x01\xf6\x01\0", 24), 3));
  EXPECT_EQ(session.open("MessageCenter")->info().table.stream.channels[0].name, "aé");
}

/// Case E1: a recording whose files of events are empty, absent, or not even named.
TEST(OpenEphysEvents, OfNothingAreNone) {
  const Session session;
  const auto listed = open_ephys_format().list_events(session.folder.path(), {});
  ASSERT_EQ(listed.size(), 3U);
  EXPECT_EQ(listed[0].count, 0);
  EXPECT_EQ(listed[2].name, "Slow-101.B/TTL");
  ASSERT_EQ(listed[2].warnings.size(), 1U);  // Its samples were not kept.
  session.write_lines({}, {});
  EXPECT_EQ(session.open("Probe-100.A/TTL")->info().count, 0);
  const std::string without =
      std::string(kStructure).substr(0, std::string(kStructure).find(",\n  \"events\"")) + "}";
  const Session none(without);
  EXPECT_TRUE(open_ephys_format().list_events(none.folder.path(), {}).empty());
  expect_error(ErrorCode::not_found, "brings no events", [&] { none.open(""); });
}

TEST(OpenEphysEvents, TellWhatIsOdd) {
  const Session session;
  session.write_lines({1, 0, -32768, 2, -1, 4}, {5001, 5002, 5003, 4000, 5004});
  const auto source = session.open("Probe-100.A/TTL");
  testing::check_event_source(*source);
  EXPECT_EQ(source->info().count, 2);
  ASSERT_EQ(source->info().warnings.size(), 3U);
  EXPECT_NE(source->info().warnings[0].find("6 events, but 5 sample numbers"), std::string::npos);
  EXPECT_NE(source->info().warnings[1].find("1 events before the recording began"),
            std::string::npos);
  EXPECT_NE(source->info().warnings[2].find("2 states name no line"), std::string::npos);
}

TEST(OpenEphysEvents, NameTheFileThatIsWrong) {
  const Session session;
  session.write_lines({1}, {5001});
  write_string(session.lines / "states.npy", npy_of(std::vector<double>{1.0}));
  expect_error(ErrorCode::unsupported, "states.npy: holds float64",
               [&] { session.open("Probe-100.A/TTL"); });
  const std::string text = npy_of("|S6", "start", 1);
  for (std::size_t length = 0; length < 128; ++length) {
    write_string(session.messages / "text.npy", text.substr(0, length));
    expect_error(ErrorCode::corrupt_data, "text.npy", [&] { session.open("MessageCenter"); });
  }
  write_string(session.messages / "text.npy", npy_of("|S99999999999", "start", 1));
  expect_error(ErrorCode::corrupt_data, "its type is", [&] { session.open("MessageCenter"); });
  std::string structure = kStructure;
  structure.replace(structure.find("MessageCenter"), 13, "../../outside");
  expect_error(ErrorCode::corrupt_data, "is no folder inside the recording",
               [&] { Session(structure).open("Probe-100.A/TTL"); });
}

/// Each edge up with the next edge down of its line, as neo pairs them.
std::vector<std::string> pulses_of(const EventSource& source) {
  std::vector<std::string> pulses;
  std::map<std::int32_t, std::pair<double, std::string>> up;
  for (const auto& event : testing::read_all_events(source)) {
    const EventRow row = to_row(event, source.info().table);
    if (event.polarity > 0) {
      up[event.channel] = {row.onset_s, row.channel_name};
    } else {
      const auto& [start, name] = up.at(event.channel);
      pulses.push_back(fmt::format("{} {:.9f} {:.9f}", name, start, row.onset_s - start));
    }
  }
  std::sort(pulses.begin(), pulses.end());
  return pulses;
}

/// Edges of four lines and texts, in the files of both versions.
TEST(OpenEphysEvents, AreThoseThatNeoReads) {
  const fs::path golden = fs::path(WEIR_SOURCE_DIR) / "weir/formats/kinds/open_ephys/golden";
  const Value expected = parse_json(testing::read_string(golden / "events.json"));
  for (const auto& [version, channels] : expected.as_object()) {
    SCOPED_TRACE(version);
    const auto open = [&](const std::string& stream) {
      return open_ephys_format().open_events(golden / version, {.stream = stream, .raw = {}});
    };
    const auto lines = open("Rhythm-100.A/TTL");
    const Value& neo = channels.at("lines");
    std::vector<std::string> pulses;
    for (std::size_t i = 0; i < neo.at("labels").as_array().size(); ++i) {
      pulses.push_back(fmt::format("line {} {:.9f} {:.9f}",
                                   neo.at("labels").as_array()[i].as_string(),
                                   neo.at("start_s").as_array()[i].as_number(),
                                   neo.at("lasts_s").as_array()[i].as_number()));
    }
    std::sort(pulses.begin(), pulses.end());
    ASSERT_EQ(pulses.size(), 28U);
    EXPECT_EQ(pulses_of(*lines), pulses);
    EXPECT_EQ(lines->info().count, 56);
    testing::check_event_source(*lines);
    const auto texts = open("MessageCenter");
    const auto rows = testing::read_all_events(*texts);
    const Value& said = channels.at("texts");
    ASSERT_EQ(rows.size(), said.at("labels").as_array().size());
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const EventRow row = to_row(rows[i], texts->info().table);
      EXPECT_EQ(row.channel_name, said.at("labels").as_array()[i].as_string());
      EXPECT_NEAR(row.onset_s, said.at("start_s").as_array()[i].as_number(), 1e-9);
    }
  }
}

}  // namespace
}  // namespace weir::formats
