#pragma once

#include <fmt/format.h>

#include "weir/signal/generate/generate.h"

namespace weir::signal {

Generator neuropixels_generator();
Generator ecg_generator();
Generator digitiser_generator();
Generator sine_generator();
Generator noise_generator();

/// One segment of `duration_s` at `rate_hz`. Errors: `invalid_spec` naming `duration_s`.
StreamInfo synthetic_stream(double duration_s, double rate_hz, std::vector<Channel> channels);

/// A generator whose `make` reads its parameters by the schema.
template <class Params, class Recording>
Generator make_generator(std::string name, std::string summary, op::Schema<Params> schema) {
  Generator generator{std::move(name), std::move(summary), schema.describe(), nullptr};
  generator.make = [schema = std::move(schema), label = generator.name](const Value& params) {
    std::vector<Problem> problems;
    const Params read = schema.read(params, label, {}, problems);
    throw_if_any(problems);
    return std::make_unique<Recording>(read);
  };
  return generator;
}

}  // namespace weir::signal
