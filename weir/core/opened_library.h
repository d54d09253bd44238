#pragma once

#include <string>

namespace weir {

/// The function `entry` of our library `lib<name>.so`, which is opened on first use so that
/// programs start without what only it needs. It is looked for beside the program, wherever that
/// was moved to, then where it was configured to be installed, and stays open. Errors:
/// `unsupported` naming the places it was looked for and why it could not be opened.
void* library_entry(const std::string& name, const std::string& entry);

}  // namespace weir
