#include "weir/formats/kinds/intan/intan_header.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <map>
#include <optional>

#include "weir/core/error.h"
#include "weir/formats/text_encoding.h"

namespace weir::formats {
namespace {
constexpr std::uint32_t kRhd = 0xc6912702U;
constexpr std::uint32_t kRhs = 0xd69127acU;
constexpr std::int64_t kMostHeaderBytes = std::int64_t{8} << 20;

[[noreturn]] void refuse(const std::string& text) {
  throw Error(ErrorCode::corrupt_data, text);
}

/// Bytes of the two kinds of numbers a header is made of.
constexpr std::size_t kInteger = 2;
constexpr std::size_t kReal = 4;

/// Little-endian fields, one after the other.
class Cursor {
 public:
  explicit Cursor(const InputFile& file)
      : text_(static_cast<std::size_t>(std::min(file.size(), kMostHeaderBytes)), '\0') {
    file.read(0, std::as_writable_bytes(std::span(text_)));
  }

  std::int64_t place() const noexcept { return static_cast<std::int64_t>(at_); }

  template <class T>
  T next() {
    T value{};
    take(sizeof value).copy(reinterpret_cast<char*>(&value), sizeof value);
    return value;
  }
  std::int64_t integer() { return next<std::int16_t>(); }
  void skip(std::size_t bytes) { take(bytes); }

  /// A length in bytes, 2^32 - 1 for none, and UTF-16.
  std::string text() {
    const auto length = next<std::uint32_t>();
    return length == 0xffffffffU ? std::string() : from_utf16(take(length));
  }

 private:
  std::string_view take(std::size_t bytes) {
    if (bytes > text_.size() - at_) {
      refuse(fmt::format("its header of at least {} bytes ends at byte {}", at_ + bytes,
                         text_.size()));
    }
    const std::string_view part = std::string_view(text_).substr(at_, bytes);
    at_ += bytes;
    return part;
  }

  std::string text_;
  std::size_t at_ = 0;
};

/// Scale of one kind of channel.
struct Kind {
  const char* name;
  const char* unit;
  double gain;
  double zero;       ///< The count of 0.
  int rate_divisor;  ///< Of the amplifiers' rate; 0 for one sample a block.
};

/// Kinds by `signal_type` of a header, RHD then RHS.
std::optional<Kind> kind_of(bool stimulator, std::int64_t type, std::int64_t board_mode) {
  const double half = 32768;
  const Kind input = stimulator || board_mode == 13 ? Kind{"analogin", "V", 0.0003125, half, 1}
                     : board_mode == 1              ? Kind{"analogin", "V", 0.00015259, half, 1}
                                                    : Kind{"analogin", "V", 0.000050354, 0, 1};
  const std::map<std::int64_t, Kind> rhd{
      {0, {"amplifier", "uV", 0.195, half, 1}}, {1, {"auxiliary", "V", 0.0000374, 0, 4}},
      {2, {"supply", "V", 0.0000748, 0, 0}},    {3, input},
      {4, {"digitalin", "", 1, 0, 1}},          {5, {"digitalout", "", 1, 0, 1}}};
  const std::map<std::int64_t, Kind> rhs{{0, {"amplifier", "uV", 0.195, half, 1}},
                                         {3, input},
                                         {4, {"analogout", "V", 0.0003125, half, 1}},
                                         {5, {"digitalin", "", 1, 0, 1}},
                                         {6, {"digitalout", "", 1, 0, 1}}};
  const auto& kinds = stimulator ? rhs : rhd;
  const auto found = kinds.find(type);
  return found == kinds.end() ? std::nullopt : std::optional(found->second);
}

Channel channel_of(const Kind& kind, const std::string& name, const std::string& group,
                   std::int64_t index) {
  Channel channel;
  channel.name = name;
  channel.source_index = index;
  channel.gain = kind.gain;
  channel.offset = -kind.zero * kind.gain;
  channel.unit = kind.unit;
  channel.group = group;
  return channel;
}

/// Reads the header and collects streams by name.
class Reader {
 public:
  explicit Reader(const InputFile& file) : cursor_(file) {}

  IntanHeader read() {
    const auto magic = cursor_.next<std::uint32_t>();
    if (magic != kRhd && magic != kRhs) {
      refuse("starts with the number of neither RHD nor RHS files");
    }
    header_.stimulator = magic == kRhs;
    header_.major = static_cast<int>(cursor_.integer());
    header_.minor = static_cast<int>(cursor_.integer());
    const double rate = cursor_.next<float>();
    if (!std::isfinite(rate) || rate <= 0) {
      refuse(fmt::format("sampling rate: {} Hz is not above zero", rate));
    }
    // Stored as float32: 30000, not what its digits would make of it.
    header_.rate = SampleRate(Rational::from_decimal(std::round(rate * 1000) / 1000));
    header_.block_frames = header_.stimulator || header_.major >= 2 ? 128 : 60;
    header_.stimulator ? read_rhs_settings() : read_rhd_settings();
    read_groups();
    header_.header_bytes = cursor_.place();
    arrange();
    return std::move(header_);
  }

 private:
  bool at_least(int major, int minor) const noexcept {
    return header_.major > major || (header_.major == major && header_.minor >= minor);
  }

  void read_notch_and_notes(std::size_t between) {
    const std::int64_t notch = cursor_.integer();
    header_.notch_hz = notch == 1 ? 50 : notch == 2 ? 60 : 0;
    cursor_.skip(between);
    for (int note = 0; note < 3; ++note) {
      std::string text = cursor_.text();
      if (!text.empty()) {
        header_.notes.push_back(std::move(text));
      }
    }
  }

  void read_rhd_settings() {
    cursor_.skip(kInteger + 6 * kReal);  // DSP, cut-off frequencies.
    read_notch_and_notes(2 * kReal);
    temperatures_ = at_least(1, 1) ? cursor_.integer() : 0;
    board_mode_ = at_least(1, 3) ? cursor_.integer() : 0;
    if (at_least(2, 0)) {
      cursor_.text();  // The reference channel.
    }
    if (temperatures_ < 0) {
      refuse(fmt::format("number of temperature sensors: {} cannot be", temperatures_));
    }
  }

  void read_rhs_settings() {
    cursor_.skip(kInteger + 8 * kReal);              // DSP, cut-off frequencies.
    read_notch_and_notes(5 * kReal + 2 * kInteger);  // Impedance tests, recovery, stimulation step.
    header_.dc_saved = cursor_.integer() != 0;
    board_mode_ = cursor_.integer();
    cursor_.text();  // The reference channel.
  }

  void read_groups() {
    const std::int64_t groups = cursor_.integer();
    for (std::int64_t g = 0; g < groups; ++g) {
      cursor_.text();
      const std::string prefix = cursor_.text();
      const bool enabled = cursor_.integer() != 0;
      const std::int64_t channels = cursor_.integer();
      cursor_.skip(kInteger);
      for (std::int64_t c = 0; enabled && c < channels; ++c) {
        read_channel(prefix);
      }
    }
  }

  void read_channel(const std::string& prefix) {
    const std::string name = cursor_.text();
    cursor_.text();  // The name a user gave.
    cursor_.skip(2 * kInteger);
    const std::int64_t type = cursor_.integer();
    const bool enabled = cursor_.integer() != 0;
    cursor_.skip((header_.stimulator ? 7 : 6) * kInteger + 2 * kReal);
    const auto kind = kind_of(header_.stimulator, type, board_mode_);
    if (!kind) {
      throw Error(ErrorCode::unsupported,
                  fmt::format("channel {}: a signal of type {} is not known", name, type));
    }
    if (!enabled) {
      return;
    }
    auto& stream = streams_[kind->name];
    // The lines of a port share one word.
    if (kind->unit[0] != '\0' || stream.channels.empty()) {
      const bool word = kind->unit[0] == '\0';
      const bool electrode = std::string_view(kind->name) == "amplifier";
      stream.channels.push_back(channel_of(*kind, word ? kind->name : name, electrode ? prefix : "",
                                           std::ssize(stream.channels)));
    }
    stream.name = kind->name;
    stream.block_samples = kind->rate_divisor == 0 ? 1 : header_.block_frames / kind->rate_divisor;
  }

  /// Copies of the amplifiers under other names: their direct currents and stimulation words.
  void add_twin(const char* name, const char* ending, const Kind& kind) {
    const auto amplifiers = streams_.find("amplifier");
    if (amplifiers == streams_.end()) {
      return;
    }
    IntanStream twin;
    for (const auto& channel : amplifiers->second.channels) {
      twin.channels.push_back(
          channel_of(kind, channel.name + ending, channel.group, channel.source_index));
    }
    twin.name = name;
    twin.block_samples = header_.block_frames;
    streams_[name] = std::move(twin);
  }

  void add_temperatures() {
    for (std::int64_t i = 0; i < temperatures_; ++i) {
      streams_["temperature"].channels.push_back(
          channel_of({"temperature", "degC", 0.01, 0, 0}, fmt::format("temperature {}", i), "", i));
    }
    if (temperatures_ > 0) {
      streams_["temperature"].name = "temperature";
      streams_["temperature"].block_samples = 1;
      streams_["temperature"].type = StoredType::int16;
    }
  }

  void arrange() {
    if (header_.stimulator) {
      if (header_.dc_saved) {
        add_twin("dcamplifier", "_DC", {"dcamplifier", "mV", 19.23, 512, 1});
      }
      add_twin("stim", "_STIM", {"stim", "", 1, 0, 1});
    }
    add_temperatures();
    for (const char* name : {"amplifier", "dcamplifier", "stim", "auxiliary", "supply",
                             "temperature", "analogin", "analogout", "digitalin", "digitalout"}) {
      const auto found = streams_.find(name);
      if (found != streams_.end()) {
        found->second.rate = SampleRate(
            header_.rate.exact() * Rational(found->second.block_samples, header_.block_frames));
        header_.streams.push_back(std::move(found->second));
      }
    }
    if (header_.streams.empty()) {
      throw Error(ErrorCode::unsupported, "no channel is enabled");
    }
  }

  Cursor cursor_;
  IntanHeader header_;
  std::map<std::string, IntanStream, std::less<>> streams_;
  std::int64_t temperatures_ = 0;
  std::int64_t board_mode_ = 0;
};
}  // namespace

std::int64_t IntanHeader::block_bytes() const noexcept {
  std::int64_t samples = 0;
  for (const auto& stream : streams) {
    samples += stream.block_samples * std::ssize(stream.channels);
  }
  return 4 * block_frames + 2 * samples;
}

IntanHeader read_intan_header(const InputFile& file) {
  return Reader(file).read();
}

bool is_intan(std::span<const std::byte> head) noexcept {
  std::uint32_t magic = 0;
  if (head.size() < sizeof magic) {
    return false;
  }
  std::memcpy(&magic, head.data(), sizeof magic);
  return magic == kRhd || magic == kRhs;
}

}  // namespace weir::formats
