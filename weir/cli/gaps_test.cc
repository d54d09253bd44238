#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>

#include "weir/catalog/catalog.h"
#include "weir/cli/captured_terminal_internal.h"
#include "weir/cli/program.h"
#include "weir/testing/conformance.h"
#include "weir/testing/format_conformance.h"

namespace weir::cli {
namespace {
namespace fs = std::filesystem;
using testing::ScratchFolder;
using testing::write_string;

struct Ran {
  int code = 0;
  std::string notes;
};

Ran weir(const std::vector<std::string>& words) {
  CapturedTerminal terminal;
  const int code = run_program(words, terminal);
  return {code, terminal.notes + terminal.output};
}

/// Two runs of a counter, a gap of `lost` samples after the first `before`.
struct Gap {
  fs::path path;
  std::int64_t before = 0;
  std::int64_t lost = 0;
  std::string stream = {};
};

/// A spec that reads `from` with `gaps` and writes it as it is.
Ran copy(const ScratchFolder& folder, const Gap& from, const std::string& gaps,
         const std::string& out, const std::string& dtype = "stored") {
  write_string(folder / "spec.json", fmt::format(R"({{"weir_pipeline": 1, "nodes": [
      {{"id": "r", "op": "read", "path": "{}", "stream": "{}"{}}},
      {{"id": "w", "op": "write", "path": "{}", "dtype": "{}"}}]}})",
                                                 from.path.string(), from.stream,
                                                 gaps.empty() ? "" : ", \"gaps\": \"" + gaps + "\"",
                                                 (folder / out).string(), dtype));
  return weir({"run", (folder / "spec.json").string()});
}

std::string counting(std::int64_t first, std::int64_t count) {
  std::string bytes;
  for (std::int64_t i = first; i < first + count; ++i) {
    const auto value = static_cast<std::int16_t>(i);
    bytes.append(reinterpret_cast<const char*>(&value), 2);
  }
  return bytes;
}

Gap spikeglx_run(const ScratchFolder& folder) {
  fs::create_directories(folder / "glx");
  for (const auto& [trigger, first, frames] : {std::tuple(0, 0, 300), std::tuple(1, 450, 100)}) {
    const auto name = fmt::format("run_g0_t{}.nidq", trigger);
    write_string(folder / "glx" / (name + ".bin"), counting(2 * first, 2 * frames));
    write_string(folder / "glx" / (name + ".meta"),
                 fmt::format("typeThis=nidq\nniSampRate=1000\nniAiRangeMax=5\nnSavedChans=2\n"
                             "acqMnMaXaDw=0,0,2,0\nsnsMnMaXaDw=0,0,2,0\nfirstSample={}\n",
                             first));
  }
  return {folder / "glx", 300, 150};
}

Gap open_ephys_stream(const ScratchFolder& folder) {
  const fs::path recording = folder / "oe/experiment1/recording1";
  const fs::path stream = recording / "continuous/A";
  fs::create_directories(stream);
  write_string(recording / "structure.oebin",
               R"({"GUI version": "0.6.7", "continuous": [{"folder_name": "A/", "sample_rate": 1000,
      "num_channels": 1, "channels": [{"channel_name": "CH1", "bit_volts": 0.195,
      "units": "uV"}]}]})");
  write_string(stream / "continuous.dat", counting(5, 200));
  std::string header = "{'descr': '<i8', 'fortran_order': False, 'shape': (200,), }";
  header.resize(117, ' ');
  std::string numbers = std::string("\x93NUMPY\x01\x00\x76\x00", 10) + header + "\n";
  for (std::int64_t i = 0; i < 200; ++i) {
    const std::int64_t number = i < 120 ? i : i + 500;
    numbers.append(reinterpret_cast<const char*>(&number), 8);
  }
  write_string(stream / "sample_numbers.npy", numbers);
  return {folder / "oe", 120, 500};
}

/// What the format wrote of the SpikeGLX run: EDF+D.
Gap edf_of(const ScratchFolder& folder, const Gap& run) {
  EXPECT_EQ(weir({"convert", run.path.string(), (folder / "d.edf").string()}).code, 0);
  fs::remove(folder / "d.edf.json");  // As others write it.
  return {folder / "d.edf", run.before, run.lost};
}

fs::path golden(const std::string& name) {
  return fs::path(WEIR_SOURCE_DIR) / "weir/formats/kinds" / name;
}

/// The gap that a recording with segments has after its first.
Gap first_gap(const fs::path& path, const std::string& stream = {}) {
  const auto source = catalog::formats().open(path, {.stream = stream, .raw = {}});
  const auto& info = source->info();
  EXPECT_GE(info.segments.size(), 2U) << path;
  const double seconds =
      info.segments.at(1).start_s.to_double() - info.segments[0].start_s.to_double();
  return {path, info.segments[0].frames,
          std::llround(seconds * info.rate.hz()) - info.segments[0].frames, stream};
}

void check_gap(const ScratchFolder& folder, const Gap& gap) {
  SCOPED_TRACE(gap.path.string());
  const auto refused = copy(folder, gap, "", "never.zarr");
  EXPECT_EQ(refused.code, 2);
  EXPECT_NE(refused.notes.find(fmt::format("({} samples) before sample {}", gap.lost, gap.before)),
            std::string::npos)
      << refused.notes;
  EXPECT_NE(refused.notes.find("gaps = \"split\" or \"fill\""), std::string::npos);
  EXPECT_FALSE(fs::exists(folder / "never.zarr"));
  const auto source = catalog::formats().open(gap.path, {.stream = gap.stream, .raw = {}});
  const auto split = copy(folder, gap, "split", "split.zarr");
  ASSERT_EQ(split.code, 0) << split.notes;
  EXPECT_EQ(catalog::formats().open(folder / "split.zarr", {})->info().segments.size(),
            source->info().segments.size());
  const auto fill = copy(folder, gap, "fill", "fill.bin", "float32");
  ASSERT_EQ(fill.code, 0) << fill.notes;
  const auto filled = catalog::formats().open(folder / "fill.bin", {});
  ASSERT_EQ(filled->info().segments.size(), 1U);
  const auto width = static_cast<std::size_t>(source->info().channel_count());
  const auto values = testing::read_all(*filled);
  const auto lost = static_cast<std::size_t>(gap.lost) * width;
  const auto before = static_cast<std::size_t>(gap.before) * width;
  ASSERT_GT(values.size(), before + lost);
  for (std::size_t i = before; i < before + lost; ++i) {
    ASSERT_NEAR(values[i], 0, 1e-3 * std::abs(source->info().channels[i % width].gain)) << i;
  }
  const auto next = testing::read_all(*source, 1);
  for (std::size_t i = 0; i < std::min<std::size_t>(next.size(), 100); ++i) {
    const Channel& channel = source->info().channels[i % width];
    ASSERT_FLOAT_EQ(values[before + lost + i],
                    static_cast<float>(next[i] * channel.gain + channel.offset));
  }
  for (const char* name : {"split.zarr", "fill.bin"}) {
    fs::remove_all(folder / name);
  }
}

/// Whatever the format says a gap by, the command raises, splits and fills alike.
TEST(Gaps, RaiseSplitAndFillInEveryFormatThatHasThem) {
  const ScratchFolder folder;
  const Gap run = spikeglx_run(folder);
  check_gap(folder, run);
  check_gap(folder, open_ephys_stream(folder));
  check_gap(folder, edf_of(folder, run));
  check_gap(folder, first_gap(golden("intan/golden/gap.rhd")));
  check_gap(folder, first_gap(golden("nwb/golden/three.nwb"), "ElectricalSeriesLFP"));
}

/// A filter knows nothing of what was before the gap.
TEST(Gaps, OperatorsStartAnewBehindThem) {
  const ScratchFolder folder;
  const Gap run = spikeglx_run(folder);
  const auto filtered = [&](const fs::path& from, const std::string& out) {
    write_string(folder / "spec.json", fmt::format(R"({{"weir_pipeline": 1, "nodes": [
      {{"id": "r", "op": "read", "path": "{}", "gaps": "split"}},
      {{"id": "f", "op": "iir", "band": "lowpass", "cutoff_hz": 20, "order": 2}},
      {{"id": "w", "op": "write", "path": "{}"}}]}})",
                                                   from.string(), (folder / out).string()));
    const auto ran = weir({"run", (folder / "spec.json").string()});
    EXPECT_EQ(ran.code, 0) << ran.notes;
    return catalog::formats().open(folder / out, {});
  };
  const auto both = filtered(run.path, "both.bin");
  const auto alone = filtered(run.path / "run_g0_t1.nidq.bin", "alone.bin");
  EXPECT_EQ(testing::read_all(*both, 1), testing::read_all(*alone));
}

}  // namespace
}  // namespace weir::cli
