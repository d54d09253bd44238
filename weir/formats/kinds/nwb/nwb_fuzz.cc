#include <algorithm>
#include <cmath>
#include <cstring>
#include <map>
#include <set>
#include <utility>

#include "weir/core/error.h"
#include "weir/core/text.h"
#include "weir/formats/kinds/nwb/nwb.h"
#include "weir/formats/kinds/nwb/nwb_events.h"
#include "weir/formats/stored_samples.h"
#include "weir/testing/format_conformance.h"
#include "weir/testing/fuzz.h"

namespace weir::formats {
namespace {
namespace fs = std::filesystem;

struct Described {
  Hdf5Array array;
  std::vector<double> numbers;
  std::vector<std::string> texts;
};

struct Attribute {
  char kind = 't';
  std::string value;
};

std::vector<std::int64_t> axes_of(const std::string& word) {
  std::vector<std::int64_t> axes;
  for (const auto& part : word == "-" ? std::vector<std::string>() : split(word, ',')) {
    axes.push_back(std::max(std::int64_t{0}, parse_integer(part)));
  }
  return axes;
}

void put(StoredType type, double number, std::byte* to) {
  if (type == StoredType::float64) {
    std::memcpy(to, &number, sizeof number);
  } else if (type == StoredType::float32) {
    const auto single = static_cast<float>(std::clamp(number, -3e38, 3e38));
    std::memcpy(to, &single, sizeof single);
  } else {
    const std::int64_t whole = std::abs(number) < 9e18 ? static_cast<std::int64_t>(number) : 0;
    std::memcpy(to, &whole, static_cast<std::size_t>(stored_bytes(type)));
  }
}

class DescribedDataset final : public Hdf5Dataset {
 public:
  explicit DescribedDataset(const Described& described) : described_(described) {}
  const Hdf5Array& array() const noexcept override { return described_.array; }

  void read(std::span<const std::int64_t> first, std::span<const std::int64_t> count,
            std::span<std::byte> bytes) const override {
    const StoredType type = described_.array.type.value();
    const auto size = static_cast<std::size_t>(stored_bytes(type));
    std::int64_t numbers = 1;
    for (std::size_t axis = 0; axis < count.size(); ++axis) {
      WEIR_CHECK(first[axis] >= 0 && count[axis] >= 0 &&
                 first[axis] <= described_.array.shape[axis] - count[axis]);
      numbers *= count[axis];
    }
    WEIR_CHECK(first.size() == described_.array.shape.size() && count.size() == first.size());
    WEIR_CHECK(bytes.size() == static_cast<std::size_t>(numbers) * size);
    for (std::int64_t i = 0; i < numbers; ++i) {
      put(type, number_at(first, count, i), bytes.data() + static_cast<std::size_t>(i) * size);
    }
  }

  std::vector<std::string> texts(std::int64_t count) const override {
    WEIR_CHECK(described_.array.text);
    std::vector<std::string> texts(static_cast<std::size_t>(count));
    for (std::size_t i = 0; i < texts.size() && !described_.texts.empty(); ++i) {
      texts[i] = described_.texts[i % described_.texts.size()];
    }
    return texts;
  }

 private:
  /// Number `i` of a box, whose last axis goes fastest.
  double number_at(std::span<const std::int64_t> first, std::span<const std::int64_t> count,
                   std::int64_t i) const {
    if (described_.numbers.empty()) {
      return 0;
    }
    std::uint64_t place = 0;
    std::uint64_t step = 1;
    for (std::size_t axis = first.size(); axis-- > 0;) {
      place += step * static_cast<std::uint64_t>(first[axis] + i % count[axis]);
      step *= static_cast<std::uint64_t>(described_.array.shape[axis]);
      i /= count[axis];
    }
    return described_.numbers[place % described_.numbers.size()];
  }

  const Described& described_;
};

/// An HDF5 file that a text describes, for tests and the fuzzer: what the library would hand out,
/// however odd, without its parser. A line each:
///   D path type axes chunk values…   numbers; axes and chunk as "20,2", "-" for none; a type of
///                                    `StoredType`, "!" for one that is not read
///   T path axes texts…               strings
///   A path name n|t|r value          an attribute: a number, a text, a reference
/// Values are repeated as often as the axes need. Lines that are none of these are skipped.
class DescribedFile final : public Hdf5File {
 public:
  explicit DescribedFile(std::string_view text) {
    for (const auto& line : split(std::string(text), '\n')) {
      try {
        take(split(line, ' '));
      } catch (const Error&) {
        continue;  // A number that is none.
      }
    }
  }

  std::vector<std::string> members(const std::string& group) const override {
    const std::string front = group.ends_with('/') ? group : group + "/";
    std::set<std::string> names;
    for (const auto& path : paths_) {
      if (path.starts_with(front) && path.size() > front.size()) {
        names.insert(path.substr(front.size(), path.find('/', front.size()) - front.size()));
      }
    }
    return {names.begin(), names.end()};
  }
  std::unique_ptr<Hdf5Dataset> dataset(const std::string& path, std::size_t) const override {
    const auto found = datasets_.find(path);
    return found == datasets_.end() ? nullptr : std::make_unique<DescribedDataset>(found->second);
  }
  std::optional<std::string> text_attribute(const std::string& object,
                                            const std::string& name) const override {
    return value_of(object, name, 't');
  }
  std::optional<double> number_attribute(const std::string& object,
                                         const std::string& name) const override {
    const auto value = value_of(object, name, 'n');
    return value ? std::optional(parse_number(*value)) : std::nullopt;
  }
  std::optional<std::string> reference_attribute(const std::string& object,
                                                 const std::string& name) const override {
    return value_of(object, name, 'r');
  }

 private:
  void take(const std::vector<std::string>& words) {
    if (words.size() >= 5 && words[0] == "D") {
      Described described;
      Hdf5Array& array = described.array;
      array.shape = axes_of(words[3]);
      array.chunk = axes_of(words[4]);
      if (words[2] == "!") {
        array.problem = "is compressed by a filter that is not read";
      } else {
        array.type = stored_type(words[2]);
        array.chunk_bytes = array.chunk.empty() ? 0 : stored_bytes(*array.type);
      }
      for (const std::int64_t length : array.chunk) {
        if (__builtin_mul_overflow(array.chunk_bytes, length, &array.chunk_bytes)) {
          array.chunk_bytes = INT64_MAX;
        }
      }
      for (std::size_t i = 5; i < words.size(); ++i) {
        described.numbers.push_back(parse_number(words[i]));
      }
      keep(words[1], std::move(described));
    } else if (words.size() >= 3 && words[0] == "T") {
      Described described;
      described.array.text = true;
      described.array.shape = axes_of(words[2]);
      described.texts.assign(words.begin() + 3, words.end());
      keep(words[1], std::move(described));
    } else if (words.size() == 5 && words[0] == "A" && words[3].size() == 1) {
      if (words[3] == "n") {
        static_cast<void>(parse_number(words[4]));
      }
      paths_.insert(words[1]);
      attributes_[{words[1], words[2]}] = {words[3][0], words[4]};
    }
  }
  void keep(const std::string& path, Described described) {
    paths_.insert(path);
    datasets_.insert_or_assign(path, std::move(described));
  }
  std::optional<std::string> value_of(const std::string& object, const std::string& name,
                                      char kind) const {
    const auto found = attributes_.find({object, name});
    return found == attributes_.end() || found->second.kind != kind
               ? std::nullopt
               : std::optional(found->second.value);
  }

  std::set<std::string> paths_;
  std::map<std::string, Described> datasets_;
  std::map<std::pair<std::string, std::string>, Attribute> attributes_;
};
std::shared_ptr<const Hdf5File>& file() {
  static std::shared_ptr<const Hdf5File> described;
  return described;
}

/// NWB in the file that is described.
const Format& described_format() {
  static const Format kFormat{
      .name = "nwb",
      .summary = "NWB in a described file",
      .extensions = {},
      .open = [](const fs::path& path,
                 const OpenOptions& options) { return open_nwb(file(), path, options); },
      .list_events =
          [](const fs::path& path, const OpenOptions& options) {
            return list_nwb_events(*file(), path, options);
          },
      .open_events =
          [](const fs::path& path, const OpenOptions& options) {
            return open_nwb_events(*file(), path, options);
          },
  };
  return kFormat;
}
}  // namespace

/// What we make of what HDF5 hands out, described by a text. HDF5's own parser is not tried: that
/// of Debian 12 never returns from some damaged files.
WEIR_FUZZ(nwb) {
  file() = std::make_shared<DescribedFile>(
      std::string_view(reinterpret_cast<const char*>(input.data()), input.size()));
  weir::testing::try_source(described_format(), "a.nwb");
  weir::testing::try_events(described_format(), "a.nwb");
  OpenOptions options;
  options.raw.set("rate_hz", 1000);
  weir::testing::try_events(described_format(), "a.nwb", options);
}

}  // namespace weir::formats
