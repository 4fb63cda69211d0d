// SPDX-License-Identifier: BSD-2-Clause
// Rule 39: the dependencies of the description cover those that the values show, and their kinds
// are true. Time is left out: importers make nothing of it.
#include <fmt/format.h>

#include <cmath>
#include <map>

#include "perturbation.hpp"
#include "run_checks.hpp"

namespace saltus::importer::validation {
namespace {

constexpr double kAmount = 1e-3;      // of the size of a known
constexpr double kWideAmount = 0.05;  // likewise, for what is to be linear
constexpr double kVisible = 1e-6;     // of the size of a value: less may be an iteration
constexpr double kVanishing = 1e-9;   // what is left of values that vanish
constexpr double kSameSlope = 1e-2;

/// How a value changes with a known at one point: over two steps there.
struct Slope {
  double first = 0.0, second = 0.0;
  double doubt = 0.0;
  std::size_t phase = 0;

  bool differs_from(double other) const {
    return std::abs(first - other) >
           doubt + kSameSlope * std::max(std::abs(first), std::abs(other));
  }
};

class MeasuredDependencies {
 public:
  explicit MeasuredDependencies(RunContext& context) : context_(context), fmu_(context) {}

  void check() {
    fmu_.visit([&](std::size_t phase) {
      for (const Known& known : fmu_.knowns()) look_at(known, phase);
    });
  }

 private:
  void look_at(const Known& known, std::size_t phase) {
    const std::vector<double> plus = fmu_.moved(known, kAmount);
    const std::vector<double> minus = fmu_.moved(known, -kAmount);
    const std::vector<double> far = fmu_.moved(known, kWideAmount);
    const std::vector<double> farther = fmu_.moved(known, 2.0 * kWideAmount);
    if (plus.empty() || minus.empty()) return;
    for (const Dependent& dependent : fmu_.dependents()) {
      if (!dependent.entry->dependencies || is_same(*dependent.variable, *known.variable)) continue;
      const auto kind = declared_kind(*dependent.entry, *known.variable);
      for (std::size_t i = dependent.first; i < dependent.first + dependent.elements; ++i) {
        if (!kind.is_listed) {
          check_listed(dependent, known, i, plus[i], minus[i]);
        } else if (kind.kind != DependencyKind::dependent && known.elements == 1 && !far.empty() &&
                   !farther.empty()) {
          const double length = kWideAmount * known.direction[0];
          const double doubt =
              (kVanishing * std::abs(fmu_.base()[i]) + 10.0 * fmu_.noise()[i]) / length;
          check_kind(dependent, known, i, kind.kind,
                     {.first = (far[i] - fmu_.base()[i]) / length,
                      .second = (farther[i] - far[i]) / length,
                      .doubt = doubt + kVanishing,
                      .phase = phase});
        }
      }
    }
  }

  struct Declared {
    bool is_listed = false;
    DependencyKind kind = DependencyKind::dependent;
  };
  Declared declared_kind(const Unknown& entry, const Variable& known) const {
    for (std::size_t i = 0; i < entry.dependencies->size(); ++i) {
      const Variable* const listed = context_.description().find((*entry.dependencies)[i]);
      if (listed == nullptr || !is_same(*listed, known)) continue;
      return {.is_listed = true,
              .kind = i < entry.kinds.size() ? entry.kinds[i] : DependencyKind::dependent};
    }
    return {};
  }

  void check_listed(const Dependent& dependent, const Known& known, std::size_t i, double plus,
                    double minus) {
    const double base = fmu_.base()[i];
    const auto is_visible = [&](double value) {
      return std::abs(value - base) >
             kVisible * (std::abs(value) + std::abs(base)) + kVanishing + 100.0 * fmu_.noise()[i];
    };
    if (!is_visible(plus) || !is_visible(minus)) return;
    context_.findings.add_in_line(
        {39, "run.dependency"}, Severity::error, dependent.entry->line, dependent.variable->name,
        fmt::format("\"{}\" changes with \"{}\", which is not among its dependencies",
                    dependent.variable->name, known.variable->name),
        "add it, or leave the attribute out");
  }

  void check_kind(const Dependent& dependent, const Known& known, std::size_t i,
                  DependencyKind kind, const Slope& slope) {
    const std::string names =
        fmt::format("\"{}\" depends on \"{}\"", dependent.variable->name, known.variable->name);
    const auto report = [&](const std::string& what) {
      context_.findings.add_in_line({39, "run.kind"}, Severity::error, dependent.entry->line,
                                    dependent.variable->name, names + what,
                                    "declare the kind \"dependent\"");
    };
    if (slope.differs_from(slope.second)) {
      report(" in a way that is not linear, although its kind says so");
      return;
    }
    const auto [first, is_new] = slopes_.emplace(std::make_pair(i, known.variable), slope);
    if (is_new) return;
    const bool may_change_at_events =
        kind == DependencyKind::tunable || kind == DependencyKind::discrete;
    if (may_change_at_events && first->second.phase != slope.phase) {
      first->second = slope;
    } else if (slope.differs_from(first->second.first)) {
      report(
          fmt::format(" with the factor {:.6g} and later {:.6g}, although its kind says that it "
                      "stays",
                      first->second.first, slope.first));
    }
  }

  RunContext& context_;
  Perturbation fmu_;
  std::map<std::pair<std::size_t, const Variable*>, Slope> slopes_;
};

}  // namespace

void check_measured_dependencies(RunContext& context) {
  if (context.has_clocks()) return;
  watch(context.findings, [&] { MeasuredDependencies(context).check(); });
}

}  // namespace saltus::importer::validation
