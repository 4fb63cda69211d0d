// SPDX-License-Identifier: BSD-2-Clause
#include "documentation/default_run.hpp"

#include <algorithm>
#include <exception>
#include <memory>
#include <span>
#include <stdexcept>
#include <utility>

#include "saltus/core/mistakes.hpp"
#include "saltus/core/number_text.hpp"
#include "saltus/core/observer.hpp"
#include "saltus/fmu_export/export_fmu.hpp"
#include "saltus/simulation.hpp"

namespace saltus::fmu_export {
namespace {

// Whoever builds an FMU does not want to wait for a run that takes long, nor for a page that shows
// it. A limit in time would give another page on another machine.
constexpr std::size_t kMostSamples = 20000;

struct TooLong : std::exception {
  const char* what() const noexcept override {
    return "it has more events than are shown here; this is its beginning";
  }
};

class Limit final : public Observer {
 public:
  void sample(double, Moment) override {
    if (++samples_ > kMostSamples) throw TooLong();
  }

 private:
  std::size_t samples_ = 0;
};

bool is_shown(const modeling::Variable& v, const std::vector<std::string>& recorded) {
  return v.role != modeling::Variable::Role::parameter &&
         std::find(recorded.begin(), recorded.end(), v.name) != recorded.end();
}

void take_rows(DefaultRun& run, const SimulationResult& result,
               std::span<const modeling::Variable> variables) {
  run.time.assign(result.time().begin(), result.time().end());
  for (const modeling::Variable& v : variables) {
    if (!is_shown(v, result.names())) continue;
    const auto values = result[v.name];
    run.columns.push_back({v, {values.begin(), values.end()}});
  }
  for (const SimulationResult::Event& event : result.events()) {
    ++(event.conditions.empty() ? run.time_events : run.state_events);
  }
}

// A name with a comma, a quote or a line's end stands in quotes.
std::string csv_name(const std::string& name) {
  if (name.find_first_of(",\"\r\n") == name.npos) return name;
  std::string quoted = "\"";
  for (const char c : name) quoted += c == '"' ? "\"\"" : std::string(1, c);
  return quoted + "\"";
}

bool has_inputs(std::span<const modeling::Variable> variables) {
  return std::any_of(variables.begin(), variables.end(), [](const modeling::Variable& v) {
    return v.role == modeling::Variable::Role::input;
  });
}

// See `run_default_experiment`.
void refuse_mistake(const std::exception& error, std::span<const modeling::Variable> variables) {
  const bool is_mistake =
      dynamic_cast<const modeling::ModelMistake*>(&error) != nullptr ||
      (dynamic_cast<const std::logic_error*>(&error) != nullptr && !has_inputs(variables));
  if (is_mistake) {
    throw modeling::ModelMistake(std::string("in its default experiment, ") + error.what());
  }
}

}  // namespace

DefaultRun run_default_experiment() {
  ExportedModel exported;
  saltus_exported_model(exported);
  DefaultRun run;
  try {
    Simulation simulation = Simulation::of(
        [] {
          ExportedModel again;
          saltus_exported_model(again);
          return std::move(again.model);
        },
        {.reduction = exported.reduction});
    Limit limit;
    simulation.add(limit);
    try {
      const SimulationResult result = simulation.run();
      run.complete = true;
      run.end = result.outcome() == SimulationResult::Outcome::terminated_by_model
                    ? "The model ends it at t = " + number_text(result.time().back()) + "."
                    : "It reaches the stop time.";
    } catch (const TooLong& cut) {
      run.end = std::string("It does not come to its end: ") + cut.what() + ".";
    } catch (const std::exception& error) {
      refuse_mistake(error, exported.model->variables());
      run.failure = error.what();
      run.end = "It does not come to its end: " + run.failure + ".";
    }
    take_rows(run, simulation.result(), exported.model->variables());
  } catch (const modeling::ModelMistake&) {
    throw;
  } catch (const std::exception& error) {
    refuse_mistake(error, exported.model->variables());
    run.complete = false;
    run.failure = error.what();
    run.end = "It cannot be started: " + run.failure + ".";
  }
  return run;
}

std::string csv(const DefaultRun& run) {
  std::string text = "time";
  for (const DefaultRun::Column& column : run.columns) {
    text += "," + csv_name(column.variable.name);
  }
  text += "\n";
  for (std::size_t row = 0; row < run.time.size(); ++row) {
    text += number_text(run.time[row]);
    for (const DefaultRun::Column& column : run.columns) {
      text += "," + number_text(column.values[row]);
    }
    text += "\n";
  }
  return text;
}

}  // namespace saltus::fmu_export
