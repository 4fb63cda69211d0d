// SPDX-License-Identifier: BSD-2-Clause
#include "find_dae_form.hpp"

#include <algorithm>
#include <cmath>
#include <exception>
#include <stdexcept>

#include "combined_array.hpp"
#include "dae_equations.hpp"
#include "dae_model.hpp"
#include "dae_rows.hpp"
#include "find_combinations.hpp"
#include "own_description.hpp"
#include "saltus/control/mode_controller.hpp"
#include "saltus/control/prepared_model.hpp"
#include "saltus/dae/reduced_model.hpp"
#include "saltus/events/integrated_model.hpp"
#include "saltus/fmu_export/export_fmu.hpp"
#include "saltus/integrators/radau.hpp"
#include "select_dae_rows.hpp"

namespace saltus::fmu_export {
namespace {

using modeling::Variable;

/// The importer solves for all of them at once, with a full matrix; so does the self-test.
constexpr std::size_t kMostAlgebraics = 500;
/// What takes long to find is not looked for.
constexpr std::size_t kMostUnknowns = 2000;

void require_names(const modeling::DescribedModel& model) {
  for (const Variable& v : model.variables()) {
    if (v.name.rfind("dae.", 0) == 0) {
      throw std::runtime_error("the name \"" + v.name +
                               "\" begins with \"dae.\", as those do that "
                               "FMI-LS-DAE adds: choose another one");
    }
  }
}

// Forms are static: they may not depend on what happens.
bool may_switch(const modeling::DescribedModel& model) {
  const auto variables = model.variables();
  return std::any_of(variables.begin(), variables.end(),
                     [](const Variable& v) { return !v.is_number(); });
}

const char* times(int level) {
  constexpr const char* kTimes[] = {"", ", differentiated", ", differentiated twice"};
  return level < 3 ? kTimes[level] : ", differentiated repeatedly";
}

/// How residuals and invariants change by one nominal value of an unknown at most: what they are
/// measured by.
class Sizes {
 public:
  Sizes(modeling::DescribedModel& model, double t, ConstVec y, ConstVec yp, const DaeForm& form)
      : model_(model),
        t_(t),
        equations_(form, model.shape().states, model.shape().unknowns()),
        nominals_(model.shape().unknowns()) {
    model.nominals(nominals_);
    states_.assign(y.begin(), y.begin() + static_cast<std::ptrdiff_t>(model.shape().states));
    for (const DaeForm::Derivative& one : form.algebraics) {
      const auto unknown = static_cast<std::size_t>(one.unknown);
      algebraics_.push_back(one.order == 0 ? y[unknown] : one.order == 1 ? yp[unknown] : 0.0);
      algebraic_sizes_.push_back(nominals_[unknown]);
    }
    if (!equations_.solve(*model.derivative_array(), t, states_, algebraics_)) {
      throw std::runtime_error(
          "its residuals do not determine its algebraic variables at the start");
    }
  }
  void measure(DaeForm& form) {
    by(
        algebraics_, algebraic_sizes_, [&] { return equations_.residuals(); },
        form.named_residuals);
    by(
        states_, nominals_, [&] { return equations_.invariants(); }, form.named_invariants);
  }

 private:
  template <class Read>
  void by(std::vector<double>& moved, const std::vector<double>& sizes, const Read& read,
          std::vector<DaeForm::Named>& named) {
    const auto evaluate = [&] {
      return equations_.evaluate(*model_.derivative_array(), t_, states_, algebraics_);
    };
    if (evaluate() == Eval::discard) return;
    const std::vector<double> base(read().begin(), read().end());
    std::vector<double> largest(base.size(), 0.0);
    for (std::size_t j = 0; j < moved.size(); ++j) {
      const double before = moved[j];
      moved[j] += 0x1p-20 * std::max(sizes[j], std::fabs(before));
      const double width = (moved[j] - before) / sizes[j];
      if (evaluate() == Eval::ok) {
        for (std::size_t i = 0; i < base.size(); ++i) {
          largest[i] = std::max(largest[i], std::fabs((read()[i] - base[i]) / width));
        }
      }
      moved[j] = before;
    }
    for (std::size_t i = 0; i < named.size(); ++i) {
      if (largest[i] > 0.0 && std::isfinite(largest[i])) named[i].nominal = rounded(largest[i]);
    }
  }
  // A power of ten tells as much.
  static double rounded(double size) { return std::pow(10.0, std::round(std::log10(size))); }

  modeling::DescribedModel& model_;
  double t_;
  DaeEquations equations_;
  std::vector<double> nominals_, states_, algebraics_, algebraic_sizes_;
};

// Where the pattern hides equations without derivatives, it shows them once they are combined.
FoundDaeForm find_combined(modeling::DescribedModel& model, double t, const std::vector<double>& y,
                           const std::vector<double>& yp) {
  const std::vector<DaeForm::Combination> sums = find_combinations(model, t, y, yp);
  CombinedArray combined(sums);
  std::vector<double> c = y;
  c.insert(c.end(), yp.begin(), yp.end());
  const IndexAnalysis analysis = analyze_index(combined.over(*model.derivative_array()), t, c, {});
  if (!analysis.structural || !analysis.values.is_regular()) {
    throw std::runtime_error("the pattern of its equations does not show their index");
  }
  FoundDaeForm found =
      select_dae_rows(DaeRows(model, t, y, yp, sums), analysis.explicit_level, model.shape());
  found.form.combinations = sums;
  return found;
}

FoundDaeForm find_at_start(modeling::DescribedModel& model, const ReductionOptions& reduction) {
  ReducedModel reduced(model, reduction);
  Radau integrator(reduced);
  IntegratedModel system(reduced, integrator);
  const double start = model.info().start;
  ModeController(system).run({.start = start, .stop = start, .tolerance = model.info().tolerance});
  const IndexAnalysis& analysis = reduced.analysis();
  if (!analysis.values.is_regular()) {
    throw std::runtime_error("its equations do not determine its unknowns");
  }
  const bool switched = may_switch(model);
  const bool is_plain = determines_slopes(analysis, model.shape());
  if (switched && !is_plain) {
    throw std::runtime_error(
        "its equations are not of index 1 and may change with Boolean or integer variables");
  }
  const std::size_t n = model.shape().unknowns();
  std::vector<double> y(system.unknowns().begin(),
                        system.unknowns().begin() + static_cast<std::ptrdiff_t>(n));
  std::vector<double> all(reduced.shape().unknowns()), slopes(all.size());
  std::copy_n(system.unknowns().begin(), all.size(), all.begin());
  if (reduced.make_consistent(start, all, slopes) == Eval::discard) {
    throw std::runtime_error("no consistent start was found");
  }
  slopes.resize(n);
  FoundDaeForm found;
  if (switched) {
    found = switched_dae_form(model.shape());
  } else if (is_plain) {
    const std::vector<int> undifferentiated(n, 0);
    found = select_dae_rows(DaeRows(model, start, y, slopes), undifferentiated, model.shape());
  } else if (analysis.structural) {
    found =
        select_dae_rows(DaeRows(model, start, y, slopes), analysis.explicit_level, model.shape());
  } else {
    found = find_combined(model, start, y, slopes);
  }
  if (found.form.algebraics.size() > kMostAlgebraics) {
    throw std::runtime_error("it has " + std::to_string(found.form.algebraics.size()) +
                             " algebraic variables, more than the " +
                             std::to_string(kMostAlgebraics) + " that are solved for at once");
  }
  CombinedArray combined(found.form.combinations);
  const DerivativeArray& array = combined.over(*model.derivative_array());
  const auto name = [&](const std::vector<DaeForm::Row>& of, std::vector<DaeForm::Named>& named) {
    for (const DaeForm::Row& row : of) {
      const auto i = static_cast<std::size_t>(row.equation);
      named.push_back({switched ? "equation " + std::to_string(i + 1)
                                : array.equation_name(i) + times(row.level),
                       1.0});
    }
  };
  name(found.form.residuals, found.form.named_residuals);
  name(found.form.invariants, found.form.named_invariants);
  Sizes(model, start, y, slopes, found.form).measure(found.form);
  return found;
}

}  // namespace

FoundDaeForm find_dae_form() {
  ExportedModel exported;
  saltus_exported_model(exported);
  if (exported.model->is_explicit()) return {};
  try {
    if (modeling::decides_in_equations(*exported.model)) {
      throw std::runtime_error("its equations contain conditions, where it may slide");
    }
    if (exported.model->shape().unknowns() > kMostUnknowns) {
      throw std::runtime_error("it has more than " + std::to_string(kMostUnknowns) + " unknowns");
    }
    require_names(*exported.model);
    return find_at_start(*exported.model, exported.reduction);
  } catch (const std::exception& error) {
    return {.form = {}, .dependencies = {}, .why_not = error.what()};
  }
}

// In programs that contain a model without a description of its own.
DaeForm own_dae_form() {
  static const DaeForm form = find_dae_form().form;
  return form;
}

}  // namespace saltus::fmu_export
