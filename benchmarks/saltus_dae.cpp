// SPDX-License-Identifier: BSD-2-Clause
#include "saltus_dae.hpp"

#include "dae_case.hpp"
#include "processor_time.hpp"
#include "saltus/error.hpp"
#include "saltus/mode_controller.hpp"

namespace saltus::benchmarks {

SaltusDae::SaltusDae(Model& model, double tolerance)
    : tolerance_(tolerance),
      own_unknowns_(model.shape().unknowns()),
      reduced_(model),
      radau_(reduced_, {.relative_tolerance = tolerance, .absolute_tolerance = tolerance}),
      system_(reduced_, radau_) {}

DaeRun SaltusDae::run(double stop, double report_interval, Observer* observer) {
  DaeRun run{.solver = "Saltus"};
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
  run.steps = radau_.stats().steps + radau_.stats().rejected;
  run.residuals = radau_.stats().rhs_evaluations;
  run.jacobians = radau_.stats().jacobians;
  return run;
}

// Writing the model down and finding its index belong to the time.
DaeRun solve_with_saltus(const DaeCase& of, double tolerance) {
  const std::unique_ptr<modeling::DescribedModel> model = of.make_model();
  const ProcessorTime elapsed;
  SaltusDae solver(*model, tolerance);
  DaeRun run = solver.run(of.problem.stop);
  run.microseconds = elapsed.microseconds();
  return run;
}

}  // namespace saltus::benchmarks
