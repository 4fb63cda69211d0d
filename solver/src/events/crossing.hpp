// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

#include "core/all_of.hpp"
#include "crossing_notes.hpp"
#include "domain_number.hpp"
#include "last_two.hpp"
#include "saltus/core/model.hpp"
#include "saltus/events/integrated_model.hpp"
#include "saltus/integrators/integrator.hpp"
#include "sampled_polynomial.hpp"

namespace saltus {

/// Finds the first change of domain inside a step.
///
/// An indicator's domain is `z > 0` or `z <= 0` (FMI 3.0, 3.1.1). Detection has two paths.
///
///  - The quick one evaluates the indicators at the end of the step and, where the step before does
///    not tell enough about how they bend, in the middle. If a parabola through three samples keeps
///    well away from zero, or crosses it just where the indicator does, so much was enough.
///  - The careful one adds two points. Each indicator gets a polynomial through its samples, all
///    minima of which are found with certainty; where one comes near to zero, one more sample
///    decides, and joins the polynomial if it was not what that said. A step that failed its error
///    test before always goes this way: what failed may have been a discontinuity.
///
/// A change that was found is established anew on the integrator's refined curve; one that this
/// does not show is none. Location then closes a bracket around the earliest change over all
/// indicators and returns its right end, so that the model is handed the far side. Where the
/// equations are not defined on the far side no step gets there: `search_beyond` looks for the
/// change a little beyond the end of a step.
///
/// Where the step is more accurate than its curve, the step is then taken again to end at the
/// event, and the event looked for once more on the curve of that.
///
/// The last digits are found on the tangent of the curve instead of on the curve: there the
/// distance to the surface is resolved to its own rounding, not to that of the state. Without it
/// each of many impacts would be late by up to one rounding of the step, always to the same side.
class CrossingLocator {
 public:
  CrossingLocator(Model& model, Integrator& integrator, const EventOptions& options);

  /// Takes the domains at (t, y) as those of the continuous phase that begins here, in which the
  /// model can that much.
  Eval begin(const Capabilities& can, double t, ConstVec y);
  /// A number that tells these domains from others.
  double configuration() const { return domains_.value(); }
  /// The phase goes on from (t, y), not from the end of the last step. Whether that lies in other
  /// domains than the phase; `changed()` then tells which.
  bool differs(double t, ConstVec y);

  enum class Found {
    nothing,
    crossing,  ///< `time()`, `unknowns()`, `changed()` describe it
    too_long,  ///< the step is no good, and to be taken again with `shorter_length()`: a stage of
               ///< it lies beyond a surface and the motion does not, or an indicator moves unseen
    not_evaluable,  ///< the indicators discard between `good_fraction()` and `bad_fraction()`
  };
  /// Searches the integrator's last step.
  Found search();
  /// After a search without result, looks beyond the end of the step, not beyond `barrier`.
  Found search_beyond(double barrier);
  /// After that found nothing: looks for a surface to which the motion comes to rest, where that
  /// can be told within `accuracy` of each unknown.
  Found search_rest(double barrier, ConstVec accuracy);
  /// Whether (t, y) is as near to a surface as the unknowns are rounded: no step would change y.
  /// The crossing found is then a point on the surface, some roundings beside y, at the same time.
  /// If y is on one already and yp leads away from it, out of the domain, it is a point beyond,
  /// along yp for a time of less than `longest`.
  bool search_rounding(double t, ConstVec y, ConstVec yp, double longest);
  /// Whether that is the crossing found last: between the end of the step and the event, the motion
  /// is the tangent at that end.
  bool comes_to_rest() const { return rests_; }
  /// After that found nothing: how long a step is to be taken so that the change to be expected
  /// lies just beyond its end; `kNever` where nothing points to one.
  double step_towards() const { return step_towards_; }

  Instant time() const { return event_time_; }
  ConstVec unknowns() const { return event_y_; }
  const std::vector<std::size_t>& changed() const { return changed_; }
  /// The domain of the phase that it belongs to.
  bool was_positive(std::size_t indicator) const { return side_[indicator] > 0.0; }
  /// Of a crossing in the first step of a phase: whether the indicators that have changed moved by
  /// no more than rounding in it.
  bool is_below_rounding();
  /// Of a crossing that is: whether it is still one a little later, where the indicators that have
  /// changed are clear of rounding. If others are beyond their domains there, it is a crossing of
  /// those; if none are, it is nothing, and the phase goes on from `good_fraction()`.
  Found reconsider();
  double shorter_length() const { return shorter_length_; }
  /// Of the next step, so that its samples tell how the indicators move.
  double longest_step() const { return longest_.smaller(); }
  double good_fraction() const { return good_fraction_; }
  double bad_fraction() const { return bad_fraction_; }
  CrossingStats stats;

 private:
  // A bracket this narrow is left to the tangent: what the curve bends inside it is far below
  // rounding. A motion on a surface is not followed along a tangent, so that it has to be narrower.
  static constexpr double kTangentWidth = 1e-11;
  static constexpr double kSurfaceWidth = 1e-12;
  // A polynomial goes through the ends of this many neighbouring intervals.
  static constexpr std::size_t kPiece = 4;
  static constexpr std::size_t kMostIntervals = 12;
  // An indicator may come this much faster than in the step before. At 1, what accelerates and is
  // back at the end of the step is passed over; larger ones look at more steps before an event.
  static constexpr double kFaster = 2.0;
  using Sample = crossing::Sample;
  using Interval = crossing::Interval;
  using End = crossing::End;
  using Block = crossing::Block;
  using PartChange = crossing::PartChange;
  using Unseen = crossing::Unseen;
  using Resting = crossing::Resting;
  using Concurrent = crossing::Concurrent;

  void read_shape(const Capabilities& can);
  void resize(const Shape& shape);
  Eval evaluate(double t, ConstVec y, double* z);
  Eval move_along(double fraction);
  Eval sample(const Sample& at);
  Eval sample_end();
  Eval sample_on_tangent(double fraction, const Sample& at);
  [[gnu::always_inline]] bool leaves(std::size_t i, double z) const {
    return (z > 0.0) != (side_[i] > 0.0);
  }
  bool any_leaves(const double* z) const {
    return indicators_ == 1 ? leaves(0, z[0]) : any_of_many_leaves(z);
  }
  bool any_of_many_leaves(const double* z) const;
  // Of what is being located: the indicators, and the part that is pursued.
  bool is_beyond(const double* z) const {
    return (pursued_ != 0 && leaves(pursued_, z[pursued_])) || any_leaves(z);
  }
  template <class Visit>
  void each_beyond(const double* z, Visit visit) const {
    const bool pursues = pursued_ != 0 && leaves(pursued_, z[pursued_]);
    if (pursues) {
      visit(pursued_);
    }
    for (std::size_t i = 0; i < indicators_; ++i) {
      if (leaves(i, z[i]) && !(pursues && i == pursued_for_)) {
        visit(i);
      }
    }
  }
  static std::uint32_t bit(std::size_t node) { return 1U << node; }
  bool knows(std::size_t node) const { return (known_ & bit(node)) != 0; }
  void know(std::size_t node) { known_ |= bit(node); }
  void note_changed(const double* z);
  void copy(const Sample& from, Sample& to) const;
  bool refine_curve();
  Found search_curve();

  // Detection: crossing.cpp, crossing_many.cpp, crossing_careful.cpp.
  void forget();
  bool keeps_its_course();
  bool leaves_at_end() const;
  bool keeps_away() const;
  // Where there was no step before, none has turned since; and a single one that is beyond at the
  // end does not turn before it.
  bool has_turned() const { return length_before_ > 0.0 && has_turned_since(); }
  bool has_turned_since() const;
  bool turns_before_end() {
    return !(indicators_ == 1 && leaves(0, nodes_[end_].z[0])) && some_turn_before_end();
  }
  bool some_turn_before_end();
  Found nothing();
  bool crosses_like_a_parabola();
  Found search_carefully();
  Found look_closely();
  void find_near_blocks(std::size_t last, double margin);
  void suspect(std::size_t first, std::size_t last, double margin);
  bool dips(std::size_t last);
  bool dips(std::size_t i, std::size_t first, std::size_t last, double& best);
  SampledPolynomial polynomial(std::size_t i, std::size_t first, std::size_t last) const;
  double first_guess(std::size_t last) const;

  // Short stays in the other domain: crossing_excursion.cpp, and in crossing_many.cpp `may_turn`.
  Interval interval(std::size_t k) const;
  PairMask may_turn(const Interval& at, std::size_t i, PairMask asked);
  bool none_may_turn(const Interval& at, std::size_t begin, std::size_t end) const;
  template <bool kBefore, bool kSlopes>
  bool none_turns(const Interval& at, std::size_t begin, std::size_t end) const;
  bool turns_between(std::size_t i, std::size_t k, double& best);
  bool turns_between(std::size_t i, End left, End right, double& best);
  static std::optional<double> meeting(const End& left, const End& right);
  static std::optional<double> minimum_of_cubic(const End& left, const End& right);
  bool turns_near(std::size_t i, double fraction);
  void go_before_turn(std::size_t i);
  // The same before an event: crossing_before_event.cpp.
  void find_ways_to_turn();
  void suspect_turned(std::size_t node);
  bool changes_before_event();
  bool knows_slopes(std::size_t node) const { return (slopes_known_ & bit(node)) != 0; }
  bool know_slopes(std::size_t node);
  bool is_left_over(std::size_t i) const {
    return std::find(left_over_.begin(), left_over_.end(), i) != left_over_.end();
  }
  bool sample_slopes(const Sample& at, double* slopes);

  // Comparisons behind the indicators: crossing_parts.cpp.
  enum class Seen { step_before, middle };
  bool parts_are_calm(Seen by) const { return parts_ == 0 || all_parts_are_calm(by); }
  bool all_parts_are_calm(Seen by) const;
  bool changes_between_parts(std::size_t last, double& best);
  bool is_seen_between(const PartChange& a, const PartChange& b, std::size_t last) const;
  bool changes_between(PartChange a, PartChange b, std::size_t last, double& best);
  void locate(double guess);
  bool one_condition_changes();
  std::size_t part_shown_by(std::size_t i) const;
  std::size_t part_that_changes() const;
  double part_guess() const;
  void pursue_part_of_event();

  // Of neighbouring indicators, at the last step.
  static constexpr std::size_t kBlock = 64;
  std::size_t end_of_block(std::size_t begin) const {
    return std::min(begin + kBlock, indicators_);
  }
  static Block summary(const double* from, const double* to, const double* side);

  // Stages beyond a surface: crossing_strayed.cpp.
  bool has_strayed();

  // Whether samples tell enough: crossing_resolution.cpp.
  void forget_lengths() {
    believed_ = {kNever, 0.0};
    longest_ = {kNever, kNever};
  }
  bool is_doubtful() const;
  bool is_unresolved();
  Unseen unseen(std::size_t i) const;
  bool shows_a_part(std::size_t i) const;
  double straight_part(std::size_t i, const End& from);

  // Beyond the end: crossing_beyond.cpp, crossing_rest.cpp.
  void expect(double barrier);
  void expect_rest();
  void put_at_rest(double rest, ConstVec reach);
  bool put_on_surface(std::size_t i, const std::vector<std::size_t>& placed, ConstVec reach);
  bool bring_to_zero(std::size_t i, std::size_t k, double reach);
  bool leaves_rest(double t, ConstVec y, ConstVec yp, double longest);
  bool leaves_at_once(double t, ConstVec y, double longest);
  std::size_t nearest_within_rounding(double t, ConstVec y);

  // On steps taken again: crossing_repeated.cpp.
  Found confirm();
  Found confirm_on_repeated(double trusted);
  Found place_on_constraints();
  enum class Side { found, earlier, later, not_evaluable };
  Side enclose(double fraction);
  Side enclose_later(double fraction);
  double secant_guess() const;

  // Location: crossing_location.cpp, crossing_together.cpp.
  double next_guess(const Sample& newest, const Sample& other, const Sample& former) const;
  double guess_of(std::size_t i, const Sample& newest, const Sample& other,
                  const Sample& former) const;
  bool shows_signs_only(const Sample& former) const;
  void close(double guess);
  bool hand_over(const Sample& a, const Sample& b, const Sample& c);
  void polish(double width);
  void step_beyond(double fraction);
  double clear_of_rounding(double fraction);
  void finish(double fraction, double offset);
  void stay_beyond(double fraction);
  bool has_fallen_to_zero(const double* z) const;
  void go_below_zero(double fraction);
  double rounding_of_all();
  void gather_simultaneous(double fraction);
  double gather_concurrent(double fraction);
  Concurrent last_concurrent();
  bool are_concurrent(const double* z, std::size_t count) const;
  void note_event();
  void move_to(double fraction, double offset);

  Model& model_;
  Consistency* consistency_ = nullptr;  // of the present phase
  const EventHints* hints_ = nullptr;
  Integrator& integrator_;
  EventOptions options_;
  std::size_t indicators_ = 0;
  std::size_t parts_ = 0;       // the model's hints, which follow the indicators in every sample,
  std::size_t watched_ = 0;     // all together
  bool constrained_ = false;    // the model has a surface to be on, in this phase
  bool projects_ = false;       // points on the curve are to be put there
  bool algebraic_ = false;      // some unknowns are
  bool looks_between_ = false;  // whether samples tell enough; not where looking costs a solution
  bool may_stay_at_zero_ = false;  // the model, where an indicator has fallen to zero
  // So near to each other, relative to the step and to their values, crossings are simultaneous.
  static constexpr double kSimultaneous = 8.0 * std::numeric_limits<double>::epsilon();
  static constexpr double kSimultaneousIfIterated = 64.0 * std::numeric_limits<double>::epsilon();
  double simultaneous_ = kSimultaneous;
  bool rests_ = false;
  double rounding_ = 0.0;  // of the indicators that have changed, where that was asked for
  bool refined_ = false;   // whether the curve of this step has been
  double least_width_ = kTangentWidth;
  std::size_t strayed_times_ = 0;  // in a row
  DomainNumber domains_;
  std::vector<double> side_;  // 1: the domain of the phase is z > 0; -1: it is z <= 0; of a part,
                              // that at the beginning of an interval
  std::vector<double> z_storage_;
  std::array<Sample, kMostIntervals + 1> nodes_;
  std::vector<double> slopes_;      // of the indicators at the nodes, as far as they were asked for
  std::uint32_t slopes_known_ = 0;  // at which of them, a bit each
  std::vector<double> inner_slopes_;  // at a point between nodes
  std::size_t end_ = 0;               // the last node
  std::uint32_t known_ = 0;           // which nodes of this step have been evaluated, a bit each
  std::uint32_t inside_ = 0;          // which of them are known to have left no domain
  LastTwo believed_{kNever, 0.0};     // of steps whose three samples tell enough, in this phase
  LastTwo longest_{kNever, kNever};   // of those in which they might
  double* z_before_ = nullptr;        // at the beginning of the step before
  double length_before_ = 0.0;        // of that step, if it is part of the phase
  std::vector<Block> blocks_;
  bool blocks_known_ = false;  // whether they are those of the last step
  std::vector<std::size_t> near_, suspects_;
  std::vector<double> ways_to_turn_;
  std::vector<PartChange> part_changes_;
  std::size_t pursued_ = 0;      // a part that is located instead of the indicator that changes
  std::size_t pursued_for_ = 0;  // with it; 0: none
  Sample left_, right_, middle_, spare_;
  Sample kept_left_, kept_right_;
  Sample probe_;         // what the quick path saw last
  bool probed_ = false;  // whether that is on the present curve
  double guess_ = 0.0;
  std::vector<double> y_storage_, bend_;
  Vec y_, slope_, event_y_;  // in the storage
  std::vector<std::size_t> changed_, unmoved_;
  std::vector<std::size_t> left_over_;  // those that had changed where the phase begins
  std::vector<Concurrent> concurrent_;
  std::vector<Resting> resting_;
  Instant event_time_;
  double event_fraction_ = 0.0;
  double shorter_length_ = 0.0;
  double good_fraction_ = 0.0;
  double bad_fraction_ = 0.0;
  double expected_after_ = kNever;
  double step_towards_ = kNever;
};

}  // namespace saltus
