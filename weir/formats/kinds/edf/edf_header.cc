#include "weir/formats/kinds/edf/edf_header.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "weir/core/error.h"
#include "weir/core/text.h"
#include "weir/formats/frame_time.h"
#include "weir/formats/text_encoding.h"

namespace weir::formats {
namespace {
constexpr std::int64_t kFixedBytes = 256;
constexpr std::int64_t kSignalBytes = 256;

/// Fixed-width fields, one after the other.
class Fields {
 public:
  explicit Fields(std::string_view text) : rest_(text) {}

  /// The next field without the blanks, or zero bytes, it is padded with.
  std::string_view next(std::size_t width) {
    std::string_view field = rest_.substr(0, width);
    rest_.remove_prefix(std::min(width, rest_.size()));
    field = field.substr(0, field.find('\0'));
    return trimmed(field);
  }

 private:
  std::string_view rest_;
};

[[noreturn]] void refuse(const std::string& text) {
  throw Error(ErrorCode::corrupt_data, text);
}

/// Some writers put a decimal comma.
double number_in(std::string_view field, std::string_view text) {
  std::string plain(text);
  std::replace(plain.begin(), plain.end(), ',', '.');
  double number = NAN;
  try {
    number = parse_number(plain);
  } catch (const Error&) {
    refuse(fmt::format("{}: \"{}\" is not a number", field, printable(to_utf8(text))));
  }
  if (!std::isfinite(number)) {
    refuse(fmt::format("{}: {} is not a finite number", field, number));
  }
  return number;
}

std::int64_t whole_in(std::string_view field, std::string_view text) {
  try {
    return parse_integer(text);
  } catch (const Error&) {
    refuse(fmt::format("{}: \"{}\" is not a whole number", field, printable(to_utf8(text))));
  }
}

int two_digits(std::string_view text, std::size_t at) {
  const auto digit = [&](std::size_t i) {
    return i < text.size() && text[i] >= '0' && text[i] <= '9' ? text[i] - '0' : -100;
  };
  return 10 * digit(at) + digit(at + 1);
}

/// "02.03.04" and "12.30.00" as ISO 8601: years from 85 on are of the last century. EDF+ repeats
/// the date with the whole year: "Startdate 02-MAR-2104 …".
std::string start_time(std::string_view date, std::string_view time, std::string_view recording) {
  const int day = two_digits(date, 0);
  const int month = two_digits(date, 3);
  const int year = two_digits(date, 6);
  const int hour = two_digits(time, 0);
  const int minute = two_digits(time, 3);
  const int second = two_digits(time, 6);
  const bool legal = day >= 1 && day <= 31 && month >= 1 && month <= 12 && year >= 0 && hour >= 0 &&
                     hour < 24 && minute >= 0 && minute < 60 && second >= 0 && second < 60;
  if (!legal) {
    return {};
  }
  int full_year = year + (year >= 85 ? 1900 : 2000);
  if (recording.starts_with("Startdate ") && recording.size() >= 21) {
    const int century = two_digits(recording, 17);
    full_year = century > 0 && two_digits(recording, 19) == year ? 100 * century + year : full_year;
  }
  return fmt::format("{:04}-{:02}-{:02}T{:02}:{:02}:{:02}", full_year, month, day, hour, minute,
                     second);
}

std::string type_of(bool bdf, std::string_view reserved) {
  const bool plus = reserved.starts_with("EDF+") || reserved.starts_with("BDF+");
  const char* ending = plus ? (reserved.substr(4, 1) == "D" ? "+D" : "+C") : "";
  return fmt::format("{}{}", bdf ? "BDF" : "EDF", ending);
}

/// The fixed part; returns the number of signals.
std::int64_t read_fixed(std::string_view text, EdfHeader& header) {
  const bool bdf = text.starts_with(
      "\xff"
      "BIOSEMI");
  if (!bdf && Fields(text).next(8) != "0") {
    refuse("is neither EDF nor BDF: the first bytes are none of \"0\" and 255 \"BIOSEMI\"");
  }
  header.sample_bytes = bdf ? 3 : 2;
  Fields fields(text.substr(8));
  header.patient = to_utf8(fields.next(80));
  header.recording = to_utf8(fields.next(80));
  const auto date = fields.next(8);
  const auto time = fields.next(8);
  header.start_time = start_time(date, time, header.recording);
  const auto bytes = fields.next(8);
  header.type = type_of(bdf, fields.next(44));
  header.records = whole_in("number of data records", fields.next(8));
  const auto duration = fields.next(8);
  const double seconds = number_in("duration of a data record", duration);
  if (seconds <= 0) {
    refuse(fmt::format("duration of a data record: {} s is not above zero", duration));
  }
  header.record_s = exact_seconds(seconds);
  if (header.record_s <= Rational(0)) {
    refuse(fmt::format("duration of a data record: {} s is too short", duration));
  }
  const std::int64_t signals = whole_in("number of signals", fields.next(4));
  if (signals < 1) {
    refuse(fmt::format("number of signals: {} is not above zero", signals));
  }
  header.header_bytes = kFixedBytes + signals * kSignalBytes;
  if (bytes != fmt::format("{}", header.header_bytes)) {
    header.warnings.push_back(fmt::format(
        "the header says that it takes \"{}\" bytes, but {} signals take {}; read as the latter",
        printable(to_utf8(bytes)), signals, header.header_bytes));
  }
  return signals;
}

/// "µV" has two spellings in Unicode and one in Latin-1.
std::string plain_unit(std::string_view field) {
  const std::string unit = to_utf8(field);
  return unit == "\u00b5V" || unit == "\u03bcV" ? "uV" : unit;
}

/// Every field of all signals stands together: all labels, then all transducers, and so on.
void read_signals(std::string_view text, EdfHeader& header) {
  Fields fields(text);
  auto& signals = header.signals;
  const auto each = [&](std::size_t width,
                        const std::function<void(EdfSignal&, std::string_view)>& take) {
    for (std::size_t i = 0; i < signals.size(); ++i) {
      const std::string_view field = fields.next(width);
      in_context(fmt::format("signal {} ({})", i, printable(signals[i].label)),
                 [&] { take(signals[i], field); });
    }
  };
  const auto number = [&](double EdfSignal::* member, const char* name) {
    each(8, [=](EdfSignal& signal, std::string_view field) {
      signal.*member = signal.annotations ? 0 : number_in(name, field);
    });
  };
  each(16, [](EdfSignal& signal, std::string_view field) {
    signal.label = to_utf8(field);
    signal.annotations = field == "EDF Annotations" || field == "BDF Annotations";
  });
  each(80, [](EdfSignal&, std::string_view) {});  // The transducer.
  each(8, [](EdfSignal& signal, std::string_view field) { signal.unit = plain_unit(field); });
  number(&EdfSignal::physical_min, "physical minimum");
  number(&EdfSignal::physical_max, "physical maximum");
  number(&EdfSignal::digital_min, "digital minimum");
  number(&EdfSignal::digital_max, "digital maximum");
  each(80, [](EdfSignal& signal, std::string_view field) { signal.prefilter = to_utf8(field); });
  each(8, [&](EdfSignal& signal, std::string_view field) {
    signal.samples = whole_in("samples in a data record", field);
    if (signal.samples < 0) {
      refuse(fmt::format("samples in a data record: {} cannot be", signal.samples));
    }
    signal.record_byte = header.record_bytes;
    header.record_bytes += signal.samples * header.sample_bytes;
  });
}
}  // namespace

const EdfSignal* EdfHeader::timekeeper() const noexcept {
  const auto found = std::find_if(signals.begin(), signals.end(),
                                  [](const EdfSignal& signal) { return signal.annotations; });
  return found == signals.end() ? nullptr : &*found;
}

EdfHeader read_edf_header(const InputFile& file) {
  EdfHeader header;
  std::string fixed(kFixedBytes, '\0');
  file.read(0, std::as_writable_bytes(std::span(fixed)));
  const std::int64_t count = read_fixed(fixed, header);
  if (header.header_bytes > file.size()) {
    refuse(fmt::format("ends at byte {}, inside its header of {} signals, {} bytes",
                       grouped(file.size()), count, grouped(header.header_bytes)));
  }
  std::string text(static_cast<std::size_t>(count * kSignalBytes), '\0');
  file.read(kFixedBytes, std::as_writable_bytes(std::span(text)));
  header.signals.resize(static_cast<std::size_t>(count));
  read_signals(text, header);
  if (header.record_bytes == 0) {
    refuse("samples in a data record: 0 for every signal");
  }
  return header;
}

Channel edf_channel(const EdfSignal& signal, std::int64_t index,
                    std::vector<std::string>& warnings) {
  Channel channel;
  channel.name = signal.label.empty() ? fmt::format("ch{}", index) : signal.label;
  channel.source_index = index;
  const double physical = signal.physical_max - signal.physical_min;
  const double digital = signal.digital_max - signal.digital_min;
  const double gain = physical / digital;
  const double offset = signal.physical_min - gain * signal.digital_min;
  if (digital == 0 || physical == 0 || !std::isfinite(gain) || !std::isfinite(offset)) {
    warnings.push_back(fmt::format(
        "signal {} ({}): physical range {} to {} over digital {} to {} gives no scale; read as "
        "counts",
        index, printable(channel.name), signal.physical_min, signal.physical_max,
        signal.digital_min, signal.digital_max));
    return channel;
  }
  channel.unit = signal.unit;
  channel.gain = gain;
  channel.offset = offset;
  return channel;
}

std::optional<Rational> edf_onset(std::string_view text) {
  constexpr std::string_view kEnds{"\x14\x15\0", 3};
  const std::string_view onset = text.substr(0, text.find_first_of(kEnds));
  if (onset.empty() || (onset.front() != '+' && onset.front() != '-')) {
    return std::nullopt;
  }
  try {
    return exact_seconds(parse_number(onset));
  } catch (const Error&) {
    return std::nullopt;
  }
}

}  // namespace weir::formats
