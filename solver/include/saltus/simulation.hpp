// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "saltus/control/simulated_system.hpp"
#include "saltus/control/simulation_result.hpp"
#include "saltus/core/described_model.hpp"
#include "saltus/core/observer.hpp"
#include "saltus/dae/reduced_model.hpp"
#include "saltus/integrators/method.hpp"
#include "saltus/modeling/differentiable_model.hpp"
#include "saltus/modeling/sizes.hpp"
#include "saltus/modeling/tables.hpp"

namespace saltus {

/// Everything there is to say about a run, each once. What is left open the model says
/// (`ModelInfo`).
struct SimulationOptions {
  std::optional<double> start = {};
  std::optional<double> stop = {};
  /// Relative; see `IntegratorOptions` for what is near zero.
  std::optional<double> tolerance = {};
  /// Parameters, inputs, and start values of states, by name.
  std::map<std::string, double> values = {};
  /// The same of variables that are texts; of a binary, its bytes.
  std::map<std::string, std::string> texts = {};
  /// Members that are a `Size`, by name, which are decided before the model is made:
  /// `.sizes = {{"n", 40}}`. Of models that are written as class templates; FMUs take them in
  /// `FmuSimulationOptions::instance.start_values`.
  modeling::Sizes sizes = {};
  /// Inputs that move in time, by name: `.inputs = {{"force", Table{{0.0, 0.0}, {2.0, 5.0}}}}`.
  /// Their points are events, exactly met; whatever is differentiated knows their slopes. Of models
  /// that are written as class templates; FMUs have `FmuSimulationOptions::inputs`.
  std::map<std::string, modeling::Table> inputs = {};
  /// Distance of the rows. `kNever`: only start, events and end. Default: the model's, else a
  /// five-hundredth of the run.
  std::optional<double> report_interval = {};
  /// What is recorded; empty: every variable.
  std::vector<std::string> record = {};

  Method method = Method::automatic;
  /// No step is longer.
  double max_step = kNever;
  /// Go on along switching surfaces that both sides push towards (`SlidingModel`).
  bool sliding = true;
  /// Where impacts accumulate go on at rest (`RestingModel`) instead of stopping with an error.
  bool rest = false;
  /// Indicators switch this far beyond zero, and not again within the dwell (`HysteresisModel`).
  /// With either nothing slides.
  double hysteresis = 0.0;
  double dwell = 0.0;
  /// By what the solution is differentiated: names of real parameters, and of states for their
  /// start values (`start("h")` says it more clearly). Each number x gets a variable `d(x)/d(p)`,
  /// which is recorded and read like all others; see `SensitivityModel`.
  std::vector<std::string> sensitivities = {};
  /// Whether steps are chosen so that these meet the tolerance, too. Without, the run is that of
  /// the model alone, and they cost less: see `SensitivityModel::Accuracy`.
  bool control_sensitivities = true;
  /// How implicit equations are made consistent and reduced; its form is chosen here.
  ReductionOptions reduction = {};
  /// Makes the integrator of `Method::bdf`, which lives in a library of its own.
  IntegratorMaker make_bdf = {};
};

/// The start value of a state, in `SimulationOptions::sensitivities`.
inline std::string start(std::string_view state) { return "start(" + std::string(state) + ")"; }

/// A model with everything that runs it: the decorators that it needs, an integrator, the mode
/// controller and a record of all variables by name. It owns all of them.
///
///     Simulation ball = Simulation::of<Ball>({.tolerance = 1e-8});
///     ball.set("h", 2.0);
///     ball.start();
///     ball.advance_to(1.0);
///     double height = ball.value("h");
///     auto here = ball.save();
///     ball.advance_to(2.0);
///     ball.restore(here);      // at 1.0 again
///     ball.reset();            // before the start; whatever was set before it still holds
///     auto result = ball.run();
///
/// A run that fails throws an `Error`; `result` keeps its rows. What a caller does wrong is a
/// `std::logic_error`: a name that does not exist, a parameter that is set while the run goes on.
class Simulation {
 public:
  /// Makes the system anew whenever one is needed: at `reset`, and for `SimulationResult::at`,
  /// which has one of its own.
  using Maker = std::function<std::unique_ptr<SimulatedSystem>()>;
  using ModelMaker = std::function<std::unique_ptr<modeling::DescribedModel>()>;

  /// Of whatever `make` makes by `options`; of these, only values, record and report interval are
  /// used here.
  explicit Simulation(Maker make, SimulationOptions options = {});
  ~Simulation();
  Simulation(Simulation&&) noexcept;
  Simulation& operator=(Simulation&&) noexcept;

  /// Of a model written as a class template over its scalar.
  template <template <class> class M, class Unit = M<modeling::Locked>>
  static Simulation of(SimulationOptions options = {});
  /// Of any model with named variables.
  static Simulation of(ModelMaker make_model, SimulationOptions options = {});

  /// `start` unless that was done, and `advance_to` the stop time.
  SimulationResult run();

  /// The initial event; after it the model rests at the start time.
  void start();
  /// Events on the way are handled. At the stop time the run is over, and earlier if the model ends
  /// it: `time` tells.
  void advance_to(double t);
  double time() const;

  /// The present value of a variable; before the start, its start value.
  double value(std::string_view name);
  /// Before the start: a parameter, an input, or the start value of a state or of a discrete
  /// variable. While a run rests: an input or a tunable parameter; both values get a row. What is
  /// set together comes into force together, with the next `advance_to` or `save`: conditions and
  /// discrete variables are as before until then.
  void set(std::string_view name, double value);
  /// The same of a variable that is a text; of a binary, its bytes.
  std::string text(std::string_view name);
  void set(std::string_view name, std::string_view text);

  /// A point of the run to come back to, as often as wanted. Where a run goes on, it goes on to the
  /// last bit alike, with or without having come back.
  class Saved;
  /// Throws `std::logic_error` where that is impossible: with hysteresis, dwell or rest, and of
  /// FMUs that do not declare canGetAndSetFMUState. A saved run goes on as from a restart of its
  /// integrator: within the tolerance as one that was not saved. What the run cost is counted from
  /// there on.
  Saved save();
  /// The rows after that point are dropped. `saved` has to be of this simulation and, for an FMU,
  /// of the time since the last `reset`, which makes a new instance. Where it throws, the run has
  /// ended.
  void restore(const Saved& saved);
  /// Back to before the start; rows and observers are dropped.
  void reset();

  /// Looks on from now on, until `reset`; has to outlive that, or the simulation.
  void add(Observer& observer);
  /// What there is so far. It shows the run, not a copy: it grows with `advance_to` and shrinks
  /// with `restore`; `reset` leaves it alone and begins another.
  SimulationResult result() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

class Simulation::Saved {
 private:
  friend class Simulation;
  struct Point;
  std::shared_ptr<const Point> point_;
};

/// The name of a model's class, as it is written.
template <template <class> class M>
std::string model_name() {
  const std::string_view function = __PRETTY_FUNCTION__;
  const std::size_t begin = function.find("M = ");
  const std::size_t end = function.find_first_of(";]", begin);
  if (begin == std::string_view::npos || end == std::string_view::npos) {
    return "model";
  }
  const std::string_view qualified = function.substr(begin + 4, end - begin - 4);
  return std::string(qualified.substr(qualified.rfind(':') + 1));
}

template <template <class> class M, class Unit>
Simulation Simulation::of(SimulationOptions options) {
  auto inputs = std::exchange(options.inputs, {});
  auto sizes = std::exchange(options.sizes, {});
  return of(
      [inputs = std::move(inputs),
       sizes = std::move(sizes)]() -> std::unique_ptr<modeling::DescribedModel> {
        return std::make_unique<modeling::DifferentiableModel<M>>(model_name<M>(), sizes,
                                                                  modeling::driven_by(inputs));
      },
      std::move(options));
}

/// One run from start to stop:
///
///     auto run = saltus::simulate<Ball>({.stop = 3.0, .values = {{"e", 0.8}}});
///     std::printf("%g\n", run["h"].back());
template <template <class> class M, class Unit = M<modeling::Locked>>
SimulationResult simulate(SimulationOptions options = {}) {
  return Simulation::of<M>(std::move(options)).run();
}

}  // namespace saltus
