// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "saltus/core/model.hpp"
#include "saltus/integrators/integrator.hpp"

namespace saltus {

/// The integrators by name.
enum class Method {
  automatic,       ///< `AutomaticIntegrator`: one of the others at a time, chosen along the run
  dormand_prince,  ///< explicit: for what is not stiff
  radau,           ///< implicit, one step at a time: for what is stiff or implicit
  bdf,             ///< implicit, built on the steps before: stiff, large, and few events
  adams,           ///< explicit, built on the steps before: dear evaluations and few events
};

/// "auto", "dormand-prince", "adams", "radau", "bdf": the names that `saltus simulate --solver`
/// knows.
std::string to_string(Method method);

/// From `time` on a method, and the reason in words.
struct MethodChoice {
  double time = 0.0;
  Method method = Method::automatic;
  std::string why;
};
/// "t = 0.31: radau, because ...".
std::string to_string(const MethodChoice& choice);

/// Makes an integrator of a kind that the caller knows: `Bdf`, which lives in a library of its own.
using IntegratorMaker =
    std::function<std::unique_ptr<Integrator>(Model& model, const IntegratorOptions& options)>;

/// What can be said before the first step. Explicit equations begin with Dormand-Prince; whether
/// they are stiff shows on the way. Implicit ones go to Radau, or to Bdf if `has_bdf` and if they
/// are many and have no event indicators.
MethodChoice choose_method(Model& model, bool has_bdf = false);

/// The integrator of that name; `model` must outlive it. Throws `std::invalid_argument` for `bdf`
/// without `make_bdf`, and where the method does not suit the model.
std::unique_ptr<Integrator> make_integrator(Method method, Model& model,
                                            const IntegratorOptions& options = {},
                                            const IntegratorMaker& make_bdf = {});

/// The methods that `integrator` has used, a sentence each: what `AutomaticIntegrator` chose and
/// why, or the `method` that was asked for.
std::vector<std::string> method_choices(const Integrator& integrator, Method method);

}  // namespace saltus
