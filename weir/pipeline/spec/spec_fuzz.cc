#include <string_view>

#include "weir/core/text.h"
#include "weir/pipeline/spec/spec.h"
#include "weir/testing/fake_operators.h"
#include "weir/testing/fuzz.h"

namespace weir::pipeline {
namespace {
const op::OperatorList& operators() {
  static const auto kGain = weir::testing::fake_gain();
  static const auto kDetector = weir::testing::fake_detector();
  static const op::OperatorList kList({kGain.get(), kDetector.get()});
  return kList;
}

/// Lines "#set node.field=value" at the head are overrides; what follows is the document.
void try_spec(std::string_view text) {
  std::vector<std::string> overrides;
  constexpr std::string_view kSet = "#set ";
  while (text.starts_with(kSet)) {
    const auto line = text.substr(0, text.find('\n'));
    overrides.emplace_back(line.substr(kSet.size()));
    text.remove_prefix(std::min(text.size(), line.size() + 1));
  }
  const auto language = trimmed(text).starts_with('{') ? SpecLanguage::json : SpecLanguage::toml;
  try {
    const Spec spec = parse_spec(text, language, "/data", overrides, operators());
    const Value document = canonical(spec, operators());
    const Spec again = parse_spec(to_json(document), SpecLanguage::json, "/", {}, operators());
    WEIR_CHECK(canonical(again, operators()) == document);
  } catch (const Error& error) {
    if (error.code() == ErrorCode::internal || error.text().empty()) {
      throw;
    }
  }
}
}  // namespace
}  // namespace weir::pipeline

WEIR_FUZZ(spec) {
  weir::pipeline::try_spec({reinterpret_cast<const char*>(input.data()), input.size()});
}
