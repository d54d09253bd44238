#include "weir/pipeline/run/chunk_ring.h"

#include "weir/pipeline/plan/device_graph.h"

namespace weir::pipeline {
namespace {
/// Conversions read whole vectors, the last row's too.
constexpr std::int64_t kSlack = kLanePadding;
}  // namespace

ChunkRing::ChunkRing(SampleType type, std::int64_t frames, std::int64_t channels) {
  for (std::size_t i = 0; i < kRooms; ++i) {
    buffers_[i] = Buffer(type, frames, channels);
    rooms_[i] = buffers_[i].block();
  }
}

ChunkRing::ChunkRing(SampleType type, std::int64_t frames, std::int64_t channels, bool packed,
                     compute::Device& device)
    : pinned_(true) {
  const std::int64_t stride = chunk_stride(channels, packed);
  for (std::size_t i = 0; i < kRooms; ++i) {
    memory_[i] =
        device.allocate_host(static_cast<std::size_t>(frames * stride + kSlack) * size_of(type));
    rooms_[i] = AnyBlock(type, memory_[i].bytes().data(), frames, channels, stride);
  }
}

}  // namespace weir::pipeline
