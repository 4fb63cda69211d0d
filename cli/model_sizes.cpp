// SPDX-License-Identifier: BSD-2-Clause
#include "model_sizes.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <vector>

#include "terminal_text.hpp"

namespace saltus::cli {
namespace {

using namespace saltus::importer;

constexpr std::size_t kMostNamed = 8;

std::string counted(const ModelDescription& model, const std::vector<const Variable*>& variables) {
  std::size_t count = 0;
  std::vector<std::string> names;
  for (const Variable* variable : variables) {
    count += model.element_count(*variable);
    names.push_back(variable->name);
  }
  if (names.empty() || names.size() > kMostNamed) return fmt::format("{}", count);
  return printable(fmt::format("{} ({})", count, fmt::join(names, ", ")));
}

}  // namespace

std::string continuous_states(const ModelDescription& model) {
  std::vector<const Variable*> states;
  for (const Unknown& unknown : model.structure.continuous_state_derivatives) {
    const Variable* state = model.state_of(unknown);
    states.push_back(state != nullptr ? state : &model.variables[unknown.variable]);
  }
  if (states.empty()) return fmt::format("{}", model.structure.unnamed_continuous_states);
  return counted(model, states);
}

std::string event_indicators(const ModelDescription& model) {
  std::vector<const Variable*> indicators;
  for (const Unknown& unknown : model.structure.event_indicators) {
    indicators.push_back(&model.variables[unknown.variable]);
  }
  if (indicators.empty()) return fmt::format("{}", model.structure.unnamed_event_indicators);
  return counted(model, indicators);
}

}  // namespace saltus::cli
