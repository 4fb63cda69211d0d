// SPDX-License-Identifier: BSD-2-Clause
// Random pencils made of Kronecker's blocks, behind random row and column mixes, with right-hand
// sides that belong to a known solution.
#include <catch2/catch.hpp>
#include <cmath>
#include <random>
#include <vector>

#include "linear_run.hpp"
#include "saltus/dae/linear_model.hpp"

namespace saltus {
namespace {

using test::Road;
using test::run_linear;
using Rows = std::vector<std::vector<double>>;

constexpr double kTolerance = 1e-8;

Rows zeros(std::size_t rows, std::size_t columns) {
  return Rows(rows, std::vector<double>(columns, 0.0));
}

Rows product(const Rows& a, const Rows& b) {
  Rows result = zeros(a.size(), b[0].size());
  for (std::size_t i = 0; i < a.size(); ++i) {
    for (std::size_t k = 0; k < b.size(); ++k) {
      for (std::size_t j = 0; j < b[0].size(); ++j) {
        result[i][j] += a[i][k] * b[k][j];
      }
    }
  }
  return result;
}

/// E z' = A z + ..., block by block.
struct Pencil {
  Rows E, A;

  void add(const Rows& e, const Rows& a) {
    const std::size_t m = E.size();
    const std::size_t n = E.empty() ? 0 : E[0].size();
    const std::size_t columns = n + e[0].size();
    for (Rows* matrix : {&E, &A}) {
      for (std::vector<double>& row : *matrix) {
        row.resize(columns, 0.0);
      }
      matrix->resize(m + e.size(), std::vector<double>(columns, 0.0));
    }
    for (std::size_t i = 0; i < e.size(); ++i) {
      for (std::size_t j = 0; j < e[0].size(); ++j) {
        E[m + i][n + j] = e[i][j];
        A[m + i][n + j] = a[i][j];
      }
    }
  }
};

class Random {
 public:
  explicit Random(unsigned seed) : engine_(seed) {}
  double number(double a, double b) {
    return std::uniform_real_distribution<double>(a, b)(engine_);
  }
  int whole(int a, int b) { return std::uniform_int_distribution<int>(a, b)(engine_); }

  /// A product of reflections, and a little beside.
  Rows mix(std::size_t n) {
    Rows result = zeros(n, n);
    for (std::size_t i = 0; i < n; ++i) {
      result[i][i] = number(0.5, 2.0);
    }
    for (int k = 0; k < 3; ++k) {
      std::vector<double> v(n);
      double square = 0.0;
      for (double& entry : v) {
        entry = number(-1.0, 1.0);
        square += entry * entry;
      }
      Rows reflection = zeros(n, n);
      for (std::size_t i = 0; i < n; ++i) {
        for (std::size_t j = 0; j < n; ++j) {
          reflection[i][j] = (i == j ? 1.0 : 0.0) - 2.0 * v[i] * v[j] / square;
        }
      }
      result = product(reflection, result);
    }
    return result;
  }

  Pencil regular(int index) {
    Pencil pencil;
    const auto d = static_cast<std::size_t>(whole(1, 3));
    Rows one = zeros(d, d), flow = zeros(d, d);
    for (std::size_t i = 0; i < d; ++i) {
      one[i][i] = 1.0;
      for (std::size_t j = 0; j < d; ++j) {
        flow[i][j] = number(-1.0, 1.0);
      }
    }
    pencil.add(one, flow);
    // Nilpotent blocks: the index is the largest of their sizes.
    for (int size = index; size > 0; size -= whole(1, 3)) {
      const auto s = static_cast<std::size_t>(size);
      Rows shift = zeros(s, s), unit = zeros(s, s);
      for (std::size_t i = 0; i < s; ++i) {
        unit[i][i] = 1.0;
        if (i + 1 < s) {
          shift[i][i + 1] = 1.0;
        }
      }
      pencil.add(shift, unit);
    }
    return pencil;
  }

 private:
  std::mt19937 engine_;
};

/// The solution: one sine or exponential for each unknown.
struct Known {
  std::vector<double> size, rate, phase;

  Known(Random& random, std::size_t n) {
    for (std::size_t j = 0; j < n; ++j) {
      size.push_back(random.number(-2.0, 2.0));
      rate.push_back(random.number(0.3, 2.0));
      phase.push_back(random.number(0.0, 6.0));
    }
  }
  template <class Real>
  Real value(std::size_t j, const Real& t) const {
    using std::sin;
    return size[j] * sin(rate[j] * t + phase[j]);
  }
  template <class Real>
  Real slope(std::size_t j, const Real& t) const {
    using std::cos;
    return size[j] * rate[j] * cos(rate[j] * t + phase[j]);
  }
};

LinearSystem system_of(const Pencil& pencil, const Known& known, double start) {
  LinearSystem system{.E = pencil.E, .A = pencil.A};
  system.terms = [pencil, known](LinearTerms& s) {
    for (std::size_t i = 0; i < pencil.E.size(); ++i) {
      for (std::size_t j = 0; j < pencil.E[0].size(); ++j) {
        s.f(i) += pencil.E[i][j] * known.slope<Coefficient>(j, s.time) -
                  pencil.A[i][j] * known.value<Coefficient>(j, s.time);
      }
    }
  };
  for (std::size_t j = 0; j < pencil.E[0].size(); ++j) {
    system.start.push_back(known.value(j, start));
  }
  return system;
}

Pencil mixed(Random& random, const Pencil& pencil) {
  const Rows left = random.mix(pencil.E.size());
  const Rows right = random.mix(pencil.E[0].size());
  return {product(product(left, pencil.E), right), product(product(left, pencil.A), right)};
}

double largest_error(const std::vector<double>& x, const Known& known, double t) {
  double largest = 0.0;
  for (std::size_t j = 0; j < x.size(); ++j) {
    largest = std::max(largest, std::fabs(x[j] - known.value(j, t)));
  }
  return largest;
}

}  // namespace

TEST_CASE("Random regular pencils of index 1 to 4 follow their solutions", "[linear]") {
  for (unsigned seed = 0; seed < 40; ++seed) {
    Random random(seed);
    const int index = random.whole(1, 4);
    const Pencil pencil = mixed(random, random.regular(index));
    const Known known(random, pencil.E.size());
    const double start = random.number(-3.0, 3.0);
    LinearModel model{system_of(pencil, known, start)};
    INFO("seed " << seed << ", index " << index);
    const auto run =
        run_linear(model, {.start = start, .stop = start + 3.0, .tolerance = kTolerance},
                   seed % 2 == 0 ? Road::radau : Road::dormand_prince);
    CHECK(run.values.mu == index - 1);
    // Errors grow by at most exp(3 * 3) with the flows above, and by the mixes.
    CHECK(largest_error(run.x, known, start + 3.0) < 1e4 * kTolerance);
  }
}

TEST_CASE("Random pencils with too many equations follow their solutions", "[linear]") {
  for (unsigned seed = 100; seed < 140; ++seed) {
    Random random(seed);
    Pencil pencil = random.regular(random.whole(1, 3));
    // L_eta^T: eta unknowns in eta + 1 equations, all determined.
    const auto eta = static_cast<std::size_t>(random.whole(0, 2));
    Rows e = zeros(eta + 1, eta), a = e;
    for (std::size_t j = 0; j < eta; ++j) {
      e[j][j] = 1.0;
      a[j + 1][j] = 1.0;
    }
    if (eta == 0) {
      pencil.E.push_back(std::vector<double>(pencil.E[0].size(), 0.0));
      pencil.A.push_back(std::vector<double>(pencil.E[0].size(), 0.0));
    } else {
      pencil.add(e, a);
    }
    pencil = mixed(random, pencil);
    const Known known(random, pencil.E[0].size());
    const double start = random.number(-3.0, 3.0);
    LinearModel model{system_of(pencil, known, start)};
    INFO("seed " << seed);
    const auto run =
        run_linear(model, {.start = start, .stop = start + 3.0, .tolerance = kTolerance},
                   seed % 2 == 0 ? Road::radau : Road::dormand_prince);
    CHECK(largest_error(run.x, known, start + 3.0) < 1e4 * kTolerance);
    CHECK_THAT(model.report().text(), Catch::Contains("repeat each other"));
  }
}

TEST_CASE("Random pencils with too few equations are fulfilled", "[linear]") {
  for (unsigned seed = 200; seed < 240; ++seed) {
    Random random(seed);
    Pencil pencil = random.regular(random.whole(1, 3));
    // L_eps: eps + 1 unknowns in eps equations.
    const auto eps = static_cast<std::size_t>(random.whole(1, 2));
    Rows e = zeros(eps, eps + 1), a = e;
    for (std::size_t i = 0; i < eps; ++i) {
      e[i][i] = 1.0;
      a[i][i + 1] = 1.0;
    }
    pencil.add(e, a);
    pencil = mixed(random, pencil);
    const Known known(random, pencil.E[0].size());
    const double start = random.number(-3.0, 3.0);
    LinearModel model{system_of(pencil, known, start)};
    INFO("seed " << seed);
    ReducedModel reduced{model, {.form = ReductionOptions::Form::explicit_form}};
    DormandPrince integrator{reduced, {.relative_tolerance = kTolerance}};
    IntegratedModel system{reduced, integrator};
    const double stop = start + 3.0;
    ModeController{system}.run({.start = start, .stop = stop, .tolerance = kTolerance});
    REQUIRE(model.report().held.size() == 1);
    // One choice is left, and made; with it all equations hold.
    std::vector<double> c(system.unknowns().begin(), system.unknowns().end());
    std::vector<double> slopes(c.size());
    REQUIRE(reduced.derivatives(stop, c, slopes) == Eval::ok);
    const auto held = static_cast<std::size_t>(model.report().held[0]);
    CHECK(c[held] == Approx(known.value(held, start)).margin(1e3 * kTolerance));
    c.insert(c.end(), slopes.begin(), slopes.end());
    std::vector<double> rest(model.given().equations());
    REQUIRE(model.given().values(stop, 1.0, 0, c, rest) == Eval::ok);
    for (const double value : rest) {
      CHECK(std::fabs(value) < 1e-7);
    }
  }
}

}  // namespace saltus
