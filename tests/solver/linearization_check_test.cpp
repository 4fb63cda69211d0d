// SPDX-License-Identifier: BSD-2-Clause
#include "saltus/core/linearization_check.hpp"

#include <catch2/catch.hpp>
#include <cmath>

#include "saltus/modeling/native_model.hpp"

namespace saltus::linearization_check_test {

using namespace modeling;

template <class Real>
struct Reaction {
  State<Real> a{"a", {.start = 1.0}}, b{"b"};
  Algebraic<Real> c{"c"};
  void equations(Equations<Real>& eq) {
    eq(a * der(a), -b * b);
    eq(der(b), sin(a) - c);
    eq(a + b + c, 1.0);
  }
};

/// What somebody wrote by hand for `Reaction`, and what may go wrong with it.
class ByHand : public Linearization {
 public:
  enum class Slip { none, sign, forgotten, by_slope };
  explicit ByHand(Slip slip) : slip_(slip) {
    pattern_.rows = 3;
    const bool whole = slip != Slip::forgotten;
    pattern_.row =
        whole ? std::vector<int>{0, 1, 2, 0, 1, 2, 1, 2} : std::vector<int>{0, 2, 0, 1, 2, 1, 2};
    pattern_.first = whole ? std::vector<int>{0, 3, 6, 8} : std::vector<int>{0, 2, 5, 7};
  }
  const Pattern& pattern() override { return pattern_; }
  Eval evaluate(double, ConstVec y, ConstVec yp, Vec by_value, Vec by_slope) override {
    std::vector<double> value = {yp[0], -std::cos(y[0]), 1.0, 2.0 * y[1], 0.0, 1.0, 1.0, 1.0};
    std::vector<double> slope = {y[0], 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0};
    value[3] = slip_ == Slip::sign ? -value[3] : value[3];
    slope[0] = slip_ == Slip::by_slope ? 2.0 * slope[0] : slope[0];
    if (slip_ == Slip::forgotten) {
      value.erase(value.begin() + 1);
      slope.erase(slope.begin() + 1);
    }
    std::copy(value.begin(), value.end(), by_value.begin());
    std::copy(slope.begin(), slope.end(), by_slope.begin());
    return Eval::ok;
  }

 private:
  Slip slip_;
  Pattern pattern_;
};

/// The same equations without exact derivatives of their own: what is written by hand is all there
/// is.
class Opaque : public Model, private Derivatives {
 public:
  explicit Opaque(ByHand::Slip slip) : by_hand(slip) {}
  ByHand by_hand;
  Shape shape() const override { return {.states = 2, .algebraics = 1}; }
  Capabilities capabilities() override { return {.derivatives = this}; }
  Linearization* linearization() override { return &by_hand; }
  void initialize(const Experiment&, Vec) override {}
  Eval residual(double, ConstVec y, ConstVec yp, Vec r) override {
    r[0] = y[0] * yp[0] + y[1] * y[1];
    r[1] = yp[1] - std::sin(y[0]) + y[2];
    r[2] = y[0] + y[1] + y[2] - 1.0;
    return y[0] > 0.0 ? Eval::ok : Eval::discard;
  }
  Eval indicators(double, ConstVec, Vec) override { return Eval::ok; }
};

const std::vector<double> kPoint = {0.7, -0.4, 1.3}, kSlope = {0.9, 0.2, -0.5};

TEST_CASE("derivatives written by hand are held against those of the equations", "[dae]") {
  NativeModel<Reaction> exact{"Reaction"};
  std::vector<double> y(3);
  exact.initialize({}, y);
  exact.enter_continuous_mode(0.0, y);
  const auto wrong = [&](ByHand::Slip slip, bool with_exact) {
    Opaque opaque(slip);
    ByHand by_hand(slip);
    return with_exact ? check_linearization(exact, by_hand, 0.0, kPoint, kSlope)
                      : check_linearization(opaque, opaque.by_hand, 0.0, kPoint, kSlope);
  };
  for (const bool with_exact : {true, false}) {
    INFO("held against " << (with_exact ? "exact derivatives" : "difference quotients"));
    CHECK(wrong(ByHand::Slip::none, with_exact).empty());
    const auto sign = wrong(ByHand::Slip::sign, with_exact);
    REQUIRE(sign.size() == 1);
    CHECK_THAT(to_string(sign[0], exact),
               Catch::StartsWith("the derivative of 'a*der(a) = -b*b' by b is -0.8") &&
                   Catch::EndsWith(", claimed is 0.8"));
    const auto slope = wrong(ByHand::Slip::by_slope, with_exact);
    REQUIRE(slope.size() == 1);
    CHECK(slope[0].by_slope);
    CHECK(slope[0].claimed == 1.4);
    CHECK(slope[0].found == Approx(0.7));
    const auto forgotten = wrong(ByHand::Slip::forgotten, with_exact);
    REQUIRE(forgotten.size() == 1);
    CHECK_FALSE(forgotten[0].in_pattern);
    CHECK_THAT(to_string(forgotten[0], exact), Catch::Contains("no place in the pattern"));
  }
}

TEST_CASE("a point where the equations end, or of another size, cannot be checked", "[dae]") {
  Opaque opaque(ByHand::Slip::none);
  const std::vector<double> beyond = {-1.0, 0.0, 0.0}, short_slope = {0.0};
  CHECK_THROWS_AS(check_linearization(opaque, opaque.by_hand, 0.0, beyond, kSlope),
                  std::invalid_argument);
  CHECK_THROWS_WITH(check_linearization(opaque, opaque.by_hand, 0.0, kPoint, short_slope),
                    Catch::Contains("3 unknowns and 1 slopes"));
}

}  // namespace saltus::linearization_check_test
