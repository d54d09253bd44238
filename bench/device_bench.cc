// Times the device kernels of operators on blocks that lie in device memory, and the device's own
// copy in the same rounds: the share of the copy's bandwidth is what device memory allows of each.
// Every figure is the median of interleaved rounds. The first block of each is compared with the
// CPU's.
//
//   weir_device_bench TARGET [SCALE] [PART_OF_NAME] [ROUNDS]     384 channels x 60,000 x SCALE
//   frames
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "device_cases.h"
#include "weir/catalog/catalog.h"
#include "weir/core/error.h"
#include "weir/core/text.h"
#include "weir/op/device_convert.h"
#include "weir/op/run_step.h"
#include "weir/testing/bench_recording.h"
#include "weir/testing/samples.h"

namespace {
using namespace weir;  // NOLINT: a program, not a header
using bench::Case;
using bench::kChannels;

constexpr double kRateHz = 30'000;
/// Frames that repeat, and how many of the first and last of a run are compared.
constexpr std::int64_t kPiece = 60'000;
constexpr std::int64_t kChecked = 4096;

/// Contacts on two columns, as far apart as those of a Neuropixels probe.
StreamInfo probe_stream(std::int64_t frames, SampleType type) {
  StreamInfo stream = testing::make_stream(kRateHz, kChannels, frames, type);
  for (std::size_t c = 0; c < stream.channels.size(); ++c) {
    const std::size_t row = c / 2;
    stream.channels[c].position = {c % 2 == 0 ? 0.0 : 32.0, 20.0 * static_cast<double>(row), 0.0};
  }
  return stream;
}

/// Takes snippets and throws them away.
struct Nowhere final : op::SnippetReceiver {
  void snippet(const Event&, AnyBlock) override {}
};

struct Work {
  std::string name;
  double bytes = 0;             ///< Read and written by one call.
  std::optional<double> error;  ///< Against the CPU, relative to full scale, where it is compared.
  std::function<void()> call;
  std::vector<double> seconds = {};
};

double median(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

class Bench {
 public:
  Bench(compute::Device& device, std::int64_t frames)
      : device_(device), queue_(device.make_queue()), frames_(frames) {
    counts_ = upload(SampleType::int16);
    floats_ = upload(SampleType::float32);
    room_ = blank(SampleType::float32, frames + 8192);
    integers_ = blank(SampleType::int16, frames);
  }

  Work copy() {
    const std::size_t bytes = floats_.buffer.bytes();
    return {"copy", 2.0 * static_cast<double>(bytes), std::nullopt,
            [this, bytes] { queue_->copy(floats_.buffer, 0, room_.buffer, 0, bytes); }};
  }

  Work step(const Case& from) {
    const op::Operator* op = catalog::operators().find(from.op);
    op::StepContext context;
    context.in = probe_stream(frames_ * 1000, from.type);
    context.in.type = op->input_form(from.params, context.in).type;
    if (op->takes_events() == op::TakesEvents::always) {
      context.events = op::EventsInput{context.in};
    }
    auto planned = std::shared_ptr<const op::Step>(op->plan(from.params, context));
    const op::StartPoint at{0, 0, 0, kChannels};
    const op::DevicePlace place{device_, *queue_, frames_};
    auto on_device = std::shared_ptr<op::DeviceStep>(planned->device(place, at));
    if (!on_device) {
      throw Error(ErrorCode::unsupported, from.name + " has no device kernel");
    }
    const op::DeviceBlock in = context.in.type == SampleType::int16 ? counts_ : floats_;
    if (planned->hears()) {
      return hearing(from.name, planned, on_device, in);
    }
    const bool events = planned->ports().front().kind == op::PortKind::events;
    op::DeviceEmission out{room_, 0, {}};
    const bool as_wide = planned->ports().front().stream.channel_count() == kChannels;
    if (!events && !as_wide) {
      out.room = wide_room(*planned);
    }
    if (events) {
      const std::int64_t capacity = planned->max_events(kChannels, frames_);
      out.events = {device_.allocate(op::DeviceEvents::bytes_for(capacity)), capacity};
    }
    Work work{from.name, 0, std::nullopt, nullptr};
    on_device->run(in, {&out, 1});
    queue_->finish();
    // Spectra are compared by tests: their rows are few or wide.
    if (!events && as_wide && out.frames > 0) {
      work.error =
          std::max(error_of(*planned, in.type, 0), error_of(*planned, in.type, out.frames));
    }
    const double samples = static_cast<double>(frames_) * kChannels;
    work.bytes = samples * static_cast<double>(size_of(in.type)) +
                 (events ? 0 : static_cast<double>(out.frames * out.room.stride) * sizeof(float));
    work.call = [planned, on_device, in, out]() mutable { on_device->run(in, {&out, 1}); };
    return work;
  }

  /// Ten events a ms; snippets go to the host in the time that is measured.
  Work hearing(const std::string& name, const std::shared_ptr<const op::Step>& planned,
               const std::shared_ptr<op::DeviceStep>& on_device, const op::DeviceBlock& in) {
    const op::Port& port = planned->ports().front();
    const std::int64_t count = frames_ / 3;
    const double samples =
        static_cast<double>(count * port.snippet_frames * port.stream.channel_count());
    Work work{name, 2 * samples * sizeof(float), std::nullopt, nullptr};
    auto events = std::make_shared<EventList>();
    for (std::int64_t i = 0; i < count; ++i) {
      events->push_back({.onset = 3 * i, .offset = 3 * i, .peak = 3 * i, .final = 3 * i});
    }
    work.call = [this, planned, on_device, in, events] {
      op::DeviceEmission out;
      out.snippets = &nowhere_;
      on_device->hear(*events);
      on_device->run(in, {&out, 1});
      for (Event& event : *events) {
        event.onset = event.peak = event.offset = event.final = event.onset + frames_;
      }
    };
    return work;
  }

  std::vector<Work> conversions() {
    const op::DevicePlace place{device_, *queue_, frames_};
    auto convert = std::make_shared<op::DeviceConvert>(place);
    const auto ones = device_.allocate(*queue_, std::vector<float>(kChannels, 1.0F));
    const auto clipped = device_.allocate(*queue_, std::vector<std::int32_t>(kChannels, 0));
    const double bytes = 6.0 * static_cast<double>(frames_) * kChannels;
    op::DeviceBlock room = room_;
    room.frames = frames_;
    return {{"int16 to float32", bytes, std::nullopt,
             [this, convert, ones, room] { convert->shift(counts_, ones, room); }},
            {"float32 to int16", bytes, std::nullopt, [this, convert, ones, clipped] {
               convert->to_int16(floats_, ones, clipped, integers_);
             }}};
  }

  /// Seconds of one call, of so many that the start of the first does not count.
  double seconds(const std::function<void()>& call, double about) {
    const int calls = std::clamp(static_cast<int>(4e-3 / about), 1, 100);
    queue_->finish();
    const auto start = std::chrono::steady_clock::now();
    for (int i = 0; i < calls; ++i) {
      call();
    }
    queue_->finish();
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count() / calls;
  }

 private:
  op::DeviceBlock blank(SampleType type, std::int64_t frames) {
    op::DeviceBlock block;
    block.type = type;
    block.frames = frames;
    block.channels = kChannels;
    block.stride = kChannels;
    block.buffer = device_.allocate(static_cast<std::size_t>(frames * kChannels) * size_of(type));
    return block;
  }

  /// For a step that makes several columns of a channel, or other ones.
  op::DeviceBlock wide_room(const op::Step& step) {
    op::DeviceBlock block;
    block.type = step.ports().front().stream.type;
    block.frames = step.max_output(frames_);
    block.channels = block.stride = step.ports().front().stream.channel_count();
    block.buffer = device_.allocate(static_cast<std::size_t>(block.frames * block.stride) *
                                    size_of(block.type));
    return block;
  }

  op::DeviceBlock upload(SampleType type) {
    op::DeviceBlock block = blank(type, frames_);
    const Buffer piece = testing::bench_recording(type, kPiece);
    const std::size_t row = kChannels * size_of(type);
    std::vector<std::byte> packed(static_cast<std::size_t>(kPiece) * row);
    for (std::int64_t f = 0; f < kPiece; ++f) {
      std::memcpy(packed.data() + static_cast<std::size_t>(f) * row,
                  piece.block().slice(f, 1).data(), row);
    }
    for (std::int64_t f = 0; f < frames_; f += kPiece) {
      const auto rows = static_cast<std::size_t>(std::min(kPiece, frames_ - f));
      queue_->upload(block.buffer, static_cast<std::size_t>(f) * row,
                     std::span(packed).first(rows * row));
    }
    return block;
  }

  /// Of the first rows in the room, or of late ones where it has `made`: the last that the CPU
  /// makes of the recording's last piece, which are the device's last but for what either holds
  /// back.
  double error_of(const op::Step& step, SampleType type, std::int64_t made) {
    const Buffer piece = testing::bench_recording(type, kPiece);
    const std::int64_t fed = made == 0 ? std::min(kChecked, kPiece) : kPiece;
    op::StepRun run(step, {0, 0, 0, kChannels}, fed);
    double worst = 0;
    run.push(piece.block().slice(0, fed), [&](AnyBlock block, EventList&) {
      // The first rows of a piece still know its edge.
      const std::int64_t rows = std::min(kChecked, made == 0 ? block.frames() : block.frames() / 2);
      const double ratio = step.ports().front().ratio.to_double();
      const auto before = static_cast<std::int64_t>(static_cast<double>(frames_ - kPiece) * ratio);
      const std::int64_t from = made == 0 ? 0 : std::min(before + block.frames(), made) - rows;
      std::vector<float> got(static_cast<std::size_t>(rows * kChannels));
      queue_->download(room_.buffer, static_cast<std::size_t>(from * kChannels) * sizeof(float),
                       std::as_writable_bytes(std::span(got)));
      worst =
          relative_error(got, block.slice(made == 0 ? 0 : block.frames() - rows, rows).as<float>());
    });
    return worst;
  }

  static double relative_error(const std::vector<float>& got, Block<float> expected) {
    double error = 0;
    double scale = 0;
    for (std::int64_t f = 0; f < expected.frames(); ++f) {
      for (std::int64_t c = 0; c < kChannels; ++c) {
        const double is = got[static_cast<std::size_t>(f * kChannels + c)];
        scale = std::max(scale, std::abs(static_cast<double>(expected(f, c))));
        error = std::max(error, std::abs(is - static_cast<double>(expected(f, c))));
      }
    }
    return error / scale;
  }

  Nowhere nowhere_;
  compute::Device& device_;
  std::unique_ptr<compute::Queue> queue_;
  std::int64_t frames_;
  op::DeviceBlock counts_;
  op::DeviceBlock floats_;
  op::DeviceBlock room_;
  op::DeviceBlock integers_;
};

void run(const std::string& target, std::int64_t scale, std::string_view wanted, int rounds) {
  const auto device = compute::open_device(target);
  Bench bench(*device, 60'000 * scale);
  std::vector<Work> all{bench.copy()};
  for (auto& work : bench.conversions()) {
    all.push_back(std::move(work));
  }
  for (const Case& one : bench::device_cases()) {
    if (one.name.find(wanted) != std::string::npos) {
      all.push_back(bench.step(one));
    }
  }
  for (int round = -1; round < rounds; ++round) {
    for (Work& work : all) {
      const double taken =
          bench.seconds(work.call, work.seconds.empty() ? 1e-3 : work.seconds.back());
      work.seconds.push_back(taken);
      if (round == 0) {  // The first round warmed up.
        work.seconds.erase(work.seconds.begin());
      }
    }
  }
  const double copy = all.front().bytes / median(all.front().seconds);
  fmt::print("{}, {}: {} x {} frames; a copy reads and writes {:.2f} TB/s\n", device->target().name,
             device->target().device, kChannels, 60'000 * scale, copy * 1e-12);
  for (const Work& work : all) {
    const double taken = median(work.seconds);
    fmt::print("{:<28} {:10.1f} us {:6.1f} % of copy   {}\n", work.name, 1e6 * taken,
               100 * work.bytes / taken / copy,
               work.error ? fmt::format("error {:.1e}", *work.error) : "not compared");
  }
}
}  // namespace

int main(int count, char** words) {
  try {
    run(count > 1 ? words[1] : "cuda", count > 2 ? parse_integer(words[2]) : 1,
        count > 3 ? words[3] : "", count > 4 ? static_cast<int>(parse_integer(words[4])) : 7);
  } catch (const Error& error) {
    fmt::print(stderr, "{}\n", error.what());
    return 5;
  }
}
