// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "saltus/control/mode_controller.hpp"
#include "saltus/core/observer.hpp"
#include "saltus/dae/reduced_model.hpp"
#include "saltus/events/integrated_model.hpp"
#include "saltus/modeling/native_model.hpp"

// Runs of models whose configuration is a discrete variable called "mode".
namespace saltus::test {

/// The place of a variable among those of a model.
inline std::size_t variable(const modeling::DescribedModel& model, const std::string& name) {
  std::size_t i = 0;
  while (model.variables()[i].name != name) {
    ++i;
  }
  return i;
}

/// One change of the configuration: as left, and what jumped.
struct Switch {
  double time;
  int from, to;
  std::vector<double> left, right;
  std::vector<Jump> jumps;

  const Jump* jump_of(const std::string& unknown) const {
    for (const Jump& jump : jumps) {
      if (jump.unknown == unknown) return &jump;
    }
    return nullptr;
  }
};

/// Writes down the start and all events that change the configuration.
class Switches : public Observer {
 public:
  Switches(const modeling::DescribedModel& model, const IntegratedModel& system,
           const ReducedModel& reduced)
      : model_(model),
        system_(system),
        reduced_(reduced),
        mode_(variable(model, "mode")),
        last_(static_cast<int>(model.whole(mode_))) {}
  void sample(double t, Moment moment) override {
    const ConstVec y = system_.unknowns();
    if (moment == Moment::before_event) {
      left_.assign(y.begin(), y.end());
    } else if (moment == Moment::initial || moment == Moment::after_event) {
      const int mode = static_cast<int>(model_.whole(mode_));
      if (mode != last_ || moment == Moment::initial) {
        all.push_back({t, last_, mode, left_, {y.begin(), y.end()}, reduced_.jumps()});
      }
      last_ = mode;
    }
  }
  std::vector<Switch> all;

 private:
  const modeling::DescribedModel& model_;
  const IntegratedModel& system_;
  const ReducedModel& reduced_;
  std::size_t mode_;
  int last_;
  std::vector<double> left_;
};

template <class Solver, template <class> class M>
struct Run {
  explicit Run(ReductionOptions options, double relative_tolerance)
      : reduced(model, std::move(options)),
        integrator(reduced, {.relative_tolerance = relative_tolerance}),
        tolerance(relative_tolerance) {
    controller.add(switches);
  }
  RunResult until(double stop) { return controller.run({.stop = stop, .tolerance = tolerance}); }

  modeling::NativeModel<M> model{"Model"};
  ReducedModel reduced;
  Solver integrator;
  IntegratedModel system{reduced, integrator};
  ModeController controller{system};
  Switches switches{model, system, reduced};
  double tolerance;
};

}  // namespace saltus::test
