#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "weir/cli/terminal.h"
#include "weir/core/value.h"
#include "weir/op/schema.h"

namespace weir::cli {

/// Where a command stands in the list that `weir --help` prints.
enum class Group { pipelines, recordings, parts };

/// What a user may type after `weir`. Made by `make_command` in commands/<name>_command.cc.
class Command {
 public:
  virtual ~Command() = default;
  virtual const std::string& name() const noexcept = 0;
  virtual Group group() const noexcept = 0;
  virtual const std::string& summary() const noexcept = 0;
  /// Every argument: flags and positional ones.
  virtual const std::vector<op::FieldInfo>& fields() const noexcept = 0;
  /// Names of the fields that are given by place, in order; a list takes what the places after it
  /// leave.
  virtual const std::vector<std::string>& positional() const noexcept = 0;
  /// What follows `weir <name>` in the examples of its help.
  virtual const std::vector<std::string>& examples() const noexcept = 0;
  /// Errors: any `Error`; it ends the program with that code.
  virtual void run(const Value& arguments, Terminal& terminal) const = 0;
};

template <class Arguments>
struct CommandParts {
  std::string name;
  Group group = Group::parts;
  std::string summary;
  op::Schema<Arguments> schema;
  std::vector<std::string> positional = {};
  std::vector<std::string> examples = {};
  std::function<void(const Arguments&, Terminal&)> run;
};

template <class Arguments>
std::unique_ptr<Command> make_command(CommandParts<Arguments> parts) {
  class Made final : public Command {
   public:
    explicit Made(CommandParts<Arguments> parts)
        : parts_(std::move(parts)), fields_(parts_.schema.describe()) {}
    const std::string& name() const noexcept override { return parts_.name; }
    Group group() const noexcept override { return parts_.group; }
    const std::string& summary() const noexcept override { return parts_.summary; }
    const std::vector<op::FieldInfo>& fields() const noexcept override { return fields_; }
    const std::vector<std::string>& positional() const noexcept override {
      return parts_.positional;
    }
    const std::vector<std::string>& examples() const noexcept override { return parts_.examples; }
    void run(const Value& arguments, Terminal& terminal) const override {
      std::vector<Problem> problems;
      const Arguments read = parts_.schema.read(arguments, "", {}, problems);
      throw_if_any(problems);
      parts_.run(read, terminal);
    }

   private:
    CommandParts<Arguments> parts_;
    std::vector<op::FieldInfo> fields_;
  };
  return std::make_unique<Made>(std::move(parts));
}

}  // namespace weir::cli
