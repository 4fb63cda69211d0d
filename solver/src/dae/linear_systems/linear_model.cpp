// SPDX-License-Identifier: BSD-2-Clause
#include "saltus/dae/linear_model.hpp"

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "coefficients.hpp"
#include "linear_state.hpp"

namespace saltus {
namespace {

using modeling::Recording;
using modeling::Tape;

bool is_steady(Tape tape) {
  for (const Tape::Entry& entry : tape.differentiate()) {
    if (!tape.is_steady(entry.node)) {
      return false;
    }
  }
  return true;
}

}  // namespace

LinearTerms::LinearTerms(std::size_t equations, std::size_t unknowns, Coefficient t)
    : time(t), equations_(equations), unknowns_(unknowns), f_(equations) {}

Coefficient& LinearTerms::E(std::size_t equation, std::size_t unknown) {
  return coefficient_at(E_, equation, unknown, equations_, unknowns_);
}
Coefficient& LinearTerms::A(std::size_t equation, std::size_t unknown) {
  return coefficient_at(A_, equation, unknown, equations_, unknowns_);
}
Coefficient& LinearTerms::f(std::size_t equation) { return coefficient_at(f_, equation); }

LinearModel::State::State(Tape tape, std::size_t unknowns, std::vector<std::string> equation_names)
    : steady(is_steady(tape)), given(std::move(tape), unknowns, std::move(equation_names)) {
  for (const DerivativeArray::Entry& entry : given.entries()) {
    if (entry.order > 0) {
      states = std::max(states, static_cast<std::size_t>(entry.unknown) + 1);
    }
  }
}

LinearModel::LinearModel() = default;

LinearModel::LinearModel(LinearSystem system) {
  LinearSize size{system.equations, system.unknowns};
  size.agree_with(system.E);
  size.agree_with(system.A);
  size.require_some();
  const auto [m, n] = size;
  Tape tape;
  {
    Recording recording(tape);
    LinearTerms terms(m, n, recording.time(0.0));
    fill(terms.E_, system.E, "E");
    fill(terms.A_, system.A, "A");
    if (system.terms) {
      write_down([&] { system.terms(terms); });
    }
    std::vector<Coefficient> rows(m);
    for (const auto& [place, coefficient] : terms.E_) {
      rows[place.first] += coefficient * recording.unknown(static_cast<int>(place.second), 1, 0.0);
    }
    for (const auto& [place, coefficient] : terms.A_) {
      rows[place.first] -= coefficient * recording.unknown(static_cast<int>(place.second), 0, 0.0);
    }
    for (std::size_t i = 0; i < m; ++i) {
      recording.add_row(rows[i] - terms.f_[i]);
    }
  }
  state_ = std::make_unique<State>(std::move(tape), n,
                                   completed(std::move(system.equation_names), m, "equation "));
  state_->start = completed(std::move(system.start), n, 0.0, "start values");
  state_->nominal = completed(std::move(system.nominal), n, 1.0, "nominal values");
  state_->unknown_names = completed(std::move(system.unknown_names), n, "x");
  state_->index = std::move(system.index);
  state_->index.unknown_names = state_->unknown_names;
}

LinearModel::~LinearModel() = default;

Shape LinearModel::shape() const {
  return {.states = state_->states, .algebraics = state_->start.size() - state_->states};
}

void LinearModel::nominals(Vec y) const {
  std::copy(state_->nominal.begin(), state_->nominal.end(), y.begin());
}

std::string LinearModel::unknown_name(std::size_t i) const { return state_->unknown_names.at(i); }

void LinearModel::initialize(const Experiment& experiment, Vec y) {
  State& s = *state_;
  s.experiment = experiment;
  s.solvable.reset();
  s.report = {};
  std::copy(s.start.begin(), s.start.end(), y.begin());
  const IndexAnalysis found = analyze_index(s.given, experiment.start, s.start, s.index);
  if (!found.values.is_regular()) {
    s.solvable = std::make_unique<SolvableArray>(s.given, s.steady, experiment.start, s.index);
    s.report = s.solvable->report(experiment.start);
    s.warn_of_equations(experiment.start);
    for (const std::string& unknown : s.report.held_unknowns) {
      warn(experiment, {.time = experiment.start,
                        .subject = unknown,
                        .message = "no equation determines it: it keeps its start value"});
    }
  }
}

void LinearModel::State::warn_of_equations(double t) const {
  if (report.ignored_equations.empty()) {
    return;
  }
  std::string names;
  for (const std::string& name : report.ignored_equations) {
    names += (names.empty() ? "" : ", ") + name;
  }
  warn(experiment,
       {.time = t,
        .subject = names,
        .message = report.contradicts()
                       ? "these equations contradict each other: they hold in the sense of least "
                         "squares only"
                       : "these equations repeat each other: what is too much is ignored"});
}

Eval LinearModel::residual(double t, ConstVec y, ConstVec yp, Vec r) {
  std::vector<double> c(y.begin(), y.end());
  c.insert(c.end(), yp.begin(), yp.end());
  return derivative_array()->values(t, 1.0, 0, c, r);
}

Linearization* LinearModel::linearization() {
  return state_->solvable != nullptr ? static_cast<Linearization*>(state_->solvable.get())
                                     : &state_->given;
}

DerivativeArray* LinearModel::derivative_array() {
  return state_->solvable != nullptr ? static_cast<DerivativeArray*>(state_->solvable.get())
                                     : &state_->given;
}

// What equations contradict each other by may begin after the start: the largest is kept.

StepVerdict LinearModel::completed_step(double t, ConstVec) {
  State& s = *state_;
  if (s.solvable != nullptr && s.solvable->values().v > 0) {
    LeastSquaresReport now = s.solvable->report(t);
    const bool contradicted = s.report.contradicts();
    if (now.ignored > s.report.ignored) {
      s.report = std::move(now);
    }
    if (!contradicted && s.report.contradicts()) {
      s.warn_of_equations(t);
    }
  }
  return {};
}

DerivativeArray& LinearModel::given() { return state_->given; }
const LeastSquaresReport& LinearModel::report() const { return state_->report; }

}  // namespace saltus
