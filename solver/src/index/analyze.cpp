// SPDX-License-Identifier: BSD-2-Clause
#include <algorithm>
#include <cmath>
#include <numeric>

#include "index/level.hpp"
#include "index/row_selection.hpp"
#include "index/system_jacobian.hpp"
#include "index/transversal.hpp"
#include "number_text.hpp"
#include "saltus/error.hpp"
#include "saltus/index_analysis.hpp"

namespace saltus {
namespace {

using index::ArrayPoint;
using index::Matrix;
using index::RankJudge;
using index::Vector;

std::size_t at(int i) { return static_cast<std::size_t>(i); }

/// How many algebraic equations for x alone the rows of R leave, if nothing cancels by accident:
/// those rows that cannot be paired with a derivative.
int generic_algebraic_equations(const IndexAnalysis& analysis,
                                std::span<const DerivativeArray::Entry> entries) {
  std::vector<int> first_row = {0};
  for (const int c : analysis.level) {
    first_row.push_back(first_row.back() + c + 1);
  }
  std::vector<int> first_column = {0};
  for (const int d : analysis.order) {
    first_column.push_back(first_column.back() + d);
  }
  std::vector<index::WeightTable::Item> items;
  for (const DerivativeArray::Entry& entry : entries) {
    for (int k = 0; k <= analysis.level[at(entry.row)]; ++k) {
      // Differentiated k times, the entry contains all derivatives up to entry.order + k; the
      // lower ones stand for the Taylor coefficients of the entry itself.
      for (int q = 1; q <= entry.order + k; ++q) {
        items.push_back({first_row[at(entry.row)] + k, first_column[at(entry.unknown)] + q - 1, 0});
      }
    }
  }
  const index::WeightTable table(first_row.back(), first_column.back(), items);
  return first_row.back() - index::heaviest_transversal(table).size;
}

CharacteristicValues structural_values(const IndexAnalysis& analysis,
                                       const DerivativeArray& array) {
  CharacteristicValues values;
  values.m = static_cast<int>(array.equations());
  values.n = static_cast<int>(array.unknowns());
  if (values.n == 0) {
    return values;
  }
  const int order = index::occurring_order(array);
  const int differentiations = *std::max_element(analysis.level.begin(), analysis.level.end());
  const int lowest = *std::min_element(analysis.order.begin(), analysis.order.end());
  values.mu = std::max(0, differentiations - std::min(lowest, order));
  const int freedom = std::accumulate(analysis.order.begin(), analysis.order.end(), 0) -
                      std::accumulate(analysis.level.begin(), analysis.level.end(), 0);
  if (order == 1) {
    values.d = freedom;
    values.a = values.n - freedom;
  } else {
    // Each algebraic equation takes away two start values, each of first order one.
    values.a = generic_algebraic_equations(analysis, array.entries());
    values.d = values.n - values.a;
    values.d2 = freedom - values.d;
  }
  return values;
}

/// True if the structural offsets hold at this point; `analysis` then has them.
bool analyze_structure(ArrayPoint& point, const StructuralOffsets& offsets,
                       IndexAnalysis& analysis) {
  const DerivativeArray& array = point.array();
  if (!offsets.matched) {
    analysis.why_not_structural = describe(offsets, array, point.options().unknown_names);
    analysis.redundant_equations = offsets.overdetermined_equations;
    analysis.free_unknowns = offsets.underdetermined_unknowns;
    return false;
  }
  analysis.condition =
      index::system_jacobian_condition(offsets, array.entries(), point.entry_derivatives());
  if (!(analysis.condition < point.options().max_condition)) {
    analysis.why_not_structural = "the system Jacobian is singular (condition " +
                                  number_text(analysis.condition) +
                                  "): equations depend on each other in a way that the pattern "
                                  "does not show";
    return false;
  }
  analysis.structural = true;
  analysis.level = offsets.equation_offset;
  analysis.explicit_level = analysis.level;
  analysis.order = offsets.unknown_offset;
  for (const int order : analysis.order) {
    analysis.differential.push_back(order > 0 ? 1 : 0);
  }
  analysis.gap = kNever;
  analysis.values = structural_values(analysis, array);
  return true;
}

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
  const Vector sigma = index::singular_values(selected);
  return sigma[0] / sigma[sigma.size() - 1];
}

/// One more differentiation, and the rows that then determine the highest derivatives.
std::vector<int> levels_for_derivatives(ArrayPoint& point, int level, RankJudge& judge,
                                        const std::vector<char>& needed) {
  point.settle(level);
  const Matrix J = point.jacobian(level);
  const index::Scales scales = index::equilibrate(J);
  const Matrix scaled = scales.row.asDiagonal() * J * scales.column.asDiagonal();
  const Eigen::Index kept = (point.order() + 1) * point.unknowns();
  const Matrix combinations =
      judge.decompose(scaled.rightCols(scaled.cols() - kept), RankJudge::Want::range).complement;
  const int rank =
      judge.decompose(combinations.transpose() * scaled.leftCols(kept), RankJudge::Want::range)
          .rank;
  return index::lowest_levels(J, kept, combinations.cols(), rank, needed,
                              point.options().rank_tolerance);
}

void analyze_ranks(ArrayPoint& point, IndexAnalysis& analysis) {
  const int m = point.equations();
  const int n = point.unknowns();
  RankJudge judge = index::make_judge(point);
  const index::Strangeness found = index::find_strangeness(point, judge);
  const index::Level& level = found.level;
  analysis.values = found.values;

  // Where equations are redundant, one that no differential equation needs may go altogether.
  std::vector<char> needed(at(m), 1);
  if (found.values.v > 0) {
    for (int i = 0; i < m; ++i) {
      needed[at(i)] = level.differential.row(i).norm() > 1e-14 ? 1 : 0;
    }
  }
  const int rank = static_cast<int>(level.below_leading.cols()) - level.redundancy();
  analysis.level = index::lowest_levels(point.jacobian(level.level), point.order() * n,
                                        level.below_leading.cols(), rank, needed,
                                        point.options().rank_tolerance);
  analysis.order.assign(at(n), 0);
  for (const DerivativeArray::Entry& entry : point.array().entries()) {
    if (analysis.level[at(entry.row)] >= 0) {
      int& order = analysis.order[at(entry.unknown)];
      order = std::max(order, analysis.level[at(entry.row)] + entry.order);
    }
  }
  const Matrix differential =
      level.differential.transpose() * level.scales.leading_row.asDiagonal() *
      point.derivative_matrix(point.order()) * level.scales.array.column.head(n).asDiagonal();
  Matrix occurring = differential;
  if (point.order() == 2) {
    occurring.resize(differential.rows() + level.first_order.cols(), n);
    occurring.topRows(differential.rows()) = differential;
    occurring.bottomRows(level.first_order.cols()) =
        level.first_order.transpose() * level.scaled.middleCols(n, n);
  }
  for (int j = 0; j < n; ++j) {
    analysis.differential.push_back(occurring.rows() > 0 && occurring.col(j).norm() > 1e-14 ? 1
                                                                                            : 0);
  }
  analysis.condition = rows_condition(point, level.scaled, analysis.level);
  if (found.values.v > 0 && analysis.redundant_equations.empty()) {
    analysis.redundant_equations = support(level.vanishing, m);
  }
  if (found.values.u > 0 && analysis.free_unknowns.empty()) {
    analysis.free_unknowns = support(level.free, n);
  }
  analysis.explicit_level = levels_for_derivatives(point, found.values.mu + 1, judge, needed);
  analysis.gap = judge.smallest_gap();
}

}  // namespace

IndexAnalysis analyze_index(DerivativeArray& array, double t, ConstVec c,
                            const IndexOptions& options) {
  using Method = IndexOptions::Method;
  ArrayPoint point(array, t, c, options);
  point.require_evaluable();
  IndexAnalysis analysis;
  const StructuralOffsets offsets =
      structural_offsets(array.equations(), array.unknowns(), array.entries());
  if (options.method != Method::numerical) {
    if (analyze_structure(point, offsets, analysis)) {
      analysis.coefficients = point.coefficients();
      return analysis;
    }
    if (options.method == Method::structural || array.equations() > options.max_dense_rows) {
      throw DaeError(DaeError::Reason::singular, t, {}, {},
                     "at t = " + number_text(t) +
                         " the structural analysis failed: " + analysis.why_not_structural);
    }
  } else {
    analysis.why_not_structural = "not asked for";
  }
  analyze_ranks(point, analysis);
  analysis.coefficients = point.coefficients();
  return analysis;
}

CharacteristicValues characteristic_values(DerivativeArray& array, double t, ConstVec c,
                                           const IndexOptions& options) {
  ArrayPoint point(array, t, c, options);
  RankJudge judge = index::make_judge(point);
  return index::find_strangeness(point, judge).values;
}

}  // namespace saltus
