#include "weir/signal/window.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "weir/core/text.h"
#include "weir/formats/json.h"
#include "weir/testing/conformance.h"

namespace weir::signal {
namespace {

Value designs() {
  return formats::parse_json(read_text_file(std::string(WEIR_SOURCE_DIR) +
                                            "/weir/signal/ops/resample/golden/designs.json"));
}

TEST(Window, EqualsScipysSymmetricWindows) {
  const Value golden = designs();
  for (const auto& [name, expected] : golden.at("windows").as_object()) {
    const auto parts = split(name, '|');
    const auto values = window_values(Window::from_text(parts[0]), parse_integer(parts[1]));
    ASSERT_EQ(values.size(), expected.as_array().size());
    for (std::size_t i = 0; i < values.size(); ++i) {
      EXPECT_NEAR(values[i], expected.as_array()[i].as_number(), 4e-15) << name << " " << i;
    }
  }
}

TEST(Window, DesignsTheFiltersOfScipysFirwin) {
  const Value golden = designs();
  const std::vector<std::string> bands{"lowpass", "highpass", "bandpass", "bandstop"};
  for (const Value& design : golden.at("firwin").as_array()) {
    std::vector<double> edges;
    for (const Value& edge : design.at("edges").as_array()) {
      edges.push_back(edge.as_number());
    }
    const auto& expected = design.at("taps").as_array();
    const auto band = std::find(bands.begin(), bands.end(), design.at("band").as_string());
    const auto taps = windowed_sinc(static_cast<FirBand>(band - bands.begin()), edges,
                                    design.at("length").as_integer(),
                                    Window::from_text(design.at("window").as_string()));
    ASSERT_EQ(taps.size(), expected.size());
    for (std::size_t i = 0; i < taps.size(); ++i) {
      EXPECT_NEAR(taps[i], expected[i].as_number(), 1e-15) << *band << " " << i;
    }
  }
}

TEST(Window, IsWrittenAsItIsRead) {
  for (const char* text : {"hamming", "hann", "blackman", "boxcar", "kaiser 5", "kaiser 8.6",
                           "tukey 0.25", "taylor 4 30", "general_cosine 1 0.5 0.25"}) {
    EXPECT_EQ(Window::from_text(text).text(), text);
  }
}

TEST(Window, TakesScipysDefaultsForParametersThatAreNotGiven) {
  EXPECT_EQ(Window::from_text("tukey").text(), "tukey 0.5");
  EXPECT_EQ(Window::from_text(" exponential ").text(), "exponential 1");
  EXPECT_EQ(Window::from_text("taylor 6").text(), "taylor 6 30");
}

TEST(Window, RefusesLengthsThatAWindowDoesNotHave) {
  testing::expect_error(ErrorCode::invalid_spec, "even number of values, not 9",
                        [] { window_values(Window::from_text("kaiser_bessel_derived 4"), 9); });
  testing::expect_error(ErrorCode::invalid_spec, "dpss's nw 5 must be below half of the 10 values",
                        [] { window_values(Window::from_text("dpss 5"), 10); });
}

TEST(Window, RefusesUnknownNamesAndBetas) {
  for (const char* text : {"", "flat", "kaiser", "general_cosine", "general_gaussian 2", "tukey 2",
                           "chebwin 0", "kaiser x", "kaiser -1", "kaiser 501", "hann 3"}) {
    testing::expect_error(ErrorCode::invalid_spec, "", [&] { Window::from_text(text); });
  }
}

}  // namespace
}  // namespace weir::signal
