// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "reduced_configurations.hpp"
#include "reduction.hpp"
#include "reduction_variations.hpp"
#include "saltus/dae/reduced_model.hpp"

namespace saltus {

/// Other states are taken where the unknowns move so much faster than those at hand.
inline constexpr double kMuchFaster = 3.0;
/// Of variables or equations, in a message.
inline constexpr std::size_t kMostNames = 5;

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
  std::vector<std::unique_ptr<ReductionVariations>> variations;  // those asked for last come last
  bool in_event_mode = true;
  bool first_pass = false;                              // of the discrete update at this event
  bool starting = true;                                 // not yet past the first consistent start
  bool guessed = true;                                  // nothing has been decided yet
  std::optional<ReducedConfigurations> configurations;  // once somebody has asked for them
  bool reselected = false;          // other equations are in force than `now` was made for
  bool wants_other_states = false;  // when the integrator restarts
  bool approached = false;          // by a driver that knows nothing of constraints
  bool by_search = false;           // the last point was found without coordinates
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
  void restore(const EventNotes& notes);
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
  /// Per unknown: whether a point is to come near to the value that it is given.
  std::vector<char> counted() const;
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
  /// were not where the phase began. True: they are regular.
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
  // reduction_passage.cpp
  bool on_the_way = false;  ///< the unknowns do not lie in the configuration that determines them
  int passes_on_the_way = 0;
  /// An update in which only conditions of the equations are decided.
  EventUpdate update_on_the_way(double t, Vec x);
  /// Whether now->z, a point of the configuration that was decided upon at `taken_at`, lies in
  /// another one; then x is moved there, or a part of the way if that goes on for too long.
  bool leads_elsewhere(double t, ConstVec taken_at, Vec x);
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
