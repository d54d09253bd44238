#include "weir/formats/recording_document.h"

#include <gtest/gtest.h>

#include "weir/formats/json.h"
#include "weir/testing/conformance.h"
#include "weir/testing/format_conformance.h"

namespace weir::formats {
namespace {
using testing::expect_error;

Value valid() {
  const auto output = testing::awkward_output("x", SampleType::int16, 2);
  return to_document("weir_raw", output.stream, {4, 0, 5}, output.start_time);
}

RecordingDocument parse(const Value& document) {
  return from_document(document, "weir_raw", "rec.bin.json");
}

TEST(RecordingDocument, SurvivesItsText) {
  const auto output = testing::awkward_output("x", SampleType::int16, 2);
  const auto document = parse(parse_json(to_json(valid(), 1)));
  EXPECT_EQ(document.channels, output.stream.channels);
  EXPECT_EQ(document.rate, output.stream.rate);
  EXPECT_EQ(document.start_time, output.start_time);
  EXPECT_EQ(document.segments.size(), 3U);
  EXPECT_EQ(document.segments[2].start_s, Rational(-5, 7));
  EXPECT_EQ(document.segments[2].frames, 5);
}

TEST(RecordingDocument, HasAVersionOfItsOwnForSpectra) {
  auto stream = testing::awkward_output("x", SampleType::float32, 2).stream;
  EXPECT_EQ(to_document("weir_raw", stream, {4, 0, 5}, "").at("weir_raw"), Value(1));
  stream.axis = Axis::frequency_hz;
  const Value spectra = to_document("weir_raw", stream, {4, 0, 5}, "");
  EXPECT_EQ(spectra.at("weir_raw"), Value(2));  // what reads only time must refuse it
  EXPECT_EQ(parse(spectra).axis, Axis::frequency_hz);
  EXPECT_EQ(parse(valid()).axis, Axis::time_s);
  Value odd = spectra;
  odd.set("axis", "wavelength_m");
  expect_error(ErrorCode::corrupt_data,
               "axis: \"wavelength_m\" is not one of: time_s, frequency_hz", [&] { parse(odd); });
}

TEST(RecordingDocument, RefusesANewerVersion) {
  Value document = valid();
  document.set("weir_raw", 3);
  expect_error(ErrorCode::unsupported, "rec.bin.json: weir_raw: version 3",
               [&] { parse(document); });
}

TEST(RecordingDocument, NamesTheFieldThatIsWrong) {
  const auto broken = [](std::string_view key, Value value) {
    Value document = valid();
    document.set(key, std::move(value));
    return document;
  };
  const auto refused = [](const Value& document, const std::string& part) {
    expect_error(ErrorCode::corrupt_data, part, [&] { parse(document); });
  };
  refused(broken("channels", Value::array()), "channels: there are none");
  refused(broken("rate", Value(Value::Array{0, 1})), "rate: ");
  refused(broken("rate", Value(Value::Array{1, 0})), "rate: ");
  refused(broken("rate", "fast"), "rate: ");
  refused(broken("dtype", "int17"), "dtype: ");
  refused(broken("order", "sideways"), "order: ");
  refused(broken("samples", 8), "samples: 8, but the segments hold 9");
  refused(broken("segments", Value(Value::Array{parse_json(R"({"samples": -1})")})),
          "segments[0]: samples: -1");
  refused(broken("channels", Value(Value::Array{parse_json(R"({"position": [1]})")})),
          "channels[0]: position");
  refused(Value::object(), "weir_raw: is missing");
  refused(broken("channels", nullptr), "channels: expected array, found null");
  refused(broken("channels", Value(Value::Array{nullptr})),
          "channels[0]: expected an object, found null");
  refused(broken("segments", 3), "segments: expected array, found integer");
  refused(broken("channels", Value(Value::Array{parse_json(R"({"gain": null})")})),
          "channels[0]: gain: expected number, found null");
}

TEST(RecordingDocument, NamesTheKeyNearestToAnUnknownOne) {
  const auto refused = [](const std::string& key, const std::string& value,
                          const std::string& part) {
    Value document = valid();
    document.set(key, parse_json(value));
    expect_error(ErrorCode::corrupt_data, part, [&] { parse(document); });
  };
  refused("channels", R"([{}, {"ofset": 3}])",
          "rec.bin.json: channels[1]: ofset: unknown key; did you mean \"offset\"?");
  refused("segments", R"([{"samples": 3, "stat_s": 3}])",
          "segments[0]: stat_s: unknown key; did you mean \"start_s\"?");
  refused("star_time", R"("")", "star_time: unknown key; did you mean \"start_time\"?");
  refused("gain", "2", "gain: unknown key here; it belongs inside each of channels");
  refused("experimenter", R"("me")", "experimenter: unknown key; known: weir_raw, channels, rate");
}

TEST(RecordingDocument, SaysWhatStandsInPlaceOfADocument) {
  for (const char* text : {"null", "[]", "3"}) {
    const Value document = parse_json(text);
    expect_error(ErrorCode::corrupt_data,
                 "rec.bin.json: expected an object with \"weir_raw\": 1, found " +
                     std::string(document.type_name()),
                 [&] { parse(document); });
  }
}

TEST(RecordingDocument, TakesNullForAbsent) {
  Value document = valid();
  for (const char* key : {"order", "samples", "start_time"}) {
    document.set(key, nullptr);
  }
  document.set("channels", parse_json(R"([{"name": null, "unit": null, "position": null}])"));
  EXPECT_EQ(parse(document).channels[0].name, "ch0");
}

TEST(RecordingDocument, LeavesOthersTheirAttributesOfAStore) {
  Value document = valid();
  document.set("weir_recording", 1);
  document.set("experimenter", "me");
  EXPECT_EQ(from_document(document, "weir_recording", "rec.zarr").segments.size(), 3U);
}

TEST(RecordingDocument, TakesPlainNumbersToo) {
  const auto document = parse(parse_json(
      R"({"weir_raw": 1, "rate": 30000.12, "dtype": "float32", "samples": 7, "channels": [{}]})"));
  EXPECT_EQ(document.rate, SampleRate(Rational(750003, 25)));
  EXPECT_EQ(document.channels[0].name, "ch0");
  EXPECT_EQ(document.channels[0].gain, 1);
  ASSERT_EQ(document.segments.size(), 1U);
  EXPECT_EQ(document.segments[0].frames, 7);
}

}  // namespace
}  // namespace weir::formats
