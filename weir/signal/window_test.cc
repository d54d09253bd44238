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
  for (const char* text : {"hamming", "hann", "blackman", "boxcar", "kaiser 5", "kaiser 8.6"}) {
    EXPECT_EQ(Window::from_text(text).text(), text);
  }
}

TEST(Window, RefusesUnknownNamesAndBetas) {
  for (const char* text :
       {"", "flattop", "kaiser", "kaiser x", "kaiser -1", "kaiser 501", "hann 3"}) {
    testing::expect_error(ErrorCode::invalid_spec, "", [&] { Window::from_text(text); });
  }
}

}  // namespace
}  // namespace weir::signal
