#include "weir/signal/channel_matrix_device.h"

#include <algorithm>

#include "weir/signal/channel_matrix_cl.h"

namespace weir::signal {
namespace {
// As in channel_matrix.cl.
constexpr std::int64_t kFrames = 128;
constexpr std::int64_t kWidth = 64;
constexpr std::int64_t kItems = 128;
constexpr std::int64_t kDepth = 8;
constexpr std::int64_t kSampleRow = 132;
constexpr std::int64_t kPanel = 32;
constexpr std::int64_t kGroupOutputs = 128;
constexpr std::int64_t kRowsEach = 4;
/// Rows of a group of the second kernel, each kGroupOutputs items.
constexpr std::int64_t kSlots = 2;

void add_panel(DeviceMatrix& to, std::int64_t first, std::int64_t count) {
  to.panels.push_back(static_cast<std::int32_t>(first));
  to.panels.push_back(static_cast<std::int32_t>(count));
}

/// Panels of outputs with the most terms of any as entries, from those of panels of one width that
/// hold each output's terms among others' zeros.
DeviceMatrix pack_terms(const PackedMatrix& packed) {
  DeviceMatrix terms;
  terms.by_terms = true;
  terms.outputs = packed.outputs;
  for (const MatrixPanel& panel : packed.panels) {
    std::vector<std::vector<std::int64_t>> entries(kPanel);
    for (std::int64_t e = panel.first; e < panel.first + panel.count; ++e) {
      for (std::int64_t k = 0; k < kPanel; ++k) {
        if (packed.weights[static_cast<std::size_t>(e * kPanel + k)] != 0) {
          entries[static_cast<std::size_t>(k)].push_back(e);
        }
      }
    }
    std::size_t most = 0;
    for (const auto& own : entries) {
      most = std::max(most, own.size());
    }
    add_panel(terms, std::ssize(terms.columns) / kPanel, static_cast<std::int64_t>(most));
    for (std::size_t i = 0; i < most; ++i) {
      for (std::size_t k = 0; k < entries.size(); ++k) {
        const bool has = i < entries[k].size();
        const auto e = static_cast<std::size_t>(has ? entries[k][i] : panel.first);
        terms.columns.push_back(packed.columns[e]);
        terms.weights.push_back(has ? packed.weights[e * kPanel + k] : 0.0F);
      }
    }
  }
  return terms;
}

DeviceMatrix pack_panels(const PackedMatrix& packed) {
  DeviceMatrix panels;
  panels.outputs = packed.outputs;
  panels.columns = packed.columns;
  panels.weights = packed.weights;
  for (const MatrixPanel& panel : packed.panels) {
    add_panel(panels, panel.first, panel.count);
  }
  return panels;
}

class MatrixOnDevice final : public op::DeviceStep {
 public:
  MatrixOnDevice(const op::DevicePlace& place, const DeviceMatrix& matrix)
      : queue_(place.queue),
        by_terms_(matrix.by_terms),
        outputs_(static_cast<std::int32_t>(matrix.outputs)),
        panels_(static_cast<std::int32_t>(matrix.panels.size() / 2)),
        kernel_(place.device.kernel(kernels::kChannelMatrix,
                                    by_terms_ ? "channel_matrix_terms" : "channel_matrix_panels")),
        table_(place.device.allocate(place.queue, matrix.panels)),
        columns_(place.device.allocate(place.queue, matrix.columns)),
        weights_(place.device.allocate(place.queue, matrix.weights)) {}

  void run(const op::DeviceBlock& in, std::span<op::DeviceEmission> out) override {
    const op::DeviceBlock& to = out[0].room;
    out[0].frames = in.frames;
    if (by_terms_) {
      run_terms(in, to);
    } else {
      run_panels(in, to);
    }
  }

 private:
  void run_panels(const op::DeviceBlock& in, const op::DeviceBlock& to) {
    const std::int64_t tiles = (in.frames + kFrames - 1) / kFrames;
    const auto aligned = static_cast<std::int32_t>((to.first | to.stride) % 4 == 0);
    queue_.launch(kernel_,
                  {.items = {tiles * panels_ * kItems, 1},
                   .group = {kItems, 1},
                   .local_bytes = static_cast<std::size_t>(2 * kDepth * (kSampleRow + kWidth)) *
                                  sizeof(float)},
                  {in.buffer, in.first, in.stride, to.buffer, to.first, to.stride, table_, columns_,
                   weights_, in.frames, outputs_, panels_, aligned});
  }
  void run_terms(const op::DeviceBlock& in, const op::DeviceBlock& to) {
    constexpr std::int64_t kTile = kSlots * kRowsEach;
    const std::int64_t parts = (outputs_ + kGroupOutputs - 1) / kGroupOutputs;
    const std::int64_t tiles = (in.frames + kTile - 1) / kTile;
    queue_.launch(kernel_,
                  {.items = {tiles * parts * kSlots * kGroupOutputs, 1},
                   .group = {kSlots * kGroupOutputs, 1}},
                  {in.buffer, in.first, in.stride, to.buffer, to.first, to.stride, table_, columns_,
                   weights_, in.frames, outputs_, static_cast<std::int32_t>(parts)});
  }

  compute::Queue& queue_;
  bool by_terms_;
  std::int32_t outputs_;
  std::int32_t panels_;
  compute::Kernel kernel_;
  compute::Buffer table_;
  compute::Buffer columns_;
  compute::Buffer weights_;
};
}  // namespace

DeviceMatrix pack_for_device(const ChannelMatrix& matrix, const std::vector<Channel>& in) {
  DeviceMatrix terms = pack_terms(pack(matrix, in, kPanel));
  DeviceMatrix panels = pack_panels(pack(matrix, in, kWidth));
  // A matrix of zeros has no entries, and no device has buffers of 0 bytes.
  for (DeviceMatrix* one : {&terms, &panels}) {
    one->columns.resize(std::max<std::size_t>(one->columns.size(), 1));
    one->weights.resize(std::max<std::size_t>(one->weights.size(), 1));
  }
  const std::size_t claim = std::max(terms.bytes(), panels.bytes());
  // An entry of 32 outputs costs a load a sample there; here one of 64 outputs shares its loads,
  // and costs as many multiply-adds as there are outputs.
  const bool few = 2 * terms.weights.size() / kPanel <= panels.weights.size() / kWidth;
  DeviceMatrix chosen = few ? std::move(terms) : std::move(panels);
  chosen.claim_bytes = claim;
  return chosen;
}

std::unique_ptr<op::DeviceStep> channel_matrix_on(const op::DevicePlace& place,
                                                  const DeviceMatrix& matrix) {
  return std::make_unique<MatrixOnDevice>(place, matrix);
}

}  // namespace weir::signal
