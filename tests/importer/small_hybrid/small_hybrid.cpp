// SPDX-License-Identifier: BSD-2-Clause
#include "saltus/fmu_export/export_fmu.hpp"
#include "saltus/modeling/native_model.hpp"

namespace saltus::test {

using namespace saltus::modeling;

/// The example of the manual of DSL48SE. Where p = 3, it touches the surface at x = 1.
template <class Real>
struct SmallHybrid {
  static constexpr ModelInfo info{.description = "A small hybrid example", .stop = 2.0};

  State<Real> x{"x"};
  Parameter<Real> p{"p", {.start = 2.9}};
  void equations(Equations<Real>&) {
    if (x * x * x - 5.0 * x * x + 7.0 * x <= p) {
      der(x) = 4.0 - x;
    } else {
      der(x) = 10.0 - 2.0 * x;
    }
  }
};

}  // namespace saltus::test

SALTUS_EXPORT_FMU(saltus::test::SmallHybrid)
