// Known problems of other tools, each with its expected value, through whole specs.
#include <gmock/gmock.h>

#include <cstring>

#include "graph_fixture.h"
#include "weir/core/text.h"
#include "weir/formats/json.h"

namespace weir::tests {
namespace {
using ::testing::ElementsAre;

constexpr auto kPhysical = R"({"weir_pipeline":1,"nodes":[{"id":"raw","op":"read","path":"in.bin"},
                            {"id":"out","op":"write","path":"out.bin"}]})";

class Cases : public GraphTest {
 protected:
  template <class T>
  void make_counts(const std::string& dtype, const std::string& channels,
                   const std::vector<T>& counts, std::int64_t frames) {
    std::string bytes(counts.size() * sizeof(T), '\0');
    std::memcpy(bytes.data(), counts.data(), bytes.size());
    write_text_file(path("in.bin").string(), bytes);
    write_text_file(path("in.bin.json").string(),
                    R"({"weir_raw":1,"rate":[30000,1],"order":"time_major","dtype":")" + dtype +
                        R"(","samples":)" + std::to_string(frames) + R"(,"channels":[)" + channels +
                        "]}");
  }
};

// Case B17: dips one before, at and one after the border of a chunk, each found once.
TEST_F(Cases, DipsAtChunkBordersAreFoundOnceForAnyChunk) {
  std::vector<float> samples(4000, 0.0F);
  for (const std::size_t border : {500U, 1000U, 1500U}) {
    const std::size_t at = border + border / 500 - 2;  // 499, 1000, 1501
    samples[at] = -100;
  }
  samples[2999] = samples[3000] = -100;  // one dip across a border
  make_floats("in.bin", samples);
  for (const char* chunk : {"0.001", "0.1", "0.5", "1", "1.5", "100"}) {
    run(R"({"weir_pipeline":1,"nodes":[{"id":"raw","op":"read","path":"in.bin"},
         {"id":"s","op":"crossings","level":-50},{"id":"out","op":"write","path":"out.csv"}]})",
        {std::string("execution.chunk_s=") + chunk}, nullptr, true);
    const auto rows = split(read("out.csv"), '\n');
    std::vector<std::string> spans;
    for (std::size_t i = 1; i < rows.size() && !rows[i].empty(); ++i) {
      const auto fields = split(rows[i], ',');
      spans.push_back(std::string(fields.at(2)) + "-" + std::string(fields.at(3)));
    }
    EXPECT_THAT(spans, ElementsAre("499-500", "1000-1001", "1501-1502", "2999-3001")) << chunk;
  }
}

// Case C7: an auxiliary channel keeps its own gain and unit beside electrodes.
TEST_F(Cases, EveryChannelKeepsItsOwnUnit) {
  make_counts<std::int16_t>(
      "int16", R"({"name":"a","gain":0.195,"unit":"uV"},{"name":"aux","gain":37.4e-6,"unit":"V"})",
      {1000, 1000}, 1);
  run(kPhysical);
  const auto values = read_floats("out.bin");
  ASSERT_EQ(values.size(), 2U);
  EXPECT_FLOAT_EQ(values[0], 195.0F);
  EXPECT_FLOAT_EQ(values[1], 0.0374F);
  const Value sidecar = formats::parse_json(read("out.bin.json"));
  EXPECT_EQ(sidecar.at("channels").as_array()[1].at("unit").as_string(), "V");
}

// Cases C1 and C2: unsigned 12-bit codes around 2048, as signed integers and as physical values.
TEST_F(Cases, UnsignedCodesMeanTheSameMicrovoltsAsSignedOnes) {
  const double gain = 3.05176;
  make_counts<std::uint16_t>(
      "uint16", R"({"name":"a","gain":3.05176,"offset":-6250.00448,"unit":"uV"})", {3847, 2048}, 2);
  run(kPhysical);
  EXPECT_NEAR(read_floats("out.bin")[0], 1799 * gain, 1e-3);
  EXPECT_NEAR(read_floats("out.bin")[1], 0, 1e-3);
  run(R"({"weir_pipeline":1,"nodes":[{"id":"raw","op":"read","path":"in.bin"},
       {"id":"out","op":"write","path":"signed.bin","dtype":"int16"}]})");
  std::int16_t count = 0;
  std::memcpy(&count, read("signed.bin").data(), 2);
  const Value sidecar = formats::parse_json(read("signed.bin.json"));
  const Value& channel = sidecar.at("channels").as_array()[0];
  EXPECT_NEAR(count * channel.at("gain").as_number() + channel.at("offset").as_number(), 5490.1,
              0.05);
}

// Case A12: frames 100 to 199 of a resampled recording know their rate and when they were.
TEST_F(Cases, AStretchOfAResampledRecordingKeepsItsRateAndTime) {
  make_recording("in.bin", 2, {9000});
  run(R"({"weir_pipeline":1,"nodes":[{"id":"raw","op":"read","path":"in.bin"},
       {"id":"slow","op":"resample","rate_hz":1000},{"id":"out","op":"write","path":"slow.bin"}]})");
  run(R"({"weir_pipeline":1,"nodes":[{"id":"raw","op":"read","path":"slow.bin","start":100,"stop":200},
       {"id":"out","op":"write","path":"out.bin"}]})");
  const Value sidecar = formats::parse_json(read("out.bin.json"));
  EXPECT_EQ(sidecar.at("rate"), Value(Value::Array{1000, 1}));
  const Value& segment = sidecar.at("segments").as_array()[0];
  EXPECT_EQ(segment.at("samples").as_integer(), 100);
  EXPECT_EQ(segment.at("start_s"), Value(Value::Array{1, 10}));
}

}  // namespace
}  // namespace weir::tests
