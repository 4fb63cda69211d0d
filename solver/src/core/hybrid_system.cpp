// SPDX-License-Identifier: BSD-2-Clause
#include "saltus/core/hybrid_system.hpp"

#include "saltus/core/observer.hpp"

namespace saltus {

const char* to_string(EventKind kind) {
  switch (kind) {
    case EventKind::initial:
      return "initial";
    case EventKind::time:
      return "time";
    case EventKind::state:
      return "state";
    case EventKind::step:
      return "step";
    case EventKind::requested:
      return "requested";
    case EventKind::enter_sliding:
      return "enter_sliding";
    case EventKind::exit_sliding:
      return "exit_sliding";
    case EventKind::zeno:
      return "zeno";
  }
  return "unknown";
}

const char* to_string(IndicatorChange change) {
  switch (change) {
    case IndicatorChange::unknown:
      return "";
    case IndicatorChange::became_true:
      return "became true";
    case IndicatorChange::became_false:
      return "became false";
    case IndicatorChange::rose:
      return "rose";
    case IndicatorChange::fell:
      return "fell";
  }
  return "";
}

std::string with_change(const std::string& name, IndicatorChange change) {
  return change == IndicatorChange::unknown ? name : name + ' ' + to_string(change);
}

std::string HybridSystem::indicator_name(std::size_t i) const {
  return "indicator " + std::to_string(i);
}

void Observer::event(const EventRecord&) {}
void Observer::warning(const Warning&) {}

}  // namespace saltus
