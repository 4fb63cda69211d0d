// SPDX-License-Identifier: BSD-2-Clause
// How the states of the nearest point follow what is given, with the curvature of the constraints.
#include <algorithm>
#include <cmath>

#include "core/at.hpp"
#include "point_derivatives.hpp"

namespace saltus {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

}  // namespace

// J' m = v in the free columns.
bool PointDerivatives::multipliers(const Tangent& tangent, const VectorXd& v,
                                   VectorXd& result) const {
  const std::vector<int>& free = r_.solver.selection().free;
  SparseLu<double> lu;
  if (!factorize(tangent, true, lu)) {
    return false;
  }
  result.resize(index(free.size()));
  for (std::size_t k = 0; k < free.size(); ++k) {
    result[index(k)] = v[free[k]];
  }
  lu.solve(std::span<double>(result.data(), free.size()));
  return true;
}

// J' m beside a point, by columns of the reduction.
Eval PointDerivatives::weighed_rows(const Tangent& at_point, const VectorXd& multipliers,
                                    const Shift& shift, VectorXd& result) {
  std::vector<double> z = at_point.z;
  for (std::size_t c = 0; c < z.size(); ++c) {
    z[c] += shift.width * shift.z[index(c)];
  }
  place(z);
  if (shift.known >= given_.size() && shift.known < knowns()) {
    const std::size_t unknown = r_.system.unknowns() + shift.known - given_.size();
    point_[at(known_.column(static_cast<int>(unknown), 0))] += shift.width;
  }
  if (known_.jacobian(time_, point_, known_entries_) == Eval::discard) {
    return Eval::discard;
  }
  VectorXd by_row = VectorXd::Zero(index(known_.rows().size()));
  for (std::size_t r = 0; r < row_of_.size(); ++r) {
    if (row_of_[r] >= 0) by_row[row_of_[r]] = multipliers[index(r)];
  }
  const Pattern& pattern = known_.pattern();
  result = VectorXd::Zero(index(z.size()));
  for (std::size_t c = 0; c < z.size(); ++c) {
    const int column = column_of_[c];
    for (int e = column < 0 ? 0 : pattern.first[at(column)];
         column >= 0 && e < pattern.first[at(column) + 1]; ++e) {
      result[index(c)] += by_row[pattern.row[at(e)]] * known_entries_[at(e)];
    }
  }
  return Eval::ok;
}

// How J' m changes along a direction: two differences, extrapolated.
Eval PointDerivatives::bend(const Tangent& at_point, const VectorXd& multipliers,
                            const VectorXd& along, std::size_t known, VectorXd& result) {
  // The error of extrapolated central differences is least near the fifth root of rounding, 7e-4 of
  // the size; a little less, for equations that bend within less than their size.
  constexpr double kWidth = 1e-4;
  double fastest = 0.0;
  if (known >= given_.size() && known < knowns()) {
    const std::size_t i = known - given_.size();
    const double value = i < numbers_ ? equations_.given_values()[i] : time_;
    fastest = 1.0 / std::max(1.0, std::fabs(value));
  }
  for (std::size_t c = 0; c < at_point.z.size(); ++c) {
    const double size = r_.weight[c] + std::fabs(at_point.z[c]);
    fastest = std::max(fastest, std::fabs(along[index(c)]) / size);
  }
  result = VectorXd::Zero(along.size());
  if (fastest == 0.0) {
    return Eval::ok;
  }
  VectorXd above, below;
  const auto difference = [&](double width, VectorXd& rate) {
    if (weighed_rows(at_point, multipliers, {along, known, width}, above) == Eval::discard ||
        weighed_rows(at_point, multipliers, {along, known, -width}, below) == Eval::discard) {
      return false;
    }
    rate = (above - below) / (2.0 * width);
    return true;
  };
  VectorXd wide;
  if (!difference(kWidth / fastest, wide) || !difference(0.5 * kWidth / fastest, result)) {
    return Eval::discard;
  }
  result += (result - wide) / 3.0;
  return Eval::ok;
}

// The rates of the states, one column for each known.
Eval PointDerivatives::nearest(const std::vector<char>& counts, const Tangent& here,
                               MatrixXd& moves) {
  constexpr double kRounding = 1e-13;  // as that of the search
  VectorXd rest = VectorXd::Zero(index(r_.z.size()));
  VectorXd weight = rest;  // W^-2
  double astray = 0.0;
  for (std::size_t j = 0; j < counts.size(); ++j) {
    if (counts[j] == 0) continue;
    const double begin = j < given_.size() ? given_[j] : r_.z[j];
    const double size = r_.weight[j] + std::fabs(begin);
    weight[index(j)] = 1.0 / (size * size);
    rest[index(j)] = begin - r_.z[j];
    astray = std::max(astray, std::fabs(rest[index(j)]) / size);
  }
  const MatrixXd across = here.responses.transpose() * weight.asDiagonal();
  MatrixXd matrix = across * here.responses;
  const bool bends = astray > kRounding;
  VectorXd weighed, bent;
  if (bends && !multipliers(here, VectorXd(weight.cwiseProduct(rest)), weighed)) {
    return Eval::discard;
  }
  for (Index s = 0; bends && s < matrix.cols(); ++s) {
    if (bend(here, weighed, here.responses.col(s), knowns(), bent) == Eval::discard) {
      return Eval::discard;
    }
    matrix.col(s) += here.responses.transpose() * bent;
  }
  const Eigen::PartialPivLU<MatrixXd> solver(matrix);
  moves.resize(matrix.cols(), index(knowns()));
  for (std::size_t k = 0; k < knowns(); ++k) {
    VectorXd along = follow(here, k);
    VectorXd moved = -along;
    if (k < given_.size() && counts[k] != 0) {
      const double size = r_.weight[k] + std::fabs(given_[k]);
      moved[index(k)] += 1.0 - 2.0 * std::copysign(1.0, given_[k]) * rest[index(k)] / size;
    }
    VectorXd right = across * moved;
    if (bends && k >= given_.size()) {
      if (bend(here, weighed, along, k, bent) == Eval::discard) {
        return Eval::discard;
      }
      right -= here.responses.transpose() * bent;
    }
    moves.col(index(k)) = solver.solve(right);
  }
  return Eval::ok;
}

}  // namespace saltus
