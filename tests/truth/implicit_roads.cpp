// SPDX-License-Identifier: BSD-2-Clause
#include "implicit_roads.hpp"

#include <sstream>
#include <utility>

#include "saltus/control/mode_controller.hpp"
#include "saltus/dae/reduced_model.hpp"
#include "saltus/events/integrated_model.hpp"
#include "saltus/importer/csv_recorder.hpp"
#include "saltus/importer/fmu.hpp"
#include "saltus/importer/input_table.hpp"
#include "saltus/integrators/dormand_prince.hpp"
#include "saltus/integrators/radau.hpp"
#include "saltus/integrators/taylor.hpp"
#include "saltus/switching/sliding_model.hpp"
#ifdef SALTUS_TRUTH_BDF
#include "saltus/integrators/bdf.hpp"
#endif

namespace saltus::truth {
namespace {

using modeling::Variable;
using Values = std::map<std::string, double>;

Experiment experiment_of(const ImplicitRun& run) {
  return {.stop = run.stop, .tolerance = run.tolerance};
}

std::string exact(double value) {
  std::ostringstream text;
  text.precision(17);
  text << value;
  return text.str();
}

std::unique_ptr<Integrator> integrator_for(Model& model, double tolerance, Road road) {
  const IntegratorOptions options{.relative_tolerance = tolerance};
  switch (road) {
    case Road::dormand_prince:
      return std::make_unique<DormandPrince>(model, options);
    case Road::taylor:
      return std::make_unique<Taylor>(model, options);
#ifdef SALTUS_TRUTH_BDF
    case Road::bdf:
      return std::make_unique<Bdf>(model, options);
#endif
    default:
      return std::make_unique<Radau>(model, options);
  }
}

Values natively(const ImplicitRun& run, Road road) {
  const std::unique_ptr<modeling::DescribedModel> model = run.native();
  for (std::size_t i = 0; i < model->variables().size(); ++i) {
    const Variable& variable = model->variables()[i];
    const auto value = run.values.find(variable.name);
    if (value == run.values.end()) {
      continue;
    }
    if (variable.is_number()) {
      model->set_number(i, value->second);
    } else {
      model->set_whole(i, static_cast<std::int64_t>(value->second));
    }
  }
  const bool is_explicit = road == Road::dormand_prince || road == Road::taylor;
  ReducedModel reduced(*model, {.form = is_explicit ? ReductionOptions::Form::explicit_form
                                                    : ReductionOptions::Form::implicit_form});
  const std::unique_ptr<Integrator> integrator = integrator_for(reduced, run.tolerance, road);
  IntegratedModel system(reduced, *integrator);
  ModeController controller(system, {.report_interval = run.report_interval});
  controller.run(experiment_of(run));
  Values end;
  for (std::size_t i = 0; i < model->shape().unknowns(); ++i) {
    end[reduced.unknown_name(i)] = system.unknowns()[i];
  }
  for (std::size_t i = 0; i < model->variables().size(); ++i) {
    const Variable& variable = model->variables()[i];
    if (variable.role == Variable::Role::discrete) {
      end[variable.name] =
          variable.is_number() ? model->number(i) : static_cast<double>(model->whole(i));
    }
  }
  return end;
}

Values last_row(const importer::Recorder& recorder) {
  Values end;
  for (const auto& column : recorder.columns()) {
    end[column.name] = column.values.back();
  }
  return end;
}

Values by_fmu(const ImplicitRun& run, Road road) {
  importer::Fmu fmu =
      importer::Fmu::open(std::string(SALTUS_TEST_FMU_DIR) + "/" + run.fmu + ".fmu");
  std::map<std::string, std::string> starts;
  for (const auto& [name, value] : run.values) {
    starts[name] = exact(value);
  }
  std::optional<importer::InputTable> inputs;
  if (!run.inputs.empty()) {
    inputs.emplace(importer::InputTable::parse(run.inputs, "inputs"));
  }
  const auto drive = [&](HybridSystem& system, importer::Recorder& recorder) {
    ModeController controller(system, {.report_interval = run.report_interval});
    controller.add(recorder);
    controller.run(experiment_of(run));
    return last_row(recorder);
  };
  const importer::RecorderOptions options{.variables = run.recorded};
  if (road == Road::model_exchange || road == Road::sliding) {
    const auto model = fmu.instantiate_model_exchange("me", {.start_values = starts});
    model->set_inputs(inputs ? &*inputs : nullptr);
    SlidingModel around(*model);
    Model& equations = road == Road::sliding ? static_cast<Model&>(around) : *model;
    DormandPrince integrator(equations, {.relative_tolerance = run.tolerance});
    IntegratedModel system(equations, integrator);
    importer::Recorder recorder = road == Road::sliding
                                      ? importer::Recorder(*model, around, system, options)
                                      : importer::Recorder(*model, system, options);
    return drive(system, recorder);
  }
  const bool event_mode = road == Road::event_mode;
  const auto system = fmu.instantiate_co_simulation(
      "cs", {.start_values = starts, .event_mode = event_mode, .early_return = event_mode});
  system->set_inputs(inputs ? &*inputs : nullptr);
  importer::Recorder recorder(*system, options);
  return drive(*system, recorder);
}

}  // namespace

const char* to_string(Road road) {
  switch (road) {
    case Road::radau:
      return "Radau";
    case Road::bdf:
      return "Bdf";
    case Road::dormand_prince:
      return "DormandPrince";
    case Road::taylor:
      return "Taylor";
    case Road::model_exchange:
      return "Model Exchange";
    case Road::sliding:
      return "Model Exchange in SlidingModel";
    case Road::event_mode:
      return "Co-Simulation with event mode";
    case Road::steps:
      break;
  }
  return "Co-Simulation without event mode";
}

Values end_of(const ImplicitRun& run, Road road) {
  return road <= Road::taylor ? natively(run, road) : by_fmu(run, road);
}

}  // namespace saltus::truth
