#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

#include "weir/catalog/catalog.h"
#include "weir/cli/command.h"
#include "weir/cli/command_help.h"
#include "weir/cli/text_table.h"
#include "weir/pipeline/spec/end_nodes.h"

namespace weir::cli {
namespace {
struct Ops {
  std::string name;
  bool json = false;
};

const pipeline::EndNode* end_node(const std::string& name) {
  const auto& all = pipeline::end_nodes();
  const auto found = std::ranges::find(all, name, &pipeline::EndNode::name);
  return found == all.end() ? nullptr : &*found;
}

const op::Operator& operator_named(const std::string& name) {
  const auto& all = catalog::operators();
  if (const op::Operator* found = all.find(name)) {
    return *found;
  }
  std::vector<std::string> names = all.names();
  for (const auto& node : pipeline::end_nodes()) {
    names.push_back(node.name);
  }
  const auto nearest = nearest_word(name, names);
  throw Error(ErrorCode::not_found,
              fmt::format("there is no operator \"{}\"{}", name,
                          nearest ? fmt::format("; did you mean \"{}\"?", *nearest)
                                  : "; weir ops lists them"));
}

std::string_view events_text(op::TakesEvents takes) {
  switch (takes) {
    case op::TakesEvents::always:
      return "Takes the events of another node beside its signal.";
    case op::TakesEvents::if_given:
      return "May take the events of another node beside its signal.";
    case op::TakesEvents::no:
      break;
  }
  return {};
}

Value to_value(const op::Operator& op) {
  Value object = Value::object();
  object.set("name", op.name());
  object.set("summary", op.summary());
  object.set("device_kernel", !op.device().text.empty());
  object.set("takes_events", op::takes_events_name(op.takes_events()));
  object.set("schema", op::json_schema(op.fields()));
  return object;
}

void print_all(bool json, Terminal& terminal) {
  if (json) {
    Value list = Value::array();
    for (const auto* op : catalog::operators().all()) {
      list.push_back(to_value(*op));
    }
    terminal.line(to_json(list, 2));
    return;
  }
  TextTable table;
  for (const auto* op : catalog::operators().all()) {
    table.row({op->name(), op->summary()});
  }
  terminal.print(table.text());
  TextTable ends;
  for (const auto& node : pipeline::end_nodes()) {
    ends.row({node.name, node.summary});
  }
  terminal.print("\nWhere a graph begins and ends:\n\n" + ends.text());
}

void print_end(const pipeline::EndNode& node, bool json, Terminal& terminal) {
  if (!json) {
    terminal.print(fmt::format("{}: {}\n\n{}", node.name, node.summary, field_lines(node.fields)));
    return;
  }
  Value object = Value::object();
  object.set("name", node.name);
  object.set("summary", node.summary);
  object.set("schema", op::json_schema(node.fields));
  terminal.line(to_json(object, 2));
}

void run(const Ops& arguments, Terminal& terminal) {
  if (arguments.name.empty()) {
    print_all(arguments.json, terminal);
    return;
  }
  if (const auto* node = end_node(arguments.name)) {
    print_end(*node, arguments.json, terminal);
    return;
  }
  const op::Operator& op = operator_named(arguments.name);
  if (arguments.json) {
    terminal.line(to_json(to_value(op), 2));
  } else {
    const std::string_view events = events_text(op.takes_events());
    terminal.print(fmt::format("{}: {}\n{}{}\n{}", op.name(), op.summary(), events,
                               events.empty() ? "" : "\n", field_lines(op.fields())));
  }
}
}  // namespace

const Command& ops_command() {
  static const auto kCommand = make_command<Ops>({
      .name = "ops",
      .summary = "List what the nodes of a spec may be, or the fields of one.",
      .schema =
          op::Schema<Ops>{
              op::field(
                  "name", &Ops::name,
                  {.doc = "An operator, read, read_events or write; leave it out for the list."}),
              op::field("json", &Ops::json, {.doc = "Print JSON, fields as JSON Schema."})},
      .positional = {"name"},
      .examples = {"", "iir", "crossings --json"},
      .run = &run,
  });
  return *kCommand;
}

}  // namespace weir::cli
