#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "weir/formats/kinds/root/root_buffer.h"

namespace weir::formats {

/// A leaf: what one number of a row, or several, are.
struct RootLeaf {
  std::string class_name;  ///< TLeafI, …
  std::string name;
  std::int32_t length = 0;  ///< Numbers a row.
  bool is_unsigned = false;
  bool counted = false;  ///< Another leaf tells how many there are.
  std::string counter;   ///< Its name, where known.
};

/// A branch as the record tells it.
struct StoredBranch {
  std::string class_name;   ///< TBranch, TBranchElement, …
  std::string object_name;  ///< Of the class whose objects it holds; empty for a plain branch.
  std::string name;
  std::string file_name;  ///< Where its baskets lie, when in another file.
  std::int64_t rows = 0;
  std::int32_t written = 0;  ///< Baskets that lie in the file.
  std::vector<StoredBranch> branches;
  std::vector<RootLeaf> leaves;
  std::vector<std::int64_t> basket_rows;
  std::vector<std::int64_t> basket_seeks;
};

/// Reads objects that may refer to those, and to the classes, that came before in one record.
class RootObjects {
 public:
  RootObjects(RootBuffer& in, std::size_t key_bytes) : in_(in), key_bytes_(key_bytes) {}

  /// Skips what stands in front of a name and a title; tells the name.
  std::string named();
  /// Skips an object.
  void skip_object();
  std::vector<StoredBranch> branches(int depth);

 private:
  /// Calls `take` with the class and the end of each object that an array holds and that no other
  /// place refers to.
  using Take = std::function<void(const std::string& class_name, std::size_t place)>;
  void array(const Take& take);
  /// Tells how later ones refer to it; 0 for nothing.
  std::uint32_t object(const Take& take);
  StoredBranch branch(const std::string& class_name, int depth);
  void branch_base(StoredBranch& branch, int depth);
  void baskets(StoredBranch& branch, std::int64_t most);
  RootLeaf leaf(const std::string& class_name, std::size_t place, int depth);

  RootBuffer& in_;
  std::size_t key_bytes_;
  std::map<std::uint32_t, std::string> classes_;  ///< By the place they were named at.
  std::map<std::uint32_t, std::string> leaves_;   ///< Names, by the place of the object.
};

}  // namespace weir::formats
