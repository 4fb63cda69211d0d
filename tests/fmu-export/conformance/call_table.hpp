// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include "arguments.hpp"

/// The standard's tables of allowed calls, one for each version, written from its text and not from
/// the exporter's: every function of the C interface in every state. One cell is one letter:
///
///     x  allowed                       e  allowed where the importer handles events
///     .  not allowed: an error         c  allowed where the description declares the capability
///     o  open, see `Verdict`           d  allowed for models of discrete time alone
///     s  allowed where structural parameters are sizes of arrays, otherwise open
namespace conformance {

struct Bytes {
  std::vector<std::uint8_t> bytes;
  Knowledge then;
};

/// What a call may use: one instance, its saved states, and serialized ones of any instance of the
/// same FMU, version and kind.
struct Caller {
  Session& session;
  Random& random;
  std::vector<Saved>& saved;
  std::vector<Bytes>& bytes;
};

struct Row {
  const char* function;
  const char* model_exchange;
  const char* co_simulation;
  /// Makes the call with arguments that are right for the present state, if any are. Functions that
  /// answer with no status answer `ok` or, for a wrong answer, `error`.
  Status (*call)(Caller&);
  /// Whether what the call needs beside the state is there; null: it needs nothing.
  bool (*ready)(const Caller&) = nullptr;
};

/// The order of the letters.
std::vector<State> states_of(int version, Kind kind);
std::span<const Row> table3();
std::span<const Row> table2();
std::span<const Row> table_of(int version);

/// By the letter of the present state alone.
Verdict verdict(const Row& row, const Session& session);
/// By all the importer knows: what an event that is due or the end of a run leaves to be called,
/// and what the call needs.
Verdict full_verdict(const Row& row, const Caller& caller);
/// Whether the function can never be called, whatever the state.
bool is_never_allowed(const Row& row, const Session& session);

// Calls that both versions have.
namespace calls {
Status save(Caller& caller);
Status restore(Caller& caller);
Status free_saved(Caller& caller);
Status serialized_size(Caller& caller);
Status serialize(Caller& caller);
Status deserialize(Caller& caller);
Status update(Caller& caller);
Status completed_step(Caller& caller);
Status set_time(Caller& caller);
Status set_states(Caller& caller);
Status get_states(Caller& caller);
Status get_derivatives(Caller& caller);
Status get_indicators(Caller& caller);
Status get_nominals(Caller& caller);
Status do_step(Caller& caller);
Status directional(Caller& caller);
template <Type type>
Status get(Caller& caller) {
  std::vector<double> values;
  return caller.session.get(type, readable(caller.session, type, caller.random), values);
}
template <Type type>
Status set(Caller& caller) {
  const Assignment some = sane_assignment(caller.session, type, caller.random);
  return caller.session.set(type, some.references, some.values);
}
}  // namespace calls

// What calls need.
namespace needs {
bool saved(const Caller& caller);
bool bytes(const Caller& caller);
bool settled(const Caller& caller);
/// In Event Mode only.
bool settled_event(const Caller& caller);
bool step(const Caller& caller);
bool values_not_set(const Caller& caller);
bool experiment(const Caller& caller);
bool inputs_wanted(const Caller& caller);
}  // namespace needs

}  // namespace conformance
