// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include "session.hpp"

namespace conformance {

/// A session in FMI 3.0. Co-Simulation allows early return, and announces all variables that have
/// an intermediate update.
class Session3 : public Session {
 public:
  Session3(const FmuLibrary& fmu, Kind kind);
  ~Session3() override;
  void* instance() const override { return instance_; }
  const Fmi3Functions& f() const { return fmu().fmi3(); }
  const std::vector<fmi3ValueReference>& announced() const { return announced_; }
  fmi3Instance instantiate(Kind kind);

 private:
  static void hear(fmi3InstanceEnvironment environment, fmi3Status, fmi3String, fmi3String message);
  static void intermediate_update(fmi3InstanceEnvironment, fmi3Float64, fmi3Boolean, fmi3Boolean,
                                  fmi3Boolean, fmi3Boolean, fmi3Boolean*, fmi3Float64*);

  Status do_set_up_experiment() override { return Status::ok; }
  Status do_enter_initialization() override;
  Status do_exit_initialization() override;
  Status do_enter_event_mode() override;
  Status do_update(Update& update) override;
  Status do_enter_continuous_time_mode() override;
  Status do_enter_step_mode() override;
  Status do_completed_step(bool& enter, bool& terminate) override;
  Status do_set_time(double time) override;
  Status do_do_step(double size, Step& step) override;
  Status do_terminate() override;
  Status do_reset() override;
  Status read_texts(Type type, References references, std::vector<double>& values);
  Status write_texts(Type type, References references, const std::vector<double>& values);
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

  std::vector<fmi3ValueReference> announced_;
  fmi3Instance instance_ = nullptr;
};

}  // namespace conformance
