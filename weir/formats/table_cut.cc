#include "weir/formats/table_cut.h"

#include <fmt/format.h>

#include <array>
#include <cctype>
#include <cmath>

#include "weir/core/error.h"
#include "weir/core/text.h"

namespace weir::formats {
namespace {
struct Word {
  std::string_view text;
  CutOperator comparison;
};
/// The longer of two that begin alike stands first.
constexpr std::array<Word, 6> kComparisons{{{"<=", CutOperator::at_most},
                                            {">=", CutOperator::at_least},
                                            {"==", CutOperator::equal},
                                            {"!=", CutOperator::unequal},
                                            {"<", CutOperator::less},
                                            {">", CutOperator::more}}};

CutOperator mirrored(CutOperator comparison) {
  switch (comparison) {
    case CutOperator::less:
      return CutOperator::more;
    case CutOperator::at_most:
      return CutOperator::at_least;
    case CutOperator::more:
      return CutOperator::less;
    case CutOperator::at_least:
      return CutOperator::at_most;
    default:
      return comparison;
  }
}

class Parser {
 public:
  explicit Parser(std::string_view text) : text_(text) {}

  TableCut cut() {
    TableCut cut;
    while (true) {
      cut.terms.push_back(term());
      skip_space();
      if (at_ == text_.size()) {
        return cut;
      }
      if (word() != "and") {
        refuse("\"and\" or the end");
      }
    }
  }

 private:
  [[noreturn]] void refuse(std::string_view expected) const {
    throw Error(ErrorCode::invalid_spec, fmt::format("where: \"{}\": expected {} at character {}",
                                                     printable(text_), expected, at_ + 1));
  }

  void skip_space() {
    while (at_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[at_])) != 0) {
      ++at_;
    }
  }

  bool in_word(char letter) const {
    return std::isalnum(static_cast<unsigned char>(letter)) != 0 || letter == '_' ||
           letter == '.' || letter == '[' || letter == ']';
  }

  std::string word() {
    const std::size_t first = at_;
    while (at_ < text_.size() && in_word(text_[at_])) {
      ++at_;
    }
    return std::string(text_.substr(first, at_ - first));
  }

  bool number_is_next() const {
    const char letter = at_ < text_.size() ? text_[at_] : '\0';
    return std::isdigit(static_cast<unsigned char>(letter)) != 0 || letter == '-' ||
           letter == '+' || letter == '.';
  }

  double number() {
    const std::size_t first = at_;
    while (at_ < text_.size() &&
           (in_word(text_[at_]) ||
            ((text_[at_] == '-' || text_[at_] == '+') &&
             (at_ == first || text_[at_ - 1] == 'e' || text_[at_ - 1] == 'E')))) {
      ++at_;
    }
    auto written = text_.substr(first, at_ - first);
    if (!written.empty() && written.front() == '+') {
      written.remove_prefix(1);
    }
    double value = std::nan("");
    try {
      value = parse_number(written);
    } catch (const Error&) {
      value = std::nan("");  // Refused below, with its place.
    }
    if (std::isnan(value)) {
      at_ = first;
      refuse("a number");
    }
    return value;
  }

  std::string column() {
    if (at_ < text_.size() && (text_[at_] == '"' || text_[at_] == '\'')) {
      const auto end = text_.find(text_[at_], at_ + 1);
      if (end == std::string_view::npos) {
        refuse("the end of the quotes");
      }
      const std::string name(text_.substr(at_ + 1, end - at_ - 1));
      at_ = end + 1;
      return name;
    }
    const std::size_t first = at_;
    auto name = word();
    if (name.empty() || name == "and" || std::isdigit(static_cast<unsigned char>(name[0])) != 0) {
      at_ = first;
      refuse("the name of a column");
    }
    return name;
  }

  CutOperator comparison() {
    skip_space();
    for (const auto& known : kComparisons) {
      if (text_.substr(at_).starts_with(known.text)) {
        at_ += known.text.size();
        return known.comparison;
      }
    }
    refuse("one of < <= > >= == !=");
  }

  CutTerm term() {
    skip_space();
    CutTerm term;
    if (number_is_next()) {
      term.value = number();
      term.comparison = mirrored(comparison());
      skip_space();
      term.column = column();
      return term;
    }
    term.column = column();
    term.comparison = comparison();
    skip_space();
    term.value = number();
    return term;
  }

  std::string_view text_;
  std::size_t at_ = 0;
};
}  // namespace

TableCut TableCut::parse(std::string_view text) {
  return Parser(text).cut();
}

std::vector<TableCut> bin_cuts(const std::string& column, const std::vector<double>& edges) {
  if (edges.size() < 2) {
    throw Error(ErrorCode::invalid_spec,
                fmt::format("bins of {}: {} edges, at least 2", column, edges.size()));
  }
  std::vector<TableCut> cuts;
  for (std::size_t i = 0; i + 1 < edges.size(); ++i) {
    if (!(edges[i] < edges[i + 1])) {
      throw Error(ErrorCode::invalid_spec, fmt::format("bins of {}: edge {} is not below edge {}",
                                                       column, edges[i], edges[i + 1]));
    }
    const bool last = i + 2 == edges.size();
    cuts.push_back({{{column, CutOperator::at_least, edges[i]},
                     {column, last ? CutOperator::at_most : CutOperator::less, edges[i + 1]}}});
  }
  return cuts;
}

bool passes(const CutTerm& term, double value) noexcept {
  switch (term.comparison) {
    case CutOperator::less:
      return value < term.value;
    case CutOperator::at_most:
      return value <= term.value;
    case CutOperator::more:
      return value > term.value;
    case CutOperator::at_least:
      return value >= term.value;
    case CutOperator::equal:
      return value == term.value;
    case CutOperator::unequal:
      return value != term.value;
  }
  return false;
}

bool may_pass(const CutTerm& term, const ColumnRange& range) noexcept {
  switch (term.comparison) {
    case CutOperator::less:
    case CutOperator::at_most:
      return passes(term, range.smallest);
    case CutOperator::more:
    case CutOperator::at_least:
      return passes(term, range.largest);
    case CutOperator::equal:
      return range.smallest <= term.value && term.value <= range.largest;
    case CutOperator::unequal:  // NaN differs from every number.
      return true;
  }
  return true;
}

}  // namespace weir::formats
