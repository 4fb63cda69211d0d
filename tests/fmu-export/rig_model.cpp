// SPDX-License-Identifier: BSD-2-Clause
// The model that all tests of the exporter run: a ball in a lift, with one variable of each kind.

#include "saltus/fmu_export/export_fmu.hpp"

namespace rig {

using namespace saltus::modeling;
using Causality = Variable::Causality;

template <class Real>
struct Rig {
  static constexpr ModelInfo info{
      .description = "a ball, a pull & a lamp", .stop = 3.0, .tolerance = 1e-7};

  State<Real> h{"h", {.unit = "m", .start = 1.0, .description = "height", .nominal = 2.0}};
  State<Real> v{"v", {.unit = "m/s"}};
  Parameter<Real> g{"g", {.unit = "m/s2", .start = 9.81, .min = 0.0}};
  Parameter<Real> e{"e", {.unit = "1", .start = 0.7, .tunable = true}};
  Input<Real> pull{"pull", {.unit = "m/s2"}};
  Output<Real> energy{"energy", {.unit = "J", .description = "per \"kilogram\" <of ball>"}};
  Local<Real> room{"room", {.unit = "m"}};
  Discrete<int> bounces{"bounces", {.causality = Causality::output}};
  Discrete<std::int64_t> ticks{"ticks", {.start = 7}};
  Discrete<bool> lamp{"lamp", {.causality = Causality::input}};
  Discrete<bool> lamp_seen{"lamp_seen", {.causality = Causality::output}};
  Discrete<Real> last_speed{"last_speed", {.unit = "m/s", .start = 0.5}};

  void equations(Equations<Real>&) {
    room = sqrt(4.0 - h);  // no number above 4: the equations end there
    der(h) = v;
    der(v) = pull - g - 0.1 * v * room;
    energy = 0.5 * v * v + g * h;
  }
  void events(Events<Real>& ev) {
    if (ev.when(h <= 0.0 && v < 0.0)) {
      last_speed = v;
      h = 0.0;
      v = -e * v;
      bounces = bounces + 1;
    }
    if (ev.every(0.25)) {
      ticks = ticks + 1;
    }
    if (ev.when(h > 3.0)) {
      ev.terminate();
    }
    lamp_seen = static_cast<bool>(lamp);
  }
};

}  // namespace rig

SALTUS_EXPORT_FMU(rig::Rig)
