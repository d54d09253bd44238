#include <algorithm>
#include <filesystem>
#include <memory>

#include "weir/catalog/catalog.h"
#include "weir/cli/channel_words.h"
#include "weir/cli/command.h"
#include "weir/cli/plot/make_picture.h"
#include "weir/cli/plot/plot_library.h"
#include "weir/cli/settings.h"

namespace weir::cli {
namespace {
struct Plot {
  std::vector<std::string> file;
  std::string out;
  std::optional<double> start_s;
  std::optional<double> duration_s;
  std::string channels;
  std::string events;
  bool at_zero = false;
  std::string title;
  std::string stream;
  std::vector<std::string> raw;
  std::int64_t width = 1600;
  std::int64_t height = 0;
};

/// What tells the files apart: their names, or where those are alike, the whole words.
std::vector<std::string> layer_names(const std::vector<std::string>& files) {
  std::vector<std::string> names;
  for (const auto& file : files) {
    auto path = std::filesystem::path(file).lexically_normal();
    path = path.has_filename() ? path : path.parent_path();
    names.push_back(path.filename().string());
  }
  auto sorted = names;
  std::sort(sorted.begin(), sorted.end());
  const bool alike = std::adjacent_find(sorted.begin(), sorted.end()) != sorted.end();
  return alike ? files : names;
}

void run(const Plot& arguments, Terminal& terminal) {
  std::vector<std::unique_ptr<RecordingSource>> sources;
  std::vector<PictureLayer> layers;
  const auto names = layer_names(arguments.file);
  for (const auto& file : arguments.file) {
    sources.push_back(catalog::formats().open(
        file, {.stream = arguments.stream, .raw = settings("--raw", arguments.raw)}));
    const auto& channels = sources.back()->info().channels;
    const bool first = layers.empty();
    layers.push_back({sources.back().get(),
                      picked_channels(first ? arguments.channels : "all", channels, file),
                      names[layers.size()]});
  }
  PictureOptions options;
  options.start_s = arguments.start_s;
  options.duration_s = arguments.duration_s;
  options.at_zero = arguments.at_zero;
  options.title = arguments.title;
  options.width = static_cast<int>(arguments.width);
  options.height = static_cast<int>(arguments.height);
  const auto events =
      arguments.events.empty() ? std::vector<EventMark>{} : read_event_marks(arguments.events);
  write_png(make_picture(layers, options, events), arguments.out);
  terminal.line(arguments.out);
}

op::Schema<Plot> schema() {
  return op::Schema<Plot>{
      op::field("file", &Plot::file,
                {.required = true, .doc = "The recording; several are drawn over one another."}),
      op::field("out", &Plot::out, {.required = true, .doc = "The picture, a PNG."}),
      op::field("start_s", &Plot::start_s,
                {.unit = "s",
                 .doc = "Where to begin, on the recording's clock; its beginning if "
                        "not given."}),
      op::field("duration_s", &Plot::duration_s,
                {.unit = "s",
                 .min = 0,
                 .above_min = true,
                 .doc = "How much to show; 30,000 frames, at most 10 s, if not given."}),
      op::field("channels", &Plot::channels,
                {.doc = "Which channels: all, 0:16, 0:384:16, names or indices with commas; at "
                        "most 24, spread evenly, if not given."}),
      op::field("events", &Plot::events, {.doc = "An event table in CSV to mark on the traces."}),
      op::field("at_zero", &Plot::at_zero,
                {.doc = "Rows stand at 0 instead of each channel's middle."}),
      op::field("title", &Plot::title, {.doc = "Instead of the first recording's name."}),
      op::field("stream", &Plot::stream, {.doc = "A source inside the file."}),
      op::field("raw", &Plot::raw, {.doc = kRawDoc}),
      op::field("width", &Plot::width,
                {.unit = "pixels", .min = 300, .max = 20'000, .doc = "Width of the picture."}),
      op::field(
          "height", &Plot::height,
          {.unit = "pixels", .min = 0, .max = 20'000, .doc = "Height; as the rows want if 0."})};
}
}  // namespace

const Command& plot_command() {
  static const auto kCommand = make_command<Plot>({
      .name = "plot",
      .group = Group::recordings,
      .summary = "Draw a quick look: stacked traces, recordings over one another, with events.",
      .schema = schema(),
      .positional = {"file", "out"},
      .examples = {"session.bin look.png", "session.bin look.png --start-s 12 --duration-s 0.05",
                   "out/ap.zarr look.png --channels 0:384:16 --events out/spikes.csv",
                   "session.bin out/ap.zarr before-after.png --channels 0:8"},
      .run = &run,
  });
  return *kCommand;
}

}  // namespace weir::cli
