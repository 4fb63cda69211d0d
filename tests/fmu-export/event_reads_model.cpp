// SPDX-License-Identifier: BSD-2-Clause
#include "saltus/fmu_export/export_fmu.hpp"
#include "saltus/modeling/native_model.hpp"

namespace {

using namespace saltus::modeling;

/// One event makes the condition of the next: two updates at the start, two where x reaches 0.5.
template <class Real>
struct Cascade {
  static constexpr ModelInfo info{.stop = 2.0};
  State<Real> x{"x", {.start = 0.3}};
  State<Real> passed{"passed"};
  Discrete<int> mode{"mode"};
  Discrete<int> turn{"turn"};
  void equations(Equations<Real>&) {
    der(x) = turn == 2 ? Real(-1.0) : Real(1.0);
    der(passed) = x > 0.7 ? Real(1.0) : Real(2.0);
  }
  void events(Events<Real>& ev) {
    if (ev.initial()) mode = 1;
    if (ev.when(mode == 1 && x > 0.2)) mode = 2;
    if (ev.when(turn == 0 && x > 0.5)) turn = 1;
    if (ev.when(turn == 1 && x > 0.2)) turn = 2;
  }
};

}  // namespace

SALTUS_EXPORT_FMU(Cascade)
