#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "weir/pipeline/plan/plan_data.h"

namespace weir::pipeline {

/// Which of `shares` takes each of several pieces of work of these sizes: the largest first, each
/// to the share that has the least so far.
std::vector<std::size_t> share_out(std::span<const std::int64_t> sizes, std::size_t shares);

/// Chooses the targets, shares the inputs out among them, and decides where each runs and in what
/// pieces. Shares run side by side: each has its part of the threads and of `cap`.
void place_inputs(PlanData& data, std::size_t cap);

}  // namespace weir::pipeline
