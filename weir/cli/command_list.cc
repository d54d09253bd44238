#include "weir/cli/command_list.h"

#include <algorithm>
#include <tuple>

namespace weir::cli {

#define WEIR_COMMAND(name) const Command& name();
#include "weir/cli/commands.inc"
#undef WEIR_COMMAND

const std::vector<const Command*>& commands() {
  static const std::vector<const Command*> kList = [] {
    std::vector<const Command*> all{
#define WEIR_COMMAND(name) &name(),
#include "weir/cli/commands.inc"
#undef WEIR_COMMAND
    };
    std::sort(all.begin(), all.end(), [](const Command* a, const Command* b) {
      return std::pair(a->group(), a->name()) < std::pair(b->group(), b->name());
    });
    return all;
  }();
  return kList;
}

const Command* find_command(std::string_view name) noexcept {
  const auto& all = commands();
  const auto found = std::find_if(all.begin(), all.end(),
                                  [&](const Command* command) { return command->name() == name; });
  return found == all.end() ? nullptr : *found;
}

}  // namespace weir::cli
