#include "weir/signal/polyphase_step.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "weir/signal/polyphase_cl.h"

namespace weir::signal {

std::span<const op::EnumName<Edge>> names_of(Edge) {
  static constexpr std::array<op::EnumName<Edge>, 6> kNames{{{"zero", Edge::zero},
                                                             {"odd", Edge::odd},
                                                             {"reflect", Edge::reflect},
                                                             {"nearest", Edge::nearest},
                                                             {"mirror", Edge::mirror},
                                                             {"constant", Edge::zero}}};
  return kNames;
}

std::span<const op::EnumName<SumMethod>> names_of(SumMethod) {
  static constexpr std::array<op::EnumName<SumMethod>, 3> kNames{
      {{"auto", SumMethod::automatic}, {"direct", SumMethod::direct}, {"fft", SumMethod::fft}}};
  return kNames;
}

void choose_sums(PolyphasePlan& plan, SumMethod method) {
  if (method == SumMethod::fft ||
      (method == SumMethod::automatic && plan.length >= kFewestForFft)) {
    plan.fast = plan_overlap_save(plan.taps, overlap_save_size(plan.length));
  }
}

std::string sums_text(const PolyphasePlan& plan) {
  return plan.grid() == 1
             ? fmt::format("direct sum in float32: {} multiply-adds a sample", plan.length)
             : fmt::format("float32 transforms of {} rows, blocks of {} frames on the CPU",
                           plan.fast.size, plan.grid());
}

PolyphaseStep::PolyphaseStep(PolyphasePlan plan, Edge edge, op::Port port)
    : plan_(std::move(plan)), edge_(edge) {
  ports_.push_back(std::move(port));
}

op::Latency PolyphaseStep::latency() const noexcept {
  const std::int64_t steady = plan_.after + plan_.grid() - 1;
  return {std::max(steady, frames_to_start(plan_, edge_) - 1), steady};
}

std::int64_t PolyphaseStep::max_output(std::int64_t frames) const noexcept {
  return most_outputs(plan_, edge_, frames);
}

std::size_t PolyphaseStep::state_bytes(std::int64_t channels) const noexcept {
  return PolyphaseState::bytes_for(plan_, channels);
}

std::unique_ptr<op::State> PolyphaseStep::start(const op::StartPoint& at) const {
  return std::make_unique<PolyphaseState>(plan_, edge_, at);
}

void PolyphaseStep::run(op::State& state, AnyBlock in, std::span<op::Emission> out) const {
  out[0].frames = static_cast<PolyphaseState&>(state).run(in.as<float>(), out[0].room.as<float>());
}

bool PolyphaseStep::finish(op::State& state, std::span<op::Emission> out) const {
  bool done = false;
  out[0].frames = static_cast<PolyphaseState&>(state).finish(out[0].room.as<float>(), done);
  return done;
}

void PolyphaseStep::save(const op::State& state, op::ByteWriter& to) const {
  static_cast<const PolyphaseState&>(state).save(to);
}

void PolyphaseStep::load(op::State& state, op::ByteReader& from) const {
  static_cast<PolyphaseState&>(state).load(from);
}

op::DeviceText polyphase_device_text() {
  return kernels::kPolyphase;
}

}  // namespace weir::signal
