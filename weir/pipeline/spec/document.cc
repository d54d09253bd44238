#include <fmt/format.h>

#include "weir/core/text.h"
#include "weir/formats/json.h"
#include "weir/formats/toml.h"
#include "weir/pipeline/spec/document_internal.h"
#include "weir/pipeline/spec/dspk_spec_internal.h"

namespace weir::pipeline {
namespace {
/// The version under `key`. Errors: `invalid_spec` unless it is a version this program reads.
void require_version(const Value& document, std::string_view key, std::int64_t known) {
  const Value& version = document.at(key);
  if (!version.is_integer() || version.as_integer() < 1) {
    throw Error(ErrorCode::invalid_spec,
                fmt::format("{}: expected a version number such as {}, found {}", key, known,
                            to_json(version)));
  }
  if (version.as_integer() > known) {
    throw Error(ErrorCode::invalid_spec,
                fmt::format("{}: version {} needs a newer weir; this is weir {}, which reads "
                            "versions up to {}",
                            key, version.as_integer(), WEIR_VERSION, known));
  }
}
}  // namespace

SpecLanguage language_of(const std::filesystem::path& path, std::string_view text) {
  if (path.extension() == ".toml") {
    return SpecLanguage::toml;
  }
  const auto bare = trimmed(text);
  return path.extension() == ".json" || bare.starts_with('{') ? SpecLanguage::json
                                                              : SpecLanguage::toml;
}

Value parse_language(std::string_view text, SpecLanguage language) {
  if (language == SpecLanguage::toml) {
    return formats::parse_toml(text);
  }
  try {
    return formats::parse_json(text);
  } catch (const Error& error) {
    throw Error(ErrorCode::invalid_spec, error.text());
  }
}

Value read_document(std::string_view text, SpecLanguage language) {
  Value document = parse_language(text, language);
  if (!document.is_object()) {
    throw Error(
        ErrorCode::invalid_spec,
        fmt::format("expected an object with weir_pipeline and nodes, found {}; see weir schema",
                    document.type_name()));
  }
  if (document.find("weir_provenance") != nullptr) {
    require_version(document, "weir_provenance", kProvenanceVersion);
    const Value* held = document.find("spec");
    if (held == nullptr || !held->is_object()) {
      throw Error(ErrorCode::invalid_spec, "spec: a provenance file must hold an object here");
    }
    document = Value(*held);
  }
  if (document.find("dspk_pipeline") != nullptr) {
    return from_dspk(document);
  }
  if (document.find("weir_pipeline") == nullptr) {
    throw Error(ErrorCode::invalid_spec,
                fmt::format("weir_pipeline: is required; a spec starts with weir_pipeline = {}",
                            kSpecVersion));
  }
  require_version(document, "weir_pipeline", kSpecVersion);
  return document;
}

}  // namespace weir::pipeline
