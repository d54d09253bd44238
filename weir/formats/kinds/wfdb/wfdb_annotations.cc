#include "weir/formats/kinds/wfdb/wfdb_annotations.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <string_view>

#include "weir/core/error.h"
#include "weir/core/text.h"
#include "weir/formats/event_source.h"
#include "weir/formats/text_encoding.h"

namespace weir::formats {
namespace {
constexpr std::int64_t kFarthest = std::int64_t{1} << 61;
constexpr unsigned kNote = 22;

/// Letters of the codes 0 to 41; a blank for those that have none.
/// Source: WFDB Applications Guide, table of annotation codes (ecgcodes).
constexpr std::string_view kLetters = " NLRaVFJASEj/Q~ | sT*D\"=pB^t+u?![]en@xf()r";
static_assert(kLetters.size() == 42);

enum Special : unsigned { skip = 59, num = 60, sub = 61, chn = 62, aux = 63 };

class Reader {
 public:
  explicit Reader(std::span<const std::byte> bytes) : bytes_(bytes) {}

  WfdbAnnotations read() {
    while (take_word()) {
      if (word_ == 0) {
        finish_row();
        return std::move(found_);
      }
      take_field(word_ >> 10U, word_ & 0x3ffU);
      if (!found_.damage.empty()) {
        break;
      }
    }
    finish_row();
    if (found_.damage.empty()) {
      found_.damage = fmt::format("ends without its mark, after {} bytes", bytes_.size());
    }
    return std::move(found_);
  }

 private:
  bool take_word() {
    if (bytes_.size() - at_ < 2) {
      return false;
    }
    word_ = std::to_integer<unsigned>(bytes_[at_]) | std::to_integer<unsigned>(bytes_[at_ + 1])
                                                         << 8U;
    at_ += 2;
    return true;
  }

  void take_field(unsigned type, unsigned value) {
    switch (type) {
      case skip:
        take_skip();
        break;
      case num:
        number_ = value;
        break;
      case sub:
        subtype_ = value;
        break;
      case chn:
        channel_ = value;
        break;
      case aux:
        take_text(value);
        break;
      default:
        finish_row();
        step(static_cast<std::int64_t>(value) + skipped_);
        skipped_ = 0;
        code_ = type;
        subtype_ = 0;
        text_.clear();
    }
  }

  /// Four bytes, the upper two first, each pair the lower byte first: the order of a PDP-11.
  void take_skip() {
    if (!take_word()) {
      return damage("a long interval");
    }
    const unsigned high = word_;
    if (!take_word()) {
      return damage("a long interval");
    }
    skipped_ += static_cast<std::int32_t>(high << 16U | word_);
  }

  void take_text(unsigned length) {
    if (bytes_.size() - at_ < length) {
      return damage("a text");
    }
    const auto* begin = reinterpret_cast<const char*>(bytes_.data()) + at_;
    const std::string_view text(begin, length);
    text_ = to_utf8(text.substr(0, text.find('\0')));
    at_ = std::min(bytes_.size(), at_ + length + length % 2);
  }

  void damage(std::string_view what) {
    found_.damage = fmt::format("ends inside {}, after {} bytes", what, bytes_.size());
  }

  void step(std::int64_t samples) {
    sample_ += samples;
    if (sample_ > kFarthest || sample_ < -kFarthest) {
      throw Error(ErrorCode::corrupt_data,
                  fmt::format("byte {}: sample {} is no time in a recording", at_, sample_));
    }
  }

  /// Notes in front of all that say how the file is to be read.
  bool take_definition() {
    constexpr std::string_view kResolution = "## time resolution:";
    if (code_ != kNote || sample_ != 0) {
      return false;
    }
    if (text_.starts_with(kResolution)) {
      try {
        found_.rate = SampleRate::from_hz(parse_number(text_.substr(kResolution.size())));
      } catch (const Error&) {  // NOLINT(bugprone-empty-catch): a note like any other.
      }
      return found_.rate.has_value();
    }
    if (text_ == "## annotation type definitions") {
      defining_ = true;
      return true;
    }
    if (text_ == "## end of definitions") {
      defining_ = false;
      return true;
    }
    return defining_ && take_letter();
  }

  /// "45 x what it is": a letter of the file's own.
  bool take_letter() {
    const auto words = split(text_, ' ');
    try {
      const std::int64_t code = parse_integer(words[0]);
      if (words.size() > 1 && code > 0 && code < 50) {
        own_[static_cast<unsigned>(code)] = words[1];
        return true;
      }
    } catch (const Error&) {  // NOLINT(bugprone-empty-catch): a note like any other.
    }
    return false;
  }

  std::string letter() const {
    if (const auto own = own_.find(code_.value()); own != own_.end()) {
      return own->second;
    }
    const bool known = *code_ < kLetters.size() && (kLetters[*code_] != ' ' || *code_ == 0);
    return known ? std::string(1, kLetters[*code_]) : fmt::format("code {}", *code_);
  }

  void finish_row() {
    // Code 0 without a text is no annotation: programs put it where an interval needs a carrier.
    if (!code_ || (*code_ == 0 && text_.empty()) || take_definition()) {
      code_.reset();
      return;
    }
    if (std::ssize(found_.rows) == kMostHeldEvents) {
      throw Error(ErrorCode::unsupported,
                  fmt::format("more than {} annotations", grouped(kMostHeldEvents)));
    }
    found_.plain += subtype_ != 0 || channel_ != 0 || number_ != 0 ? 1 : 0;
    found_.rows.push_back({text_.empty() ? letter() : letter() + " " + text_, sample_});
    code_.reset();
  }

  std::span<const std::byte> bytes_;
  std::size_t at_ = 0;
  unsigned word_ = 0;
  WfdbAnnotations found_;
  std::optional<unsigned> code_;  ///< Of the row whose fields are being read.
  std::int64_t sample_ = 0;
  std::int64_t skipped_ = 0;
  unsigned subtype_ = 0;  ///< Of this row alone; the other two stay for those that follow.
  unsigned channel_ = 0;
  unsigned number_ = 0;
  std::string text_;
  bool defining_ = false;
  std::map<unsigned, std::string> own_;
};
}  // namespace

WfdbAnnotations read_wfdb_annotations(std::span<const std::byte> bytes) {
  return Reader(bytes).read();
}

}  // namespace weir::formats
