// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstddef>
#include <limits>
#include <vector>

#include "combinations.hpp"
#include "filippov.hpp"
#include "sides_evaluation.hpp"

namespace saltus::sliding {

/// A field that exists on its own side only is asked this near to the surface, in its scale.
inline constexpr double kBeside = 8.0 * std::numeric_limits<double>::epsilon();

/// A switching surface: the zero set of an indicator.
struct Surface {
  std::size_t indicator = 0;
  std::vector<std::size_t> coincident;   ///< other indicators that vanish on the same surface
  std::vector<double> coincident_signs;  ///< whether each runs with the indicator or against it
  double scale = 1.0;                    ///< the size of what the indicator is a difference of
  double noise = 0.0;                    ///< how far the indicator is off, in its scale
  /// An FMU may turn its indicator over, or shift it by a hysteresis, when it changes the side: the
  /// surface function is the mean of both sides' indicators, each times its orientation.
  double low_orientation = 1.0;
  double high_orientation = 1.0;
  bool shared = true;  ///< both sides have the same indicator
  /// The indicator itself jumps with the side, because it depends on what does: its zero is not a
  /// place but a mixture of both sides (Wunderlich, Analysis and numerical solution of structured
  /// and switched differential-algebraic systems, 2008, Theorem 5.29). What the sides' indicators
  /// are then plays the part of the rates.
  bool by_value = false;
  /// Conditions may differ between configurations, see `Configurations::nests_conditions`: the
  /// configuration that is asked for the indicator, and its gradient in the size of the unknowns
  /// when that was last decided.
  std::size_t evaluated_in = 0;
  std::vector<double> normal = {};

  bool owns(std::size_t other) const;
};

std::vector<Surface> selected(const std::vector<Surface>& surfaces,
                              const std::vector<std::size_t>& which);

/// The motion at one point: the fields of all configurations, how fast each leaves each surface,
/// and what they combine to.
struct Point {
  double t = 0.0;
  std::vector<double> y;
  bool known = false;
  std::vector<double> fields;  ///< configuration by configuration
  std::vector<double> rates;   ///< likewise, one a surface
  Motion motion;
  std::vector<double> field;

  bool is_at(double time, ConstVec unknowns) const;
};

/// Surfaces on which a model slides or may come to slide, and its configurations around them, one a
/// combination of sides.
class SurfaceSet {
 public:
  explicit SurfaceSet(SidesEvaluation& sides) : sides_(sides) {}

  /// Other surfaces, or other configurations around them: those of all combinations of sides, or
  /// any number as long as nobody asks for their sides.
  void become(std::vector<Surface> new_surfaces, std::vector<Configurations::Slot> new_slots);
  /// Those of other combinations.
  void become(std::vector<Surface> new_surfaces, std::vector<Configurations::Slot> new_slots,
              Combinations combinations);

  /// The same surfaces and combinations, with other configurations.
  void surround(std::vector<Configurations::Slot> new_slots);
  /// The same surfaces, with configurations for these combinations.
  void surround(std::vector<Configurations::Slot> new_slots, Combinations combinations);
  const Combinations& combinations() const { return combinations_; }
  /// More surfaces than all combinations of sides are looked at for.
  bool is_grouped() const { return !combinations_.is_complete(); }

  /// The same surfaces, of which more is known.
  void orient(std::vector<Surface> surfaces);

  const std::vector<Surface>& surfaces() const { return surfaces_; }
  const std::vector<Configurations::Slot>& slots() const { return slots_; }
  std::size_t size() const { return surfaces_.size(); }
  bool owns(std::size_t indicator) const;

  /// The configuration on the other side of a surface, see `Surface::shared`.
  Configurations::Slot high_slot(std::size_t surface) const;
  /// The configuration that is asked for the function of a surface.
  Configurations::Slot asked_slot(std::size_t surface) const;
  /// The values of the surface functions.
  Eval values(double t, ConstVec y, std::vector<double>& values);
  /// While an event is handled, fields are asked for again and again at one point.
  bool at_event = false;
  /// Each surface switches a term of its own: only configuration 0 and those with one positive side
  /// alone are asked, see `weigh_own_terms`.
  bool own_terms = false;
  bool is_asked(std::size_t vertex) const {
    return is_grouped() ? vertex < combinations_.count_of_groups()
                        : !own_terms || (vertex & (vertex - 1)) == 0;
  }

  /// How far the fields of the combinations for checks are off what the groups add up to, in the
  /// size of what they add; one a check. `point` has been evaluated.
  Eval check_groups(const Point& point, std::vector<double>& off);
  /// Fields and rates at a point on the surfaces.
  Eval evaluate(double t, ConstVec y, Point& point);
  /// How fast a motion off the surfaces is drawn back to them, where nobody projects.
  double attraction = 0.0;
  /// As `evaluate`, with the combined field of a motion on all surfaces.
  Eval combine(double t, ConstVec y, Point& point);

  /// Takes the directions in which `project` and `displaced` move from the fields at a point:
  /// along the differences between the sides. They need no gradient, keep every linear invariant
  /// that both sides keep, and are never tangent to a surface that attracts.
  bool aim(const Point& point);
  /// The same from the gradients of the indicators, while no fields are known.
  Eval aim_by_gradient(double t, ConstVec y);
  /// The gradients of the surface functions, surface by surface, and their products, each component
  /// in the size of its unknown.
  Eval gradients(double t, ConstVec y, std::vector<double>& gradients, std::vector<double>& gram);
  /// Moves y onto the surfaces; `precision` is relative to the size of the unknowns.
  Eval project(double t, Vec y, double precision);
  /// As `displaced`, from the point of the surfaces nearest to y; y may be off them.
  std::vector<double> beside(double t, ConstVec y, const Combination& sides, double distance);
  /// A point beside y, which is on the surfaces: off each of them by `distance` times its scale, on
  /// these sides.
  std::vector<double> displaced(ConstVec y, const Combination& sides, double distance) const;
  /// Asks every configuration beside the surfaces, on its own side, from now on: where fields rest
  /// on a surface, as roots do that end there, nobody can tell there where they lead.
  void ask_beside() { aim_.one_sided.assign(slots_.size(), 1); }
  bool asks_beside() const;
  /// Where configuration `vertex` can be asked: y itself, or beside it.
  std::vector<double> where_to_ask(double t, ConstVec y, std::size_t vertex);
  /// Whoever drives the model keeps the motion near the surfaces, not on them.
  bool may_be_off = false;

  /// What `project` and `evaluate` remember from one call to the next, for saved states.
  struct Aim {
    std::vector<double> directions;  ///< surface by surface
    std::vector<double> slopes;      ///< how surface function i changes along direction j, by rows
    std::vector<char> one_sided;     ///< per configuration: evaluable on its own side only
    /// The surfaces that do not follow from those before them; the others are left alone.
    std::vector<std::size_t> basis = {};
  };
  /// Shares that the motion does not determine, see `Motion::given`.
  std::vector<double> given;
  const Aim& remembered_aim() const { return aim_; }
  void recall_aim(Aim aim) { aim_ = std::move(aim); }

 private:
  Eval field_of(std::size_t vertex, double t, ConstVec y, Vec f);
  Eval find_rates(double t, ConstVec y, Point& point);
  bool weigh_motion(const std::vector<double>& rates, Motion& motion) const;
  bool find_steps(std::vector<double>& values) const;
  void sort_by_slot();

  SidesEvaluation& sides_;
  std::vector<Surface> surfaces_;
  std::vector<Configurations::Slot> slots_;
  Combinations combinations_;
  std::vector<std::size_t> by_slot_;  // the surfaces, sorted by the configuration that is asked
  Aim aim_;
  std::vector<double> z_, beside_, values_;
};

}  // namespace saltus::sliding
