// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "consistent_point.hpp"
#include "extended_system.hpp"
#include "point_solver.hpp"
#include "saltus/linearization.hpp"
#include "saltus/reduced_model.hpp"
#include "state_selection.hpp"

namespace saltus {

struct Reduction;

/// x_S' = (first derivative of x_S among the unknowns), F_R(t, x, derivatives) = 0.
class ExtendedLinearization final : public Linearization {
 public:
  void rebuild(Reduction& reduction);
  const Pattern& pattern() override { return pattern_; }
  Eval evaluate(double t, ConstVec y, ConstVec yp, Vec by_value, Vec by_slope) override;

  /// The extended system's Jacobian of the last evaluation, and whether there was one since the
  /// last call.
  ConstVec entries() const { return entries_; }
  bool take_news() { return std::exchange(news_, false); }

 private:
  Reduction* reduction_ = nullptr;
  Pattern pattern_;
  std::vector<int> source_;       // entries of the extended system's Jacobian ...
  std::vector<int> place_;        // ... and where they go
  std::vector<int> slope_place_;  // of each state's own derivative
  std::vector<int> value_place_;  // of the derivative among the unknowns
  std::vector<double> entries_;
  bool news_ = false;
};

/// What is known of one configuration: its index, and the equations that are solved in it.
struct Reduction {
  Reduction(DerivativeArray& array, IndexAnalysis found, bool for_explicit_form, double scale);

  /// Whether the equations of the wrapped model are integrated as they are: nothing is hidden.
  bool direct() const { return direct_; }
  std::size_t freedoms() const {
    return static_cast<std::size_t>(analysis.values.degrees_of_freedom());
  }

  /// The unknowns of the extended form: all columns that the rows or the states determine.
  std::size_t determined() const { return system.rows().size() + freedoms(); }
  /// Puts the values of the determined columns into z, or takes them out of it.
  void load(ConstVec y);
  void store(Vec y) const;
  /// Has a selection of states been made, and which columns does it determine?
  bool has_states() const { return !kept.empty(); }

  IndexAnalysis analysis;
  ExtendedSystem system;
  PointSolver solver;
  /// Unknowns, and behind them their derivatives as far as they occur, at the last point solved.
  std::vector<double> z;
  std::vector<double> weight;  ///< of each column: the nominal value of its unknown
  double sensitivity_when_chosen = 1.0;
  std::vector<int> kept;  ///< the determined columns, ascending; the unknowns themselves come first
  ExtendedLinearization linearization;  ///< of the extended form, for that selection

 private:
  bool direct_ = false;
};

struct ReducedModel::State {
  State(Model& m, ReductionOptions o) : model(m), options(std::move(o)) {}

  Model& model;
  ReductionOptions options;
  std::size_t n = 0;
  double scale = 1.0;
  double tolerance = 0.0;
  std::map<DerivativeArray*, std::unique_ptr<Reduction>> known;
  Reduction* now = nullptr;
  bool in_event_mode = true;
  std::vector<Adjustment> adjustments;
  std::vector<double> nominal;
  std::vector<char> fixed;
  // The point of the last projection: a right-hand side is asked for there next.
  double solved_time = kNever;

  bool passes() const { return model.is_explicit(); }
  bool explicit_form() const { return options.form == ReductionOptions::Form::explicit_form; }
  /// The derivatives of x are unknowns of the integrator, too.
  bool extended() const { return !explicit_form() && now != nullptr && !now->direct(); }

  std::string column_name(std::size_t column) const;
  std::string row_name(std::size_t row) const;

  /// Forgets all that an earlier run has found.
  void begin(const Experiment& experiment);
  /// The reduction of the configuration in force; analyses it at (t, x) if it is new.
  void enter_configuration(double t, ConstVec x);
  /// Makes now->z consistent; see ReductionOptions::Start.
  Eval make_consistent(double t);
  /// Solves for what is not differentiated, with all else held; whether that was possible.
  bool follow(double t);
  /// Moves now->z to the nearest consistent point; false: there is none near.
  bool move_least(double t);
  bool all_are_states() const;
  void choose_states(double t);
  bool other_states_serve_better(ConstVec y);
  void note_adjustments(double t, ConstVec before);

 private:
  bool near_enough(double t);
  SearchResult search(double t, double differential_weight);
  [[noreturn]] void fail_start(double t, const SearchResult& result);
};

}  // namespace saltus
