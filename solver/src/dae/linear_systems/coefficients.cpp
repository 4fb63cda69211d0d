// SPDX-License-Identifier: BSD-2-Clause
#include "coefficients.hpp"

#include <cmath>
#include <stdexcept>

namespace saltus {
namespace {

[[noreturn]] void refuse(const std::string& why) {
  throw std::invalid_argument("linear system: " + why);
}

void agree(std::size_t& size, std::size_t given, const std::string& what) {
  if (size != 0 && size != given) {
    refuse(std::to_string(size) + " " + what + " are announced, but a matrix has " +
           std::to_string(given));
  }
  size = given;
}

}  // namespace

Coefficient& coefficient_at(CoefficientTable& table, std::size_t i, std::size_t j,
                            std::size_t equations, std::size_t unknowns) {
  if (i >= equations || j >= unknowns) {
    refuse("(" + std::to_string(i) + ", " + std::to_string(j) + ") lies outside of " +
           std::to_string(equations) + " equations and " + std::to_string(unknowns) +
           " unknowns; both are counted from 0");
  }
  return table[{i, j}];
}

Coefficient& coefficient_at(std::vector<Coefficient>& list, std::size_t i) {
  if (i >= list.size()) {
    refuse("there is no equation " + std::to_string(i) + " of " + std::to_string(list.size()) +
           ", counted from 0");
  }
  return list[i];
}

void fill(CoefficientTable& table, const std::vector<std::vector<double>>& rows,
          const std::string& name) {
  for (std::size_t i = 0; i < rows.size(); ++i) {
    for (std::size_t j = 0; j < rows[i].size(); ++j) {
      if (!std::isfinite(rows[i][j])) {
        refuse(name + "(" + std::to_string(i) + ", " + std::to_string(j) + ") is not finite");
      }
      if (rows[i][j] != 0.0) {
        table[{i, j}] = rows[i][j];
      }
    }
  }
}

void LinearSize::agree_with(const std::vector<std::vector<double>>& rows) {
  if (rows.empty()) {
    return;
  }
  agree(equations, rows.size(), "equations");
  for (const std::vector<double>& row : rows) {
    agree(unknowns, row.size(), "unknowns");
  }
}

void LinearSize::require_some() const {
  if (equations == 0 || unknowns == 0) {
    refuse("no equations or no unknowns; give matrices, or `equations` and `unknowns`");
  }
}

// A decision has no place in this recording, which the recording scalar reports as a logic_error; a
// caller's own mistake comes as one of its descendants.
void write_down(const std::function<void()>& terms) {
  try {
    terms();
  } catch (const std::invalid_argument&) {
    throw;
  } catch (const std::logic_error&) {
    refuse(
        "coefficients are smooth functions of time: comparisons, abs, min and max are not possible "
        "here. What switches is a model with events");
  }
}

std::vector<double> completed(std::vector<double> values, std::size_t size, double otherwise,
                              const std::string& what) {
  if (values.size() > size) {
    refuse(std::to_string(values.size()) + " " + what + " for " + std::to_string(size) +
           " unknowns");
  }
  for (const double value : values) {
    if (!std::isfinite(value)) {
      refuse("one of the " + what + " is not finite");
    }
  }
  values.resize(size, otherwise);
  return values;
}

std::vector<std::string> completed(std::vector<std::string> names, std::size_t size,
                                   const std::string& what) {
  if (names.size() > size) {
    refuse("there are more names than things to be named, '" + names.back() + "' is too much");
  }
  names.resize(size);
  for (std::size_t i = 0; i < size; ++i) {
    if (names[i].empty()) {
      names[i] = what + std::to_string(i + 1);
    }
  }
  return names;
}

}  // namespace saltus
