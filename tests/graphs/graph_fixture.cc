#include "graph_fixture.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>
#include <random>

#include "weir/catalog/catalog.h"
#include "weir/core/text.h"
#include "weir/op/operator_list.h"
#include "weir/testing/fake_operators.h"

namespace weir::tests {
namespace fs = std::filesystem;

namespace {
/// The catalogue's, and `fake_echo`, which has no device kernels.
const op::OperatorList& operators() {
  static const auto kEcho = testing::fake_echo();
  static const op::OperatorList kOperators = [] {
    auto all = catalog::operators().all();
    all.push_back(kEcho.get());
    return op::OperatorList(std::move(all));
  }();
  return kOperators;
}
}  // namespace

GraphTest::GraphTest() {
  std::string name = (fs::temp_directory_path() / "weir-graphs-XXXXXX").string();
  if (::mkdtemp(name.data()) == nullptr) {
    std::abort();
  }
  folder_ = name;
}

GraphTest::~GraphTest() {
  std::error_code failure;
  fs::remove_all(folder_, failure);
}

void GraphTest::make_recording(const std::string& name, std::int64_t channels,
                               const std::vector<std::int64_t>& segment_frames, bool equal) {
  std::int64_t frames = 0;
  std::string segments;
  for (std::size_t s = 0; s < segment_frames.size(); ++s) {
    segments += fmt::format("{}{{\"start_s\":{},\"samples\":{}}}", s == 0 ? "" : ",", 100 * s,
                            segment_frames[s]);
    frames += segment_frames[s];
  }
  std::mt19937 random(7);
  std::normal_distribution<double> noise(0, 60);
  std::string bytes;
  for (std::int64_t f = 0; f < frames; ++f) {
    const double common = noise(random);
    for (std::int64_t c = 0; c < channels; ++c) {
      const auto count = static_cast<std::int16_t>(common + noise(random));
      bytes.append(reinterpret_cast<const char*>(&count),
                   sizeof count);  // NOLINT: bytes of a number
    }
  }
  write_text_file(path(name).string(), bytes);
  std::string list;
  for (std::int64_t c = 0; c < channels; ++c) {
    const double gain = equal ? 0.195 : 0.1 + 0.01 * static_cast<double>(c % 13);
    const double offset = equal ? 0 : static_cast<double>(c % 7) - 3;
    list += fmt::format(
        "{}{{\"name\":\"c{}\",\"gain\":{},\"offset\":{},\"unit\":\"uV\",\"position\":[0,{}],"
        "\"group\":\"{}\"}}",
        c == 0 ? "" : ",", c, gain, offset, 20 * c, c % 2);
  }
  write_text_file(
      path(name).string() + ".json",
      fmt::format(
          R"({{"weir_raw":1,"rate":[30000,1],"dtype":"int16","order":"time_major","samples":{},)"
          R"("channels":[{}],"segments":[{}]}})",
          frames, list, segments));
}

void GraphTest::make_floats(const std::string& name, const std::vector<float>& samples) {
  const std::string bytes(reinterpret_cast<const char*>(samples.data()),
                          samples.size() * sizeof(float));  // NOLINT
  write_text_file(path(name).string(), bytes);
  write_text_file(
      path(name).string() + ".json",
      fmt::format(
          R"({{"weir_raw":1,"rate":[1000,1],"dtype":"float32","order":"time_major","samples":{},)"
          R"("channels":[{{"name":"a","gain":1,"offset":0,"unit":"mV"}}]}})",
          samples.size()));
}

pipeline::Plan GraphTest::plan(const std::string& spec, const std::vector<std::string>& overrides,
                               bool overwrite) {
  const auto parsed =
      pipeline::parse_spec(spec, pipeline::SpecLanguage::json, folder_, overrides, operators());
  pipeline::PlanOptions options = options_;
  options.overwrite = overwrite;
  return pipeline::make_plan(parsed, {operators(), catalog::formats()}, options);
}

pipeline::Report GraphTest::run(const std::string& spec, const std::vector<std::string>& overrides,
                                const Observer& observe, bool overwrite) {
  return pipeline::run(plan(spec, overrides, overwrite), observe);
}

std::map<std::string, std::string> GraphTest::contents(const std::string& folder) const {
  std::map<std::string, std::string> found;
  for (const auto& entry : fs::recursive_directory_iterator(folder_ / folder)) {
    if (entry.is_regular_file() && !entry.path().string().ends_with(".weir.json")) {
      found[fs::relative(entry.path(), folder_ / folder).string()] =
          read_text_file(entry.path().string(), 1 << 30);
    }
  }
  return found;
}

std::vector<std::string> GraphTest::files() const {
  std::vector<std::string> found;
  for (const auto& entry : fs::recursive_directory_iterator(folder_)) {
    found.push_back(fs::relative(entry.path(), folder_).string());
  }
  std::sort(found.begin(), found.end());
  return found;
}

std::string GraphTest::read(const std::string& name) const {
  return read_text_file(path(name).string(), 1 << 30);
}

std::vector<float> GraphTest::read_floats(const std::string& name) const {
  const std::string bytes = read(name);
  std::vector<float> values(bytes.size() / sizeof(float));
  std::memcpy(values.data(), bytes.data(), values.size() * sizeof(float));
  return values;
}

}  // namespace weir::tests
