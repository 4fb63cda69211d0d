// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <functional>
#include <vector>

#include "control/sensitivity/near_events.hpp"
#include "control/sensitivity/start_sides.hpp"
#include "control/sensitivity/touch_watch.hpp"
#include "recorded_run.hpp"
#include "saltus/core/described_model.hpp"
#include "saltus/core/model_decorator.hpp"

namespace saltus {

/// Keeps of a run what is needed to go back along it: the points that steps have led to, the
/// configurations, and of each event how its time and what it assigns depend on everything before.
/// It changes nothing. Where derivatives do not exist, or cannot be had, it notes why and keeps
/// nothing more.
class RunRecorder final : public EventDecorator {
 public:
  /// `is_implicit` tells whether the last step was one of an implicit method.
  RunRecorder(modeling::DescribedModel& model, std::function<bool()> is_implicit);

  void initialize(const Experiment& experiment, Vec y) override;
  EventUpdate update_discrete_states(double t, Vec y) override;
  void enter_continuous_mode(double t, ConstVec y) override;
  void enter_event_mode(double t, ConstVec y) override;
  StepVerdict completed_step(double t, ConstVec y) override;
  Capabilities capabilities() override;
  Eval make_consistent(double t, Vec y, Vec yp) override;

  /// By what the run will be differentiated, as positions of variables, before it: what depends on
  /// other parameters alone does not matter.
  void ask_for(const std::vector<std::size_t>& parameters);
  /// After the run.
  void check_end();
  const RecordedRun& run() const { return run_; }

 private:
  void lose(double t, const std::string& subject, const std::string& why);
  std::string conditions() const;
  void add_point(double t, ConstVec y);
  Pullback* pullback() const;
  Direction none(std::size_t unknowns) const;
  std::vector<std::size_t> changed_indicators(double t, ConstVec y);
  void find_moved(double t, ConstVec y, RecordedRun::Event& event);
  void check_last(double t, ConstVec y, const RecordedRun::Event& event);
  bool differ(const Direction& one, const Direction& other, ConstVec y) const;
  bool find_moved_by(double t, ConstVec y, std::size_t indicator, ConstVec slope, Direction& moved);
  Direction find_clock(double t, ConstVec y);
  Direction find_crossing(double t, ConstVec y, RecordedRun::Event& event);
  bool matters(std::size_t number) const;

  modeling::DescribedModel& model_;
  std::function<bool()> is_implicit_;
  modeling::TouchWatch watch_;
  modeling::NearEvents near_;
  modeling::StartSides sides_;
  Experiment experiment_;
  RecordedRun run_;
  std::vector<char> asked_;           // for each variable; empty: for all
  std::vector<std::size_t> changed_;  // indicators, at the present event
  std::vector<char> side_;            // of the indicators when the phase began
  bool begins_ = false;               // a phase, whose first point is not known yet
};

}  // namespace saltus
