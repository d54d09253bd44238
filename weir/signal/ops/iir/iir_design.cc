#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "weir/signal/ops/iir/iir.h"
#include "weir/signal/ops/iir/iir_edges.h"
#include "weir/signal/ops/iir/iir_step_internal.h"

namespace weir::signal {
namespace {
constexpr std::size_t kMostSections = 32;

[[noreturn]] void refuse(std::string text) {
  throw Error(ErrorCode::invalid_spec, std::move(text));
}

template <class E>
std::string name_of(E value) {
  return op::Codec<E>::write(value).as_string();
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
      {"order", filter.order.has_value()},
      {"passband_hz", !filter.passband_hz.empty()},
      {"stopband_hz", !filter.stopband_hz.empty()},
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

bool has_two_edges(Band band) {
  return band == Band::bandpass || band == Band::bandstop;
}

void check_frequencies(const char* field, const std::vector<double>& edges, double rate_hz) {
  for (const double edge : edges) {
    if (!(edge > 0) || !std::isfinite(edge)) {
      refuse(fmt::format("{}: {} Hz is not above 0", field, edge));
    }
    if (edge >= rate_hz / 2) {
      refuse(fmt::format("{}: {} Hz is not below Nyquist ({} Hz)", field, edge, rate_hz / 2));
    }
  }
  if (edges.size() == 2 && edges[0] >= edges[1]) {
    refuse(fmt::format("{}: the low edge ({} Hz) must be below the high one ({} Hz)", field,
                       edges[0], edges[1]));
  }
}

void check_edges(const Iir& filter, Band wanted, double rate_hz) {
  const bool two = has_two_edges(wanted);
  const std::string band = name_of(wanted);
  if (filter.cutoff_hz.size() != (two ? 2 : 1)) {
    refuse(fmt::format("cutoff_hz: {} takes {}; {} given", band,
                       two ? "two frequencies, low and high" : "one frequency",
                       filter.cutoff_hz.size()));
  }
  check_frequencies("cutoff_hz", filter.cutoff_hz, rate_hz);
}

void check_level(const char* field, const std::optional<double>& value, bool wanted,
                 Family family) {
  const std::string name = name_of(family);
  if (wanted && !value) {
    refuse(fmt::format("{}: is required for a filter of family {}", field, name));
  }
  if (!wanted && value) {
    refuse(fmt::format("{}: {} dB given, but a {} filter has none; leave it out", field, *value,
                       name));
  }
}

void check_levels(const Iir& filter) {
  if (*filter.attenuation_db <= *filter.ripple_db) {
    refuse(fmt::format("attenuation_db: {} dB is not above the ripple ({} dB)",
                       *filter.attenuation_db, *filter.ripple_db));
  }
}

void check_family(const Iir& filter) {
  const Family family = filter.family;
  if (*filter.order > most_order(family)) {
    refuse(fmt::format("order: {} is more than the {} that a {} filter can be designed to",
                       *filter.order, most_order(family), name_of(family)));
  }
  const bool equiripple = family == Family::elliptic;
  check_level("ripple_db", filter.ripple_db, equiripple || family == Family::chebyshev1, family);
  check_level("attenuation_db", filter.attenuation_db, equiripple || family == Family::chebyshev2,
              family);
  if (equiripple) {
    check_levels(filter);
  }
}

/// Two edges of which one pair lies inside the other, or one of each.
void check_limits(const Iir& filter, double rate_hz) {
  const auto& pass = filter.passband_hz;
  const auto& stop = filter.stopband_hz;
  if (pass.empty() || stop.empty()) {
    refuse(fmt::format("{0}: is required with {1}", pass.empty() ? "passband_hz" : "stopband_hz",
                       pass.empty() ? "stopband_hz" : "passband_hz"));
  }
  if (pass.size() > 2 || pass.size() != stop.size()) {
    refuse(fmt::format("passband_hz: {} edges beside {} of stopband_hz; both take one or two",
                       pass.size(), stop.size()));
  }
  check_frequencies("passband_hz", pass, rate_hz);
  check_frequencies("stopband_hz", stop, rate_hz);
  const bool same_side = pass.size() == 2 && (pass[0] < stop[0]) != (stop[1] < pass[1]);
  if (pass[0] == stop[0] || pass.back() == stop.back() || same_side) {
    refuse(fmt::format("stopband_hz: {} Hz leaves no room between it and the pass-band ({} Hz)",
                       fmt::join(stop, " to "), fmt::join(pass, " to ")));
  }
}

void check_what_limits_replace(const Iir& filter) {
  if (filter.family == Family::bessel) {
    refuse("passband_hz: a bessel filter takes order and cutoff_hz; no rule finds its order");
  }
  if (!filter.cutoff_hz.empty() || filter.order) {
    refuse(fmt::format("passband_hz: given together with {}, which it is there to find",
                       filter.order ? "order" : "cutoff_hz"));
  }
  for (const auto& [field, value] : {std::pair{"ripple_db", filter.ripple_db},
                                     std::pair{"attenuation_db", filter.attenuation_db}}) {
    if (!value) {
      refuse(fmt::format("{}: is required with passband_hz and stopband_hz", field));
    }
  }
  check_levels(filter);
}

Sections designed(const Iir& filter, double rate_hz) {
  const Prototype low = prototype({.family = filter.family,
                                   .order = *filter.order,
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
    refuse(fmt::format("order: the gain of order {} is too small for float64", *filter.order));
  }
  return sections;
}
}  // namespace

Iir with_order(const Iir& filter, double rate_hz) {
  Iir found = filter;
  if (filter.passband_hz.empty() && filter.stopband_hz.empty()) {
    found.order = filter.order.value_or(kDefaultOrder);
    return found;
  }
  check_limits(filter, rate_hz);
  check_what_limits_replace(filter);
  const BandLimits limits{filter.passband_hz, filter.stopband_hz, *filter.ripple_db,
                          *filter.attenuation_db};
  if (const Band band = band_of(limits); filter.band.value_or(band) != band) {
    refuse(fmt::format("band: {}, but the edges are those of a {}", name_of(*filter.band),
                       name_of(band)));
  }
  const Family family = filter.family;
  const auto [band, order, cutoff_hz] = smallest_filter(family, limits, rate_hz);
  if (order > most_order(family)) {
    refuse(fmt::format("stopband_hz: needs a {} filter of order {}; at most {}", name_of(family),
                       order, most_order(family)));
  }
  found.band = band;
  found.order = order;
  found.cutoff_hz = cutoff_hz;
  found.passband_hz.clear();
  found.stopband_hz.clear();
  if (family == Family::butterworth || family == Family::chebyshev2) {
    found.ripple_db.reset();
  }
  if (family == Family::butterworth || family == Family::chebyshev1) {
    found.attenuation_db.reset();
  }
  return found;
}

Sections design(const Iir& filter, double rate_hz) {
  if (!filter.sos.empty()) {
    return explicit_sections(filter);
  }
  const Iir found = with_order(filter, rate_hz);
  check_family(found);
  if (!found.band) {
    refuse("band: is required (or give explicit sections as sos)");
  }
  if (found.cutoff_hz.empty()) {
    refuse("cutoff_hz: is required (or give passband_hz and stopband_hz, or sections as sos)");
  }
  check_edges(found, *found.band, rate_hz);
  return designed(found, rate_hz);
}

}  // namespace weir::signal
