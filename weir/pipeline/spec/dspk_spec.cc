#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <span>

#include "weir/core/error.h"
#include "weir/pipeline/spec/document_internal.h"
#include "weir/pipeline/spec/dspk_spec_internal.h"

namespace weir::pipeline {
namespace {
/// One key of theirs and ours; an empty one of ours drops it.
struct KeyPair {
  std::string_view theirs;
  std::string_view ours;
};

struct OpPair {
  std::string_view theirs;
  std::string_view ours;
  std::vector<KeyPair> keys;
};

const std::vector<OpPair>& ops() {
  static const std::vector<OpPair> kOps{
      {"read", "read", {{"path", "path"}, {"channels", "channels"}}},
      {"iir",
       "iir",
       {{"band", "band"}, {"cutoff", "cutoff_hz"}, {"order", "order"}, {"mode", "mode"}}},
      {"whiten", "whiten", {}},  // Its keys have no counterparts; see `refuse_fit_key`.
      {"resample", "resample", {{"up", "up"}, {"down", "down"}}},
      {"crossings",
       "crossings",
       {{"level", "level"}, {"release", "release"}, {"direction", "direction"}}},
      {"remap", "channel_map", {{"pairs", "pairs"}, {"base", "base"}, {"file", "file"}}},
      {"write", "write", {{"path", "path"}, {"format", "format"}, {"parallel", ""}}}};
  return kOps;
}

/// The iir of that system runs forward and backward unless told otherwise.
void set_mode(Value& node, const std::string& id, std::vector<Problem>& problems) {
  const Value* mode = node.find("mode");
  if (mode == nullptr || (mode->is_string() && (mode->as_string() == "forward_backward" ||
                                                mode->as_string() == "zero-phase"))) {
    node.set("mode", "zero_phase");
  } else if (*mode != Value("forward") && *mode != Value("zero_phase")) {
    problems.push_back(
        {id, "mode",
         fmt::format("{} is not one of: forward, zero_phase, forward_backward", to_json(*mode))});
  }
}

/// Its whitening adds an epsilon in squares of the unit and measures where it is told to; ours
/// has neither, and both would change the result.
bool refuse_fit_key(const std::string& id, std::string_view key, std::vector<Problem>& problems) {
  const std::string node = fmt::format("{} (whiten)", id);
  if (key == "epsilon") {
    problems.push_back({node, "epsilon",
                        "is in squares of the unit there; here eps is a part of the mean "
                        "eigenvalue (1e-6 if left out): leave it out"});
    return true;
  }
  if (key == "fit_s" || key == "chunks") {
    problems.push_back({node, std::string(key),
                        "the covariance is measured in 20 stretches of half a second here: leave "
                        "it out"});
    return true;
  }
  return false;
}

/// The format "events" stands for what the path's extension says.
void set_format(Value& node) {
  const Value* format = node.find("format");
  if (format != nullptr && *format == Value("events")) {
    std::erase_if(node.as_object(),
                  [](const Value::Member& member) { return member.first == "format"; });
  }
}

Value convert_node(const std::string& id, const Value& fields, std::vector<Problem>& problems) {
  const Value* op = fields.find("op");
  const auto found = std::find_if(ops().begin(), ops().end(), [&](const OpPair& pair) {
    return op != nullptr && *op == Value(pair.theirs);
  });
  if (found == ops().end()) {
    std::vector<std::string_view> known;
    for (const auto& pair : ops()) {
      known.push_back(pair.theirs);
    }
    problems.push_back({id, "op",
                        fmt::format("{} is not read from a dspk_pipeline; known: {}",
                                    op == nullptr ? std::string("a missing op") : to_json(*op),
                                    fmt::join(known, ", "))});
    return Value::object();
  }
  Value node = Value::object();
  node.set("op", found->ours);
  for (const auto& [key, value] : fields.as_object()) {
    const bool fit_key = found->ours == "whiten" && refuse_fit_key(id, key, problems);
    if (key == "op" || fit_key) {
      continue;
    }
    const auto pair = std::find_if(found->keys.begin(), found->keys.end(),
                                   [&](const KeyPair& known) { return known.theirs == key; });
    if (pair == found->keys.end()) {
      problems.push_back({fmt::format("{} ({})", id, found->theirs), key,
                          "this key is not read from a dspk_pipeline"});
    } else if (!pair->ours.empty()) {
      node.set(pair->ours, value);
    }
  }
  if (found->ours == "iir") {
    set_mode(node, id, problems);
  } else if (found->ours == "write") {
    set_format(node);
  }
  return node;
}

Value convert_execution(const Value& section, std::vector<Problem>& problems) {
  Value execution = Value::object();
  if (!section.is_object()) {
    problems.push_back(
        {"", "execution", fmt::format("expected an object, found {}", section.type_name())});
    return execution;
  }
  for (const auto& [key, value] : section.as_object()) {
    if (key == "runtime" && (value == Value("cpu") || value == Value("cuda"))) {
      execution.set("target", value);
    } else if (key == "runtime") {
      problems.push_back(
          {"", "execution.runtime",
           fmt::format("{} has no counterpart here; known: cpu, cuda", to_json(value))});
    } else if (key != "chunk_samples") {
      problems.push_back({"", "execution." + key, "this key is not read from a dspk_pipeline"});
    }
  }
  return execution;
}
}  // namespace

Value from_dspk(const Value& document) {
  std::vector<Problem> problems;
  Value converted = Value::object();
  converted.set("weir_pipeline", kSpecVersion);
  for (const auto& [key, value] : document.as_object()) {
    if (key == "dspk_pipeline") {
      if (value != Value(1)) {
        throw Error(ErrorCode::invalid_spec,
                    fmt::format("dspk_pipeline: {} is not read; known: 1", to_json(value)));
      }
    } else if (key == "nodes" && value.is_object()) {
      Value& nodes = converted.set("nodes", Value::object());
      for (const auto& [id, fields] : value.as_object()) {
        nodes.set(id, convert_node(id, fields, problems));
      }
    } else if (key == "execution") {
      converted.set("execution", convert_execution(value, problems));
    } else if (key == "edges") {
      converted.set("edges", value);
    } else {
      problems.push_back(
          {"", key,
           key == "nodes" ? "expected an object" : "this key is not read from a dspk_pipeline"});
    }
  }
  throw_if_any(problems);
  return converted;
}

}  // namespace weir::pipeline
