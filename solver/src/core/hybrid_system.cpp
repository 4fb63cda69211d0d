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

std::string HybridSystem::indicator_name(std::size_t i) const {
  return "indicator " + std::to_string(i);
}

void Observer::event(const EventRecord&) {}
void Observer::warning(const Warning&) {}

}  // namespace saltus
