// SPDX-License-Identifier: BSD-2-Clause
// Our FMI 2.0 header says what the official headers say; see fmi3_equals_official_test.cpp for how
// that is proven. The callbacks and the event information are structures here, and different types
// in the two namespaces: they are compared member by member.

#include <stddef.h>
#include <stdlib.h>

#include <cstdio>
#include <type_traits>

namespace ours {
#include "saltus/fmi/fmi2.h"

constexpr int kTrue = fmi2True;
constexpr int kFalse = fmi2False;
constexpr char kVersion[] = fmi2Version;
constexpr char kTypesPlatform[] = fmi2TypesPlatform;
#undef fmi2True
#undef fmi2False
#undef fmi2Version
#undef fmi2TypesPlatform
}  // namespace ours

namespace official {
#include "fmi2Functions.h"
}

namespace {

template <class T>
struct Official {
  using Type = T;
};
template <class T>
using OfficialType = typename Official<T>::Type;

#define REPLACED(Name)           \
  template <>                    \
  struct Official<ours::Name> {  \
    using Type = official::Name; \
  };
REPLACED(fmi2Status)
REPLACED(fmi2Type)
REPLACED(fmi2StatusKind)
REPLACED(fmi2CallbackFunctions)
REPLACED(fmi2EventInfo)
template <class T>
struct Official<T*> {
  using Type = OfficialType<T>*;
};
template <class T>
struct Official<const T> {
  using Type = const OfficialType<T>;
};
template <class Return, class... Arguments>
struct Official<Return(Arguments...)> {
  using Type = OfficialType<Return>(OfficialType<Arguments>...);
};
template <class Return, class... Arguments>
struct Official<Return(Arguments..., ...)> {
  using Type = OfficialType<Return>(OfficialType<Arguments>..., ...);
};

#define SAME_TYPE(Name) \
  static_assert(std::is_same_v<OfficialType<ours::Name>, official::Name>, #Name);

SAME_TYPE(fmi2Component)
SAME_TYPE(fmi2ComponentEnvironment)
SAME_TYPE(fmi2FMUstate)
SAME_TYPE(fmi2ValueReference)
SAME_TYPE(fmi2Real)
SAME_TYPE(fmi2Integer)
SAME_TYPE(fmi2Boolean)
SAME_TYPE(fmi2Char)
SAME_TYPE(fmi2String)
SAME_TYPE(fmi2Byte)
SAME_TYPE(fmi2CallbackLogger)
SAME_TYPE(fmi2CallbackAllocateMemory)
SAME_TYPE(fmi2CallbackFreeMemory)
SAME_TYPE(fmi2StepFinished)

static_assert(ours::kTrue == fmi2True);
static_assert(ours::kFalse == fmi2False);

constexpr bool same_text(const char* a, const char* b) {
  while (*a != '\0' && *a == *b) {
    ++a;
    ++b;
  }
  return *a == *b;
}
static_assert(same_text(ours::kVersion, fmi2Version));
static_assert(same_text(ours::kTypesPlatform, fmi2TypesPlatform));

#define SAME_SIZE(Name) static_assert(sizeof(ours::Name) == sizeof(official::Name), #Name);
#define SAME_VALUE(Enumerator) \
  static_assert(int{ours::Enumerator} == int{official::Enumerator}, #Enumerator);

SAME_SIZE(fmi2Status)
SAME_VALUE(fmi2OK)
SAME_VALUE(fmi2Warning)
SAME_VALUE(fmi2Discard)
SAME_VALUE(fmi2Error)
SAME_VALUE(fmi2Fatal)
SAME_VALUE(fmi2Pending)

SAME_SIZE(fmi2Type)
SAME_VALUE(fmi2ModelExchange)
SAME_VALUE(fmi2CoSimulation)

SAME_SIZE(fmi2StatusKind)
SAME_VALUE(fmi2DoStepStatus)
SAME_VALUE(fmi2PendingStatus)
SAME_VALUE(fmi2LastSuccessfulTime)
SAME_VALUE(fmi2Terminated)

#define SAME_MEMBER(Struct, Member)                                                    \
  static_assert(offsetof(ours::Struct, Member) == offsetof(official::Struct, Member)); \
  static_assert(std::is_same_v<OfficialType<decltype(ours::Struct::Member)>,           \
                               decltype(official::Struct::Member)>,                    \
                #Struct "::" #Member);
SAME_SIZE(fmi2CallbackFunctions)
SAME_MEMBER(fmi2CallbackFunctions, logger)
SAME_MEMBER(fmi2CallbackFunctions, allocateMemory)
SAME_MEMBER(fmi2CallbackFunctions, freeMemory)
SAME_MEMBER(fmi2CallbackFunctions, stepFinished)
SAME_MEMBER(fmi2CallbackFunctions, componentEnvironment)
SAME_SIZE(fmi2EventInfo)
SAME_MEMBER(fmi2EventInfo, newDiscreteStatesNeeded)
SAME_MEMBER(fmi2EventInfo, terminateSimulation)
SAME_MEMBER(fmi2EventInfo, nominalsOfContinuousStatesChanged)
SAME_MEMBER(fmi2EventInfo, valuesOfContinuousStatesChanged)
SAME_MEMBER(fmi2EventInfo, nextEventTimeDefined)
SAME_MEMBER(fmi2EventInfo, nextEventTime)

#define SAME_FUNCTION(Return, Name, Parameters) \
  SAME_TYPE(Name##TYPE)                         \
  static_assert(std::is_same_v<OfficialType<ours::Name##TYPE>, decltype(official::Name)>, #Name);
SALTUS_FMI2_FUNCTIONS(SAME_FUNCTION)

}  // namespace

int main() {
#define PRINT_NAME(Return, Name, Parameters) std::puts(#Name);
  SALTUS_FMI2_FUNCTIONS(PRINT_NAME)
}
