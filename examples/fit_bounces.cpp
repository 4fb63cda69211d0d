// SPDX-License-Identifier: BSD-2-Clause
// Parameters of a bouncing ball from measured times of its bounces: the derivatives of the times of
// events feed Eigen's Levenberg-Marquardt method.
//
// Prints:
//   gravity 9.810, restitution 0.850, height 1.500
#include <Eigen/Core>
#include <cstdio>
#include <saltus/simulation.hpp>
#include <unsupported/Eigen/NonLinearOptimization>

using namespace saltus::modeling;

template <class Real>
struct Ball {
  static constexpr ModelInfo info{.stop = 6.0, .tolerance = 1e-10};

  State<Real> h{"h", {.unit = "m", .start = 1.0}};
  State<Real> v{"v", {.unit = "m/s"}};
  Parameter<Real> g{"g", {.unit = "m/s2", .start = 9.0}};
  Parameter<Real> e{"e", {.start = 0.7}};

  void equations(Equations<Real>&) {
    der(h) = v;
    der(v) = -g;
  }
  void events(Events<Real>& ev) {
    if (ev.when(h <= 0.0 && v < 0.0)) {
      h = 0.0;
      v = -e * v;
    }
  }
};

// What was measured: the first five bounces, and the height of the ball at two seconds.
constexpr double kBounces[] = {0.55300, 1.49310, 2.29219, 2.97141, 3.54876};
constexpr double kHeight = 0.72648;

struct Misfit {
  int inputs() const { return 3; }
  int values() const { return 6; }

  static saltus::SimulationResult run(const Eigen::VectorXd& p) {
    return saltus::simulate<Ball>({.stop = 4.0,
                                   .values = {{"g", p[0]}, {"e", p[1]}, {"h", p[2]}},
                                   .report_interval = 2.0,
                                   .sensitivities = {"g", "e", saltus::start("h")}});
  }
  int operator()(const Eigen::VectorXd& p, Eigen::VectorXd& misfit) const {
    const auto ball = run(p);
    if (ball.events().size() < 5) return -1;
    for (int n = 0; n < 5; ++n) {
      misfit[n] = ball.events()[static_cast<std::size_t>(n)].time - kBounces[n];
    }
    misfit[5] = ball.at(2.0)["h"] - kHeight;
    return 0;
  }
  int df(const Eigen::VectorXd& p, Eigen::MatrixXd& slopes) const {
    const auto ball = run(p);
    if (ball.events().size() < 5) return -1;
    for (int k = 0; k < 3; ++k) {
      for (int n = 0; n < 5; ++n) {
        slopes(n, k) = ball.events()[static_cast<std::size_t>(n)]
                           .time_sensitivities[static_cast<std::size_t>(k)];
      }
    }
    const auto then = ball.at(2.0);
    slopes(5, 0) = then["d(h)/d(g)"];
    slopes(5, 1) = then["d(h)/d(e)"];
    slopes(5, 2) = then["d(h)/d(start(h))"];
    return 0;
  }
};

int main() {
  Misfit misfit;
  Eigen::LevenbergMarquardt<Misfit> method(misfit);
  Eigen::VectorXd p(3);
  p << 9.0, 0.8, 1.3;
  method.minimize(p);
  std::printf("gravity %.3f, restitution %.3f, height %.3f\n", p[0], p[1], p[2]);
}
