#include "weir/formats/json.h"

#include "weir/core/parse_json.h"

namespace weir::formats {

Value parse_json(std::string_view text) {
  return weir::parse_json(text);
}

}  // namespace weir::formats
