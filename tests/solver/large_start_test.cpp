// SPDX-License-Identifier: BSD-2-Clause
// Consistent starts of many unknowns: sparse, and the same as dense ones.
#include <Eigen/Dense>
#include <catch2/catch.hpp>
#include <cmath>
#include <random>
#include <vector>

#include "dae/reduction/dense_least_change.hpp"
#include "dae/reduction/least_change.hpp"
#include "linear/elimination.hpp"
#include "problems/daes/large_starts.hpp"
#include "saltus/control/mode_controller.hpp"
#include "saltus/core/error.hpp"
#include "saltus/dae/reduced_model.hpp"
#include "saltus/events/integrated_model.hpp"
#include "saltus/integrators/radau.hpp"

namespace saltus::large_start_test {

struct Sparse {
  Pattern pattern;
  std::vector<double> values;

  explicit Sparse(const Eigen::MatrixXd& matrix) {
    pattern.rows = static_cast<std::size_t>(matrix.rows());
    for (Eigen::Index j = 0; j < matrix.cols(); ++j) {
      for (Eigen::Index i = 0; i < matrix.rows(); ++i) {
        if (matrix(i, j) != 0.0) {
          pattern.row.push_back(static_cast<int>(i));
          values.push_back(matrix(i, j));
        }
      }
      pattern.first.push_back(static_cast<int>(pattern.row.size()));
    }
  }
};

/// A random matrix of few entries in which some rows are sums of others.
Eigen::MatrixXd random_matrix(std::mt19937& random, int rows, int columns, int dependent) {
  std::uniform_real_distribution<double> number(-1.0, 1.0);
  std::uniform_int_distribution<int> column(0, columns - 1);
  Eigen::MatrixXd matrix = Eigen::MatrixXd::Zero(rows, columns);
  for (int i = 0; i < rows; ++i) {
    for (int k = 0; k < 4; ++k) {
      matrix(i, column(random)) = number(random);
    }
  }
  for (int i = 0; i < dependent; ++i) {
    matrix.row(rows - 1 - i) = matrix.row(i) - 2.0 * matrix.row(i + 1);
  }
  return matrix;
}

TEST_CASE("elimination finds the rank of columns, and that of more columns after it") {
  std::mt19937 random(7);
  for (int seed = 0; seed < 200; ++seed) {
    const int rows = 5 + seed % 40, columns = 5 + (7 * seed) % 50;
    const Eigen::MatrixXd matrix = random_matrix(random, rows, columns, seed % 3);
    const Sparse sparse(matrix);
    std::vector<int> stage(static_cast<std::size_t>(columns), 0);
    std::fill(stage.begin() + columns / 2, stage.end(), 1);
    const Elimination found =
        eliminate(sparse.pattern, sparse.values, {.stage = stage, .clearly = {0.0}});
    const auto rank = [](const Eigen::MatrixXd& of) {
      Eigen::FullPivHouseholderQR<Eigen::MatrixXd> qr(of);
      qr.setThreshold(1e-10);
      return static_cast<int>(qr.rank());
    };
    CHECK(found.rank[0] == rank(matrix.leftCols(columns / 2)));
    CHECK(found.rank[1] == rank(matrix));
    const Eigen::MatrixXd pivots = matrix(found.rows, found.columns);
    CHECK(rank(pivots) == found.rank[1]);
  }
}

TEST_CASE("the least change of many columns is that of few") {
  std::mt19937 random(11);
  std::uniform_real_distribution<double> number(-1.0, 1.0);
  for (int seed = 0; seed < 100; ++seed) {
    const int rows = 6 + seed % 20, columns = rows + 3 + seed % 11;
    const Eigen::MatrixXd matrix = random_matrix(random, rows, columns, seed % 3);
    const Sparse sparse(matrix);
    std::vector<Mobility> mobility(static_cast<std::size_t>(columns), Mobility::free);
    Eigen::VectorXd somewhere(columns);
    for (int j = 0; j < columns; ++j) {
      const auto at = static_cast<std::size_t>(j);
      mobility[at] = j % 5 == 0 ? Mobility::held : j % 3 == 0 ? Mobility::reluctant : mobility[at];
      somewhere[j] = mobility[at] == Mobility::held ? 0.0 : number(random);
    }
    const Eigen::VectorXd right = matrix * somewhere;
    const ConstVec b(right.data(), static_cast<std::size_t>(rows));
    std::vector<double> dense(mobility.size()), other(mobility.size());
    DenseLeastChange few(nullptr);
    few.factorize(sparse.pattern, sparse.values, mobility);
    few.solve(b, dense);
    LeastChange many;
    REQUIRE(many.factorize(sparse.pattern, sparse.values, mobility));
    many.solve(b, other);
    for (std::size_t j = 0; j < other.size(); ++j) {
      CHECK(other[j] == Approx(dense[j]).margin(1e-7));
    }
  }
}

/// A run through `ReducedModel` and `Radau`.
template <class Model>
struct Run {
  Model model{"model"};
  ReducedModel reduced{model};
  Radau radau{reduced, {.relative_tolerance = 1e-6, .absolute_tolerance = 1e-6}};
  IntegratedModel system{reduced, radau};
  ModeController controller{system, {}};

  explicit Run(double stop = 1.0) { controller.start({.stop = stop, .tolerance = 1e-6}); }
  double operator[](std::size_t j) const { return system.unknowns()[j]; }
};

TEST_CASE("a chain of a thousand links starts, whatever their length") {
  constexpr std::size_t kLinks = 1000;
  using Chain = problems::CartesianChain<kLinks>;
  Chain::length = GENERATE(1.0, 1.0 / kLinks);
  Chain::astray = 0.0;
  const Run<modeling::NativeModel<Chain::Model>> run;
  CHECK(run.reduced.states().size() == 2 * kLinks);
  CHECK(run.reduced.adjustments().empty());
  for (std::size_t k = 0; k < kLinks; ++k) {
    // Nothing pulls while all hang on their neighbours side by side.
    CHECK(std::fabs(run[4 * kLinks + k]) < 1e-9);
    CHECK(run[k] == Approx(Chain::length * static_cast<double>(k + 1)));
  }
  Chain::length = 1.0;
}

TEST_CASE("a long chain starts, however long it is announced to run") {
  using Chain = problems::CartesianChain<200>;
  for (const double stop : {1e-9, 1e-6, 1e-3, 1.0, 1e3}) {
    INFO(stop);
    const Run<modeling::NativeModel<Chain::Model>> run(stop);
    CHECK(run.reduced.states().size() == 400);
    CHECK(run.reduced.adjustments().empty());
  }
}

TEST_CASE("points of a long chain that are astray move to the nearest places where rods fit") {
  constexpr std::size_t kLinks = 200;
  using Chain = problems::CartesianChain<kLinks>;
  Chain::astray = 1e-2;
  const Run<modeling::NativeModel<Chain::Model>> run;
  Chain::astray = 0.0;
  // They all lie on a line, and nothing pushes them off it: one place only is left for each.
  for (std::size_t k = 0; k < kLinks; ++k) {
    CHECK(run[k] == Approx(static_cast<double>(k + 1)).epsilon(1e-9));
    CHECK(std::fabs(run[kLinks + k]) < 1e-9);
  }
}

TEST_CASE("an index-2 circuit of ten thousand unknowns starts consistently") {
  constexpr std::size_t kSections = 1667;
  const Run<modeling::NativeModel<problems::CapacitorLoops<kSections>::Model>> run;
  CHECK(run.reduced.analysis().values.mu == 1);
  CHECK(run.reduced.states().size() == 2 * kSections);
  CHECK(run.reduced.adjustments().empty());
}

}  // namespace saltus::large_start_test
