// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include "extended_system.hpp"
#include "state_selection.hpp"

namespace saltus {

/// Solves F_R(t, z) = 0 for the free columns of a selection, the states held: the quick way back to
/// consistency from a point that is nearly consistent already.
///
/// Newton's method with a factorisation that is kept as long as it serves; many points along a
/// curve cost no more than a few evaluations and solves each.
class PointSolver {
 public:
  explicit PointSolver(ExtendedSystem& system);
  ~PointSolver();

  /// Chooses what is solved for; forgets the factorisation.
  void select(const StateSelection& selection);
  const StateSelection& selection() const { return selection_; }
  const ExtendedSystem& system() const { return system_; }

  /// Evaluates and factorises the Jacobian at a point. `discard`: not evaluable, or singular (then
  /// `singular_column` says where).
  Eval factorize(double t, ConstVec z);
  /// As above with the Jacobian of that point at hand, in the order of the system's pattern.
  Eval factorize(double t, ConstVec z, ConstVec entries);
  struct Place {
    double time = 0.0;
    std::vector<double> z;
  };
  /// Where the last factorisation was made.
  const Place& place() const { return place_; }
  /// The system's Jacobian there, in the order of its pattern.
  ConstVec entries() const { return entries_; }
  int singular_column() const { return singular_column_; }
  /// Whether there was a factorisation since the last call.
  bool take_news() { return std::exchange(news_, false); }

  enum class End { found, not_evaluable, singular, no_convergence };
  /// Column c counts in units of weight[c] + |z[c]|. Where no solution is found, z is left as it
  /// was. `anew`: with a Jacobian of this very point, for points so far apart that an old one would
  /// not serve.
  End solve(double t, Vec z, ConstVec weight, bool anew = false);

  /// A reference is a selection and its factors that are kept, whatever is factorised after it.
  /// While the solver refers to it, `solve` begins with these factors and, where they do not serve,
  /// goes on with such of the very point: what it finds depends on its arguments and the reference
  /// alone, not on the points solved for before.
  void set_reference();
  /// The next factorisation chooses its pivots anew, so that it depends on its point alone.
  void forget_pivots();
  bool has_reference() const { return reference_.factors != nullptr; }
  const StateSelection& reference_selection() const { return reference_.selection; }
  const Place& reference_place() const { return reference_.place; }
  /// Brings the selection back to that of the reference and refers to it from now on.
  void refer();
  void stop_referring() { refers_ = false; }
  /// Whether the last `solve` found that the reference serves well.
  bool reference_serves() const { return reference_serves_; }

  /// Along a direction in which time and the states move, `along` (one rate per unknown): fills in
  /// how fast all other unknowns follow from a consistent point z.
  Eval follow(double t, ConstVec z, Vec along);

  /// Whether the last factorisation went well, which all below needs.
  bool has_factors() const;
  /// See `SparseLu::orientation`.
  int orientation() const;
  /// How all columns move with one of the selected states, each in units of its weight. After
  /// `factorize`.
  void response(std::size_t state, ConstVec weight, Vec change);
  /// How strongly free columns move with those that are held, each in units of its weight: the
  /// differentiated unknowns among them with the states, the derivatives with those that no row
  /// determines. Where one of these becomes large, another selection would serve better.
  struct Sensitivity {
    double to_states = 0.0;
    double to_undetermined = 0.0;
    bool exceeds(const Sensitivity& other, double factor) const {
      return to_states > factor * std::max(1.0, other.to_states) ||
             to_undetermined > factor * std::max(1.0, other.to_undetermined);
    }
  };
  Sensitivity sensitivity(ConstVec weight);
  /// How what the rows have to determine, the unknowns and (`with_slopes`) the slopes of states,
  /// follows derivatives that no row determines: zero, or these are not the rows that are needed
  /// here.
  double astray(ConstVec weight, bool with_slopes);

 private:
  struct Factors;
  struct Reference {
    StateSelection selection;
    std::unique_ptr<Factors> factors;
    Place place;
  };
  End iterate(const Factors& factors, double t, Vec z, ConstVec weight, double rounding);
  End iterate_with_new_factors(double t, Vec z, ConstVec weight);
  double correct(const Factors& factors, double t, Vec z, ConstVec weight);
  void follow_state(int state, ConstVec weight);
  double largest_response(const std::vector<int>& moved, const std::vector<std::size_t>& watched,
                          ConstVec weight);

  ExtendedSystem& system_;
  StateSelection selection_;
  std::unique_ptr<Factors> factors_;
  std::vector<int> undetermined_;  // columns that are neither states nor free
  std::vector<int> kept_;  // positions in the system's pattern, in the order of that of the factors
  std::vector<double> entries_, kept_entries_, rest_;
  Place place_;
  bool valid_ = false;
  bool news_ = false;
  int singular_column_ = -1;
  Reference reference_;
  bool refers_ = false;
  bool reference_serves_ = false;
  int corrections_ = 0;  // of the last iteration
};

/// Ends what `refer` began.
class ReferenceScope {
 public:
  explicit ReferenceScope(PointSolver& solver) : solver_(solver) {}
  ReferenceScope(const ReferenceScope&) = delete;
  ReferenceScope& operator=(const ReferenceScope&) = delete;
  ~ReferenceScope() { solver_.stop_referring(); }

 private:
  PointSolver& solver_;
};

}  // namespace saltus
