#pragma once

#include <string>
#include <string_view>

namespace weir::cli {

/// Where a command prints: results to the output, warnings and errors to the other stream.
class Terminal {
 public:
  virtual ~Terminal() = default;
  virtual void print(std::string_view text) = 0;
  /// Text for people beside the result; no newline is added.
  virtual void note(std::string_view text) = 0;
  /// Whether notes reach a person's screen, so that a line may be rewritten.
  virtual bool interactive() const noexcept = 0;
  /// Errors: `io` when something printed was lost (disk full).
  virtual void flush() = 0;

  void line(std::string_view text) { print(std::string(text) + '\n'); }
  /// "weir: warning: …", one line.
  void warn(std::string_view text) { note("weir: warning: " + std::string(text) + '\n'); }
};

/// Standard output and standard error.
class StandardTerminal final : public Terminal {
 public:
  void print(std::string_view text) override;
  void note(std::string_view text) override;
  bool interactive() const noexcept override;
  void flush() override;

 private:
  bool lost_ = false;
};

}  // namespace weir::cli
