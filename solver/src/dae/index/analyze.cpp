// SPDX-License-Identifier: BSD-2-Clause
#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/at.hpp"
#include "level.hpp"
#include "rank_analysis.hpp"
#include "saltus/core/error.hpp"
#include "saltus/core/number_text.hpp"
#include "saltus/dae/index_analysis.hpp"
#include "system_jacobian.hpp"
#include "transversal.hpp"

namespace saltus {
namespace {

using index::ArrayPoint;

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

}  // namespace

IndexAnalysis analyze_index(DerivativeArray& array, double t, ConstVec c,
                            const IndexOptions& options) {
  using Method = IndexOptions::Method;
  ArrayPoint point(array, t, c, options);
  point.require_evaluable();
  IndexAnalysis analysis;
  analysis.scale = point.scale();
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
  index::analyze_ranks(point, analysis);
  analysis.coefficients = point.coefficients();
  return analysis;
}

CharacteristicValues characteristic_values(DerivativeArray& array, double t, ConstVec c,
                                           const IndexOptions& options) {
  ArrayPoint point(array, t, c, options);
  index::RankJudge judge = index::make_judge(point);
  return index::find_strangeness(point, judge).values;
}

}  // namespace saltus
