#include "weir/formats/kinds/root/root.h"

#include <cstring>

#include "weir/core/text.h"
#include "weir/formats/kinds/root/root_table.h"

namespace weir::formats {
namespace {
Match probe(const std::filesystem::path& path, std::span<const std::byte> head) {
  if (head.size() >= 4 && std::memcmp(head.data(), "root", 4) == 0) {
    return Match::certain;
  }
  return ends_with_ignoring_case(path.string(), ".root") ? Match::by_name : Match::no;
}

std::vector<TableInfo> list_tables(const std::filesystem::path& path,
                                   const OpenOptions& /*options*/) {
  const auto file = std::make_shared<const RootFile>(path);
  std::vector<TableInfo> tables;
  for (const auto& name : tree_names(*file)) {
    tables.push_back(open_root_table(file, name)->info());
  }
  return tables;
}

std::unique_ptr<TableSource> open_table(const std::filesystem::path& path,
                                        const OpenOptions& options) {
  return open_root_table(std::make_shared<const RootFile>(path), options.stream);
}
}  // namespace

const Format& root_format() {
  static const Format kFormat{
      .name = "root",
      .summary = "Flat trees of ROOT files (TTree, TNtuple) as tables of numbers",
      .extensions = {".root"},
      .probe = &probe,
      .list_tables = &list_tables,
      .open_table = &open_table,
  };
  return kFormat;
}

}  // namespace weir::formats
