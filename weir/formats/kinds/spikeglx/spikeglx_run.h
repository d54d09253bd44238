#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace weir::formats {

/// A file of a run, as its name says: "run_g0_t1.imec0.ap.bin", also ".cbin".
struct SpikeglxRunFile {
  std::filesystem::path path;
  std::string run;
  std::int64_t gate = 0;
  std::optional<std::int64_t> trigger;  ///< Empty for "tcat", which CatGT made of several.
  std::string stream;                   ///< "imec0.ap"
  std::int64_t bytes = 0;
};

/// What a file's name says; empty when it is no recording's.
std::optional<SpikeglxRunFile> parse_spikeglx_name(const std::filesystem::path& path);

/// The files of a run below a folder, or of the run, gate or trigger that a path names without
/// being one: "data/run", "data/run_g0", "data/run_g0_t1". Folders of runs and their probes are
/// looked into ("run_g0/run_g0_imec0"), no others. In the order of gates and triggers.
std::vector<SpikeglxRunFile> find_spikeglx_files(const std::filesystem::path& path);

/// The files of one stream: `stream`, else the largest of a probe, else the largest.
/// Errors: `not_found` listing the streams; `unsupported` for files of several runs.
std::vector<SpikeglxRunFile> choose_spikeglx_stream(std::vector<SpikeglxRunFile> files,
                                                    const std::string& stream,
                                                    const std::filesystem::path& path,
                                                    std::vector<std::string>& warnings);

}  // namespace weir::formats
