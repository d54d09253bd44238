#include "weir/pipeline/plan/no_recording.h"

#include "weir/core/error.h"
#include "weir/pipeline/input/path_pattern.h"

namespace weir::pipeline {
namespace {
class NoRecording final : public RecordingSource {
 public:
  NoRecording() { info_.channels = make_channels(1); }
  const RecordingInfo& info() const noexcept override { return info_; }
  bool stored_as_int16() const noexcept override { return false; }
  void read(std::int64_t, std::int64_t, std::span<const std::int64_t>,
            Block<float>) const override {
    WEIR_CHECK(false);  // There is no frame.
  }
  void read_stored(std::int64_t, std::int64_t, std::span<const std::int64_t>,
                   Block<std::int16_t>) const override {
    WEIR_CHECK(false);
  }

 private:
  RecordingInfo info_;
};
}  // namespace

Input no_recording(const Spec& spec) {
  Input input;
  input.source = std::make_unique<NoRecording>();
  for (const Node& node : spec.nodes) {
    const Value* path = node.op == "read_events" ? node.params.find("path") : nullptr;
    if (path != nullptr && path->is_string() && input.paths.empty()) {
      input.paths.push_back(resolved_path(path->as_string(), spec.base));
      input.name = input.paths.front().string();
    }
  }
  return input;
}

}  // namespace weir::pipeline
