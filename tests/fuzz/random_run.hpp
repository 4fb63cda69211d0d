// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "guest.hpp"

namespace saltus::fuzz {

/// One instance and random calls on it, nearly all of them legal, that follow from a seed.
///
/// It keeps the mode as FMI prescribes it, from the statuses alone. Now and then a call is an
/// error, after which everything is read, and a saved state is handed back with some of its bytes
/// changed (and the checksum of the new ones).
class RandomRun {
 public:
  struct Options {
    std::size_t calls = 200;
    /// So many changed saved states follow, each with some calls after it.
    std::size_t states = 0;
  };
  RandomRun(const Guest& guest, std::uint64_t seed, const Options& options);
  ~RandomRun();
  RandomRun(const RandomRun&) = delete;
  RandomRun& operator=(const RandomRun&) = delete;

  void run();
  std::size_t calls() const { return calls_; }
  std::size_t mutated() const { return mutated_; }
  /// What is wrong without being a crash; empty: nothing.
  const std::string& complaint() const { return complaint_; }

 private:
  struct Kept {
    fmi3FMUState state = nullptr;
    Mode mode = Mode::instantiated;
  };
  bool may(Function function) const;
  fmi3Status did(fmi3Status status, const char* name);
  void move_to(Mode mode) { mode_ = mode; }

  void act();
  void act_in_instantiated();
  void act_in_event_mode();
  void act_in_continuous_time();
  void act_in_step_mode();
  void act_in_terminated();
  void initialize();
  void update_until_quiet();
  void update_once_more();
  void do_step();
  void integrate();
  void enter_event_mode();
  void look();
  void look_at_everything();
  void set_something();
  void switch_to_dae(const Guest::Known& by);
  void make_a_mistake();
  void keep_or_return_a_state();
  void return_changed_states();
  bool save_a_state();
  void return_to(const Kept& kept);
  void return_a_changed_state();
  double time();
  std::vector<double> numbers();

  static void intermediate(fmi3InstanceEnvironment environment, fmi3Float64, fmi3Boolean set,
                           fmi3Boolean, fmi3Boolean, fmi3Boolean early, fmi3Boolean* requested,
                           fmi3Float64* return_time);

  const Guest& guest_;
  const Functions& f_;
  Dice dice_;
  Options options_;
  Interface interface_;
  fmi3Instance instance_ = nullptr;
  Mode mode_ = Mode::instantiated;
  bool event_mode_used_ = false, early_return_ = false;
  std::vector<fmi3ValueReference> intermediate_;
  double stop_ = 1.0;
  double stride_ = 0.02;  ///< of communication steps, of the whole run
  bool is_dae_ = false;
  bool settled_ = false;
  double next_event_time_ = 0.0;
  bool next_event_defined_ = false;
  bool event_reported_ = false;
  std::vector<Kept> kept_;
  Kept saved_;  ///< the state whose bytes are changed
  std::vector<fmi3Byte> saved_bytes_;
  std::size_t states_ = 0, indicators_ = 0;
  std::size_t calls_ = 0, mutated_ = 0;
  std::string complaint_;
};

}  // namespace saltus::fuzz
