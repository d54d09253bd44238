#include "weir/signal/ops/iir/iir_zero_phase_internal.h"

namespace weir::signal {

template <class T>
void save_zero_phase(const ZeroPhaseState<T>& mine, op::ByteWriter& to) {
  to.put(mine.ended);
  for (const std::int64_t count : {mine.seen, mine.filtered, mine.ready, mine.emitted}) {
    to.put(count);
  }
  to.put_all(std::span<const T>(mine.forward.values()));
  save_scan(mine.scan, to);
  for (const auto& end : mine.ends) {
    to.put_all(std::span<const T>(end.values()));
  }
  const auto width = static_cast<std::size_t>(mine.channels);
  for (std::int64_t row = 0; row < mine.edge.frames(); ++row) {
    to.put_all(std::span<const float>(mine.edge.template as<float>().row(row), width));
  }
  for (std::int64_t row = mine.emitted; row < mine.filtered; ++row) {
    to.put_all(std::span<const float>(mine.spool.rows(row, 1).row(0), width));
  }
}

template <class T>
void load_zero_phase(ZeroPhaseState<T>& mine, op::ByteReader& from) {
  mine.ended = from.get<bool>();
  for (std::int64_t* count : {&mine.seen, &mine.filtered, &mine.ready, &mine.emitted}) {
    *count = from.get<std::int64_t>();
  }
  from.get_all(mine.forward.values());
  load_scan(mine.scan, mine.forward, from);
  for (auto& end : mine.ends) {
    from.get_all(end.values());
  }
  const auto width = static_cast<std::size_t>(mine.channels);
  for (std::int64_t row = 0; row < mine.edge.frames(); ++row) {
    from.get_all(std::span(mine.edge.template as<float>().row(row), width));
  }
  for (std::int64_t row = mine.emitted; row < mine.filtered; ++row) {
    const Block<float> room = mine.spool.room(row, 1);
    from.get_all(std::span(room.row(0), width));
    mine.spool.store(row, room);
  }
}

template void save_zero_phase(const ZeroPhaseState<float>& mine, op::ByteWriter& to);
template void save_zero_phase(const ZeroPhaseState<double>& mine, op::ByteWriter& to);
template void load_zero_phase(ZeroPhaseState<float>& mine, op::ByteReader& from);
template void load_zero_phase(ZeroPhaseState<double>& mine, op::ByteReader& from);

}  // namespace weir::signal
