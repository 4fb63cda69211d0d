// SPDX-License-Identifier: BSD-2-Clause
#include "saltus/modeling/units.hpp"

#include <catch2/catch.hpp>
#include <numbers>

namespace saltus::modeling {

TEST_CASE("units mean what they say in base units", "[units]") {
  const auto check = [](const char* text, const BaseUnits& expected) {
    INFO(text);
    const auto unit = base_units(text);
    REQUIRE(unit);
    CHECK(unit->kg == expected.kg);
    CHECK(unit->m == expected.m);
    CHECK(unit->s == expected.s);
    CHECK(unit->A == expected.A);
    CHECK(unit->K == expected.K);
    CHECK(unit->mol == expected.mol);
    CHECK(unit->rad == expected.rad);
    CHECK(unit->factor == Approx(expected.factor).epsilon(1e-14));
    CHECK(unit->offset == Approx(expected.offset).epsilon(1e-14));
  };
  check("1", {});
  check("m", {.m = 1});
  check("m/s2", {.m = 1, .s = -2});
  check("m.s-2", {.m = 1, .s = -2});
  check("m/s^2", {.m = 1, .s = -2});
  check("1/s", {.s = -1});
  check("kg", {.kg = 1});
  check("kg.m2", {.kg = 1, .m = 2});
  check("kN.m", {.kg = 1, .m = 2, .s = -2, .factor = 1e3});
  check("N/(m/s)", {.kg = 1, .s = -1});
  check("J/(kg.K)", {.m = 2, .s = -2, .K = -1});
  check("Ohm", {.kg = 1, .m = 2, .s = -3, .A = -2});
  check("uF", {.kg = -1, .m = -2, .s = 4, .A = 2, .factor = 1e-6});
  check("mm3", {.m = 3, .factor = 1e-9});
  check("km/h", {.m = 1, .s = -1, .factor = 1.0 / 3.6});
  check("rad/s", {.s = -1, .rad = 1});
  check("deg", {.rad = 1, .factor = std::numbers::pi / 180.0});
  check("degC", {.K = 1, .offset = 273.15});
  check("min", {.s = 1, .factor = 60.0});
  check("kmol/m3", {.m = -3, .mol = 1, .factor = 1e3});
}

TEST_CASE("what is no unit is not known", "[units]") {
  for (const char* text : {"m/sss", "meters", "m/", "/s", "m..s", "(m", "m)", "kkg", "m s", "2m",
                           "s-", "apple", "10/s", "1m", "kdegC", " m", "m/s/"}) {
    INFO(text);
    CHECK_FALSE(base_units(text));
  }
}

TEST_CASE("values are converted between units of one quantity", "[units]") {
  const UnitConversion celsius = conversion("K", "degC");
  CHECK(celsius.factor == 1.0);
  CHECK(celsius.offset == -273.15);
  const UnitConversion back = conversion("degC", "K");
  CHECK(back.offset == 273.15);
  CHECK(conversion("m/s", "km/h").factor == Approx(3.6));
  CHECK(conversion("m", "mm").factor == Approx(1000.0));
  CHECK_THROWS_WITH(conversion("m", "s"), Catch::Contains("units of different quantities"));
  CHECK_THROWS_WITH(conversion("m", "sss"), Catch::Contains("\"sss\" is not known"));
}

}  // namespace saltus::modeling
