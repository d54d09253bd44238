#include "weir/formats/kinds/spikeglx/spikeglx_catgt.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "weir/core/error.h"
#include "weir/core/text.h"
#include "weir/formats/kinds/spikeglx/spikeglx_run.h"
#include "weir/formats/recording_document.h"

namespace weir::formats {
namespace {
namespace fs = std::filesystem;
constexpr std::int64_t kMostLogBytes = std::int64_t{16} << 20;
constexpr std::size_t kMostEntries = 100'000;
constexpr std::size_t kMostGaps = 500;
constexpr std::string_view kCommand = "Cmdline: ";
constexpr std::string_view kGap = "Gap before file '";

/// The logs in a folder, sorted.
void find_logs(const fs::path& folder, std::vector<fs::path>& logs) {
  std::error_code failure;
  std::size_t seen = 0;
  const std::size_t before = logs.size();
  for (fs::directory_iterator entry(folder.empty() ? fs::path(".") : folder, failure), end;
       !failure && entry != end && seen < kMostEntries; entry.increment(failure), ++seen) {
    if (ends_with_ignoring_case(entry->path().filename().string(), "catgt.log") &&
        entry->is_regular_file(failure)) {
      logs.push_back(entry->path());
    }
  }
  std::sort(logs.begin() + static_cast<std::ptrdiff_t>(before), logs.end());
}

/// The number behind "name=" in a line of the log. Errors: `invalid_spec`.
std::int64_t number_of(std::string_view line, std::string_view name) {
  const std::size_t at = line.find(name);
  if (at == std::string_view::npos) {
    throw Error(ErrorCode::invalid_spec, fmt::format("{} is missing", name));
  }
  line.remove_prefix(at + name.size());
  return parse_integer(line.substr(0, line.find_first_not_of("-0123456789")));
}

/// What one log says of a file: nothing where its command did not run, else the lines of gaps
/// behind the last time it did.
std::optional<std::vector<CatgtGap>> gaps_in(const fs::path& log, const std::string& command,
                                             const SpikeglxRunFile& file) {
  const std::string text = read_text_file(log.string(), kMostLogBytes);
  std::optional<std::vector<CatgtGap>> gaps;
  bool ours = false;
  bool complete = false;
  for (const auto& line : split(text, '\n')) {
    const std::size_t told = line.find(kCommand);
    if (told != std::string::npos) {
      ours = trimmed(std::string_view(line).substr(told + kCommand.size())) == command;
      complete = false;
      gaps = ours ? std::optional(std::vector<CatgtGap>()) : std::move(gaps);
    }
    const std::size_t at = line.find(kGap);
    if (!ours || at == std::string::npos) {
      continue;
    }
    const std::string_view rest = std::string_view(line).substr(at + kGap.size());
    const std::string_view name = rest.substr(0, rest.find('\''));
    if (!name.starts_with(file.run + "_g") || !name.ends_with("." + file.stream + ".bin")) {
      continue;
    }
    const CatgtGap gap{number_of(rest, "out_start_smp="), number_of(rest, "out_zeros_smp="),
                       number_of(rest, "inp_gap_smp=")};
    // A second pass over the same files makes another stream of them.
    complete = complete || (!gaps->empty() && gap.start < gaps->back().start);
    if (!complete) {
      gaps->push_back(gap);
    }
  }
  return gaps;
}

/// Whether gaps lie one behind the other in a file of `frames` frames.
bool fit(const std::vector<CatgtGap>& gaps, std::int64_t frames) {
  std::int64_t end = 0;
  for (const auto& gap : gaps) {
    if (gap.start < end || gap.start > frames || gap.zeros < 0 || gap.zeros > gap.frames ||
        gap.zeros > frames - gap.start || gap.frames > INT64_MAX / 4) {
      return false;
    }
    end = gap.start + gap.zeros;
  }
  return gaps.size() <= kMostGaps;
}

std::string list(const std::vector<CatgtGap>& gaps) {
  constexpr std::size_t kShown = 8;
  std::string text;
  for (std::size_t i = 0; i < std::min(gaps.size(), kShown); ++i) {
    text += fmt::format("{}at {} {} zeros for {}", i == 0 ? "" : ", ", grouped(gaps[i].start),
                        grouped(gaps[i].zeros), grouped(gaps[i].frames));
  }
  return text + (gaps.size() > kShown ? fmt::format(", and {} more", gaps.size() - kShown) : "");
}
}  // namespace

std::vector<CatgtGap> read_catgt_gaps(const SpikeglxMeta& meta, const fs::path& data,
                                      std::int64_t frames, std::vector<std::string>& warnings) {
  const std::string* command = meta.find("catGTCmdline0");
  const auto file = parse_spikeglx_name(data);
  const std::int64_t joined = meta.integer("catNFiles").value_or(1);
  if (command == nullptr || !file || file->trigger || joined <= 1) {
    return {};
  }
  std::string_view words = *command;
  words =
      words.starts_with('<') && words.ends_with('>') ? words.substr(1, words.size() - 2) : words;
  std::vector<fs::path> logs;
  find_logs(data.parent_path(), logs);
  find_logs(fs::absolute(data).parent_path().parent_path(), logs);
  for (const auto& log : logs) {
    std::optional<std::vector<CatgtGap>> gaps;
    try {
      gaps = gaps_in(log, std::string(trimmed(words)), *file);
    } catch (const Error& error) {
      warnings.push_back(fmt::format("{}: {}", log.string(), error.text()));
    }
    if (!gaps) {
      continue;
    }
    if (!fit(*gaps, frames)) {
      warnings.push_back(fmt::format("{}: its {} gaps do not fit the {} frames of {}; not used",
                                     log.string(), gaps->size(), grouped(frames), data.string()));
      continue;
    }
    if (!gaps->empty()) {
      warnings.push_back(fmt::format(
          "{}: CatGT filled {} gap{} between the {} files it joined: {}; "
          "the zeros are left out",
          data.string(), gaps->size(), gaps->size() == 1 ? "" : "s", joined, list(*gaps)));
    }
    return *gaps;
  }
  warnings.push_back(
      fmt::format("{}: joined by CatGT of {} files; how long the gaps between them were stands in "
                  "its CatGT.log, which is neither beside it nor in the folder above: times behind "
                  "a gap are not known, and zeros that fill one are read as samples",
                  data.string(), joined));
  return {};
}

}  // namespace weir::formats
