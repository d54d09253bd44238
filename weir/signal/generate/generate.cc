#include "weir/signal/generate/generate.h"

#include <fmt/format.h>

#include <iterator>

#include "weir/core/text.h"
#include "weir/signal/generate/generators_internal.h"

namespace weir::signal {

const std::vector<Generator>& generators() {
  static const std::vector<Generator> kAll{neuropixels_generator(), ecg_generator(),
                                           digitiser_generator(), sine_generator(),
                                           noise_generator()};
  return kAll;
}

const Generator& generator(std::string_view name) {
  std::vector<std::string> names;
  for (const auto& candidate : generators()) {
    if (candidate.name == name) {
      return candidate;
    }
    names.push_back(candidate.name);
  }
  const auto nearest = nearest_word(name, names);
  throw Error(ErrorCode::not_found,
              fmt::format("no generator \"{}\"{}; known: {}", name,
                          nearest ? fmt::format(", did you mean \"{}\"?", *nearest) : "",
                          fmt::join(names, ", ")));
}

void write_truth(const std::filesystem::path& path, std::span<const TruthEvent> events) {
  std::string text = "unit,channel,sample,snr,height\n";
  for (const auto& event : events) {
    fmt::format_to(std::back_inserter(text), "{},{},{},{:.3f},{:.6g}\n", event.unit, event.channel,
                   event.sample, event.snr, event.height);
  }
  write_text_file(path.string(), text);
}

StreamInfo synthetic_stream(double duration_s, double rate_hz, std::vector<Channel> channels) {
  StreamInfo stream;
  stream.rate = SampleRate::from_hz(rate_hz);
  stream.channels = std::move(channels);
  stream.type = SampleType::int16;
  stream.segments.resize(1);
  stream.segments.front().frames =
      in_context("duration_s", [&] { return stream.rate.nearest_frames(duration_s); });
  if (stream.segments.front().frames < 1) {
    throw Error(ErrorCode::invalid_spec,
                fmt::format("duration_s: {} s is less than one sample at {}", duration_s,
                            stream.rate.text()));
  }
  return stream;
}

}  // namespace weir::signal
