// SPDX-License-Identifier: BSD-2-Clause
// What a reduction calls its rows and columns, and what it says where there is no start.
#include <cmath>

#include "reduction_state.hpp"
#include "saltus/core/error.hpp"
#include "saltus/core/number_text.hpp"

namespace saltus {
namespace {

std::string text_of(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) {
    text += (text.empty() ? "" : ", ") + name;
  }
  return text;
}

}  // namespace

std::vector<std::string> ReducedModel::State::state_names() const {
  std::vector<std::string> names;
  for (const int state : now->solver.selection().states) {
    names.push_back(model.unknown_name(state));
  }
  return names;
}
std::vector<std::string> ReducedModel::State::unknown_names() const {
  std::vector<std::string> names;
  for (std::size_t j = 0; j < n; ++j) {
    names.push_back(model.unknown_name(j));
  }
  return names;
}

std::string ReducedModel::State::column_name(std::size_t column) const {
  if (column < n) {
    return model.unknown_name(column);
  }
  const auto& c = now->system.columns()[column];
  const std::string name = model.unknown_name(c.unknown);
  return c.degree == 1 ? "der(" + name + ")"
                       : "der(" + name + ", " + std::to_string(c.degree) + ")";
}

std::string ReducedModel::State::row_name(std::size_t row) const {
  return row_name(now->system.rows()[row]);
}
std::string ReducedModel::State::row_name(const ExtendedSystem::Row& r) const {
  const DerivativeArray& array = *model.derivative_array();
  const std::string name =
      "'" + (now->completed != nullptr ? *now->completed : array).equation_name(r.equation) + "'";
  return r.level == 0   ? name
         : r.level == 1 ? "the derivative of " + name
                        : "derivative " + std::to_string(r.level) + " of " + name;
}

// Which equation is it? Their derivatives may not be finite where they are.
IntegrationError ReducedModel::State::not_finite(double t) const {
  std::vector<double> slopes(n), rest(n, 0.0);
  now->system.slopes(now->z, slopes);
  const bool evaluable = model.residual(t, ConstVec(now->z).first(n), slopes, rest) == Eval::ok;
  std::string advice = evaluable ? "derivatives of the equations are" : "";
  for (std::size_t i = 0; !evaluable && i < rest.size(); ++i) {
    if (!std::isfinite(rest[i])) {
      advice += (advice.empty() ? "'" : ", '") + model.derivative_array()->equation_name(i) + "'";
    }
  }
  return {IntegrationError::Reason::bad_start, t, 0.0, "",
          (advice.empty() ? "an equation is" : advice) +
              " not finite at the start values; check these, and what is divided by, or what the "
              "root or logarithm is taken of"};
}

void ReducedModel::State::fail_start(double t, const SearchResult& result) {
  if (result.end == SearchResult::End::not_evaluable) {
    throw not_finite(t);
  }
  std::vector<std::string> involved;
  const auto& pattern = now->system.pattern();
  for (std::size_t c = 0; c < n; ++c) {
    for (int k = pattern.first[c]; k < pattern.first[c + 1]; ++k) {
      if (pattern.row[k] == static_cast<int>(result.worst_row)) {
        involved.push_back(column_name(c));
      }
    }
  }
  throw DaeError(DaeError::Reason::no_consistent_point, t, {row_name(result.worst_row)}, involved,
                 "no consistent start was found at t = " + number_text(t) + ": " +
                     row_name(result.worst_row) + " is off by " + number_text(result.rest) +
                     " and cannot be satisfied together with the others" +
                     (involved.empty() ? "" : " (it contains " + text_of(involved) + ")") +
                     (start() == ReductionOptions::Start::hold_differential
                          ? "; let differentiated unknowns move, or give them other start values"
                          : "; give start values nearer to a solution, or check the equation"));
}

}  // namespace saltus
