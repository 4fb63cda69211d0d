// SPDX-License-Identifier: BSD-2-Clause
#include "level.hpp"

#include <limits>
#include <utility>

#include "saltus/core/error.hpp"
#include "saltus/core/number_text.hpp"

namespace saltus::index {
namespace {

using Want = RankJudge::Want;

constexpr double kMachineError = std::numeric_limits<double>::epsilon();

std::string joined(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) {
    text += (text.empty() ? "\"" : ", \"") + name + "\"";
  }
  return text;
}

/// Columns of the array that belong to x^(q), in the column scale of x itself. An independent
/// scale of x' could hide an exact cancellation.
Matrix in_scale_of_x(const Level& level, int q, int n) {
  const Vector ratio =
      level.scales.array.column.head(n).cwiseQuotient(level.scales.array.column.segment(q * n, n));
  return level.scaled.middleCols(q * n, n) * ratio.asDiagonal();
}

void examine_first_order(Level& level, int n, RankJudge& judge, Matrix& tangent) {
  const Decomposition in_slope =
      judge.decompose(level.scaled.rightCols(level.scaled.cols() - n), Want::range);
  const Matrix& without_derivatives = in_slope.complement;
  const Decomposition in_x = judge.decompose(
      without_derivatives.transpose() * level.scaled.leftCols(n), Want::range_and_kernel);
  level.rank_from = {in_slope.rank + in_x.rank, in_slope.rank};
  level.below_leading = without_derivatives;
  level.a = in_x.rank;
  level.algebraic = without_derivatives * in_x.range;
  level.vanishing = without_derivatives * in_x.complement;
  level.first_order = Matrix(level.scaled.rows(), 0);
  level.tangent_error = kMachineError * in_slope.condition * in_x.condition;
  tangent = in_x.kernel;
}

void examine_second_order(Level& level, int n, RankJudge& judge, Matrix& tangent) {
  const Decomposition in_second =
      judge.decompose(level.scaled.rightCols(level.scaled.cols() - 2 * n), Want::range);
  const Matrix& without_second = in_second.complement;
  const Decomposition in_slope =
      judge.decompose(without_second.transpose() * level.scaled.middleCols(n, n), Want::range);
  const Matrix without_derivatives = without_second * in_slope.complement;
  const Decomposition in_x = judge.decompose(
      without_derivatives.transpose() * level.scaled.leftCols(n), Want::range_and_kernel);
  level.rank_from = {in_second.rank + in_slope.rank + in_x.rank, in_second.rank + in_slope.rank,
                     in_second.rank};
  level.below_leading = without_second;
  level.a = in_x.rank;
  level.algebraic = without_derivatives * in_x.range;
  level.vanishing = without_derivatives * in_x.complement;
  const Matrix with_slope = without_second * in_slope.range;
  const Matrix slope = with_slope.transpose() * in_scale_of_x(level, 1, n);
  const double error = kMachineError * in_second.condition * in_slope.condition * in_x.condition;
  const Decomposition along =
      judge.decompose(slope * in_x.kernel, Want::range_and_kernel,
                      {.size = slope.size() > 0 ? slope.norm() : 1.0, .error = error});
  level.tangent_error = error * along.condition;
  level.d1 = along.rank;
  level.first_order = with_slope * along.range;
  tangent = in_x.kernel * along.kernel;
}

}  // namespace

RankJudge make_judge(const ArrayPoint& point, RankJudge::Bases bases) {
  return {point.options(),
          [&point](const Vector& weights, double kept, double dropped) {
            const std::vector<std::string> names = weights.size() % point.equations() == 0
                                                       ? point.equation_names(weights)
                                                       : std::vector<std::string>();
            throw DaeError(
                DaeError::Reason::undecided, point.time(), names, {},
                "at t = " + number_text(point.time()) +
                    " it cannot be told how many equations are independent: the scaled singular "
                    "values " +
                    number_text(kept) + " and " + number_text(dropped) +
                    " are too near to each other for one to count and the other not" +
                    (names.empty() ? "" : " (equations " + joined(names) + ")") +
                    ". Try another rank_tolerance, or units in which the unknowns have similar "
                    "sizes");
          },
          bases};
}

LevelScales level_scales(ArrayPoint& point, int level) {
  LevelScales scales;
  scales.array = equilibrate(point.jacobian(level));
  const int n = point.unknowns();
  const auto column = scales.array.column.head(n).asDiagonal();
  const Matrix leading = point.derivative_matrix(point.order()) * column;
  scales.leading_row = Vector::Ones(leading.rows());
  if (n > 0) {
    Vector whole = Vector::Zero(leading.rows());
    for (int q = 0; q <= point.order(); ++q) {
      whole = whole.cwiseMax((point.derivative_matrix(q) * column).cwiseAbs().rowwise().maxCoeff() /
                             std::pow(point.scale(), q));
    }
    const Vector largest = leading.cwiseAbs().rowwise().maxCoeff();
    for (Eigen::Index i = 0; i < largest.size(); ++i) {
      // A coefficient that is rounding beside the rest of its equation is no coefficient.
      const double rounding =
          1e-3 * point.options().rank_tolerance * whole[i] * std::pow(point.scale(), point.order());
      scales.leading_row[i] = largest[i] > rounding ? 1.0 / largest[i] : 0.0;
    }
  }
  return scales;
}

Level examine_level(ArrayPoint& point, int level, const LevelScales& scales, RankJudge& judge) {
  const int n = point.unknowns();
  Level result;
  result.level = level;
  result.scales = scales;
  result.scaled =
      scales.array.row.asDiagonal() * point.jacobian(level) * scales.array.column.asDiagonal();
  Matrix tangent;
  if (point.order() == 1) {
    examine_first_order(result, n, judge, tangent);
  } else {
    examine_second_order(result, n, judge, tangent);
  }
  const Matrix leading = scales.leading_row.asDiagonal() * point.derivative_matrix(point.order()) *
                         scales.array.column.head(n).asDiagonal();
  const Decomposition along =
      judge.decompose(leading * tangent, Want::range_and_kernel, {.error = result.tangent_error});
  result.leading = along.rank;
  result.differential = along.range;
  result.free = tangent * along.kernel;
  return result;
}

Strangeness find_strangeness(ArrayPoint& point, RankJudge& judge) {
  const int m = point.equations();
  const int n = point.unknowns();
  if (point.order() > 2) {
    throw std::invalid_argument(
        "index analysis: equations of an order above 2; write them as equations of order 2");
  }
  int redundancy_below = 0;
  std::vector<LevelRanks> ranks;
  for (int l = 0; l <= point.options().max_index; ++l) {
    const auto rows = static_cast<std::size_t>((l + 1) * m);
    if (rows > point.options().max_dense_rows) {
      throw DaeError(DaeError::Reason::singular, point.time(), {}, {},
                     "the derivative array of level " + std::to_string(l) + " has " +
                         std::to_string(rows) +
                         " rows, too many for dense factorisations. Try to remove what deceives "
                         "the structural analysis, or raise max_dense_rows");
    }
    point.solve(l);
    Strangeness result;
    result.level = examine_level(point, l, level_scales(point, l), judge);
    const Level& level = result.level;
    const int v = level.redundancy() - redundancy_below;
    redundancy_below = level.redundancy();
    CharacteristicValues& values = result.values;
    values.mu = l;
    values.d = level.differential_equations();
    values.d2 = point.order() == 2 ? level.leading : 0;
    values.a = level.a;
    values.v = v;
    values.u = n - values.d - values.a;
    values.m = m;
    values.n = n;
    ranks.push_back({values, level.rank_from});
    if (values.d + values.a + values.v == m) {
      result.ranks = std::move(ranks);
      return result;
    }
  }
  throw DaeError(DaeError::Reason::singular, point.time(), {}, {},
                 "at t = " + number_text(point.time()) +
                     " the equations still hide something after " +
                     std::to_string(point.options().max_index) +
                     " differentiations. Common reasons: a point where a coefficient vanishes; "
                     "equations of a higher index (raise max_index)");
}

}  // namespace saltus::index
