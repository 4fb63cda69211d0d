// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "saltus/core/model_decorator.hpp"
#include "saltus/core/variations.hpp"
#include "saltus/dae/index_analysis.hpp"

namespace saltus {

class EquationDerivatives;

/// How an implicit model is made integrable.
struct ReductionOptions {
  enum class Form {
    /// F(t, y, y') = 0 of index 1 at most, for `Radau` and `Bdf`. Where the index was higher, y is
    /// x followed by those derivatives of x that the hidden constraints contain.
    implicit_form,
    /// y' = f(t, y) with y = x, kept on the constraints by `project`, for `DormandPrince`.
    explicit_form,
  };
  Form form = Form::implicit_form;

  /// What a consistent start may move. Unknowns that never occur differentiated always follow.
  enum class Start {
    /// Differentiated unknowns keep their values if a solution can start there; if not, they
    /// together move as little as possible.
    nearest,
    /// Differentiated unknowns keep their values; if no solution can start there, that is an error.
    hold_differential,
    /// Differentiated unknowns keep their values if a solution can start there; if not, they jump
    /// as an impulse of the unknowns without a derivative makes them jump. With equations between
    /// rates and forces or currents that conserves momentum, charge and flux: a clutch that closes
    /// on two inertias leaves them with their common angular momentum, where `nearest` would leave
    /// them with the mean of their speeds. Where no impulse leads to a consistent point, as
    /// `nearest`.
    conserving,
    /// All unknowns move as little as possible, each in units of its nominal value.
    least_change,
  };
  Start start = Start::nearest;
  /// The same for the start after an event; if absent, `conserving` in place of `nearest`, else as
  /// `start` says.
  std::optional<Start> after_event = {};
  /// Names of unknowns that neither the start nor an event may move, whatever `start` says.
  std::vector<std::string> fixed = {};

  IndexOptions index = {};
  /// Of a `ReducedDescribedModel` of explicit form: whether whoever integrates calls `project`, as
  /// our integrators do, and locates events on the constraints. An importer of an FMU does neither:
  /// its events begin a little beyond the surface that it has found.
  bool projecting_driver = true;
};

/// An unknown that a consistent start has moved although it occurs differentiated. After an event
/// this means that the switch implies an impulse: its derivative is infinite for a moment.
struct Adjustment {
  double time = 0.0;
  std::string unknown;
  double before = 0.0;
  double after = 0.0;
};

/// An unknown that has another value after an event than before it, by more than the tolerance.
struct Jump {
  double time = 0.0;
  std::string unknown;
  double before = 0.0;
  double after = 0.0;
  /// How much of it is the model's own doing: an assignment in its events. All else is
  /// re-initialisation: the new equations, hidden ones included, do not allow the old value.
  double transferred = 0.0;
  /// It occurs differentiated on one side of the event at least.
  bool differentiated = false;
  /// Re-initialisation moved it although it occurs differentiated: the switch implies an impulse
  /// (a Dirac pulse of a force, a current, a voltage) that the equations do not show.
  bool impulsive = false;

  double reinitialized() const { return after - before - transferred; }
};
/// "i_L jumps from -2.88 to 0 by re-initialisation: an impulse", for reports.
std::string to_string(const Jump& jump);

/// A model F(t, x, x') = 0 of any index as one that integrators can work with.
///
/// In each configuration the index is found (see `analyze_index`), the equations are joined by as
/// many of their derivatives as hide constraints, and all of these hold at every point that anybody
/// sees: `make_consistent` makes the start after an event consistent, `project` what lies between
/// steps. Nobody states an index, a partition, or a derivative. The method: Kunkel and Mehrmann,
/// Differential-Algebraic Equations, 2006, sections 4.1 and 6.2, on structurally selected rows.
///
/// *Configurations* may have equations of their own, in number, index and unknowns. An unknown that
/// the equations of a configuration do not mention keeps its value there; `analysis().values.u`
/// counts these.
///
/// `d` unknowns carry the motion (the *states* of the configuration); which ones may change during
/// a run, as the two coordinates of a pendulum take turns. An explicit model passes unchanged.
class ReducedModel : public ModelDecorator,
                     private Derivatives,
                     private ParameterDerivatives,
                     private IndicatorRates,
                     private Diagnosis {
 public:
  /// `model` must offer a derivative array if it is implicit, and outlive this one.
  explicit ReducedModel(Model& model, ReductionOptions options = {});
  ~ReducedModel() override;

  /// Changes with the configuration in the implicit form; the unknowns of the wrapped model come
  /// first.
  Shape shape() const override;
  /// Infinite for derivatives and, where the index was above 1, for unknowns that never occur
  /// differentiated: their errors are not controlled, they follow from the others.
  void nominals(Vec y) const override;
  std::string unknown_name(std::size_t i) const override;
  void initialize(const Experiment& experiment, Vec y) override;
  EventUpdate update_discrete_states(double t, Vec y) override;
  void enter_continuous_mode(double t, ConstVec y) override;
  void enter_event_mode(double t, ConstVec y) override;
  Eval residual(double t, ConstVec y, ConstVec yp, Vec r) override;
  Eval derivatives(double t, ConstVec y, Vec yp) override;
  Eval make_consistent(double t, Vec y, Vec yp) override;
  Eval indicators(double t, ConstVec y, Vec z) override;
  bool projects() const override;
  Eval project(double t, Vec y) override;
  StepVerdict completed_step(double t, ConstVec y) override;
  /// Throws `DaeError` if the equations were singular in the last steps.
  void terminate() override;
  /// In the explicit form it has the configurations of the wrapped model. Each is asked with
  /// algebraic unknowns of its own, those of y being a guess, and `indicator_rates` are total
  /// derivatives: of `v` the states count, all else follows. So `SlidingModel` works on reduced
  /// models. The solution as a series it has in that form, where the structural analysis succeeded.
  Capabilities capabilities() override;
  Linearization* linearization() override;
  DerivativeArray* derivative_array() override { return nullptr; }
  SolutionSeries* series() override;
  /// In the implicit form.
  ParameterDerivatives* by_parameters() override;

  /// For drivers that know nothing of constraints: the consistent point that is nearest to the
  /// first unknowns as they are given, each differentiated one in units of its size, and the slope
  /// there. Other than by `project`, none of them is preferred, so that the result is as smooth as
  /// the equations wherever the motion goes. A point is one value, bit for bit: it depends on what
  /// is given, the configuration and the last point accepted (after an event, or by `accept`), and
  /// on no other that was asked for in between. The explicit form alone has it, after
  /// `make_consistent`, and only if `expect_approach` came before everything.
  Eval approach(double t, ConstVec given, Vec y, Vec yp);
  /// How that point and the slope there change with what is given, one unknown after the other,
  /// then with the given numbers of `equations`, and with the time: for each of these as many
  /// numbers in `by` as y and yp have together. Discarded where they do not exist, and where the
  /// point was found from so far away that nothing is known of how it follows.
  Eval approach_derivatives(double t, ConstVec given, EquationDerivatives& equations,
                            std::vector<double>& by);
  void expect_approach();
  /// The point last approached or settled at is one of the driver's solution, where these unknowns
  /// are given: what comes begins there. False: an event has to happen first, since the equations
  /// have to be analysed anew. Throws `DaeError` where they were singular on the way.
  bool accept(double t, ConstVec given);

  /// In event mode: what `enter_continuous_mode` and `make_consistent` would give, without going
  /// there. The wrapped model has to be restored by the caller.
  Eval preview(double t, Vec y, Vec yp);

  /// Something that the equations depend on was set from outside: nothing computed before holds.
  void outdate();
  /// Forgets everything and goes on from a point of an interrupted run, while the wrapped model is
  /// in the configuration that it had there: what follows depends on nothing but the arguments.
  /// `point` is what `point()` had been, empty if the run had not begun, and `anchor` what
  /// `anchor()` had been.
  void resume(const Experiment& experiment, double t, ConstVec point, bool in_event_mode,
              ConstVec anchor = {});
  /// The unknowns of the wrapped model and the derivatives that belong to them, as last solved for.
  /// For `resume` to read; valid until the next call.
  ConstVec point() const;
  /// What `approach` depends on besides its arguments, for `resume` alone to read; empty: on
  /// nothing.
  std::vector<double> anchor() const;

  /// Of the configuration in force.
  const IndexAnalysis& analysis() const;
  /// The unknowns that carry the motion at present.
  std::vector<std::string> states() const;
  /// What the last consistent start had to move.
  const std::vector<Adjustment>& adjustments() const;
  /// What the last event, or the start, changed; for an observer at `Moment::after_event`.
  const std::vector<Jump>& jumps() const;

 private:
  Configurations* configurations();
  Linearization* linearization_by(std::span<const std::size_t> parameters) override;
  Eval follow(std::size_t parameter, Vec s, Vec slopes) override;
  Eval indicator_rates(double t, ConstVec y, ConstVec v, Vec rates) override;
  /// Throws `DaeError` if the index is another here than it was when the configuration was entered,
  /// or if an unknown is not determined.
  void explain_failure(double t, ConstVec y) override;
  void explain_missing_series(double t) override;

  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace saltus
