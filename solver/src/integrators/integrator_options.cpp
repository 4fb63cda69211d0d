// SPDX-License-Identifier: BSD-2-Clause
#include "integrator_options.hpp"

#include <stdexcept>
#include <string>

#include "saltus/core/number_text.hpp"

namespace saltus {

void require_meaning(const IntegratorOptions& options, const char* integrator,
                     double least_tolerance) {
  const auto refuse = [integrator](const std::string& why) {
    throw std::invalid_argument(std::string(integrator) + " needs " + why);
  };
  if (!(options.relative_tolerance >= least_tolerance)) {
    refuse("a relative tolerance of at least " + number_text(least_tolerance) +
           ": smaller errors are rounding");
  }
  if (!(options.relative_tolerance < kNever)) {
    refuse("a relative tolerance that is finite");
  }
  if (!(options.absolute_tolerance >= 0.0 && options.absolute_tolerance < kNever)) {
    refuse("an absolute tolerance that is not negative; 0 lets it follow from the relative one");
  }
  if (!(options.initial_step >= 0.0)) {
    refuse("a first step that is not negative; 0 lets it find one");
  }
  if (!(options.max_step > 0.0)) {
    refuse("a largest step above 0; leave `max_step` as it is for none");
  }
}

}  // namespace saltus
