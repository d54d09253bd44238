#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace weir {

/// "2 GiB", "512MB", "4096", "70% available" as bytes.
/// Units:  KiB, MiB, GiB, TiB are powers of 1024; kB, MB, GB, TB powers of 1000; a bare number is
/// bytes. Errors: `invalid_spec` quoting the text.
std::size_t parse_bytes(std::string_view text, std::size_t available);

/// "1.5 GiB", "12 KiB", "17 B".
std::string bytes_text(std::size_t bytes);

/// Bytes this process may still take: the machine's available memory or, if smaller, what is left
/// of its cgroup limit (v2 and v1).
std::size_t available_memory();

struct Claim {
  std::string owner;  ///< "node band: state".
  std::size_t bytes = 0;
};

/// What a plan intends to hold, against a cap.
class MemoryBudget {
 public:
  /// `text` as in the spec: "auto" (70 % of what is available), a size, or a share.
  static MemoryBudget parse(std::string_view text);
  explicit MemoryBudget(std::size_t cap) : cap_(cap) {}

  std::size_t cap() const noexcept { return cap_; }
  std::size_t claimed() const noexcept;
  std::size_t left() const noexcept { return claimed() < cap_ ? cap_ - claimed() : 0; }
  const std::vector<Claim>& claims() const noexcept { return claims_; }
  void claim(std::string owner, std::size_t bytes);
  /// Errors: `out_of_memory` naming cap, sum and the largest claim.
  void require_fits() const;

 private:
  std::size_t cap_;
  std::vector<Claim> claims_;
};

/// Accounts bytes while a run holds them; a lease that would pass the cap is refused.
/// Threads: all members may be called from several threads.
class MemoryPool {
 public:
  explicit MemoryPool(std::size_t cap);
  ~MemoryPool();
  MemoryPool(const MemoryPool&) = delete;
  MemoryPool& operator=(const MemoryPool&) = delete;

  /// Returned bytes when it dies.
  class Lease {
   public:
    Lease() = default;
    Lease(Lease&& other) noexcept;
    Lease& operator=(Lease&& other) noexcept;
    ~Lease();
    std::size_t bytes() const noexcept { return bytes_; }

   private:
    friend class MemoryPool;
    Lease(MemoryPool* pool, std::size_t bytes) : pool_(pool), bytes_(bytes) {}
    MemoryPool* pool_ = nullptr;
    std::size_t bytes_ = 0;
  };

  /// Errors: `out_of_memory` naming `owner`, the request and what is left.
  Lease lease(std::string_view owner, std::size_t bytes);
  std::size_t in_use() const noexcept;
  std::size_t peak() const noexcept;

 private:
  struct Shared;
  void give_back(std::size_t bytes) noexcept;
  std::unique_ptr<Shared> shared_;
};

}  // namespace weir
