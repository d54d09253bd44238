#include <cstdio>
#include <filesystem>

#include "weir/catalog/catalog.h"
#include "weir/core/version.h"
#include "weir/pipeline/spec/spec.h"
#include "weir/signal/ops/iir/iir.h"

int main() {
  const auto spec = weir::pipeline::parse_spec(
      R"({"weir_pipeline": 1,
          "nodes": {"in": {"op": "read", "path": "a.bin"}, "out": {"op": "write", "path": "b.npy"}},
          "edges": [["in", "out"]]})",
      weir::pipeline::SpecLanguage::json, std::filesystem::current_path(), {},
      weir::catalog::operators());
  std::printf("weir %s: %zu operators, %zu nodes\n", weir::version().data(),
              weir::catalog::operators().all().size(), spec.nodes.size());
  return weir::catalog::operators().find("iir") != nullptr && spec.nodes.size() == 2 ? 0 : 1;
}
