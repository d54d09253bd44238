#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "weir/core/value.h"
#include "weir/pipeline/plan/plan_data.h"

namespace weir::pipeline {

/// Everything a killed run needs to go on and end with the same bytes.
struct Checkpoint {
  std::string identity;  ///< Of spec, program, target and input; a run with another one refuses it.
  std::int64_t segment = 0;  ///< Next frame to read.
  std::int64_t first_frame = 0;
  bool complete = false;  ///< Everything is computed; only commits are left.
  Value fits;
  std::vector<ChannelGroup> groups;
  std::vector<std::byte> graph;  ///< States of the current segment.
  std::vector<std::vector<std::byte>> outputs;
};

/// Written beside the input's first output, by rename. Errors: `io`.
void write_checkpoint(const std::filesystem::path& path, const Checkpoint& checkpoint);

/// The checkpoint a killed run left, or nothing.
/// Errors: `invalid_spec` when it belongs to another run (says what differs); `corrupt_data`;
/// `unsupported` when newer.
std::optional<Checkpoint> read_checkpoint(const std::filesystem::path& path,
                                          const std::string& identity);

}  // namespace weir::pipeline
