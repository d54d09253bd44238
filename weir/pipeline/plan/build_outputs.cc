#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "weir/core/text.h"
#include "weir/formats/annotations_of.h"
#include "weir/formats/stored_samples.h"
#include "weir/pipeline/input/channel_selection.h"
#include "weir/pipeline/plan/build_graph.h"

namespace weir::pipeline {
namespace {
namespace fs = std::filesystem;

std::string replaced(std::string text, std::string_view what, const std::string& with) {
  for (auto at = text.find(what); at != std::string::npos; at = text.find(what, at + with.size())) {
    text.replace(at, what.size(), with);
  }
  return text;
}

/// The path of one output of one input, templates filled in.
fs::path output_path(const Write& write, const Node& node, const Spec& spec, const Input& input) {
  const fs::path source = input.paths.empty() ? fs::path(input.name) : input.paths.front();
  std::string text = replaced(write.path, "{node}", node.id);
  text = replaced(text, "{stem}", source.stem().string());
  text = replaced(text, "{input}", source.filename().string());
  fs::path path = text;
  return (path.is_absolute() ? path : spec.base / path).lexically_normal();
}

bool is_float(StoredType type) {
  return type == StoredType::float16 || type == StoredType::float32 || type == StoredType::float64;
}

/// Whether the pipeline made of counts values that whole numbers are no steps for, such as
/// z-scores.
bool became_plain(const Channel& channel, const StreamInfo& stream, const RecordingInfo& source) {
  const bool plain =
      channel.gain == 1 && channel.unit.empty() && stream.type == SampleType::float32;
  return plain && std::any_of(source.channels.begin(), source.channels.end(), [&](const auto& c) {
           return c.source_index == channel.source_index && (c.gain != 1 || !c.unit.empty());
         });
}

/// int16 output: the output's gain of each channel and the factor from counts to it.
void plan_int16(const Write& write, const StreamInfo& stream, const RecordingInfo& source,
                PlannedOutput& output) {
  if (!write.gain && is_float(source.stored)) {
    throw Error(ErrorCode::invalid_spec, fmt::format("gain: the input is stored as {}, so int16 "
                                                     "output needs a gain (physical units a count)",
                                                     name(source.stored)));
  }
  if (write.gain && !(*write.gain > 0)) {
    throw Error(ErrorCode::invalid_spec, fmt::format("gain: {} is not positive", *write.gain));
  }
  for (std::size_t c = 0; c < stream.channels.size(); ++c) {
    const Channel& channel = stream.channels[c];
    if (!write.gain && became_plain(channel, stream, source)) {
      throw Error(
          ErrorCode::invalid_spec,
          fmt::format("gain: channel \"{}\" has plain values (no unit, gain 1), which int16 "
                      "output would round to whole numbers: give a gain (values a count)",
                      channel.name));
    }
    const double gain = write.gain.value_or(channel.gain);
    output.gain[c] = static_cast<float>(channel.gain / gain);
    output.recording.stream.channels[c].gain = gain;
  }
}

void plan_float32(const StreamInfo& stream, PlannedOutput& output) {
  output.recording.stream.type = SampleType::float32;
  for (std::size_t c = 0; c < stream.channels.size(); ++c) {
    output.gain[c] = static_cast<float>(stream.channels[c].gain);
    output.offset[c] = static_cast<float>(stream.channels[c].offset);
    output.recording.stream.channels[c].gain = 1;
    output.recording.stream.channels[c].offset = 0;
  }
}

/// Counts of 16 bits without a sign as int16: 32768 less each, the offsets 32768 gains more.
void plan_signed(PlannedOutput& output) {
  output.shift = -0x1p15F;
  output.recording.stream.type = SampleType::int16;
  for (Channel& channel : output.recording.stream.channels) {
    channel.offset += 0x1p15 * channel.gain;
  }
}

/// The whole numbers of the input as they are, or its floats as physical values.
/// Errors: `invalid_spec` where a step stands between the input and the output.
void plan_stored(InputPlan& plan, PlannedOutput& output) {
  const StreamInfo& stream = plan.graph.stream(output.from);
  const StoredType stored = plan.input.source->info().stored;
  if (output.from != kReader) {
    throw Error(ErrorCode::invalid_spec,
                fmt::format("dtype: \"stored\" is what the input holds, but node {} makes other "
                            "samples: choose float32 or int16",
                            plan.graph.node(output.from).name));
  }
  const bool whole = stream.type == SampleType::int16 || !formats::fits_int16(stored);
  if (!is_float(stored) && !whole) {
    plan.input.warnings.push_back(fmt::format(
        "{}: its {} counts become physical values (float32), as they are no whole numbers of one "
        "gain: segments of different gains, or gaps filled with a value between two counts",
        plan.input.name, name(stored)));
  }
  if (is_float(stored) || !whole) {
    plan_float32(stream, output);
    return;
  }
  if (stored == StoredType::uint16) {
    plan_signed(output);
    return;
  }
  output.recording.stream.type =
      stream.type == SampleType::int16 ? SampleType::int16 : SampleType::int32;
  output.recording.count_bits = stored == StoredType::int24 ? 24 : 0;
}

void keep_channels(const std::vector<std::int64_t>& kept, StreamInfo& stream) {
  std::vector<Channel> channels;
  channels.reserve(kept.size());
  for (const std::int64_t c : kept) {
    channels.push_back(stream.channels[static_cast<std::size_t>(c)]);
  }
  stream.channels = std::move(channels);
}

/// How float32 counts become what is stored, by channel of the stream.
void plan_values(const Write& write, InputPlan& plan, PlannedOutput& output) {
  const StreamInfo& stream = plan.graph.stream(output.from);
  // One pad more than the channels need: conversions of some last channels read whole vectors.
  const auto padded =
      static_cast<std::size_t>(padded_channels(stream.channel_count()) + kLanePadding);
  output.gain.assign(padded, 1.0F);
  output.offset.assign(padded, 0.0F);
  auto& recording = output.recording;
  recording.stream = stream;
  if (write.dtype == WriteType::int16) {
    recording.stream.type = SampleType::int16;
    plan_int16(write, stream, plan.input.source->info(), output);
  } else if (write.dtype == WriteType::stored) {
    plan_stored(plan, output);
  } else {
    plan_float32(stream, output);
  }
}

void plan_signal(const Write& write, InputPlan& plan, PlannedOutput& output) {
  const StreamInfo& stream = plan.graph.stream(output.from);
  auto& recording = output.recording;
  recording.path = output.path;
  recording.start_time = plan.input.source->info().start_time;
  recording.zarr_chunk_s = write.zarr_chunk_s;
  recording.zarr_shard_s = write.zarr_shard_s;
  recording.codec = write.codec;
  recording.level = static_cast<int>(write.level);
  plan_values(write, plan, output);
  output.channels = select_channels(write.channels, stream.channels, "the stream");
  keep_channels(output.channels, recording.stream);
}

void check_snippets(const Write& write, const InputPlan& plan, const PlannedOutput& output) {
  if (!ends_with_ignoring_case(output.path.string(), ".npy") ||
      (!write.format.empty() && write.format != "npy")) {
    throw Error(ErrorCode::invalid_spec,
                fmt::format("path: {} is to hold snippets, which are written as .npy (with their "
                            "events in .npy.csv)",
                            output.path.string()));
  }
  if (!(write.channels == Value("all"))) {
    throw Error(ErrorCode::invalid_spec,
                "channels: snippets are written whole; the snippets node chooses their channels");
  }
  const auto& channels = plan.graph.stream(output.from).channels;
  const auto& stored = plan.input.source->info().channels;
  const auto has_gain = [](const Channel& channel) { return channel.gain != 1; };
  if (write.dtype == WriteType::int16 && !write.gain &&
      std::none_of(channels.begin(), channels.end(), has_gain) &&
      std::any_of(stored.begin(), stored.end(), has_gain)) {
    throw Error(ErrorCode::invalid_spec,
                "gain: channels of unequal gains stand in one column, so int16 output needs a "
                "gain (physical units a count)");
  }
}

void plan_snippets(const Write& write, InputPlan& plan, PlannedOutput& output) {
  check_snippets(write, plan, output);
  plan_values(write, plan, output);
  const op::Port& port = plan.graph.node(output.from).step->ports().front();
  const EventsLink& link = *plan.graph.node(output.from).events;
  auto& snippet = output.snippet;
  snippet.path = output.path;
  snippet.stream = output.recording.stream;
  snippet.frames = port.snippet_frames;
  snippet.before_frames = port.snippet_before_frames;
  snippet.table.stream = port.stream;
  snippet.table.stream.channels =
      link.known ? link.known->channels : plan.graph.stream(link.node).channels;
}

/// The event streams that go into the file with the samples.
/// Errors: `invalid_spec` "events: …" where they cannot; as `FormatList::open_events`.
void take_events(const Write& write, const Spec& spec, const Catalog& catalog,
                 const InputPlan& plan, PlannedOutput& output) {
  if (write.events.empty()) {
    return;
  }
  if (!output.format->holds_annotations) {
    throw Error(ErrorCode::invalid_spec,
                fmt::format("events: {} files hold none; weir convert writes them beside",
                            output.format->name));
  }
  if (plan.input.paths.size() != 1) {
    throw Error(ErrorCode::invalid_spec,
                fmt::format("events: {} files make this input; those of one can go with it",
                            plan.input.paths.size()));
  }
  const auto reader = std::find_if(spec.nodes.begin(), spec.nodes.end(),
                                   [](const Node& node) { return node.op == "read"; });
  std::vector<Problem> told;  // By the reader.
  const Read read = read_schema().read(reader->params, reader->id, op::node_keys(), told);
  auto& all = output.recording.annotations;
  for (const auto& name : write.events) {
    const auto source = catalog.formats.open_events(plan.input.paths.front(),
                                                    {.stream = name, .raw = read.raw}, read.format);
    auto some = formats::annotations_of(*source);
    all.insert(all.end(), some.begin(), some.end());
  }
  std::stable_sort(all.begin(), all.end(),
                   [](const auto& a, const auto& b) { return a.onset_s < b.onset_s; });
}

PlannedOutput plan_output(const Node& node, const Write& write, const Spec& spec,
                          const Catalog& catalog, const PlanOptions& options, InputPlan& plan,
                          std::int64_t from) {
  PlannedOutput output;
  output.node = node.id;
  output.from = from;
  output.events = plan.graph.emits_events(from);
  output.snippets = plan.graph.kind(from) == op::PortKind::snippets;
  output.path = output_path(write, node, spec, plan.input);
  const bool overwrite = options.overwrite || write.overwrite;
  if (output.snippets) {
    output.snippet.overwrite = overwrite;
    plan_snippets(write, plan, output);
    output.format = catalog.formats.find("npy");
    WEIR_CHECK(output.format != nullptr);
    return output;
  }
  output.format = output.events ? &catalog.formats.for_events(output.path, write.format)
                                : &catalog.formats.for_recording(output.path, write.format);
  if (output.events) {
    output.table.path = output.path;
    output.table.table.stream = plan.graph.stream(from);
    output.channels =
        select_channels(write.channels, output.table.table.stream.channels, "the stream");
    keep_channels(output.channels, output.table.table.stream);
    output.table.overwrite = overwrite;
  } else {
    output.recording.overwrite = overwrite;
    plan_signal(write, plan, output);
    take_events(write, spec, catalog, plan, output);
  }
  return output;
}

/// An event table that becomes another.
PlannedOutput plan_table(const Node& node, const Write& write, const Spec& spec,
                         const Catalog& catalog, const InputPlan& plan,
                         std::shared_ptr<const formats::EventSource> source) {
  PlannedOutput output;
  output.node = node.id;
  output.events = true;
  output.path = output_path(write, node, spec, plan.input);
  output.format = &catalog.formats.for_events(output.path, write.format);
  output.table.path = output.path;
  output.table.table = source->info().table;
  output.channels =
      select_channels(write.channels, output.table.table.stream.channels, "the table");
  keep_channels(output.channels, output.table.table.stream);
  output.source = std::move(source);
  return output;
}

/// Samples travel as float32. Those written as they are stored are counted where they do not fit;
/// for any other output of such an input the type is what can be told beforehand.
void warn_of_long_counts(const PlannedOutput& output, InputPlan& plan) {
  const StoredType stored = plan.input.source->info().stored;
  const bool is_long = stored == StoredType::int32 || stored == StoredType::uint32 ||
                       stored == StoredType::int64 || stored == StoredType::uint64;
  const bool counted =
      !output.events && !output.snippets && output.recording.stream.type == SampleType::int32;
  if (!is_long || counted) {
    return;
  }
  auto text = fmt::format(
      "{}: its {} samples travel as float32, exact to 24 bits: longer counts are rounded",
      plan.input.name, name(stored));
  auto& warnings = plan.input.warnings;
  if (std::find(warnings.begin(), warnings.end(), text) == warnings.end()) {
    warnings.push_back(std::move(text));
  }
}

const Edge* edge_into(const Spec& spec, const std::string& id) {
  const auto found =
      std::find_if(spec.edges.begin(), spec.edges.end(), [&](const Edge& e) { return e.to == id; });
  return found == spec.edges.end() ? nullptr : &*found;
}
}  // namespace

void build_outputs(const Spec& spec, const Catalog& catalog, const PlanOptions& options,
                   const OutputOrigins& origins, InputPlan& plan, std::vector<Problem>& problems) {
  for (const auto& node : spec.nodes) {
    const Edge* edge = node.op == "write" ? edge_into(spec, node.id) : nullptr;
    if (edge == nullptr) {
      continue;
    }
    const auto from = origins.nodes.find(edge->from);
    const auto table = origins.sources.find(edge->from);
    if (from == origins.nodes.end() && table == origins.sources.end()) {
      continue;  // Below a node that is a problem already.
    }
    const Write write = write_schema().read(node.params, node.id, op::node_keys(), problems);
    try {
      if (table != origins.sources.end()) {
        plan.outputs.push_back(plan_table(node, write, spec, catalog, plan, table->second));
        plan.outputs.back().table.overwrite = options.overwrite || write.overwrite;
        continue;
      }
      plan.outputs.push_back(plan_output(node, write, spec, catalog, options, plan, from->second));
      warn_of_long_counts(plan.outputs.back(), plan);
    } catch (const Error& error) {
      problems.push_back({node.id, "", error.text(), error.code()});
    }
  }
}

}  // namespace weir::pipeline
