#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "weir/core/block.h"
#include "weir/core/stream.h"
#include "weir/op/schema.h"

namespace weir::signal {

/// One thing that truly happened.
struct TruthEvent {
  /// Which neuron; for beats 0 normal, 1 ectopic; for pulses the line, then Compton, background.
  std::int64_t unit = 0;
  std::int64_t channel = 0;  ///< Where it is largest.
  std::int64_t sample = 0;   ///< Of its extreme.
  double snr = 0;            ///< Its extreme there over the noise's standard deviation.
  double height = 0;         ///< Its extreme there, without its sign, in the channel's unit.

  friend bool operator==(const TruthEvent&, const TruthEvent&) = default;
};

/// A synthetic recording: every sample is a function of (parameters, frame, channel), so any
/// stretch can be made alone, in any order, on any thread, with the same bits. The samples use only
/// integer arithmetic and IEEE additions, multiplications and divisions, no function of the maths
/// library: they are equal on every machine.
class SyntheticRecording {
 public:
  virtual ~SyntheticRecording() = default;
  /// Rate, channels with gain and position, one segment; int16.
  const StreamInfo& stream() const noexcept { return stream_; }
  /// Frames from `first` on. Shape: [frames, all channels]; the caller keeps within the segment.
  virtual void fill(std::int64_t first, Block<std::int16_t> out) const = 0;
  /// Everything that happened, by sample, then unit; empty where nothing does.
  virtual std::vector<TruthEvent> truth() const { return {}; }

 protected:
  StreamInfo stream_;
};

/// One kind of synthetic recording that `weir generate` knows.
struct Generator {
  std::string name;
  std::string summary;
  std::vector<op::FieldInfo> fields;  ///< `duration_s`, `seed`, …
  /// Errors: `invalid_spec` naming each wrong field.
  std::function<std::unique_ptr<SyntheticRecording>(const Value& params)> make;
};

/// "neuropixels", "ecg", "digitiser", "sine", "noise".
const std::vector<Generator>& generators();
/// Errors: `not_found` naming the nearest and all names.
const Generator& generator(std::string_view name);

/// Writes `unit,channel,sample,snr,height` rows. Errors: `io`.
void write_truth(const std::filesystem::path& path, std::span<const TruthEvent> events);

}  // namespace weir::signal
