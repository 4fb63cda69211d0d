// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <memory>

#include "saltus/core/described_model.hpp"
#include "saltus/dae/reduced_model.hpp"

namespace saltus::modeling {

/// Who will drive the model, and what is wanted of it.
struct Preparation {
  ReductionOptions reduction = {};  ///< but for its form, which follows from the rest
  /// Go on along switching surfaces that both sides push towards.
  bool sliding = true;
  /// An `IntegratedModel` of this library drives it: it solves implicit equations and keeps
  /// constraints. Otherwise somebody who knows explicit equations only: an importer.
  bool own_integrator = true;
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
