#pragma once

#include <string>
#include <vector>

#include "weir/signal/channel_matrix.h"

namespace weir::signal {

/// Multiplies every frame by a matrix: each output is a weighted sum of channels.
struct Matrix {
  Value rows;                      ///< One list of weights, or {channel: weight}, per output.
  std::string file;                ///< The same as .npy or text, instead of `rows`.
  std::vector<std::string> names;  ///< Of the outputs; default m0, m1, …
  std::string unit;                ///< Of the outputs; default that of their channels.
};

/// Weights as a file holds them.
struct MatrixTable {
  std::int64_t rows = 0;
  std::int64_t columns = 0;
  std::vector<double> weights;  ///< Row by row.
};

/// A two-dimensional .npy file, or text with one row a line, numbers apart by commas, semicolons or
/// spaces, and lines that begin with # left out.
/// Errors: `not_found`, `io`; `corrupt_data` or `unsupported` naming the file and what is wrong.
MatrixTable read_matrix_file(const std::string& path);

/// Errors: `invalid_spec` naming the field: neither rows nor a file or both, a row of another
/// length
///         than the stream has channels, a channel that is unknown or named twice, a weight that is
///         no finite number, units that cannot be added, names that are not one for each row.
ChannelMatrix plan_matrix(const Matrix& params, const StreamInfo& in);

const op::Operator& matrix_operator();

}  // namespace weir::signal
