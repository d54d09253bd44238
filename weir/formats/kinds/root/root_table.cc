#include "weir/formats/kinds/root/root_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "weir/core/error.h"
#include "weir/core/text.h"
#include "weir/formats/kinds/root/root_buffer.h"
#include "weir/formats/kinds/root/root_tree.h"

namespace weir::formats {
namespace {
/// Groups of rows are at least this long, where a tree has as many, and at most this long.
constexpr std::int64_t kGroupRows = TableSource::kBatchRows;
constexpr std::int64_t kMostGroupRows = std::int64_t{1} << 20;
/// Behind the numbers of a basket may stand where each row starts.
constexpr std::int64_t kRowStartBytes = 4;
constexpr std::size_t kBasketTail = 19;

bool is_tree(const RootKey& key) {
  return key.class_name == "TTree" || key.class_name == "TNtuple" || key.class_name == "TNtupleD";
}

/// The baskets of one branch, front to back; holds one.
class BasketRows {
 public:
  BasketRows(const RootFile& file, const RootBranch& branch) : file_(file), branch_(branch) {}

  /// The bytes of rows from `row` on, as many as one basket has of them.
  std::span<const std::byte> from(std::int64_t row) {
    const auto& baskets = branch_.baskets;
    const auto after =
        std::upper_bound(baskets.begin(), baskets.end(), row,
                         [](std::int64_t at, const RootBasket& b) { return at < b.first_row; });
    const auto place = static_cast<std::size_t>(after - baskets.begin()) - 1;
    if (place != held_ || bytes_.empty()) {
      load(baskets[place]);
      held_ = place;
    }
    const auto skipped = static_cast<std::size_t>(row - baskets[place].first_row);
    const auto rows = static_cast<std::size_t>(baskets[place].rows);
    return std::span<const std::byte>(bytes_)
        .first(rows * branch_.row_bytes)
        .subspan(skipped * branch_.row_bytes);
  }

 private:
  void load(const RootBasket& basket) {
    in_context(fmt::format("branch {}: the basket at {}", printable(branch_.name), basket.seek),
               [&] { unpack_basket(basket); });
  }

  void unpack_basket(const RootBasket& basket) {
    std::vector<std::byte> record;
    const RootKey key = file_.key_at(basket.seek, record);
    if (key.key_bytes < kBasketTail || key.class_name != "TBasket") {
      throw Error(ErrorCode::corrupt_data, "is no basket");
    }
    RootBuffer tail(std::span<const std::byte>(record).first(key.key_bytes));
    tail.skip(key.key_bytes - kBasketTail);
    tail.skip(2 + 4 + 4);
    const std::int64_t rows = tail.i32();
    const std::int64_t bytes = std::int64_t{tail.i32()} - key.key_bytes;
    const auto wanted = basket.rows * static_cast<std::int64_t>(branch_.row_bytes);
    if (rows != basket.rows || bytes != wanted) {
      throw Error(ErrorCode::corrupt_data,
                  fmt::format("has {} rows in {} bytes, the tree says {} in {}", rows, bytes,
                              basket.rows, wanted));
    }
    if (key.object_bytes < wanted ||
        key.object_bytes > wanted + kRowStartBytes * (basket.rows + 2)) {
      throw Error(ErrorCode::corrupt_data,
                  fmt::format("holds {} bytes for rows of {}", key.object_bytes, wanted));
    }
    bytes_ = file_.object(key);
  }

  const RootFile& file_;
  const RootBranch& branch_;
  std::size_t held_ = 0;
  std::vector<std::byte> bytes_;
};

/// Numbers of one width out of rows of `stride` bytes each, turned to little-endian.
template <std::size_t kWidth>
void gather(std::span<const std::byte> rows, std::size_t stride, std::size_t count,
            std::byte* out) {
  const std::byte* from = rows.data();
  for (std::size_t row = 0; row < count; ++row, from += stride, out += kWidth) {
    for (std::size_t i = 0; i < kWidth; ++i) {
      out[i] = from[kWidth - 1 - i];
    }
  }
}

void gather(std::span<const std::byte> rows, std::size_t stride, std::size_t count,
            std::size_t width, std::byte* out) {
  switch (width) {
    case 1:
      return gather<1>(rows, stride, count, out);
    case 2:
      return gather<2>(rows, stride, count, out);
    case 4:
      return gather<4>(rows, stride, count, out);
    default:
      return gather<8>(rows, stride, count, out);
  }
}

class RootTable final : public TableSource {
 public:
  RootTable(std::shared_ptr<const RootFile> file, const RootKey& key) : file_(std::move(file)) {
    info_.path = file_->path().string();
    info_.format = "root";
    info_.name = key.name;
    in_context(fmt::format("{}: tree {}", info_.path, printable(key.name)), [&] {
      std::vector<std::byte> start;
      const auto key_bytes = file_->key_at(key.seek, start).key_bytes;
      tree_ = parse_root_tree(file_->object(key), key_bytes, key.class_name);
    });
    info_.rows = tree_.rows;
    info_.refused = tree_.refused;
    for (const auto& column : tree_.columns) {
      info_.schema.columns.push_back(column.info);
    }
    find_groups();
  }

  const TableInfo& info() const noexcept override { return info_; }

  void read(std::span<const std::int64_t> columns, RowRange rows,
            const ColumnSink& sink) const override {
    const std::int64_t stop = rows.first + rows.count;
    WEIR_CHECK(rows.first >= 0 && rows.count >= 0 && stop <= info_.rows);
    std::map<std::size_t, BasketRows> baskets;
    for (const std::int64_t column : columns) {
      const std::size_t branch = this->column(column).branch;
      baskets.try_emplace(branch, *file_, tree_.branches[branch]);
    }
    for (std::int64_t first = rows.first; first < stop; first += kBatchRows) {
      ColumnBatch batch{.rows = std::min(kBatchRows, stop - first), .columns = {}};
      in_context(fmt::format("{}: tree {}", info_.path, printable(info_.name)), [&] {
        for (const std::int64_t place : columns) {
          const RootColumn& column = this->column(place);
          batch.columns.push_back(values(column, baskets.at(column.branch), first, batch.rows));
        }
      });
      sink(first, batch);
    }
  }

  std::size_t read_bytes(std::span<const std::int64_t> columns) const override {
    std::set<std::size_t> branches;
    std::size_t bytes = 0;
    for (const std::int64_t place : columns) {
      branches.insert(column(place).branch);
      bytes += column_bytes(column(place).info.type) *
               static_cast<std::size_t>(std::min(info_.rows, kBatchRows));
    }
    for (const std::size_t branch : branches) {
      std::int64_t rows = 0;
      for (const auto& basket : tree_.branches[branch].baskets) {
        rows = std::max(rows, basket.rows);
      }
      // One basket unpacked, the record it came from beside it.
      bytes +=
          2 * static_cast<std::size_t>(rows) * (tree_.branches[branch].row_bytes + kRowStartBytes);
    }
    return bytes;
  }

  std::size_t held_bytes() const noexcept override {
    std::size_t bytes = 0;
    for (const auto& branch : tree_.branches) {
      bytes += branch.baskets.capacity() * sizeof(RootBasket);
    }
    return bytes;
  }

 private:
  const RootColumn& column(std::int64_t place) const {
    return tree_.columns.at(static_cast<std::size_t>(place));
  }

  ColumnValues values(const RootColumn& column, BasketRows& baskets, std::int64_t first,
                      std::int64_t count) const {
    const std::size_t width = column_bytes(column.info.type);
    const std::size_t stride = tree_.branches[column.branch].row_bytes;
    ColumnValues values;
    values.values.resize(static_cast<std::size_t>(count) * width);
    for (std::int64_t done = 0; done < count;) {
      const auto rows = baskets.from(first + done);
      const auto part = std::min(count - done, static_cast<std::int64_t>(rows.size() / stride));
      gather(rows.subspan(column.offset), stride, static_cast<std::size_t>(part), width,
             values.values.data() + static_cast<std::size_t>(done) * width);
      done += part;
    }
    return values;
  }

  /// Where every branch starts a basket, or where the first does if that is too rare.
  void find_groups() {
    if (info_.rows == 0) {
      return;
    }
    std::map<std::int64_t, std::size_t> ends;
    for (const auto& branch : tree_.branches) {
      for (const auto& basket : branch.baskets) {
        ++ends[basket.first_row + basket.rows];
      }
    }
    std::int64_t begin = 0;
    for (const auto& [end, branches] : ends) {
      const bool whole = branches == tree_.branches.size() && end - begin >= kGroupRows;
      while (end - begin > kMostGroupRows) {
        begin += kMostGroupRows;
        info_.group_ends.push_back(begin);
      }
      if (whole && end > begin) {
        info_.group_ends.push_back(end);
        begin = end;
      }
    }
    if (begin < info_.rows) {
      info_.group_ends.push_back(info_.rows);
    }
  }

  std::shared_ptr<const RootFile> file_;
  RootTree tree_;
  TableInfo info_;
};
}  // namespace

std::vector<std::string> tree_names(const RootFile& file) {
  std::vector<std::string> names;
  for (const auto& key : file.keys()) {
    if (is_tree(key)) {
      names.push_back(key.name);
    }
  }
  return names;
}

std::unique_ptr<TableSource> open_root_table(const std::shared_ptr<const RootFile>& file,
                                             const std::string& name) {
  for (const auto& key : file->keys()) {
    if (key.class_name == "ROOT::RNTuple" && (key.name == name || tree_names(*file).empty())) {
      throw Error(ErrorCode::unsupported,
                  fmt::format("{}: {} is an RNTuple; trees (TTree, TNtuple) are read",
                              file->path().string(), printable(key.name)));
    }
  }
  const auto names = tree_names(*file);
  const std::string chosen = names[choose_table(names, name, file->path().string())];
  const auto key = std::find_if(file->keys().begin(), file->keys().end(),
                                [&](const RootKey& k) { return is_tree(k) && k.name == chosen; });
  return std::make_unique<RootTable>(file, *key);
}

}  // namespace weir::formats
