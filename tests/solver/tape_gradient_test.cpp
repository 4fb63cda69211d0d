// SPDX-License-Identifier: BSD-2-Clause
// Sweeps backwards over a tape, beside passes forwards with the scalar that knows rates.
#include "saltus/autodiff/tape_gradient.hpp"

#include <array>
#include <catch2/catch.hpp>
#include <cmath>
#include <vector>

#include "saltus/autodiff/recorded.hpp"
#include "saltus/autodiff/tangent.hpp"

namespace {

using namespace saltus;
using namespace saltus::modeling;

// All functions that there are, of two unknowns, a number and the time.
template <class Real>
std::vector<Real> functions(const Real& x, const Real& y, const Real& p, const Real& t) {
  return {x + y * p - t,
          -(x / y) * t,
          sqrt(x * p) + exp(-y),
          log(x) * log10(y + t),
          sin(x * p) * cos(y),
          tan(x) / cosh(p),
          sinh(y) - tanh(x * t),
          asin(0.3 * x) + acos(0.2 * y * p) * atan(t),
          atan2(x, y) + atan2(p, t),
          pow(x, y) + pow(y, 3.0) + pow(p, 0.5) + pow(x, Real(-2.0)) + pow(p, 2.5),
          hypot(x, t) * p};
}

TEST_CASE("a gradient is what passes forwards find in each direction", "[tape]") {
  const std::array<double, 4> at{0.7, 1.3, 0.9, 0.4};
  Tape tape;
  std::vector<Tape::Node> nodes;
  {
    Recording recording(tape);
    const auto values =
        functions<Recorded>(recording.unknown(0, 0, at[0]), recording.unknown(1, 0, at[1]),
                            recording.number(0, at[2]), recording.time(at[3]));
    for (const Recorded& value : values) nodes.push_back(recording.node(value));
  }
  TapeGradient whole(tape);
  whole.evaluate(at[3], ConstVec(at).first(2), ConstVec(at).subspan(2, 1));
  for (std::size_t k = 0; k < nodes.size(); ++k) {
    INFO("function " << k);
    // The same from what it needs alone.
    std::vector<Tape::Node> one{nodes[k]};
    TapeGradient part(tape, one);
    part.evaluate(at[3], ConstVec(at).first(2), ConstVec(at).subspan(2, 1));
    CHECK(part.value(one[0]) == whole.value(nodes[k]));
    std::array<double, 4> found{}, found_again{};
    whole.seed(nodes[k], 2.0);
    whole.sweep(
        {.time = found[3], .unknowns = Vec(found).first(2), .numbers = Vec(found).subspan(2, 1)});
    part.seed(one[0], 2.0);
    part.sweep({.time = found_again[3],
                .unknowns = Vec(found_again).first(2),
                .numbers = Vec(found_again).subspan(2, 1)});
    for (std::size_t i = 0; i < 4; ++i) {
      const auto moving = [&](std::size_t j) { return Tangent(at[j], i == j ? 1.0 : 0.0); };
      const Tangent right = functions<Tangent>(moving(0), moving(1), moving(2), moving(3))[k];
      CHECK(whole.value(nodes[k]) == Approx(right.value()).epsilon(1e-14));
      CHECK(found[i] == Approx(2.0 * right.rate()).epsilon(1e-13).margin(1e-15));
      CHECK(found_again[i] == found[i]);
    }
  }
}

TEST_CASE("seeds add up, and are gone after a sweep", "[tape]") {
  Tape tape;
  const Tape::Node x = tape.unknown(0, 0), square = tape.multiply(x, x);
  TapeGradient gradient(tape);
  const std::array<double, 1> at{3.0};
  gradient.evaluate(0.0, at, {});
  gradient.seed(square, 1.0);
  gradient.seed(square, 0.5);
  gradient.seed(x, 2.0);
  double time = 0.0;
  std::array<double, 1> by{};
  gradient.sweep({.time = time, .unknowns = by, .numbers = {}});
  CHECK(by[0] == 1.5 * 6.0 + 2.0);
  gradient.sweep({.time = time, .unknowns = by, .numbers = {}});
  CHECK(by[0] == 1.5 * 6.0 + 2.0);
}

}  // namespace
