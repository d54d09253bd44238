#pragma once

#include <string>
#include <string_view>

namespace weir::cli {

/// Where a command prints: results to the output, warnings and errors to the other stream. Control
/// characters, which names and paths may hold, are shown as escapes: they never reach a screen.
class Terminal {
 public:
  virtual ~Terminal() = default;
  void print(std::string_view text);
  /// Text for people beside the result; no newline is added.
  void note(std::string_view text);
  /// A note as it is, cursor movements and all.
  void draw(std::string_view text) { put_note(text); }
  /// Whether notes reach a person's screen, so that a line may be rewritten.
  virtual bool interactive() const noexcept = 0;
  /// Errors: `io` when something printed was lost (disk full).
  virtual void flush() = 0;

  void line(std::string_view text) { print(std::string(text) + '\n'); }
  /// "weir: warning: …", one line.
  void warn(std::string_view text);

  /// What the program exits with where a command ends without an error. 0 unless set.
  int exit_status() const noexcept { return exit_status_; }
  void set_exit_status(int status) noexcept { exit_status_ = status; }

 protected:
  virtual void put(std::string_view text) = 0;
  virtual void put_note(std::string_view text) = 0;

 private:
  int exit_status_ = 0;
};

/// Standard output and standard error.
class StandardTerminal final : public Terminal {
 public:
  bool interactive() const noexcept override;
  void flush() override;

 protected:
  void put(std::string_view text) override;
  void put_note(std::string_view text) override;

 private:
  bool lost_ = false;
};

}  // namespace weir::cli
