// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "saltus/core/configurations.hpp"
#include "saltus/core/model.hpp"

namespace saltus {

/// What sliding cost, over all configurations.
struct SlidingStats {
  std::size_t rhs_evaluations = 0;        ///< of the wrapped model, on and off surfaces
  std::size_t indicator_evaluations = 0;  ///< of the wrapped model
  std::size_t rate_evaluations = 0;       ///< of its `indicator_rates`
};

struct SlidingOptions {
  /// What to do where several surfaces meet and the Filippov field on them is not unique.
  enum class Selection {
    none,      ///< stop and say so
    bilinear,  ///< weigh the configurations by products of one weight a surface
  };
  Selection selection = Selection::none;
  /// Whether whoever integrates calls `project` on every stage and hands over events to rounding,
  /// as our integrators do. False makes the model fit for any importer of an FMU: its indicators
  /// are positive while they are valid and shifted by a hair, so that a visit on the near side or
  /// for nothing decides the same, and the motion is drawn back to its surface by itself.
  bool projecting_driver = true;
};

/// A configuration's part in the motion, and where it is to be asked for its variables: at the
/// point itself or, where its equations exist on its own side alone, a hair beside it.
struct WeightedConfiguration {
  Configurations::Slot slot = 0;
  double weight = 1.0;
  std::vector<double> y;
};

/// Inputs that move between events, for whoever needs the rate of a condition on them.
class InputMotion {
 public:
  virtual ~InputMotion() = default;
  /// A time in which they move by little; zero where they rest.
  virtual double stride() const = 0;
  /// Sets them to what they are `dt` from now, as far as can be seen; zero sets them back.
  virtual void move(double dt) = 0;
};

/// What a sliding model remembers besides the configurations: part of a saved FMU state.
struct SlidingMemory {
  std::vector<Configurations::Slot>
      slots;                           ///< of the configurations in use, the first one in force
  std::vector<std::uint64_t> numbers;  ///< counts and indices
  std::vector<double> values;
};

/// A model that slides: where both sides of a switching surface push towards it, the motion
/// continues on the surface.
///
/// It asks the wrapped model's configurations for the equations on both sides of a surface that the
/// motion reaches. Where the far side's field points on, the surface is crossed; where it points
/// back, the motion slides with Filippov's combination of both, which stays on the surface, until
/// one of the sides no longer pushes towards it. Where the motion could leave to either side, the
/// run stops with an `EventError` that says so: nothing is chosen silently.
///
/// While it slides, all other indicators of the wrapped model are watched; reaching another surface
/// it crosses it or slides on both. Its own indicators come after those of the wrapped model, two a
/// surface: one for leaving to each side. Events tell by `EventUpdate::sliding` what they changed.
///
/// A model that projects (a `ReducedModel` in its explicit form) keeps its constraints on and off
/// surfaces. On them each side is asked with algebraic unknowns of its own; those of y are the
/// sides' in the weights of the motion.
///
/// A field that exists on its own side only (the root of a distance) is never asked on the other.
class SlidingModel : public OdeModel,
                     public Consistency,
                     private Derivatives,
                     private EventHints,
                     private Diagnosis {
 public:
  /// `model` must be explicit and outlive this one. Where it offers no configurations, it is passed
  /// through as it is.
  explicit SlidingModel(Model& model, SlidingOptions options = {});
  ~SlidingModel() override;

  Shape shape() const override;
  void nominals(Vec y) const override;
  std::string unknown_name(std::size_t i) const override;
  std::string indicator_name(std::size_t i) const override;
  void initialize(const Experiment& experiment, Vec y) override;
  EventUpdate update_discrete_states(double t, Vec y) override;
  void enter_continuous_mode(double t, ConstVec y) override;
  void enter_event_mode(double t, ConstVec y) override;
  Eval derivatives(double t, ConstVec y, Vec yp) override;
  Eval indicators(double t, ConstVec y, Vec z) override;
  Eval make_consistent(double t, Vec y, Vec yp) override;
  bool projects() const override;
  Eval project(double t, Vec y) override;
  StepVerdict completed_step(double t, ConstVec y) override;
  void terminate() override;
  Capabilities capabilities() override;

  /// The configurations that make up the motion at (t, y); one of weight 1 in free motion.
  std::vector<WeightedConfiguration> weights(double t, ConstVec y);

  /// In free motion and beyond a surface, by rounding perhaps: the nearest point within, for
  /// equations that exist on their own side alone.
  std::optional<std::vector<double>> within_domains(double t, ConstVec y);

  /// Drops all configurations but the one in force; the motion is free.
  void forget_configurations();
  SlidingMemory memory() const;
  /// `slots` are those in which the configurations of the memory are now. Throws
  /// `std::invalid_argument` on a memory of another model.
  void recall(const SlidingMemory& memory);

  /// Something that the equations depend on is about to be set from outside: nothing computed
  /// before holds, and conditions may change without the motion's doing.
  void outdate();
  /// Whether that has happened since the phase began.
  bool is_outdated() const;
  /// Everything that was set has the value again that it had when the phase began, as after
  /// differences: the motion is to go on as if nobody had set it.
  void put_back();
  /// Inputs that whoever drives the model moves between events; they must outlive this one. Without
  /// them an input stands still between two calls of `outdate`.
  void follow(InputMotion& inputs);

  /// On how many surfaces the motion slides at present.
  std::size_t surfaces() const;
  const SlidingStats& stats() const;
  /// Why a surface that attracts was switched on instead of slid on, the last time that happened;
  /// empty: it did not. Each time is a warning of the run as well.
  const std::string& refusal() const;

 private:
  /// Those of the wrapped model in free motion, none while it slides.
  Linearization* linearization() override;
  ConstVec parts() const override;
  double next_kink(double t) const override;
  bool iterates_for_indicators() const override;
  IndicatorChange change(std::size_t indicator, bool was_positive) const override;
  /// Asks the wrapped model, and says why the motion does not slide, if that is what stopped it.
  void explain_failure(double t, ConstVec y) override;

  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace saltus
