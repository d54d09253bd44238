#include "weir/catalog/catalog.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <set>
#include <string>

namespace weir::catalog {
namespace {
std::set<std::string> folders_of(const std::string& path) {
  std::set<std::string> names;
  const std::filesystem::path folder = std::filesystem::path(WEIR_SOURCE_DIR) / path;
  if (std::filesystem::exists(folder)) {
    for (const auto& entry : std::filesystem::directory_iterator(folder)) {
      if (entry.is_directory()) {
        names.insert(entry.path().filename().string());
      }
    }
  }
  return names;
}

TEST(Catalog, ListsOneOperatorForEachFolderUnderItsFolderName) {
  std::set<std::string> names;
  for (const auto* op : operators().all()) {
    EXPECT_TRUE(names.insert(op->name()).second) << op->name() << " is listed twice";
    EXPECT_FALSE(op->summary().empty()) << op->name();
  }
  EXPECT_EQ(names, folders_of("weir/signal/ops"));
}

TEST(Catalog, ListsOneFormatForEachFolderUnderItsFolderName) {
  std::set<std::string> names;
  for (const auto* format : formats().all()) {
    EXPECT_TRUE(names.insert(std::string(format->name)).second) << format->name;
    EXPECT_FALSE(format->summary.empty()) << format->name;
  }
  EXPECT_EQ(names, folders_of("weir/formats/kinds"));
}

TEST(Catalog, DocumentsEveryFieldOfEveryOperator) {
  for (const auto* op : operators().all()) {
    for (const auto& field : op->fields()) {
      EXPECT_FALSE(field.doc.empty()) << op->name() << "." << field.name;
    }
  }
}
}  // namespace
}  // namespace weir::catalog
