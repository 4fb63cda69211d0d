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
  PointSolver::Place beginning;  ///< where this stretch without events began
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

struct ReducedModel::State {
  State(Model& m, ReductionOptions o)
      : model(m), options(std::move(o)), is_explicit(m.is_explicit()) {}

  Model& model;
  ReductionOptions options;
  bool is_explicit;  // the model: it passes unchanged
  std::size_t n = 0;
  double step_scale = 1.0;
  double resumed_scale = 0.0;  // the unit of time in which ranks were decided before; 0: none
  double tolerance = 0.0;
  std::map<DerivativeArray*, KnownReductions> known;
  Reduction* now = nullptr;
  bool in_event_mode = true;
  bool first_pass = false;                              // of the discrete update at this event
  bool starting = true;                                 // not yet past the first consistent start
  bool guessed = true;                                  // nothing has been decided yet
  std::optional<ReducedConfigurations> configurations;  // once somebody has asked for them
  bool reselected = false;          // other equations are in force than `now` was made for
  bool wants_other_states = false;  // when the integrator restarts
  bool approached = false;          // by a driver that knows nothing of constraints
  bool previewing = false;          // nothing that is solved for now is accepted
  PointSolver::Place accepted;      // the unknowns of the newest anchor of any configuration
  std::vector<Adjustment> adjustments;
  std::vector<Jump> jumps;
  PointSolver::Place last_step;       // what the last completed step ended with
  mutable std::vector<double> shown;  // of `point()`
  // At an event: when it began, where it found the unknowns, how far the model has moved each since
  // then, and whether they were differentiated.
  double event_time = kNever;
  std::vector<double> before_event, transferred;
  std::vector<char> was_differentiated;
  std::vector<std::vector<double>> decided_at;  // at this event, as far as points have an anchor
  std::vector<double> nominal;
  Experiment experiment;  // whom to warn
  std::vector<char> fixed;
  // The point of the last projection: a right-hand side is asked for there next.
  double solved_time = kNever;

  bool passes() const { return is_explicit; }
  bool explicit_form() const { return options.form == ReductionOptions::Form::explicit_form; }
  /// The last point solved was this one.
  bool is_solved(double t, ConstVec y) const {
    return t == solved_time && !reselected && now != nullptr &&
           std::equal(y.begin(), y.end(), now->z.begin());
  }
  /// Points are solved for by people who compare them: each has to have one value.
  bool anchors() const { return explicit_form() && (approached || forks()) && !previewing; }
  bool forks() const { return configurations && configurations->forks(); }
  /// The derivatives of x are unknowns of the integrator, too.
  bool extended() const { return !explicit_form() && now != nullptr && !now->direct(); }

  std::vector<std::string> unknown_names() const;
  std::vector<std::string> state_names() const;
  std::string column_name(std::size_t column) const;
  std::string row_name(std::size_t row) const;
  std::string row_name(const ExtendedSystem::Row& r) const;

  /// Forgets all that an earlier run has found.
  void begin(const Experiment& experiment);
  /// The reduction of the configuration in force; analyses it at (t, x) if it is new, or if
  /// numbers in it are that ranks depend on.
  void enter_configuration(double t, ConstVec x);
  /// Whether the one in force was found for the present equations.
  bool is_up_to_date() const;
  /// Makes now->z consistent; see ReductionOptions::Start.
  Eval make_consistent(double t);
  /// Solves for what is not differentiated, with all else held; whether that was possible.
  bool follow(double t);
  /// Puts y, or the first unknowns of it, into now->z, after a change to the configuration in
  /// force. True: all of now->z belongs to it, since that is the anchor.
  bool load(double t, ConstVec y);
  /// Solves for all that follows from the states of y, in the configuration in force; with sides,
  /// nobody else has made y consistent with just this one.
  bool solve_at(double t, ConstVec y);
  /// Before the first decisions: unknowns without a derivative are guesses until the equations have
  /// determined them, and no condition may come true on a guess. Equations that are decided upon
  /// themselves have to be guessed first.
  void follow_guesses(double t, Vec x);
  /// Numbers in the equations have changed at an event, and with them what determines what.
  void follow_numbers(double t, Vec x);
  /// Puts x back into now->z if something was decided there at this event, and if it is consistent
  /// to rounding: what was decided there stays so.
  void keep_what_is_consistent(ConstVec x);
  /// Makes the point last solved for the anchor of the configuration in force.
  void drop_anchor(double t, ConstVec given);
  /// The same, since it was accepted: other configurations follow when they are asked.
  void accept(double t, ConstVec given);
  void move_anchor();
  /// What an event has come to.
  struct EventNotes {
    bool in_event_mode, first_pass, starting, reselected;
    std::vector<Adjustment> adjustments;
    std::vector<Jump> jumps;
    double event_time;
    std::vector<double> before_event, transferred;
    std::vector<char> was_differentiated;
  };
  EventNotes notes() const;
  void recall(const EventNotes& notes);
  /// Whether that is what was solved for at the anchor.
  bool is_anchor(double t, ConstVec given) const;
  /// The anchor with the selection and the place of the factors that belong to it, as numbers.
  std::vector<double> saved_anchor() const;
  bool recall_anchor(ConstVec saved);
  /// Of these numbers, that of `Reduction::rank_scale`.
  static double saved_scale(ConstVec saved);
  /// Moves now->z to the nearest consistent point; false: there is none near.
  bool move_least(double t);
  /// The same for a point of which the first unknowns are given, in several strides from the
  /// anchor.
  bool move_in_strides(double t, ConstVec given);
  bool all_are_states() const;
  void choose_states(double t);
  /// Throws `DaeError` if the equations are of another kind at now->z than they were at the start.
  void look_for_change(double t);
  /// Looks at the equations where a new Jacobian was needed, and now and then. Throws `DaeError`
  /// where they were singular on the way; true where other states would serve better, or (then
  /// now->outdated is set) other rows are needed.
  bool inspect(double t, ConstVec y);
  /// Where ranks have chosen the rows, and an event has moved the unknowns to a place where others
  /// are needed: the analysis is made anew when the configuration is entered.
  void require_rows_after_event(double t, ConstVec x);
  /// The same at the last point accepted. True: other rows are needed.
  bool inspect_accepted();
  /// As `inspect` at the end of a phase, for what was not looked at yet.
  void inspect_last(double t, ConstVec y);
  /// Tells of states that the start has moved.
  void warn_of_moved_states(double t);
  /// Where the determinant of what is solved for has another sign than at the last inspection:
  /// throws `DaeError` if no other states would have served on the way.
  void require_regular_path();
  /// Throws `DaeError` if a series was asked for, and unknowns without equations forbid it.
  [[noreturn]] void refuse_unused(double t);
  /// Throws `DaeError` if the equations are singular at now->z, where an integrator failed, and
  /// were not where the stretch began. True: they are regular.
  bool look_for_singularity(double t);
  /// Says what was assumed where equations do not determine all unknowns.
  void warn_of_assumptions(double t, const DerivativeArray& array);
  /// Throws `DaeError` where an equation that was left out, because it follows from others, does
  /// not hold at now->z.
  void require_agreement(double t);
  /// What comes has nothing to do with what was: after an event.
  void begin_path();
  /// Whether an unknown that is never differentiated, and so takes no part in the control of
  /// errors, is quite another than when this was last true: it may have passed a pole.
  bool may_have_passed_a_pole(ConstVec x);
  void begin_event(double t, ConstVec x);
  // reduction_conditions.cpp
  /// A condition that rounding alone would decide, and what keeps its indicator where it was.
  struct Tie {
    std::size_t indicator;
    double shift;
  };
  std::vector<Tie> ties;
  std::vector<char> positive;  ///< per indicator, when the event began; empty: not known
  void read_conditions(double t, ConstVec x);
  void find_ties(double t, ConstVec x);
  EventUpdate update_with_ties(double t, Vec x);
  Eval own_indicators(double t, ConstVec x, Vec z) const;
  /// Copies from now->z what differs by more than an error of the curve does; whether anything.
  bool take_what_moved_far(Vec x) const;
  void note_jumps(double t);
  ReductionOptions::Start start() const {
    using Start = ReductionOptions::Start;
    const Start usual = options.start == Start::nearest ? Start::conserving : options.start;
    return starting ? options.start : options.after_event.value_or(usual);
  }

 private:
  /// Whether the equations are regular, by these states, at the point y and on the way to it.
  bool are_regular(double t, ConstVec y, bool news, bool anew);
  /// Sets now->outdated where other rows are needed, and throws `DaeError` where that shows.
  void require_rows(double t);
  struct Undetermined {
    std::vector<std::string> equations, unknowns;
  };
  std::unique_ptr<Reduction> reduce(DerivativeArray& array, double t, ConstVec x,
                                    const IndexAnalysis* earlier);
  /// Throws `DaeError` if the equations are singular at x, and regular beside it.
  void blame_start_values(double t, ConstVec x, const IndexOptions& index,
                          const IndexAnalysis& found);
  /// What the equations do not determine at a point, and which of them fail; none: all is
  /// determined.
  std::optional<Undetermined> undetermined(std::initializer_list<PointSolver::Place> elsewhere,
                                           const PointSolver::Place& here, double threshold);
  bool near_enough(double t);
  Eigen::MatrixXd jump_directions(double t, const std::vector<Mobility>& mobility);
  std::vector<Mobility> mobilities(Mobility differentiated, Mobility others) const;
  enum class Along { impulses, impulses_and_a_little, anything };
  SearchResult search_beside(double t);
  /// Puts the start values that may stay back into z, a consistent point.
  void keep_start_values(double t, const std::vector<Mobility>& mobility, std::vector<double>& z);
  SearchResult search(double t, Mobility differentiated, Mobility others,
                      Along along = Along::anything);
  IntegrationError not_finite(double t) const;
  [[noreturn]] void fail_start(double t, const SearchResult& result);
};

}  // namespace saltus
