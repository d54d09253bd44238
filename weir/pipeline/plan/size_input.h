#pragma once

#include "weir/pipeline/plan/plan_data.h"

namespace weir::pipeline {

/// Chooses block lengths for the CPU and claims every byte a run there will hold.
Placement size_on_host(const PlanData& data, const InputPlan& plan, std::size_t cap);

/// Likewise for a device that runs the nodes `on_device`: chunks are as long as hides its launches,
/// as long as `cap` on the host and most of the device's memory have room for them. Chunks of the
/// spec's `chunk_s` that are shorter are taken several at once.
Placement size_on_device(const PlanData& data, const InputPlan& plan, const compute::Target& target,
                         const std::vector<bool>& on_device, std::size_t cap);

/// Frames read at once: the spec's `chunk_s`; else about `wanted` bytes of rows of `row_bytes`, in
/// whole chunks of the file where they are not much longer.
std::int64_t choose_chunk(const PlanData& data, const InputPlan& plan, std::int64_t wanted,
                          std::int64_t row_bytes);
/// Rows of a stream that one thread carries through the graph at once.
std::int64_t choose_tile(const StreamInfo& in, std::int64_t chunk_frames);
/// Bytes handed to a writer at once.
std::int64_t choose_stage(std::size_t cap);
/// Frames shared out among the threads at once, of at most `share` bytes.
std::int64_t choose_push(const StreamInfo& in, const Placement& place, std::int64_t threads,
                         std::size_t share);

/// Chunks of input at once: one in use, one ready, one being read.
inline constexpr std::size_t kReadAhead = 3;
/// What is shared out at once where steps on the CPU stand beside a device, or before it in a fit.
std::int64_t host_push_frames(const Placement& place, std::int64_t threads);

// How a device's link is shared by the chunks under way.

/// Rooms for what leaves a node: one is computed, one downloaded, one handed on.
inline constexpr std::int64_t kDepartureSlots = 3;
/// Rooms for chunks: one is uploaded, one computed.
inline constexpr std::int64_t kArrivalSlots = 2;
/// Events that are downloaded before it is known how many there are.
inline constexpr std::int64_t kEventsAtOnce = 4096;

}  // namespace weir::pipeline
