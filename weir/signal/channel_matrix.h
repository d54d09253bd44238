#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "weir/core/block.h"
#include "weir/core/channel.h"
#include "weir/op/operator.h"

namespace weir::signal {

/// One product of a row: `weight` times the physical value of `channel`.
struct MatrixTerm {
  std::int64_t channel = 0;
  double weight = 0;

  friend bool operator==(const MatrixTerm&, const MatrixTerm&) = default;
};

/// Every frame times a matrix: value k of an output frame is the sum of the terms of row k, in the
/// order of the channels.
struct ChannelMatrix {
  std::int64_t inputs = 0;
  std::vector<std::vector<MatrixTerm>> rows;  ///< Channels ascend; no weight is 0.
  std::vector<Channel> channels;              ///< What comes out, one per row; offsets are 0.

  std::int64_t terms() const noexcept;
};

/// Outputs that share the list of inputs they need, so that a few far apart cost no more than they
/// must and neighbours stay side by side in vectors.
struct MatrixPanel {
  std::int64_t first = 0;  ///< Of its entries.
  std::int64_t count = 0;
};

/// A matrix between stored counts, as kernels want it: outputs in panels of `width`, each with the
/// inputs that any of its outputs needs, ascending.
struct PackedMatrix {
  std::int64_t inputs = 0;
  std::int64_t outputs = 0;
  std::int64_t width = kLanePadding;
  std::vector<MatrixPanel> panels;
  std::vector<std::int32_t> columns;  ///< Per entry: the input.
  std::vector<float> weights;         ///< Per entry: `width` of them, 0 where there is no term.
};

/// Weights times the gains of the channels that go in over those of the channels that come out.
/// Errors: `invalid_spec` when that leaves the range of floats.
PackedMatrix pack(const ChannelMatrix& matrix, const std::vector<Channel>& in, std::int64_t width);

/// Makes weights of physical values in each channel's own unit weights of values in `unit`.
/// Errors: `invalid_spec` naming two channels whose units cannot be added.
void convert_weights(std::vector<MatrixTerm>& row, const std::vector<Channel>& in,
                     const std::string& unit);

/// Every channel as it is.
ChannelMatrix identity_matrix(const StreamInfo& in);

/// Replaces the row of output `channel` by one whose weights are of physical values in any unit.
/// Errors: as `convert_weights`, after `field`.
void set_row(ChannelMatrix& matrix, std::int64_t channel, std::vector<MatrixTerm> row,
             const StreamInfo& in, const std::string& field);

/// What describes a weighted sum: the heaviest channel's name, source, gain and unit, the group
/// that all share, the position of a lone one.
Channel sum_channel(const std::vector<MatrixTerm>& row, const std::vector<Channel>& in);

/// "384 outputs of 384 channels, 3120 weights".
std::string describe(const ChannelMatrix& matrix);

/// out = matrix * in, frame by frame. An output's products are added in the order of the inputs,
/// whatever the block, and an input that it has no term for cannot reach it, not even as NaN.
/// Shape: panels of `kLanePadding` outputs; `out` has as many channels as the matrix has rows.
void multiply_frames(const PackedMatrix& matrix, Block<const float> in, Block<float> out);

/// What the step of a matrix tells besides its result.
struct MatrixStory {
  std::vector<std::string> decisions;
  double tolerance = 1e-6;
};

/// The step that multiplies every frame of `in`, on the CPU and on devices.
std::unique_ptr<op::Step> channel_matrix_step(ChannelMatrix matrix, const StreamInfo& in,
                                              MatrixStory story);

/// Its kernels, for `OperatorParts::device`.
op::DeviceText channel_matrix_kernels();

}  // namespace weir::signal
