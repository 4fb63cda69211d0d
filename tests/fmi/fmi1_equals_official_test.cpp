// SPDX-License-Identifier: BSD-2-Clause
// Our FMI 1.0 header says what the header of the Reference FMUs says, which joins the two official
// ones; see fmi3_equals_official_test.cpp for how that is proven. It has types of functions, but
// declares none, for their names begin with that of the model. The callbacks and the event
// information are structures here, and different types in the two namespaces: they are compared
// member by member.

#include <stddef.h>
#include <stdlib.h>

#include <cstdio>
#include <type_traits>

namespace ours {
#include "saltus/fmi/fmi1.h"

constexpr int kTrue = fmi1True;
constexpr int kFalse = fmi1False;
constexpr fmi1ValueReference kUndefined = fmi1UndefinedValueReference;
#undef fmi1True
#undef fmi1False
#undef fmi1UndefinedValueReference
}  // namespace ours

namespace official {
#include "fmi1Functions.h"
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
REPLACED(fmi1Status)
REPLACED(fmi1StatusKind)
REPLACED(fmi1CallbackFunctions)
REPLACED(fmi1EventInfo)
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

SAME_TYPE(fmi1Component)
SAME_TYPE(fmi1ValueReference)
SAME_TYPE(fmi1Real)
SAME_TYPE(fmi1Integer)
SAME_TYPE(fmi1Boolean)
SAME_TYPE(fmi1String)
SAME_TYPE(fmi1CallbackLogger)
SAME_TYPE(fmi1CallbackAllocateMemory)
SAME_TYPE(fmi1CallbackFreeMemory)
SAME_TYPE(fmi1StepFinished)

static_assert(ours::kTrue == fmi1True);
static_assert(ours::kFalse == fmi1False);

constexpr official::fmi1ValueReference kUndefined = [] {
  using official::fmi1ValueReference;
  return fmi1UndefinedValueReference;
}();
static_assert(ours::kUndefined == kUndefined);

#define SAME_SIZE(Name) static_assert(sizeof(ours::Name) == sizeof(official::Name), #Name);
#define SAME_VALUE(Enumerator) \
  static_assert(int{ours::Enumerator} == int{official::Enumerator}, #Enumerator);

SAME_SIZE(fmi1Status)
SAME_VALUE(fmi1OK)
SAME_VALUE(fmi1Warning)
SAME_VALUE(fmi1Discard)
SAME_VALUE(fmi1Error)
SAME_VALUE(fmi1Fatal)
static_assert(int{ours::fmi1Pending} == 5);  // of Co-Simulation alone; the joined header lacks it

SAME_SIZE(fmi1StatusKind)
SAME_VALUE(fmi1DoStepStatus)
SAME_VALUE(fmi1PendingStatus)
SAME_VALUE(fmi1LastSuccessfulTime)

#define SAME_MEMBER(Struct, Member)                                                    \
  static_assert(offsetof(ours::Struct, Member) == offsetof(official::Struct, Member)); \
  static_assert(std::is_same_v<OfficialType<decltype(ours::Struct::Member)>,           \
                               decltype(official::Struct::Member)>,                    \
                #Struct "::" #Member);
SAME_SIZE(fmi1CallbackFunctions)
SAME_MEMBER(fmi1CallbackFunctions, logger)
SAME_MEMBER(fmi1CallbackFunctions, allocateMemory)
SAME_MEMBER(fmi1CallbackFunctions, freeMemory)
SAME_MEMBER(fmi1CallbackFunctions, stepFinished)
SAME_SIZE(fmi1EventInfo)
SAME_MEMBER(fmi1EventInfo, iterationConverged)
SAME_MEMBER(fmi1EventInfo, stateValueReferencesChanged)
SAME_MEMBER(fmi1EventInfo, stateValuesChanged)
SAME_MEMBER(fmi1EventInfo, terminateSimulation)
SAME_MEMBER(fmi1EventInfo, upcomingTimeEvent)
SAME_MEMBER(fmi1EventInfo, nextEventTime)

#define SAME_FUNCTION(Return, Name, Parameters) SAME_TYPE(Name##TYPE)
SALTUS_FMI1_FUNCTIONS(SAME_FUNCTION)

}  // namespace

int main() {
#define PRINT_NAME(Return, Name, Parameters) std::puts(#Name);
  SALTUS_FMI1_FUNCTIONS(PRINT_NAME)
}
