// SPDX-License-Identifier: BSD-2-Clause
#include "saltus/importer/variable_access.hpp"

#include <fmt/format.h>

#include <stdexcept>

#include "clock_schedule.hpp"
#include "instance.hpp"
#include "start_values.hpp"

namespace saltus::importer {
namespace {

const char* name_of(Instance::Mode mode) {
  switch (mode) {
    case Instance::Mode::instantiated:
      return "before initialisation";
    case Instance::Mode::configuration:
      return "in configuration mode";
    case Instance::Mode::initialization:
      return "in initialization mode";
    case Instance::Mode::event:
      return "in event mode";
    case Instance::Mode::continuous_time:
      return "in continuous-time mode";
    case Instance::Mode::step:
      return "in step mode";
    case Instance::Mode::intermediate_update:
      return "inside a step";
    case Instance::Mode::clock_activation:
      return "in clock activation mode";
    case Instance::Mode::terminated:
      return "after the end of the run";
  }
  return "?";
}

}  // namespace

const ModelDescription& VariableAccess::description() const { return instance_->description(); }

const Variable& VariableAccess::variable(std::string_view name) const {
  return find_variable(description(), name);
}

std::vector<std::size_t> VariableAccess::sizes(const Variable& variable) const {
  return instance_->sizes(variable);
}

std::size_t VariableAccess::element_count(const Variable& variable) const {
  return instance_->element_count(variable);
}

bool VariableAccess::can_be_read() const {
  return !awaits_step_ || instance_->mode() != Instance::Mode::step ||
         description().major_version < 3;
}

void VariableAccess::require_readable() const {
  if (!can_be_read()) {
    throw std::logic_error(
        "variables cannot be read between a write in step mode and the next step (FMI 3.0, "
        "4.2.1): read first, then write");
  }
}

Value VariableAccess::read(const Variable& variable) const {
  require_readable();
  return clocks_ != nullptr && clocks_->answers_for(variable) ? clocks_->value(variable)
                                                              : instance_->read(variable);
}

void VariableAccess::hold(const Variable& variable) const {
  if (clocks_ != nullptr) clocks_->hold(variable);
}

void VariableAccess::write(const Variable& variable, const Value& value) {
  if (!is_writable(variable, instance_->mode())) {
    throw std::logic_error(fmt::format("\"{}\" (causality {}, variability {}) cannot be set {}",
                                       variable.name, to_string(variable.causality),
                                       to_string(variable.variability),
                                       name_of(instance_->mode())));
  }
  instance_->write(variable, fit(*instance_, variable, value));
  awaits_step_ = awaits_step_ || instance_->mode() == Instance::Mode::step;
}

void VariableAccess::read_numbers(VariableType type, const std::vector<ValueReference>& references,
                                  Vec numbers) const {
  require_readable();
  instance_->require(instance_->get_numbers(type, references, numbers),
                     "the call that reads variables");
}

}  // namespace saltus::importer
