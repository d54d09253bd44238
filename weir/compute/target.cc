#include "weir/compute/target.h"

namespace weir::compute {

std::string cpu_description() {
  return "x86-64";
}

}  // namespace weir::compute
