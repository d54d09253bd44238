#include <elf.h>
#include <fmt/format.h>
#include <link.h>

#include <algorithm>
#include <cstring>
#include <span>

#include "weir/compute/build_id_internal.h"

namespace weir::compute {
namespace {

constexpr std::size_t kShownBytes = 8;

/// The notes of one ELF segment, searched for "GNU" build ids.
std::string from_notes(std::span<const char> notes) {
  while (notes.size() >= sizeof(ElfW(Nhdr))) {
    ElfW(Nhdr) header;
    std::memcpy(&header, notes.data(), sizeof header);
    const std::size_t name_bytes = (header.n_namesz + 3U) & ~3U;
    const std::size_t size =
        sizeof header + name_bytes + ((std::size_t{header.n_descsz} + 3U) & ~std::size_t{3});
    if (size > notes.size()) {
      break;
    }
    if (header.n_type == NT_GNU_BUILD_ID && header.n_namesz == 4 &&
        std::memcmp(notes.data() + sizeof header, "GNU", 4) == 0) {
      std::string digits;
      const auto* bytes = notes.data() + sizeof header + name_bytes;
      for (std::size_t i = 0; i < std::min<std::size_t>(header.n_descsz, kShownBytes); ++i) {
        digits += fmt::format("{:02x}", static_cast<unsigned char>(bytes[i]));
      }
      return digits;
    }
    notes = notes.subspan(size);
  }
  return {};
}

struct Search {
  std::uintptr_t address;  ///< Of code in the object that is wanted.
  std::string found;
};

int visit(dl_phdr_info* object, std::size_t, void* search) {
  auto& wanted = *static_cast<Search*>(search);
  const std::span headers(object->dlpi_phdr, object->dlpi_phnum);
  const bool holds = std::any_of(headers.begin(), headers.end(), [&](const auto& header) {
    const std::uintptr_t first = object->dlpi_addr + header.p_vaddr;
    return header.p_type == PT_LOAD && wanted.address >= first &&
           wanted.address < first + header.p_memsz;
  });
  if (!holds) {
    return 0;
  }
  for (const auto& header : headers) {
    if (header.p_type == PT_NOTE && wanted.found.empty()) {
      const auto* notes = reinterpret_cast<const char*>(object->dlpi_addr + header.p_vaddr);
      wanted.found = from_notes({notes, header.p_memsz});
    }
  }
  return 1;
}

}  // namespace

std::string build_id() {
  Search search{reinterpret_cast<std::uintptr_t>(&build_id), {}};
  dl_iterate_phdr(&visit, &search);
  return search.found.empty() ? "unknown" : search.found;
}

}  // namespace weir::compute
