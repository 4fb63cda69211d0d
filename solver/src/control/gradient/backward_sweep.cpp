// SPDX-License-Identifier: BSD-2-Clause
#include "backward_sweep.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "collocated_models.hpp"
#include "saltus/core/number_text.hpp"
#include "saltus/gradient.hpp"

namespace saltus {

using modeling::Variable;

namespace {

double product(ConstVec a, ConstVec b) {
  return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
}
void add(std::vector<double>& to, double factor,
         const std::vector<RecordedRun::Sparse::Entry>& from) {
  for (const auto& [place, value] : from) to[place] += factor * value;
}

constexpr const char* kNotAgain =
    "takes a step that cannot be gone through again (a smaller tolerance may help; "
    "`.sensitivities` goes forwards)";

constexpr const char* kNotFinite =
    "takes a step that has no finite derivatives (a root or a power of zero, a division by zero)";

}  // namespace

BackwardSweep::BackwardSweep(modeling::DescribedModel& model, const RecordedRun& run,
                             double tolerance, std::vector<std::size_t> parameters)
    : model_(model), run_(run), parameters_(std::move(parameters)), scale_{tolerance, {}} {
  scale_.nominals.resize(model_.shape().unknowns());
  model_.nominals(scale_.nominals);
}

void BackwardSweep::fail(double t, const std::string& why) const {
  throw GradientError(
      t, model_.name(),
      "there is no gradient: at t = " + number_text(t) + " " + model_.name() + " " + why);
}

Direction BackwardSweep::of(std::size_t variable) {
  gradient_ = {.time = 0.0,
               .unknowns = std::vector<double>(model_.shape().unknowns(), 0.0),
               .numbers = std::vector<double>(model_.variables().size(), 0.0)};
  carried_ = 0.0;
  begin(variable);
  for (std::size_t k = run_.events.size(); k-- > 0;) {
    if (k < run_.phases.size()) pull_phase(run_.phases[k]);
    pull_event(run_.events[k], k >= run_.phases.size());
  }
  return std::move(gradient_);
}

// The end of the run, where the model rests.
void BackwardSweep::begin(std::size_t variable) {
  const bool is_ended = run_.events.back().ends_run;
  const std::size_t n = gradient_.unknowns.size();
  const double t = is_ended ? run_.events.back().time : run_.phases.back().times.back();
  const ConstVec y = is_ended ? ConstVec(run_.end) : ConstVec(run_.phases.back().points).last(n);
  const Variable& v = model_.variables()[variable];
  if (v.role == Variable::Role::state || v.role == Variable::Role::algebraic) {
    gradient_
        .unknowns[v.role == Variable::Role::state ? v.index : model_.shape().states + v.index] =
        1.0;
  } else if (model_.capabilities().directional->pullback()->pull_variable(
                 t, y, variable, gradient_) == Eval::discard) {
    fail(t, "has no derivatives of \"" + v.name + "\" that are finite");
  }
  // Where the end moves, so does the time at which the number is taken.
  gradient_.time = is_ended ? gradient_.time : 0.0;
}

void BackwardSweep::pull_phase(const RecordedRun::Phase& phase) {
  if (phase.times.size() < 2) return;
  model_.restore(phase.saved);
  const std::size_t n = phase.points.size() / phase.times.size();
  gradient_.unknowns.resize(n);
  scale_.nominals.resize(n);
  model_.nominals(scale_.nominals);
  ImplicitEquations equations(model_, parameters_);
  const ConstVec points(phase.points);
  if (!model_.is_explicit() && !equations.begin(phase.times.front(), points.first(n))) {
    fail(phase.times.front(), kNotAgain);
  }
  for (std::size_t step = phase.times.size() - 1; step-- > 0;) {
    // Two on each side.
    const std::size_t first = step - std::min<std::size_t>(step, 2);
    const std::size_t count = std::min(phase.times.size(), step + 4) - first;
    const Interval interval{.begin = phase.times[step],
                            .end = phase.times[step + 1],
                            .from = points.subspan(step * n, n),
                            .to = points.subspan((step + 1) * n, n),
                            .times = ConstVec(phase.times).subspan(first, count),
                            .points = points.subspan(first * n, count * n)};
    const Replayed how = model_.is_explicit() ? pull_explicit(interval, phase.implicit[step] != 0)
                                              : collocation_.pull(equations, interval, gradient_);
    if (how != Replayed::done) {
      fail(interval.begin, how == Replayed::elsewhere ? kNotAgain : kNotFinite);
    }
  }
}

Replayed BackwardSweep::pull_explicit(const Interval& interval, bool implicit) {
  Pullback& back = *model_.capabilities().directional->pullback();
  ExplicitEquations equations(model_, back);
  if (implicit) {
    const Direction before = gradient_;
    if (collocation_.pull(equations, interval, gradient_) == Replayed::done) return Replayed::done;
    gradient_ = before;
  }
  return ExplicitReplay(model_, back, scale_).pull(interval, gradient_);
}

// See `SensitivityModel`: forwards, the unknowns after the event are those that its bodies leave,
// at an instant that moves, less what the motion does on the way from there; before the event they
// move with that instant; and the instant moves with the unknowns before and with numbers.
void BackwardSweep::pull_event(const RecordedRun::Event& event, bool is_last) {
  if (!is_last) {
    gradient_.time =
        event.slope_after.empty() ? 0.0 : carried_ - product(gradient_.unknowns, event.slope_after);
  }
  for (std::size_t k = event.bodies.size(); k-- > 0;) event.bodies[k]->pull(gradient_);
  double by_time = std::exchange(gradient_.time, 0.0);
  carried_ = 0.0;
  if (event.slope_before.empty()) return;  // the start, whose time is given
  by_time += product(gradient_.unknowns, event.slope_before);
  if (event.follows) {
    carried_ = by_time;
  } else {
    add(gradient_.unknowns, by_time, event.moved.unknowns);
    add(gradient_.numbers, by_time, event.moved.numbers);
  }
}

}  // namespace saltus
