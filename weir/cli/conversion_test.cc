#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <set>
#include <tuple>

#include "weir/catalog/catalog.h"
#include "weir/cli/captured_terminal_internal.h"
#include "weir/cli/program.h"
#include "weir/core/error.h"
#include "weir/formats/annotations_of.h"
#include "weir/formats/stored_samples.h"
#include "weir/testing/conformance.h"
#include "weir/testing/format_conformance.h"

namespace weir::cli {
namespace {
namespace fs = std::filesystem;
using testing::ScratchFolder;
using testing::write_bytes;
using testing::write_string;

/// What `weir convert` of one file said.
struct Converted {
  int code = 0;
  std::string notes;
};

Converted convert(const fs::path& from, const fs::path& to, std::vector<std::string> flags = {}) {
  flags.insert(flags.begin(), {"convert", from.string(), to.string()});
  CapturedTerminal terminal;
  const int code = run_program(flags, terminal);
  return {code, terminal.notes + terminal.output};
}

/// A file that opens, and what has to be said of it.
struct Case {
  fs::path path;
  bool needs_rate = false;
  formats::OpenOptions options() const {
    formats::OpenOptions options;
    if (needs_rate) {
      options.raw = Value::object();
      options.raw.set("rate_hz", 1000);
    }
    return options;
  }
  std::vector<std::string> flags() const {
    return needs_rate ? std::vector<std::string>{"--raw", "rate_hz=1000"}
                      : std::vector<std::string>{};
  }
};

std::unique_ptr<RecordingSource> opened(const Case& from) {
  try {
    return catalog::formats().open(from.path, from.options());
  } catch (const Error&) {
    return nullptr;
  }
}

/// Every recording that other programs wrote for the tests of the formats.
std::vector<Case> golden_recordings() {
  std::vector<Case> cases;
  for (const auto& kind :
       fs::directory_iterator(fs::path(WEIR_SOURCE_DIR) / "weir/formats/kinds")) {
    if (!fs::exists(kind.path() / "golden")) {
      continue;
    }
    for (const auto& entry : fs::directory_iterator(kind.path() / "golden")) {
      const auto name = entry.path().extension();
      // Those with a header of their own: the others are parts of them.
      if (name == ".json" || name == ".py" || name == ".dat" || name == ".ch") {
        continue;
      }
      cases.push_back({entry.path(), kind.path().filename() == "npy"});
    }
  }
  std::sort(cases.begin(), cases.end(),
            [](const Case& a, const Case& b) { return a.path < b.path; });
  // One of each kind: what differs below that is the readers' own tests'.
  std::set<std::tuple<std::string, StoredType, SampleOrder, bool>> known;
  std::erase_if(cases, [&](const Case& each) {
    const auto source = opened(each);
    constexpr std::int64_t kMostSamples = 1'000'000;  // Some are made to be huge.
    return source == nullptr ||
           source->info().total_frames() > kMostSamples / source->info().channel_count() ||
           !known
                .emplace(source->info().format, source->info().stored, source->info().order,
                         source->info().segments.size() > 1)
                .second;
  });
  return cases;
}

std::string samples(std::int64_t count) {
  std::string bytes;
  for (std::int64_t i = 0; i < count; ++i) {
    const auto value = static_cast<std::int16_t>(i * 7919 % 65536 - 32768);
    bytes.append(reinterpret_cast<const char*>(&value), 2);
  }
  return bytes;
}

/// Small recordings of the formats that have no golden ones, each with a gap where it can.
std::vector<Case> made_recordings(const ScratchFolder& folder) {
  for (const auto& [trigger, first] : {std::pair(0, 0), std::pair(1, 450)}) {
    const auto name = fmt::format("run_g0_t{}.nidq", trigger);
    fs::create_directories(folder / "glx");
    write_string(folder / "glx" / (name + ".bin"), samples(600));
    write_string(folder / "glx" / (name + ".meta"),
                 fmt::format("typeThis=nidq\nniSampRate=1000\nniAiRangeMax=5\nnSavedChans=2\n"
                             "acqMnMaXaDw=0,0,2,0\nsnsMnMaXaDw=0,0,2,0\nfirstSample={}\n",
                             first));
  }
  const fs::path stream = folder / "oe" / "experiment1/recording1/continuous/A";
  fs::create_directories(stream);
  write_string(folder / "oe" / "experiment1/recording1/structure.oebin",
               R"({"GUI version": "0.6.7", "continuous": [{"folder_name": "A/", "sample_rate": 1000,
      "num_channels": 2, "channels": [{"channel_name": "CH1", "bit_volts": 0.195, "units": "uV"},
      {"channel_name": "ADC1", "bit_volts": 0.0001525, "units": "V"}]}]})");
  write_string(stream / "continuous.dat", samples(600));
  write_string(
      folder / "a.vhdr",
      "BrainVision Data Exchange Header File Version 1.0\n[Common Infos]\nDataFile=a.eeg\n"
      "DataOrientation=VECTORIZED\nNumberOfChannels=2\nSamplingInterval=1000\n"
      "[Binary Infos]\nBinaryFormat=INT_16\n[Channel Infos]\nCh1=Fz,,0.5,uV\nCh2=Cz,,1,uV\n");
  write_string(folder / "a.eeg", samples(600));
  write_string(folder / "b.bin", samples(600));
  write_string(folder / "b.bin.json",
               R"({"weir_raw": 1, "rate": [750003, 25], "dtype": "uint16", "order": "channel_major",
      "segments": [{"start_s": [1, 3], "samples": 200}, {"start_s": 5, "samples": 100}],
      "start_time": "2026-11-30T04:05:06.789", "channels": [
      {"name": "a", "gain": 0.195, "offset": -6389.76, "unit": "uV", "position": [1, 2, 3],
       "group": "x", "source_index": 3}, {"name": "b", "gain": -3.05, "unit": "uV"}]})");
  return {{folder / "glx"}, {folder / "oe"}, {folder / "a.vhdr"}, {folder / "b.bin"}};
}

bool is_float(StoredType type) {
  return type == StoredType::float16 || type == StoredType::float32 || type == StoredType::float64;
}

/// The integers that stand in the file for those of the source, and the offset that goes with it.
float shift_of(StoredType stored) {
  return stored == StoredType::uint16 ? 32768.0F : 0.0F;
}

/// All segments, one after the other: what follows without a gap becomes one.
std::vector<float> all_samples(const RecordingSource& source) {
  std::vector<float> all;
  for (std::int64_t s = 0; s < std::ssize(source.info().segments); ++s) {
    const auto part = testing::read_all(source, s);
    all.insert(all.end(), part.begin(), part.end());
  }
  return all;
}

/// Floats, and whole numbers of several gains that were brought under one.
bool becomes_physical(const RecordingSource& source) {
  const StoredType stored = source.info().stored;
  return is_float(stored) || (formats::fits_int16(stored) && !source.stored_as_int16());
}

/// Whether a format may say that it cannot hold these samples.
bool may_refuse(const RecordingSource& source, const std::string& target) {
  const StoredType stored = source.info().stored;
  if (becomes_physical(source)) {
    return target == "edf" || target == "bdf";
  }
  const bool short_enough = formats::fits_int16(stored) || stored == StoredType::uint16;
  return (target == "edf" && !short_enough) ||
         (target == "bdf" && !short_enough && stored != StoredType::int24);
}

void compare_samples(const RecordingSource& from, const RecordingSource& to) {
  const RecordingInfo& info = from.info();
  const bool physical = becomes_physical(from);
  const auto width = static_cast<std::size_t>(info.channel_count());
  EXPECT_EQ(is_float(to.info().stored), physical) << name(to.info().stored);
  const auto stored = all_samples(from);
  const auto written = all_samples(to);
  ASSERT_EQ(written.size(), stored.size());
  for (std::size_t i = 0; i < stored.size(); ++i) {
    const Channel& channel = info.channels[i % width];
    if (!physical) {
      ASSERT_EQ(written[i], stored[i] - shift_of(info.stored)) << "sample " << i;
      continue;
    }
    const double value = stored[i] * channel.gain + channel.offset;
    ASSERT_NEAR(written[i], value, 1e-6 * std::max(std::abs(value), std::abs(channel.offset)))
        << "sample " << i;
  }
}

/// Segments that follow each other without a gap count as one.
std::vector<Segment> joined_segments(const RecordingInfo& info) {
  std::vector<Segment> joined;
  for (const Segment& segment : info.segments) {
    const double end = joined.empty() ? 0
                                      : joined.back().start_s.to_double() +
                                            info.rate.seconds(joined.back().frames);
    if (!joined.empty() && std::abs(segment.start_s.to_double() - end) * info.rate.hz() <= 0.5) {
      joined.back().frames += segment.frames;
    } else {
      joined.push_back(segment);
    }
  }
  return joined;
}

void compare_channels(const RecordingSource& source, const RecordingInfo& to, bool spikeinterface) {
  const RecordingInfo& from = source.info();
  ASSERT_EQ(to.channels.size(), from.channels.size());
  const bool physical = becomes_physical(source);
  for (std::size_t c = 0; c < from.channels.size(); ++c) {
    Channel expected = from.channels[c];
    expected.offset += shift_of(from.stored) * expected.gain;
    if (physical) {
      expected.gain = 1;
      expected.offset = 0;
    }
    const Channel& written = to.channels[c];
    EXPECT_EQ(written.name, expected.name);
    if (spikeinterface) {  // Microvolts; its own test compares the rest.
      continue;
    }
    EXPECT_EQ(written.gain, expected.gain);
    EXPECT_NEAR(written.offset, expected.offset, 1e-9 * std::abs(expected.gain));
    EXPECT_EQ(written.unit, expected.unit);
    EXPECT_EQ(written.position, expected.position);
    EXPECT_EQ(written.group, expected.group);
    EXPECT_EQ(written.source_index, expected.source_index);
  }
}

void compare(const RecordingSource& from, const RecordingSource& to, const std::string& target) {
  const RecordingInfo& before = from.info();
  const RecordingInfo& after = to.info();
  EXPECT_EQ(after.rate, before.rate);
  EXPECT_EQ(after.start_time, before.start_time);
  const auto segments = joined_segments(before);
  ASSERT_EQ(after.segments.size(), segments.size());
  for (std::size_t s = 0; s < segments.size(); ++s) {
    EXPECT_EQ(after.segments[s].frames, segments[s].frames);
    EXPECT_NEAR(after.segments[s].start_s.to_double(), segments[s].start_s.to_double(),
                target == "si" ? 1e-9 : 0);
  }
  compare_channels(from, after, target == "si");
  compare_samples(from, to);
}

struct Tally {
  std::int64_t written = 0;
  std::int64_t refused = 0;
};

void convert_to(const Case& from, const RecordingSource& source, const std::string& target,
                Tally& tally) {
  SCOPED_TRACE(from.path.string() + " to " + target);
  const ScratchFolder folder;
  const fs::path to = folder / ("out." + target);
  auto flags = from.flags();
  if (target == "si") {
    flags.insert(flags.end(), {"--format", "spikeinterface"});
  }
  const Converted done = convert(from.path, to, flags);
  if (done.code == 4 && may_refuse(source, target)) {
    EXPECT_NE(done.notes.find("gain"), std::string::npos) << done.notes;
    EXPECT_FALSE(fs::exists(to));
    ++tally.refused;
    return;
  }
  ASSERT_EQ(done.code, 0) << done.notes;
  for (const auto& [key, text] : source.info().metadata) {
    if (key == "notes" || key == "patient" || key == "comments") {
      EXPECT_NE(done.notes.find(key), std::string::npos) << done.notes;
    }
  }
  compare(source, *catalog::formats().open(to, {}), target);
  ++tally.written;
}

/// Every format that is read, to every one that is written.
TEST(Conversion, KeepsStoredNumbersAndWhatDescribesThem) {
  const ScratchFolder folder;
  auto cases = golden_recordings();
  const auto made = made_recordings(folder);
  cases.insert(cases.end(), made.begin(), made.end());
  Tally tally;
  std::set<std::string> formats;
  for (const auto& from : cases) {
    const auto source = opened(from);
    ASSERT_TRUE(source) << from.path;
    formats.insert(source->info().format);
    for (const char* target : {"bin", "npy", "wav", "edf", "bdf", "zarr", "si"}) {
      convert_to(from, *source, target, tally);
    }
  }
  for (const formats::Format* format : catalog::formats().all()) {
    EXPECT_TRUE(format->open == nullptr || formats.contains(std::string(format->name)))
        << format->name << " has no case here";
  }
  fmt::print("{} files to 7 formats: {} written, {} refused\n", cases.size(), tally.written,
             tally.refused);
}

std::vector<formats::Annotation> annotations_in(const fs::path& path, const std::string& stream) {
  return formats::annotations_of(
      *catalog::formats().open_events(path, {.stream = stream, .raw = {}}));
}

TEST(Conversion, PutsTextsIntoEdfAndOutOfItAgain) {
  const ScratchFolder folder;
  made_recordings(folder);
  std::string header = testing::read_string(folder / "a.vhdr");
  header.replace(header.find("DataOrientation"), 0, "MarkerFile=a.vmrk\n");
  write_string(folder / "a.vhdr", header);
  write_string(folder / "a.vmrk", "x\n[Marker Infos]\nMk1=Stimulus,S1,3,1,0\nMk2=Note,b,61,20,0\n");
  for (const char* name : {"out.edf", "out.bdf"}) {
    const auto there = convert(folder / "a.vhdr", folder / name);
    ASSERT_EQ(there.code, 0) << there.notes;
    EXPECT_NE(there.notes.find("markers: 2 events in "), std::string::npos) << there.notes;
    EXPECT_FALSE(fs::exists(folder / (std::string(name) + ".markers.csv")));
    const auto back = convert(folder / name, folder / (std::string(name) + ".zarr"));
    ASSERT_EQ(back.code, 0) << back.notes;
    const auto found =
        annotations_in(folder / (std::string(name) + ".zarr") / "events" / "annotations", "");
    ASSERT_EQ(found.size(), 2U);
    EXPECT_EQ(found[0].text, "Stimulus/S1");
    EXPECT_EQ(found[0].onset_s, Rational(2, 1000));
    EXPECT_EQ(found[1].text, "Note/b");
    EXPECT_EQ(found[1].onset_s, Rational(60, 1000));
    EXPECT_EQ(found[1].duration_s, Rational(20, 1000));
  }
}

TEST(Conversion, AsksForTheGainOfFloatsAndCountsWhatIsClipped) {
  const ScratchFolder folder;
  write_string(folder / "f.bin", std::string("\0\0\x80\x3f\0\0\x20\xc1\0\0\x7a\x44", 12));
  write_string(folder / "f.bin.json", R"({"weir_raw": 1, "rate": 100, "dtype": "float32",
      "samples": 3, "channels": [{"unit": "uV"}]})");
  const auto refused = convert(folder / "f.bin", folder / "f.edf");
  EXPECT_EQ(refused.code, 4);
  EXPECT_NE(refused.notes.find("dtype = \"int16\" and a gain"), std::string::npos) << refused.notes;
  const auto done = convert(folder / "f.bin", folder / "f.edf", {"--gain", "0.01"});
  ASSERT_EQ(done.code, 0) << done.notes;
  EXPECT_NE(done.notes.find("1 samples clipped"), std::string::npos) << done.notes;
  const auto source = catalog::formats().open(folder / "f.edf", {});
  EXPECT_EQ(source->info().channels[0].gain, 0.01);
  EXPECT_EQ(testing::read_all(*source), (std::vector<float>{100, -1000, 32767}));
}

TEST(Conversion, SaysWhereLongCountsAreRounded) {
  const ScratchFolder folder;  // 2^24 + 1 and 1.
  write_string(folder / "i.bin", std::string("\1\0\0\1\1\0\0\0", 8));
  for (const auto& [stored, warned] :
       std::vector<std::pair<std::string, bool>>{{"int32", true}, {"uint32", true}}) {
    write_string(folder / "i.bin.json",
                 R"({"weir_raw": 1, "rate": 100, "samples": 2, "channels": [{"unit": "uV"}], )" +
                     fmt::format(R"("dtype": "{}"}})", stored));
    const auto text =
        fmt::format("i.bin: its {} samples travel as float32, exact to 24 bits", stored);
    const auto floats =
        convert(folder / "i.bin", folder / "f.npy", {"--dtype", "float32", "--overwrite"});
    ASSERT_EQ(floats.code, 0) << floats.notes;
    EXPECT_EQ(floats.notes.find(text) != std::string::npos, warned) << floats.notes;
    // Written as they are they are counted.
    const auto whole = convert(folder / "i.bin", folder / "w.npy", {"--overwrite"});
    ASSERT_EQ(whole.code, 0) << whole.notes;
    EXPECT_EQ(whole.notes.find("travel as float32"), std::string::npos) << whole.notes;
    EXPECT_NE(whole.notes.find("1 samples are no whole numbers of 24 bits"), std::string::npos)
        << whole.notes;
  }
}

TEST(Conversion, AttachesAProbeOnce) {
  const ScratchFolder folder;
  made_recordings(folder);
  write_string(folder / "p.prb",
               "channel_groups = {7: {'channels': [1, 0], 'geometry': "
               "{0: (1, 2), 1: (3, 4)}}}\n");
  const auto done =
      convert(folder / "a.vhdr", folder / "a.zarr", {"--probe", (folder / "p.prb").string()});
  ASSERT_EQ(done.code, 0) << done.notes;
  const auto source = catalog::formats().open(folder / "a.zarr", {});
  const auto& channels = source->info().channels;
  EXPECT_EQ(channels[0].position, (std::array<double, 3>{1, 2, 0}));
  EXPECT_EQ(channels[1].position, (std::array<double, 3>{3, 4, 0}));
  EXPECT_EQ(channels[1].group, "7");
  // The same probe as a document of its own, and back.
  CapturedTerminal terminal;
  ASSERT_EQ(
      run_program({"probe", (folder / "a.zarr").string(), (folder / "p.json").string()}, terminal),
      0)
      << terminal.notes;
  ASSERT_EQ(
      convert(folder / "a.vhdr", folder / "b.npy", {"--probe", (folder / "p.json").string()}).code,
      0);
  EXPECT_EQ(catalog::formats().open(folder / "b.npy", {})->info().channels, channels);
  write_string(folder / "p.prb",
               "channel_groups = {7: {'channels': [0], 'geometry': {0: (1, 2)}}}\n");
  const auto refused =
      convert(folder / "a.vhdr", folder / "c.npy", {"--probe", (folder / "p.prb").string()});
  EXPECT_EQ(refused.code, 2);
  EXPECT_NE(refused.notes.find("1 contacts for 2 channels"), std::string::npos) << refused.notes;
}

}  // namespace
}  // namespace weir::cli
