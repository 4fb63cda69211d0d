// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <vector>

#include "grouped_motions.hpp"
#include "parts_on_surfaces.hpp"
#include "saltus/switching/sliding_model.hpp"
#include "sides_evaluation.hpp"
#include "surfaces.hpp"
#include "visits.hpp"

namespace saltus {

/// Two evaluations of one field at one point differ by less, relative to its size.
inline constexpr double kSameField = 1e-9;

/// Everything about a sliding model. Of its files sliding_model.cpp forwards, sliding_motion.cpp
/// moves between events, sliding_events.cpp asks and sliding_decisions.cpp decides at events.
struct SlidingModel::State {
  State(Model& m, const SlidingOptions& o);

  Model& model;
  EventHints* hints;  // the model's, if it gives any
  SlidingOptions options;
  SlidingStats stats;
  std::optional<sliding::SidesEvaluation> sides;     // none: the model is passed through
  std::optional<sliding::PartsOnSurfaces> parts_on;  // there where `sides` are
  std::size_t indicators = 0;                        // of the wrapped model
  std::size_t most_surfaces = 0;                     // on which the motion can slide at a time
  std::size_t exit_pairs = 0;                        // pairs of further indicators, for their exits
  std::vector<char> switches;                        // per indicator: may it switch the equations?
  Experiment experiment;
  double tolerance = 1e-6, stop = kNever;  // of the run
  // For drivers that do not project: how far indicators and exits are shifted.
  std::vector<double> shifts;       // per indicator
  std::vector<double> part_shifts;  // per comparison that a condition is made of
  std::vector<double> shifted_by;   // per indicator, where `sliding_indicators` were last asked
  double exit_shift = 0.0;

  // Between events.
  std::optional<sliding::SurfaceSet> on;  // the surfaces slid on, none of them in free motion
  std::array<sliding::Point, 2> points;   // the last two motions computed
  sliding::Point observed;                // the last one that an observer asked for
  std::vector<std::size_t> slid_on;       // indicators of the surfaces when the phase began
  std::size_t newest_point = 0;
  sliding::Point look;        // the last indicators of the wrapped model, in free motion
  std::vector<double> parts;  // of the conditions, where indicators were last asked
  // Configuration by configuration: z > 0 when the phase began; empty where nobody knows yet.
  std::vector<char> domains;
  bool same_indicators = true;  // in all configurations
  // Whether something was set from outside since the phase began: an indicator that has changed its
  // domain need not have done so by the motion.
  bool was_set = false;
  /// A surface just left is still as near as rounding: its domain is held until the motion is clear
  /// of it.
  struct Hold {
    std::size_t indicator;
    double shift;
  };
  std::vector<Hold> holds;
  sliding::Combination left_to;      // of the surfaces in `meeting`: the sides they were left to
  std::vector<std::size_t> on_bits;  // likewise: which ones are slid on

  // At an event.
  enum class Stage { quiet, settling, probing, leaving, surrounding };
  Stage stage = Stage::quiet;
  bool initial = false;
  bool in_phase = false;                   // nobody is at an event
  bool in_event_mode = false;              // the wrapped model, in free motion
  bool only_entered = false;               // the event has begun, and nothing was updated yet
  double asked_t = 0.0;                    // where the last update left the motion
  std::vector<double> asked_y;             // likewise; empty before the first one of an event
  bool domains_are_old = false;            // those of a phase before the last update
  std::vector<char> was_positive;          // per indicator: z > 0 before the event
  std::vector<std::size_t> fired;          // indicators that changed their domain and may switch
  std::vector<sliding::Surface> ahead;     // what has fired where the configurations were shown it
  std::vector<Configurations::Slot> kept;  // the configurations before the event
  bool warned_of_jumps = false;
  std::vector<Configurations::Slot> earlier;  // in force before points beside surfaces were shown
  std::optional<Configurations::Slot> unprobed;  // likewise, by a probe
  bool others_are_shown = false;  // the last probe has decided conditions that it was not about
  std::vector<char> exits;        // per surface: bit 0 to its negative, bit 1 to its positive side
  sliding::Visits visits;
  std::vector<std::vector<double>> shown_at;   // what each visit began with
  std::optional<sliding::SurfaceSet> meeting;  // the surfaces about which is decided
  std::optional<sliding::SurfaceSet> beyond;   // the surfaces beyond which somebody looks
  /// How far beside a surface a configuration is shown its own side, in the surface's scale.
  static constexpr double kShown = 1e-12;
  /// Noise is hardly seen over so many times its size.
  static constexpr double kAboveNoise = 50.0;
  double least_shown() const { return kShown + kAboveNoise * sides->noise(); }
  double shown = kShown;  // at the last probe
  /// How exactly a motion leaves a surface, in the size of the unknowns.
  static constexpr double kLeaving = 1e-12;
  /// What lies off a surface by no more, in its scale, is on it for all that events decide.
  double still_on() const {
    return std::max(options.projecting_driver ? 1e-9 : 1e-3, kAboveNoise * sides->noise());
  }
  // A motion may leave a surface to the side on which, within the tolerance, it is not.
  double held_at_most() const { return std::max(still_on(), tolerance); }
  double next_event_time = kNever;
  std::string refusal;
  double refused_at = -kNever;
  static constexpr double kJustNow = 1e-9;  // in the length of the run
  int passes = 0;                           // of the event, while the configurations settle
  // Of the indicators that switch no equations, where others may say what they count as: whether
  // each was positive when that was last decided, and what is imposed during this event.
  bool imposes = false;
  bool conditions_wait = false;
  std::vector<char> conditions;
  std::vector<Configurations::Imposed> imposed;
  // Conditions that are zero wherever the motion slides: what they are, and within what distance.
  struct OnSurfaces {
    std::size_t indicator;
    bool holds;
    double within;
  };
  std::vector<OnSurfaces> on_surfaces;
  std::vector<std::size_t> conditions_found_for;  // the indicators of those surfaces
  std::vector<double> condition_scales;           // of all indicators, when that was found
  bool checks_pairs = false;                      // of surfaces that meet in groups
  bool regroups = false;  // the groups of the surfaces slid on are no longer right
  // How the motion goes on, while configurations for it are made.
  struct Adopted {
    std::size_t before = 0;  // surfaces slid on before the event
    std::vector<sliding::Surface> surfaces;
    std::vector<std::size_t> bits;  // which of those in `meeting` they are
    sliding::Combination fixed;     // of those in `meeting`: the sides to which they are left
    std::vector<double> given;
    std::vector<Configurations::Slot> slots;
    sliding::Combinations combinations;
    bool settles = false, is_off = false;  // they then decide again; far from what is left
  };
  std::optional<Adopted> adopted;
  sliding::Combination own_sides;     // where the configuration in force was when probed
  std::vector<std::size_t> left_out;  // indicators that vanish at this event and switch nothing

  double relative_shift() const { return std::clamp(0.1 * tolerance, 1e-12, 1e-11); }
  bool is_shifted(std::size_t indicator) const {
    return !shifts.empty() && shifts[indicator] > 0.0;
  }
  /// Whoever drives the model does not keep it on its constraints.
  bool restores_constraints() const { return !options.projecting_driver && model.projects(); }
  bool free() const { return on->size() == 0; }
  Configurations::Slot slot() const { return on->slots().front(); }

  // sliding_motion.cpp
  const sliding::Point* motion_at(double t, ConstVec y);
  Eval own_indicators(double t, ConstVec y, Vec z);
  Eval free_indicators(double t, ConstVec y, Vec z);
  Eval sliding_indicators(double t, ConstVec y, Vec z);
  Eval indicators_at_event(double t, ConstVec y, Vec z);
  void begin_phase(double t, ConstVec y);
  void read_domains(double t, ConstVec y);
  void need_domains(double t, ConstVec y);
  std::array<double, 2> exit_values(const sliding::Point& point, std::size_t j) const;
  double clearance(std::size_t surface, double value) const;
  void freeze(double t, ConstVec y);
  void measure_shifts(double t, ConstVec y);
  double shift_of(std::size_t indicator, double value) const;
  std::vector<double> part_scales(double t, ConstVec y);
  void read_parts();
  Eval project_with_constraints(double t, Vec y, double precision);
  Eval field_beside_left(double t, ConstVec y, Vec yp);
  std::optional<std::vector<double>> within_domains(double t, ConstVec y);
  Eval field_within_domains(double t, ConstVec y, Vec yp);
  const sliding::Point* motion_for_driver(double t, ConstVec y);

  // sliding_events.cpp and sliding_probes.cpp
  void note_sides(double t, ConstVec y);
  void begin_event(double t, ConstVec y);
  bool put_onto_surfaces(double t, Vec y);
  void begin_event_on_surfaces(double t, ConstVec y);
  bool is_off_surfaces(double t, ConstVec y);
  bool is_in_noise(double t, ConstVec y, std::size_t indicator, double z);
  bool is_answered(double t, ConstVec y) const;
  void begin_again(double t, ConstVec y);
  void settle_again(double t, ConstVec y);
  bool is_at_surface(Configurations::Slot slot, double t, ConstVec y, std::size_t indicator);
  void keep_those_reached(std::vector<std::size_t>& suspects, double t, ConstVec y);
  void begin_free_event(double t, ConstVec y);
  EventUpdate update(double t, Vec y);
  EventUpdate pass(double t, Vec y);
  void show_own_sides(double t, ConstVec y);
  void find_those_ahead(double t, ConstVec y);
  std::vector<std::size_t> aim_beyond(double t, ConstVec y);
  std::vector<double> own_side(ConstVec y, std::size_t v,
                               const std::vector<std::size_t>& places) const;
  bool leave_what_has_moved(double t, Vec y, EventUpdate& update);
  void probe_around(double t, ConstVec y, std::vector<sliding::Surface> reached);
  void remember_motion(double t, ConstVec y, const std::vector<Configurations::Slot>& slots);
  void after_settling(double t, Vec y, EventUpdate& update);
  void suspect_crossing(double t, Vec y, EventUpdate& update);
  void look_around_start(double t, Vec y, EventUpdate& update);
  void jump_with_heaviest(Vec y) const;
  void meet_while_sliding(double t, Vec y, EventUpdate& update);
  void probe(double t, ConstVec y, sliding::Combination known_sides);
  void after_probing(double t, Vec y, EventUpdate& update);

  // sliding_conditions.cpp
  void keep_conditions();
  bool read_conditions(double t, ConstVec y, std::vector<char>& positive);
  void impose_conditions(double t, ConstVec y);
  void let_conditions_wait(const std::vector<char>& before);
  void conclude(double t, ConstVec y, EventUpdate& update);
  Eval mix_conditions(double t, ConstVec y, Vec z);
  // conditions_on_surfaces.cpp, conditions_beside_switches.cpp
  void find_conditions_on_surfaces(double t, ConstVec y);
  void find_condition_on_surfaces(Configurations::Slot where, double t, ConstVec y,
                                  std::size_t indicator,
                                  const std::vector<std::vector<double>>& normals);
  bool is_condition_near_zero(std::size_t indicator, double z, double near) const;
  bool is_any_condition_near_zero(ConstVec z) const;
  bool is_on_surfaces(std::size_t indicator) const;
  bool are_found_for_these() const;
  void forget_parts_found();
  void look_again_for_conditions(double t, ConstVec y);
  std::vector<std::vector<double>> normals_of(const sliding::SurfaceSet& set, double t, ConstVec y);
  void show_at_zero(Vec z) const;
  void follow_what_switches(double t, ConstVec y, ConstVec own, Vec z);
  // holds.cpp
  void apply_holds(Vec z) const;
  void forget_holds();
  void keep_holds_of_conditions();
  void clear_holds();
  void leave_parts(double t, ConstVec y);
  std::vector<double> field_of_motion(double t, ConstVec y);
  void hold_beyond(double t, ConstVec y);
  std::vector<double> rates_of_motion(double t, ConstVec y);
  void release_holds(ConstVec z);
  void release_holds_after_step(double t, ConstVec y);
  void release_holds_at(double t, ConstVec y);
  void release_holds_not_met(double t, ConstVec y);
  // joined_conditions.cpp
  std::vector<char> is_joined;  // per indicator: whether it joins comparisons with && or ||
  bool any_joined = false;
  void find_joined_conditions();
  Eval indicators_of_side(std::size_t v, double t, ConstVec y, Vec z);
  struct Follows {
    bool sometimes = false, always = false;
    double sign = 1.0;
  };
  Follows follows(std::size_t i, std::size_t j, double t, ConstVec y);
  bool settle_joined_conditions(double t, ConstVec y);
  // sliding_by_value.cpp
  bool slides_by_value() const;
  void go_on_beside(double t, ConstVec y);
  struct Before {
    Configurations::Slot slot;
    std::vector<double> y;
  };
  bool alternates(double t, Vec y, const Before& pass, EventUpdate& update);

  // dependent_surfaces.cpp
  bool takes_sides = false;  // the model lets others say on which side a configuration is
  bool takes_over = false;   // the model lets a configuration have decisions of another one
  /// What is this near to zero, in its scale, is zero as far as a motion on surfaces can tell.
  static constexpr double kVanishes = 1e-12;
  struct Dependence {
    bool hides_sides = false;  // not all combinations of sides exist near the point
    std::vector<double> gram;  // of surfaces that stay together, products of their gradients
  };
  Dependence dependence(double t, ConstVec y);
  void join_what_follows(double t, ConstVec y);
  void surround_with_one_more(const std::vector<Configurations::Slot>& slots,
                              const sliding::Combinations& known);
  bool take_sides(Configurations::Slot slot, const sliding::Combination& own);
  bool take_sides();
  // black_box.cpp
  std::optional<double> distance_to_show(Configurations::Slot slot, double t, ConstVec y,
                                         const std::vector<sliding::Surface>& surfaces);
  [[noreturn]] void too_noisy(double t, const sliding::Surface& surface) const;
  bool orient(double t, ConstVec y);
  bool orient_reached(double t, ConstVec y, Configurations::Slot came_from);

  // sliding_decisions.cpp
  bool is_closed(double t, ConstVec y);
  void decide(double t, Vec y, bool arrived, EventUpdate& update);
  static bool stays_where_it_exits(const sliding::Motion& motion, std::span<const char> located);
  std::vector<sliding::Side> sides_left(std::size_t surfaces) const;
  sliding::Motion crossing() const;
  bool stays_on(const sliding::Motion& motion, const sliding::Point& point) const;
  void cross(double t, Vec y, EventUpdate& update);
  bool returns(const sliding::Motion& motion, std::span<const double> values) const;
  bool have_own_terms(const sliding::Point& point, std::size_t surfaces) const;
  bool leave_out_what_does_not_switch(const sliding::Point& point);
  void refuse(double t, std::size_t indicator, const std::string& why);
  void adopt(double t, Vec y, const sliding::Motion& motion, bool arrived, EventUpdate& update);
  void go_on_with(double t, Vec y, Adopted next, EventUpdate& update);
  void check_unique(const sliding::Point& point, double t) const;
  sliding::Surface surface_of(Configurations::Slot slot, double t, ConstVec y,
                              std::size_t indicator);
  // sliding_groups.cpp
  void surround_by_one_more(std::vector<sliding::Surface> surfaces, bool came_from_positive);
  void probe_groups(double t, ConstVec y, Configurations::Slot from,
                    std::vector<std::vector<std::size_t>> groups);
  bool are_groups_right(const sliding::Point& point);
  bool have_right_groups(double t, ConstVec y, const sliding::Point& point);
  bool leave_out_of_groups(double t, ConstVec y, const sliding::Point& point, EventUpdate& update);
  void decide_in_groups(double t, Vec y, bool arrived, EventUpdate& update);
  sliding::Motion coupled_motion(double t, const sliding::CoupledSurfaces& coupled,
                                 const sliding::Point& point, std::span<const double> gram,
                                 bool arrived);
  bool surround(double t, ConstVec y, Adopted& next);
  void after_surrounding(double t, Vec y, EventUpdate& update);
  // coincident_conditions.cpp
  std::vector<double> normal_of(Configurations::Slot slot, double t, ConstVec y,
                                std::size_t indicator);
  double own_rate_of(Configurations::Slot slot, double t, ConstVec y, std::size_t indicator);
  bool is_among(const sliding::SurfaceSet& set, Configurations::Slot slot, double t, ConstVec y,
                std::size_t indicator);
  void note_normals(double t, ConstVec y);
  void rename(sliding::Surface& surface, std::size_t indicator, std::vector<double> normal) const;
  struct IndicatorsBySlot {
    std::span<const Configurations::Slot> slots;
    std::vector<std::vector<double>> z;       // slot by slot, empty where there is no answer
    std::vector<std::vector<double>> scales;  // likewise, empty where nobody has asked yet
  };
  bool find_evaluating_configuration(sliding::Surface& surface, std::size_t indicator,
                                     IndicatorsBySlot& known, double t, ConstVec y);
  void choose_evaluating_configurations(std::vector<sliding::Surface>& surfaces,
                                        std::span<const Configurations::Slot> slots, double t,
                                        ConstVec y);
  void find_nested_coincident(double t, ConstVec y);
  void check_coincident(double t, ConstVec y);
  std::vector<sliding::Surface> distinct(std::span<const Configurations::Slot> slots, double t,
                                         ConstVec y, const std::vector<std::size_t>& found);
  void forget_kept();
  bool grazes(const sliding::Point& point) const;
  bool stands_still_on(std::size_t surface, double rate) const;
  bool rests(const sliding::Point& point) const;
  bool look_beside(double t, ConstVec y, sliding::Point& point);
  void warn_of_different_jumps(double t);
  void forget_earlier();
  void keep_decisions(double t, ConstVec y);
  bool moves_others(double t, ConstVec y, ConstVec shown_y);
  bool shows_other_sides(double t, ConstVec y);
  bool decide_or_leave_to_motion(double t, Vec y, EventUpdate& update);
  [[noreturn]] void cannot_tell(double t, const std::vector<sliding::Surface>& where,
                                const std::string& why) const;
  [[noreturn]] void not_unique(double t, const std::vector<sliding::Surface>& where,
                               const std::string& why) const;
};

}  // namespace saltus
