#include "weir/formats/kinds/spikeglx/spikeglx_run.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include "weir/core/error.h"
#include "weir/core/text.h"

namespace weir::formats {
namespace {
namespace fs = std::filesystem;
constexpr int kDeepest = 3;
constexpr std::size_t kMostEntries = 100'000;

/// The number after `mark`, which must be all that is left of `text` behind it; cuts both off.
std::optional<std::int64_t> take_number(std::string& text, std::string_view mark) {
  const std::size_t at = text.rfind(mark);
  if (at == std::string::npos || at == 0) {
    return std::nullopt;
  }
  const std::string digits = text.substr(at + mark.size());
  if (digits.empty() || digits.size() > 9 ||
      digits.find_first_not_of("0123456789") != std::string::npos) {
    return std::nullopt;
  }
  text.resize(at);
  return std::stoll(digits);
}

/// Whether a folder is one of a run: "run_g0", "run_g0_imec0", "catgt_run_g0".
bool is_run_folder(std::string name) {
  const std::size_t probe = name.rfind("_imec");
  if (probe != std::string::npos && probe + 5 < name.size()) {
    name.resize(probe);
  }
  return take_number(name, "_g").has_value();
}

/// What of a run a name asks for.
struct Wanted {
  std::string run;
  std::optional<std::int64_t> gate;
  std::optional<std::int64_t> trigger;

  bool fits(const SpikeglxRunFile& file) const {
    return (run.empty() || run == file.run) && (!gate || gate == file.gate) &&
           (!trigger || trigger == file.trigger);
  }
};

void search(const fs::path& folder, const Wanted& wanted, int depth,
            std::vector<SpikeglxRunFile>& found) {
  std::error_code failure;
  std::vector<fs::path> folders;
  std::size_t seen = 0;
  for (fs::directory_iterator entry(folder, failure), end;
       !failure && entry != end && seen < kMostEntries; entry.increment(failure), ++seen) {
    if (auto file = parse_spikeglx_name(entry->path()); file && wanted.fits(*file)) {
      file->bytes = static_cast<std::int64_t>(entry->file_size(failure));
      found.push_back(std::move(*file));
    } else if (depth < kDeepest && is_run_folder(entry->path().filename().string()) &&
               entry->is_directory(failure)) {
      folders.push_back(entry->path());
    }
  }
  for (const auto& inner : folders) {
    search(inner, wanted, depth + 1, found);
  }
}

auto place_of(const SpikeglxRunFile& file) {
  return std::tie(file.run, file.gate, file.trigger, file.stream, file.path);
}

/// What CatGT joined is not read beside the files it was joined of.
void leave_joined(std::vector<SpikeglxRunFile>& files, std::vector<std::string>& warnings) {
  const bool both = std::any_of(files.begin(), files.end(),
                                [](const auto& file) { return file.trigger.has_value(); });
  std::erase_if(files, [&](const auto& file) {
    const bool left = both && !file.trigger;
    if (left) {
      warnings.push_back(fmt::format("{}: is not read, as the files it was joined of are there",
                                     file.path.string()));
    }
    return left;
  });
}
}  // namespace

std::optional<SpikeglxRunFile> parse_spikeglx_name(const fs::path& path) {
  SpikeglxRunFile file;
  file.path = path;
  std::string name = path.filename().string();
  const std::size_t last = name.rfind('.');
  if (last == std::string::npos || (name.substr(last) != ".bin" && name.substr(last) != ".cbin")) {
    return std::nullopt;
  }
  name.resize(last);
  const std::size_t trigger = name.rfind("_t");
  const std::size_t dot = trigger == std::string::npos ? trigger : name.find('.', trigger);
  if (dot == std::string::npos) {
    return std::nullopt;
  }
  file.stream = name.substr(dot + 1);
  name.resize(dot);
  if (name.ends_with("_tcat")) {
    name.resize(name.size() - 5);
  } else {
    file.trigger = take_number(name, "_t");
    if (!file.trigger) {
      return std::nullopt;
    }
  }
  const auto gate = take_number(name, "_g");
  std::error_code failure;
  fs::path header = path;
  if (!gate || !fs::is_regular_file(header.replace_extension(".meta"), failure)) {
    return std::nullopt;
  }
  file.gate = *gate;
  file.run = std::move(name);
  return file;
}

std::vector<SpikeglxRunFile> find_spikeglx_files(const fs::path& path) {
  std::vector<SpikeglxRunFile> files;
  std::error_code failure;
  if (fs::is_directory(path, failure)) {
    search(path, {}, 0, files);
  } else if (!fs::exists(path, failure) && path.has_filename()) {
    Wanted wanted;
    wanted.run = path.filename().string();
    wanted.trigger = take_number(wanted.run, "_t");
    wanted.gate = take_number(wanted.run, "_g");
    if (wanted.trigger && !wanted.gate) {
      return files;
    }
    search(path.has_parent_path() ? path.parent_path() : fs::path("."), wanted, 0, files);
  }
  std::sort(files.begin(), files.end(),
            [](const auto& a, const auto& b) { return place_of(a) < place_of(b); });
  return files;
}

std::vector<SpikeglxRunFile> choose_spikeglx_stream(std::vector<SpikeglxRunFile> files,
                                                    const std::string& stream, const fs::path& path,
                                                    std::vector<std::string>& warnings) {
  std::map<std::string, std::int64_t> streams;
  std::set<std::string> runs;
  for (const auto& file : files) {
    streams[file.stream] += file.bytes;
    runs.insert(file.run);
  }
  if (runs.size() > 1) {
    throw Error(ErrorCode::unsupported,
                fmt::format("{}: holds several runs: {}; name one, as {}", path.string(),
                            fmt::join(runs, ", "), (path / *runs.begin()).string()));
  }
  std::string chosen = stream;
  if (chosen.empty()) {
    const auto rank = [](const auto& entry) {
      return std::pair(entry.first.starts_with("imec"), entry.second);
    };
    const auto largest =
        std::max_element(streams.begin(), streams.end(),
                         [&](const auto& a, const auto& b) { return rank(a) < rank(b); });
    chosen = largest != streams.end() ? largest->first : "";
  }
  if (!streams.contains(chosen)) {
    std::vector<std::string> names;
    names.reserve(streams.size());
    for (const auto& [name, bytes] : streams) {
      names.push_back(name);
    }
    throw Error(ErrorCode::not_found,
                fmt::format("{}: stream: no \"{}\"; it holds {}", path.string(), printable(chosen),
                            fmt::join(names, ", ")));
  }
  std::erase_if(files, [&](const auto& file) { return file.stream != chosen; });
  leave_joined(files, warnings);
  return files;
}

}  // namespace weir::formats
