#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "weir/core/stream.h"
#include "weir/pipeline/run/run.h"

namespace weir::tests {

/// A temporary folder with recordings, where whole specs are run through the library as a program
/// would.
class GraphTest : public ::testing::Test {
 protected:
  GraphTest();
  ~GraphTest() override;

  /// A raw int16 recording `name` with Neuropixels-like noise, unequal gains and offsets unless
  /// `equal`, and its sidecar. Shape: [sum of `segment_frames`, channels].
  void make_recording(const std::string& name, std::int64_t channels,
                      const std::vector<std::int64_t>& segment_frames, bool equal = true);
  /// A raw float32 recording of one channel with these samples.
  void make_floats(const std::string& name, const std::vector<float>& samples);

  /// Runs a JSON spec whose relative paths are in the folder. It may name `fake_echo`, too.
  pipeline::Report run(const std::string& spec, const std::vector<std::string>& overrides = {},
                       const Observer& observe = nullptr, bool overwrite = false);
  pipeline::Plan plan(const std::string& spec, const std::vector<std::string>& overrides = {},
                      bool overwrite = false);
  /// What `plan` asks for beside the spec.
  pipeline::PlanOptions options_;

  /// Content of every file below `folder`, provenance apart (it holds times).
  std::map<std::string, std::string> contents(const std::string& folder) const;
  std::vector<std::string> files() const;
  std::filesystem::path path(const std::string& name) const { return folder_ / name; }
  std::string read(const std::string& name) const;
  std::vector<float> read_floats(const std::string& name) const;
  void remove(const std::string& name) const { std::filesystem::remove_all(folder_ / name); }

 private:
  std::filesystem::path folder_;
};

}  // namespace weir::tests
