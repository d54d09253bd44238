#include "weir/testing/allocation_probe.h"

#include <malloc.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <unordered_map>

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define WEIR_SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define WEIR_SANITIZED 1
#endif
#endif
#ifdef WEIR_SANITIZED
// Of sanitizer/allocator_interface.h, which Debian's g++ does not install.
extern "C" int __sanitizer_install_malloc_and_free_hooks(void (*malloc_hook)(const volatile void*,
                                                                             std::size_t),
                                                         void (*free_hook)(const volatile void*));
#endif

namespace weir::testing {

struct AllocationProbe::Record {
  unsigned char fill = 0;
  bool resting = false;  ///< While the record itself allocates.
  std::size_t live = 0;
  std::size_t peak = 0;
  std::size_t count = 0;
  std::unordered_map<const void*, std::size_t> blocks;
};

namespace {
constinit thread_local AllocationProbe::Record* active = nullptr;

AllocationProbe::Record* watching() noexcept {
  AllocationProbe::Record* record = active;
  return record != nullptr && !record->resting ? record : nullptr;
}

void note(AllocationProbe::Record& record, const void* block, std::size_t size) {
  record.resting = true;
  record.blocks[block] = size;
  record.resting = false;
  record.live += size;
  record.peak = std::max(record.peak, record.live);
  ++record.count;
}

void forget(const void* block) noexcept {
  AllocationProbe::Record* record = watching();
  if (record == nullptr || block == nullptr) {
    return;
  }
  record->resting = true;
  const auto found = record->blocks.find(block);
  if (found != record->blocks.end()) {
    record->live -= found->second;
    record->blocks.erase(found);
  }
  record->resting = false;
}

#ifdef WEIR_SANITIZED
void after_malloc(const volatile void* block, std::size_t size) {
  if (AllocationProbe::Record* record = watching(); record != nullptr && block != nullptr) {
    auto* bytes = const_cast<void*>(block);
    std::memset(bytes, record->fill, size);
    note(*record, bytes, size);
  }
}
void before_free(const volatile void* block) {
  forget(const_cast<const void*>(block));
}
[[maybe_unused]] const int hooked =
    __sanitizer_install_malloc_and_free_hooks(&after_malloc, &before_free);
#endif
}  // namespace

AllocationProbe::AllocationProbe(unsigned char fill) : record_(std::make_unique<Record>()) {
  record_->fill = fill;
  active = record_.get();
}

AllocationProbe::~AllocationProbe() {
  active = nullptr;
}

std::size_t AllocationProbe::live() const noexcept {
  return record_->live;
}
std::size_t AllocationProbe::peak() const noexcept {
  return record_->peak;
}
void AllocationProbe::reset_peak() noexcept {
  record_->peak = record_->live;
}
std::size_t AllocationProbe::allocations() const noexcept {
  return record_->count;
}

}  // namespace weir::testing

#if !defined(WEIR_SANITIZED) && defined(__GLIBC__)
// glibc's documented way to replace malloc: define the whole family in the program.
// NOLINTBEGIN(bugprone-reserved-identifier,readability-identifier-naming): glibc's names.
extern "C" {
void* __libc_malloc(std::size_t);
void* __libc_calloc(std::size_t, std::size_t);
void* __libc_realloc(void*, std::size_t);
void* __libc_memalign(std::size_t, std::size_t);
void __libc_free(void*);
}
// NOLINTEND(bugprone-reserved-identifier,readability-identifier-naming)

namespace weir::testing {
namespace {
constexpr std::size_t kMargin = 256;

/// `bytes` zero: the block keeps what calloc promises.
void* watched(AllocationProbe::Record& record, void* block, std::size_t size, std::size_t zeroed) {
  if (block != nullptr) {
    std::memset(static_cast<char*>(block) + zeroed, record.fill, size - zeroed + kMargin);
    note(record, block, size);
  }
  return block;
}
}  // namespace
}  // namespace weir::testing

extern "C" {
using weir::testing::kMargin;

void* malloc(std::size_t size) {
  auto* record = weir::testing::watching();
  return record == nullptr
             ? __libc_malloc(size)
             : weir::testing::watched(*record, __libc_malloc(size + kMargin), size, 0);
}

void* calloc(std::size_t count, std::size_t size) {
  auto* record = weir::testing::watching();
  std::size_t bytes = 0;
  if (record == nullptr || __builtin_mul_overflow(count, size, &bytes)) {
    return __libc_calloc(count, size);
  }
  return weir::testing::watched(*record, __libc_calloc(1, bytes + kMargin), bytes, bytes);
}

void* memalign(std::size_t alignment, std::size_t size) {
  auto* record = weir::testing::watching();
  return record == nullptr
             ? __libc_memalign(alignment, size)
             : weir::testing::watched(*record, __libc_memalign(alignment, size + kMargin), size, 0);
}

void* aligned_alloc(std::size_t alignment, std::size_t size) {
  return memalign(alignment, size);
}

int posix_memalign(void** block, std::size_t alignment, std::size_t size) {
  *block = memalign(alignment, size);
  return *block == nullptr ? ENOMEM : 0;
}

void* realloc(void* block, std::size_t size) {
  auto* record = weir::testing::watching();
  if (record == nullptr || block == nullptr || size == 0) {
    weir::testing::forget(block);
    return block == nullptr ? malloc(size) : __libc_realloc(block, size);
  }
  void* grown = malloc(size);
  if (grown != nullptr) {
    std::memcpy(grown, block, std::min(size, malloc_usable_size(block)));
    weir::testing::forget(block);
    __libc_free(block);
  }
  return grown;
}

void free(void* block) {
  weir::testing::forget(block);
  __libc_free(block);
}
}
#endif
