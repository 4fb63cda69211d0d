// SPDX-License-Identifier: BSD-2-Clause
#include "saltus_dae.hpp"

#include "dae_case.hpp"
#include "processor_time.hpp"
#include "saltus/control/mode_controller.hpp"
#include "saltus/core/error.hpp"
#include "saltus/integrators/radau.hpp"
#include "saltus/integrators/taylor.hpp"

namespace saltus::benchmarks {

namespace {

std::unique_ptr<Integrator> make(SaltusMethod method, Model& model, double tolerance) {
  const IntegratorOptions options{.relative_tolerance = tolerance, .absolute_tolerance = tolerance};
  if (method == SaltusMethod::taylor) {
    return std::make_unique<Taylor>(model, options);
  }
  return std::make_unique<Radau>(model, options);
}

ReductionOptions::Form form_for(SaltusMethod method) {
  return method == SaltusMethod::taylor ? ReductionOptions::Form::explicit_form
                                        : ReductionOptions::Form::implicit_form;
}

}  // namespace

SaltusDae::SaltusDae(Model& model, double tolerance, SaltusMethod method)
    : tolerance_(tolerance),
      own_unknowns_(model.shape().unknowns()),
      name_(method == SaltusMethod::taylor ? "Saltus Taylor" : "Saltus Radau"),
      reduced_(model, {.form = form_for(method)}),
      integrator_(make(method, reduced_, tolerance)),
      system_(reduced_, *integrator_) {}

DaeRun SaltusDae::run(double stop, double report_interval, Observer* observer) {
  DaeRun run{.solver = name_};
  ModeController controller(system_, {.report_interval = report_interval});
  if (observer != nullptr) {
    controller.add(*observer);
  }
  const ProcessorTime elapsed;
  try {
    controller.start({.stop = stop, .tolerance = tolerance_});
    run.start_microseconds = elapsed.microseconds();
    controller.advance_to(stop);
    controller.finish();
    const ConstVec y = unknowns().first(own_unknowns_);
    run.last.assign(y.begin(), y.end());
  } catch (const Error& error) {
    run.failure = error.what();
  }
  run.microseconds = elapsed.microseconds();
  const IntegratorStats& stats = integrator_->stats();
  run.steps = stats.steps + stats.rejected;
  run.residuals = stats.rhs_evaluations;
  run.jacobians = stats.jacobians;
  return run;
}

// Writing the model down and finding its index belong to the time.
DaeRun solve_with_saltus(const DaeCase& of, double tolerance, SaltusMethod method) {
  const std::unique_ptr<modeling::DescribedModel> model = of.make_model();
  const ProcessorTime elapsed;
  SaltusDae solver(*model, tolerance, method);
  DaeRun run = solver.run(of.problem.stop);
  run.microseconds = elapsed.microseconds();
  return run;
}

}  // namespace saltus::benchmarks
