#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "weir/compute/device.h"
#include "weir/core/value.h"
#include "weir/formats/format_list.h"
#include "weir/pipeline/input/input.h"
#include "weir/pipeline/spec/spec.h"

namespace weir::pipeline {

/// The parts a program was built with; `weir/catalog/catalog.h` has the full one.
struct Catalog {
  const op::OperatorList& operators;
  const formats::FormatList& formats;
};

struct PlanOptions {
  bool overwrite = false;
  /// Outputs go there instead, by the last parts of their paths.
  std::optional<std::filesystem::path> output_dir;
  /// Outputs that a killed run was replacing are put right on disk first, and told of. Without it
  /// they are refused unless `overwrite`, and planning changes nothing.
  bool mend_outputs = false;
  Opener opener = nullptr;  ///< Null opens files by format.
  /// Null opens the machine's own devices: `compute::open_device`.
  std::function<std::shared_ptr<compute::Device>(const std::string& target)> device_opener =
      nullptr;
  /// The CPU takes over where a device fails even if the spec names the device; without it, where
  /// the target was `auto`.
  bool fall_back = false;
  /// A device takes several chunks of the spec's `chunk_s` at once where that hides its launches.
  bool batch_chunks = true;
};

struct PlanData;

/// Everything decided before the first sample: pure, printable, refused when it cannot be run
/// within the cap.
class Plan {
 public:
  explicit Plan(std::shared_ptr<const PlanData> data) : data_(std::move(data)) {}
  std::string text() const;
  Value json() const;
  const PlanData& data() const noexcept { return *data_; }

 private:
  std::shared_ptr<const PlanData> data_;
};

/// Errors: every problem at once (`invalid_spec`, …), each with node and field; `out_of_memory`
/// naming the largest claim;
///         `output_exists`.
Plan make_plan(const Spec& spec, const Catalog& catalog, const PlanOptions& options = {});

}  // namespace weir::pipeline
