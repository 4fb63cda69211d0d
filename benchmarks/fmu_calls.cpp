// SPDX-License-Identifier: BSD-2-Clause
// What the functions of an exported FMU cost who calls them: a step of Co-Simulation, and beside
// the same model in this program the derivatives and the event indicators of Model Exchange. The
// ball is an elastic one, so that it never comes to rest.
#include <dlfcn.h>

#include <algorithm>
#include <array>
#include <stdexcept>
#include <string>
#include <vector>

#include "bouncing_ball/bouncing_ball.hpp"
#include "figure.hpp"
#include "processor_time.hpp"
#include "saltus/fmi/fmi3.h"
#include "saltus/importer/fmu.hpp"
#include "saltus/importer/model_description.hpp"

namespace saltus::benchmarks {
namespace {

constexpr int kCalls = 200000;
constexpr double kStep = 0.01;

[[noreturn, gnu::noinline]] void fail(const char* call) {
  throw std::runtime_error(std::string(call) + " failed");
}

// Where the call is made, as what the model answers is looked at natively: a function around each
// call would be measured with it.
[[gnu::always_inline]] inline void check(fmi3Status status, const char* call) {
  if (status != fmi3OK) [[unlikely]]
    fail(call);
}

// The binary of an FMU, called without anything in between.
struct Binary {
  explicit Binary(const importer::Fmu& fmu) : token(fmu.description().instantiation_token) {
    const std::filesystem::path folder = fmu.folder() / "binaries";
    const auto platform = *std::filesystem::directory_iterator(folder);
    void* library = dlopen((platform.path() / "bouncing_ball.so").c_str(), RTLD_NOW | RTLD_LOCAL);
    if (library == nullptr) throw std::runtime_error(dlerror());
#define LOAD(Return, Name, Parameters) \
  Name = reinterpret_cast<decltype(Name)>(dlsym(library, #Name));
    SALTUS_FMI3_FUNCTIONS(LOAD)
#undef LOAD
  }
  void initialize(fmi3Instance instance) const {
    const std::array<fmi3ValueReference, 2> references{e, v_min};
    const std::array<double, 2> values{1.0, 0.0};
    check(fmi3SetFloat64(instance, references.data(), 2, values.data(), 2), "fmi3SetFloat64");
    check(fmi3EnterInitializationMode(instance, fmi3False, 0.0, 0.0, fmi3False, 0.0), "entering");
    check(fmi3ExitInitializationMode(instance), "fmi3ExitInitializationMode");
  }

  std::string token;
  fmi3ValueReference e = 0;
  fmi3ValueReference v_min = 0;
#define POINTER(Return, Name, Parameters) Return(*Name) Parameters = nullptr;
  SALTUS_FMI3_FUNCTIONS(POINTER)
#undef POINTER
};

double step_of_co_simulation(const Binary& fmu) {
  fmi3Instance instance =
      fmu.fmi3InstantiateCoSimulation("ball", fmu.token.c_str(), nullptr, fmi3False, fmi3False,
                                      fmi3False, fmi3False, nullptr, 0, nullptr, nullptr, nullptr);
  fmu.initialize(instance);
  fmi3Boolean event = fmi3False;
  fmi3Boolean terminate = fmi3False;
  fmi3Boolean early = fmi3False;
  double reached = 0.0;
  const ProcessorTime elapsed;
  for (int i = 0; i < kCalls; ++i) {
    check(fmu.fmi3DoStep(instance, i * kStep, (i + 1) * kStep - i * kStep, fmi3True, &event,
                         &terminate, &early, &reached),
          "fmi3DoStep");
  }
  const double microseconds = elapsed.microseconds() / kCalls;
  fmu.fmi3FreeInstance(instance);
  return microseconds;
}

// A point of a flight; each one differs from the one before.
std::array<double, 2> point(int i) { return {1.0 + 1e-6 * i, 2.0 - 1e-6 * i}; }

struct Getters {
  double derivatives = 0.0;
  double indicators = 0.0;
  double derivatives_alone = 0.0;  // where the FMU is already, natively the same as `derivatives`
};

Getters getters_of_fmu(const Binary& fmu) {
  fmi3Instance instance = fmu.fmi3InstantiateModelExchange("ball", fmu.token.c_str(), nullptr,
                                                           fmi3False, fmi3False, nullptr, nullptr);
  fmu.initialize(instance);
  fmi3Boolean again = fmi3True;
  fmi3Boolean other = fmi3False;
  double next = 0.0;
  while (again) {
    check(fmu.fmi3UpdateDiscreteStates(instance, &again, &other, &other, &other, &other, &next),
          "fmi3UpdateDiscreteStates");
  }
  check(fmu.fmi3EnterContinuousTimeMode(instance), "fmi3EnterContinuousTimeMode");
  size_t indicators = 0;
  check(fmu.fmi3GetNumberOfEventIndicators(instance, &indicators), "counting indicators");
  std::vector<double> values(std::max<size_t>(indicators, 2));
  const auto microseconds = [&](auto get) {
    const ProcessorTime elapsed;
    for (int i = 0; i < kCalls; ++i) {
      const std::array<double, 2> x = point(i);
      check(fmu.fmi3SetTime(instance, 1e-6 * i), "fmi3SetTime");
      check(fmu.fmi3SetContinuousStates(instance, x.data(), 2), "fmi3SetContinuousStates");
      check(get(), "a getter");
    }
    return elapsed.microseconds() / kCalls;
  };
  const auto derivatives = [&] {
    return fmu.fmi3GetContinuousStateDerivatives(instance, values.data(), 2);
  };
  Getters cost;
  cost.derivatives = microseconds(derivatives);
  cost.indicators =
      microseconds([&] { return fmu.fmi3GetEventIndicators(instance, values.data(), indicators); });
  const ProcessorTime elapsed;
  for (int i = 0; i < kCalls; ++i) check(derivatives(), "fmi3GetContinuousStateDerivatives");
  cost.derivatives_alone = elapsed.microseconds() / kCalls;
  fmu.fmi3FreeInstance(instance);
  return cost;
}

Getters native() {
  modeling::NativeModel<reference::BouncingBall> model("ball");
  std::array<double, 2> y{};
  model.initialize({}, y);
  static_cast<void>(model.update_discrete_states(0.0, y));
  model.enter_continuous_mode(0.0, y);
  std::vector<double> values(std::max<std::size_t>(model.shape().indicators, 2));
  const auto microseconds = [&](auto get) {
    const ProcessorTime elapsed;
    for (int i = 0; i < kCalls; ++i) {
      const std::array<double, 2> x = point(i);
      if (get(1e-6 * i, x) != Eval::ok) throw std::runtime_error("the model failed");
    }
    return elapsed.microseconds() / kCalls;
  };
  Model& base = model;
  return {.derivatives = microseconds(
              [&](double t, ConstVec x) { return base.derivatives(t, x, Vec(values).first(2)); }),
          .indicators = microseconds([&](double t, ConstVec x) {
            return base.indicators(t, x, Vec(values).first(base.shape().indicators));
          })};
}

template <class Cost>
void keep_least(double& least, Cost cost) {
  least = least == 0.0 ? cost : std::min(least, cost);
}

std::vector<Figure> measure(int rounds) {
  const importer::Fmu fmu = importer::Fmu::open(SALTUS_FMU_DIR "/bouncing_ball.fmu");
  Binary binary(fmu);
  for (const auto& variable : fmu.description().variables) {
    if (variable.name == "e") binary.e = variable.binary_reference;
    if (variable.name == "v_min") binary.v_min = variable.binary_reference;
  }
  double step = 0.0;
  Getters here;
  Getters there;
  for (int round = 0; round < rounds; ++round) {
    keep_least(step, step_of_co_simulation(binary));
    const Getters now_there = getters_of_fmu(binary);
    const Getters now_here = native();
    keep_least(there.derivatives, now_there.derivatives);
    keep_least(there.indicators, now_there.indicators);
    keep_least(there.derivatives_alone, now_there.derivatives_alone);
    keep_least(here.derivatives, now_here.derivatives);
    keep_least(here.indicators, now_here.indicators);
  }
  const std::string problem = "FMU of the elastic ball";
  return {{.problem = problem,
           .metric = "microseconds per step of 10 ms, Co-Simulation",
           .value = step,
           .direction = Figure::Bound::at_most,
           .bound = 2.0},
          {.problem = problem,
           .metric = "microseconds for time, states and derivatives",
           .value = there.derivatives,
           .peer = "native",
           .peer_value = here.derivatives},
          {.problem = problem,
           .metric = "microseconds for derivatives alone",
           .value = there.derivatives_alone,
           .peer = "native",
           .peer_value = here.derivatives},
          {.problem = problem,
           .metric = "microseconds for time, states and indicators",
           .value = there.indicators,
           .peer = "native",
           .peer_value = here.indicators}};
}

}  // namespace
}  // namespace saltus::benchmarks

int main(int argc, char** argv) {
  using namespace saltus::benchmarks;
  const Arguments arguments = parse_arguments(argc, argv);
  return report(measure(arguments.rounds), arguments);
}
