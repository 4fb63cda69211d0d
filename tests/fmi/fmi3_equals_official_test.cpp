// SPDX-License-Identifier: BSD-2-Clause
// Our FMI 3.0 header says what the official headers say: proven by the compiler, not by a run.
//
// Both define the same names, so each is read into a namespace of its own, after the C headers that
// they include have been read outside. Types that are aliases of built-in types can then be
// compared at once. The enumerations are different types in the two namespaces: they are compared
// value by value, and replaced by the official ones (`Official`) before signatures are compared.
//
// What this cannot show is that nothing is missing. The program prints the names of our list, and
// names_test.py compares them with the text of the official headers.

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cstdio>
#include <type_traits>

namespace ours {
#include "saltus/fmi/fmi3.h"

// The values that are macros on both sides: read ours, and clear the way for the official ones.
constexpr bool kTrue = fmi3True;
constexpr bool kFalse = fmi3False;
constexpr bool kClockActive = fmi3ClockActive;
constexpr bool kClockInactive = fmi3ClockInactive;
constexpr char kVersion[] = fmi3Version;
#undef fmi3True
#undef fmi3False
#undef fmi3ClockActive
#undef fmi3ClockInactive
#undef fmi3Version
}  // namespace ours

namespace official {
#include "fmi3Functions.h"
}

namespace {

template <class T>
struct Official {
  using Type = T;
};
template <class T>
using OfficialType = typename Official<T>::Type;

template <>
struct Official<ours::fmi3Status> {
  using Type = official::fmi3Status;
};
template <>
struct Official<ours::fmi3DependencyKind> {
  using Type = official::fmi3DependencyKind;
};
template <>
struct Official<ours::fmi3IntervalQualifier> {
  using Type = official::fmi3IntervalQualifier;
};
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

#define SAME_TYPE(Name) \
  static_assert(std::is_same_v<OfficialType<ours::Name>, official::Name>, #Name);

SAME_TYPE(fmi3Instance)
SAME_TYPE(fmi3InstanceEnvironment)
SAME_TYPE(fmi3FMUState)
SAME_TYPE(fmi3ValueReference)
SAME_TYPE(fmi3Float32)
SAME_TYPE(fmi3Float64)
SAME_TYPE(fmi3Int8)
SAME_TYPE(fmi3UInt8)
SAME_TYPE(fmi3Int16)
SAME_TYPE(fmi3UInt16)
SAME_TYPE(fmi3Int32)
SAME_TYPE(fmi3UInt32)
SAME_TYPE(fmi3Int64)
SAME_TYPE(fmi3UInt64)
SAME_TYPE(fmi3Boolean)
SAME_TYPE(fmi3Char)
SAME_TYPE(fmi3String)
SAME_TYPE(fmi3Byte)
SAME_TYPE(fmi3Binary)
SAME_TYPE(fmi3Clock)
SAME_TYPE(fmi3LogMessageCallback)
SAME_TYPE(fmi3IntermediateUpdateCallback)
SAME_TYPE(fmi3ClockUpdateCallback)
SAME_TYPE(fmi3LockPreemptionCallback)
SAME_TYPE(fmi3UnlockPreemptionCallback)

static_assert(ours::kTrue == fmi3True);
static_assert(ours::kFalse == fmi3False);
static_assert(ours::kClockActive == fmi3ClockActive);
static_assert(ours::kClockInactive == fmi3ClockInactive);

constexpr bool same_text(const char* a, const char* b) {
  while (*a != '\0' && *a == *b) {
    ++a;
    ++b;
  }
  return *a == *b;
}
static_assert(same_text(ours::kVersion, fmi3Version));

#define SAME_SIZE(Enumeration) \
  static_assert(sizeof(ours::Enumeration) == sizeof(official::Enumeration), #Enumeration);
#define SAME_VALUE(Enumerator) \
  static_assert(int{ours::Enumerator} == int{official::Enumerator}, #Enumerator);

SAME_SIZE(fmi3Status)
SAME_VALUE(fmi3OK)
SAME_VALUE(fmi3Warning)
SAME_VALUE(fmi3Discard)
SAME_VALUE(fmi3Error)
SAME_VALUE(fmi3Fatal)

SAME_SIZE(fmi3DependencyKind)
SAME_VALUE(fmi3Independent)
SAME_VALUE(fmi3Constant)
SAME_VALUE(fmi3Fixed)
SAME_VALUE(fmi3Tunable)
SAME_VALUE(fmi3Discrete)
SAME_VALUE(fmi3Dependent)

SAME_SIZE(fmi3IntervalQualifier)
SAME_VALUE(fmi3IntervalNotYetKnown)
SAME_VALUE(fmi3IntervalUnchanged)
SAME_VALUE(fmi3IntervalChanged)

// Each function of our list: its type has the official name and the official signature, and it is
// the type of the declared function.
#define SAME_FUNCTION(Return, Name, Parameters) \
  SAME_TYPE(Name##TYPE)                         \
  static_assert(std::is_same_v<OfficialType<ours::Name##TYPE>, decltype(official::Name)>, #Name);
SALTUS_FMI3_FUNCTIONS(SAME_FUNCTION)

}  // namespace

int main() {
#define PRINT_NAME(Return, Name, Parameters) std::puts(#Name);
  SALTUS_FMI3_FUNCTIONS(PRINT_NAME)
}
