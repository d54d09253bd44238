#pragma once

#include <vector>

#include "weir/core/value.h"
#include "weir/formats/event_table.h"
#include "weir/formats/tables/column_batch.h"

namespace weir::formats {

/// The columns of an event table, in their order, and the metadata of the file: `weir_events` (1),
/// `rate` (numerator and denominator), `sample_rate_hz`, `channel_names`, `channel_units` and
/// `segments`, each as JSON.
TableSchema event_schema(const EventTableInfo& table);

/// The segments that the metadata tells. Errors: `invalid_spec`, `corrupt_data` naming the field.
std::vector<Segment> event_segments(const Value& value);

/// Rows as those columns.
class EventColumns {
 public:
  explicit EventColumns(const TableSchema& schema);
  void append(const EventRow& row);
  const ColumnBatch& batch() const noexcept { return batch_; }
  void clear();

 private:
  ColumnBatch batch_;
};

}  // namespace weir::formats
