#include <cmath>
#include <cstdio>
#include <filesystem>

#include "weir/catalog/catalog.h"
#include "weir/core/version.h"
#include "weir/fit/given_objective.h"
#include "weir/fit/minimise.h"
#include "weir/pipeline/spec/spec.h"
#include "weir/signal/ops/iir/iir.h"

// The minimisers stand in libraries that are found where they were configured to be installed,
// which need not be here.
bool fits() {
  weir::fit::GivenObjective objective({{.name = "x", .value = 1}}, [](auto point, auto gradient) {
    gradient[0] = 2 * (point[0] - 3);
    return weir::fit::Evaluation{.value = (point[0] - 3) * (point[0] - 3)};
  });
  for (const auto minimiser : {weir::fit::Minimiser::minuit2, weir::fit::Minimiser::nlopt}) {
    if (weir::fit::is_available(minimiser) &&
        std::abs(weir::fit::minimise(objective, {.minimiser = minimiser}).value("x") - 3) > 1e-6) {
      return false;
    }
  }
  return true;
}

int main() {
  const auto spec = weir::pipeline::parse_spec(
      R"({"weir_pipeline": 1,
          "nodes": {"in": {"op": "read", "path": "a.bin"}, "out": {"op": "write", "path": "b.npy"}},
          "edges": [["in", "out"]]})",
      weir::pipeline::SpecLanguage::json, std::filesystem::current_path(), {},
      weir::catalog::operators());
  std::printf("weir %s: %zu operators, %zu nodes\n", weir::version().data(),
              weir::catalog::operators().all().size(), spec.nodes.size());
  return weir::catalog::operators().find("iir") != nullptr && spec.nodes.size() == 2 && fits() ? 0
                                                                                               : 1;
}
