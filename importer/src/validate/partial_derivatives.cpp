// SPDX-License-Identifier: BSD-2-Clause
// Rule 39: derivatives that an FMU computes are those that its equations show.
#include <fmt/format.h>

#include <cmath>

#include "perturbation.hpp"
#include "run_checks.hpp"

namespace saltus::importer::validation {
namespace {

// Widths of the quotients relative to the values, what is trusted of them, and what an FMU that
// iterates leaves of them.
constexpr double kWidth = 1e-3, kTrusted = 1e-3, kIteration = 1e-6;

class PartialDerivatives {
 public:
  explicit PartialDerivatives(RunContext& context) : context_(context), fmu_(context) {}

  void check() {
    const bool has_directional = fmu_.instance().has_directional_derivatives();
    const bool has_adjoint = fmu_.instance().has_adjoint_derivatives();
    if ((!has_directional && !has_adjoint) || fmu_.knowns().empty()) return;
    // Not event indicators, which are no unknowns of these functions (FMI 3.0, 2.2.11).
    for (const Dependent& dependent : fmu_.dependents()) {
      if (is_indicator(dependent)) continue;
      unknowns_.push_back(&dependent);
      references_.push_back(dependent.variable->reference);
      count_ += dependent.elements;
    }
    if (unknowns_.empty()) return;
    fmu_.visit([&](std::size_t) {
      for (const Known& known : fmu_.knowns()) {
        if (has_directional) check_directional(known);
      }
      if (has_adjoint) check_adjoint();
    });
  }

 private:
  bool is_indicator(const Dependent& dependent) const {
    const auto& list = context_.description().structure.event_indicators;
    return !list.empty() && dependent.entry >= list.data() &&
           dependent.entry < list.data() + list.size();
  }

  /// What the equations show along the direction of `known`, with a bound of its error.
  struct Measured {
    std::vector<double> change, doubt;
  };
  Measured measure(const Known& known) {
    const std::vector<double> wide[2] = {fmu_.moved(known, kWidth), fmu_.moved(known, -kWidth)};
    const std::vector<double> narrow[2] = {fmu_.moved(known, 0.5 * kWidth),
                                           fmu_.moved(known, -0.5 * kWidth)};
    if (wide[0].empty() || wide[1].empty() || narrow[0].empty() || narrow[1].empty()) return {};
    Measured measured;
    for (std::size_t i = 0; i < fmu_.values(); ++i) {
      const double coarse = (wide[0][i] - wide[1][i]) / (2.0 * kWidth);
      const double fine = (narrow[0][i] - narrow[1][i]) / kWidth;
      measured.change.push_back(fine + (fine - coarse) / 3.0);
      // Where there is a kink, as at the end of a saturation, there is no derivative.
      const double kink =
          std::abs(narrow[0][i] - 2.0 * fmu_.base()[i] + narrow[1][i]) / (0.5 * kWidth);
      measured.doubt.push_back(kink + std::abs(fine - coarse) +
                               kIteration * std::abs(fmu_.base()[i]) +
                               10.0 * fmu_.noise()[i] / kWidth);
    }
    return measured;
  }

  void check_directional(const Known& known) {
    std::vector<double> claimed(count_);
    if (fmu_.instance().directional_derivative(references_, {&known.variable->reference, 1},
                                               known.direction, claimed) == Eval::discard) {
      return;
    }
    compare(known, claimed, "directional");
  }

  void compare(const Known& known, const std::vector<double>& claimed, const char* kind) {
    const Measured measured = measure(known);
    if (measured.change.empty()) return;
    std::size_t place = 0;
    for (const Dependent* unknown : unknowns_) {
      // A state that is an output: FMUs say 0, and everybody knows better.
      if (is_same(*unknown->variable, *known.variable)) {
        place += unknown->elements;
        continue;
      }
      for (std::size_t e = 0; e < unknown->elements; ++e, ++place) {
        const double found = measured.change[unknown->first + e];
        const double doubt = measured.doubt[unknown->first + e] +
                             kTrusted * (std::abs(found) + std::abs(claimed[place]));
        if (std::abs(found - claimed[place]) <= doubt) continue;
        const double length = known.direction[0];
        context_.findings.add_in_line(
            {39, "run.derivative"}, Severity::error, unknown->entry->line, unknown->variable->name,
            fmt::format("the {} derivative of \"{}\" by \"{}\" is {:.6g}, and its values show "
                        "{:.6g}",
                        kind, unknown->variable->name, known.variable->name,
                        claimed[place] / length, found / length),
            fmt::format("compute it from the equations, or do not declare provides{}Derivative{}",
                        kind[0] == 'd' ? "Directional" : "Adjoint",
                        context_.description().major_version == 2 ? "" : "s"));
        return;
      }
    }
  }

  /// Row by row, then compared column by column like the others.
  void check_adjoint() {
    std::vector<ValueReference> references;
    std::size_t width = 0;
    for (const Known& known : fmu_.knowns()) {
      references.push_back(known.variable->reference);
      width += known.elements;
    }
    std::vector<std::vector<double>> rows;
    for (std::size_t i = 0; i < count_; ++i) {
      std::vector<double> seed(count_, 0.0), row(width);
      seed[i] = 1.0;
      if (fmu_.instance().adjoint_derivative(references_, references, seed, row) == Eval::discard) {
        return;
      }
      rows.push_back(std::move(row));
    }
    std::size_t first = 0;
    for (const Known& known : fmu_.knowns()) {
      std::vector<double> claimed(count_, 0.0);
      for (std::size_t i = 0; i < count_; ++i) {
        for (std::size_t e = 0; e < known.elements; ++e) {
          claimed[i] += rows[i][first + e] * known.direction[e];
        }
      }
      compare(known, claimed, "adjoint");
      first += known.elements;
    }
  }

  RunContext& context_;
  Perturbation fmu_;
  std::vector<const Dependent*> unknowns_;
  std::vector<ValueReference> references_;
  std::size_t count_ = 0;
};

}  // namespace

void check_partial_derivatives(RunContext& context) {
  const ModelExchange& interface = *context.description().model_exchange;
  if (!interface.provides_directional_derivatives && !interface.provides_adjoint_derivatives) {
    return;
  }
  watch(context.findings, [&] { PartialDerivatives(context).check(); });
}

}  // namespace saltus::importer::validation
