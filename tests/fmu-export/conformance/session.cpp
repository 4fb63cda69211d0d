// SPDX-License-Identifier: BSD-2-Clause
#include "session.hpp"

#include <limits>
#include <utility>

namespace conformance {

double text_number(std::string_view text) {
  return static_cast<double>(std::hash<std::string_view>{}(text) >> 12U);
}

std::string state_word(State state, int version) {
  switch (state) {
    case State::instantiated:
      return "Instantiated";
    case State::initialization:
      return "Initialization Mode";
    case State::event:
      return "Event Mode";
    case State::continuous_time:
      return "Continuous-Time Mode";
    case State::step:
      return version == 3 ? "Step Mode" : "stepComplete";
    case State::intermediate_update:
      return "Intermediate Update Mode";
    case State::step_failed:
      return "stepFailed";
    case State::error:
      return version == 3 ? "Terminated" : "the state error";
    case State::terminated:
      break;
  }
  return "Terminated";
}

std::string kind_word(Kind kind) {
  return kind == Kind::model_exchange  ? "Model Exchange"
         : kind == Kind::co_simulation ? "Co-Simulation"
                                       : "Co-Simulation with event mode";
}

std::unique_ptr<Session> Session::make(const FmuLibrary& fmu, int version, Kind kind) {
  return version == 3 ? make_session3(fmu, kind) : make_session2(fmu, kind);
}

const saltus::importer::Interface& Session::capabilities() const {
  if (is_model_exchange()) return description().model_exchange.value();
  return description().co_simulation.value();
}

std::size_t Session::number_of_states() const {
  std::size_t count = 0;
  for (const auto& unknown : description().structure.continuous_state_derivatives) {
    count += element_count(description().variables[unknown.variable]);
  }
  return count;
}

std::size_t Session::element_count(const Variable& variable) const {
  std::size_t count = 1;
  for (const auto& dimension : variable.dimensions) {
    const auto set = dimension.reference ? now.sizes.find(*dimension.reference) : now.sizes.end();
    count *= set == now.sizes.end() ? dimension.size : set->second;
  }
  return count;
}

std::vector<const Variable*> Session::sizes() const {
  std::vector<const Variable*> found;
  for (const Variable& v : description().variables) {
    if (v.causality == saltus::importer::Causality::structural_parameter &&
        v.type == saltus::importer::VariableType::uint64) {
      found.push_back(&v);
    }
  }
  return found;
}

std::size_t Session::number_of_values(References references) const {
  std::size_t count = 0;
  for (const std::uint32_t reference : references) {
    const Variable* const variable = version_ == 3 ? description().find(reference) : nullptr;
    count += variable == nullptr ? 1 : element_count(*variable);
  }
  return count;
}

std::size_t Session::number_of_indicators() const {
  const auto& structure = description().structure;
  return structure.event_indicators.size() + structure.unnamed_event_indicators;
}

std::string Session::messages() { return std::exchange(log_, {}); }

Status Session::note(Status status) {
  if (status == Status::error || status == Status::fatal) now.state = State::error;
  return status;
}

void Session::enter(State state) {
  now.state = state;
  now.settled = now.event_due = now.values_set = false;
}

Status Session::set_up_experiment() {
  const Status status = note(do_set_up_experiment());
  if (went_well(status)) now.has_experiment = true;
  return status;
}

Status Session::enter_initialization() {
  const Status status = note(do_enter_initialization());
  if (went_well(status)) {
    enter(State::initialization);
    now.time = now.last_event = now.last_completed = now.second_last_completed = start();
    now.next_event = std::numeric_limits<double>::infinity();
  }
  return status;
}

Status Session::exit_initialization() {
  const Status status = note(do_exit_initialization());
  if (went_well(status)) enter(kind_ == Kind::co_simulation ? State::step : State::event);
  return status;
}

Status Session::enter_event_mode() {
  const Status status = note(do_enter_event_mode());
  if (went_well(status)) {
    enter(State::event);
    now.last_event = now.time;
  }
  return status;
}

Status Session::update(Update& update) {
  const Status status = note(do_update(update));
  if (went_well(status)) {
    now.settled = !update.iterate;
    now.ended = now.ended || update.terminate;
    now.next_event = update.defined ? update.next : std::numeric_limits<double>::infinity();
  }
  return status;
}

Status Session::enter_continuous_time_mode() {
  const Status status = note(do_enter_continuous_time_mode());
  if (went_well(status)) {
    enter(State::continuous_time);
    now.last_completed = now.second_last_completed = now.time;
  }
  return status;
}

Status Session::enter_step_mode() {
  const Status status = note(do_enter_step_mode());
  if (went_well(status)) enter(State::step);
  return status;
}

Status Session::completed_step(bool& enter_event_mode) {
  bool terminate = false;
  const Status status = note(do_completed_step(enter_event_mode, terminate));
  if (went_well(status)) {
    now.second_last_completed = now.last_completed;
    now.last_completed = now.time;
    now.event_due = now.event_due || enter_event_mode;
    now.ended = now.ended || terminate;
  }
  return status;
}

Status Session::set_time(double time) {
  const Status status = note(do_set_time(time));
  if (went_well(status)) {
    if (now.state == State::event && time != now.time) {  // FMI 2.0: to the next event
      now.settled = false;
      now.last_event = time;
    }
    now.time = time;
  }
  return status;
}

Status Session::do_step(double size, Step& step) {
  const bool reads_nothing = std::exchange(now.values_set, false);
  const Status status = note(do_do_step(size, step));
  if (status == Status::discard) {
    now.values_set = reads_nothing;
    if (step.terminate) {
      now.state = State::step_failed;
      now.ended = true;
      now.time = step.time;
    }
  } else if (went_well(status)) {
    now.time = step.time;
    now.event_due = step.event;
    now.ended = step.terminate;
  }
  return status;
}

Status Session::terminate() {
  const Status status = note(do_terminate());
  if (went_well(status)) enter(State::terminated);
  return status;
}

Status Session::reset() {
  const Status status = note(do_reset());
  if (went_well(status)) now = Knowledge{};
  return status;
}

Status Session::get(Type type, References references, std::vector<double>& values) {
  return note(do_get(type, references, values));
}

Status Session::set(Type type, References references, const std::vector<double>& values) {
  const Status status = note(do_set(type, references, values));
  if (went_well(status) && !references.empty()) {
    now.settled = false;
    now.values_set = now.state == State::step;
  }
  return status;
}

Status Session::save(Saved& saved) {
  const Status status = note(do_save(saved.handle));
  if (went_well(status)) saved.then = now;
  return status;
}

Status Session::restore(const Saved& saved) {
  const Status status = note(do_restore(saved.handle));
  if (went_well(status)) now = saved.then;
  return status;
}

Status Session::deserialize(std::span<const std::uint8_t> bytes, const Knowledge& then,
                            Saved& saved) {
  const Status status = note(do_deserialize(bytes, saved.handle));
  if (went_well(status)) saved.then = then;
  return status;
}

}  // namespace conformance
