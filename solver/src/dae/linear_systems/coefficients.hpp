// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "saltus/dae/linear_model.hpp"

// Coefficients as they are written down, and what a caller may get wrong about them.
namespace saltus {

/// Throws `std::invalid_argument` outside of the system.
Coefficient& coefficient_at(CoefficientTable& table, std::size_t i, std::size_t j,
                            std::size_t equations, std::size_t unknowns);
Coefficient& coefficient_at(std::vector<Coefficient>& list, std::size_t i);

/// Puts the entries that are not zero into the table.
void fill(CoefficientTable& table, const std::vector<std::vector<double>>& rows,
          const std::string& name);

/// How many equations and unknowns there are, as announced and as a matrix shows.
struct LinearSize {
  std::size_t equations = 0;
  std::size_t unknowns = 0;
  /// Throws `std::invalid_argument` where they contradict each other.
  void agree_with(const std::vector<std::vector<double>>& rows);
  void require_some() const;
};

/// Runs the caller's function; a comparison in it is refused with the reason.
void write_down(const std::function<void()>& terms);

/// One value for each unknown, `otherwise` where there is none. Throws `std::invalid_argument` if
/// there are too many or one is not finite.
std::vector<double> completed(std::vector<double> values, std::size_t size, double otherwise,
                              const std::string& what);
/// Likewise, "what 1", "what 2", ... where there is none.
std::vector<std::string> completed(std::vector<std::string> names, std::size_t size,
                                   const std::string& what);

}  // namespace saltus
