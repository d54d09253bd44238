// Facts of the makers' data sheets, as probeinterface 0.4.2 collects them (golden/make.py
// compares).
#include <array>
#include <string_view>

#include "weir/formats/kinds/spikeglx/spikeglx_probe_shape.h"

namespace weir::formats {
namespace {
constexpr std::array<SpikeglxProbeShape, 24> kShapes{{
    {"3A NP1000 NP1001 NP1010 NP1011 NP1012 NP1013 NP1014 PRB_1_2_0480_2 PRB_1_4_0480_1 "
     "PRB_1_4_0480_1_C",
     2, 384, 27, 11, 32, 20, 0, 512, 0},
    {"NP1015 NP1016 NP1017", 2, 384, 27, 27, 32, 20, 0, 512, 0},
    {"NP1020 NP1021", 2, 384, 27, 11, 87, 20, 0, 512, 0},
    {"NP1022", 2, 384, 11, 11, 103, 20, 0, 512, 0},
    {"NP1030 NP1031", 2, 384, 27, 11, 87, 20, 0, 512, 0},
    {"NP1032 NP1033 NP1040 NP1041 NP1042 NP1050 NP1051", 2, 384, 11, 11, 103, 20, 0, 512, 0},
    {"NP1100", 8, 384, 14, 14, 6, 6, 0, 512, 0},
    {"NP1110", 8, 384, 15.5, 15.5, 6, 6, 0, 512, 0},
    {"NP1120", 2, 384, 6.75, 6.75, 4.5, 4.5, 0, 512, 0},
    {"NP1121", 1, 384, 6.25, 6.25, 0, 3, 0, 512, 0},
    {"NP1122", 16, 384, 12.5, 12.5, 3, 3, 0, 512, 0},
    {"NP1123", 12, 384, 10.25, 10.25, 4.5, 4.5, 0, 512, 0},
    {"NP1200 NP1210", 2, 128, 56.5, 36.5, 32, 31, 0, 512, 0},
    {"NP1300 NP1400", 2, 384, 11, 11, 48, 20, 0, 512, 0},
    {"NP2000 PRB2_1_2_0640_0", 2, 384, 27, 27, 32, 15, 0, 8192, 80},
    {"NP2003 NP2004 NP2005", 2, 384, 27, 27, 32, 15, 0, 2048, 100},
    {"NP2006", 2, 384, 27, 11, 32, 15, 0, 2048, 100},
    {"NP2010 PRB2_4_2_0640_0", 2, 384, 27, 27, 32, 15, 250, 8192, 80},
    {"NP2013 NP2014 NP2020 NP2021", 2, 384, 27, 27, 32, 15, 250, 2048, 100},
    {"NP2022", 2, 384, 27, 11, 20, 15, 2141.45, 2048, 100},
    {"NP2300", 2, 384, 11, 11, 48, 15, 0, 2048, 100},
    {"NP3000", 1, 128, 59, 59, 0, 15, 0, 512, 0},
    {"NP3010 NP3011 NP3012", 2, 384, 27, 27, 32, 15, 0, 2048, 100},
    {"NP3020 NP3021 NP3022 NP3023 NP3024", 2, 384, 27, 27, 32, 15, 250, 2048, 100},
}};

bool lists(std::string_view parts, std::string_view part) noexcept {
  while (!parts.empty()) {
    const std::size_t end =
        parts.find(' ') == std::string_view::npos ? parts.size() : parts.find(' ');
    if (parts.substr(0, end) == part) {
      return true;
    }
    parts.remove_prefix(end == parts.size() ? end : end + 1);
  }
  return false;
}

const SpikeglxProbeShape* find_part(std::string_view part) noexcept {
  for (const auto& shape : kShapes) {
    if (lists(shape.parts, part)) {
      return &shape;
    }
  }
  return nullptr;
}
}  // namespace

const SpikeglxProbeShape* find_spikeglx_shape(std::string_view part_or_type) noexcept {
  if (part_or_type == "0") {
    return find_part("NP1000");
  }
  if (part_or_type == "21" || part_or_type == "24") {
    return find_part(part_or_type == "21" ? "NP2000" : "NP2010");
  }
  // Later types are the part number without its letters.
  std::array<char, 6> part{'N', 'P'};
  if (part_or_type.size() == 4 &&
      part_or_type.find_first_not_of("0123456789") == std::string_view::npos) {
    part_or_type.copy(part.data() + 2, 4);
    return find_part({part.data(), part.size()});
  }
  return find_part(part_or_type);
}

}  // namespace weir::formats
