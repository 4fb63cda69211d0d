// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "saltus/core/error.hpp"
#include "saltus/simulation.hpp"

namespace saltus {

/// The last value of one number of a model, and how it changes with parameters and start values.
///
///     auto cost = saltus::gradient<House>("cost", {"power", "insulation"}, {.stop = 24.0});
///     cost.value();               // what simulate<House>({.stop = 24.0})["cost"].back() is
///     cost["insulation"];         // d(cost)/d(insulation)
///     cost.by();                  // all of them, in the order of cost.names()
///
/// What is to be summed up over the run gets a state of its own: `der(cost) = ...`.
class Gradient {
 public:
  struct Content {
    double value = 0.0;
    double time = 0.0;
    std::vector<std::string> names;
    std::vector<double> by;
  };
  Gradient(Content content, SimulationResult run)
      : content_(std::move(content)), run_(std::move(run)) {}

  double value() const { return content_.value; }
  /// Where the run has ended. If the model ends it (`terminate`), the end moves with parameters
  /// like any other event, and the derivatives are those of the value there.
  double time() const { return content_.time; }
  const std::vector<std::string>& names() const { return content_.names; }
  const std::vector<double>& by() const { return content_.by; }
  /// Throws `std::invalid_argument`, with the nearest names there are.
  double operator[](std::string_view name) const;
  /// The run: start, events and end, of that one number.
  const SimulationResult& run() const { return run_; }

 private:
  Content content_;
  SimulationResult run_;
};

/// There is no gradient, or it cannot be had: why, after `subject()`.
class GradientError : public Error {
 public:
  GradientError(double time, std::string subject, const std::string& message)
      : Error(message), time_(time), subject_(std::move(subject)) {}
  double time() const { return time_; }
  /// What is in the way: a condition, a variable, or the model.
  const std::string& subject() const { return subject_; }

 private:
  double time_;
  std::string subject_;
};

/// One run from start to stop, and one way back along it. What that costs does not depend on the
/// number of parameters; `SimulationOptions::sensitivities`, which goes forwards, costs more with
/// each of them, and gives the derivatives of every variable at every time instead.
///
/// `of` is a state, an algebraic, an output or another number of the model. `by` are names of real
/// parameters, and of states for their start values (`start("x")`); empty: all of both.
///
/// The way back goes through the steps that the run has taken: of each it takes the derivative of
/// what the step computes, by a sweep backwards through the stages of the method of Dormand and
/// Prince, or, where an implicit method was at work, of Radau IIA. At an event it takes along what
/// the event has assigned, and that its time depends on all that was before. So derivatives are as
/// accurate as the solution: a smaller tolerance makes both better.
///
/// Throws a `GradientError` where there is no gradient, or none that this knows: where a surface is
/// touched, or all but touched; where two conditions or clocks that depend on different things are
/// due together; where an event that moves is at the very end; where the motion slides; where
/// implicit equations meet an event. Nothing is guessed.
///
/// It keeps the points of all steps, as many numbers for each as there are unknowns.
template <template <class> class M, class Unit = M<modeling::Locked>>
Gradient gradient(std::string_view of, std::vector<std::string> by = {},
                  SimulationOptions options = {});
/// The same of any model with named variables.
Gradient gradient(const Simulation::ModelMaker& make_model, std::string_view of,
                  std::vector<std::string> by = {}, SimulationOptions options = {});

template <template <class> class M, class Unit>
Gradient gradient(std::string_view of, std::vector<std::string> by, SimulationOptions options) {
  auto inputs = std::exchange(options.inputs, {});
  auto sizes = std::exchange(options.sizes, {});
  return gradient(
      [inputs = std::move(inputs),
       sizes = std::move(sizes)]() -> std::unique_ptr<modeling::DescribedModel> {
        return std::make_unique<modeling::DifferentiableModel<M>>(model_name<M>(), sizes,
                                                                  modeling::driven_by(inputs));
      },
      of, std::move(by), std::move(options));
}

}  // namespace saltus
