// SPDX-License-Identifier: BSD-2-Clause
#include "linear/sparse_lu.hpp"

#include <catch2/catch.hpp>
#include <cmath>
#include <random>
#include <set>

namespace saltus::test {
namespace {

using Complex = std::complex<double>;

/// A matrix with about `per_column` entries in each column, none farther than `band` from the
/// diagonal, and a right-hand side of which the solution is known.
template <class Scalar>
struct Problem {
  Pattern pattern;
  std::vector<Scalar> values, solution;
  std::mt19937 random{1};

  Problem(std::size_t n, std::size_t per_column, int band) {
    pattern.rows = n;
    for (std::size_t j = 0; j < n; ++j) {
      const int at = static_cast<int>(j);
      std::set<int> rows{at};
      std::uniform_int_distribution<int> near(std::max(at - band, 0),
                                              std::min(at + band, static_cast<int>(n) - 1));
      for (std::size_t k = 1; k < per_column; ++k) rows.insert(near(random));
      pattern.row.insert(pattern.row.end(), rows.begin(), rows.end());
      pattern.first.push_back(static_cast<int>(pattern.row.size()));
    }
    for (std::size_t p = 0; p < pattern.entries(); ++p) values.push_back(number());
    for (std::size_t j = 0; j < n; ++j) solution.push_back(number());
  }
  double real() { return std::uniform_real_distribution<>(0.5, 2.0)(random); }
  Scalar number() {
    if constexpr (std::is_same_v<Scalar, double>) {
      return real();
    } else {
      return {real(), -real()};
    }
  }
  template <class Body>
  void each_entry(Body body) {
    for (std::size_t j = 0; j < pattern.columns(); ++j) {
      for (int p = pattern.first[j]; p < pattern.first[j + 1]; ++p) {
        body(static_cast<std::size_t>(pattern.row[static_cast<std::size_t>(p)]), j,
             values[static_cast<std::size_t>(p)]);
      }
    }
  }
  // The residual of the computed solution, relative to the terms it is the sum of.
  double error_of(const SparseLu<Scalar>& lu) {
    std::vector<Scalar> b(pattern.rows);
    each_entry([&](std::size_t i, std::size_t j, Scalar a) { b[i] += a * solution[j]; });
    std::vector<Scalar> x = b;
    lu.solve(x);
    std::vector<double> size(pattern.rows, 1e-300);
    each_entry([&](std::size_t i, std::size_t j, Scalar a) {
      b[i] -= a * x[j];
      size[i] += std::abs(a * x[j]);
    });
    double worst = 0.0;
    for (std::size_t i = 0; i < b.size(); ++i) worst = std::fmax(worst, std::abs(b[i]) / size[i]);
    return worst;
  }
};

// Two right-hand sides side by side get what each gets alone, to the last bit.
template <class Scalar>
void check_two(Problem<Scalar>& problem, const SparseLu<Scalar>& lu) {
  std::vector<Scalar> one(problem.pattern.rows), other(problem.pattern.rows);
  std::vector<typename SparseLu<Scalar>::Two> both(problem.pattern.rows);
  for (std::size_t i = 0; i < both.size(); ++i) {
    const Scalar a = one[i] = problem.number(), b = other[i] = problem.number();
    if constexpr (std::is_same_v<Scalar, double>) {
      both[i] = Pair{a, b};
    } else {
      both[i] = {Pair{a.real(), b.real()}, Pair{a.imag(), b.imag()}};
    }
  }
  lu.solve(one);
  lu.solve(other);
  lu.solve(both);
  bool equal = true;
  for (std::size_t i = 0; i < both.size(); ++i) {
    for (std::size_t k = 0; k < 2; ++k) {
      const Scalar alone = k == 0 ? one[i] : other[i];
      if constexpr (std::is_same_v<Scalar, double>) {
        equal = equal && both[i][k] == alone;
      } else {
        equal = equal && Complex(both[i].real[k], both[i].imag[k]) == alone;
      }
    }
  }
  CHECK(equal);
}

template <class Scalar>
void check(std::size_t n, std::size_t per_column, int band) {
  Problem<Scalar> problem(n, per_column, band);
  SparseLu<Scalar> lu;
  lu.analyze(problem.pattern);
  REQUIRE(lu.factor(problem.values));
  CHECK(problem.error_of(lu) < 1e-12);
  check_two(problem, lu);
  for (Scalar& value : problem.values) value *= 1.0 + 0.01 * problem.real();
  REQUIRE((lu.refactor(problem.values) || lu.factor(problem.values)));
  CHECK(problem.error_of(lu) < 1e-12);
  check_two(problem, lu);
}

}  // namespace

TEST_CASE("small, full and sparse systems are solved", "[SparseLu]") {
  const std::size_t n = GENERATE(1, 2, 3, 4, 5, 30, 200);
  const std::size_t per_column = GENERATE(1, 3, 40);
  check<double>(n, per_column, 50);
  check<Complex>(n, per_column, 50);
}

TEST_CASE("the factors of a band stay a band", "[SparseLu]") {
  const auto fill_per_column = [](std::size_t n) {
    Problem<double> problem(n, 4, 3);
    SparseLu<double> lu;
    lu.analyze(problem.pattern);
    REQUIRE(lu.factor(problem.values));
    CHECK(problem.error_of(lu) < 1e-8);
    return static_cast<double>(lu.fill()) / static_cast<double>(n);
  };
  const double small = fill_per_column(1000);
  CHECK(small < 20.0);
  CHECK(fill_per_column(30000) < 1.3 * small);
}

TEST_CASE("a matrix needs no pivot on its diagonal", "[SparseLu]") {
  // Of a cycle of five, and a full row.
  Pattern pattern{.rows = 6, .first = {0}, .row = {}};
  std::vector<double> values;
  for (int j = 0; j < 6; ++j) {
    pattern.row.push_back(std::min((j + 1) % 6, 5));
    values.push_back(1.0);
    if (j == 5) {
      pattern.row.back() = 0;
    }
    pattern.first.push_back(static_cast<int>(pattern.row.size()));
  }
  SparseLu<double> lu;
  lu.analyze(pattern);
  REQUIRE(lu.factor(values));
  std::vector<double> b{1, 2, 3, 4, 5, 6};
  lu.solve(b);
  CHECK(b == std::vector<double>{2, 3, 4, 5, 6, 1});
}

TEST_CASE("units that differ by many orders of magnitude do no harm", "[SparseLu]") {
  Problem<double> problem(40, 3, 40);
  std::vector<double> rows, columns;
  for (int i = 0; i < 40; ++i) {
    rows.push_back(std::pow(10.0, (i * 7) % 17 - 8));
    columns.push_back(std::pow(10.0, (i * 11) % 17 - 8));
  }
  SparseLu<double> lu;
  lu.analyze(problem.pattern);
  REQUIRE(lu.factor(problem.values));
  const double ratio = lu.weakest().ratio;
  std::size_t p = 0;
  problem.each_entry(
      [&](std::size_t i, std::size_t j, double) { problem.values[p++] *= rows[i] * columns[j]; });
  REQUIRE(lu.factor(problem.values));
  CHECK(lu.weakest().ratio > 1e-6 * ratio);
  for (std::size_t j = 0; j < 40; ++j) problem.solution[j] /= columns[j];
  CHECK(problem.error_of(lu) < 1e-12);
}

TEST_CASE("a singular matrix says where", "[SparseLu]") {
  const std::size_t n = GENERATE(4, 30);
  Problem<double> problem(n, 3, static_cast<int>(n));
  const std::size_t empty = n / 2;
  std::size_t p = 0;
  problem.each_entry([&](std::size_t, std::size_t j, double) {
    problem.values[p] = j == empty ? 0.0 : problem.values[p];
    ++p;
  });
  SparseLu<double> lu;
  lu.analyze(problem.pattern);
  CHECK_FALSE(lu.factor(problem.values));
  CHECK(lu.weakest().column == empty);
  CHECK(lu.weakest().ratio == 0.0);
  CHECK_FALSE(lu.refactor(problem.values));
}

TEST_CASE("pivots that have become small are chosen anew", "[SparseLu]") {
  Problem<double> problem(30, 3, 30);
  SparseLu<double> lu;
  lu.analyze(problem.pattern);
  REQUIRE(lu.factor(problem.values));
  for (double& value : problem.values) value = problem.real() < 1.0 ? 1e-9 * value : value;
  CHECK_FALSE(lu.refactor(problem.values));
}

TEMPLATE_TEST_CASE("a small matrix keeps its pivots as long as they are good", "[SparseLu]", double,
                   Complex) {
  const std::size_t n = GENERATE(2, 3, 4);
  Problem<TestType> problem(n, 40, 4);
  for (std::size_t k = 0; k < n; ++k) problem.values[k * n + k] *= 10.0;
  SparseLu<TestType> lu;
  lu.analyze(problem.pattern);
  REQUIRE(lu.factor(problem.values));
  for (TestType& value : problem.values) value *= 1.0 + 0.1 * problem.real();
  REQUIRE(lu.refactor(problem.values));
  CHECK(problem.error_of(lu) < 1e-14);
  problem.values[0] *= 1e-9;
  CHECK_FALSE(lu.refactor(problem.values));
  REQUIRE(lu.factor(problem.values));
  CHECK(problem.error_of(lu) < 1e-14);
}

}  // namespace saltus::test
