#include "weir/core/error.h"
#include "weir/core/opened_library.h"
#include "weir/fit/engine_internal.h"

namespace weir::fit {
namespace {
template <class Entries>
const Entries& opened(const char* library, const char* entry, const char* advice) {
  try {
    using Function = const Entries* (*)();
    return *reinterpret_cast<Function>(library_entry(library, entry))();
  } catch (Error& error) {
    error.prefix(advice);
    throw;
  }
}
}  // namespace

const MinuitEntries& minuit_entries() {
  static const MinuitEntries& entries = opened<MinuitEntries>(
      kMinuitLibrary, kMinuitEntry,
      "minuit2: this build has no Minuit2: run tools/install minuit2 and build again, or take "
      "minimiser nlopt");
  return entries;
}

const NloptEntries& nlopt_entries() {
  static const NloptEntries& entries = opened<NloptEntries>(
      kNloptLibrary, kNloptEntry,
      "nlopt: this build has no NLopt: install libnlopt-dev and build again, or take minimiser "
      "minuit2");
  return entries;
}

}  // namespace weir::fit
