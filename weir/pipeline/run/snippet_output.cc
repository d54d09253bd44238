#include "weir/compute/convert.h"
#include "weir/core/error.h"
#include "weir/pipeline/run/snippet_output_internal.h"
#include "weir/pipeline/run/stopwatch.h"

namespace weir::pipeline {

SnippetsToFile::SnippetsToFile(const PlannedOutput& plan, std::vector<std::byte> resume_from)
    : plan_(plan),
      converted_(plan.snippet.stream.type, plan.snippet.frames,
                 plan.snippet.stream.channel_count()) {
  formats::SnippetOutput request = plan.snippet;
  if (!resume_from.empty()) {
    op::ByteReader reader(resume_from);
    count_ = reader.get<std::int64_t>();
    clipped_ = reader.get<std::int64_t>();
    request.resume_from = reader.get_vector<std::byte>();
  }
  writer_ = formats::make_snippet_writer(request);
}

void SnippetsToFile::snippet(const Event& event, AnyBlock rows) {
  const Block<const float> in = rows.as<float>();
  if (converted_.block().type() == SampleType::float32) {
    compute::to_physical(in, plan_.gain, plan_.offset, converted_.as<float>());
  } else {
    clipped_ += compute::to_int16(in, plan_.gain, converted_.as<std::int16_t>());
  }
  const Stopwatch watch(write_s_);
  in_context("node " + plan_.node, [&] { writer_->append(event, converted_.block()); });
  ++count_;
}

std::vector<std::byte> SnippetsToFile::save() {
  op::ByteWriter out;
  out.put(count_);
  out.put(clipped_);
  out.put_all(writer_->save());
  return out.bytes();
}

OutputReport SnippetsToFile::report() const {
  OutputReport report;
  report.is_table = true;
  report.snippets = true;
  report.node = plan_.node;
  report.path = plan_.path;
  report.provenance = formats::provenance_path(plan_.path);
  report.channels = plan_.snippet.stream.channel_count();
  report.rate_hz = plan_.snippet.stream.rate.hz();
  report.events = count_;
  report.clipped = clipped_;
  report.bytes_written = writer_->bytes_written();
  report.write_s = write_s_;
  return report;
}

}  // namespace weir::pipeline
