// SPDX-License-Identifier: BSD-2-Clause
#include "saltus/core/relation.hpp"

#include <catch2/catch.hpp>

namespace saltus::test {

TEST_CASE("a relation flips only beyond its hysteresis, and only when updated", "[Relation]") {
  Relation relation(0.1);
  CHECK_FALSE(relation.holds());
  CHECK_FALSE(relation.update(0.05));
  CHECK(relation.update(0.2));
  CHECK(relation.holds());
  CHECK_FALSE(relation.update(-0.05));
  CHECK(relation.update(-0.2));
  CHECK_FALSE(relation.holds());
}

TEST_CASE("the indicator of a relation is off zero after it has flipped", "[Relation]") {
  Relation relation(0.1);
  CHECK(relation.indicator(0.1) == 0.0);
  relation.update(0.1 + 1e-15);
  CHECK(relation.indicator(0.1) == Approx(0.2));
}

TEST_CASE("a relation decides without hysteresis at the start", "[Relation]") {
  Relation relation(0.1);
  relation.decide(0.05);
  CHECK(relation.holds());
}

}  // namespace saltus::test
