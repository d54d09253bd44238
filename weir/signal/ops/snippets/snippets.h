#pragma once

#include <optional>

#include "weir/op/operator.h"
#include "weir/signal/event_window.h"

namespace weir::signal {

enum class SnippetChannels {
  all,    ///< Every channel of the signal.
  own,    ///< The event's channel alone.
  radius  ///< The event's channel and those within `radius_um`, the nearest first.
};

/// What becomes of a window that reaches over an end of its segment.
enum class SnippetEdge {
  skip,  ///< It is left out, and counted.
  zero   ///< What lies beyond is 0 in physical units.
};

/// Stretches of a signal around events.
struct Snippets {
  std::optional<double> pre_s;      ///< 0.001 if neither it nor ms_before is given.
  std::optional<double> post_s;     ///< 0.002 likewise.
  std::optional<double> ms_before;  ///< SpikeInterface's names, in ms.
  std::optional<double> ms_after;
  EventAlign align = EventAlign::peak;
  SnippetChannels channels = SnippetChannels::all;
  std::optional<double> radius_um;
  SnippetEdge edge = SnippetEdge::skip;
  double longest_event_s = 0.1;
};

const op::Operator& snippets_operator();

}  // namespace weir::signal
