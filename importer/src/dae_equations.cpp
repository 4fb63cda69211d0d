// SPDX-License-Identifier: BSD-2-Clause
#include "dae_equations.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "saltus/importer/fmu_error.hpp"

namespace saltus::importer {
namespace {

/// Points are made consistent with a full matrix: a second or so for each at this size.
constexpr std::size_t kMostSolved = 2000;

bool are_finite(ConstVec values) {
  return std::all_of(values.begin(), values.end(), [](double x) { return std::isfinite(x); });
}

}  // namespace

DaeEquations::DaeEquations(Instance& instance, std::shared_ptr<const DaeManifest> manifest,
                           const std::vector<double>& nominals, std::vector<double>& kept,
                           std::vector<double>& slopes_guess, Place place)
    : instance_(instance),
      manifest_(std::move(manifest)),
      nominals_(nominals),
      kept_(kept),
      guess_(slopes_guess),
      place_(std::move(place)),
      directional_(instance.has_directional_derivatives()) {
  const ModelDescription& description = instance_.description();
  const auto enter = [&](std::size_t index, std::vector<ValueReference>& references,
                         std::vector<std::string>* names) {
    const Variable& each = variable(index);
    const std::vector<std::size_t> sizes = instance_.sizes(each);
    const std::size_t count = instance_.element_count(each);
    references.push_back(each.reference);
    for (std::size_t i = 0; names != nullptr && i < count; ++i) {
      names->push_back(element_name(each.name, sizes, i, each.indices_from_zero));
    }
    return count;
  };
  const auto& slopes = description.structure.continuous_state_derivatives;
  for (const Unknown& each : slopes) {
    const Variable& state = *description.state_of(each);
    states_ += instance_.element_count(state);
    state_references_.push_back(state.reference);
    enter(each.variable, slope_references_, is_implicit() ? nullptr : &row_names_);
  }
  for (const AlgebraicVariable& each : manifest_->algebraics) {
    enter(each.variable, algebraic_references_, &names_);
  }
  for (const Unknown& each : manifest_->residuals) {
    enter(each.variable, residual_references_, &row_names_);
  }
  unknowns_ = states_ + names_.size();
  if (row_names_.size() != unknowns_) {
    throw FmuError(instance_.path(), "fmi-ls-manifest.xml", 0,
                   fmt::format("{} equations for {} unknowns with the sizes in force",
                               row_names_.size(), unknowns_));
  }
  if (solved_count() > kMostSolved) {
    throw FmuError(instance_.path(), "fmi-ls-manifest.xml", 0,
                   fmt::format("{} unknowns to be solved for at once are more than the {} that "
                               "this importer takes",
                               solved_count(), kMostSolved));
  }
  const auto keep = [&](const std::vector<Unknown>& list) {
    for (const Unknown& each : list) {
      const double nominal = std::fabs(variable(each.variable).nominal.value_or(1.0));
      kept_nominals_.insert(kept_nominals_.end(), enter(each.variable, kept_references_, nullptr),
                            nominal > 0.0 ? nominal : 1.0);
    }
  };
  keep(manifest_->constraints);
  constraints_ = kept_nominals_.size();
  keep(manifest_->invariants);
  const auto& own = manifest_->structure.continuous_state_derivatives;
  exchanges_states_ =
      !std::equal(slopes.begin(), slopes.end(), own.begin(), own.end(),
                  [](const Unknown& a, const Unknown& b) { return a.variable == b.variable; });
  y_.assign(unknowns_, 0.0);
  xp_.assign(states_, 0.0);
  products_.assign(unknowns_, 0.0);
  increments_.assign(unknowns_, 1.0);
  base_.assign(unknowns_, 0.0);
  matrix_.resize(solved_count());
  find_pattern(false);
}

void DaeEquations::append_nominals(std::vector<double>& nominals) const {
  for (const AlgebraicVariable& each : manifest_->algebraics) {
    const Variable& algebraic = variable(each.variable);
    const double nominal = std::fabs(algebraic.nominal.value_or(each.nominal.value_or(1.0)));
    nominals.insert(nominals.end(), instance_.element_count(algebraic),
                    nominal > 0.0 && std::isfinite(nominal) ? nominal : 1.0);
  }
}

void DaeEquations::read_nominals(Vec algebraics) {
  std::size_t first = 0;
  for (const AlgebraicVariable& each : manifest_->algebraics) {
    const std::size_t count = instance_.element_count(variable(each.variable));
    if (each.nominal_variable) {
      const double nominal =
          std::fabs(to_number(instance_.read(variable(*each.nominal_variable)).front()));
      if (nominal > 0.0 && std::isfinite(nominal)) {
        std::fill_n(algebraics.begin() + static_cast<std::ptrdiff_t>(first), count, nominal);
      }
    }
    first += count;
  }
}

void DaeEquations::begin(const Experiment& experiment) {
  experiment_ = experiment;
  phase_begins_ = true;
  has_drifted_ = false;
  verifications_ = 0;
  left_.clear();
  matrix_.forget();
  guess_.assign(states_, 0.0);
}

void DaeEquations::warn_once(std::string message) {
  warn(experiment_,
       {.time = kBeforeTheRun, .subject = "FMI-LS-DAE", .message = std::move(message)});
}

Eval DaeEquations::set_states(ConstVec x) {
  return instance_.set_numbers(VariableType::float64, state_references_, x);
}
void DaeEquations::get_states(Vec x) {
  instance_.require(instance_.get_numbers(VariableType::float64, state_references_, x),
                    "fmi3GetFloat64");
}
Eval DaeEquations::set_algebraics(ConstVec a) {
  if (a.empty()) return Eval::ok;
  return instance_.set_numbers(VariableType::float64, algebraic_references_, a);
}
void DaeEquations::get_algebraics(Vec a) {
  if (a.empty()) return;
  instance_.require(instance_.get_numbers(VariableType::float64, algebraic_references_, a),
                    "fmi3GetFloat64");
}

Eval DaeEquations::rows(double t, ConstVec y, ConstVec xp, Vec r, Rows which) {
  if (place_(t, y) == Eval::discard) return Eval::discard;
  const auto get = [&](const std::vector<ValueReference>& references, Vec values) {
    return values.empty() ? Eval::ok
                          : instance_.get_numbers(VariableType::float64, references, values);
  };
  Vec written = r;
  if (is_implicit()) {
    if (states_ > 0 &&
        instance_.set_numbers(VariableType::float64, slope_references_, xp) == Eval::discard) {
      return Eval::discard;
    }
    if (get(residual_references_, r) == Eval::discard) return Eval::discard;
  } else {
    if (which == Rows::all && states_ > 0) {
      const Vec slopes = r.first(states_);
      const Eval answer = exchanges_states_ ? get(slope_references_, slopes)
                                            : instance_.get_continuous_state_derivatives(slopes);
      if (answer == Eval::discard) return Eval::discard;
      for (std::size_t i = 0; i < states_; ++i) r[i] = xp[i] - r[i];
    }
    if (get(residual_references_, r.subspan(states_)) == Eval::discard) return Eval::discard;
    if (which == Rows::solved) written = r.subspan(states_);
  }
  return are_finite(written) ? Eval::ok : Eval::discard;
}

Eval DaeEquations::residual(double t, ConstVec y, ConstVec yp, Vec r) {
  return rows(t, y.first(unknowns_), yp.first(states_), r.first(unknowns_), Rows::all);
}

}  // namespace saltus::importer
