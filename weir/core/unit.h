#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace weir {

/// The unit of values in `unit` raised to a whole power: "uV" and 2 give "uV^2", "s^-1" and 2 give
/// "s^-2", "m/s" and 2 give "(m/s)^2"; no unit stays none.
std::string unit_to_the(std::int64_t power, std::string_view unit);

/// The unit of products of values in `a` and in `b`: "uV" and "uV^2" give "uV^3", "N" and "m" give
/// "N*m", "m/s" and "s" give "(m/s)*s". Units are not converted into each other.
std::string product_unit(std::string_view a, std::string_view b);

}  // namespace weir
