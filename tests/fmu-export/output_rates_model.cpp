// SPDX-License-Identifier: BSD-2-Clause
// Outputs whose derivatives are known, of explicit equations and of implicit ones.
#include "saltus/fmu_export/export_fmu.hpp"
#include "saltus/modeling/native_model.hpp"

namespace saltus::test {

using namespace saltus::modeling;

template <class Real>
struct OutputRates {
#ifdef SALTUS_TEST_IMPLICIT
  static constexpr ModelInfo info{.stop = 10.0, .implicit = true};
  Algebraic<Real> logarithm{"logarithm"};
#else
  static constexpr ModelInfo info{.stop = 10.0};
  Local<Real> logarithm{"logarithm"};
#endif
  State<Real> x{"x", {.start = 1.0}};
  State<Real> v{"v", {.start = 1.0}};
  Input<Real> u{"u"};
  Output<Real> mixed{"mixed"};
  Output<Real> shifted{"shifted"};
  Output<Real> logarithmic{"logarithmic"};
  Output<Real> friction{"friction"};
  Discrete<Real> held{"held", {.causality = Variable::Causality::output}};

  void equations(Equations<Real>& eq) {
#ifdef SALTUS_TEST_IMPLICIT
    eq(exp(logarithm), x);
#else
    logarithm = log(x);
#endif
    der(x) = -2.0 * x;
    mixed = x * x + sin(3.0 * eq.time);
    shifted = u + 3.0 * x;
    logarithmic = 2.0 * logarithm;
    // Slides from v = 0 on, with a friction that is what the pull is.
    friction = v > 0.0 ? Real(-2.0) : Real(2.0);
    der(v) = friction + x;
  }
};

}  // namespace saltus::test

SALTUS_EXPORT_FMU(saltus::test::OutputRates)
