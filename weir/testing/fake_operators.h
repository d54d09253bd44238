#pragma once

#include <memory>

#include "weir/op/operator.h"

namespace weir::testing {

/// What a fake does wrong.
enum class Fault {
  none,
  leaks,                     ///< Keeps more with every block.
  understates_state,         ///< Claims no bytes although it has some.
  drops_tail,                ///< Emits nothing at the end.
  reads_unwritten,           ///< Starts from memory it never wrote.
  depends_on_block,          ///< Looks at where a block begins.
  depends_on_group,          ///< Looks at the place within the group.
  forgets_when_saved,        ///< Saves nothing.
  lies_about_output,         ///< Emits more than `max_output`.
  shares_state,              ///< All its states are one.
  spreads_nan,               ///< A NaN reaches other channels.
  understates_latency,       ///< Holds back more than it says.
  understates_settling,      ///< Needs the whole past, says it needs none.
  changes_input,             ///< Scribbles on what others read too.
  wrong_spread,              ///< Gives each channel two and says it gives one.
  looks_ahead,               ///< Says it is parallel over frames and is not.
  wrong_rate,                ///< Its port's rate is not ratio times the input's.
  unordered_events,          ///< Emits an event late.
  depends_on_target,         ///< Another answer with another instruction set.
  answers_when_told,         ///< Places an event where it hears of it.
  fit_depends_on_cut,        ///< Fits to the last stretch it was given.
  wrong_event_channel,       ///< Counts channels from its group's first.
  device_understates_bytes,  ///< Claims one byte on the device.
  device_launches_often,     ///< Makes nine launches more than it needs.
  device_depends_on_block,   ///< Looks at where a block begins, on the device.
  device_forgets,            ///< Hands nothing over.
  device_writes_elsewhere    ///< Begins one element before its room.
};

/// y = gain · x. Stateless, parallel over frames.
std::unique_ptr<op::Operator> fake_gain(Fault fault = Fault::none);
/// y[t] = Σ x[0..t], in float64. Parallel over channels.
std::unique_ptr<op::Operator> fake_running_sum(Fault fault = Fault::none);
/// y[t] = x[t] + x[t + frames], zero beyond the end. Has a latency and a tail.
std::unique_ptr<op::Operator> fake_echo(Fault fault = Fault::none);
/// The mean of every `factor` frames, the last of what is left. Works on a grid.
std::unique_ptr<op::Operator> fake_decimator(Fault fault = Fault::none);
/// y = x - m, m the mean of the first channel, learnt by a sample fit.
std::unique_ptr<op::Operator> fake_centred(Fault fault = Fault::none);
/// Events above `level`: from x[t-1] < level <= x[t] to the next x[t] < level.
std::unique_ptr<op::Operator> fake_detector(Fault fault = Fault::none);

/// A table of eight rows for each segment, along no time, with two channels for each.
std::unique_ptr<op::Operator> fake_table(Fault fault = Fault::none);

/// y[t] = x[t] + the number of events whose onset or peak is t, for events of at most `longest`
/// frames from their onset until they are final; others are counted. Takes events.
std::unique_ptr<op::Operator> fake_listener(Fault fault = Fault::none);

/// y[t] = y[t-1] / 2 + x[t], with a device kernel.
std::unique_ptr<op::Operator> fake_on_device(Fault fault = Fault::none);

}  // namespace weir::testing
