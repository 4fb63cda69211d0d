// SPDX-License-Identifier: BSD-2-Clause
#include "rank_analysis.hpp"

#include <algorithm>
#include <cmath>

#include "core/at.hpp"
#include "level.hpp"
#include "row_selection.hpp"
#include "saltus/core/error.hpp"
#include "saltus/core/number_text.hpp"

namespace saltus::index {
namespace {

// A scaled coefficient that is not more than this is none.
constexpr double kRounding = 1e-14;

std::vector<int> support(const Matrix& vectors, int period) {
  std::vector<int> members;
  for (int i = 0; i < period; ++i) {
    for (Eigen::Index r = i; r < vectors.rows(); r += period) {
      if (vectors.row(r).norm() > 1e-6) {
        members.push_back(i);
        break;
      }
    }
  }
  return members;
}

/// The condition of the equilibrated rows R.
double rows_condition(const ArrayPoint& point, const Matrix& scaled,
                      const std::vector<int>& level) {
  std::vector<Eigen::Index> rows;
  for (Eigen::Index r = 0; r < scaled.rows(); ++r) {
    if (r / point.equations() <= level[static_cast<std::size_t>(r % point.equations())]) {
      rows.push_back(r);
    }
  }
  if (rows.empty()) {
    return 1.0;
  }
  Matrix selected(rows.size(), scaled.cols());
  for (std::size_t k = 0; k < rows.size(); ++k) {
    selected.row(static_cast<Eigen::Index>(k)) = scaled.row(rows[k]);
  }
  const Vector sigma = singular_values(selected);
  return sigma[0] / sigma[sigma.size() - 1];
}

/// One more differentiation, and the rows that then determine the highest derivatives.
std::vector<int> levels_for_derivatives(ArrayPoint& point, int level, RankJudge& judge,
                                        const std::vector<char>& needed) {
  point.solve(level);
  const Matrix J = point.jacobian(level);
  const Scales scales = equilibrate(J);
  const Matrix scaled = scales.row.asDiagonal() * J * scales.column.asDiagonal();
  const Eigen::Index kept = (point.order() + 1) * point.unknowns();
  const Matrix combinations =
      judge.decompose(scaled.rightCols(scaled.cols() - kept), RankJudge::Want::range).complement;
  const int rank =
      judge.decompose(combinations.transpose() * scaled.leftCols(kept), RankJudge::Want::range)
          .rank;
  return lowest_levels(J, kept, combinations.cols(), rank, needed, point.options().rank_tolerance);
}

/// Which rows and unknowns take part, at one point.
struct Participation {
  std::vector<int> level;
  std::vector<int> explicit_level;
  std::vector<char> differential;
};

Participation participation(ArrayPoint& point, const CharacteristicValues& values,
                            const Level& level, RankJudge& judge) {
  const int m = point.equations();
  const int n = point.unknowns();
  Participation result;
  // Where equations are redundant, one that no differential equation needs may go altogether.
  std::vector<char> needed(at(m), 1);
  if (values.v > 0) {
    for (int i = 0; i < m; ++i) {
      needed[at(i)] = level.differential.row(i).norm() > kRounding ? 1 : 0;
    }
  }
  const int rank = static_cast<int>(level.below_leading.cols()) - level.redundancy();
  result.level =
      lowest_levels(point.jacobian(level.level), point.order() * n, level.below_leading.cols(),
                    rank, needed, point.options().rank_tolerance);
  const Matrix leading = level.differential.transpose() * level.scales.leading_row.asDiagonal() *
                         point.derivative_matrix(point.order()) *
                         level.scales.array.column.head(n).asDiagonal();
  // Empty for first order.
  const Matrix below = level.first_order.transpose() * level.scaled.middleCols(n, n);
  for (int j = 0; j < n; ++j) {
    result.differential.push_back(leading.col(j).norm() + below.col(j).norm() > kRounding ? 1 : 0);
  }
  result.explicit_level = point.options().explicit_levels
                              ? levels_for_derivatives(point, values.mu + 1, judge, needed)
                              : result.level;
  return result;
}

/// A decision that another unit of time would turn round is none. One that cannot be made in the
/// other unit does not contradict.
void require_same_ranks_in_other_units(const ArrayPoint& point, const Strangeness& found) {
  // A power of two, so that nothing is rounded otherwise. Farther units refuse more models whose
  // coefficients differ in size, nearer ones notice fewer accidents.
  constexpr double kOther = 8.0;
  for (const double factor : {kOther, 1.0 / kOther}) {
    ArrayPoint other = point.in_scale(factor * point.scale());
    RankJudge judge = make_judge(other, RankJudge::Bases::any);
    Level level;
    try {
      level =
          examine_level(other, found.level.level, level_scales(other, found.level.level), judge);
    } catch (const Error&) {
      continue;
    }
    if (!level.same_ranks(found.level)) {
      throw DaeError(
          DaeError::Reason::undecided, point.time(), {}, {},
          "at t = " + number_text(point.time()) +
              " it cannot be told how many equations are independent: in the unit of time " +
              number_text(point.scale()) + " they leave " + std::to_string(found.level.a) +
              " algebraic and " + std::to_string(found.level.differential_equations()) +
              " differential equations, in the unit " + number_text(other.scale()) + " " +
              std::to_string(level.a) + " and " + std::to_string(level.differential_equations()) +
              ". Try units in which the coefficients have similar sizes");
    }
  }
}

// How far beside a point one looks, in units of the time scale and of the coefficients: far enough
// that what is zero at the point alone is clearly not zero any more, also where it counts squared.
constexpr double kAside = 0.01;

/// At a point of symmetry, or at a time at which coefficients are zero that will not be zero a
/// moment later, equations take part in fewer combinations than elsewhere. So the same question is
/// asked beside the point and a moment later, and what takes part at either takes part.
void include_neighbourhood(const ArrayPoint& point, const CharacteristicValues& values,
                           const Level& level, Participation& result) {
  std::vector<double> c = point.coefficients();
  for (std::size_t k = 0; k < c.size(); ++k) {
    const double size = c[k] != 0.0 ? std::abs(c[k]) : 1.0;
    c[k] += kAside * size * std::sin(1.7 * static_cast<double>(k + 1));
  }
  try {
    ArrayPoint beside(point.array(), point.time() + kAside * point.scale(), c, point.options());
    RankJudge judge = make_judge(beside, RankJudge::Bases::any);
    beside.solve(level.level);
    const Level there =
        examine_level(beside, level.level, level_scales(beside, level.level), judge);
    if (!there.same_ranks(level)) {
      return;  // whoever starts there finds out: the equations are singular at the point or beside
    }
    const Participation also = participation(beside, values, there, judge);
    for (std::size_t i = 0; i < result.level.size(); ++i) {
      result.level[i] = std::max(result.level[i], also.level[i]);
      result.explicit_level[i] = std::max(result.explicit_level[i], also.explicit_level[i]);
    }
    for (std::size_t j = 0; j < result.differential.size(); ++j) {
      result.differential[j] = std::max(result.differential[j], also.differential[j]);
    }
  } catch (const Error&) {
    // Beside the point the equations may not be evaluable; then the point itself has to do.
  }
}

}  // namespace

void analyze_ranks(ArrayPoint& point, IndexAnalysis& analysis) {
  RankJudge judge = make_judge(point);
  Strangeness found = find_strangeness(point, judge);
  require_same_ranks_in_other_units(point, found);
  const Level& level = found.level;
  analysis.values = found.values;
  analysis.ranks = std::move(found.ranks);
  Participation rows = participation(point, found.values, level, judge);
  // With redundant equations the choice of rows is not unique: a union would bring them back.
  if (found.values.v == 0) {
    include_neighbourhood(point, found.values, level, rows);
  }
  analysis.level = std::move(rows.level);
  analysis.explicit_level = std::move(rows.explicit_level);
  analysis.differential = std::move(rows.differential);
  analysis.order.assign(at(point.unknowns()), 0);
  for (const DerivativeArray::Entry& entry : point.array().entries()) {
    if (analysis.level[at(entry.row)] >= 0) {
      int& order = analysis.order[at(entry.unknown)];
      order = std::max(order, analysis.level[at(entry.row)] + entry.order);
    }
  }
  analysis.condition = rows_condition(point, level.scaled, analysis.level);
  if (found.values.v > 0 && analysis.redundant_equations.empty()) {
    analysis.redundant_equations = support(level.vanishing, point.equations());
  }
  if (found.values.u > 0 && analysis.free_unknowns.empty()) {
    analysis.free_unknowns = support(level.free, point.unknowns());
  }
  analysis.gap = judge.smallest_gap();
}

}  // namespace saltus::index
