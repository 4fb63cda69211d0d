// SPDX-License-Identifier: BSD-2-Clause
// FMI 3.0: the lists "Allowed Function Calls" of 2.3, 3.2 and 4.2, with the clarifications of
// 3.0.3. Functions of a super state are allowed in all its states; whether Intermediate Update Mode
// is one of them, the text leaves open. One of these FMUs has clocks, without fractions;
// those with a structural parameter can be configured, the others refuse it.
#include <array>

#include "call_table.hpp"
#include "session3.hpp"

namespace conformance {
namespace {

using saltus::importer::Causality;
using saltus::importer::IntervalVariability;
using saltus::importer::VariableType;

Session3& three(Caller& caller) { return static_cast<Session3&>(caller.session); }

/// A call of a function of FMI 3.0 that is followed by no change of state.
#define SALTUS_CALL(Name, ...)                                                               \
  [](Caller& caller) {                                                                       \
    Session3& s = three(caller);                                                             \
    return s.note(static_cast<Status>(s.f().Name(s.instance() __VA_OPT__(, ) __VA_ARGS__))); \
  }
#define SALTUS_SESSION(member) [](Caller& caller) { return caller.session.member(); }

Status get_version(Caller& caller) {
  return std::string(three(caller).f().fmi3GetVersion()).starts_with("3.") ? Status::ok
                                                                           : Status::error;
}

template <Kind kind>
Status instantiate(Caller& caller) {
  const fmi3Instance other = three(caller).instantiate(kind);
  three(caller).f().fmi3FreeInstance(other);
  return other != nullptr ? Status::ok : Status::error;
}

Status instantiate_scheduled(Caller& caller) {
  Session3& s = three(caller);
  std::string log;
  const fmi3Instance other = s.f().fmi3InstantiateScheduledExecution(
      "se", s.description().instantiation_token.c_str(), nullptr, fmi3False, fmi3False, nullptr,
      nullptr, nullptr, nullptr, nullptr);
  return other == nullptr ? Status::ok : Status::error;
}

Status set_debug_logging(Caller& caller) {
  Session3& s = three(caller);
  const auto& categories = s.description().log_categories;
  const char* one = categories[caller.random.below(categories.size())].name.c_str();
  const bool all = caller.random.chance(0.5);
  return s.note(static_cast<Status>(s.f().fmi3SetDebugLogging(
      s.instance(), caller.random.chance(0.5), all ? 0 : 1, all ? nullptr : &one)));
}

// Into Configuration or Reconfiguration Mode, where sizes are chosen anew, and out of it again.
Status configure(Caller& caller) {
  Session3& s = three(caller);
  const Status entered =
      s.note(static_cast<Status>(s.f().fmi3EnterConfigurationMode(s.instance())));
  if (!went_well(entered)) return entered;
  auto sizes = s.now.sizes;
  for (const Variable* v :
       s.now.state == State::instantiated ? s.sizes() : std::vector<const Variable*>{}) {
    if (caller.random.chance(0.2)) continue;
    const fmi3UInt64 size = static_cast<fmi3UInt64>(v->min.value_or(1.0)) + caller.random.below(12);
    const Status set = s.note(
        static_cast<Status>(s.f().fmi3SetUInt64(s.instance(), &v->binary_reference, 1, &size, 1)));
    if (!went_well(set)) return set;
    sizes[v->reference] = size;
  }
  s.now.sizes = sizes;
  return s.note(static_cast<Status>(s.f().fmi3ExitConfigurationMode(s.instance())));
}

Status free_instance(Caller&) { return Status::ok; }  // who owns the session frees it

Status adjoint(Caller& caller) {
  Session3& s = three(caller);
  const Derivative some = sane_derivative(s, caller.random);
  const std::vector<double> seed(s.number_of_values(some.unknowns), 1.0);
  std::vector<double> sensitivity(s.number_of_values(some.knowns));
  return s.note(static_cast<Status>(s.f().fmi3GetAdjointDerivative(
      s.instance(), some.unknowns.data(), some.unknowns.size(), some.knowns.data(),
      some.knowns.size(), seed.data(), seed.size(), sensitivity.data(), sensitivity.size())));
}

Status output_derivatives(Caller& caller) {
  Session3& s = three(caller);
  const std::vector<fmi3ValueReference> outputs = continuous_outputs(s, caller.random);
  const std::vector<fmi3Int32> orders(outputs.size(), 1);
  std::vector<double> rates(s.number_of_values(outputs));
  return s.note(static_cast<Status>(s.f().fmi3GetOutputDerivatives(
      s.instance(), outputs.data(), outputs.size(), orders.data(), rates.data(), rates.size())));
}

Status count_dependencies(Caller& caller) {
  Session3& s = three(caller);
  std::size_t count = 0;
  return s.note(static_cast<Status>(s.f().fmi3GetNumberOfVariableDependencies(
      s.instance(), some_unknown(s, caller.random), &count)));
}

Status dependencies(Caller& caller) {
  Session3& s = three(caller);
  const std::uint32_t unknown = some_unknown(s, caller.random);
  std::size_t count = 0;
  if (s.capabilities().provides_per_element_dependencies) {
    const fmi3Status asked =
        s.f().fmi3GetNumberOfVariableDependencies(s.instance(), unknown, &count);
    if (asked != fmi3OK) return s.note(static_cast<Status>(asked));
  }
  std::vector<std::size_t> elements(count), of(count);
  std::vector<fmi3ValueReference> on(count);
  std::vector<fmi3DependencyKind> kinds(count);
  return s.note(static_cast<Status>(s.f().fmi3GetVariableDependencies(
      s.instance(), unknown, elements.data(), on.data(), of.data(), kinds.data(), count)));
}

Status count_states(Caller& caller) {
  Session3& s = three(caller);
  std::size_t count = 0;
  const fmi3Status status = s.f().fmi3GetNumberOfContinuousStates(s.instance(), &count);
  const bool wrong = status == fmi3OK && count != s.number_of_states();
  return wrong ? Status::fatal : s.note(static_cast<Status>(status));
}

Status count_indicators(Caller& caller) {
  Session3& s = three(caller);
  std::size_t count = 0;
  const fmi3Status status = s.f().fmi3GetNumberOfEventIndicators(s.instance(), &count);
  const bool wrong = status == fmi3OK && count != s.number_of_indicators();
  return wrong ? Status::fatal : s.note(static_cast<Status>(status));
}

/// Some clocks: those that may be read, set, or asked for an interval or a shift.
enum class Clocks { all, inputs, timed, periodic };
std::vector<fmi3ValueReference> some_clocks(Caller& caller, Clocks which) {
  std::vector<fmi3ValueReference> clocks;
  for (const Variable& v : three(caller).description().variables) {
    if (v.type != VariableType::clock) continue;
    const IntervalVariability kind = v.clock->interval_variability;
    const bool is_timed = v.causality == Causality::input && kind != IntervalVariability::triggered;
    const bool is_planned =
        kind == IntervalVariability::changing || kind == IntervalVariability::countdown;
    const bool fits = which == Clocks::all      ? true
                      : which == Clocks::inputs ? v.causality == Causality::input
                      : which == Clocks::timed  ? is_timed
                                                : is_timed && !is_planned;
    if (fits && caller.random.chance(0.5)) clocks.push_back(v.binary_reference);
  }
  return clocks;
}
Status get_clock(Caller& caller) {
  Session3& s = three(caller);
  const auto clocks = some_clocks(caller, Clocks::all);
  std::array<fmi3Clock, 16> active{};
  return s.note(static_cast<Status>(
      s.f().fmi3GetClock(s.instance(), clocks.data(), clocks.size(), active.data())));
}
Status set_clock(Caller& caller) {
  Session3& s = three(caller);
  const auto clocks = some_clocks(caller, Clocks::inputs);
  std::array<fmi3Clock, 16> active{};
  for (fmi3Clock& one : active) one = caller.random.chance(0.7);
  s.now.settled = s.now.settled && clocks.empty();
  return s.note(static_cast<Status>(
      s.f().fmi3SetClock(s.instance(), clocks.data(), clocks.size(), active.data())));
}
Status get_interval(Caller& caller) {
  Session3& s = three(caller);
  const auto clocks = some_clocks(caller, Clocks::timed);
  std::array<double, 16> lengths{};
  std::array<fmi3IntervalQualifier, 16> qualifiers{};
  return s.note(static_cast<Status>(s.f().fmi3GetIntervalDecimal(
      s.instance(), clocks.data(), clocks.size(), lengths.data(), qualifiers.data())));
}
Status get_shift(Caller& caller) {
  Session3& s = three(caller);
  const auto clocks = some_clocks(caller, Clocks::periodic);
  std::array<double, 16> lengths{};
  return s.note(static_cast<Status>(
      s.f().fmi3GetShiftDecimal(s.instance(), clocks.data(), clocks.size(), lengths.data())));
}

/// The functions of a type that has no continuous variables.
#define SALTUS_TYPE(Word, type)                                                            \
  {"fmi3Get" #Word, "xxxxxx", "xxxxxxx", calls::get<Type::type>, needs::values_not_set}, { \
    "fmi3Set" #Word, "xxxo..", "xxxxo..", calls::set<Type::type>                           \
  }

// clang-format off
constexpr Row kRows[] = {
  //                             Model Exchange  Co-Simulation
  // I Instantiated, N Initialization Mode, E Event Mode, C Continuous-Time Mode, S Step Mode,
  // U Intermediate Update Mode, T Terminated, X the same after an error
  //                             INECTX    INESUTX
  {"fmi3GetVersion",                     "xxxxxx", "xxxxxxx", get_version},
  {"fmi3InstantiateModelExchange",       "xxxxxx", "xxxxxxx", instantiate<Kind::model_exchange>},
  {"fmi3InstantiateCoSimulation",        "xxxxxx", "xxxxxxx", instantiate<Kind::co_simulation>},
  {"fmi3InstantiateScheduledExecution",  "xxxxxx", "xxxxxxx", instantiate_scheduled},  // gives NULL

  {"fmi3SetDebugLogging",                "xxxxxx", "xxxxoxx", set_debug_logging},
  {"fmi3Reset",                          "xxxxxx", "xxxxoxx", SALTUS_SESSION(reset)},
  {"fmi3FreeInstance",                   "xxxxxx", "xxxxoxx", free_instance},
  {"fmi3GetFMUState",                    "xxxxxx", "xxxxoxx", calls::save},
  {"fmi3SetFMUState",                    "xxxxxx", "xxxxoxx", calls::restore, needs::saved},
  {"fmi3FreeFMUState",                   "xxxxxx", "xxxxoxx", calls::free_saved},
  {"fmi3SerializedFMUStateSize",         "xxxxxx", "xxxxoxx", calls::serialized_size, needs::saved},
  {"fmi3SerializeFMUState",              "xxxxxx", "xxxxoxx", calls::serialize, needs::saved},
  {"fmi3DeserializeFMUState",            "xxxxxx", "xxxxoxx", calls::deserialize, needs::bytes},

  {"fmi3EnterInitializationMode",        "x.....", "x......", SALTUS_SESSION(enter_initialization)},
  {"fmi3ExitInitializationMode",         ".x....", ".x.....", SALTUS_SESSION(exit_initialization)},
  {"fmi3Terminate",                      "..xx..", "..xxo..", SALTUS_SESSION(terminate)},
  {"fmi3EnterConfigurationMode",         "s.o...", "s.oo...", configure},
  {"fmi3ExitConfigurationMode",          "......", ".......", SALTUS_CALL(fmi3ExitConfigurationMode)},

  {"fmi3GetFloat64",                     "xxxxxx", "xxxxxxx", calls::get<Type::float64>, needs::values_not_set},
  {"fmi3SetFloat64",                     "xxxx..", "xxxxx..", calls::set<Type::float64>, needs::inputs_wanted},
  SALTUS_TYPE(Int32, int32),
  SALTUS_TYPE(Int64, int64),
  SALTUS_TYPE(Boolean, boolean),
  SALTUS_TYPE(Float32, float32),
  SALTUS_TYPE(Int8, int8),
  SALTUS_TYPE(UInt8, uint8),
  SALTUS_TYPE(Int16, int16),
  SALTUS_TYPE(UInt16, uint16),
  SALTUS_TYPE(UInt32, uint32),
  SALTUS_TYPE(UInt64, uint64),
  SALTUS_TYPE(String, string),
  SALTUS_TYPE(Binary, binary),
  // Clocks are read like other variables, and listed for Event Mode only.
  {"fmi3GetClock",                       "ooxooo", "ooxoooo", get_clock},
  {"fmi3SetClock",                       "..x...", "..x....", set_clock},
  {"fmi3GetIntervalDecimal",             ".xx...", ".xx....", get_interval},
  {"fmi3GetIntervalFraction",            ".xx...", ".xx....", SALTUS_CALL(fmi3GetIntervalFraction, nullptr, 0, nullptr, nullptr, nullptr)},
  {"fmi3GetShiftDecimal",                ".x....", ".x.....", get_shift},
  {"fmi3GetShiftFraction",               ".x....", ".x.....", SALTUS_CALL(fmi3GetShiftFraction, nullptr, 0, nullptr, nullptr)},
  {"fmi3SetIntervalDecimal",             ".xx...", ".xx....", SALTUS_CALL(fmi3SetIntervalDecimal, nullptr, 0, nullptr)},
  {"fmi3SetIntervalFraction",            ".xx...", ".xx....", SALTUS_CALL(fmi3SetIntervalFraction, nullptr, 0, nullptr, nullptr)},
  {"fmi3SetShiftDecimal",                ".x....", ".x.....", SALTUS_CALL(fmi3SetShiftDecimal, nullptr, 0, nullptr)},
  {"fmi3SetShiftFraction",               ".x....", ".x.....", SALTUS_CALL(fmi3SetShiftFraction, nullptr, 0, nullptr, nullptr)},

  {"fmi3EnterEventMode",                 "...x..", "...e...", SALTUS_SESSION(enter_event_mode)},
  {"fmi3UpdateDiscreteStates",           "..x...", "..x....", calls::update},
  // Only where providesEvaluateDiscreteStates is true, which it is in none of these.
  {"fmi3EvaluateDiscreteStates",         "......", ".......", SALTUS_CALL(fmi3EvaluateDiscreteStates)},

  {"fmi3GetNumberOfVariableDependencies","cccccc", "ccccccc", count_dependencies},
  {"fmi3GetVariableDependencies",        "cccccc", "ccccccc", dependencies},
  {"fmi3GetDirectionalDerivative",       ".ccccc", ".ccc.cc", calls::directional},
  {"fmi3GetAdjointDerivative",           ".ccccc", ".ccc.cc", adjoint},

  {"fmi3EnterContinuousTimeMode",        "..x...", ".......", SALTUS_SESSION(enter_continuous_time_mode), needs::settled},
  {"fmi3CompletedIntegratorStep",        "...x..", ".......", calls::completed_step},
  {"fmi3SetTime",                        "...x..", ".......", calls::set_time},
  {"fmi3SetContinuousStates",            "...x..", ".......", calls::set_states},
  {"fmi3GetContinuousStateDerivatives",  ".xxxxx", ".......", calls::get_derivatives},
  {"fmi3GetEventIndicators",             ".xxxxx", ".......", calls::get_indicators},
  {"fmi3GetContinuousStates",            ".xxxxx", ".......", calls::get_states},
  {"fmi3GetNominalsOfContinuousStates",  ".xxxxx", ".......", calls::get_nominals},
  // Where structural parameters may have changed; without them the answer is the same everywhere.
  {"fmi3GetNumberOfContinuousStates",    "xoxooo", ".......", count_states},
  {"fmi3GetNumberOfEventIndicators",     "xoxooo", ".......", count_indicators},

  {"fmi3EnterStepMode",                  "......", "..x....", SALTUS_SESSION(enter_step_mode), needs::settled},
  {"fmi3DoStep",                         "......", "...x...", calls::do_step, needs::step},
  {"fmi3GetOutputDerivatives",           "......", "...xxxx", output_derivatives},
  {"fmi3ActivateModelPartition",         "......", ".......", SALTUS_CALL(fmi3ActivateModelPartition, 0, 0.0)},
};
// clang-format on

#define SALTUS_ONE(Return, Name, Parameters) +1
static_assert(std::size(kRows) == 0 SALTUS_FMI3_FUNCTIONS(SALTUS_ONE), "a function has no row");

}  // namespace

std::span<const Row> table3() { return kRows; }

}  // namespace conformance
