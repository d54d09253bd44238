#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

#include "weir/core/block.h"
#include "weir/core/buffer.h"
#include "weir/formats/writer.h"
#include "weir/pipeline/run/threads.h"

namespace weir::pipeline {

/// Packed rows on their way to a writer.
struct Stage {
  AlignedBytes bytes;
  std::int64_t rows = 0;
};

/// Encodes and writes beside the computing: one thread, a few stages in flight.
class WriterThread {
 public:
  /// `capacity`: rows a stage holds.
  WriterThread(formats::RecordingWriter& writer, SampleType type, std::int64_t channels,
               std::int64_t capacity);
  /// Ends the thread; what was not written yet is dropped.
  ~WriterThread();
  WriterThread(const WriterThread&) = delete;
  WriterThread& operator=(const WriterThread&) = delete;

  /// An empty stage, when one is free. Errors: whatever the writer threw.
  Stage take();
  /// The stage's rows are written after all earlier ones; then it is free again.
  void give(Stage stage);
  /// Waits until everything given is written. Errors: whatever the writer threw.
  void drain();
  double busy_s() const noexcept;
  double waited_s() const noexcept;  ///< How long `take` and `drain` waited.

 private:
  struct Shared;
  std::unique_ptr<Shared> shared_;
};

}  // namespace weir::pipeline
