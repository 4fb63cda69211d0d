// SPDX-License-Identifier: BSD-2-Clause
#include "isolated_instance.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "instance_server.hpp"
#include "saltus/core/error.hpp"
#include "saltus/importer/fmu_error.hpp"

namespace saltus::importer {
namespace {

constexpr std::size_t kMaxHeardMessages = 5;
constexpr auto kMostForFreeing = std::chrono::seconds(10);

}  // namespace

IsolatedInstance::IsolatedInstance(std::shared_ptr<const FmuFiles> files, std::string name,
                                   InterfaceType type, const InstanceOptions& options)
    : Instance(std::move(files), std::move(name), type, options),
      on_message_(options.on_message),
      call_log_(options.call_log),
      call_time_limit_(options.call_time_limit),
      process_([&] { InstanceServer(mailbox_).run(*files_, name_, type, options); },
               options.memory_limit > 0 ? options.memory_limit : default_memory_limit(),
               mailbox_.file(), files_->directory->own_path()) {
  // The process begins without being asked; its first message says how it went.
  const auto begin = std::chrono::steady_clock::now();
  for (;;) {
    mailbox_.await(Mailbox::Side::importer, [&] { look(begin); });
    const auto message = mailbox_.get<Message>();
    if (message == Message::failure) {
      is_over_ = true;
      throw_failure(mailbox_);
    }
    if (message == Message::reply) break;
    serve(message);
  }
  mode_ = mailbox_.get<Mode>();
  revision_ = mailbox_.get<std::uint64_t>();
  missing_ = get_texts(mailbox_);
  is_made_ = true;
}

bool IsolatedInstance::lacks(std::string_view function) const {
  return std::find(missing_.begin(), missing_.end(), function) != missing_.end();
}

IsolatedInstance::~IsolatedInstance() {
  if (is_over_ || mailbox_.is_damaged()) return;
  std::string problem;
  try {
    call_time_limit_ = std::min<std::chrono::duration<double>>(call_time_limit_, kMostForFreeing);
    placement_ = {};
    ask(Request::free);
    if (!process_.has_ended_within(kMostForFreeing)) {
      problem = "does not end";
    } else if (!process_.ended_well()) {
      problem = process_.how();
    }
  } catch (const std::exception& error) {
    problem = ending_.empty() ? error.what() : ending_;
  }
  if (problem.empty() || !on_message_) return;
  const std::string call = call_name(mailbox_.call_under_way());
  try {
    on_message_({.instance = name_,
                 .status = status_name(1),
                 .category = "isolation",
                 .text = fmt::format("the FMU {} in {}, after its work was done", problem,
                                     !call.empty() ? call : "unloading")});
  } catch (...) {  // nobody to tell
  }
}

std::string IsolatedInstance::what_it_said() const {
  return messages_.empty() ? "" : fmt::format("; the FMU says: {}", fmt::join(messages_, " | "));
}

void IsolatedInstance::begin(Request request) {
  if (mailbox_.is_damaged() && !is_over_) {
    is_over_ = true;
    ending_ = "damaged what its process was to send";
    process_.end();
  }
  if (is_over_) {
    throw ModelError("", time_,
                     fmt::format("\"{}\" cannot be called any more: it {}", name_, ending_));
  }
  mailbox_.clear();
  mailbox_.put(Message::request);
  mailbox_.put(request);
  placement_.put(mailbox_);
}

void IsolatedInstance::ask(Request request) {
  begin(request);
  converse();
}

/// Hands the message over and waits for the reply; callbacks that come first are served.
void IsolatedInstance::converse() {
  messages_.clear();
  const auto begin = std::chrono::steady_clock::time_point();
  auto waits_since = begin;
  for (;;) {
    mailbox_.hand_over(Mailbox::Side::fmu);
    mailbox_.await(Mailbox::Side::importer, [&] {
      if (waits_since == begin) waits_since = std::chrono::steady_clock::now();
      look(waits_since);
    });
    const auto message = mailbox_.get<Message>();
    if (message == Message::failure) throw_failure(mailbox_);
    if (message == Message::reply) break;
    serve(message);
  }
  mode_ = mailbox_.get<Mode>();
  revision_ = mailbox_.get<std::uint64_t>();
}

void IsolatedInstance::serve(Message callback) {
  if (callback == Message::said) {
    LogMessage message{.instance = name_, .status = {}, .category = {}, .text = {}};
    message.status = mailbox_.get_text();
    message.category = mailbox_.get_text();
    message.text = mailbox_.get_text();
    if (messages_.size() < kMaxHeardMessages) messages_.push_back(message.text);
    if (on_message_) on_message_(message);
  } else if (callback == Message::called) {
    if (call_log_ != nullptr) call_log_->call(mailbox_.get_text());
  } else if (callback == Message::clock_update) {
    try {
      if (on_clock_update && !pending_) on_clock_update();
    } catch (...) {  // as below
      pending_ = std::current_exception();
    }
  } else if (callback == Message::inside_step) {
    const auto update = mailbox_.get<IntermediateUpdate>();
    const Mode mode = std::exchange(mode_, Mode::intermediate_update);
    try {
      if (on_intermediate_update && !pending_) on_intermediate_update(update);
    } catch (...) {  // it may not cross the FMU; `do_step` lets it out
      pending_ = std::current_exception();
    }
    mode_ = mode;
  } else {
    mailbox_.refuse();
  }
  mailbox_.clear();
  mailbox_.put(Message::resume);
  if (!is_made_) mailbox_.hand_over(Mailbox::Side::fmu);
}

/// While the FMU takes its time.
void IsolatedInstance::look(std::chrono::steady_clock::time_point begin) {
  if (process_.has_ended()) report_end(process_.how());
  const std::chrono::duration<double> passed = std::chrono::steady_clock::now() - begin;
  if (call_time_limit_.count() > 0.0 && passed > call_time_limit_) {
    process_.end();
    report_end(fmt::format("did not return within {} s, which is the limit of one call",
                           call_time_limit_.count()));
  }
}

void IsolatedInstance::report_end(const std::string& how) {
  is_over_ = true;
  ending_ = how;
  const std::string noted = call_name(mailbox_.call_under_way());
  const std::string call = !noted.empty() ? noted : "the FMU";
  if (!is_made_) {
    throw FmuError(path(), call, 0, fmt::format("the FMU {}{}", how, what_it_said()));
  }
  throw ModelError(call, time_, fmt::format("\"{}\" {}{}", name_, how, what_it_said()));
}

void IsolatedInstance::note_placed() {
  placement_.has_time = placement_.has_inputs = placement_.has_states = false;
  for (Placement::Inputs& group : placement_.inputs) group.is_due = false;
}

/// Where the FMU did not take the place, it is told again the next time.
Eval IsolatedInstance::take_numbers(Vec numbers) {
  const bool is_placed = mailbox_.get<bool>();
  const auto eval = mailbox_.get<Eval>();
  if (!is_placed) return Eval::discard;
  note_placed();
  if (eval == Eval::ok) mailbox_.get_numbers(numbers);
  return eval;
}

Eval IsolatedInstance::set_time(double t) {
  time_ = t;
  placement_.has_time = true;
  placement_.time = t;
  return Eval::ok;
}

Eval IsolatedInstance::set_continuous_states(ConstVec x) {
  placement_.has_states = true;
  placement_.states.assign(x.begin(), x.end());
  return Eval::ok;
}

Eval IsolatedInstance::set_numbers(VariableType type, std::span<const ValueReference> references,
                                   ConstVec numbers) {
  if (mode_ != Mode::continuous_time) {
    begin(Request::set_numbers);
    mailbox_.put(type);
    mailbox_.put_all(references);
    mailbox_.put_all(numbers);
    converse();
    note_placed();
    return mailbox_.get<Eval>();
  }
  auto& groups = placement_.inputs;
  auto group = std::find_if(groups.begin(), groups.end(), [&](const Placement::Inputs& known) {
    return known.type == type && std::equal(known.references.begin(), known.references.end(),
                                            references.begin(), references.end());
  });
  if (group == groups.end()) {
    groups.push_back({.type = type,
                      .references = {references.begin(), references.end()},
                      .values = {},
                      .is_due = false});
    group = std::prev(groups.end());
  }
  group->values.assign(numbers.begin(), numbers.end());
  group->is_due = placement_.has_inputs = true;
  return Eval::ok;
}

Eval IsolatedInstance::get_continuous_state_derivatives(Vec xp) {
  ask_with(Request::get_continuous_state_derivatives, xp.size());
  return take_numbers(xp);
}

Eval IsolatedInstance::get_event_indicators(Vec z) {
  ask_with(Request::get_event_indicators, z.size());
  return take_numbers(z);
}

Eval IsolatedInstance::get_numbers(VariableType type, std::span<const ValueReference> references,
                                   Vec numbers) {
  begin(Request::get_numbers);
  mailbox_.put(type);
  mailbox_.put_all(references);
  mailbox_.put(numbers.size());
  converse();
  return take_numbers(numbers);
}

bool IsolatedInstance::has_directional_derivatives() {
  const Placement kept = std::exchange(placement_, {});
  ask(Request::has_directional_derivatives);
  placement_ = kept;
  return mailbox_.get<bool>();
}

Eval IsolatedInstance::directional_derivative(std::span<const ValueReference> unknowns,
                                              std::span<const ValueReference> knowns, ConstVec seed,
                                              Vec sensitivity) {
  begin(Request::directional_derivative);
  mailbox_.put_all(unknowns);
  mailbox_.put_all(knowns);
  mailbox_.put_all(seed);
  mailbox_.put(sensitivity.size());
  converse();
  return take_numbers(sensitivity);
}

void IsolatedInstance::get_continuous_states(Vec x) {
  ask_with(Request::get_continuous_states, x.size());
  note_placed();
  mailbox_.get_numbers(x);
}

void IsolatedInstance::get_nominals(Vec nominals) {
  begin(Request::get_nominals);
  mailbox_.put_all(ConstVec(nominals));
  converse();
  note_placed();
  mailbox_.get_numbers(nominals);
}

void IsolatedInstance::reset() {
  placement_ = {};
  ask(Request::reset);
  structural_.clear();
}

void IsolatedInstance::enter_configuration_mode() { ask(Request::enter_configuration_mode); }
void IsolatedInstance::exit_configuration_mode() { ask(Request::exit_configuration_mode); }

void IsolatedInstance::enter_initialization_mode(const Experiment& experiment) {
  time_ = experiment.start;
  ask_with(Request::enter_initialization_mode, experiment.start, experiment.stop,
           experiment.tolerance);
}

void IsolatedInstance::exit_initialization_mode() { ask(Request::exit_initialization_mode); }

void IsolatedInstance::enter_event_mode() {
  ask(Request::enter_event_mode);
  note_placed();
}

EventUpdate IsolatedInstance::update_discrete_states() {
  ask(Request::update_discrete_states);
  return mailbox_.get<EventUpdate>();
}

void IsolatedInstance::terminate() {
  if (is_over_ || mode_ == Mode::terminated || mode_ == Mode::instantiated) return;
  ask(Request::terminate);
  note_placed();
}

std::size_t IsolatedInstance::number_of_continuous_states() {
  ask(Request::number_of_continuous_states);
  return mailbox_.get<std::size_t>();
}

std::size_t IsolatedInstance::number_of_event_indicators() {
  ask(Request::number_of_event_indicators);
  return mailbox_.get<std::size_t>();
}

void IsolatedInstance::name_states(std::vector<std::string>& names) {
  begin(Request::name_states);
  put_texts(mailbox_, names);
  converse();
  names = get_texts(mailbox_);
}

void IsolatedInstance::enter_continuous_time_mode() { ask(Request::enter_continuous_time_mode); }

StepVerdict IsolatedInstance::completed_integrator_step(bool may_go_back) {
  ask_with(Request::completed_integrator_step, may_go_back);
  note_placed();
  return mailbox_.get<StepVerdict>();
}

void IsolatedInstance::enter_step_mode() { ask(Request::enter_step_mode); }

StepOutcome IsolatedInstance::do_step(double t, double h) {
  time_ = t;
  ask_with(Request::do_step, t, h);
  const auto outcome = mailbox_.get<StepOutcome>();
  if (pending_) std::rethrow_exception(std::exchange(pending_, nullptr));
  if (outcome.eval == Eval::ok && std::isfinite(outcome.last_successful_time)) {
    time_ = outcome.last_successful_time;
  }
  return outcome;
}

void IsolatedInstance::activate_clocks(std::span<const ValueReference> clocks) {
  begin(Request::activate_clocks);
  mailbox_.put_all(clocks);
  converse();
}

bool IsolatedInstance::is_active(const Variable& clock) {
  ask_with(Request::is_active, &clock);
  return mailbox_.get<bool>();
}

ClockInterval IsolatedInstance::interval(const Variable& clock) {
  ask_with(Request::interval, &clock);
  return mailbox_.get<ClockInterval>();
}

ClockLength IsolatedInstance::shift(const Variable& clock) {
  ask_with(Request::shift, &clock);
  return mailbox_.get<ClockLength>();
}

void IsolatedInstance::set_interval(const Variable& clock, const ClockLength& length) {
  ask_with(Request::set_interval, &clock, length);
}

void IsolatedInstance::evaluate_discrete_states() { ask(Request::evaluate_discrete_states); }

void IsolatedInstance::activate_model_partition(const Variable& clock, double t) {
  time_ = t;
  ask_with(Request::activate_model_partition, &clock, t);
  if (pending_) std::rethrow_exception(std::exchange(pending_, nullptr));
}

void IsolatedInstance::save(FmuState& state) {
  ask_with(Request::save, state);
  note_placed();
  state = mailbox_.get<FmuState>();
}

void IsolatedInstance::restore(const FmuState& state) {
  note_placed();
  ask_with(Request::restore, state);
}

void IsolatedInstance::release(FmuState& state) {
  if (state.handle == nullptr) return;
  if (is_over_) {
    state.handle = nullptr;
    return;
  }
  const Placement kept = std::exchange(placement_, {});
  ask_with(Request::release, state);
  placement_ = kept;
  state = mailbox_.get<FmuState>();
}

void IsolatedInstance::expect_return() {
  Instance::expect_return();
  const Placement kept = std::exchange(placement_, {});
  ask(Request::expect_return);
  placement_ = kept;
}

Value IsolatedInstance::read(const Variable& variable) {
  ask_with(Request::read, &variable);
  note_placed();
  return get_value(mailbox_);
}

void IsolatedInstance::write(const Variable& variable, const Value& value) {
  const bool configures = mode_ == Mode::configuration;
  begin(Request::write);
  mailbox_.put(&variable);
  put_value(mailbox_, value);
  converse();
  note_placed();
  if (configures) note_size(variable, value);
}

}  // namespace saltus::importer
