// SPDX-License-Identifier: BSD-2-Clause
#include "master.hpp"

#include <algorithm>
#include <cmath>

namespace conformance {

using saltus::importer::Causality;
using saltus::importer::Variability;
using saltus::importer::VariableType;

Catalogue::Catalogue(const ModelDescription& description) {
  for (const Type type : kAllTypes) {
    Group group{type, {}, {}, {}};
    for (const Variable& v : description.variables) {
      if (v.type == VariableType::clock) continue;
      if (type_of(v) != type) continue;
      group.all.push_back(v.binary_reference);
      if (v.causality == Causality::input) {
        (v.variability == Variability::continuous ? group.continuous_inputs : group.discrete_inputs)
            .push_back(v.binary_reference);
      }
    }
    if (!group.all.empty()) groups_.push_back(group);
  }
}

Status Catalogue::read_all(Session& session, std::vector<double>& values) const {
  values.clear();
  if (session.version() == 2 && session.now.state == State::instantiated) return Status::ok;
  for (const Group& group : groups_) {
    std::vector<double> some;
    const Status status = session.get(group.type, group.all, some);
    if (!went_well(status)) return status;
    values.insert(values.end(), some.begin(), some.end());
  }
  return Status::ok;
}

Status Master::set_inputs(Session& session, bool discrete_ones) {
  for (const Catalogue::Group& group : catalogue_->groups()) {
    const auto& inputs = discrete_ones ? group.discrete_inputs : group.continuous_inputs;
    if (inputs.empty()) continue;
    std::vector<double> values;
    for (std::size_t i = 0; i < session.number_of_values(inputs); ++i) {
      const bool has_two = group.type == Type::boolean || group.type == Type::enumeration;
      values.push_back(group.type == Type::float64 || group.type == Type::float32
                           ? 0.3 * random_.unit()
                           : static_cast<double>(random_.below(has_two ? 2 : 9)));
    }
    const Status status = session.set(group.type, inputs, values);
    if (!went_well(status)) return status;
  }
  return Status::ok;
}

// Explicit Euler, with steps of at most a hundredth of what moves; an event is where an indicator
// is on the other side at the end of a step, or one that is planned.
Status Master::integrate(Session& session) {
  const std::size_t n = session.number_of_states();
  std::vector<double> x(n), dx(n), nominals(n), z(session.number_of_indicators());
  Status status = session.get_derivatives(dx);
  if (status == Status::discard && !before_.empty()) {  // back, and a shorter step
    largest_ *= 0.25;
    if (!went_well(status = session.set_time(time_before_))) return status;
    if (!went_well(status = session.set_states(before_))) return status;
    dx = slopes_;
  } else if (!went_well(status)) {
    return status;
  }
  if (!went_well(status = session.get_states(x))) return status;
  if (!went_well(status = session.get_nominals(nominals))) return status;
  const double t = session.now.time;
  double h = largest_ * (session.stop() - session.start()) / 200.0 * (1.5 + 0.5 * random_.unit());
  for (std::size_t i = 0; i < n; ++i) {
    h = std::min(h, 0.01 * (std::fabs(x[i]) + 0.1 * nominals[i]) / (std::fabs(dx[i]) + 1e-300));
  }
  if (positive_.size() != z.size()) {
    if (!went_well(status = session.get_indicators(z))) return status;
    positive_.assign(z.size(), false);
    for (std::size_t i = 0; i < z.size(); ++i) positive_[i] = z[i] > 0.0;
  }
  const double goal = std::min(session.stop(), session.now.next_event);
  const double to = t + h < goal ? t + h : goal;
  before_ = x;
  slopes_ = dx;
  time_before_ = t;
  for (std::size_t i = 0; i < n; ++i) x[i] += (to - t) * dx[i];
  if (!went_well(status = session.set_time(to))) return status;
  if (!went_well(status = set_inputs(session, false))) return status;
  if (n > 0 && !went_well(status = session.set_states(x))) return status;
  status = session.get_indicators(z);
  if (status == Status::discard) return Status::ok;  // the next move goes back
  if (!went_well(status)) return status;
  bool enter = false;
  if (!went_well(status = session.completed_step(enter))) return status;
  for (std::size_t i = 0; i < z.size(); ++i) enter = enter || positive_[i] != (z[i] > 0.0);
  if (enter || to >= session.now.next_event || random_.chance(0.03)) {
    positive_.clear();
    before_.clear();
    if (!went_well(status = session.enter_event_mode())) return status;
    return set_inputs(session, true);
  }
  return Status::ok;
}

Status Master::communicate(Session& session) {
  Status status = set_inputs(session, false);
  if (!went_well(status)) return status;
  Step step;
  const double size = (session.stop() - session.start()) / 200.0 * (1.5 + random_.unit());
  status = session.do_step(std::min(size, session.stop() - session.now.time), step);
  if (!went_well(status)) return status;
  if (session.kind() == Kind::co_simulation_with_events && !session.now.ended &&
      (step.event || random_.chance(0.05))) {
    if (!went_well(status = session.enter_event_mode())) return status;
    return set_inputs(session, true);
  }
  return status;
}

bool Master::move(Session& session) {
  Update update;
  switch (session.now.state) {
    case State::instantiated:
      if (session.version() == 2 && !went_well(session.set_up_experiment())) return false;
      return went_well(session.enter_initialization());
    case State::initialization:
      return went_well(set_inputs(session, false)) && went_well(set_inputs(session, true)) &&
             went_well(session.exit_initialization());
    case State::event:
      if (session.now.ended) return !went_well(session.terminate());
      if (!session.now.settled) return went_well(session.update(update));
      return went_well(session.is_model_exchange() ? session.enter_continuous_time_mode()
                                                   : session.enter_step_mode());
    case State::continuous_time:
    case State::step:
      if (session.now.ended || session.now.time >= session.stop()) {
        session.terminate();
        return false;
      }
      return went_well(session.is_model_exchange() ? integrate(session) : communicate(session));
    default:
      return false;
  }
}

std::vector<double> Master::run(Session& session, std::size_t count) {
  std::vector<double> rows, values;
  for (std::size_t k = 0; k < count; ++k) {
    const bool goes_on = move(session);
    const Status status =
        session.now.values_set ? Status::ok : catalogue_->read_all(session, values);
    rows.push_back(session.now.time);
    rows.push_back(static_cast<double>(session.now.state));
    rows.push_back(static_cast<double>(status));
    rows.insert(rows.end(), values.begin(), values.end());
    if (!goes_on) break;
  }
  return rows;
}

bool lead_to(Session& session, State state) {
  const auto settle = [&] {
    Update update;
    do {
      if (!went_well(session.update(update))) return false;
    } while (update.iterate);
    return true;
  };
  if (state == State::instantiated) return true;
  if (session.version() == 2 && !went_well(session.set_up_experiment())) return false;
  if (!went_well(session.enter_initialization())) return false;
  if (state == State::initialization) return true;
  if (!went_well(session.exit_initialization())) return false;
  if (session.now.state == State::event && !settle()) return false;
  if (state == State::event) return session.now.state == State::event;
  if (session.now.state == State::event &&
      !went_well(session.is_model_exchange() ? session.enter_continuous_time_mode()
                                             : session.enter_step_mode())) {
    return false;
  }
  if (session.now.state == state) return true;
  if (state == State::terminated) return went_well(session.terminate());
  if (state == State::error) return session.exit_initialization() == Status::error;
  Step step;
  while (state == State::step_failed && session.now.time < session.stop() &&
         session.now.state == State::step) {
    const double size = (session.stop() - session.start()) / 50.0;
    session.do_step(std::min(size, session.stop() - session.now.time), step);
  }
  return session.now.state == state;
}

}  // namespace conformance
