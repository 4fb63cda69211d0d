// SPDX-License-Identifier: BSD-2-Clause
// FMI 2.0: the tables of 3.2.3 and 4.2.4. These FMUs neither take derivatives of inputs nor give
// derivatives of outputs, and make no step that is pending or can be cancelled.
#include "call_table.hpp"
#include "session2.hpp"

namespace conformance {
namespace {

Session2& two(Caller& caller) { return static_cast<Session2&>(caller.session); }

#define SALTUS_CALL(Name, ...)                                                               \
  [](Caller& caller) {                                                                       \
    Session2& s = two(caller);                                                               \
    return s.note(static_cast<Status>(s.f().Name(s.instance() __VA_OPT__(, ) __VA_ARGS__))); \
  }
#define SALTUS_SESSION(member) [](Caller& caller) { return caller.session.member(); }

Status get_version(Caller& caller) {
  return std::string(two(caller).f().fmi2GetVersion()) == "2.0" ? Status::ok : Status::error;
}
Status get_types_platform(Caller& caller) {
  return std::string(two(caller).f().fmi2GetTypesPlatform()) == "default" ? Status::ok
                                                                          : Status::error;
}

Status instantiate(Caller& caller) {
  const fmi2Component other = two(caller).instantiate();
  two(caller).f().fmi2FreeInstance(other);
  return other != nullptr ? Status::ok : Status::error;
}

Status output_derivatives(Caller& caller) {
  Session2& s = two(caller);
  const std::vector<fmi2ValueReference> outputs = continuous_outputs(s, caller.random);
  const std::vector<fmi2Integer> orders(outputs.size(), 1);
  std::vector<double> rates(outputs.size());
  return s.note(static_cast<Status>(s.f().fmi2GetRealOutputDerivatives(
      s.instance(), outputs.data(), outputs.size(), orders.data(), rates.data())));
}

Status set_debug_logging(Caller& caller) {
  Session2& s = two(caller);
  const auto& categories = s.description().log_categories;
  const char* one = categories[caller.random.below(categories.size())].name.c_str();
  const bool all = caller.random.chance(0.5);
  return s.note(static_cast<Status>(
      s.f().fmi2SetDebugLogging(s.instance(), caller.random.chance(0.5) ? fmi2True : fmi2False,
                                all ? 0 : 1, all ? nullptr : &one)));
}

Status free_instance(Caller&) { return Status::ok; }  // who owns the session frees it

/// A kind of status that the function knows, or one that it does not: then it discards.
template <class Value, class Function>
Status status_of(Caller& caller, Function* function) {
  Value value{};
  const auto kind = static_cast<fmi2StatusKind>(caller.random.below(4));
  return two(caller).note(static_cast<Status>(function(two(caller).instance(), kind, &value)));
}
#define SALTUS_STATUS(Name, Type) \
  [](Caller& caller) { return status_of<Type>(caller, two(caller).f().Name); }

// clang-format off
constexpr Row kRows[] = {
  //                             Model Exchange  Co-Simulation
  // I instantiated, N Initialization Mode, E Event Mode, C Continuous-Time Mode, S stepComplete,
  // F stepFailed, T terminated, X error
  //                             INECTX    INSFTX
  {"fmi2GetTypesPlatform",               "xxxxxx", "xxxxxx", get_types_platform},
  {"fmi2GetVersion",                     "xxxxxx", "xxxxxx", get_version},
  {"fmi2Instantiate",                    "xxxxxx", "xxxxxx", instantiate},  // another instance
  {"fmi2SetDebugLogging",                "xxxxxx", "xxxxxx", set_debug_logging},
  {"fmi2FreeInstance",                   "xxxxxx", "xxxxxx", free_instance},
  {"fmi2SetupExperiment",                "x.....", "x.....", SALTUS_SESSION(set_up_experiment)},
  {"fmi2EnterInitializationMode",        "x.....", "x.....", SALTUS_SESSION(enter_initialization), needs::experiment},
  {"fmi2ExitInitializationMode",         ".x....", ".x....", SALTUS_SESSION(exit_initialization)},
  {"fmi2Terminate",                      "..xx..", "..xx..", SALTUS_SESSION(terminate)},
  {"fmi2Reset",                          "xxxxxx", "xxxxxx", SALTUS_SESSION(reset)},
  {"fmi2GetReal",                        ".xxxxx", ".xxxxx", calls::get<Type::float64>, needs::values_not_set},
  {"fmi2GetInteger",                     ".xxxxx", ".xxxxx", calls::get<Type::int32>, needs::values_not_set},
  {"fmi2GetBoolean",                     ".xxxxx", ".xxxxx", calls::get<Type::boolean>, needs::values_not_set},
  {"fmi2GetString",                      ".xxxxx", ".xxxxx", calls::get<Type::string>, needs::values_not_set},
  {"fmi2SetReal",                        "xxxx..", "xxx...", calls::set<Type::float64>},
  {"fmi2SetInteger",                     "xxx...", "xxx...", calls::set<Type::int32>},
  {"fmi2SetBoolean",                     "xxx...", "xxx...", calls::set<Type::boolean>},
  {"fmi2SetString",                      "xxx...", "xxx...", calls::set<Type::string>},
  {"fmi2GetFMUstate",                    "xxxxxx", "xxxxxx", calls::save},
  {"fmi2SetFMUstate",                    "xxxxxx", "xxxxxx", calls::restore, needs::saved},
  {"fmi2FreeFMUstate",                   "xxxxxx", "xxxxxx", calls::free_saved},
  {"fmi2SerializedFMUstateSize",         "xxxxxx", "xxxxxx", calls::serialized_size, needs::saved},
  {"fmi2SerializeFMUstate",              "xxxxxx", "xxxxxx", calls::serialize, needs::saved},
  {"fmi2DeSerializeFMUstate",            "xxxxxx", "xxxxxx", calls::deserialize, needs::bytes},
  {"fmi2GetDirectionalDerivative",       ".ccccc", ".ccccc", calls::directional},

  {"fmi2EnterEventMode",                 "..xx..", "......", SALTUS_SESSION(enter_event_mode)},
  {"fmi2NewDiscreteStates",              "..x...", "......", calls::update},
  {"fmi2EnterContinuousTimeMode",        "..x...", "......", SALTUS_SESSION(enter_continuous_time_mode), needs::settled},
  {"fmi2CompletedIntegratorStep",        "...x..", "......", calls::completed_step},
  {"fmi2SetTime",                        "..dx..", "......", calls::set_time, needs::settled_event},
  {"fmi2SetContinuousStates",            "...x..", "......", calls::set_states},
  {"fmi2GetEventIndicators",             ".xxxxx", "......", calls::get_indicators},
  {"fmi2GetContinuousStates",            ".xxxxx", "......", calls::get_states},
  {"fmi2GetDerivatives",                 ".xxxxx", "......", calls::get_derivatives},
  {"fmi2GetNominalsOfContinuousStates",  "xxxxxx", "......", calls::get_nominals},

  {"fmi2SetRealInputDerivatives",        "......", "......", SALTUS_CALL(fmi2SetRealInputDerivatives, nullptr, 0, nullptr, nullptr)},
  {"fmi2GetRealOutputDerivatives",       "......", "..xxxx", output_derivatives},
  {"fmi2DoStep",                         "......", "..x...", calls::do_step, needs::step},
  {"fmi2CancelStep",                     "......", "......", SALTUS_CALL(fmi2CancelStep)},
  {"fmi2GetStatus",                      "......", "..xxx.", SALTUS_STATUS(fmi2GetStatus, fmi2Status)},
  {"fmi2GetRealStatus",                  "......", "..xxx.", SALTUS_STATUS(fmi2GetRealStatus, fmi2Real)},
  {"fmi2GetIntegerStatus",               "......", "..xxx.", SALTUS_STATUS(fmi2GetIntegerStatus, fmi2Integer)},
  {"fmi2GetBooleanStatus",               "......", "..xxx.", SALTUS_STATUS(fmi2GetBooleanStatus, fmi2Boolean)},
  {"fmi2GetStringStatus",                "......", "..xxx.", SALTUS_STATUS(fmi2GetStringStatus, fmi2String)},
};
// clang-format on

#define SALTUS_ONE(Return, Name, Parameters) +1
static_assert(std::size(kRows) == 0 SALTUS_FMI2_FUNCTIONS(SALTUS_ONE), "a function has no row");

}  // namespace

std::span<const Row> table2() { return kRows; }

}  // namespace conformance
