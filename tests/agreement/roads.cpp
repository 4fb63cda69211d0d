// SPDX-License-Identifier: BSD-2-Clause
#include "roads.hpp"

#include "native_record.hpp"
#include "saltus/control/reduced_described_model.hpp"
#include "saltus/control/sliding_described_model.hpp"
#include "saltus/importer/csv_recorder.hpp"
#include "saltus/importer/fmu.hpp"
#include "saltus/integrators/dormand_prince.hpp"
#include "saltus/integrators/radau.hpp"

namespace saltus::test {
namespace {

Experiment experiment_of(const modeling::ModelInfo& info) {
  return {.start = info.start, .stop = info.stop, .tolerance = info.tolerance};
}

Result result_of(const importer::Recorder& recorder, const RunResult& run) {
  Result result{run, {recorder.times().begin(), recorder.times().end()}, {}, {}, {}};
  for (std::size_t row = 0; row < recorder.rows(); ++row) {
    auto& values = result.rows.emplace_back();
    for (const auto& column : recorder.columns()) {
      values.push_back(column.values[row]);
    }
  }
  for (const auto& event : recorder.events()) {
    (event.kind == EventKind::step ? result.corrections : result.events).push_back(event.time);
  }
  return result;
}

std::unique_ptr<modeling::DescribedModel> drivable(std::unique_ptr<modeling::DescribedModel> model,
                                                   const ReductionOptions& reduction) {
  if (model->is_explicit()) {
    return std::make_unique<modeling::SlidingDescribedModel>(std::move(model), SlidingOptions{});
  }
  return std::make_unique<modeling::ReducedDescribedModel>(std::move(model), reduction);
}

std::unique_ptr<Integrator> integrator_for(modeling::DescribedModel& model) {
  const IntegratorOptions options{.relative_tolerance = model.info().tolerance};
  if (model.is_explicit()) {
    return std::make_unique<DormandPrince>(model, options);
  }
  return std::make_unique<Radau>(model, options);
}

}  // namespace

Result run_natively(const Case& c) {
  const std::unique_ptr<modeling::DescribedModel> model = drivable(c.native(), c.reduction);
  for (const auto& [name, text] : c.start_values) {
    for (std::size_t i = 0; i < model->variables().size(); ++i) {
      if (model->variables()[i].name == name) {
        model->variables()[i].is_number()
            ? model->set_number(i, std::stod(text))
            : model->set_whole(i, text == "true" ? 1 : std::stoll(text));
      }
    }
  }
  const std::unique_ptr<Integrator> integrator = integrator_for(*model);
  IntegratedModel system(*model, *integrator);
  NativeRecord record(*model, system, c.variables);
  ModeController controller(system, {.report_interval = model->info().step_size});
  controller.add(record);
  const RunResult run = controller.run(experiment_of(model->info()));
  return {run, record.times, record.rows, record.events, {}};
}

Result run_model_exchange(const Case& c, bool sliding, double tolerance) {
  importer::Fmu fmu = importer::Fmu::open(c.folder + "/" + c.fmu + ".fmu");
  modeling::ModelInfo info = c.native()->info();
  info.tolerance = tolerance > 0.0 ? tolerance : info.tolerance;
  auto model = fmu.instantiate_model_exchange("me", {.start_values = c.start_values});
  SlidingModel around(*model);
  Model& equations = sliding ? static_cast<Model&>(around) : *model;
  DormandPrince integrator(equations, {.relative_tolerance = info.tolerance});
  IntegratedModel system(equations, integrator);
  importer::Recorder recorder =
      sliding ? importer::Recorder(*model, around, system, {.variables = c.variables})
              : importer::Recorder(*model, system, {.variables = c.variables});
  ModeController controller(system, {.report_interval = info.step_size});
  controller.add(recorder);
  const RunResult run = controller.run(experiment_of(info));
  return result_of(recorder, run);
}

Result run_co_simulation(const Case& c, bool event_mode, bool early_return, double tolerance) {
  importer::Fmu fmu = importer::Fmu::open(c.folder + "/" + c.fmu + ".fmu");
  modeling::ModelInfo info = c.native()->info();
  info.tolerance = tolerance > 0.0 ? tolerance : info.tolerance;
  auto system = fmu.instantiate_co_simulation(
      "cs",
      {.start_values = c.start_values, .event_mode = event_mode, .early_return = early_return});
  importer::Recorder recorder(*system, {.variables = c.variables});
  ModeController controller(*system, {.report_interval = info.step_size});
  controller.add(recorder);
  const RunResult run = controller.run(experiment_of(info));
  return result_of(recorder, run);
}

}  // namespace saltus::test
