// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstddef>
#include <memory>
#include <string>

#include "saltus/model.hpp"

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
};

/// A model that slides: where both sides of a switching surface push towards it, the motion
/// continues on the surface.
class SlidingModel : public OdeModel {
 public:
  /// `model` must be explicit and outlive this one. Where it offers no `sides()`, it is passed
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
  bool projects() const override;
  Eval project(double t, Vec y) override;
  StepVerdict completed_step(double t, ConstVec y) override;
  void terminate() override;

  /// On how many surfaces the motion slides at present.
  std::size_t surfaces() const;
  const SlidingStats& stats() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace saltus
