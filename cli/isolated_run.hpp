// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <chrono>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "fmu_log.hpp"
#include "run_end.hpp"
#include "run_plan.hpp"
#include "run_stream.hpp"
#include "saltus/importer/fmu_process.hpp"
#include "saltus/importer/input_table.hpp"
#include "saltus/importer/recorded_run.hpp"

namespace saltus::cli {

/// What a run needs, and what looks at it.
struct RunPorts {
  importer::Fmu& fmu;
  const RunPlan& plan;
  const SimulateOptions& options;
  const importer::InputTable* inputs = nullptr;
  importer::InstanceOptions instance = {};
  importer::RunSink& rows;
  std::function<void(const Warning&)> warn;
  FmuLog& log;
  /// The run can begin: whatever could be refused before it was not.
  std::function<void()> begin;
  /// A few hundred times a second, with how far the run has come.
  std::function<void(double time, std::size_t events)> look;
  /// The signal that asks the run to stop; 0: none.
  std::function<int()> stop_request;
};

/// A run in a process of its own. The integrator and all that drives the FMU run there too, next to
/// it, so that calls cost what they cost here; rows, events and messages come back as they are
/// made, and belong to this process whatever happens to the other.
class IsolatedRun {
 public:
  explicit IsolatedRun(RunPorts ports) : ports_(std::move(ports)) {}

  /// Throws what making the run throws: `UsageError`, `FmuError`, `ModelError`. Once it has begun,
  /// its end is what it answers, the FMU's crash included.
  RunEnd run();

 private:
  using Clock = std::chrono::steady_clock;

  void look();
  bool receive();
  void take(std::uint32_t kind);
  void watch_process();
  void heed_stop_request();
  void report_death(const std::string& how);
  void await_the_end();
  static void end_what_is_left();
  std::string where() const;

  RunPorts ports_;
  RunStream stream_;
  std::optional<importer::FmuProcess> process_;
  bool has_begun_ = false;
  std::optional<RunEnd> end_;
  std::vector<double> numbers_;
  std::vector<std::string> texts_;
  std::vector<std::size_t> text_columns_;
  std::uint64_t last_count_ = 0;
  Clock::time_point last_change_ = Clock::now();
  Clock::time_point last_look_ = last_change_;
  std::optional<Clock::time_point> asked_to_stop_;
};

}  // namespace saltus::cli
