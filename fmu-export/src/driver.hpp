// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <utility>

#include "intermediate_update.hpp"
#include "log.hpp"
#include "saltus/control/mode_controller.hpp"
#include "saltus/core/described_model.hpp"
#include "saltus/events/integrated_model.hpp"
#include "saltus/integrators/automatic_integrator.hpp"
#include "saltus/integrators/radau.hpp"

namespace saltus::fmu_export {

/// Tells the importer's log of events, if it listens.
class EventMessages : public Observer {
 public:
  EventMessages(const Log& log, const HybridSystem& system) : log_(log), system_(system) {}
  void sample(double, Moment) override {}
  void event(const EventRecord& record) override {
    if (!log_.wants(LogCategory::events)) {
      return;
    }
    std::string message =
        std::string(to_string(record.kind)) + " event at t = " + symbolic(record.time);
    for (const std::size_t i : record.indicators) {
      message += " \"" + system_.indicator_name(i) + "\"";
    }
    log_.write(LogCategory::events, message);
  }

 private:
  const Log& log_;
  const HybridSystem& system_;
};

/// Everything that moves the model of a co-simulation through time, wired together: the integrator,
/// the system that it makes of the model, and the controller for when the importer does not handle
/// events itself.
struct Driver {
  /// `completed` sees each accepted step; `stop` ends an advance of the controller.
  Driver(modeling::DescribedModel& model, double accuracy, WatchedModel::Completed completed,
         std::function<bool()> stop, const Log& log)
      : tolerance(accuracy),
        watched(model, std::move(completed)),
        integrator(integrator_for(watched, accuracy)),
        system(watched, *integrator),
        stoppable(system, std::move(stop)),
        controller(stoppable),
        messages(log, system) {
    controller.add(messages);
  }

  /// Implicit models are often stiff, and need a method that solves for their unknowns unless they
  /// are in an explicit form, to slide. Explicit ones may turn out to be.
  static std::unique_ptr<Integrator> integrator_for(Model& model, double accuracy) {
    const IntegratorOptions options{.relative_tolerance = accuracy};
    if (!model.is_explicit()) {
      return std::make_unique<Radau>(model, options);
    }
    return std::make_unique<AutomaticIntegrator>(model, options);
  }

  /// Whether the method at work keeps what is not saved, a factorisation: a run goes on from a
  /// saved state as if it had none.
  bool keeps_factors() const {
    const auto* automatic = dynamic_cast<const AutomaticIntegrator*>(integrator.get());
    return automatic == nullptr || automatic->method() != Method::dormand_prince;
  }

  double tolerance;
  WatchedModel watched;
  std::unique_ptr<Integrator> integrator;
  IntegratedModel system;
  StoppableSystem stoppable;
  ModeController controller;
  EventMessages messages;
};

}  // namespace saltus::fmu_export
