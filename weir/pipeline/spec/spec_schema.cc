#include "weir/op/schema.h"
#include "weir/pipeline/spec/document_internal.h"
#include "weir/pipeline/spec/end_nodes.h"

namespace weir::pipeline {
namespace {
using Object = Value::Object;
using Array = Value::Array;

constexpr std::string_view kIdPattern = "^[A-Za-z0-9_-]+$";
constexpr std::string_view kFromPattern = "^[A-Za-z0-9_-]+(\\.[A-Za-z0-9_]+)?$";

Value reference(std::string_view name) {
  return Object{{"$ref", "#/$defs/" + std::string(name)}};
}

/// One op: its fields, and `op` as the constant that tells it from the others.
Value op_schema(std::string_view name, std::string_view summary,
                const std::vector<op::FieldInfo>& fields) {
  Value schema = op::json_schema(fields);
  Value& properties = *schema.find("properties");
  properties.set("op", Object{{"const", name}});
  properties.set("id", Object{{"type", "string"}, {"pattern", kIdPattern}});
  Array required{"op"};
  Array either;
  for (const auto& field : fields) {
    if (!field.required) {
      continue;
    }
    Array spellings{Object{{"required", Array{field.name}}}};
    for (const auto& alias : field.aliases) {
      spellings.push_back(Object{{"required", Array{alias}}});
    }
    if (spellings.size() == 1) {
      required.emplace_back(field.name);
    } else {
      either.push_back(Object{{"anyOf", spellings}});
    }
  }
  schema.set("required", required);
  if (!either.empty()) {
    schema.set("allOf", either);
  }
  schema.set("description", summary);
  return schema;
}

Value nodes_schema() {
  const Value as_object = Object{{"type", "object"},
                                 {"propertyNames", Object{{"pattern", kIdPattern}}},
                                 {"additionalProperties", reference("node")}};
  const Value with_id = Array{reference("node"), Object{{"required", Array{"id"}}}};
  const Value as_array = Object{{"type", "array"}, {"items", Object{{"allOf", with_id}}}};
  return Object{{"description", "By id, or an array of nodes with id."},
                {"oneOf", Array{as_object, as_array}}};
}

Value edges_schema() {
  const Value from = Object{{"type", "string"}, {"pattern", kFromPattern}};
  const Value to = Object{{"type", "string"}, {"pattern", kIdPattern}};
  const Value pair =
      Object{{"type", "array"}, {"prefixItems", Array{from, to}}, {"minItems", 2}, {"maxItems", 2}};
  return Object{{"description",
                 "[from, to]; from may be node.port. Left out, an array of nodes is one chain."},
                {"type", "array"},
                {"items", pair}};
}
}  // namespace

Value spec_schema(const op::OperatorList& operators) {
  Value definitions = Value::object();
  Array ops;
  const auto add = [&](std::string_view name, std::string_view summary,
                       const std::vector<op::FieldInfo>& fields) {
    const std::string key = "op_" + std::string(name);
    definitions.set(key, op_schema(name, summary, fields));
    ops.push_back(reference(key));
  };
  for (const EndNode& node : end_nodes()) {
    add(node.name, node.summary, node.fields);
  }
  for (const op::Operator* entry : operators.all()) {
    add(entry->name(), entry->summary(), entry->fields());
    if (entry->takes_events() != op::TakesEvents::no) {
      definitions.find("op_" + entry->name())
          ->set("x-takes-events", op::takes_events_name(entry->takes_events()));
    }
  }
  definitions.set("node", Object{{"type", "object"}, {"oneOf", ops}});

  Value execution = op::json_schema(execution_fields());
  const Value properties = Object{{"$schema", Object{{"type", "string"}}},
                                  {"weir_pipeline", Object{{"const", kSpecVersion}}},
                                  {"nodes", nodes_schema()},
                                  {"edges", edges_schema()},
                                  {"execution", execution}};
  return Object{{"$schema", "https://json-schema.org/draft/2020-12/schema"},
                {"title", "Weir pipeline"},
                {"type", "object"},
                {"required", Array{"weir_pipeline", "nodes"}},
                {"properties", properties},
                {"additionalProperties", false},
                {"$defs", definitions}};
}

}  // namespace weir::pipeline
