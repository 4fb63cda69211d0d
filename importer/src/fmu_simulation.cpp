// SPDX-License-Identifier: BSD-2-Clause
#include "saltus/importer/fmu_simulation.hpp"

#include <algorithm>
#include <set>
#include <stdexcept>
#include <utility>

#include "saltus/importer/csv_recorder.hpp"
#include "saltus/importer/fmu.hpp"
#include "saltus/integrators/method.hpp"
#include "saltus/switching/hysteresis_model.hpp"
#include "saltus/switching/resting_model.hpp"
#include "saltus/switching/sliding_model.hpp"

namespace saltus::importer {
namespace {

// As in the program: rows, and how often a run with indicators is looked at, over its length.
constexpr double kDefaultRows = 500.0;
constexpr double kLeastSteps = 50.0;

// What `read` shows, in its order. Clocked variables can only be read while their clock ticks. The
// event indicators of FMUs of this project are no variables of the model.
std::vector<std::string> recorded_variables(const ModelDescription& description) {
  std::set<std::size_t> left_out;
  if (description.generation_tool.starts_with("Saltus")) {
    for (const Unknown& indicator : description.structure.event_indicators) {
      left_out.insert(indicator.variable);
    }
  }
  std::vector<std::string> names;
  for (std::size_t i = 0; i < description.variables.size(); ++i) {
    const Variable& variable = description.variables[i];
    if (is_numeric(variable.type) && variable.clocks.empty() && !left_out.contains(i) &&
        variable.causality != Causality::independent) {
      names.push_back(variable.name);
    }
  }
  return names;
}

// Throws where an option asks for what an FMU that brings its own solver does by itself.
void check_for_co_simulation(const SimulationOptions& options) {
  const auto refuse = [](bool given, const char* option) {
    if (given) {
      throw std::invalid_argument(std::string(option) +
                                  " has no effect in Co-Simulation: the FMU brings its own solver");
    }
  };
  refuse(options.method != Method::automatic, ".method");
  refuse(options.max_step != kNever, ".max_step");
  refuse(!options.sliding, ".sliding");
  refuse(options.rest, ".rest");
  refuse(options.hysteresis > 0.0, ".hysteresis");
  refuse(options.dwell > 0.0, ".dwell");
}

bool gives(const InputTable& table, const std::string& name) {
  const auto& columns = table.names();
  return std::find(columns.begin(), columns.end(), name) != columns.end();
}

SimulatedVariable described(const RecordedColumn& column, const ModelDescription& description,
                            const InputTable* table) {
  SimulatedVariable variable{
      .name = column.name, .unit = column.unit, .description = column.description};
  variable.kind = column.type == VariableType::boolean ? SimulatedVariable::Kind::boolean
                  : column.type == VariableType::float64 || column.type == VariableType::float32
                      ? SimulatedVariable::Kind::real
                      : SimulatedVariable::Kind::whole;
  const auto found = description.by_name.find(column.name);
  if (found == description.by_name.end() ||
      !description.variables[found->second].dimensions.empty()) {
    variable.no_start_because = variable.no_change_because =
        "arrays are set by InstanceOptions::start_values";
    return variable;
  }
  const Variable& whole = description.variables[found->second];
  variable.min = whole.min;
  variable.max = whole.max;
  const bool is_input = whole.causality == Causality::input;
  if (!whole.start.empty()) variable.start = to_number(whole.start.front());
  if (table != nullptr && is_input && gives(*table, column.name)) {
    variable.no_start_because = variable.no_change_because = "the input table gives it";
  } else if (whole.start.empty() || whole.initial == Initial::calculated ||
             whole.variability == Variability::constant) {
    variable.no_start_because = "the FMU gives it no start value";
  }
  if (!is_input || whole.variability != Variability::continuous) {
    variable.no_change_because = "while an FMU runs only continuous inputs can";
  }
  return variable;
}

class FmuSystem : public SimulatedSystem {
 public:
  FmuSystem(Fmu& fmu, const SimulationOptions& options, const FmuSimulationOptions& fmu_options)
      : options_(options), inputs_(fmu_options.inputs), name_(fmu.path().stem().string()) {
    const ModelDescription& description = fmu.description();
    decide_experiment(description);
    const bool co_simulation =
        fmu_options.interface == FmuSimulationOptions::Interface::co_simulation ||
        (fmu_options.interface == FmuSimulationOptions::Interface::automatic &&
         !description.model_exchange);
    if (co_simulation) {
      check_for_co_simulation(options);
      co_simulation_ = fmu.instantiate_co_simulation(name_, fmu_options.instance);
      co_simulation_->set_inputs(inputs_.get());
    } else {
      model_ = fmu.instantiate_model_exchange(name_, fmu_options.instance);
      model_->set_inputs(inputs_.get());
      wrap(description);
    }
    read_by(RecorderOptions{.variables = recorded_variables(description), .keep = false});
    for (const RecordedColumn& column : recorder_->columns()) {
      variables_.push_back(described(column, description, inputs_.get()));
    }
    warnings_ = fmu.warnings();
    const bool slides_itself =
        std::any_of(description.variables.begin(), description.variables.end(),
                    [](const Variable& v) { return v.name.starts_with("sliding on surface"); });
    if (model_ && slides_itself &&
        (!options.sliding || options.hysteresis > 0.0 || options.dwell > 0.0)) {
      warnings_.emplace_back(
          "the FMU slides by itself: .sliding, .hysteresis and .dwell do not reach what it slides "
          "on");
    }
  }

  const std::string& name() const override { return name_; }
  std::span<const SimulatedVariable> variables() const override { return variables_; }
  const Experiment& experiment() const override { return experiment_; }
  double report_interval() const override { return report_interval_; }
  std::vector<std::string> warnings() const override { return warnings_; }
  HybridSystem& system() override {
    return co_simulation_ ? static_cast<HybridSystem&>(*co_simulation_) : *integrated_;
  }
  double time() const override {
    return co_simulation_ ? co_simulation_->time() : integrated_->time();
  }
  ConstVec unknowns() const override {
    return co_simulation_ ? ConstVec{} : integrated_->unknowns();
  }
  void read(Vec values) override {
    recorder_->sample(time(), Moment::report);
    const ConstVec row = recorder_->last_row();
    std::copy_n(row.begin(), values.size(), values.begin());
  }
  void set_start(std::size_t variable, double value) override { write(variable, value); }
  void set(std::size_t variable, double value) override {
    write(variable, value);
    if (integrated_) integrated_->values_were_set();
  }

  std::string why_not_saved() const override { return "the state of an FMU"; }
  bool saves_points() const override { return false; }
  std::shared_ptr<const Saved> save() const override { throw std::logic_error(kNotSaved); }
  std::vector<std::byte> saved_steps() const override { return {}; }
  void restore(const Saved&, double, ConstVec, std::span<const std::byte>) override {
    throw std::logic_error(kNotSaved);
  }

  IntegratorStats integration() const override {
    IntegratorStats stats = integrator_ ? integrator_->stats() : IntegratorStats{};
    // Where several configurations make one slope, the integrator counts one.
    if (sliding_) stats.rhs_evaluations = sliding_->stats().rhs_evaluations;
    return stats;
  }
  CrossingStats crossings() const override {
    CrossingStats stats = integrated_ ? integrated_->crossing_stats() : CrossingStats{};
    if (sliding_) stats.indicator_evaluations = sliding_->stats().indicator_evaluations;
    return stats;
  }
  std::vector<std::string> choices() const override {
    if (co_simulation_) return {"Co-Simulation: the FMU brings its own method"};
    std::vector<std::string> all{"Model Exchange"};
    const std::vector<std::string> methods = method_choices(*integrator_, options_.method);
    all.insert(all.end(), methods.begin(), methods.end());
    return all;
  }

 private:
  static constexpr const char* kNotSaved = "a run of an FMU cannot be saved";

  void decide_experiment(const ModelDescription& description) {
    const DefaultExperiment& proposal = description.default_experiment;
    const double start = options_.start.value_or(proposal.start_time.value_or(0.0));
    experiment_ = {.start = start,
                   .stop = options_.stop.value_or(proposal.stop_time.value_or(start + 1.0)),
                   .tolerance = options_.tolerance.value_or(proposal.tolerance.value_or(1e-6))};
    const double length = experiment_.stop - start;
    const double step = proposal.step_size.value_or(0.0);
    report_interval_ = step > 0.0 ? step : length > 0.0 ? length / kDefaultRows : kNever;
  }

  // Each wraps the one before; what is integrated is the last.
  void wrap(const ModelDescription& description) {
    Model* equations = model_.get();
    const bool reluctant = options_.hysteresis > 0.0 || options_.dwell > 0.0;
    if (reluctant) {
      hysteresis_ = std::make_unique<HysteresisModel>(
          *equations, HysteresisOptions{.band = {options_.hysteresis}, .dwell = options_.dwell});
      equations = hysteresis_.get();
    }
    if (options_.sliding && !reluctant) {
      sliding_ = std::make_unique<SlidingModel>(*equations);
      equations = sliding_.get();
    }
    if (options_.rest) {
      resting_ = std::make_unique<RestingModel>(*equations);
      equations = resting_.get();
    }
    // A step that a smooth solution allows may be long enough to hide an event.
    double max_step = options_.max_step;
    if (max_step == kNever && !description.structure.event_indicators.empty() &&
        experiment_.stop > experiment_.start) {
      max_step = (experiment_.stop - experiment_.start) / kLeastSteps;
    }
    integrator_ = make_integrator(
        options_.method, *equations,
        {.relative_tolerance = experiment_.tolerance, .max_step = max_step}, options_.make_bdf);
    integrated_ = std::make_unique<IntegratedModel>(*equations, *integrator_);
  }

  void read_by(RecorderOptions options) {
    if (co_simulation_) {
      recorder_ = std::make_unique<Recorder>(*co_simulation_, std::move(options));
    } else if (sliding_) {
      recorder_ = std::make_unique<Recorder>(*model_, *sliding_, *integrated_, std::move(options));
    } else {
      recorder_ = std::make_unique<Recorder>(*model_, *integrated_, std::move(options));
    }
  }

  void write(std::size_t variable, double value) {
    VariableAccess& access = co_simulation_ ? co_simulation_->variables() : model_->variables();
    const Variable& target = access.variable(variables_[variable].name);
    access.write(target, {from_number(target.type, value)});
  }

  SimulationOptions options_;
  std::shared_ptr<const InputTable> inputs_;
  std::string name_;
  Experiment experiment_;
  double report_interval_ = kNever;
  std::vector<SimulatedVariable> variables_;
  std::vector<std::string> warnings_;
  std::unique_ptr<CoSimulationFmu> co_simulation_;
  std::unique_ptr<FmuModel> model_;
  std::unique_ptr<HysteresisModel> hysteresis_;
  std::unique_ptr<SlidingModel> sliding_;
  std::unique_ptr<RestingModel> resting_;
  std::unique_ptr<Integrator> integrator_;
  std::unique_ptr<IntegratedModel> integrated_;
  std::unique_ptr<Recorder> recorder_;
};

}  // namespace

Simulation simulation_of(const std::filesystem::path& fmu, const SimulationOptions& options,
                         const FmuSimulationOptions& fmu_options) {
  for (const auto& [name, value] : options.values) {
    if (fmu_options.instance.start_values.contains(name)) {
      throw std::invalid_argument("\"" + name +
                                  "\" is given twice: in .values and in start_values");
    }
  }
  const auto opened = std::make_shared<Fmu>(Fmu::open(fmu));
  return Simulation(
      [opened, options, fmu_options] {
        return std::make_unique<FmuSystem>(*opened, options, fmu_options);
      },
      options);
}

SimulationResult simulate(const std::filesystem::path& fmu, const SimulationOptions& options,
                          const FmuSimulationOptions& fmu_options) {
  return simulation_of(fmu, options, fmu_options).run();
}

}  // namespace saltus::importer
