#pragma once

#include <optional>
#include <utility>
#include <vector>

#include "weir/testing/fake_operators.h"

namespace weir::testing {

inline op::Port same_signal(const StreamInfo& in, Fault fault) {
  op::Port port{.name = "out", .stream = in};
  if (fault == Fault::wrong_rate) {
    port.stream.rate = SampleRate(in.rate.exact() * Rational(2));
  }
  return port;
}

class FakeStep : public op::Step {
 public:
  FakeStep(op::Port port, Fault fault) : ports_{std::move(port)}, fault_(fault) {}
  const std::vector<op::Port>& ports() const noexcept override { return ports_; }
  op::Parallel parallel() const noexcept override { return op::Parallel::channels; }

 protected:
  std::vector<op::Port> ports_;
  Fault fault_;
};

}  // namespace weir::testing
