#include <algorithm>

#include "weir/signal/kept_rows.h"
#include "weir/signal/ops/snippets/snippets_cl.h"
#include "weir/signal/ops/snippets/snippets_internal.h"

namespace weir::signal {
namespace {
/// At least one entry: a device has no buffer of nothing.
std::vector<std::int32_t> table_of(const SnippetPlan& plan, std::int64_t width) {
  std::vector<std::int32_t> table;
  for (const auto& picks : plan.picks) {
    table.insert(table.end(), picks.begin(), picks.end());
    table.resize(table.size() + static_cast<std::size_t>(width) - picks.size(), -1);
  }
  table.resize(std::max<std::size_t>(1, table.size()), -1);
  return table;
}

std::vector<float> gains_of(const SnippetPlan& plan) {
  return plan.gain.empty() ? std::vector<float>{1} : plan.gain;
}

/// Which events are due is told on the host, as on the CPU; the rows stay on the device, and only
/// snippets leave it.
class SnippetsOnDevice final : public op::DeviceStep {
 public:
  SnippetsOnDevice(const op::DevicePlace& place, const op::StartPoint& at, const SnippetPlan& plan,
                   std::int64_t frames, const op::Port& port)
      : queue_(place.queue),
        cut_(place.device.kernel(kernels::kSnippets, "snippet_rows")),
        plan_(plan),
        channels_(at.channel_count),
        width_(port.stream.channel_count()),
        at_once_(op::snippets_at_once(port)),
        begun_(at.first_frame),
        fed_(at.first_frame),
        due_(plan, frames),
        past_(place, std::max<std::int64_t>(1, plan.window.rows_behind()), at.channel_count),
        picks_(place.device.allocate(place.queue, table_of(plan, width_))),
        gain_(place.device.allocate(place.queue, gains_of(plan))),
        anchors_(
            place.device.allocate(static_cast<std::size_t>(2 * at_once_) * sizeof(std::int64_t))),
        rows_(place.device.allocate(op::snippet_room_bytes(port))),
        host_(place.device.allocate_host(op::snippet_room_bytes(port))),
        one_(SampleType::float32, length(), width_) {}

  void hear(std::span<const Event> events) override { due_.hear(events); }

  void run(const op::DeviceBlock& in, std::span<op::DeviceEmission> out) override {
    emit(in, fed_ + in.frames, *out[0].snippets);
    past_.keep(in, fed_);
    fed_ += in.frames;
  }
  bool finish(std::span<op::DeviceEmission> out) override {
    due_.end_at(fed_);
    emit(past_.instead_of_block(), fed_, *out[0].snippets);
    return true;
  }

  void hand_over(op::State& to) const override {
    auto& state = static_cast<SnippetState&>(to);
    state.queue = due_;
    past_.hand_over(state.past.all());
    state.past.stands_at(begun_, fed_);
  }
  void take_over(const op::State& from) override {
    const auto& state = static_cast<const SnippetState&>(from);
    due_ = state.queue;
    begun_ = state.past.first();
    fed_ = state.past.next();
    past_.take_over(state.past.all());
  }

 private:
  std::int64_t length() const noexcept { return plan_.window.frames(); }

  void emit(const op::DeviceBlock& in, std::int64_t known, op::SnippetReceiver& to) {
    while (due_.due(known) != nullptr) {
      EventList events;
      for (const Event* event = due_.due(known); event != nullptr; event = due_.due(known)) {
        if (std::ssize(events) == at_once_) {
          break;
        }
        events.push_back(*event);
        due_.pop();
      }
      cut(in, events);
      hand_on(events, to);
    }
  }

  void cut(const op::DeviceBlock& in, const EventList& events) {
    std::vector<std::int64_t> anchors;
    for (const Event& event : events) {
      anchors.insert(anchors.end(), {due_.first_row(event), std::int64_t{event.channel}});
    }
    queue_.upload(anchors_, anchors);
    const std::int64_t rows = std::ssize(events) * length();
    queue_.launch(
        cut_, compute::over_rows(width_, rows),
        {in.buffer, in.first, in.stride, past_.buffer(), anchors_, picks_, gain_, rows_, rows,
         length(), static_cast<std::int32_t>(width_), std::int32_t{plan_.picks.empty() ? 1 : 0},
         static_cast<std::int32_t>(channels_), past_.rows(), begun_, due_.frames(), fed_});
  }

  /// Rows come without padding, which is most of a snippet of few channels.
  void hand_on(const EventList& events, op::SnippetReceiver& to) {
    const std::int64_t values = std::ssize(events) * length() * width_;
    queue_.start_download(rows_, 0, host_, 0, static_cast<std::size_t>(values) * sizeof(float));
    queue_.finish();
    const float* from = host_.as<float>().data();
    const Block<float> one = one_.as<float>();
    for (const Event& event : events) {
      for (std::int64_t frame = 0; frame < length(); ++frame, from += width_) {
        std::copy_n(from, width_, one.row(frame));
      }
      to.snippet(event, one);
    }
  }

  compute::Queue& queue_;
  compute::Kernel cut_;
  const SnippetPlan& plan_;  ///< The step's.
  std::int64_t channels_;
  std::int64_t width_;
  std::int64_t at_once_;
  std::int64_t begun_;
  std::int64_t fed_;
  SnippetQueue due_;
  KeptRows past_;
  compute::Buffer picks_;
  compute::Buffer gain_;
  compute::Buffer anchors_;
  compute::Buffer rows_;
  compute::HostMemory host_;
  Buffer one_;
};
}  // namespace

std::unique_ptr<op::DeviceStep> snippets_on(const op::DevicePlace& place, const op::StartPoint& at,
                                            const SnippetPlan& plan, std::int64_t frames,
                                            const op::Port& port) {
  return std::make_unique<SnippetsOnDevice>(place, at, plan, frames, port);
}

std::size_t snippets_device_bytes(const SnippetPlan& plan, std::int64_t channels,
                                  const op::Port& port) noexcept {
  const std::size_t picks =
      plan.picks.size() * static_cast<std::size_t>(port.stream.channel_count());
  return KeptRows::bytes_for(std::max<std::int64_t>(1, plan.window.rows_behind()), channels) +
         std::max<std::size_t>(1, picks) * sizeof(std::int32_t) +
         std::max<std::size_t>(1, plan.gain.size()) * sizeof(float) +
         static_cast<std::size_t>(2 * op::snippets_at_once(port)) * sizeof(std::int64_t) +
         op::snippet_room_bytes(port);
}

}  // namespace weir::signal
