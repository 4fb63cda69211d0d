// SPDX-License-Identifier: BSD-2-Clause
#include "instance_server.hpp"

#include <stdexcept>

#include "loaded_instance.hpp"

namespace saltus::importer {

class InstanceServer::ForwardedCalls : public CallLog {
 public:
  explicit ForwardedCalls(InstanceServer& server) : server_(server) {}
  void call(std::string_view line) override {
    server_.mailbox_.clear();
    server_.mailbox_.put(Message::called);
    server_.mailbox_.put_text(line);
    server_.call_back();
  }

 private:
  InstanceServer& server_;
};

/// Hands the callback over and serves requests until the importer is done with it.
void InstanceServer::call_back() {
  do {
    mailbox_.hand_over(Mailbox::Side::importer);
    mailbox_.await(Mailbox::Side::fmu, [] {});
  } while (serve_one());
}

InstanceOptions InstanceServer::forwarded(const InstanceOptions& options, CallLog& calls) {
  InstanceOptions mine = options;
  if (options.call_log != nullptr) mine.call_log = &calls;
  mine.on_message = [this](const LogMessage& message) {
    mailbox_.clear();
    mailbox_.put(Message::said);
    mailbox_.put_text(message.status);
    mailbox_.put_text(message.category);
    mailbox_.put_text(message.text);
    call_back();
  };
  return mine;
}

void InstanceServer::run(const FmuFiles& files, const std::string& name, InterfaceType type,
                         const InstanceOptions& options) {
  call_under_way = &mailbox_.call_under_way();
  ForwardedCalls calls(*this);
  try {
    const Interface& interface = files.interface(type);
    auto fmu = std::make_shared<LoadedFmu>(files, interface);
    std::vector<std::string> missing = fmu->missing;
    instance_ = LoadedInstance::make(std::move(fmu), name, type, forwarded(options, calls));
    begin_reply();
    put_texts(mailbox_, missing);
  } catch (...) {
    put_failure(mailbox_);
    mailbox_.hand_over(Mailbox::Side::importer);
    return;
  }
  instance_->on_intermediate_update = [this](const IntermediateUpdate& update) {
    mailbox_.clear();
    mailbox_.put(Message::inside_step);
    mailbox_.put(update);
    call_back();
  };
  instance_->on_clock_update = [this] {
    mailbox_.clear();
    mailbox_.put(Message::clock_update);
    call_back();
  };
  while (instance_) {
    mailbox_.hand_over(Mailbox::Side::importer);
    mailbox_.await(Mailbox::Side::fmu, [] {});
    serve_one();
  }
}

void InstanceServer::begin_reply() {
  mailbox_.clear();
  mailbox_.put(Message::reply);
  mailbox_.put(instance_->mode());
  mailbox_.put(instance_->revision());
}

/// False: the importer is done with a callback. Else the answer is in the mailbox.
bool InstanceServer::serve_one() {
  if (mailbox_.get<Message>() == Message::resume) return false;
  const auto request = mailbox_.get<Request>();
  placement_.get(mailbox_);
  try {
    answer(request);
  } catch (...) {
    put_failure(mailbox_);
  }
  return true;
}

/// In the order in which `FmuModel` would have made the calls.
void InstanceServer::apply_placement(Request request) {
  Eval eval = Eval::ok;
  if (placement_.has_time) eval = instance_->set_time(placement_.time);
  if (placement_.has_inputs) {
    for (const Placement::Inputs& group : placement_.inputs) {
      if (eval == Eval::ok) {
        eval = instance_->set_numbers(group.type, group.references, group.values);
      }
    }
  }
  if (eval == Eval::ok && placement_.has_states) {
    eval = instance_->set_continuous_states(placement_.states);
  }
  is_placed_ = eval == Eval::ok;
  const bool can_be_discarded =
      request == Request::place || request == Request::get_continuous_state_derivatives ||
      request == Request::get_event_indicators || request == Request::get_numbers ||
      request == Request::directional_derivative;
  if (!can_be_discarded) instance_->require(eval, "the call that sets time, inputs or states");
}

void InstanceServer::answer(Request request) {
  const auto reply_with = [&](const auto&... values) {
    begin_reply();
    (mailbox_.put(values), ...);
  };
  const auto reply_with_numbers = [&](Eval eval, ConstVec values) {
    reply_with(is_placed_, eval);
    if (is_placed_ && eval == Eval::ok) mailbox_.put_all(values);
  };
  // Arguments are read before anything is called: a callback uses the same mailbox.
  switch (request) {
    case Request::enter_initialization_mode: {
      Experiment experiment;
      experiment.start = mailbox_.get<double>();
      experiment.stop = mailbox_.get<double>();
      experiment.tolerance = mailbox_.get<double>();
      instance_->enter_initialization_mode(experiment);
      return reply_with();
    }
    case Request::update_discrete_states:
      return reply_with(instance_->update_discrete_states());
    case Request::number_of_continuous_states:
      return reply_with(instance_->number_of_continuous_states());
    case Request::number_of_event_indicators:
      return reply_with(instance_->number_of_event_indicators());
    case Request::name_states: {
      std::vector<std::string> names = get_texts(mailbox_);
      instance_->name_states(names);
      reply_with();
      return put_texts(mailbox_, names);
    }
    case Request::place:
      apply_placement(request);
      return reply_with(is_placed_);
    case Request::get_continuous_state_derivatives: {
      const Vec xp = numbers(mailbox_.get<std::size_t>());
      apply_placement(request);
      const Eval eval = is_placed_ ? instance_->get_continuous_state_derivatives(xp) : Eval::ok;
      return reply_with_numbers(eval, xp);
    }
    case Request::get_event_indicators: {
      const Vec z = numbers(mailbox_.get<std::size_t>());
      apply_placement(request);
      const Eval eval = is_placed_ ? instance_->get_event_indicators(z) : Eval::ok;
      return reply_with_numbers(eval, z);
    }
    case Request::get_numbers: {
      const auto type = mailbox_.get<VariableType>();
      mailbox_.get_all<ValueReference>(references_);
      const Vec values = numbers(mailbox_.get<std::size_t>());
      apply_placement(request);
      const Eval eval = is_placed_ ? instance_->get_numbers(type, references_, values) : Eval::ok;
      return reply_with_numbers(eval, values);
    }
    case Request::has_directional_derivatives:
      return reply_with(instance_->has_directional_derivatives());
    case Request::directional_derivative: {
      std::vector<ValueReference> knowns;
      mailbox_.get_all<ValueReference>(references_);
      mailbox_.get_all<ValueReference>(knowns);
      mailbox_.get_all<double>(values_);
      const Vec sensitivity = numbers(mailbox_.get<std::size_t>());
      apply_placement(request);
      const Eval eval =
          is_placed_ ? instance_->directional_derivative(references_, knowns, values_, sensitivity)
                     : Eval::ok;
      return reply_with_numbers(eval, sensitivity);
    }
    case Request::set_numbers: {
      const auto type = mailbox_.get<VariableType>();
      mailbox_.get_all<ValueReference>(references_);
      mailbox_.get_all<double>(values_);
      apply_placement(request);
      return reply_with(instance_->set_numbers(type, references_, values_));
    }
    case Request::get_continuous_states: {
      const Vec x = numbers(mailbox_.get<std::size_t>());
      apply_placement(request);
      instance_->get_continuous_states(x);
      reply_with();
      return mailbox_.put_all(ConstVec(x));
    }
    case Request::get_nominals: {
      std::vector<double> nominals;
      mailbox_.get_all<double>(nominals);
      const Vec x = numbers(nominals.size());
      std::copy(nominals.begin(), nominals.end(), x.begin());
      apply_placement(request);
      instance_->get_nominals(x);
      reply_with();
      return mailbox_.put_all(ConstVec(x));
    }
    case Request::completed_integrator_step: {
      const bool may_go_back = mailbox_.get<bool>();
      apply_placement(request);
      return reply_with(instance_->completed_integrator_step(may_go_back));
    }
    case Request::do_step: {
      const auto t = mailbox_.get<double>();
      const auto h = mailbox_.get<double>();
      return reply_with(instance_->do_step(t, h));
    }
    case Request::save: {
      auto state = mailbox_.get<Instance::FmuState>();
      apply_placement(request);
      instance_->save(state);
      return reply_with(state);
    }
    case Request::restore: {
      const auto state = mailbox_.get<Instance::FmuState>();
      instance_->restore(state);
      return reply_with();
    }
    case Request::release: {
      auto state = mailbox_.get<Instance::FmuState>();
      instance_->release(state);
      return reply_with(state);
    }
    case Request::read: {
      const auto* variable = mailbox_.get<const Variable*>();
      apply_placement(request);
      const Value value = instance_->read(*variable);
      reply_with();
      return put_value(mailbox_, value);
    }
    case Request::write: {
      const auto* variable = mailbox_.get<const Variable*>();
      const Value value = get_value(mailbox_);
      apply_placement(request);
      instance_->write(*variable, value);
      return reply_with();
    }
    case Request::activate_clocks: {
      mailbox_.get_all<ValueReference>(references_);
      instance_->activate_clocks(references_);
      return reply_with();
    }
    case Request::is_active:
      return reply_with(instance_->is_active(*mailbox_.get<const Variable*>()));
    case Request::interval:
      return reply_with(instance_->interval(*mailbox_.get<const Variable*>()));
    case Request::shift:
      return reply_with(instance_->shift(*mailbox_.get<const Variable*>()));
    case Request::set_interval: {
      const auto* clock = mailbox_.get<const Variable*>();
      instance_->set_interval(*clock, mailbox_.get<ClockLength>());
      return reply_with();
    }
    case Request::activate_model_partition: {
      const auto* clock = mailbox_.get<const Variable*>();
      instance_->activate_model_partition(*clock, mailbox_.get<double>());
      return reply_with();
    }
    case Request::expect_return:
      instance_->expect_return();
      return reply_with();
    case Request::free: {
      const Instance::Mode mode = instance_->mode();
      instance_.reset();
      end_call();
      mailbox_.clear();
      mailbox_.put(Message::reply);
      mailbox_.put(mode);
      mailbox_.put(std::uint64_t{0});
      mailbox_.hand_over(Mailbox::Side::importer);
      return;
    }
    default:
      break;
  }
  apply_placement(request);
  switch (request) {
    case Request::reset:
      instance_->reset();
      break;
    case Request::enter_configuration_mode:
      instance_->enter_configuration_mode();
      break;
    case Request::exit_configuration_mode:
      instance_->exit_configuration_mode();
      break;
    case Request::exit_initialization_mode:
      instance_->exit_initialization_mode();
      break;
    case Request::enter_event_mode:
      instance_->enter_event_mode();
      break;
    case Request::terminate:
      instance_->terminate();
      break;
    case Request::enter_continuous_time_mode:
      instance_->enter_continuous_time_mode();
      break;
    case Request::enter_step_mode:
      instance_->enter_step_mode();
      break;
    case Request::evaluate_discrete_states:
      instance_->evaluate_discrete_states();
      break;
    default:
      throw std::logic_error("a request that nobody knows");
  }
  begin_reply();
}

}  // namespace saltus::importer
