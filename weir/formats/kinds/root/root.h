#pragma once

#include "weir/formats/format.h"

namespace weir::formats {

/// Flat trees of ROOT files as tables of numbers; read by our own code.
/// Source: the class documentation of TFile, TKey, TTree, TBranch and TBasket (ROOT 6).
const Format& root_format();

}  // namespace weir::formats
