#pragma once

#include <exception>
#include <filesystem>
#include <new>
#include <string_view>

#include "weir/core/error.h"
#include "weir/formats/input_file.h"
#include "weir/formats/tables/table_file.h"

namespace weir::formats {

/// A file as a table's reader asks for its bytes.
class FileBytes final : public TableBytes {
 public:
  explicit FileBytes(const std::filesystem::path& path) : file_(path) {}
  std::int64_t size() const override { return file_.size(); }
  void read(std::int64_t offset, std::span<std::byte> bytes) const override {
    file_.read(offset, bytes);
  }

 private:
  InputFile file_;
};

/// Throws `corrupt_data` naming the file.
[[noreturn]] void refuse_table(const std::filesystem::path& path, std::string_view reason);

/// Runs `body`; what the library finds wrong is damage of the file.
template <class Body>
decltype(auto) reading_table(const std::filesystem::path& path, Body&& body) {
  try {
    return body();
  } catch (const Error&) {
    throw;
  } catch (const std::bad_alloc&) {
    throw;
  } catch (const std::exception& error) {
    refuse_table(path, error.what());
  }
}

}  // namespace weir::formats
