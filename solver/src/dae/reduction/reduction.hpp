// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <algorithm>
#include <cstdint>
#include <initializer_list>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "autodiff/stage_solver.hpp"
#include "consistent_point.hpp"
#include "extended_system.hpp"
#include "held_unknowns.hpp"
#include "point_solver.hpp"
#include "reduced_configurations.hpp"
#include "saltus/core/error.hpp"
#include "saltus/core/linearization.hpp"
#include "saltus/core/solution_series.hpp"
#include "saltus/dae/reduced_model.hpp"
#include "state_selection.hpp"

namespace saltus {

struct Reduction;

/// x_S' = (first derivative of x_S among the unknowns), F_R(t, x, derivatives) = 0.
class ExtendedLinearization final : public Linearization {
 public:
  void rebuild(Reduction& reduction);
  const Pattern& pattern() override { return pattern_; }
  Eval evaluate(double t, ConstVec y, ConstVec yp, Vec by_value, Vec by_slope) override;

  /// The extended system's Jacobian of the last evaluation, where that was, and whether there was
  /// one since the last call.
  ConstVec entries() const { return entries_; }
  const PointSolver::Place& place() const { return evaluated_; }
  bool take_news() { return std::exchange(news_, false); }

 private:
  Reduction* reduction_ = nullptr;
  Pattern pattern_;
  std::vector<int> source_;       // entries of the extended system's Jacobian ...
  std::vector<int> place_;        // ... and where they go
  std::vector<int> slope_place_;  // of each state's own derivative
  std::vector<int> value_place_;  // of the derivative among the unknowns
  std::vector<double> entries_;
  PointSolver::Place evaluated_;
  bool news_ = false;
};

/// The derivatives of the wrapped model's own equations, with a note of when they were asked for.
class WatchedLinearization final : public Linearization {
 public:
  void watch(Linearization& inner) { inner_ = &inner; }
  const Pattern& pattern() override { return inner_->pattern(); }
  Eval evaluate(double t, ConstVec y, ConstVec yp, Vec by_value, Vec by_slope) override {
    news_ = true;
    return inner_->evaluate(t, y, yp, by_value, by_slope);
  }
  bool take_news() { return std::exchange(news_, false); }

 private:
  Linearization* inner_ = nullptr;
  bool news_ = false;
};

/// The solution through a consistent point as a power series.
class ReductionSeries final : public SolutionSeries {
 public:
  ReductionSeries(ReducedModel& model, Reduction& reduction, DerivativeArray& array);
  Eval expand(double t, Vec y, double scale, std::size_t degree, Vec c) override;
  void nominals(Vec y) const override;
  /// What comes has nothing to do with what was: after an event.
  void restart() {
    begin_ = kNever;
    orientation_ = 0;
  }
  /// Puts the derivatives that the last series gives at t into z, if t is within its reach.
  bool predict(double t, Vec z) const;

 private:
  void look_at_orientation(double t);

  ReducedModel& model_;
  Reduction& reduction_;
  StageSolver solver_;
  int orientation_ = 0;  // of the system Jacobian; 0: not known yet
  double begin_ = kNever;
  double scale_ = 1.0;
  std::size_t degree_ = 0;
  std::vector<double> last_;
};

/// What is known of one configuration: its index, and the equations that are solved in it.
struct Reduction {
  /// Who may complete equations that do not determine all unknowns.
  enum class Irregular { refused, completed };
  /// `step_scale`: a time near the length of a step. Where the pattern of the equations tells the
  /// index, no rank depends on the unit of time, and then it is the one to solve in. `earlier`: the
  /// same equations as they were analysed elsewhere, or null; rows that were needed there take part
  /// again.
  Reduction(DerivativeArray& model, double t, ConstVec x, const IndexOptions& options,
            double step_scale, bool for_explicit_form, Irregular irregular = Irregular::refused,
            const IndexAnalysis* earlier = nullptr);

  /// Whether the equations of the wrapped model are integrated as they are: nothing is hidden.
  bool direct() const { return direct_; }
  PointSolver::Sensitivity sensitivity() { return solver.sensitivity(weight); }
  double astray() { return solver.astray(weight, shows_slopes_); }
  /// How many unknowns may be given, held ones included.
  std::size_t freedoms() const {
    return static_cast<std::size_t>(analysis.values.degrees_of_freedom()) + held.size();
  }

  /// Unknowns that these equations do not mention, and those that are held because the equations
  /// leave them free.
  std::vector<int> held, assumed;
  std::vector<char> differentiated;  ///< per unknown: the model's own equations contain x'
  std::unique_ptr<HeldUnknowns> completed;

  /// The unknowns of the extended form: all columns that the rows or the states determine.
  std::size_t determined() const { return system.rows().size() + freedoms(); }
  /// Puts the values of the determined columns into z, or takes them out of it.
  void load(ConstVec y);
  void store(Vec y) const;
  /// What derivatives are measured in where somebody keeps them: units from the equations, which
  /// are powers of two, may be others when these are analysed again.
  double kept_unit() const { return analysis.structural ? 1.0 : system.scale(); }
  /// The unit of time in which ranks were decided; 0: the pattern of the equations has decided.
  double rank_scale() const { return analysis.structural ? 0.0 : analysis.scale; }
  /// `select_states`, in the unit of time of the analysis: that of a step would let the length of
  /// the run choose.
  StateSelection states_for(ConstVec entries) const;
  /// Whether an analysis has found the same again.
  bool is_like(const IndexAnalysis& other) const;
  /// Whether the rows and states found elsewhere, or for other numbers, determine at (t, x) what
  /// they did there: an analysis would find the same index.
  bool serves(double t, ConstVec x);
  /// Has a selection of states been made, and which columns does it determine?
  bool has_states() const { return !kept.empty(); }

  /// Where equations follow from others (v > 0), `system` uses independent rows of `whole`: those
  /// at z. Whether they still are, clearly, where z is now.
  void choose_rows(double t, ConstVec at);
  bool rows_serve(double t);

  IndexAnalysis analysis;
  std::unique_ptr<ExtendedSystem> whole;
  ExtendedSystem system;
  PointSolver solver;
  /// Unknowns, and behind them their derivatives as far as they occur, at the last point solved.
  std::vector<double> z;
  std::vector<double> weight;  ///< of each column: the nominal value of its unknown
  WatchedLinearization own_linearization;
  bool followed = false;  ///< z is consistent, although no states were chosen for it yet
  PointSolver::Sensitivity sensitivity_when_chosen;
  int orientation_when_chosen = 1;
  /// The last point that was accepted, after a step or an event: where solving for others begins,
  /// so that none depends on which were asked for before it. Empty: nobody needs that.
  struct Anchor {
    PointSolver::Place place;
    std::vector<double> given;   ///< what was solved for; empty: something else, with this result
    std::uint64_t revision = 0;  ///< of the equations
  };
  Anchor anchor;
  PointSolver::Place inspected;  ///< where the equations were last looked at
  PointSolver::Place beginning;  ///< where this phase began
  std::vector<double> forces;    ///< what was never differentiated, when last looked at
  int steps_since_inspection = 0;
  int steps = 0;             ///< since this phase began
  double most_astray = 0.0;  ///< of `astray`; 0: not known yet
  bool outdated = false;     ///< the analysis does not hold here: to be made anew
  std::vector<int> kept;  ///< the determined columns, ascending; the unknowns themselves come first
  ExtendedLinearization linearization;      ///< of the extended form, for that selection
  std::unique_ptr<ReductionSeries> series;  ///< once it was asked for

 private:
  DerivativeArray& array(DerivativeArray& model) {
    return completed != nullptr ? *completed : model;
  }
  /// The rows among which some depend on others, of what the analysis has looked at.
  std::vector<int> levels(bool for_explicit_form) const;
  IndexAnalysis analyze_completed(DerivativeArray& model, double t, ConstVec x,
                                  const IndexOptions& options, Irregular irregular);
  bool direct_ = false;
  bool shows_slopes_ = false;
};

// Where unknowns follow derivatives that no row determines by more than this, in units of both,
// other rows are needed. Rounding of a system as badly conditioned as an analysis accepts stays
// below.
inline constexpr double kAstray = 1e-7;

/// The reductions of equations whose numbers may change, a mass from 0 to 1: which equations
/// determine what may change with them. One that fits other numbers too is found anew for these,
/// and is then the same.
struct KnownReductions {
  struct Numbers {
    std::vector<double> values;  ///< see `DerivativeArray::slope_numbers`
    Reduction* reduction = nullptr;
  };
  std::vector<std::unique_ptr<Reduction>> reductions;
  std::vector<Numbers> seen;  ///< the newest last

  /// Null: these numbers are new.
  Reduction* find(ConstVec numbers) const;
  bool contain(const Reduction* reduction) const;
  void note(ConstVec numbers, Reduction* reduction);
};

}  // namespace saltus
