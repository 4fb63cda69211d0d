// SPDX-License-Identifier: BSD-2-Clause
#include "find_dae_form.hpp"

#include <algorithm>
#include <cmath>
#include <exception>
#include <stdexcept>

#include "dae_equations.hpp"
#include "dae_rows.hpp"
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

// Forms are static: what the equations are may not depend on what happens.
void require_one_configuration(modeling::DescribedModel& model) {
  if (modeling::decides_in_equations(model)) {
    throw std::runtime_error("its equations contain conditions, where it may slide");
  }
  for (const Variable& v : model.variables()) {
    if (!v.is_number()) {
      throw std::runtime_error("its equations may change with \"" + v.name + "\"");
    }
    if (v.name.rfind("dae.", 0) == 0) {
      throw std::runtime_error("the name \"" + v.name +
                               "\" begins with \"dae.\", as those do that "
                               "FMI-LS-DAE adds: choose another one");
    }
  }
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

FoundDaeForm find_at_start(modeling::DescribedModel& model, const ReductionOptions& reduction) {
  ReducedModel reduced(model, reduction);
  Radau integrator(reduced);
  IntegratedModel system(reduced, integrator);
  const double start = model.info().start;
  ModeController(system).run({.start = start, .stop = start, .tolerance = model.info().tolerance});
  const IndexAnalysis& analysis = reduced.analysis();
  if (!analysis.structural) {
    throw std::runtime_error("the pattern of its equations does not show their index");
  }
  if (!analysis.values.is_regular()) {
    throw std::runtime_error("its equations do not determine its unknowns");
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
  const DaeRows rows(model, start, y, slopes);
  FoundDaeForm found = select_dae_rows(rows, analysis.explicit_level, model.shape());
  if (found.form.algebraics.size() > kMostAlgebraics) {
    throw std::runtime_error("it has " + std::to_string(found.form.algebraics.size()) +
                             " algebraic variables, more than the " +
                             std::to_string(kMostAlgebraics) + " that are solved for at once");
  }
  const DerivativeArray& array = *model.derivative_array();
  const auto name = [&](const std::vector<DaeForm::Row>& of, std::vector<DaeForm::Named>& named) {
    for (const DaeForm::Row& row : of) {
      named.push_back(
          {array.equation_name(static_cast<std::size_t>(row.equation)) + times(row.level), 1.0});
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
    require_one_configuration(*exported.model);
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
