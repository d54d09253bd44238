#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "weir/core/block.h"
#include "weir/core/event.h"
#include "weir/core/stream.h"
#include "weir/core/value.h"
#include "weir/op/bytes.h"

namespace weir::compute {
struct Target;
}

namespace weir::op {

class DeviceStep;
struct DevicePlace;

enum class PortKind {
  signal,
  events,
  snippets  ///< Stretches of one length around events, each with its event.
};

/// One output of a step.
struct Port {
  std::string name;
  PortKind kind = PortKind::signal;
  /// What it carries; for events, the stream whose samples they count; for snippets, the channels
  /// of a snippet, at their rate, and the segments that they are cut from.
  StreamInfo stream;
  /// Output frames per input frame. 0 where rows are not frames of time: they come when the segment
  /// has ended, as many as `stream.segments` says.
  Rational ratio{1};
  Rational delay_frames{
      0};  ///< Group delay the step adds to event times, in output frames (0: aligned).
  /// Of steps parallel over channels: output channels for each of the input, side by side.
  std::int64_t spread = 1;
  std::int64_t snippet_frames = 0;         ///< Frames of a snippet.
  std::int64_t snippet_before_frames = 0;  ///< Of those, before what it is aligned to.
};

/// How the work of one step may be spread over threads without changing a bit.
enum class Parallel {
  none,
  channels,  ///< Channels are independent: a State may serve any group of neighbouring channels.
  frames     ///< Rows are independent and there is no state: any stretch of frames may run at any
             ///< time.
};

/// Input frames a step holds back to be exact.
struct Latency {
  std::int64_t at_start = 0;
  std::int64_t steady = 0;
};

enum class Fit { none, sample, whole };

/// What comes into a step beside its signal: events that another node finds or that are known
/// beforehand. They come in samples of the step's own input, whatever they were found in: the
/// nearest on the recording's clock.
struct EventsInput {
  StreamInfo stream;  ///< What they were found in: `Event::channel` counts its channels.
  /// An event is there when the step is given the frame that stands so much behind its final
  /// sample, and never earlier.
  std::int64_t lag_frames = 0;
  /// How far whoever finds them looks past an event before it is final, beside the event's length.
  std::int64_t wait_frames = 0;
  /// All of them, by segment, in the order of rows, where they are known beforehand; else null.
  std::shared_ptr<const std::vector<EventList>> known = nullptr;
};

/// What the planner tells an operator about the place its step will stand in.
struct StepContext {
  StreamInfo in;
  /// For operators that take events, when some are given.
  std::optional<EventsInput> events = std::nullopt;
  /// A step that would hold more than this many bytes of state keeps them in a temporary file
  /// instead.
  std::size_t memory_bytes = std::size_t{1} << 30;
  std::filesystem::path temporary_folder;
};

/// Where a State begins.
struct StartPoint {
  std::int64_t segment = 0;  ///< Index into `in.segments`.
  std::int64_t first_frame =
      0;  ///< First input frame it will see: 0, or a multiple of `grid_frames()`.
  std::int64_t first_channel =
      0;  ///< First channel of the group it serves (a multiple of `kLanePadding`).
  std::int64_t channel_count = 0;  ///< Channels of the group.
};

/// A count worth telling the user: "clipped samples", "events cut by max_blank_s".
struct Counter {
  std::string what;
  std::int64_t count = 0;
};

/// What changes while a step runs. Belongs to one segment and one group of channels.
class State {
 public:
  virtual ~State() = default;
  virtual std::vector<Counter> counters() const { return {}; }
};

/// Takes snippets as they become complete, in the order of their events.
class SnippetReceiver {
 public:
  virtual ~SnippetReceiver() = default;
  /// Shape: `rows` is [snippet frames, channels]. Lives: until the call returns.
  virtual void snippet(const Event& event, AnyBlock rows) = 0;
};

/// Where a step puts what has become final, one per port.
struct Emission {
  AnyBlock room;  ///< Signal ports: rows to fill from the first; at least `max_output(frames in)`
                  ///< of them.
  std::int64_t frames = 0;              ///< How many were filled.
  EventList* events = nullptr;          ///< Event ports: append here.
  SnippetReceiver* snippets = nullptr;  ///< Snippet ports: call this.
};

/// Learns a step's fitted values from stretches of its own input, before the run.
class Fitter {
 public:
  virtual ~Fitter() = default;
  /// Shape: [frames, channels of the stream]. Stretches come in order and may be cut anywhere.
  virtual void add(AnyBlock block) = 0;
  /// Parts of the work behind the last `add` that do not need each other.
  virtual std::int64_t tasks() const noexcept { return 0; }
  /// Does part `task`, each once. Threads: several may run at once.
  virtual void run_task(std::int64_t task) { static_cast<void>(task); }
  /// The fitted values, as they stand in the provenance; every task has run.
  virtual Value finish() = 0;
};

/// Every task on this thread, then `finish`.
inline Value finish_alone(Fitter& fitter) {
  for (std::int64_t task = 0; task < fitter.tasks(); ++task) {
    fitter.run_task(task);
  }
  return fitter.finish();
}

/// One node of a plan: an operator bound to its parameters and its input stream. Immutable.
///
/// Every stream it sees is in the form its operator asked for (`InputForm`), so zero counts mean
/// zero physical units unless it said otherwise. Blocks come in order, cut anywhere at multiples of
/// `grid_frames()` counted from the segment's first frame (the segment's last block may be
/// shorter), and no output bit may depend on the cuts. Denormals are flushed to zero in every call.
class Step {
 public:
  virtual ~Step() = default;

  virtual const std::vector<Port>& ports() const noexcept = 0;
  virtual Parallel parallel() const noexcept = 0;
  virtual Latency latency() const noexcept { return {}; }
  /// Input frames after which a fresh State agrees with one that saw the whole past, within
  /// `tolerance()`.
  virtual std::int64_t settle_frames() const noexcept { return latency().at_start; }
  virtual std::int64_t grid_frames() const noexcept { return 1; }
  /// Frames one `run` of `frames` input frames can emit at most; also bounds one call of `finish`.
  virtual std::int64_t max_output(std::int64_t frames) const noexcept { return frames; }

  /// Bytes a State for this many channels owns; claimed in planning, checked by the conformance
  /// suite.
  virtual std::size_t state_bytes(std::int64_t channels) const noexcept {
    static_cast<void>(channels);
    return 0;
  }
  virtual std::size_t temporary_bytes() const noexcept { return 0; }

  virtual std::unique_ptr<State> start(const StartPoint& at) const = 0;
  /// Whether `hear` is to be called: false too where events known beforehand were all in planning.
  virtual bool hears() const noexcept { return false; }
  /// What of the events input has become certain, in the order of rows, right before the `run` or
  /// `finish` that it belongs to. A step that hears works across channels without a grid.
  virtual void hear(State& state, std::span<const Event> events) const {
    static_cast<void>(state), static_cast<void>(events);
  }
  /// Consume `in`, emit what is final. Total: what can fail was refused in planning (except
  /// temporary files: `io`).
  virtual void run(State& state, AnyBlock in, std::span<Emission> out) const = 0;
  /// End of the segment: emit the held-back tail. Called until it returns true.
  virtual bool finish(State& state, std::span<Emission> out) const {
    static_cast<void>(state), static_cast<void>(out);
    return true;
  }

  virtual void save(const State& state, ByteWriter& to) const {
    static_cast<void>(state), static_cast<void>(to);
  }
  virtual void load(State& state, ByteReader& from) const {
    static_cast<void>(state), static_cast<void>(from);
  }

  /// Whether `device` gives something there, as far as planning can know: a target without float64
  /// has no room for a float64 state.
  virtual bool runs_on(const compute::Target& target) const noexcept {
    static_cast<void>(target);
    return false;
  }
  /// The same step with its state on a device (op/device_step.h). Null: it stays on the CPU.
  virtual std::unique_ptr<DeviceStep> device(const DevicePlace& place, const StartPoint& at) const;
  /// Bytes of device memory it then owns for this many channels and blocks of at most `frames`
  /// frames; claimed in planning, checked by the conformance suite.
  virtual std::size_t device_bytes(std::int64_t channels, std::int64_t frames) const noexcept {
    static_cast<void>(channels), static_cast<void>(frames);
    return 0;
  }
  /// Events that one `run` of `frames` frames of this many channels, or one call of `finish`, can
  /// emit at most on an event port: the room a device keeps for them.
  virtual std::int64_t max_events(std::int64_t channels, std::int64_t frames) const noexcept {
    static_cast<void>(channels), static_cast<void>(frames);
    return 0;
  }

  virtual Fit fit() const noexcept { return Fit::none; }
  virtual std::unique_ptr<Fitter> fitter() const { return nullptr; }
  /// Bytes of memory the fitter owns, until its `finish` has returned.
  virtual std::size_t fitter_bytes() const noexcept { return 0; }
  /// Bytes of memory one task of the fitter holds while it runs.
  virtual std::size_t fitter_task_bytes() const noexcept { return 0; }
  /// The step with its fitted values; `this` must have asked for a fit.
  virtual std::unique_ptr<Step> fitted(const Value& values) const {
    static_cast<void>(values);
    return nullptr;
  }

  /// Stated largest error against the float64 oracle, and between targets, relative to full scale.
  virtual double tolerance() const noexcept { return 1e-6; }
  /// What planning decided, one line each: "float32 delta form, predicted error 1.5e-07".
  virtual std::vector<std::string> decisions() const { return {}; }
  /// True when samples pass unchanged and only the description differs: the executor then runs
  /// nothing.
  virtual bool relabels_only() const noexcept { return false; }
};

/// How many channels the rows of a step's signal port have, from a State that serves a group of
/// `channels` channels.
std::int64_t output_channels(const Step& step, std::int64_t channels) noexcept;

}  // namespace weir::op
