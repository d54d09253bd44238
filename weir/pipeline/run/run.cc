#include "weir/pipeline/run/run.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <filesystem>

#include "weir/core/error.h"
#include "weir/pipeline/plan/plan_data.h"
#include "weir/pipeline/plan/resume_check.h"
#include "weir/pipeline/run/input_run.h"
#include "weir/pipeline/run/threads.h"

namespace weir::pipeline {
namespace {
constexpr std::string_view kRun = "run";

/// Calls the observer at most ten times a second and once at each change of stage.
class Ticker {
 public:
  Ticker(const PlanData& data, const Observer& observe) : data_(data), observe_(observe) {
    progress_.inputs = static_cast<std::int64_t>(data.inputs.size());
  }

  void start_input(std::size_t number) {
    const InputPlan& plan = data_.inputs[number];
    const StreamInfo& in = plan.graph.in;
    progress_.input = static_cast<std::int64_t>(number);
    progress_.blocks_done = 0;
    progress_.blocks = 0;
    for (const auto& segment : in.segments) {
      progress_.blocks += (segment.frames + plan.place.chunk_frames - 1) / plan.place.chunk_frames;
    }
  }

  void tick(const InputRun::Moment& moment) {
    progress_.bytes_read += moment.bytes_read;
    progress_.blocks_done += moment.bytes_read > 0 && moment.stage == kRun ? 1 : 0;
    progress_.seconds_done = moment.seconds_done;
    progress_.seconds_total = moment.seconds_total;
    const auto now = std::chrono::steady_clock::now();
    const bool due =
        moment.stage != progress_.stage || now - last_ > std::chrono::milliseconds(100);
    progress_.stage = moment.stage;
    if (!observe_ || !due) {
      return;
    }
    last_ = now;
    if (!observe_(progress_)) {
      throw Error(ErrorCode::cancelled, "cancelled");
    }
  }

 private:
  const PlanData& data_;
  const Observer& observe_;
  Progress progress_;
  std::chrono::steady_clock::time_point last_{};
};
/// A device of its own for every input: the driver gives back what one leaves behind.
std::shared_ptr<compute::Device> open_device(const PlanData& data, const Placement& place) {
  if (!place.uses_device()) {
    return nullptr;
  }
  return data.options.device_opener ? data.options.device_opener(place.target)
                                    : compute::open_device(place.target);
}

void run_there(const PlanData& data, const InputPlan& plan, const Placement& place,
               Threads& threads, Report& report, const InputRun::Tick& tick) {
  report.target = place.target;  // Not the plan's where the CPU takes over.
  InputRun input(data, plan, place, open_device(data, place), threads, report, tick);
  input.run();
}

/// Where the plan says; once more on the CPU, from the start, where a device that we chose fails.
void run_input(const PlanData& data, const InputPlan& plan, Threads& threads, Report& report,
               const InputRun::Tick& tick) {
  if (!plan.fallback) {
    run_there(data, plan, plan.place, threads, report, tick);
    return;
  }
  const Report before = report;
  try {
    run_there(data, plan, plan.place, threads, report, tick);
  } catch (const Error& error) {
    if (error.code() != ErrorCode::device) {
      throw;
    }
    report = before;
    report.warnings.push_back(fmt::format("{}; ran on the cpu instead", error.text()));
    std::error_code none;
    std::filesystem::remove(checkpoint_path(plan), none);  // The device's: not to be continued.
    run_there(data, plan, *plan.fallback, threads, report, tick);
  }
}
}  // namespace

Report run(const Plan& plan, const Observer& observe) {
  const PlanData& data = plan.data();
  Report report;
  report.target = data.target.target.name;
  report.threads = data.threads;
  Ticker ticker(data, observe);
  Threads threads(data.threads);
  const auto start = std::chrono::steady_clock::now();
  const auto tick = [&](const InputRun::Moment& moment) {
    // Kept up to date: the provenance holds the report as it stands at the commit.
    report.seconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    ticker.tick(moment);
  };
  for (std::size_t i = 0; i < data.inputs.size(); ++i) {
    if (data.inputs[i].complete) {
      const Input& input = data.inputs[i].input;
      report.already_complete.push_back(input.name);
      report.warnings.insert(report.warnings.end(), input.warnings.begin(), input.warnings.end());
      continue;
    }
    ticker.start_input(i);
    in_context(data.inputs[i].input.name,
               [&] { run_input(data, data.inputs[i], threads, report, tick); });
  }
  report.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return report;
}

}  // namespace weir::pipeline
