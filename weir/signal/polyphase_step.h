#pragma once

#include <span>
#include <string>
#include <vector>

#include "weir/op/device_step.h"
#include "weir/op/operator.h"
#include "weir/signal/polyphase.h"

namespace weir::signal {

std::span<const op::EnumName<Edge>> names_of(Edge);

/// What the field `edge` of such operators means.
inline constexpr const char* kEdgeDoc =
    "What lies past a segment's ends, as scipy.ndimage names it: zero; odd, point symmetric; "
    "reflect, "
    "the end sample twice; nearest, the end sample on and on; mirror, the end sample once.";

/// How the CPU sums; devices sum directly.
enum class SumMethod {
  automatic,  ///< By transforms where they take less time.
  direct,
  fft
};
std::span<const op::EnumName<SumMethod>> names_of(SumMethod);

/// What the field `method` of such operators means.
inline constexpr const char* kMethodDoc =
    "How the CPU sums: directly, or by Fourier transforms in blocks; auto by the number of taps.";

/// Taps from which transforms take less time on the CPU, as measured on AVX-512.
inline constexpr std::int64_t kFewestForFft = 96;

/// Lets a plan of ratio 1 with taps for all channels sum by transforms, where it should.
void choose_sums(PolyphasePlan& plan, SumMethod method);

/// "direct sum in float32: 63 multiply-adds a sample".
std::string sums_text(const PolyphasePlan& plan);

/// A step that runs a PolyphasePlan on any target. Operators add their port and what they decided.
class PolyphaseStep : public op::Step {
 public:
  PolyphaseStep(PolyphasePlan plan, Edge edge, op::Port port);

  const std::vector<op::Port>& ports() const noexcept override { return ports_; }
  op::Parallel parallel() const noexcept override { return op::Parallel::channels; }
  op::Latency latency() const noexcept override;
  std::int64_t settle_frames() const noexcept override { return plan_.before + 1; }
  std::int64_t max_output(std::int64_t frames) const noexcept override;
  std::size_t state_bytes(std::int64_t channels) const noexcept override;

  std::unique_ptr<op::State> start(const op::StartPoint& at) const override;
  void run(op::State& state, AnyBlock in, std::span<op::Emission> out) const override;
  bool finish(op::State& state, std::span<op::Emission> out) const override;
  void save(const op::State& state, op::ByteWriter& to) const override;
  void load(op::State& state, op::ByteReader& from) const override;

  bool runs_on(const compute::Target&) const noexcept override { return true; }
  std::unique_ptr<op::DeviceStep> device(const op::DevicePlace& place,
                                         const op::StartPoint& at) const override;
  std::size_t device_bytes(std::int64_t channels, std::int64_t frames) const noexcept override;

 protected:
  const PolyphasePlan& filter() const noexcept { return plan_; }

 private:
  PolyphasePlan plan_;
  Edge edge_;
  std::vector<op::Port> ports_;
};

/// The kernels of every such step.
op::DeviceText polyphase_device_text();

}  // namespace weir::signal
