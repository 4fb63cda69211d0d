// SPDX-License-Identifier: BSD-2-Clause
#include "instance.hpp"

#include <fmt/format.h>

#include <cassert>
#include <cstring>
#include <iterator>
#include <stdexcept>

#include "saltus/core/error.hpp"

namespace saltus::importer {
namespace {

constexpr int kDiscard = 2;  // in all versions

}  // namespace

Instance::Instance(std::shared_ptr<const FmuFiles> files, std::string name, InterfaceType type,
                   const InstanceOptions& options)
    : files_(std::move(files)),
      name_(std::move(name)),
      type_(type),
      interface_(&files_->interface(type)),
      uses_event_mode_(type == InterfaceType::model_exchange ||
                       (type == InterfaceType::co_simulation &&
                        description().co_simulation->has_event_mode && options.event_mode)) {}

bool Instance::can_save_states() const {
  const char* const word = description().major_version == 2 ? "FMUstate" : "FMUState";
  return interface().can_get_and_set_fmu_state && !lacks(name_of("Get") + word) &&
         !lacks(name_of("Set") + word) && !lacks(name_of("Free") + word);
}

std::string Instance::status_name(int status) const {
  constexpr const char* kNames[] = {"OK", "Warning", "Discard", "Error", "Fatal", "Pending"};
  const auto place = static_cast<std::size_t>(status);
  if (place >= std::size(kNames)) return fmt::format("status {}", status);
  return files_->prefix() + kNames[place];
}

void Instance::refuse_discard(const char* function) const {
  throw ModelError(function, time_,
                   fmt::format("\"{}\" returned {}, and there is nothing else to try{}", name_,
                               status_name(kDiscard), what_it_said()));
}

void Instance::Point::aim_many(const double* y) {
  if (std::memcmp(states.data(), y, states.size_bytes()) == 0) return;
  std::memcpy(states.data(), y, states.size_bytes());
  states_are_due = true;
}

Eval Instance::tell(Point& point) {
  if (point.time_is_due) {
    if (set_time(point.time) == Eval::discard) return Eval::discard;
    point.time_is_due = false;
  }
  if (point.states_are_due) {
    if (set_continuous_states(point.states) == Eval::discard) return Eval::discard;
    point.states_are_due = false;
  }
  return Eval::ok;
}

Eval Instance::derivatives_at(double t, ConstVec y, Vec xp, Point& point) {
  point.aim(t, y);
  return tell(point) == Eval::ok ? get_continuous_state_derivatives(xp) : Eval::discard;
}

Eval Instance::indicators_at(double t, ConstVec y, Vec z, Point& point) {
  point.aim(t, y);
  return tell(point) == Eval::ok ? get_event_indicators(z) : Eval::discard;
}

Eval Instance::directional_derivative(std::span<const ValueReference> /*unknowns*/,
                                      std::span<const ValueReference> /*knowns*/, ConstVec /*seed*/,
                                      Vec /*sensitivity*/) {
  throw std::logic_error("this FMU computes no directional derivatives");
}

Eval Instance::adjoint_derivative(std::span<const ValueReference> /*unknowns*/,
                                  std::span<const ValueReference> /*knowns*/, ConstVec /*seed*/,
                                  Vec /*sensitivity*/) {
  throw std::logic_error("this FMU computes no adjoint derivatives");
}

std::vector<std::uint8_t> Instance::serialize(const FmuState& /*state*/) {
  throw std::logic_error("this FMU does not serialize its states");
}

Instance::FmuState Instance::deserialize(std::span<const std::uint8_t> /*bytes*/, Mode /*mode*/) {
  throw std::logic_error("this FMU does not serialize its states");
}

void Instance::note_size(const Variable& variable, const Value& value) {
  if (variable.type != VariableType::uint64) return;
  structural_[variable.reference] = std::get<std::uint64_t>(value.front());
}

// Descriptions of the older versions have no clocks, so nobody asks.
void Instance::activate_clocks(std::span<const ValueReference> /*clocks*/) { assert(false); }
bool Instance::is_active(const Variable& /*clock*/) { return false; }
ClockInterval Instance::interval(const Variable& /*clock*/) { return {}; }
ClockLength Instance::shift(const Variable& /*clock*/) { return {}; }
void Instance::set_interval(const Variable& /*clock*/, const ClockLength& /*length*/) {}
void Instance::evaluate_discrete_states() {}
void Instance::activate_model_partition(const Variable& /*clock*/, double /*t*/) { assert(false); }

std::vector<std::size_t> Instance::sizes(const Variable& variable) const {
  std::vector<std::size_t> result;
  for (const Dimension& dimension : variable.dimensions) {
    const auto changed =
        dimension.reference ? structural_.find(*dimension.reference) : structural_.end();
    result.push_back(changed != structural_.end() ? changed->second : dimension.size);
  }
  return result;
}

std::size_t Instance::element_count(const Variable& variable) const {
  std::size_t count = 1;
  for (const std::size_t size : sizes(variable)) count *= size;
  return count;
}

}  // namespace saltus::importer
