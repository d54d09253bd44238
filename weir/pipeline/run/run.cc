#include "weir/pipeline/run/run.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <chrono>
#include <exception>
#include <filesystem>
#include <functional>
#include <mutex>
#include <set>
#include <thread>

#include "weir/core/error.h"
#include "weir/pipeline/plan/plan_data.h"
#include "weir/pipeline/plan/resume_check.h"
#include "weir/pipeline/run/input_run.h"
#include "weir/pipeline/run/progress_board.h"
#include "weir/pipeline/run/threads.h"

namespace weir::pipeline {
namespace {
using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

/// What carries the inputs of one share.
struct Share {
  Threads threads;
  /// Opened by the first input that needs it, which takes tenths of a second.
  std::shared_ptr<compute::Device> device = nullptr;
};

std::shared_ptr<compute::Device> device_for(const PlanData& data, const Placement& place,
                                            Share& share) {
  if (!place.uses_device()) {
    return nullptr;
  }
  if (share.device == nullptr) {
    share.device = data.options.device_opener ? data.options.device_opener(place.target.name)
                                              : compute::open_device(place.target.name);
  }
  return share.device;
}

/// What one run of a plan has for all its inputs.
struct Whole {
  const PlanData& data;
  ProgressBoard board;
  std::vector<Report> reports;  ///< By input.
  std::function<void()> after_tick = nullptr;
};

Report run_there(Whole& whole, std::size_t number, const Placement& place, Share& share) {
  const auto start = Clock::now();
  Report report;
  report.target = place.target.name;
  report.threads = share.threads.count();
  const auto tick = [&](const InputRun::Moment& moment) {
    // Kept up to date: the provenance holds the report as it stands at the commit.
    report.seconds = seconds_since(start);
    whole.board.tick(number, moment);
    if (whole.after_tick) {
      whole.after_tick();
    }
  };
  const InputPlan& plan = whole.data.inputs[number];
  InputRun input(whole.data, plan, place, device_for(whole.data, place, share), share.threads,
                 report, tick);
  input.run();
  return report;
}

/// Where the plan says; once more on the CPU, from the start, where a device that we chose fails.
Report run_input(Whole& whole, std::size_t number, Share& share) {
  const InputPlan& plan = whole.data.inputs[number];
  if (!plan.fallback) {
    return run_there(whole, number, plan.place, share);
  }
  try {
    return run_there(whole, number, plan.place, share);
  } catch (const Error& error) {
    if (error.code() != ErrorCode::device) {
      throw;
    }
    share.device = nullptr;  // The next input tries it afresh.
    std::error_code none;
    std::filesystem::remove(checkpoint_path(plan), none);  // The device's: not to be continued.
    Report report = run_there(whole, number, *plan.fallback, share);
    report.warnings.insert(report.warnings.begin(),
                           fmt::format("{}; ran on the cpu instead", error.text()));
    return report;
  }
}

/// The inputs of one share, one after the other.
void run_share(Whole& whole, std::size_t number) {
  Share share{Threads(whole.data.threads)};
  for (std::size_t i = 0; i < whole.data.inputs.size(); ++i) {
    const InputPlan& plan = whole.data.inputs[i];
    if (plan.share != number) {
      continue;
    }
    if (plan.complete) {
      whole.reports[i].already_complete.push_back(plan.input.name);
      whole.reports[i].warnings = plan.input.warnings;
    } else {
      whole.reports[i] = in_context(plan.input.name, [&] { return run_input(whole, i, share); });
    }
    whole.board.finished(i);
  }
}

void run_alone(Whole& whole, const Observer& observe) {
  Clock::time_point last{};
  std::string stage;
  whole.after_tick = [&] {
    const Progress progress = whole.board.progress();
    const auto now = Clock::now();
    if (observe && (progress.stage != stage || now - last > std::chrono::milliseconds(100))) {
      last = now;
      stage = progress.stage;
      if (!observe(progress)) {
        throw Error(ErrorCode::cancelled, "cancelled");
      }
    }
  };
  run_share(whole, 0);
}

/// Each share on a thread of its own, while this one observes. The first failure stops all.
void run_side_by_side(Whole& whole, const Observer& observe) {
  std::mutex mutex;
  std::exception_ptr failure;
  const auto fail = [&] {
    const std::lock_guard lock(mutex);
    if (failure == nullptr) {
      failure = std::current_exception();
    }
    whole.board.stop();
  };
  const auto observe_all = [&] {
    if (observe && !observe(whole.board.progress())) {
      throw Error(ErrorCode::cancelled, "cancelled");
    }
  };
  observe_all();
  std::vector<std::jthread> running;
  running.reserve(static_cast<std::size_t>(whole.data.shares));
  for (std::int64_t share = 0; share < whole.data.shares; ++share) {
    running.emplace_back([&, share] {
      try {
        run_share(whole, static_cast<std::size_t>(share));
      } catch (...) {
        fail();
      }
      whole.board.leave();
    });
  }
  while (!whole.board.all_left(whole.data.shares)) {
    try {
      observe_all();
    } catch (...) {
      fail();
    }
  }
  running.clear();
  if (failure != nullptr) {
    std::rethrow_exception(failure);
  }
}

void add(Report& sum, const Report& input) {
  sum.blocks += input.blocks;
  sum.bytes_read += input.bytes_read;
  sum.bytes_uploaded += input.bytes_uploaded;
  sum.fit_s += input.fit_s;
  sum.read_wait_s += input.read_wait_s;
  sum.compute_s += input.compute_s;
  sum.kernels_s += input.kernels_s;
  sum.device_wait_s += input.device_wait_s;
  sum.write_wait_s += input.write_wait_s;
  sum.recording_s += input.recording_s;
  sum.resumed = sum.resumed || input.resumed;
  const auto append = [](auto& to, const auto& from) {
    to.insert(to.end(), from.begin(), from.end());
  };
  append(sum.already_complete, input.already_complete);
  append(sum.warnings, input.warnings);
  append(sum.outputs, input.outputs);
}

/// Those of the inputs, each once, in the order of their names.
std::string targets_of(const std::vector<Report>& inputs) {
  std::set<std::string> targets;
  for (const Report& input : inputs) {
    if (!input.target.empty()) {
      targets.insert(input.target);
    }
  }
  return fmt::format("{}", fmt::join(targets, ", "));
}
}  // namespace

Report run(const Plan& plan, const Observer& observe) {
  const PlanData& data = plan.data();
  const auto start = Clock::now();
  Whole whole{data, ProgressBoard(data), std::vector<Report>(data.inputs.size())};
  data.shares > 1 ? run_side_by_side(whole, observe) : run_alone(whole, observe);
  Report report;
  for (const Report& input : whole.reports) {
    add(report, input);
  }
  report.target = targets_of(whole.reports);
  report.target = report.target.empty() ? data.target.names() : report.target;
  report.threads = data.threads * data.shares;
  report.seconds = seconds_since(start);
  return report;
}

}  // namespace weir::pipeline
