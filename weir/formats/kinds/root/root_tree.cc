#include "weir/formats/kinds/root/root_tree.h"

#include <fmt/format.h>

#include <array>
#include <optional>
#include <string_view>

#include "weir/core/error.h"
#include "weir/core/text.h"
#include "weir/formats/kinds/root/root_objects_internal.h"

namespace weir::formats {
namespace {
constexpr std::int64_t kMostRows = std::int64_t{1} << 53;
/// Numbers a row beyond which an array has no columns of its own.
constexpr std::int32_t kMostElements = 64;
constexpr std::int32_t kMostLength = 1 << 20;

struct LeafType {
  std::string_view class_name;
  ColumnType type;
  ColumnType type_of_unsigned;
};
constexpr std::array<LeafType, 8> kLeafTypes{
    {{"TLeafO", ColumnType::boolean, ColumnType::boolean},
     {"TLeafB", ColumnType::int8, ColumnType::uint8},
     {"TLeafS", ColumnType::int16, ColumnType::uint16},
     {"TLeafI", ColumnType::int32, ColumnType::uint32},
     {"TLeafL", ColumnType::int64, ColumnType::uint64},
     {"TLeafG", ColumnType::int64, ColumnType::uint64},
     {"TLeafF", ColumnType::float32, ColumnType::float32},
     {"TLeafD", ColumnType::float64, ColumnType::float64}}};

std::optional<ColumnType> type_of(const RootLeaf& leaf) {
  for (const auto& known : kLeafTypes) {
    if (known.class_name == leaf.class_name) {
      return leaf.is_unsigned ? known.type_of_unsigned : known.type;
    }
  }
  return std::nullopt;
}

/// What a leaf is that has no number of fixed place in every row; empty for one that has.
std::string oddity(const RootLeaf& leaf) {
  if (leaf.class_name == "TLeafC") {
    return "a string";
  }
  if (!type_of(leaf)) {
    return fmt::format("of {} (booleans and numbers of 8 to 64 bits are read)",
                       printable(leaf.class_name));
  }
  if (leaf.counted) {
    return leaf.counter.empty()
               ? "a jagged array"
               : fmt::format("a jagged array, {} numbers a row", printable(leaf.counter));
  }
  if (leaf.length < 1 || leaf.length > kMostLength) {
    return fmt::format("an array of {} numbers a row", leaf.length);
  }
  return {};
}

std::string oddity(const StoredBranch& branch) {
  if (branch.class_name != "TBranch") {
    return branch.object_name.empty()
               ? fmt::format("a {}", printable(branch.class_name))
               : fmt::format("an object of class {} (flat branches of numbers are read)",
                             printable(branch.object_name));
  }
  if (!branch.file_name.empty()) {
    return fmt::format("kept in another file, {}", printable(branch.file_name));
  }
  for (const auto& leaf : branch.leaves) {
    if (auto odd = oddity(leaf); !odd.empty()) {
      return odd;
    }
  }
  return branch.leaves.empty() ? "a branch without leaves" : "";
}

/// Checked to follow each other from row 0 to the last.
std::vector<RootBasket> baskets_of(const StoredBranch& stored) {
  const auto most = std::ssize(stored.basket_rows);
  if (stored.written < 0 || stored.written > most) {
    throw Error(ErrorCode::corrupt_data, fmt::format("has {} baskets of {}", stored.written, most));
  }
  std::vector<RootBasket> baskets;
  std::int64_t at = 0;
  for (std::int64_t i = 0; i < stored.written; ++i) {
    const auto place = static_cast<std::size_t>(i);
    const std::int64_t end =
        i + 1 < most && i + 1 <= stored.written ? stored.basket_rows[place + 1] : stored.rows;
    if (stored.basket_rows[place] != at || end < at || end > stored.rows) {
      throw Error(ErrorCode::corrupt_data,
                  fmt::format("basket {} has rows {} to {} of {}", i, stored.basket_rows[place],
                              end, stored.rows));
    }
    if (end > at) {
      baskets.push_back({stored.basket_seeks[place], at, end - at});
    }
    at = end;
  }
  if (at != stored.rows) {
    throw Error(ErrorCode::unsupported,
                fmt::format("has {} of its {} rows in the tree's own record, as a file that was "
                            "not closed has them",
                            stored.rows - at, stored.rows));
  }
  return baskets;
}

class Builder {
 public:
  explicit Builder(RootTree& tree) : tree_(tree) {}

  void add(const StoredBranch& stored) {
    if (auto odd = oddity(stored); !odd.empty()) {
      tree_.refused.push_back({stored.name, std::move(odd)});
    } else if (stored.rows != tree_.rows) {
      tree_.refused.push_back(
          {stored.name, fmt::format("of {} rows, the tree has {}", stored.rows, tree_.rows)});
    } else {
      add_columns(stored);
    }
    for (const auto& inner : stored.branches) {
      add(inner);
    }
  }

 private:
  void add_columns(const StoredBranch& stored) {
    RootBranch branch;
    branch.name = stored.name;
    try {
      branch.baskets = baskets_of(stored);
    } catch (const Error& error) {
      if (error.code() != ErrorCode::unsupported) {
        throw Error(error.code(),
                    fmt::format("branch {}: {}", printable(stored.name), error.text()));
      }
      tree_.refused.push_back({stored.name, "not read, as it " + error.text()});
      return;
    }
    for (const auto& leaf : stored.leaves) {
      const std::string name =
          stored.leaves.size() == 1 ? stored.name : stored.name + '.' + leaf.name;
      add_leaf(leaf, name, branch.row_bytes);
      branch.row_bytes += static_cast<std::size_t>(leaf.length) * column_bytes(*type_of(leaf));
    }
    tree_.branches.push_back(std::move(branch));
  }

  void add_leaf(const RootLeaf& leaf, const std::string& name, std::size_t offset) {
    const ColumnType type = *type_of(leaf);
    const std::size_t branch = tree_.branches.size();
    if (leaf.length == 1) {
      tree_.columns.push_back({{name, type, false}, branch, offset});
      return;
    }
    if (leaf.length > kMostElements) {
      tree_.refused.push_back({name, fmt::format("an array of {} numbers a row", leaf.length)});
      return;
    }
    tree_.refused.push_back(
        {name, fmt::format("an array of {} numbers a row (name one of {}[0] to "
                           "{}[{}])",
                           leaf.length, printable(name), printable(name), leaf.length - 1)});
    for (std::int32_t i = 0; i < leaf.length; ++i) {
      tree_.columns.push_back({{fmt::format("{}[{}]", name, i), type, false},
                               branch,
                               offset + static_cast<std::size_t>(i) * column_bytes(type)});
    }
  }

  RootTree& tree_;
};

/// Reads up to the branches; tells the rows.
std::int64_t read_head(RootBuffer& in, RootObjects& objects, int version) {
  objects.named();
  for (int i = 0; i < 3; ++i) {  // How lines, areas and markers of it are drawn.
    objects.skip_object();
  }
  const std::int64_t rows = in.i64();
  in.skip(version >= 18 ? 32 : 24);  // Sums of bytes.
  in.skip(8 + 3 * 4);                // Weight, timer, counts of a scan and of an update.
  if (version >= 17) {
    in.skip(4);
  }
  const std::uint32_t clusters = version >= 19 ? in.u32() : 0;
  // How many rows and bytes at most, when to save and to flush, how many rows to guess from.
  in.skip(version >= 18 ? 48 : 40);
  if (version >= 19) {
    for (int i = 0; i < 2; ++i) {
      in.skip(1);
      in.skip(std::size_t{8} * clusters);
    }
  }
  if (version >= 20) {
    objects.skip_object();
  }
  return rows;
}
}  // namespace

RootTree parse_root_tree(std::span<const std::byte> record, std::size_t key_bytes,
                         const std::string& class_name) {
  RootBuffer in(record);
  RootObjects objects(in, key_bytes);
  if (class_name != "TTree") {  // TNtuple: a tree with something behind it.
    in.header();
  }
  const auto header = in.header();
  if (header.version < 16 || header.version > 20) {
    throw Error(ErrorCode::unsupported,
                fmt::format("a tree of version {}; 16 to 20 are read", header.version));
  }
  RootTree tree;
  tree.rows = read_head(in, objects, header.version);
  if (tree.rows < 0 || tree.rows > kMostRows) {
    throw Error(ErrorCode::corrupt_data, fmt::format("says it has {} rows", tree.rows));
  }
  Builder builder(tree);
  for (const auto& branch : objects.branches(0)) {
    builder.add(branch);
  }
  return tree;
}

}  // namespace weir::formats
