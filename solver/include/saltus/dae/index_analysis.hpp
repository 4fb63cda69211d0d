// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "saltus/core/derivative_array.hpp"
#include "saltus/core/types.hpp"

namespace saltus {

/// What the m equations F(t, x, x') = 0 say about their n unknowns once everything hidden in their
/// derivatives is out: they are equivalent to d differential equations, a algebraic ones that
/// determine a unknowns, and v that say nothing; u unknowns stay free. (Kunkel, Mehrmann:
/// Differential-Algebraic Equations, 2006, Hypothesis 4.2.)
struct CharacteristicValues {
  /// The strangeness index: how often equations must be differentiated until nothing is hidden.
  /// The differentiation index is mu + 1, or 0 for an ordinary differential equation (a = 0).
  int mu = 0;
  /// Differential equations, of first and of second order together.
  int d = 0;
  /// Those of d that are of second order: 0 for F(t, x, x').
  int d2 = 0;
  int a = 0;
  /// Undetermined unknowns, n - d - a: somebody has to choose them.
  int u = 0;
  /// Equations that follow from others, or contradict them: d + a + v = m.
  int v = 0;
  int m = 0;
  int n = 0;

  /// How many start values may be chosen freely.
  int degrees_of_freedom() const { return d + d2; }
  /// Every choice of those start values has exactly one solution.
  bool is_regular() const { return u == 0 && v == 0; }
  bool operator==(const CharacteristicValues&) const = default;
};

/// "mu = 2, d = 2, a = 3, u = 0, v = 0".
std::string to_string(const CharacteristicValues& values);

struct IndexOptions {
  /// A singular value counts if it exceeds this times the largest one. It is applied to matrices
  /// whose rows and columns were first brought to the size one, so that units do not matter.
  double rank_tolerance = 1e-9;
  /// The smallest singular value that counts must exceed the largest that does not by this factor;
  /// else the rank is called undecided.
  double rank_gap = 1e3;
  /// The time unit of the Taylor coefficients. 0: from the equations themselves, the unit in which
  /// x' is of the size of x as far as one unit can do that (`IndexAnalysis::scale` is what was
  /// found); coefficients are then given in the unit 1. It does not depend on the length of a run.
  double scale = 0.0;
  /// The highest strangeness index that is tried.
  int max_index = 12;
  /// Structural offsets are trusted while the condition of the system Jacobian is below.
  double max_condition = 1e10;
  /// The derivative array has dense factorisations: it is refused above this number of rows.
  std::size_t max_dense_rows = 3000;
  enum class Method {
    /// Structural where it can be verified, else numerical. In the structural case mu counts
    /// structural differentiations: an upper bound for equations of first order. `numerical` or
    /// `characteristic_values` give the exact value.
    automatic,
    structural,
    numerical,
  };
  Method method = Method::automatic;
  /// Whether `IndexAnalysis::explicit_level` is wanted. In the numerical case it needs one more
  /// differentiation, which is most of the work; without it equals `level`.
  bool explicit_levels = true;
  /// For messages; an unknown without a name is called "unknown 3".
  std::vector<std::string> unknown_names = {};
};

/// What the equations and their derivatives up to one level say: the derivative array (Kunkel,
/// Mehrmann, section 3.2; for second order Wunderlich: Analysis and Numerical Solution of
/// Structured and Switched Differential-Algebraic Systems, TU Berlin 2008, section 3.1).
struct LevelRanks {
  /// As far as this level shows them, with mu the level. Something is still hidden while d + a + v
  /// is not m.
  CharacteristicValues values;
  /// rank_from[q]: of all columns that belong to x^(q) or higher derivatives. So for second order,
  /// with M for what multiplies x'' and higher ones, L for x' and N for x: rank [M, L, N],
  /// rank [M, L], rank M; for first order rank [M, N] and rank M.
  std::vector<int> rank_from;
};

/// How often each equation must be differentiated, and what then occurs.
struct IndexAnalysis {
  CharacteristicValues values;
  /// The structural analysis succeeded; else the values come from the ranks of the derivative
  /// array.
  bool structural = false;
  /// level[i]: equation i is needed together with its first level[i] derivatives. These rows, R,
  /// determine all algebraic equations, hidden ones included. -1: the equation follows from
  /// others (only where v > 0).
  std::vector<int> level;
  /// The same, but such that R determines also the highest derivative of every unknown once x is
  /// known: what an explicit formulation x' = f(t, x) needs. Structural offsets do so anyway for
  /// the differential unknowns, and then this equals `level`.
  std::vector<int> explicit_level;
  /// order[j]: the highest derivative of unknown j that occurs in R (of `level`).
  std::vector<int> order;
  /// differential[j] != 0: unknown j occurs differentiated in what remains as differential
  /// equations. The others belong to the algebraic equations alone: a consistent start may
  /// move them freely.
  std::vector<char> differential;
  /// Of the scaled system Jacobian (structural case), else of the rows R.
  double condition = 0.0;
  /// The smallest ratio between a singular value that counted and one that did not (numerical
  /// case); infinite if nothing was near.
  double gap = 0.0;
  /// Why the structural analysis was not used; empty if it was.
  std::string why_not_structural;
  /// Where v > 0: equations among which some are redundant. Where u > 0: unknowns among which some
  /// are free.
  std::vector<int> redundant_equations;
  std::vector<int> free_unknowns;
  /// The levels 0 to mu of the derivative array (numerical case).
  std::vector<LevelRanks> ranks;
  /// The time unit of `coefficients`: that of the options, or what the equations say.
  double scale = 1.0;
  /// The Taylor coefficients at which the ranks were taken: those given, made to satisfy the
  /// derivative array by the smallest change (numerical case, as far as that is possible).
  std::vector<double> coefficients;
};

/// Analyses the equations near the Taylor coefficients c (c[k * unknowns() + j], any number of
/// complete degrees; missing ones count as zero).
///
/// Redundant equations and free unknowns are no error here: see `values.u`, `values.v` and
/// `require_regular`. Throws `DaeError`: `undecided` if a rank cannot be told, `singular` if
/// max_index is not enough or if a large system is structurally singular; `IntegrationError`
/// (`bad_start`) if the equations cannot be evaluated there.
IndexAnalysis analyze_index(DerivativeArray& array, double t, ConstVec c,
                            const IndexOptions& options = {});

/// Throws `DaeError` (`singular` or `not_square`) with the names of the redundant equations and
/// free unknowns unless every choice of start values has exactly one solution.
void require_regular(const IndexAnalysis& analysis, const DerivativeArray& array, double t,
                     const std::vector<std::string>& unknown_names = {});

/// The analysis for people, a line each: sizes, mu, differentiation index, d, a, u, v, how it was
/// found, `states` (the unknowns that carry the motion, see `ReducedModel::states`), and which
/// equations are differentiated how often. An exported FMU carries it, `saltus analyze` shows it.
std::string describe(const IndexAnalysis& analysis, const DerivativeArray& array,
                     const std::vector<std::string>& unknown_names,
                     const std::vector<std::string>& states);

/// The characteristic values alone, by the ranks of the derivative array. The same errors.
CharacteristicValues characteristic_values(DerivativeArray& array, double t, ConstVec c,
                                           const IndexOptions& options = {});

/// What the pattern of the equations says: the Sigma method (Pryce: A simple structural analysis
/// method for DAEs, BIT 41, 2001). It looks at which derivatives occur where, not at numbers, and
/// so works for 100000 equations; but it may be deceived, which is why `analyze_index` verifies.
struct StructuralOffsets {
  /// Equations and unknowns can be paired: the pattern does not forbid a unique solution.
  bool matched = false;
  /// Equation i is to be differentiated equation_offset[i] times (c_i), and then unknown j occurs
  /// up to its derivative unknown_offset[j] (d_j). The smallest possible.
  std::vector<int> equation_offset;
  std::vector<int> unknown_offset;
  /// partner[i]: the unknown that equation i is paired with, or -1.
  std::vector<int> partner;
  /// If not matched (Dulmage, Mendelsohn: Coverings of bipartite graphs, 1958): these equations
  /// contain fewer unknowns than there are equations ...
  std::vector<int> overdetermined_equations;
  std::vector<int> overdetermined_unknowns;
  /// ... and these unknowns occur in fewer equations than there are unknowns.
  std::vector<int> underdetermined_equations;
  std::vector<int> underdetermined_unknowns;
};

StructuralOffsets structural_offsets(std::size_t equations, std::size_t unknowns,
                                     std::span<const DerivativeArray::Entry> entries);

/// The parts that have too many or too few equations, in words; empty if matched.
std::string describe(const StructuralOffsets& offsets, const DerivativeArray& array,
                     const std::vector<std::string>& unknown_names);

}  // namespace saltus
