#include <fmt/format.h>

#include "weir/core/error.h"
#include "weir/core/text.h"
#include "weir/formats/kinds/root/root_objects_internal.h"

namespace weir::formats {
namespace {
constexpr std::uint32_t kByteCount = 0x40000000;
constexpr std::uint32_t kNewClass = 0xffffffff;
constexpr std::uint32_t kClassMask = 0x80000000;
constexpr std::uint32_t kMapOffset = 2;
constexpr std::uint32_t kIsReferenced = 1U << 4U;
constexpr int kMostDepth = 32;

[[noreturn]] void damaged(const std::string& reason) {
  throw Error(ErrorCode::corrupt_data, reason);
}

/// The object in front of every other: a version and two numbers.
void skip_base(RootBuffer& in) {
  in.skip(2 + 4);
  if ((in.u32() & kIsReferenced) != 0) {
    in.skip(2);
  }
}
}  // namespace

std::string RootObjects::named() {
  const auto header = in_.header();
  skip_base(in_);
  auto name = in_.text();
  in_.skip_to(header.end);
  return name;
}

void RootObjects::skip_object() {
  in_.skip_to(in_.header().end);
}

std::uint32_t RootObjects::object(const Take& take) {
  const std::size_t place = in_.place();
  std::uint32_t tag = in_.u32();
  std::size_t end = 0;
  if ((tag & kByteCount) != 0 && tag != kNewClass) {
    const std::size_t length = tag & ~kByteCount;
    if (length > in_.left()) {
      damaged("an object is longer than its record");
    }
    end = in_.place() + length;
  }
  const std::size_t tag_place = end == 0 ? place : in_.place();
  if (end != 0) {
    tag = in_.u32();
  }
  if ((tag & kClassMask) == 0) {  // Nothing, or an object that stands elsewhere.
    if (end != 0) {
      in_.skip_to(end);
    }
    return tag;
  }
  if (end == 0) {
    damaged("an object does not say how long it is");
  }
  std::string class_name;
  if (tag == kNewClass) {
    class_name = in_.name();
    classes_[static_cast<std::uint32_t>(tag_place + key_bytes_) + kMapOffset] = class_name;
  } else {
    const auto known = classes_.find(tag & ~kClassMask);
    if (known == classes_.end()) {
      damaged("an object is of a class that is not named");
    }
    class_name = known->second;
  }
  take(class_name, place);
  in_.skip_to(end);
  return static_cast<std::uint32_t>(place + key_bytes_) + kMapOffset;
}

void RootObjects::array(const Take& take) {
  const auto header = in_.header();
  skip_base(in_);
  in_.text();
  const std::int32_t count = in_.i32();
  in_.skip(4);  // The lowest index.
  for (std::int32_t i = 0; i < count; ++i) {
    object(take);
  }
  in_.skip_to(header.end);
}

RootLeaf RootObjects::leaf(const std::string& class_name, std::size_t place, int depth) {
  if (depth > kMostDepth) {
    throw Error(ErrorCode::unsupported, fmt::format("counters more than {} deep", kMostDepth));
  }
  RootLeaf leaf;
  leaf.class_name = class_name;
  const auto outer = in_.header();
  const auto base = in_.header();
  leaf.name = named();
  leaf.length = in_.i32();
  in_.skip(4 + 4 + 1);  // Bytes of a number, offset, whether it has a range.
  leaf.is_unsigned = in_.u8() != 0;
  const std::uint32_t counter = object([&](const std::string& counter_class, std::size_t at) {
    this->leaf(counter_class, at, depth + 1);
  });
  leaf.counted = counter != 0;
  if (const auto known = leaves_.find(counter); known != leaves_.end()) {
    leaf.counter = known->second;
  }
  in_.skip_to(base.end);
  in_.skip_to(outer.end);
  leaves_[static_cast<std::uint32_t>(place + key_bytes_) + kMapOffset] = leaf.name;
  return leaf;
}

void RootObjects::baskets(StoredBranch& branch, std::int64_t most) {
  constexpr std::int64_t kBytes = 4 + 8 + 8;
  if (most < 0 || static_cast<std::size_t>(most) > in_.left() / kBytes) {
    damaged(fmt::format("branch {} says it has {} baskets", printable(branch.name), most));
  }
  const auto count = static_cast<std::size_t>(most);
  in_.skip(1);
  in_.skip(4 * count);
  in_.skip(1);
  for (std::size_t i = 0; i < count; ++i) {
    branch.basket_rows.push_back(in_.i64());
  }
  in_.skip(1);
  for (std::size_t i = 0; i < count; ++i) {
    branch.basket_seeks.push_back(in_.i64());
  }
}

void RootObjects::branch_base(StoredBranch& branch, int depth) {
  const auto header = in_.header();
  if (header.version < 10 || header.version > 13) {
    throw Error(ErrorCode::unsupported,
                fmt::format("branches of version {}; 10 to 13 are read", header.version));
  }
  branch.name = named();
  skip_object();  // How it is drawn.
  in_.skip(4 + 4 + 4);
  branch.written = in_.i32();
  in_.skip(8);
  if (header.version >= 13) {
    skip_object();
  }
  in_.skip(4);
  const std::int64_t most = in_.i32();
  in_.skip(4);
  branch.rows = in_.i64();
  in_.skip(header.version >= 11 ? 24 : 16);
  branch.branches = branches(depth + 1);
  array([&](const std::string& class_name, std::size_t place) {
    branch.leaves.push_back(leaf(class_name, place, 0));
  });
  array([](const std::string&, std::size_t) {});  // Baskets that were not written apart.
  baskets(branch, most);
  branch.file_name = in_.text();
  in_.skip_to(header.end);
}

StoredBranch RootObjects::branch(const std::string& class_name, int depth) {
  StoredBranch branch;
  branch.class_name = class_name;
  if (class_name == "TBranch") {
    branch_base(branch, depth);
    return branch;
  }
  const auto header = in_.header();
  branch_base(branch, depth);
  if (class_name == "TBranchElement" || class_name == "TBranchObject") {
    branch.object_name = in_.text();
  }
  in_.skip_to(header.end);
  return branch;
}

std::vector<StoredBranch> RootObjects::branches(int depth) {
  if (depth > kMostDepth) {
    throw Error(ErrorCode::unsupported, fmt::format("branches more than {} deep", kMostDepth));
  }
  std::vector<StoredBranch> found;
  array([&](const std::string& class_name, std::size_t) {
    if (class_name.starts_with("TBranch")) {
      found.push_back(branch(class_name, depth));
    } else {
      damaged(fmt::format("{} stands among the branches", printable(class_name)));
    }
  });
  return found;
}

}  // namespace weir::formats
