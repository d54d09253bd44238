#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "weir/signal/ops/iir/iir.h"
#include "weir/signal/ops/iir/iir_step_internal.h"

namespace weir::signal {
namespace {
constexpr std::size_t kMostSections = 32;

[[noreturn]] void refuse(std::string text) {
  throw Error(ErrorCode::invalid_spec, std::move(text));
}

Section checked_section(const std::vector<double>& row, std::size_t i) {
  if (row.size() != 6) {
    refuse(fmt::format("sos: row {} has {} numbers; a row is b0 b1 b2 a0 a1 a2", i, row.size()));
  }
  if (row[3] == 0 ||
      !std::all_of(row.begin(), row.end(), [](double v) { return std::isfinite(v); })) {
    refuse(fmt::format("sos: row {} needs finite numbers and a0 other than 0", i));
  }
  const Section section = Section::from_row(std::span<const double, 6>(row));
  const double margin = stability_margin(section);
  if (!(margin > 0)) {
    refuse(fmt::format("sos: row {} is unstable: its outermost pole has radius {:.9g}, not below 1",
                       i, 1 - margin));
  }
  return section;
}

Sections explicit_sections(const Iir& filter) {
  const std::pair<const char*, bool> others[] = {
      {"band", filter.band.has_value()},
      {"cutoff_hz", !filter.cutoff_hz.empty()},
      {"ripple_db", filter.ripple_db.has_value()},
      {"attenuation_db", filter.attenuation_db.has_value()}};
  for (const auto& [name, given] : others) {
    if (given) {
      refuse(fmt::format("sos: given together with {}; the sections are the whole filter", name));
    }
  }
  if (filter.sos.size() > kMostSections) {
    refuse(fmt::format("sos: {} sections; at most {}", filter.sos.size(), kMostSections));
  }
  Sections sections;
  for (std::size_t i = 0; i < filter.sos.size(); ++i) {
    sections.push_back(checked_section(filter.sos[i], i));
  }
  return sections;
}

void check_edges(const Iir& filter, Band wanted, double rate_hz) {
  const bool two = wanted == Band::bandpass || wanted == Band::bandstop;
  const std::string band = op::Codec<Band>::write(wanted).as_string();
  if (filter.cutoff_hz.size() != (two ? 2 : 1)) {
    refuse(fmt::format("cutoff_hz: {} takes {}; {} given", band,
                       two ? "two frequencies, low and high" : "one frequency",
                       filter.cutoff_hz.size()));
  }
  for (const double edge : filter.cutoff_hz) {
    if (!(edge > 0) || !std::isfinite(edge)) {
      refuse(fmt::format("cutoff_hz: {} Hz is not above 0", edge));
    }
    if (edge >= rate_hz / 2) {
      refuse(fmt::format("cutoff_hz: {} Hz is not below Nyquist ({} Hz)", edge, rate_hz / 2));
    }
  }
  if (two && filter.cutoff_hz[0] >= filter.cutoff_hz[1]) {
    refuse(fmt::format("cutoff_hz: the low edge ({} Hz) must be below the high one ({} Hz)",
                       filter.cutoff_hz[0], filter.cutoff_hz[1]));
  }
}

void check_level(const char* field, const std::optional<double>& value, bool wanted,
                 Family family) {
  const std::string name = op::Codec<Family>::write(family).as_string();
  if (wanted && !value) {
    refuse(fmt::format("{}: is required for a filter of family {}", field, name));
  }
  if (!wanted && value) {
    refuse(fmt::format("{}: {} dB given, but a {} filter has none; leave it out", field, *value,
                       name));
  }
}

void check_family(const Iir& filter) {
  const Family family = filter.family;
  if (filter.order > most_order(family)) {
    refuse(fmt::format("order: {} is more than the {} that a {} filter can be designed to",
                       filter.order, most_order(family),
                       op::Codec<Family>::write(family).as_string()));
  }
  const bool equiripple = family == Family::elliptic;
  check_level("ripple_db", filter.ripple_db, equiripple || family == Family::chebyshev1, family);
  check_level("attenuation_db", filter.attenuation_db, equiripple || family == Family::chebyshev2,
              family);
  if (equiripple && *filter.attenuation_db <= *filter.ripple_db) {
    refuse(fmt::format("attenuation_db: {} dB is not above the ripple ({} dB)",
                       *filter.attenuation_db, *filter.ripple_db));
  }
}

Sections designed(const Iir& filter, double rate_hz) {
  const Prototype low = prototype({.family = filter.family,
                                   .order = filter.order,
                                   .ripple_db = filter.ripple_db.value_or(0),
                                   .attenuation_db = filter.attenuation_db.value_or(0)});
  Sections sections = digital_filter(low, *filter.band, filter.cutoff_hz, rate_hz);
  if (!(stability_margin(sections) > 1e-12)) {
    refuse(
        fmt::format("cutoff_hz: {} Hz leaves poles that cannot be told from the unit circle "
                    "at a rate of {} Hz",
                    filter.cutoff_hz[0], rate_hz));
  }
  if (!std::isnormal(sections.front().b0)) {
    refuse(fmt::format("order: the gain of order {} is too small for float64", filter.order));
  }
  return sections;
}
}  // namespace

Sections design(const Iir& filter, double rate_hz) {
  if (!filter.sos.empty()) {
    return explicit_sections(filter);
  }
  check_family(filter);
  if (!filter.band) {
    refuse("band: is required (or give explicit sections as sos)");
  }
  if (filter.cutoff_hz.empty()) {
    refuse("cutoff_hz: is required (or give explicit sections as sos)");
  }
  check_edges(filter, *filter.band, rate_hz);
  return designed(filter, rate_hz);
}

}  // namespace weir::signal
