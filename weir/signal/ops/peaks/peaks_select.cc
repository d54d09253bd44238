#include <algorithm>
#include <limits>
#include <span>

#include "weir/signal/ops/peaks/peaks_internal.h"

namespace weir::signal {
namespace {
/// A candidate and where it stands.
struct Contender {
  double height = 0;  ///< Physical.
  std::int64_t peak = 0;
  std::int32_t lane = 0;
  std::int32_t index = 0;
};

/// The higher one wins; of equals the later, then that of the later channel.
bool wins(const Contender& a, const Contender& b) noexcept {
  if (a.height != b.height) {
    return a.height > b.height;
  }
  return a.peak != b.peak ? a.peak > b.peak : a.lane > b.lane;
}

/// One polarity at one time.
class Selection {
 public:
  Selection(const PeakPlan& plan, PeakState& state, std::vector<PeakLane>& lanes, std::int64_t now,
            bool ended)
      : plan_(plan), state_(state), lanes_(lanes), now_(now) {
    known_.reserve(lanes.size());
    for (const PeakLane& lane : lanes) {
      known_.push_back(ended ? kForever : known(lane));
    }
  }

  void run() {
    gather();
    pass();
    // Who has waited too long goes by what is known; the highest that can be judged first.
    for (auto overdue = most_overdue(); overdue; overdue = most_overdue()) {
      force();
      pass();
    }
    drop_losers();
  }

 private:
  static constexpr std::int64_t kForever = std::numeric_limits<std::int64_t>::max() / 2;
  enum class Verdict { waits, loses, wins };

  /// Every candidate of a lane before this frame has been seen: an open top's middle is to come.
  std::int64_t known(const PeakLane& lane) const {
    const bool open = lane.start >= 0 && now_ - lane.start <= plan_.rules.max_cluster;
    return open ? (lane.start + now_ - 1) / 2 : now_;
  }

  void gather() {
    for (std::size_t lane = 0; lane < lanes_.size(); ++lane) {
      auto& candidates = lanes_[lane].candidates;
      for (std::size_t i = 0; i < candidates.size(); ++i) {
        if (candidates[i].fate == PeakFate::open) {
          open_.push_back({height(lane, candidates[i]), candidates[i].peak(),
                           static_cast<std::int32_t>(lane), static_cast<std::int32_t>(i)});
        }
      }
    }
    std::sort(open_.begin(), open_.end(), wins);
    lost_.resize(lanes_.size());
    for (std::size_t lane = 0; lane < lanes_.size(); ++lane) {
      lost_[lane].assign(lanes_[lane].candidates.size(), false);
    }
  }

  double height(std::size_t lane, const PeakCandidate& candidate) const {
    const auto channel = static_cast<std::size_t>(state_.at.first_channel) + lane;
    return double{candidate.value} * plan_.levels[channel].gain;
  }

  Verdict judge(const Contender& own) const {
    bool waits = false;
    const auto channel = static_cast<std::size_t>(state_.at.first_channel + own.lane);
    const auto& rivals = plan_.competitors[channel];
    const auto lane_of = [&](std::int32_t other) {
      return static_cast<std::size_t>(other - state_.at.first_channel);
    };
    if (std::any_of(rivals.begin(), rivals.end(), [&](std::int32_t other) {
          return own.peak + plan_.rules.distance > known_[lane_of(other)];
        })) {
      return Verdict::waits;
    }
    for (const std::int32_t other : rivals) {
      const std::size_t lane = lane_of(other);
      const auto& candidates = lanes_[lane].candidates;
      auto it = std::partition_point(candidates.begin(), candidates.end(), [&](const auto& one) {
        return one.peak() <= own.peak - plan_.rules.distance;
      });
      for (; it != candidates.end() && it->peak() < own.peak + plan_.rules.distance; ++it) {
        const auto index = static_cast<std::size_t>(it - candidates.begin());
        const Contender rival{height(lane, *it), it->peak(), static_cast<std::int32_t>(lane),
                              static_cast<std::int32_t>(index)};
        if (lost_[lane][index] || (rival.lane == own.lane && rival.index == own.index)) {
          continue;
        }
        if (it->fate == PeakFate::kept) {
          return Verdict::loses;
        }
        waits = waits || wins(rival, own);
      }
    }
    return waits ? Verdict::waits : Verdict::wins;
  }

  PeakCandidate& at(const Contender& one) {
    return lanes_[static_cast<std::size_t>(one.lane)]
        .candidates[static_cast<std::size_t>(one.index)];
  }
  void decide(const Contender& one, Verdict verdict) {
    if (verdict == Verdict::wins) {
      at(one).fate = PeakFate::kept;
    } else {
      lost_[static_cast<std::size_t>(one.lane)][static_cast<std::size_t>(one.index)] = true;
    }
  }

  /// From the highest down: what is above one has been judged before it.
  void pass() {
    std::erase_if(open_, [this](const Contender& one) {
      const Verdict verdict = judge(one);
      if (verdict != Verdict::waits) {
        decide(one, verdict);
      }
      return verdict != Verdict::waits;
    });
  }

  bool most_overdue() const {
    return std::any_of(open_.begin(), open_.end(), [this](const Contender& one) {
      return one.peak + plan_.rules.max_cluster <= now_;
    });
  }

  void force() {
    const auto one = std::find_if(open_.begin(), open_.end(), [this](const Contender& candidate) {
      return candidate.peak + plan_.rules.max_cluster <= now_;
    });
    decide(*one, Verdict::wins);
    open_.erase(one);
    ++state_.forced;
  }

  void drop_losers() {
    for (std::size_t lane = 0; lane < lanes_.size(); ++lane) {
      std::size_t index = 0;
      std::erase_if(lanes_[lane].candidates,
                    [&](const PeakCandidate&) { return lost_[lane][index++]; });
    }
  }

  const PeakPlan& plan_;
  PeakState& state_;
  std::vector<PeakLane>& lanes_;
  std::int64_t now_;
  std::vector<std::int64_t> known_;  ///< Per lane.
  std::vector<Contender> open_;
  std::vector<std::vector<bool>> lost_;
};
}  // namespace

void select_peaks(const PeakPlan& plan, PeakState& state, std::int64_t now, bool ended) {
  for (auto* lanes : {&state.above, &state.below}) {
    if (!plan.rules.selects()) {
      for (PeakLane& lane : *lanes) {
        for (PeakCandidate& candidate : lane.candidates) {
          candidate.fate = PeakFate::kept;
        }
      }
    } else if (!lanes->empty()) {
      Selection(plan, state, *lanes, now, ended).run();
    }
  }
}

}  // namespace weir::signal
