// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <memory>

#include "saltus/core/described_model.hpp"
#include "saltus/dae/reduced_model.hpp"
#include "saltus/switching/sliding_model.hpp"

namespace saltus::modeling {

/// A `ReducedDescribedModel`: a model that can be driven, of one of implicit equations.
std::unique_ptr<DescribedModel> with_reduction(std::unique_ptr<DescribedModel> model,
                                               const ReductionOptions& options);
/// A `SlidingDescribedModel`, of one whose equations decide.
std::unique_ptr<DescribedModel> with_sliding(std::unique_ptr<DescribedModel> model,
                                             const SlidingOptions& options);

/// Whether equations contain conditions, so that a surface may have two sides.
bool decides_in_equations(DescribedModel& model);

/// Who will drive the model, and what is wanted of it.
struct Preparation {
  ReductionOptions reduction = {};  ///< but for its form, which follows from the rest
  /// Go on along switching surfaces that both sides push towards.
  bool sliding = true;
  /// An `IntegratedModel` of this library drives it: it solves implicit equations and keeps
  /// constraints. Otherwise somebody who knows explicit equations only: an importer.
  bool own_integrator = true;
  /// Nothing but y' = f(t, y) will do, whoever drives it.
  bool explicit_form = false;
  /// Who knows that a model needs neither may name others: a program, or an FMU, that names these
  /// nowhere contains neither the reduction of the index nor sliding, which are most of the
  /// library.
  decltype(&with_reduction) reduce = &with_reduction;
  decltype(&with_sliding) slide = &with_sliding;
};

/// The model as integrators need it, in the one right order of decorators: implicit equations
/// reduced to index 1 at most, switching surfaces that may be slid on. A model that needs neither
/// comes back as it is. What may slide takes the explicit form, since nothing else has two sides
/// that could be mixed.
///
///     auto model = prepared(std::make_unique<NativeModel<Pendulum>>("Pendulum"));
std::unique_ptr<DescribedModel> prepared(std::unique_ptr<DescribedModel> model,
                                         const Preparation& how = {});

}  // namespace saltus::modeling
