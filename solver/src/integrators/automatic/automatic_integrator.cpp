// SPDX-License-Identifier: BSD-2-Clause
#include "saltus/integrators/automatic_integrator.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <utility>
#include <vector>

#include "integrators/integrator_options.hpp"
#include "integrators/step_memory.hpp"
#include "integrators/total_stats.hpp"
#include "limits.hpp"
#include "method_watch.hpp"
#include "saltus/core/error.hpp"
#include "saltus/core/variations.hpp"
#include "saltus/integrators/dormand_prince.hpp"
#include "saltus/integrators/radau.hpp"

namespace saltus {

struct AutomaticIntegrator::State {
  State(Model& m, const IntegratorOptions& o, IntegratorMaker maker, IntegratorStats& counts)
      : model(m), stats(counts), options(o), make_bdf(std::move(maker)) {}

  Model& model;
  IntegratorStats& stats;
  IntegratorOptions options;
  IntegratorMaker make_bdf;
  std::unique_ptr<DormandPrince> dormand_prince;
  std::unique_ptr<Adams> adams;
  std::unique_ptr<Radau> radau;
  std::unique_ptr<Integrator> bdf;
  Integrator* active = nullptr;
  Method method = Method::automatic;
  // The change that is due with the next step or restart.
  std::optional<Method> next;
  std::string why_next;
  double first_step = 0.0;
  std::size_t phases = 0;
  bool is_dear = false;

  MethodWatch watch;
  std::size_t watching = 0;  // evaluations
  std::vector<MethodChoice> choices;
  // Where a step of an implicit method begins, for the case that it fails.
  std::vector<double> y, yp, sizes;
  // The point of the last restart, as long as no step was taken from it.
  bool at_restart = false;
  Instant restarted;
  std::vector<double> restarted_y, restarted_yp;

  Integrator& integrator_of(Method wanted);
  void activate(Method wanted, double t, std::string why);
  void begin(double t);
  void change(Instant t, bool because_of_failure = false);
  bool is_explicit() const { return model.is_explicit() && model.shape().algebraics == 0; }
  StepHistory* history() { return active != nullptr ? active->history() : nullptr; }
  void consider_change();
  Method implicit_method() const;
  bool may_use(Method wanted) const;
  std::array<Integrator*, 4> parts() const {
    return {dormand_prince.get(), adams.get(), radau.get(), bdf.get()};
  }
  void reread_nominals();
  void read_sizes();
  void tally();
};

Integrator& AutomaticIntegrator::State::integrator_of(Method wanted) {
  if (wanted == Method::dormand_prince) {
    if (!dormand_prince) dormand_prince = std::make_unique<DormandPrince>(model, options);
    return *dormand_prince;
  }
  if (wanted == Method::adams) {
    if (!adams) adams = std::make_unique<Adams>(model, options);
    return *adams;
  }
  if (wanted == Method::bdf) {
    if (!bdf) bdf = make_bdf(model, options);
    return *bdf;
  }
  if (!radau) radau = std::make_unique<Radau>(model, options);
  return *radau;
}

void AutomaticIntegrator::State::activate(Method wanted, double t, std::string why) {
  active = &integrator_of(wanted);
  method = wanted;
  next.reset();
  choices.push_back({.time = t, .method = wanted, .why = std::move(why)});
  if (wanted == Method::adams) {
    watch.adams_begins(t, active->stats());
  } else if (wanted != Method::dormand_prince) {
    watch.implicit_begins(t, active->stats(), first_step);
  }
}

void AutomaticIntegrator::State::begin(double t) {
  if (active == nullptr) {
    is_dear = model.capabilities().is_dear;
    MethodChoice choice = choose_method(model, make_bdf != nullptr);
    activate(choice.method, t, std::move(choice.why));
  }
}

// Restarts the one that takes over at the point (t, y), with the step that is known to suit it.
void AutomaticIntegrator::State::change(Instant t, bool because_of_failure) {
  if (*next == Method::dormand_prince) {
    if (method != Method::adams) watch.explicit_begins(because_of_failure);
    watch.explicit_begins_anew(t.time, integrator_of(*next).stats());
  }
  activate(*next, t.time, why_next);
  active->restart(t, y, yp);
  active->propose_step(first_step);
}

Method AutomaticIntegrator::State::implicit_method() const {
  const bool events_are_rare = stats.steps >= kRareEvents * (phases - 1);
  // Radau alone solves for variations with the factors of the equations.
  const bool suits_bdf = make_bdf && variations_of(model) == nullptr;
  return suits_bdf && model.shape().unknowns() >= kManyUnknowns && events_are_rare ? Method::bdf
                                                                                   : Method::radau;
}

// Saved bytes may be anybody's.
bool AutomaticIntegrator::State::may_use(Method wanted) const {
  const bool suits_explicit = wanted == Method::dormand_prince || wanted == Method::adams;
  return wanted == Method::radau || (suits_explicit && is_explicit()) ||
         (wanted == Method::bdf && make_bdf);
}

void AutomaticIntegrator::State::read_sizes() {
  sizes.resize(model.shape().unknowns());
  model.nominals(sizes);
  y.resize(sizes.size());
  yp.resize(sizes.size());
  active->interpolate(1.0, y);
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    sizes[i] = std::fabs(y[i]) + 0.01 * (std::isfinite(sizes[i]) ? sizes[i] : 1.0);
  }
}

void AutomaticIntegrator::State::reread_nominals() {
  for (Integrator* part : parts()) {
    if (part != nullptr) part->reread_nominals();
  }
}

void AutomaticIntegrator::State::consider_change() {
  if (method == Method::dormand_prince) {
    if (watch.is_stiff(*dormand_prince, variations_of(model) != nullptr)) {
      next = implicit_method();
      why_next = watch.why() + "; " + std::to_string(model.shape().unknowns()) + " unknowns, " +
                 std::to_string(phases - 1) + " events so far";
      first_step = dormand_prince->planned_step();
    } else if (is_dear && !model.projects() &&
               watch.adams_may_try(*dormand_prince, stats.steps, phases)) {
      next = Method::adams;
      why_next = watch.why();
      first_step = dormand_prince->planned_step();
    }
    return;
  }
  if (method == Method::adams) {
    if (watch.adams_should_end(*adams)) {
      next = Method::dormand_prince;
      why_next = watch.why();
      first_step = adams->planned_step();
    }
    return;
  }
  if (!is_explicit() || model.projects() || !watch.is_window_over(*active)) return;
  read_sizes();
  if (watch.explicit_is_cheaper(model, *active, sizes, watching)) {
    next = Method::dormand_prince;
    why_next = watch.why();
    first_step = watch.explicit_step();
  }
}

void AutomaticIntegrator::State::tally() {
  stats = {};
  for (const Integrator* part : parts()) {
    if (part != nullptr) add(stats, part->stats());
  }
  stats.rhs_evaluations += watching;
}

AutomaticIntegrator::AutomaticIntegrator(Model& model, IntegratorOptions options,
                                         IntegratorMaker make_bdf)
    : Integrator(model),
      state_(std::make_unique<State>(model, options, std::move(make_bdf), stats_)) {
  require_meaning(options, "AutomaticIntegrator", 1e-14);
}
AutomaticIntegrator::~AutomaticIntegrator() = default;

Method AutomaticIntegrator::method() const { return state_->method; }
std::span<const MethodChoice> AutomaticIntegrator::choices() const { return state_->choices; }

void AutomaticIntegrator::restart(Instant t, ConstVec y, ConstVec yp) {
  State& s = *state_;
  ++s.phases;
  if (!nominals_known_) {
    s.reread_nominals();
    nominals_known_ = true;
  }
  s.begin(t.time);
  if (s.next) {
    s.y.assign(y.begin(), y.end());
    s.yp.assign(yp.begin(), yp.end());
    s.change(t);
  } else {
    s.active->restart(t, y, yp);
  }
  s.at_restart = true;
  s.restarted = t;
  s.restarted_y.assign(y.begin(), y.end());
  s.restarted_yp.assign(yp.begin(), yp.end());
  span_ = span_of(*s.active);
  solves_constraints_ = s.active->solves_constraints();
  s.tally();
}

// Explicit methods remember configurations; they have to know of all, even while another is at
// work.
void AutomaticIntegrator::enter(double configuration) {
  if (state_->dormand_prince) state_->dormand_prince->enter(configuration);
  if (state_->adams) state_->adams->enter(configuration);
}

double AutomaticIntegrator::step(double barrier) {
  State& s = *state_;
  const auto begin = [&] { return s.active->end_instant(); };
  s.at_restart = false;
  if (s.next) {
    s.read_sizes();
    ++s.watching;
    if (s.model.derivatives(s.active->end(), s.y, s.yp) == Eval::ok) {
      s.change(begin());
    }
  }
  if (s.method == Method::dormand_prince || s.method == Method::adams || !s.is_explicit()) {
    s.active->step(barrier);
  } else {
    // Equations that are not smooth, and steps near rounding, are easier for an explicit method.
    const Instant from = begin();
    s.read_sizes();
    try {
      s.active->step(barrier);
    } catch (const ModelError&) {
      throw;
    } catch (const Error& error) {
      ++s.watching;
      if (s.model.derivatives(from.time, s.y, s.yp) == Eval::discard) throw;
      s.next = Method::dormand_prince;
      s.why_next = to_string(s.method) + " failed (" + error.what() + ")";
      s.first_step = 0.0;
      s.change(from, true);
      s.active->step(barrier);
    }
  }
  span_ = span_of(*s.active);
  solves_constraints_ = s.active->solves_constraints();
  s.tally();
  if (!s.next) s.consider_change();
  return span_.end;
}

double AutomaticIntegrator::stage(std::size_t i, Vec y) const {
  return state_->active->stage(i, y);
}

void AutomaticIntegrator::refine() {
  state_->active->refine();
  state_->tally();
}
double AutomaticIntegrator::repeat(double fraction) {
  const double answer = state_->active->repeat(fraction);
  state_->tally();
  return answer;
}
void AutomaticIntegrator::interpolate(double fraction, Vec y) const {
  state_->active->interpolate(fraction, y);
}
void AutomaticIntegrator::slope(double fraction, Vec dy) const {
  state_->active->slope(fraction, dy);
}
void AutomaticIntegrator::before_event(Instant t, ConstVec y) {
  if (StepHistory* const history = state_->history(); history != nullptr) {
    history->before_event(t, y);
  }
}
bool AutomaticIntegrator::continue_after_event(Instant t, Vec y) {
  StepHistory* const history = state_->history();
  const bool answer = history != nullptr && !state_->next && history->continue_after_event(t, y);
  if (answer) span_ = span_of(*state_->active);
  state_->tally();
  return answer;
}
bool AutomaticIntegrator::end_step_at(Instant t) {
  StepHistory* const history = state_->history();
  const bool answer = history != nullptr && history->end_step_at(t);
  if (answer) span_ = span_of(*state_->active);
  return answer;
}

double AutomaticIntegrator::propose_step(double length, LastError error) {
  return state_->active->propose_step(length, error);
}

std::vector<std::byte> AutomaticIntegrator::save() const {
  const State& s = *state_;
  if (s.active == nullptr) return {};
  return saved_choice({.method = static_cast<int>(s.next.value_or(s.method)),
                       .first_step = s.first_step,
                       .stiffness = s.watch.stiffness(),
                       .steps = s.active->save()});
}

// Also before the first restart: a state may be saved at the first event of a run.
void AutomaticIntegrator::restore(std::span<const std::byte> saved) {
  State& s = *state_;
  s.begin(span_.end);
  const auto memory = restored_choice(saved);
  if (!memory) {
    s.active->restore(saved);  // of that method itself, perhaps
    return;
  }
  const auto method = static_cast<Method>(memory->method);
  if (method != s.next.value_or(s.method) && s.may_use(method)) {
    s.first_step = memory->first_step;
    s.activate(method, span_.end, "it was at work when this state was saved");
    if (s.at_restart) {
      s.active->restart(s.restarted, s.restarted_y, s.restarted_yp);
      span_ = span_of(*s.active);
    }
  }
  solves_constraints_ = s.active->solves_constraints();
  s.watch.recall_stiffness(memory->stiffness);
  s.active->restore(memory->steps);
}

}  // namespace saltus
