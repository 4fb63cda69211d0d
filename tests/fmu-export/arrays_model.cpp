// SPDX-License-Identifier: BSD-2-Clause
// Arrays of every kind, in the model and in submodels, and names that only look like such.
#include <saltus/fmu_export/export_fmu.hpp>
#include <saltus/modeling/submodel.hpp>

namespace {

using namespace saltus::modeling;

template <class Real>
struct Wall {
  States<Real> T{"T", {1.0, 0.5}, {.unit = "K"}};
  Input<Real> heat{"heat"};
  void equations(Equations<Real>&) {
    der(T[0]) = heat - (T[0] - T[1]);
    der(T[1]) = T[0] - T[1];
  }
};

template <class Real>
struct Layers {
  static constexpr Alias aliases[] = {{"temperatures", "T", "of all layers"},
                                      {"heat", "x"},
                                      {"count", "hot"},
                                      {"der(heat)", "der(x)"}};
  static constexpr TerminalMember wall[] = {{"T", "temperatures"},
                                            {"flow", "", TerminalMember::Kind::outflow}};
  static constexpr TerminalMember controller[] = {{"u"}, {"hot", "alarm"}};
  static constexpr Terminal terminals[] = {
      {"wall", wall, Terminal::Matching::sequence, "org.saltus.Heat", "to other <layers> & walls"},
      {"controller", controller, Terminal::Matching::bus}};
  static constexpr ModelInfo info{
      .stop = 2.0, .step_size = 0.05, .aliases = aliases, .terminals = terminals};
  Parameter<Real> gain{"gain", {.start = 0.5}};
  States<Real> T{"T",
                 {1.0, 2.0, 4.0},
                 {.unit = "K", .description = "of the layers", .nominal = 2.0, .max = 1e3}};
  Parameters<Real> k{"k", {1.0, 2.0}, {.tunable = true}};
  Inputs<Real> u{"u", {0.5, 0.25}, {.unit = "K/s"}};
  Outputs<Real> flow{"flow", 2, {.unit = "K/s"}};
  Locals<Real> mean{"mean", 1};
  State<Real> x{"x"};
  Submodels<Wall<Real>> walls{"walls", 2};
  // Their limits differ, and one word stands for all elements of an array.
  Parameter<Real> a0{"a[0]", {.start = 1.0, .min = 0.0}}, a1{"a[1]", {.start = 1.0}};
  // Another variable has the name.
  Local<Real> c{"c"}, c0{"c[0]"};
  // One is missing.
  Parameter<Real> g0{"g[0]", {}}, g2{"g[2]", {}};
  Discrete<int> hot{"hot", {.causality = Variable::Causality::output}};

  void equations(Equations<Real>& eq) {
    for (std::size_t i = 0; i < 2; ++i) {
      flow[i] = k[i] * (T[i] - T[i + 1]);
      walls[i].heat = flow[i];
    }
    mean[0] = (T[0] + T[1] + T[2]) / 3.0;
    c = a0 * x;
    c0 = a1 * x;
    walls.equations(eq);
    der(T[0]) = u[0] - flow[0];
    der(T[1]) = flow[0] - flow[1];
    der(T[2]) = flow[1] - gain * T[2] + u[1];
    der(x) = T[0] * T[2];
  }
  void events(Events<Real>& ev) {
    if (ev.when(T[0] > 1.8)) {
      T[1] = 0.0;
      hot = hot + 1;
    }
  }
};

}  // namespace

SALTUS_EXPORT_FMU(Layers)
