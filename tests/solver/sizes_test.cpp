// SPDX-License-Identifier: BSD-2-Clause
// Sizes that are decided when a model is made.
#include <catch2/catch.hpp>
#include <cmath>
#include <string>

#include "heat_rod.hpp"
#include "saltus/gradient.hpp"
#include "saltus/modeling/submodel.hpp"
#include "saltus/simulation.hpp"

namespace saltus::test {
namespace {

using Catch::Contains;

std::string element(const char* name, std::size_t i) {
  return std::string(name) + "[" + std::to_string(i) + "]";
}

TEST_CASE("a model has the sizes that it is made with", "[Size]") {
  for (const std::size_t n : {std::size_t{3}, std::size_t{10}, std::size_t{40}}) {
    CAPTURE(n);
    const auto run = simulate<HeatRod>({.stop = 0.1, .tolerance = 1e-9, .sizes = {{"n", n}}});
    const double decay = decay_of_first_mode(n, 1.0);
    const std::vector<double> mode = first_mode(n);
    CHECK(run["n"].back() == static_cast<double>(n));
    for (std::size_t i = 0; i < n; ++i) {
      const double truth = mode[i] * std::exp(-0.1 * decay);
      CHECK(run[element("T", i)].back() == Approx(truth).margin(1e-8));
    }
    // A condition about all cells.
    const double mean = mean_of_first_mode(n);
    REQUIRE(run.events().size() >= 1);
    const double half = std::log(mean / 0.5) / decay;
    CHECK(run.events().front().time == Approx(half).margin(1e-8));
    CHECK_THROWS_AS(run[element("T", n)], std::invalid_argument);
  }
}

TEST_CASE("without a word a size is what the model declares", "[Size]") {
  NativeModel<HeatRod> rod{"HeatRod"};
  CHECK(rod.shape().states == 11);
  CHECK(sizes_of(rod.variables()) == Sizes{{"n", 10}});
  NativeModel<HeatRod> other{"HeatRod", {{"n", 4}}};
  CHECK(other.shape().states == 5);
  CHECK(rod.shape().states == 11);
  CHECK(sizes_of(other.variables()) == Sizes{{"n", 4}});
}

TEST_CASE("sizes outside of their limits, and names that are none, are refused", "[Size]") {
  const auto with = [](const Sizes& sizes) { return NativeModel<HeatRod>("HeatRod", sizes); };
  CHECK_THROWS_WITH(with({{"n", 101}}),
                    Contains("\"n\" cannot be 101") && Contains("from 2 to 100"));
  CHECK_THROWS_WITH(with({{"n", 1}}), Contains("from 2 to 100"));
  CHECK_THROWS_WITH(with({{"m", 5}}), Contains("there is no size \"m\"") && Contains("n"));
  CHECK_THROWS_WITH(with({{"k", 5}}), Contains("there is no size \"k\""));
  CHECK_THROWS_WITH(simulate<HeatRod>({.sizes = {{"n", 1000}}}), Contains("from 2 to 100"));
}

template <class Real>
struct Mistaken {
  Size n{"n", 3, {.min = 0}};
  States<Real> x{"x", n};
  void equations(Equations<Real>&) {
    for (auto& one : x) der(one) = -one;
  }
};
template <class Real>
struct Unlimited {
  Size n{"n", 3};
  States<Real> x{"x", n, {.start = 1.0}};
  void equations(Equations<Real>&) {
    for (auto& one : x) der(one) = -one;
  }
};

TEST_CASE("limits of a size are those of something that there is", "[Size]") {
  CHECK_THROWS_WITH(NativeModel<Mistaken>("Mistaken"), Contains("limits 0 to 1000000"));
  CHECK_THROWS_WITH((NativeModel<Unlimited>("Unlimited", {{"n", 2'000'000}})),
                    Contains("from 1 to 1000000"));
  CHECK_THROWS_WITH((NativeModel<Unlimited>("Unlimited", {{"x", 2}})),
                    Contains("there is no size \"x\""));
}

TEST_CASE("a size is not set in a model that is there", "[Size]") {
  Simulation rod = Simulation::of<HeatRod>();
  CHECK_THROWS_WITH(rod.set("n", 12.0), Contains(".sizes = {{\"n\", 12}}"));
  CHECK_THROWS_WITH(simulate<HeatRod>({.values = {{"n", 12.0}}}), Contains(".sizes"));
  rod.start();
  CHECK_THROWS_WITH(rod.set("n", 12.0), Contains(".sizes = {{\"n\", ...}}"));
  NativeModel<HeatRod> model{"HeatRod"};
  CHECK_THROWS_WITH(model.set_whole(1, 12), Contains("decided as 10") && Contains(".sizes"));
  CHECK_NOTHROW(model.set_whole(1, 10));
  CHECK_THROWS_WITH(Simulation::of([] { return std::make_unique<NativeModel<HeatRod>>("HeatRod"); },
                                   {.sizes = {{"n", 12}}}),
                    Contains("class template"));
}

TEST_CASE("runs of one model with several sizes go on side by side", "[Size]") {
  Simulation small = Simulation::of<HeatRod>({.sizes = {{"n", 3}}});
  Simulation large = Simulation::of<HeatRod>({.sizes = {{"n", 20}}});
  small.start();
  large.start();
  for (const double t : {0.05, 0.1}) {
    small.advance_to(t);
    large.advance_to(t);
    CHECK(small.value("T[2]") ==
          Approx(first_mode(3)[2] * std::exp(-t * decay_of_first_mode(3, 1.0))).margin(1e-6));
    CHECK(large.value("T[19]") ==
          Approx(first_mode(20)[19] * std::exp(-t * decay_of_first_mode(20, 1.0))).margin(1e-6));
  }
  const auto here = large.save();
  large.advance_to(0.15);
  const double there = large.value("mean");
  large.restore(here);
  large.advance_to(0.15);
  CHECK(large.value("mean") == there);
  large.reset();
  CHECK(large.value("n") == 20.0);
}

TEST_CASE("derivatives are those of the size in force", "[Size]") {
  const std::size_t n = 7;
  const auto run = simulate<HeatRod>(
      {.stop = 0.02, .tolerance = 1e-9, .sizes = {{"n", n}}, .sensitivities = {"k"}});
  const double decay = decay_of_first_mode(n, 1.0);
  const double truth = -0.02 * decay * first_mode(n)[3] * std::exp(-0.02 * decay);
  CHECK(run["d(T[3])/d(k)"].back() == Approx(truth).margin(1e-6));
  const auto back =
      gradient<HeatRod>("T[3]", {"k"}, {.stop = 0.02, .tolerance = 1e-9, .sizes = {{"n", n}}});
  CHECK(back["k"] == Approx(truth).margin(1e-6));
}

template <class Real>
struct TwoChains {
  Submodel<Unlimited<Real>> left{"left"}, right{"right"};
  void equations(Equations<Real>& eq) {
    left.equations(eq);
    right.equations(eq);
  }
};
template <class Real>
struct SizedBySubmodel {
  Submodel<Unlimited<Real>> left{"left", {{"n", 5.0}}};
  void equations(Equations<Real>& eq) { left.equations(eq); }
};

TEST_CASE("submodels have sizes of their own", "[Size]") {
  NativeModel<TwoChains> chains{"TwoChains", {{"right.n", 5}}};
  CHECK(chains.shape().states == 8);
  CHECK(sizes_of(chains.variables()) == Sizes{{"left.n", 3}, {"right.n", 5}});
  // The members behind it are constructed before the start values in braces are known.
  CHECK_THROWS_WITH(NativeModel<SizedBySubmodel>("SizedBySubmodel"),
                    Contains("\"left.n\" cannot be 5"));
}

// A branch that depends on numbers is met in passes that are made long after the model.
template <class Real>
struct Branching {
  Size n{"n", 2};
  States<Real> x{"x", n, {.start = 1.0}};
  Discrete<int> which{"which"};
  void equations(Equations<Real>&) {
    for (std::size_t i = 0; i < n; ++i) {
      if (which == 1) {
        der(x[i]) = x[i] > 0.25 ? Real(-x[i]) : Real(-0.25);
      } else {
        der(x[i]) = -x[i];
      }
    }
  }
  void events(Events<Real>& ev) {
    if (ev.at(0.5)) which = 1;
  }
};

TEST_CASE("passes that are made while a run goes on have its sizes", "[Size]") {
  const auto run = simulate<Branching>({.stop = 1.0, .tolerance = 1e-9, .sizes = {{"n", 5}}});
  for (std::size_t i = 0; i < 5; ++i) {
    CHECK(run[element("x", i)].back() == Approx(std::exp(-1.0)).margin(1e-7));
  }
}

}  // namespace
}  // namespace saltus::test
