#pragma once

#include <memory>

#include "weir/op/operator.h"

namespace weir::pipeline {

/// The step between a stream and an operator that wants another form of it: integers become
/// float32, counts are shifted by offset/gain so that 0 means 0 physical units. Null when the
/// stream already has the form. Parallel like its consumer, so that it is computed where the
/// consumer reads. Errors: `invalid_spec` when the stream cannot take the form.
std::shared_ptr<const op::Step> make_convert_step(const StreamInfo& in, const op::InputForm& form,
                                                  op::Parallel parallel);

/// What the stream looks like in that form.
StreamInfo in_form(const StreamInfo& in, const op::InputForm& form);

}  // namespace weir::pipeline
