// SPDX-License-Identifier: BSD-2-Clause
// Many surfaces slid on at a time: those that have nothing to do with each other are weighed apart.
#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "saltus/control/mode_controller.hpp"
#include "saltus/control/sliding_described_model.hpp"
#include "saltus/core/error.hpp"
#include "saltus/events/integrated_model.hpp"
#include "saltus/integrators/dormand_prince.hpp"
#include "saltus/modeling/native_model.hpp"

namespace saltus::independent_sliding_test {
namespace {

using namespace saltus::modeling;

struct End {
  std::vector<double> y;
  std::string error;
  std::vector<std::string> subjects;
};

template <template <class> class M>
End run(double stop, SlidingOptions options = {}, double tolerance = 1e-9) {
  try {
    SlidingDescribedModel model{std::make_unique<NativeModel<M>>("Model"), options};
    DormandPrince integrator{model, {.relative_tolerance = tolerance}};
    IntegratedModel system{model, integrator};
    ModeController{system}.run({.stop = stop, .tolerance = tolerance});
    return {{system.unknowns().begin(), system.unknowns().end()}, "", {}};
  } catch (const EventError& error) {
    return {{}, error.what(), error.indicators()};
  } catch (const std::exception& error) {
    return {{}, error.what(), {}};
  }
}

std::size_t blocks = 20;

template <class Real>
struct Row {
  std::vector<std::unique_ptr<State<Real>>> x, v;
  explicit Row(double (*speed)(std::size_t)) {
    for (std::size_t i = 0; i < blocks; ++i) {
      x.push_back(std::make_unique<State<Real>>(("x" + std::to_string(i)).c_str()));
      v.push_back(std::make_unique<State<Real>>(("v" + std::to_string(i)).c_str(),
                                                About{.start = speed(i)}));
    }
  }
};

// Of a friction force that has three values, the middle one at rest.
template <class Real>
Real three_values(const Real& v, double limit) {
  return v > 0.0 ? Real(-limit) : v < 0.0 ? Real(limit) : Real(0.0);
}

// Blocks on bases of their own: each comes to rest, sticks, and comes loose when the pull has grown
// to the limit of its friction, every second one to the other side.
double growth_of(std::size_t i) { return 0.3 + 0.013 * static_cast<double>(i); }
double sign_of(std::size_t i) { return i % 2 == 0 ? 1.0 : -1.0; }
double speed_of(std::size_t i) {
  return i % 5 == 4 ? 0.0 : sign_of(i) * (0.1 + 0.01 * static_cast<double>(i % 17));
}

template <class Real>
struct Apart : Row<Real> {
  Apart() : Row<Real>(speed_of) {}
  void equations(Equations<Real>& eq) {
    for (std::size_t i = 0; i < blocks; ++i) {
      const Real speed = *this->v[i];
      der(*this->x[i]) = speed;
      der(*this->v[i]) = sign_of(i) * growth_of(i) * eq.time + three_values(speed, 1.0);
    }
  }
};

struct Block {
  double x, v;
};
Block exact(std::size_t i, double t) {
  const double a = growth_of(i), s = sign_of(i), v0 = s * speed_of(i);
  const double rest = (1.0 - std::sqrt(1.0 - 2.0 * a * v0)) / a, loose = 1.0 / a;
  const auto gone = [&](double at) { return v0 * at + a * at * at * at / 6.0 - 0.5 * at * at; };
  if (t < rest) return {s * gone(t), s * (v0 + 0.5 * a * t * t - t)};
  const double since = std::max(0.0, t - loose);
  return {s * (gone(rest) + a * since * since * since / 6.0), s * 0.5 * a * since * since};
}

TEST_CASE("many blocks on bases of their own stick and slip as each alone", "[modeling][sliding]") {
  for (const std::size_t count : {std::size_t{4}, std::size_t{20}}) {
    for (const bool projecting : {true, false}) {
      blocks = count;
      CAPTURE(count, projecting);
      for (const double stop : {1.0, 2.5, 4.0}) {
        const End end = run<Apart>(stop, {.projecting_driver = projecting});
        CAPTURE(end.error, stop);
        REQUIRE(end.y.size() == 2 * blocks);
        double off = 0.0;
        for (std::size_t i = 0; i < blocks; ++i) {
          const Block known = exact(i, stop);
          off = std::max(
              {off, std::fabs(end.y[2 * i] - known.x), std::fabs(end.y[2 * i + 1] - known.v)});
        }
        // Of the tolerance, and of the places of events.
        CHECK(off < 1e-6);
      }
    }
  }
}

// A chain of blocks and springs: the forces between them do not depend on who sticks.
double nothing(std::size_t) { return 0.0; }
double push(std::size_t i, double t) {
  return 1.6 * std::sin((1.0 + 0.03 * static_cast<double>(i)) * t + 0.2 * static_cast<double>(i));
}
bool nested = true;

template <class Real>
struct Chain : Row<Real> {
  Chain() : Row<Real>(nothing) {}
  void equations(Equations<Real>& eq) {
    for (std::size_t i = 0; i < blocks; ++i) {
      const Real speed = *this->v[i], place = *this->x[i];
      const Real before = i > 0 ? Real(*this->x[i - 1]) : Real(0.0);
      const Real behind = i + 1 < blocks ? Real(*this->x[i + 1]) : Real(0.0);
      const Real friction = nested        ? three_values(speed, 1.0)
                            : speed > 0.0 ? Real(-1.0)
                                          : Real(1.0);
      const auto number = static_cast<double>(i);
      der(*this->x[i]) = speed;
      der(*this->v[i]) = 1.6 * sin((1.0 + 0.03 * number) * eq.time + 0.2 * number) + friction +
                         0.7 * (before + behind - 2.0 * place);
    }
  }
};

// Moreau: Unilateral contact and dry friction in finite freedom dynamics, 1988: the friction
// impulse of each short step is what its limit allows.
std::vector<double> stepped_chain(double stop, int steps) {
  const double h = stop / steps;
  std::vector<double> x(blocks, 0.0), v(blocks, 0.0);
  for (int step = 0; step < steps; ++step) {
    const double middle = (step + 0.5) * h;
    std::vector<double> half = x;
    for (std::size_t i = 0; i < blocks; ++i) half[i] += 0.5 * h * v[i];
    for (std::size_t i = 0; i < blocks; ++i) {
      const double neighbours = (i > 0 ? half[i - 1] : 0.0) + (i + 1 < blocks ? half[i + 1] : 0.0);
      v[i] += h * (push(i, middle) + 0.7 * (neighbours - 2.0 * half[i]));
      v[i] = std::fabs(v[i]) <= h ? 0.0 : v[i] - std::copysign(h, v[i]);
    }
    for (std::size_t i = 0; i < blocks; ++i) x[i] = half[i] + 0.5 * h * v[i];
  }
  return x;
}

TEST_CASE("a chain of twenty blocks sticks and slips as with short steps", "[modeling][sliding]") {
  blocks = 20;
  constexpr double kStop = 6.0;
  const std::vector<double> truth = stepped_chain(kStop, 200000);
  for (const bool with_nested : {true, false}) {
    nested = with_nested;
    const End end = run<Chain>(kStop);
    CAPTURE(nested, end.error);
    REQUIRE(end.y.size() == 2 * blocks);
    double off = 0.0;
    for (std::size_t i = 0; i < blocks; ++i) {
      off = std::max(off, std::fabs(end.y[2 * i] - truth[i]));
    }
    CHECK(off < 2e-4);  // the short steps are of 3e-5 and of first order
  }
}

// Fifteen bodies, each rubbing on the next, the first on the ground: all surfaces act on each
// other. The last is pulled more and more, and its friction is the weakest.
template <class Real>
struct Stack : Row<Real> {
  Stack() : Row<Real>(nothing) {}
  void equations(Equations<Real>& eq) {
    std::vector<Real> friction;
    for (std::size_t i = 0; i < blocks; ++i) {
      const Real slip = i == 0 ? Real(*this->v[0]) : Real(*this->v[i] - *this->v[i - 1]);
      const double limit = 2.0 - 0.1 * static_cast<double>(i);
      friction.push_back(slip > 0.0 ? Real(limit) : Real(-limit));
    }
    for (std::size_t i = 0; i < blocks; ++i) {
      const Real pull = i + 1 < blocks ? friction[i + 1] : Real(0.5 * eq.time);
      der(*this->x[i]) = *this->v[i];
      der(*this->v[i]) = pull - friction[i];
    }
  }
};

TEST_CASE("more surfaces than ten that act on each other are slid on", "[modeling][sliding]") {
  blocks = 15;
  const End end = run<Stack>(3.0);
  CAPTURE(end.error);
  REQUIRE(end.y.size() == 2 * blocks);
  const double limit = 2.0 - 0.1 * 14.0, loose = limit / 0.5;
  for (std::size_t i = 0; i + 1 < blocks; ++i) {
    CHECK(end.y[2 * i + 1] == Approx(0.0).margin(1e-9));
  }
  CHECK(end.y[2 * blocks - 1] == Approx(0.25 * (3.0 - loose) * (3.0 - loose)).margin(1e-8));
}

// Blocks apart, and among them some whose friction depends on the others' directions.
std::size_t first_tied = 3, tied = 2;
bool ties_begin = true;  // at the start, and not later on

template <class Real>
struct Tied : Row<Real> {
  Tied() : Row<Real>(nothing) {}
  void equations(Equations<Real>& eq) {
    std::vector<Real> sign;
    for (std::size_t i = 0; i < blocks; ++i) {
      const Real speed = *this->v[i];
      sign.push_back(speed > 0.0 ? Real(1.0) : Real(-1.0));
    }
    const Real part = ties_begin ? Real(1.0) : eq.time > 1.0 ? Real(eq.time - 1.0) : Real(0.0);
    for (std::size_t i = 0; i < blocks; ++i) {
      Real friction = sign[i];
      if (i >= first_tied && i < first_tied + tied) {
        Real product(0.1);
        for (std::size_t j = first_tied; j < first_tied + tied; ++j) product = product * sign[j];
        friction = friction + part * product;
      }
      der(*this->x[i]) = *this->v[i];
      der(*this->v[i]) = 0.3 - friction;
    }
  }
};

TEST_CASE("surfaces that are coupled among many are named, and no others", "[modeling][sliding]") {
  blocks = 12;
  first_tied = 3;
  ties_begin = true;
  for (tied = 2; tied <= 4; ++tied) {
    CAPTURE(tied);
    const End end = run<Tied>(1.0);
    CHECK(end.error.find(tied == 4 ? "whose equations are coupled" : "couple the surfaces") !=
          std::string::npos);
    if (tied <= 2) {
      CHECK(end.subjects == std::vector<std::string>{"v3 > 0", "v4 > 0"});
      CHECK(run<Tied>(1.0, {.selection = SlidingOptions::Selection::bilinear}).error.empty());
    }
  }
}

TEST_CASE("surfaces that come to be coupled while many are slid on are noticed",
          "[modeling][sliding]") {
  blocks = 12;
  tied = 2;
  ties_begin = false;
  CHECK(run<Tied>(1.0).error.empty());
  const End end = run<Tied>(2.0);
  CHECK(end.subjects == std::vector<std::string>{"v3 > 0", "v4 > 0"});
}

TEST_CASE("a saved motion on many surfaces goes on as it would have", "[modeling][sliding]") {
  blocks = 70;
  const auto go_on = [&](Model& model, double stop) {
    DormandPrince integrator{model, {.relative_tolerance = 1e-9}};
    IntegratedModel system{model, integrator};
    ModeController{system}.run({.stop = stop, .tolerance = 1e-9});
    return std::vector<double>(system.unknowns().begin(), system.unknowns().end());
  };
  SlidingDescribedModel model{std::make_unique<NativeModel<Apart>>("Model"), {}};
  const std::vector<double> y = go_on(model, 0.05);
  const std::vector<std::byte> saved = model.save();
  SlidingDescribedModel other{std::make_unique<NativeModel<Apart>>("Model"), {}};
  go_on(other, 0.01);
  other.restore(saved);
  CHECK(other.save() == saved);
  std::vector<double> field(y.size()), restored(y.size());
  REQUIRE(model.derivatives(0.05, y, field) == Eval::ok);
  REQUIRE(other.derivatives(0.05, y, restored) == Eval::ok);
  CHECK(field == restored);
}

}  // namespace
}  // namespace saltus::independent_sliding_test
