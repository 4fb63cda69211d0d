// SPDX-License-Identifier: BSD-2-Clause
#include "call_table.hpp"

#include <algorithm>
#include <string_view>

namespace conformance {
namespace {

char letter_at(const Row& row, const Session& session, State state) {
  const std::vector<State> states = states_of(session.version(), session.kind());
  const auto at = std::find(states.begin(), states.end(), state) - states.begin();
  return (session.is_model_exchange() ? row.model_exchange : row.co_simulation)[at];
}

bool has_capability(const Row& row, const Session& session) {
  const std::string_view name = row.function;
  const auto& can = session.capabilities();
  if (name.find("Directional") != name.npos) return can.provides_directional_derivatives;
  if (name.find("Adjoint") != name.npos) return can.provides_adjoint_derivatives;
  return can.provides_per_element_dependencies;
}

Verdict verdict_at(const Row& row, const Session& session, State state) {
  const auto legal_if = [](bool yes) { return yes ? Verdict::legal : Verdict::illegal; };
  switch (letter_at(row, session, state)) {
    case 'x':
      return Verdict::legal;
    case 'o':
      return Verdict::open;
    case 'e':
      return legal_if(session.kind() == Kind::co_simulation_with_events);
    case 'c':
      return legal_if(has_capability(row, session));
    case 's':
      return session.sizes().empty() ? Verdict::open : Verdict::legal;
    case 'd':
      return legal_if(session.number_of_states() == 0 && session.number_of_indicators() == 0);
    default:
      return Verdict::illegal;
  }
}

}  // namespace

std::vector<State> states_of(int version, Kind kind) {
  if (kind == Kind::model_exchange) {
    return {State::instantiated,    State::initialization, State::event,
            State::continuous_time, State::terminated,     State::error};
  }
  if (version == 3) {
    return {State::instantiated,        State::initialization, State::event, State::step,
            State::intermediate_update, State::terminated,     State::error};
  }
  return {State::instantiated, State::initialization, State::step,
          State::step_failed,  State::terminated,     State::error};
}

std::span<const Row> table_of(int version) { return version == 3 ? table3() : table2(); }

Verdict verdict(const Row& row, const Session& session) {
  return verdict_at(row, session, session.now.state);
}

Verdict full_verdict(const Row& row, const Caller& caller) {
  const Verdict here = verdict(row, caller.session);
  if (here != Verdict::legal) return here;
  if (row.ready != nullptr && !row.ready(caller)) return Verdict::open;
  const Knowledge& now = caller.session.now;
  if (!now.ended && !now.event_due) return Verdict::legal;
  // What is left: what may be called in the end, and what has to come.
  const std::string_view name = row.function;
  const bool has_to_come = name.ends_with(now.ended ? "Terminate" : "EnterEventMode");
  return has_to_come || verdict_at(row, caller.session, State::terminated) == Verdict::legal
             ? Verdict::legal
             : Verdict::open;
}

bool is_never_allowed(const Row& row, const Session& session) {
  const std::string_view letters =
      session.is_model_exchange() ? row.model_exchange : row.co_simulation;
  return letters.find_first_not_of('.') == letters.npos ||
         (letters.find('c') != letters.npos && !has_capability(row, session));
}

namespace calls {

// A new one, or over an old one.
Status save(Caller& caller) {
  std::vector<Saved>& saved = caller.saved;
  if (saved.size() >= 4 || (!saved.empty() && caller.random.chance(0.3))) {
    return caller.session.save(saved[caller.random.below(saved.size())]);
  }
  Saved fresh;
  const Status status = caller.session.save(fresh);
  if (went_well(status)) saved.push_back(fresh);
  return status;
}

Status restore(Caller& caller) {
  if (caller.saved.empty()) return caller.session.restore({});
  return caller.session.restore(caller.saved[caller.random.below(caller.saved.size())]);
}

Status free_saved(Caller& caller) {
  if (caller.saved.empty()) {
    Saved none;
    return caller.session.free_saved(none);
  }
  const Status status = caller.session.free_saved(caller.saved.back());
  if (!went_well(status)) return status;
  const bool is_null = caller.saved.back().handle == nullptr;
  caller.saved.pop_back();
  return is_null ? status : Status::fatal;
}

Status serialized_size(Caller& caller) {
  std::size_t size = 0;
  const Status status =
      caller.session.serialized_size(caller.saved.empty() ? Saved{} : caller.saved.front(), size);
  return went_well(status) && size == 0 ? Status::fatal : status;
}

Status serialize(Caller& caller) {
  if (caller.saved.empty()) return caller.session.serialize({}, {});
  const Saved& one = caller.saved[caller.random.below(caller.saved.size())];
  std::size_t size = 0;
  const Status asked = caller.session.serialized_size(one, size);
  if (!went_well(asked)) return asked;
  Bytes bytes{std::vector<std::uint8_t>(size), one.then};
  const Status status = caller.session.serialize(one, bytes.bytes);
  if (went_well(status)) {
    if (caller.bytes.size() >= 8) {
      caller.bytes[caller.random.below(8)] = std::move(bytes);
    } else {
      caller.bytes.push_back(std::move(bytes));
    }
  }
  return status;
}

Status deserialize(Caller& caller) {
  Saved fresh;
  if (caller.bytes.empty()) return caller.session.deserialize({}, {}, fresh);
  const Bytes& one = caller.bytes[caller.random.below(caller.bytes.size())];
  const Status status = caller.session.deserialize(one.bytes, one.then, fresh);
  if (!went_well(status)) return status;
  if (caller.saved.size() < 4) {
    caller.saved.push_back(fresh);
    return status;
  }
  const Status restored = caller.session.restore(fresh);
  const Status freed = caller.session.free_saved(fresh);
  return went_well(restored) ? freed : restored;
}

Status update(Caller& caller) {
  Update answer;
  return caller.session.update(answer);
}

Status completed_step(Caller& caller) {
  bool enter = false;
  return caller.session.completed_step(enter);
}

Status set_time(Caller& caller) {
  return caller.session.set_time(sane_time(caller.session, caller.random));
}

Status set_states(Caller& caller) {
  std::vector<double> x(caller.session.number_of_states());
  if (caller.session.now.state == State::continuous_time) {
    const Status status = caller.session.get_states(x);
    if (!went_well(status)) return status;
  }
  for (double& value : x) value *= 1.0 + 1e-6 * caller.random.unit();
  return caller.session.set_states(x);
}

Status get_states(Caller& caller) {
  std::vector<double> x(caller.session.number_of_states());
  return caller.session.get_states(x);
}
Status get_derivatives(Caller& caller) {
  std::vector<double> x(caller.session.number_of_states());
  return caller.session.get_derivatives(x);
}
Status get_indicators(Caller& caller) {
  std::vector<double> z(caller.session.number_of_indicators());
  return caller.session.get_indicators(z);
}
Status get_nominals(Caller& caller) {
  std::vector<double> x(caller.session.number_of_states());
  const Status status = caller.session.get_nominals(x);
  const bool positive = std::all_of(x.begin(), x.end(), [](double value) { return value > 0.0; });
  return went_well(status) && !positive ? Status::fatal : status;
}

Status do_step(Caller& caller) {
  Step step;
  const double size = sane_step(caller.session, caller.random);
  return caller.session.do_step(size > 0.0 ? size : 1e-3, step);
}

Status directional(Caller& caller) {
  const Derivative some = sane_derivative(caller.session, caller.random);
  const std::vector<double> seed(caller.session.number_of_values(some.knowns), 1.0);
  std::vector<double> sensitivity(caller.session.number_of_values(some.unknowns));
  return caller.session.directional(some.unknowns, some.knowns, seed, sensitivity);
}

}  // namespace calls

namespace needs {

bool saved(const Caller& caller) { return !caller.saved.empty(); }
bool bytes(const Caller& caller) { return !caller.bytes.empty(); }
bool settled(const Caller& caller) {
  return caller.session.now.settled && !caller.session.now.ended;
}
bool settled_event(const Caller& caller) {
  return caller.session.now.state != State::event || settled(caller);
}
bool step(const Caller& caller) {
  const Session& session = caller.session;
  return session.now.time < session.start() + 0.9 * (session.stop() - session.start());
}
bool values_not_set(const Caller& caller) { return !caller.session.now.values_set; }
bool experiment(const Caller& caller) { return caller.session.now.has_experiment; }
bool inputs_wanted(const Caller& caller) {
  return caller.session.now.state != State::intermediate_update || caller.session.now.inputs_wanted;
}

}  // namespace needs
}  // namespace conformance
