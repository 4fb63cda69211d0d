// SPDX-License-Identifier: BSD-2-Clause
#include <catch2/catch.hpp>
#include <cmath>
#include <limits>
#include <vector>

#include "saltus/modeling/native_model.hpp"

// Models with so many unknowns that arrays of them are moved from end to end: each unknown is to
// arrive where it belongs, and each slope to be looked at.
namespace saltus::test {
namespace {

using namespace saltus::modeling;

// der(s) = n / s and one more for the next n, twice as much while s > 3.
template <class Real>
void decay(State<Real>& s, Real& n) {
  n = n + 1.0;
  der(s) = (s > 3.0 ? 2.0 * n : n) / s;
}

template <class Real>
struct Cell {
  States<Real> b{"b", 11};
  State<Real> a{"a"};
  Real count(Real n) {
    for (auto& s : b) decay(s, n);
    decay(a, n);
    return n;
  }
  void equations(Equations<Real>&) {}
};

template <class Real>
struct Cells {
  State<Real> before{"before"};
  States<Real> x{"x", 15};
  State<Real> between{"between"}, another{"another"};
  Submodel<Cell<Real>> cell{"cell"};
  States<Real> none{"none", 0};
  States<Real> y{"y", {1.0, 2.0}};
  State<Real> behind{"behind"};

  void equations(Equations<Real>& eq) {
    Real n = 0.0;
    decay(before, n);
    for (std::size_t i = 0; i < x.size(); ++i) decay(x[i], n);
    decay(between, n);
    decay(another, n);
    cell.equations(eq);
    n = cell.count(n);
    for (auto& s : y) decay(s, n);
    decay(behind, n);
  }
};
constexpr std::size_t kCells = 33;

template <class Real>
struct Pressures {
  States<Real> x{"x", 19};
  State<Real> m{"m"};
  Algebraic<Real> q{"q"};
  Algebraics<Real> p{"p", 17};
  Algebraic<Real> r{"r"};

  void equations(Equations<Real>& eq) {
    for (std::size_t i = 0; i < x.size(); ++i) der(x[i]) = p[i < p.size() ? i : 0] / x[i];
    eq(der(m) * m, q);
    eq(q, 2.0 * r);
    for (std::size_t i = 0; i < p.size(); ++i) eq(p[i], x[i] * (1.0 + static_cast<double>(i)));
    eq(r, m);
  }
};

std::vector<double> numbers(std::size_t count) {
  std::vector<double> y(count);
  for (std::size_t i = 0; i < count; ++i) y[i] = 0.8125 + 0.375 * static_cast<double>(i);
  return y;
}

void begin(Model& model, Vec y) {
  model.initialize({.stop = 1.0}, y);
  while (model.update_discrete_states(0.0, y).iterate) {
  }
  model.enter_continuous_mode(0.0, y);
}

TEST_CASE("many unknowns arrive where they belong", "[NativeModel]") {
  NativeModel<Cells> model("Cells");
  REQUIRE(model.shape().unknowns() == kCells);
  std::vector<double> y = numbers(kCells), slopes(kCells), z(kCells);
  begin(model, y);
  y = numbers(kCells);
  while (model.update_discrete_states(0.0, y).iterate) {
  }
  REQUIRE(model.derivatives(0.0, y, slopes) == Eval::ok);
  REQUIRE(model.indicators(0.0, y, z) == Eval::ok);
  for (std::size_t i = 0; i < kCells; ++i) {
    CAPTURE(model.unknown_name(i));
    const double n = static_cast<double>(i) + 1.0;
    CHECK(slopes[i] == (y[i] > 3.0 ? 2.0 * n : n) / y[i]);
    CHECK(z[i] == y[i] - 3.0);
  }
}

TEST_CASE("each of many slopes is looked at", "[NativeModel]") {
  NativeModel<Cells> model("Cells");
  std::vector<double> y(kCells, 1.0), slopes(kCells);
  begin(model, y);
  for (std::size_t i = 0; i < kCells; ++i) {
    CAPTURE(model.unknown_name(i));
    y.assign(kCells, 1.0);
    for (const double bad : {0.0, -0.0, std::numeric_limits<double>::quiet_NaN()}) {
      y[i] = bad;
      CHECK(model.derivatives(0.0, y, slopes) == Eval::discard);
    }
  }
  y.assign(kCells, 2e-307);  // each slope can be expressed, their sum cannot
  CHECK(model.derivatives(0.0, y, slopes) == Eval::ok);
  CHECK(slopes.back() > 1e307);
}

TEST_CASE("each entry of a large Jacobian is looked at", "[NativeModel]") {
  NativeModel<Cells> model("Cells");
  std::vector<double> y(kCells, 1.0), slopes(kCells, 1.0);
  begin(model, y);
  Linearization& jacobian = *model.linearization();
  const std::size_t entries = jacobian.pattern().entries();
  REQUIRE(entries == kCells);
  std::vector<double> by_value(entries), by_slope(entries);
  for (std::size_t i = 0; i < kCells; ++i) {
    CAPTURE(model.unknown_name(i));
    y.assign(kCells, 2.0);
    CHECK(jacobian.evaluate(0.0, y, slopes, by_value, by_slope) == Eval::ok);
    CHECK(by_value[i] == (static_cast<double>(i) + 1.0) / 4.0);
    CHECK(by_slope[i] == 1.0);
    y[i] = 0.0;
    CHECK(jacobian.evaluate(0.0, y, slopes, by_value, by_slope) == Eval::discard);
  }
}

TEST_CASE("many unknowns of implicit equations arrive where they belong", "[NativeModel]") {
  NativeModel<Pressures> model("Pressures");
  const std::size_t n = model.shape().unknowns();
  REQUIRE(n == 39);
  std::vector<double> y(n), slopes(n, 0.0), rows(n);
  model.initialize({.stop = 1.0}, y);
  y = numbers(n);
  for (std::size_t i = 0; i < n; ++i) slopes[i] = 0.5 + static_cast<double>(i);
  REQUIRE(model.residual(0.0, y, slopes, rows) == Eval::ok);
  constexpr std::size_t kX = 19, kP = 17, q = kX + 1, p = q + 1, r = p + kP;
  for (std::size_t i = 0; i < kX; ++i) {
    CAPTURE(i);
    CHECK(rows[i] == slopes[i] - y[p + (i < kP ? i : 0)] / y[i]);
  }
  CHECK(rows[kX] == slopes[kX] * y[kX] - y[q]);
  CHECK(rows[q] == y[q] - 2.0 * y[r]);
  for (std::size_t i = 0; i < kP; ++i) {
    CAPTURE(i);
    CHECK(rows[p + i] == y[p + i] - y[i] * (1.0 + static_cast<double>(i)));
  }
  CHECK(rows[r] == y[r] - y[kX]);
}

}  // namespace
}  // namespace saltus::test
