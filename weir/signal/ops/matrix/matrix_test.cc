#include "weir/signal/ops/matrix/matrix.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "weir/core/buffer.h"
#include "weir/core/text.h"
#include "weir/testing/conformance.h"

namespace weir::signal {
namespace {
using testing::expect_error;
using testing::load_npy;
using testing::make_stream;
using testing::Samples;

const std::string kGolden = WEIR_SOURCE_DIR "/weir/signal/ops/matrix/golden/";

Value file_of(const std::string& name) {
  Value params = Value::object();
  params.set("file", kGolden + name);
  return params;
}

Value rows_of(Value::Array rows) {
  Value params = Value::object();
  params.set("rows", std::move(rows));
  return params;
}

Value list(std::initializer_list<double> weights) {
  Value row = Value::array();
  for (const double weight : weights) {
    row.push_back(weight);
  }
  return row;
}

Value sparse(std::initializer_list<std::pair<const char*, double>> weights) {
  Value row = Value::object();
  for (const auto& [channel, weight] : weights) {
    row.set(channel, weight);
  }
  return row;
}

/// Unlike run_operator, for as many outputs as there are rows.
Samples product(const Value& params, const StreamInfo& stream, const Samples& in) {
  const auto step = matrix_operator().plan(params, {.in = stream, .temporary_folder = {}});
  const std::int64_t outputs = step->ports()[0].stream.channel_count();
  const Buffer from(SampleType::float32, in.frames, in.channels);
  const Buffer to(SampleType::float32, in.frames, outputs);
  for (std::int64_t t = 0; t < in.frames; ++t) {
    std::copy_n(&in.values[static_cast<std::size_t>(t * in.channels)], in.channels,
                from.as<float>().row(t));
  }
  const auto state = step->start({0, 0, 0, in.channels});
  op::Emission out{to.block(), 0, nullptr};
  step->run(*state, from.block(), {&out, 1});
  Samples samples{in.frames, outputs, {}};
  for (std::int64_t t = 0; t < in.frames; ++t) {
    samples.values.insert(samples.values.end(), to.as<float>().row(t),
                          to.as<float>().row(t) + outputs);
  }
  return samples;
}

void expect_refusal(const Value& params, const std::string& text, std::int64_t channels = 2) {
  expect_error(ErrorCode::invalid_spec, text,
               [&] { product(params, make_stream(1000, channels, 1), {0, channels, {}}); });
}

TEST(Matrix, ConformsDense) {
  testing::check_operator(matrix_operator(), file_of("weights.npy"), make_stream(1000, 37, 3000),
                          {.int16_input = true});
}

TEST(Matrix, ConformsBanded) {
  testing::check_operator(matrix_operator(), file_of("banded.npy"), make_stream(1000, 37, 3000));
}

TEST(Matrix, EqualsNumPy) {
  const Samples in = load_npy(kGolden + "frames.npy");
  const StreamInfo stream = make_stream(1000, in.channels, in.frames);
  const auto dense = testing::run_operator(matrix_operator(), file_of("weights.npy"), stream, in);
  testing::expect_close(dense.samples, load_npy(kGolden + "products.npy"), 5e-7);
  const auto banded = testing::run_operator(matrix_operator(), file_of("banded.npy"), stream, in);
  testing::expect_close(banded.samples, load_npy(kGolden + "sums.npy"), 5e-7);
}

TEST(Matrix, MakesFewerAndMoreChannels) {
  const StreamInfo stream = make_stream(1000, 3, 2);
  const Samples in{2, 3, {1, 2, 4, 10, 20, 40}};
  EXPECT_EQ(product(rows_of({list({1, -1, 0})}), stream, in).values, (std::vector<float>{-1, -10}));
  EXPECT_EQ(product(rows_of({list({0, 0, 1}), list({0, 1, 0}), list({1, 0, 0}), list({1, 1, 1})}),
                    stream, in)
                .values,
            (std::vector<float>{4, 2, 1, 7, 40, 20, 10, 70}));
}

TEST(Matrix, TakesNamesBeforeIndices) {
  StreamInfo stream = make_stream(1000, 3, 1);
  stream.channels[2].name = "0";
  const Samples in{1, 3, {1, 2, 4}};
  EXPECT_EQ(product(rows_of({sparse({{"0", 10}, {"1", 100}})}), stream, in).values,
            (std::vector<float>{240}));
}

TEST(Matrix, WeighsPhysicalValues) {
  StreamInfo stream = make_stream(1000, 2, 1);
  stream.channels[0].gain = 0.5;
  stream.channels[1].gain = 2;
  stream.channels[1].unit = "mV";
  const auto params = rows_of({sparse({{"ch0", 1}, {"ch1", 0.25}})});
  const auto step = matrix_operator().plan(params, {.in = stream, .temporary_folder = {}});
  const Channel& out = step->ports()[0].stream.channels[0];
  EXPECT_EQ(out.unit, "uV");
  EXPECT_EQ(out.gain, 0.5);
  EXPECT_EQ(out.name, "m0");
  // 8 uV and a quarter of 6 mV
  EXPECT_EQ(product(params, stream, {1, 2, {16, 3}}).values[0] * 0.5F, 1508);
}

TEST(Matrix, GivesItsUnit) {
  Value params = rows_of({list({2, 3})});
  params.set("unit", "N");
  params.set("names", "force");
  StreamInfo stream = make_stream(1000, 2, 1);
  stream.channels[1].unit = "g";
  const auto step = matrix_operator().plan(params, {.in = stream, .temporary_folder = {}});
  EXPECT_EQ(step->ports()[0].stream.channels[0].unit, "N");
  EXPECT_EQ(step->ports()[0].stream.channels[0].name, "force");
  EXPECT_EQ(product(params, stream, {1, 2, {1, 10}}).values[0], 32);
}

TEST(Matrix, AWeightOfZeroLetsNothingThrough) {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const float inf = std::numeric_limits<float>::infinity();
  const auto params = rows_of({list({1, 0, 0}), list({0, 1, 1}), list({0, 0, 0}), list({0, 1, 0})});
  const Samples out =
      product(params, make_stream(1000, 3, 3), {3, 3, {nan, 2, 3, inf, 5, 6, 7, 8, -inf}});
  EXPECT_TRUE(std::isnan(out(0, 0)));
  EXPECT_EQ(out(0, 1), 5);
  EXPECT_EQ(out(0, 2), 0);
  EXPECT_EQ(out(1, 0), inf);
  EXPECT_EQ(out(1, 1), 11);
  EXPECT_EQ(out(2, 0), 7);
  EXPECT_EQ(out(2, 1), -inf);
  EXPECT_EQ(out(2, 3), 8);
}

TEST(Matrix, ReadsText) {
  const std::string path = ::testing::TempDir() + "weir_matrix_test.csv";
  write_text_file(path, "# left minus right\n1, -1\n0.5;0.5\r\n\n1e-3 2\n");
  const MatrixTable table = read_matrix_file(path);
  EXPECT_EQ(table.rows, 3);
  EXPECT_EQ(table.columns, 2);
  EXPECT_EQ(table.weights, (std::vector<double>{1, -1, 0.5, 0.5, 1e-3, 2}));
  write_text_file(path, "1, 2\n3\n");
  expect_error(ErrorCode::corrupt_data, "line 2: has 1 numbers, the first row has 2",
               [&] { read_matrix_file(path); });
  write_text_file(path, "1, two\n");
  expect_error(ErrorCode::invalid_spec, "line 1", [&] { read_matrix_file(path); });
}

TEST(Matrix, RefusesDamagedNpyFiles) {
  const std::string whole = read_text_file(kGolden + "weights.npy");
  const std::string path = ::testing::TempDir() + "weir_matrix_test.npy";
  const auto refused = [&](const std::string& file, ErrorCode code, const std::string& text) {
    write_text_file(path, file);
    expect_error(code, text, [&] { read_matrix_file(path); });
  };
  refused(whole.substr(0, 40), ErrorCode::corrupt_data, "ends inside its header");
  refused(whole.substr(0, whole.size() - 8), ErrorCode::corrupt_data, "do not fill");
  std::string other = whole;
  other.replace(other.find("<f8"), 3, "<c8");
  refused(other, ErrorCode::unsupported, "holds '<c8'");
  other = whole;
  other.replace(other.find("(37, 37)"), 8, "(1369,) ");
  refused(other, ErrorCode::unsupported, "two dimensions");
  expect_error(ErrorCode::not_found, "nowhere.npy", [] { read_matrix_file("/nowhere.npy"); });
}

TEST(Matrix, NamesTheFieldThatIsWrong) {
  expect_refusal(Value::object(), "rows: give either rows or a file");
  expect_refusal(rows_of({list({1, 2, 3})}), "rows: row 0 has 3 weights, the stream has 2");
  expect_refusal(rows_of({list({1, 2}), sparse({{"ch7", 1}})}),
                 "rows: no channel is called \"ch7\"");
  expect_refusal(rows_of({sparse({{"5", 1}})}), "rows: there is no channel 5");
  expect_refusal(rows_of({sparse({{"ch1", 1}, {"1", 2}})}), "rows: row 0 names channel 1 twice");
  expect_refusal(rows_of({Value(3)}), "rows: row 0 is a integer");
  expect_refusal(rows_of({}), "rows: there is none");
  expect_refusal(file_of("weights.npy"), "rows of 37 weights, the stream has 2 channels");
  Value params = rows_of({list({1, 2}), list({2, 1})});
  params.set("names", Value::Array{"a"});
  expect_refusal(params, "names: 1 names for 2 rows");
  params.set("names", Value::Array{"a", "a"});
  expect_refusal(params, "names: \"a\" is given twice");
  StreamInfo stream = make_stream(1000, 2, 1);
  stream.channels[1].unit = "g";
  expect_error(ErrorCode::invalid_spec, "unit: row 0: channel \"ch0\" in \"uV\" cannot be added",
               [&] { product(rows_of({list({1, 2})}), stream, {0, 2, {}}); });
}
}  // namespace
}  // namespace weir::signal
