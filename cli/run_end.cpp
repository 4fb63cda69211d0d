// SPDX-License-Identifier: BSD-2-Clause
#include "run_end.hpp"

#include <fmt/format.h>

#include <stdexcept>

#include "saltus/core/error.hpp"
#include "saltus/importer/call_under_way.hpp"
#include "saltus/importer/fmu_error.hpp"

namespace saltus::cli {
namespace {

using Outcome = RunRecord::Outcome;

/// Which option of ours might help.
std::string remedy(const EventError& error, const Simulation& simulation, const RunPlan& plan) {
  if (plan.interface != FmuInterface::model_exchange) return "";
  if (error.indicators().empty()) return "";
  if (error.reason() == EventError::Reason::zeno && !plan.rest) return "; try --zeno rest";
  if (error.reason() != EventError::Reason::chattering) return "";
  if (simulation.is_dae()) return "; in DAE mode nothing slides: try without --dae";
  if (plan.sliding && !simulation.can_slide()) {
    return "; sliding needs an FMU that can save its states (canGetAndSetFMUState), and this one "
           "cannot; try --hysteresis or --dwell";
  }
  const std::string refusal = simulation.why_not_sliding();
  return (refusal.empty() ? "" : "; it does not slide because " + refusal) +
         "; try --hysteresis or --dwell";
}

}  // namespace

std::string left_by_exception(const std::string& function, const std::string& text) {
  return fmt::format("{}: an exception left the FMU, which FMI does not allow{}", function,
                     text.empty() ? "" : ": " + text);
}

RunEnd run_to_the_end(Simulation& simulation, const RunPlan& plan, Observer& watch,
                      const std::function<int()>& stop_request,
                      const std::function<double()>& time) {
  const auto ended = [&](Outcome outcome, int exit_code, std::string error) {
    const std::string thrower = call_name(*importer::call_under_way);
    if (!thrower.empty() && exit_code != kDone) {  // no exception of ours begins inside a call
      exit_code = kFailed;
      error = left_by_exception(thrower, error);
    }
    const std::span<const MethodChoice> methods = simulation.methods();
    return RunEnd{.outcome = outcome,
                  .exit_code = exit_code,
                  .error = std::move(error),
                  .is_dae = simulation.is_dae(),
                  .uses_event_mode = simulation.uses_event_mode(),
                  .cost = simulation.cost(),
                  .methods = {methods.begin(), methods.end()}};
  };
  try {
    const RunResult result = simulation.run(watch);
    const bool terminated = result.outcome == RunResult::Outcome::terminated_by_model;
    return ended(terminated ? Outcome::terminated_by_model : Outcome::reached_stop, kDone, "");
  } catch (const Interrupted&) {
    return ended(Outcome::interrupted, kEndedBySignal + stop_request(),
                 fmt::format("interrupted at t = {}", time()));
  } catch (const std::invalid_argument& error) {
    return ended(Outcome::failed, kWrongUsage, error.what());
  } catch (const EventError& error) {
    return ended(Outcome::failed, kFailed, error.what() + remedy(error, simulation, plan));
  } catch (const importer::FmuError& error) {  // whoever tells it names the file
    const bool is_about_states = error.reason().ends_with("without sliding");
    return ended(
        Outcome::failed, kFailed,
        error.thing() + ": " + error.reason() + (is_about_states ? ": --sliding off" : ""));
  } catch (const std::exception& error) {
    return ended(Outcome::failed, kFailed, error.what());
  } catch (...) {
    return ended(Outcome::failed, kFailed, "");
  }
}

}  // namespace saltus::cli
