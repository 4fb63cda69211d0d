// SPDX-License-Identifier: BSD-2-Clause
#include "saltus/integrators/method.hpp"

#include <stdexcept>

#include "integrators/automatic/limits.hpp"
#include "saltus/core/number_text.hpp"
#include "saltus/core/variations.hpp"
#include "saltus/integrators/adams.hpp"
#include "saltus/integrators/automatic_integrator.hpp"
#include "saltus/integrators/dormand_prince.hpp"
#include "saltus/integrators/radau.hpp"

namespace saltus {

std::string to_string(Method method) {
  switch (method) {
    case Method::automatic:
      return "auto";
    case Method::dormand_prince:
      return "dormand-prince";
    case Method::adams:
      return "adams";
    case Method::radau:
      return "radau";
    case Method::bdf:
      return "bdf";
  }
  return "?";
}

std::string to_string(const MethodChoice& choice) {
  return "t = " + number_text(choice.time) + ": " + to_string(choice.method) + ", because " +
         choice.why;
}

MethodChoice choose_method(Model& model, bool has_bdf) {
  const Shape shape = model.shape();
  if (model.is_explicit() && shape.algebraics == 0) {
    return {.method = Method::dormand_prince,
            .why = "the equations are explicit and no stiffness has been seen yet"};
  }
  const std::string size = std::to_string(shape.unknowns()) + " unknowns";
  if (has_bdf && shape.unknowns() >= kManyUnknowns && shape.indicators == 0 &&
      variations_of(model) == nullptr) {
    return {.method = Method::bdf,
            .why = "the equations are implicit, with " + size + " and no event indicators"};
  }
  return {.method = Method::radau, .why = "the equations are implicit, with " + size};
}

std::unique_ptr<Integrator> make_integrator(Method method, Model& model,
                                            const IntegratorOptions& options,
                                            const IntegratorMaker& make_bdf) {
  switch (method) {
    case Method::dormand_prince:
      return std::make_unique<DormandPrince>(model, options);
    case Method::adams:
      return std::make_unique<Adams>(model, options);
    case Method::radau:
      return std::make_unique<Radau>(model, options);
    case Method::bdf:
      if (!make_bdf) {
        throw std::invalid_argument(
            "make_integrator: Bdf lives in the library saltus::bdf; say how to make one, or use "
            "radau");
      }
      return make_bdf(model, options);
    case Method::automatic:
      break;
  }
  return std::make_unique<AutomaticIntegrator>(model, options, make_bdf);
}

std::vector<std::string> method_choices(const Integrator& integrator, Method method) {
  const auto* automatic = dynamic_cast<const AutomaticIntegrator*>(&integrator);
  if (automatic == nullptr) {
    return {"the method is " + to_string(method)};
  }
  std::vector<std::string> all;
  for (const MethodChoice& choice : automatic->choices()) {
    all.push_back(to_string(choice));
  }
  return all;
}

}  // namespace saltus
