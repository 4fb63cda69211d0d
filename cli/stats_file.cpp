// SPDX-License-Identifier: BSD-2-Clause
#include "stats_file.hpp"

#include <fmt/format.h>

#include <cstddef>

#include "json_text.hpp"

namespace saltus::cli {
namespace {

const char* name_of(RunRecord::Outcome outcome) {
  switch (outcome) {
    case RunRecord::Outcome::reached_stop:
      return "reached_stop";
    case RunRecord::Outcome::terminated_by_model:
      return "terminated_by_model";
    case RunRecord::Outcome::failed:
      return "failed";
    case RunRecord::Outcome::interrupted:
      return "interrupted";
  }
  return "?";
}

/// The derivatives of the time stand by the names of what it was differentiated by.
std::string event_json(const importer::RecordedEvent& event,
                       const std::vector<std::string>& sensitivities) {
  std::string names, changes;
  for (std::size_t i = 0; i < event.indicators.size(); ++i) {
    const char* const between = i == 0 ? "" : ", ";
    const std::string change = to_string(event.changes.at(i));
    names += between + json_string(event.indicators[i]);
    changes += between + (change.empty() ? "null" : json_string(change));
  }
  std::string rates;
  for (std::size_t i = 0; i < sensitivities.size() && i < event.time_sensitivities.size(); ++i) {
    rates += fmt::format("{}{}: {}", rates.empty() ? "" : ", ", json_string(sensitivities[i]),
                         json_number(event.time_sensitivities[i] + 0.0));
  }
  return fmt::format(R"({{"time": {}, "kind": "{}", "indicators": [{}]{}{}}})",
                     json_number(event.time), to_string(event.kind), names,
                     changes.empty() ? "" : ", \"changes\": [" + changes + "]",
                     rates.empty() ? "" : ", \"time_sensitivities\": {" + rates + "}");
}

}  // namespace

std::string stats_json(const RunPlan& plan, const RunRecord& record) {
  std::string members;
  const auto add = [&members](const char* name, const std::string& value) {
    members += fmt::format("{}  \"{}\": {}", members.empty() ? "" : ",\n", name, value);
  };
  const auto or_null = [](const std::string& text) {
    return text.empty() ? "null" : json_string(text);
  };
  const auto count = [&record](std::size_t IntegratorStats::*member) {
    return record.cost ? fmt::format("{}", record.cost->integrator.*member) : "null";
  };
  add("model", json_string(plan.model));
  const bool is_ours = plan.interface == FmuInterface::model_exchange;
  add("interface", is_ours                                         ? "\"me\""
                   : plan.interface == FmuInterface::co_simulation ? "\"cs\""
                                                                   : "\"se\"");
  add("solver", or_null(is_ours ? to_string(plan.solver) : ""));
  add("dae", !is_ours ? "null" : record.is_dae ? "true" : "false");
  add("sliding", !is_ours ? "null" : plan.sliding ? "\"auto\"" : "\"off\"");
  add("zeno", !is_ours ? "null" : plan.rest ? "\"rest\"" : "\"stop\"");
  add("hysteresis", json_number(plan.hysteresis));
  add("dwell", json_number(plan.dwell));
  add("start_time", json_number(plan.experiment.start));
  add("stop_time", json_number(plan.experiment.stop));
  add("tolerance", json_number(plan.experiment.tolerance));
  add("output_interval", json_number(plan.output_interval));
  add("outcome", json_string(name_of(record.outcome)));
  add("error", or_null(record.error));
  add("time", json_number(record.time));
  add("rows", fmt::format("{}", record.rows));
  add("steps", count(&IntegratorStats::steps));
  add("rejected", count(&IntegratorStats::rejected));
  add("restarts", count(&IntegratorStats::restarts));
  add("rhs_evaluations", count(&IntegratorStats::rhs_evaluations));
  add("jacobians", count(&IntegratorStats::jacobians));
  add("factorizations", count(&IntegratorStats::factorizations));
  add("indicator_evaluations",
      record.cost ? fmt::format("{}", record.cost->crossings.indicator_evaluations) : "null");
  std::string methods;
  for (const MethodChoice& choice : record.methods) {
    methods += (methods.empty() ? "\n    " : ",\n    ") +
               fmt::format(R"({{"time": {}, "method": "{}", "why": {}}})", json_number(choice.time),
                           to_string(choice.method), json_string(choice.why));
  }
  add("methods", "[" + methods + (methods.empty() ? "]" : "\n  ]"));
  std::string phases;
  for (const importer::SlidingPhase& phase : record.sliding) {
    phases += (phases.empty() ? "\n    " : ",\n    ") +
              fmt::format(R"({{"begin": {}, "end": {}, "surfaces": {}}})", json_number(phase.begin),
                          json_number(phase.end), phase.surfaces);
  }
  add("sliding_phases", "[" + phases + (phases.empty() ? "]" : "\n  ]"));
  std::string warnings;
  for (const Warning& warning : record.warnings) {
    warnings += (warnings.empty() ? "\n    " : ",\n    ") +
                fmt::format(R"({{"time": {}, "subject": {}, "message": {}, "count": {}}})",
                            json_number(warning.time), json_string(warning.subject),
                            json_string(warning.message), warning.count);
  }
  add("warnings", "[" + warnings + (warnings.empty() ? "]" : "\n  ]"));
  std::string events;
  for (const importer::RecordedEvent& event : record.events) {
    events += (events.empty() ? "\n    " : ",\n    ") + event_json(event, plan.sensitivities);
  }
  add("events", "[" + events + (events.empty() ? "]" : "\n  ]"));
  return "{\n" + members + "\n}\n";
}

}  // namespace saltus::cli
