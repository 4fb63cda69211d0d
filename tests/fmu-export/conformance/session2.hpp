// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include "session.hpp"

namespace conformance {

/// A session in FMI 2.0, which has no event mode in Co-Simulation.
class Session2 : public Session {
 public:
  Session2(const FmuLibrary& fmu, Kind kind);
  ~Session2() override;
  void* instance() const override { return component_; }
  const Fmi2Functions& f() const { return fmu().fmi2(); }
  fmi2Component instantiate();

 private:
  static void hear(fmi2ComponentEnvironment environment, fmi2String, fmi2Status, fmi2String,
                   fmi2String message, ...);

  Status do_set_up_experiment() override;
  Status do_enter_initialization() override;
  Status do_exit_initialization() override;
  Status do_enter_event_mode() override;
  Status do_update(Update& update) override;
  Status do_enter_continuous_time_mode() override;
  Status do_enter_step_mode() override { return Status::ok; }
  Status do_completed_step(bool& enter, bool& terminate) override;
  Status do_set_time(double time) override;
  Status do_do_step(double size, Step& step) override;
  Status do_terminate() override;
  Status do_reset() override;
  Status do_get(Type type, References references, std::vector<double>& values) override;
  Status do_set(Type type, References references, const std::vector<double>& values) override;
  Status do_set_states(std::span<const double> x) override;
  Status do_get_states(std::span<double> x) override;
  Status do_get_derivatives(std::span<double> dx) override;
  Status do_get_indicators(std::span<double> z) override;
  Status do_get_nominals(std::span<double> x) override;
  Status do_save(void*& handle) override;
  Status do_restore(void* handle) override;
  Status do_free_saved(void*& handle) override;
  Status do_serialized_size(void* handle, std::size_t& size) override;
  Status do_serialize(void* handle, std::span<std::uint8_t> bytes) override;
  Status do_deserialize(std::span<const std::uint8_t> bytes, void*& handle) override;
  Status do_directional(References unknowns, References knowns, std::span<const double> seed,
                        std::span<double> sensitivity) override;

  fmi2CallbackFunctions callbacks_{};
  fmi2Component component_ = nullptr;
};

}  // namespace conformance
