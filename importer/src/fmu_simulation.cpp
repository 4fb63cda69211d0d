// SPDX-License-Identifier: BSD-2-Clause
#include "saltus/importer/fmu_simulation.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>
#include <stdexcept>
#include <utility>

#include "saltus/core/number_text.hpp"
#include "saltus/importer/driven_fmu.hpp"

namespace saltus::importer {
namespace {

// As in the program: rows, and how often a run with indicators is looked at, over its length.
constexpr double kDefaultRows = 500.0;
constexpr double kLeastSteps = 50.0;

// What `read` shows, in its order. The event indicators of FMUs of this project are no variables of
// the model.
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
    if (is_numeric(variable.type) && !left_out.contains(i) &&
        variable.causality != Causality::independent) {
      names.push_back(variable.name);
    }
  }
  return names;
}

// Throws where an option asks for what an FMU that brings its own solver does by itself.
void check_without_integrator(const SimulationOptions& options, bool is_scheduled) {
  const auto refuse = [is_scheduled](bool given, const char* option) {
    if (given) {
      throw std::invalid_argument(
          std::string(option) +
          (is_scheduled ? " has no effect in Scheduled Execution: nothing is integrated"
                        : " has no effect in Co-Simulation: the FMU brings its own solver"));
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
  if (column.may_be_nan) {
    variable.no_start_because = variable.no_change_because = "it is a result of the run";
    return variable;
  }
  const auto found = description.by_name.find(column.name);
  if (found == description.by_name.end() ||
      !description.variables[found->second].dimensions.empty()) {
    variable.no_start_because = variable.no_change_because =
        "arrays are set by InstanceOptions::start_values";
    return variable;
  }
  const Variable& whole = description.variables[found->second];
  if (whole.causality == Causality::structural_parameter) {
    variable.no_start_because = variable.no_change_because =
        "structural parameters are set by InstanceOptions::start_values, before there are columns";
    return variable;
  }
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
      : options_(options),
        inputs_(fmu_options.inputs),
        name_(fmu.path().stem().string()),
        experiment_(experiment_of(fmu.description(), options)),
        report_interval_(report_interval_of(fmu.description())),
        driven_(fmu, name_, drive_options(fmu.description(), fmu_options), fmu_options.instance,
                inputs_.get()),
        recorded_(recorded_variables(fmu.description())) {
    driven_.differentiate(options.sensitivities);
    make_recorder();
    const ModelDescription& description = fmu.description();
    for (const RecordedColumn& column : recorder_->columns()) {
      variables_.push_back(described(column, description, inputs_.get()));
    }
    warnings_ = fmu.warnings();
    if (driven_.integrator() != nullptr && !driven_.is_dae() && slides_by_itself(description) &&
        (!options.sliding || options.hysteresis > 0.0 || options.dwell > 0.0)) {
      warnings_.emplace_back(
          "the FMU slides by itself: .sliding, .hysteresis and .dwell do not reach what it slides "
          "on, and what they delay it moves back onto the surface; simulate the model itself, not "
          "its FMU, to have it switch");
    }
  }

  const std::string& name() const override { return name_; }
  std::span<const SimulatedVariable> variables() const override { return variables_; }
  const Experiment& experiment() const override { return experiment_; }
  double report_interval() const override { return report_interval_; }
  std::vector<std::string> warnings() const override { return warnings_; }
  HybridSystem& system() override { return driven_.system(); }
  double time() const override { return driven_.time(); }
  ConstVec unknowns() const override { return driven_.unknowns(); }
  void read(Vec values) override {
    recorder_->sample(time(), Moment::report);
    const ConstVec row = recorder_->last_row();
    std::copy_n(row.begin(), values.size(), values.begin());
  }
  void set_start(std::size_t variable, double value) override { write(variable, value); }
  void set(std::size_t variable, double value) override {
    write(variable, value);
    driven_.values_were_set();
  }

  std::string why_not_saved() const override { return driven_.why_not_saved(); }
  // What is saved belongs to this instance, and rows in between are made by another.
  std::string why_no_values_between_rows() const override { return "the state of an FMU"; }
  bool saves_points() const override { return false; }
  std::shared_ptr<const Saved> save() const override {
    return std::make_shared<SavedRun>(driven_.save());
  }
  std::vector<std::byte> saved_steps() const override { return driven_.saved_steps(); }
  void restore(const Saved& saved, double time, ConstVec unknowns,
               std::span<const std::byte> steps) override {
    driven_.restore(*dynamic_cast<const SavedRun&>(saved).fmu, experiment_,
                    {.time = time, .unknowns = unknowns}, steps);
    make_recorder();
  }

  std::vector<double> event_time_sensitivities() const override {
    return driven_.event_time_sensitivities();
  }
  bool brings_own_solver() const override { return driven_.integrator() == nullptr; }
  IntegratorStats integration() const override { return driven_.integration(); }
  CrossingStats crossings() const override { return driven_.crossings(); }
  std::vector<std::string> choices() const override {
    if (driven_.is_co_simulation()) return {"Co-Simulation: the FMU brings its own method"};
    if (driven_.is_scheduled_execution()) return {"Scheduled Execution: clocks alone move the FMU"};
    std::vector<std::string> all{driven_.is_dae() ? "Model Exchange in DAE mode"
                                                  : "Model Exchange"};
    const std::vector<std::string> methods = method_choices(*driven_.integrator(), options_.method);
    all.insert(all.end(), methods.begin(), methods.end());
    return all;
  }

 private:
  struct SavedRun : Saved {
    explicit SavedRun(std::shared_ptr<const DrivenFmu::Saved> what) : fmu(std::move(what)) {}
    std::shared_ptr<const DrivenFmu::Saved> fmu;
  };

  void make_recorder() { recorder_ = driven_.recorder({.variables = recorded_, .keep = false}); }

  static Experiment experiment_of(const ModelDescription& description,
                                  const SimulationOptions& options) {
    const DefaultExperiment& proposal = description.default_experiment;
    const double start = options.start.value_or(proposal.start_time.value_or(0.0));
    return {.start = start,
            .stop = options.stop.value_or(proposal.stop_time.value_or(start + 1.0)),
            .tolerance = options.tolerance.value_or(proposal.tolerance.value_or(1e-6))};
  }
  double report_interval_of(const ModelDescription& description) const {
    const double length = experiment_.stop - experiment_.start;
    const double step = description.default_experiment.step_size.value_or(0.0);
    return step > 0.0 ? step : length > 0.0 ? length / kDefaultRows : kNever;
  }

  DriveOptions drive_options(const ModelDescription& description,
                             const FmuSimulationOptions& fmu_options) const {
    using Kind = FmuSimulationOptions::Interface;
    const bool is_automatic =
        fmu_options.interface == Kind::automatic && !description.model_exchange;
    DriveOptions drive{
        .co_simulation = fmu_options.interface == Kind::co_simulation ||
                         (is_automatic && (description.co_simulation.has_value() ||
                                           !description.scheduled_execution)),
        .scheduled_execution = fmu_options.interface == Kind::scheduled_execution ||
                               (is_automatic && !description.co_simulation &&
                                description.scheduled_execution.has_value()),
        .method = options_.method,
        .tolerance = experiment_.tolerance,
        .max_step = options_.max_step,
        .sliding = options_.sliding && !(options_.hysteresis > 0.0 || options_.dwell > 0.0),
        .rest = options_.rest,
        .hysteresis = options_.hysteresis,
        .dwell = options_.dwell,
        .make_bdf = options_.make_bdf};
    if (drive.co_simulation || drive.scheduled_execution) {
      check_without_integrator(options_, drive.scheduled_execution);
      if (fmu_options.instance.dae_mode) {
        throw std::invalid_argument(".dae_mode has no effect but in Model Exchange");
      }
    }
    // A step that a smooth solution allows may be long enough to hide an event.
    if (drive.max_step == kNever && description.structure.has_event_indicators() &&
        experiment_.stop > experiment_.start) {
      drive.max_step = (experiment_.stop - experiment_.start) / kLeastSteps;
    }
    return drive;
  }

  void write(std::size_t variable, double value) {
    VariableAccess& access = driven_.variables();
    const Variable& target = access.variable(variables_[variable].name);
    const Scalar scalar = from_number(target.type, value);
    const bool fits = target.type == VariableType::float32
                          ? std::fabs(value) <= std::numeric_limits<float>::max()
                          : to_number(scalar) == value;
    if (!fits) {
      throw std::invalid_argument("\"" + target.name + "\" cannot be " +
                                  saltus::number_text(value) + ": it is of type " +
                                  to_string(target.type));
    }
    driven_.write(target, {scalar});
  }

  SimulationOptions options_;
  std::shared_ptr<const InputTable> inputs_;
  std::string name_;
  Experiment experiment_;
  double report_interval_ = kNever;
  mutable DrivenFmu driven_;  // saving moves the FMU to where the run rests
  std::vector<std::string> recorded_;
  std::unique_ptr<Recorder> recorder_;
  std::vector<SimulatedVariable> variables_;
  std::vector<std::string> warnings_;
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
  if (!options.texts.empty()) {
    throw std::invalid_argument(
        "\"" + options.texts.begin()->first +
        "\": texts of an FMU are given in InstanceOptions::start_values, not "
        "in .texts");
  }
  const auto opened = std::make_shared<Fmu>(Fmu::open(fmu, Fmu::Unpacked::for_runs));
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
