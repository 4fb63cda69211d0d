// SPDX-License-Identifier: BSD-2-Clause
// Models of one name in unnamed namespaces of two files; the other one is in same_name_other.cpp.
#include <catch2/catch.hpp>

#include "saltus/simulation.hpp"

namespace saltus::same_name_test {
namespace {

using namespace saltus::modeling;

template <class Real>
struct Climb {
  State<Real> x{"x"};
  void equations(Equations<Real>&) { der(x) = 1.0; }
};

}  // namespace

double climb_elsewhere();

TEST_CASE("models of one name in unnamed namespaces are those of their files", "[modeling]") {
  CHECK(simulate<Climb>({.stop = 1.0})["x"].back() == Approx(1.0));
  CHECK(climb_elsewhere() == Approx(7.0));
}

}  // namespace saltus::same_name_test
