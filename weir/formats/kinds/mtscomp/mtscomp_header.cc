#include "weir/formats/kinds/mtscomp/mtscomp_header.h"

#include <fmt/format.h>

#include <algorithm>

#include "weir/core/error.h"
#include "weir/core/text.h"
#include "weir/formats/dense_source.h"
#include "weir/formats/numpy_type.h"
#include "weir/formats/running_sum.h"
#include "weir/formats/stored_samples.h"

namespace weir::formats {
namespace {
constexpr std::int64_t kLargestChunk = std::int64_t{1} << 30;

[[noreturn]] void refuse(const std::string& text) {
  throw Error(ErrorCode::corrupt_data, text);
}

/// Numbers that start at 0 and grow.
std::vector<std::int64_t> growing(const Value& document, std::string_view key) {
  return in_context(key, [&] {
    std::vector<std::int64_t> list;
    for (const auto& item : document.at(key).as_array()) {
      const std::int64_t number = item.as_integer();
      if (list.empty() ? number != 0 : number <= list.back()) {
        refuse(fmt::format("entry {} is {}; they start at 0 and grow", list.size(), number));
      }
      list.push_back(number);
    }
    if (list.empty()) {
      refuse("is empty");
    }
    return list;
  });
}

bool truth(const Value& document, std::string_view key, bool otherwise) {
  const Value* value = document.find(key);
  return value == nullptr || value->is_null() ? otherwise
                                              : in_context(key, [&] { return value->as_bool(); });
}

SampleOrder order_of(const Value& document) {
  const Value* order = document.find("chunk_order");
  if (order == nullptr || *order == Value("C")) {
    return SampleOrder::time_major;  // Before it could be chosen.
  }
  if (*order != Value("F")) {
    refuse(fmt::format("chunk_order: {} is neither \"C\" nor \"F\"", to_json(*order)));
  }
  return SampleOrder::channel_major;
}

void check_sizes(const MtscompHeader& header) {
  if (header.bounds.size() != header.offsets.size()) {
    refuse(fmt::format("chunk_bounds: {} entries, but chunk_offsets has {}", header.bounds.size(),
                       header.offsets.size()));
  }
  std::int64_t bytes = stored_bytes(header.type) * header.channels;
  if (__builtin_mul_overflow(bytes, header.longest_chunk(), &bytes) || bytes > kLargestChunk) {
    throw Error(ErrorCode::unsupported,
                fmt::format("chunk_bounds: a chunk of {} frames of {} channels takes more than 1 "
                            "GiB",
                            header.longest_chunk(), header.channels));
  }
}
}  // namespace

std::int64_t MtscompHeader::longest_chunk() const noexcept {
  std::int64_t longest = 1;
  for (std::size_t i = 1; i < bounds.size(); ++i) {
    longest = std::max(longest, bounds[i] - bounds[i - 1]);
  }
  return longest;
}

bool is_mtscomp_header(const Value& document) {
  return document.find("chunk_bounds") != nullptr && document.find("chunk_offsets") != nullptr &&
         document.find("n_channels") != nullptr;
}

MtscompHeader parse_mtscomp_header(const Value& document) {
  const Value* algorithm = document.find("algorithm");
  if (algorithm != nullptr && *algorithm != Value("zlib")) {
    throw Error(ErrorCode::unsupported,
                fmt::format("algorithm: {} is not read; zlib is", printable(to_json(*algorithm))));
  }
  MtscompHeader header;
  header.rate_hz =
      in_context("sample_rate", [&] { return document.at("sample_rate").as_number(); });
  header.channels = in_context(
      "n_channels", [&] { return checked_channels(document.at("n_channels").as_integer()); });
  const NumpyType type =
      in_context("dtype", [&] { return numpy_type(document.at("dtype").as_string()); });
  header.type = type.type;
  header.big_endian = type.big_endian;
  header.time_differences = truth(document, "do_time_diff", true);
  header.space_differences = truth(document, "do_spatial_diff", false);
  if ((header.time_differences || header.space_differences) && !can_be_summed(header.type)) {
    throw Error(ErrorCode::unsupported, fmt::format("dtype: differences of {}", name(header.type)));
  }
  header.order = order_of(document);
  header.bounds = growing(document, "chunk_bounds");
  header.offsets = growing(document, "chunk_offsets");
  check_sizes(header);
  return header;
}

}  // namespace weir::formats
