// SPDX-License-Identifier: BSD-2-Clause
#include "saltus/simulation.hpp"

namespace saltus::same_name_test {
namespace {

using namespace saltus::modeling;

template <class Real>
struct Climb {
  Parameter<Real> speed{"speed", {.start = 7.0}};
  State<Real> x{"x"};
  void equations(Equations<Real>&) { der(x) = speed; }
};

}  // namespace

double climb_elsewhere();
double climb_elsewhere() { return simulate<Climb>({.stop = 1.0})["x"].back(); }

}  // namespace saltus::same_name_test
