#include "weir/signal/ops/laplacian/laplacian.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "weir/core/error.h"
#include "weir/signal/channel_list.h"

namespace weir::signal {

static std::span<const op::EnumName<LaplacianWeights>> names_of(LaplacianWeights) {
  static constexpr std::array<op::EnumName<LaplacianWeights>, 2> kNames{
      {{"inverse", LaplacianWeights::inverse}, {"equal", LaplacianWeights::equal}}};
  return kNames;
}

namespace {
[[noreturn]] void refuse(const std::string& text) {
  throw Error(ErrorCode::invalid_spec, text);
}

/// The channels that take part and where they are.
struct Part {
  std::vector<std::int64_t> channels;
  Positions positions;
};

std::vector<MatrixTerm> laplacian_row(const Laplacian& params, const Part& part, std::size_t own,
                                      const StreamInfo& in) {
  const auto describe_own = [&] {
    const std::int64_t c = part.channels[own];
    return fmt::format("channel {} (\"{}\")", c, in.channels[static_cast<std::size_t>(c)].name);
  };
  const auto order = nearest_first(part.positions, own);
  std::vector<MatrixTerm> row{{part.channels[own], 1.0}};
  double total = 0;
  for (std::size_t i = 1; i < order.size(); ++i) {
    const auto other = static_cast<std::size_t>(order[i]);
    const double distance = distance_um(part.positions[own], part.positions[other]);
    const bool near =
        params.radius_um ? distance <= *params.radius_um
                         : static_cast<std::int64_t>(i) <= params.nearest.value_or(kDefaultNearest);
    if (!near) {
      break;
    }
    if (distance == 0) {
      refuse(fmt::format("input: {} stands where channel {} does", describe_own(),
                         part.channels[other]));
    }
    const double weight = params.weights == LaplacianWeights::inverse ? 1 / distance : 1;
    row.push_back({part.channels[other], -weight});
    total += weight;
  }
  if (row.size() == 1) {
    refuse(fmt::format("{}: {} has no neighbour", params.radius_um ? "radius_um" : "nearest",
                       describe_own()));
  }
  for (std::size_t i = 1; i < row.size(); ++i) {
    row[i].weight /= total;
  }
  return row;
}
}  // namespace

ChannelMatrix plan_laplacian(const Laplacian& params, const StreamInfo& in) {
  if (params.nearest && params.radius_um) {
    refuse("nearest: give either the nearest channels or a radius_um");
  }
  Part part{electrical_channels(in.channels), {}};
  part.positions = positions_of(part.channels, in, "input: the Laplacian");
  ChannelMatrix matrix = identity_matrix(in);
  for (std::size_t i = 0; i < part.channels.size(); ++i) {
    set_row(matrix, part.channels[i], laplacian_row(params, part, i, in), in, "input");
  }
  return matrix;
}

const op::Operator& laplacian_operator() {
  using op::field;
  static const auto kMade = op::make_operator<Laplacian>(
      {.name = "laplacian",
       .summary = "Every channel less the average of those around it.",
       .schema =
           op::Schema<Laplacian>{
               field("nearest", &Laplacian::nearest,
                     {.min = 1,
                      .max = 65'535,
                      .doc = "So many nearest channels make the average; default 4."}),
               field("radius_um", &Laplacian::radius_um,
                     {.unit = "um", .min = 0, .above_min = true, .doc = "Instead: all within."}),
               field(
                   "weights", &Laplacian::weights,
                   {.doc = "Whether nearer channels weigh more: by the inverse of the distance, or "
                           "all the same."})},
       .plan = [](const Laplacian& params,
                  const op::StepContext& context) -> std::unique_ptr<op::Step> {
         ChannelMatrix matrix = plan_laplacian(params, context.in);
         const std::string told = describe(matrix);
         return channel_matrix_step(std::move(matrix), context.in, {.decisions = {told}});
       },
       .device = channel_matrix_kernels()});
  return *kMade;
}

}  // namespace weir::signal
