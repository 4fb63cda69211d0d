// SPDX-License-Identifier: BSD-2-Clause
#include "saltus/modeling/clocks.hpp"

#include <bit>
#include <cmath>

#include "clock_checks.hpp"
#include "saltus/core/clock_ticks.hpp"
#include "saltus/core/mistakes.hpp"
#include "saltus/core/model.hpp"
#include "saltus/core/number_text.hpp"
#include "saltus/modeling/event_pass.hpp"
#include "saltus/modeling/notes.hpp"
#include "saltus/modeling/number.hpp"

namespace saltus::modeling {
namespace {

using namespace clock_slots;  // NOLINT(google-build-using-namespace): numbers of this file

class Clocks final : public ClockList {
 public:
  struct Clock {
    std::string name;
    AboutClock about;  // without its texts
    std::string parameter;
    std::size_t whole = 0;
    bool is_input = false;
  };

  std::size_t add(Clock clock) {
    all_.push_back(std::move(clock));
    shown_.push_back(0);
    ticked_.push_back(false);
    return all_.size() - 1;
  }

  void restart(EventMemory& memory, const Experiment& experiment, ConstVec numbers,
               std::vector<double>& outside) override {
    memory.ticking.assign(of(all_.size()), 0.0);
    memory.ticking[kOutside] = experiment.outside_ticks ? 1.0 : 0.0;
    outside.assign(all_.size(), 0.0);
    shown_.assign(all_.size(), 0);
    for (std::size_t i = 0; i < all_.size(); ++i) {
      double* const slot = memory.ticking.data() + of(i);
      slot[kLast] = -kNever;
      slot[kNext] = kNever;
      slot[kOrigin] = experiment.start;
      if (kind(i) == Kind::periodic) {
        plan(slot, experiment.start, all_[i].about.shift, interval(i, numbers));
      } else if (kind(i) == Kind::changing) {
        check_interval(all_[i].name, planned(i, numbers), " before its first tick");
      }
    }
  }

  void begin(Members& members, EventMemory& memory, double t, ConstVec numbers,
             const std::vector<double>& outside) override {
    const bool by_itself = memory.ticking[kOutside] == 0.0;
    for (std::size_t i = 0; i < all_.size(); ++i) {
      double* const slot = memory.ticking.data() + of(i);
      bool ticks = outside[i] != slot[kHandled];
      if (is_planned(i)) {
        const double next = planned(i, numbers);
        ticks = ticks || (by_itself && next >= 0.0 && has_come(t, slot[kOrigin] + next));
        if (ticks) *members.numbers[*all_[i].about.number] = Watched(kNotPlanned);
      } else if (by_itself && kind(i) == Kind::periodic) {
        if (has_come(t, slot[kNext])) {
          ticks = true;
          count_on(i, slot, t);
        }
        const double now = interval(i, numbers);
        if (now != slot[kInterval]) plan(slot, t, now, now);
      }
      slot[kActive] = ticks ? 1.0 : 0.0;
    }
    now_ = t;
    list_clocked(members);
    is_equal_ = clocked_.empty();
    before_ = clocked_values(members);
  }

  void before_body(const Members& members) override {
    check_equations(members);
    before_ = clocked_values(members);
  }

  void after_body(const Members& members, const EventPass& pass) override {
    const std::vector<std::int64_t> after = clocked_values(members);
    for (std::size_t k = 0; k < clocked_.size(); ++k) {
      if (after[k] == before_[k]) continue;
      const Variable& v = members.variables[clocked_[k]];
      const EventCall& body = pass.known->at(pass.chosen);
      bool in_tick = false;
      for (std::size_t i = 0; i < all_.size(); ++i) {
        in_tick =
            in_tick || (v.clocks.has(i) &&
                        (all_[i].is_input ? body.kind == EventCall::Kind::ticks && body.index == i
                                          : read_whole(members.wholes[all_[i].whole]) != 0));
      }
      if (!in_tick) refuse_write(v, "the body of the " + to_string(body));
    }
  }

  void finish(Members& members, const EventMemory& memory) override {
    check_equations(members);
    show(memory, now_);
    for (std::size_t i = 0; i < all_.size(); ++i) {
      const Whole& place = members.wholes[all_[i].whole];
      ticked_[i] =
          all_[i].is_input ? memory.ticking[of(i) + kActive] != 0.0 : read_whole(place) != 0;
      shown_[i] += ticked_[i] ? 1 : 0;
      write_whole(place, 0);
    }
  }

  double end(EventMemory& memory, double t, ConstVec numbers,
             const std::vector<double>& outside) override {
    const bool by_itself = memory.ticking[kOutside] == 0.0;
    double next = kNever;
    for (std::size_t i = 0; i < all_.size(); ++i) {
      double* const slot = memory.ticking.data() + of(i);
      slot[kActive] = 0.0;
      slot[kHandled] = outside[i];
      if (by_itself) next = std::fmin(next, slot[kNext]);
      if (is_planned(i)) {
        const double planned_for = planned(i, numbers);
        const bool is_lost = ticked_[i] && kind(i) == Kind::changing && !(planned_for >= 0.0);
        if (is_lost) {
          refuse_clock(all_[i].name,
                       "has ticked at t = " + number_text(t) +
                           ", and the body of its tick does not say when it ticks again: write "
                           "ev.next(clock, interval) there, or make it a CountdownClock");
        }
        if (by_itself && planned_for >= 0.0) next = std::fmin(next, slot[kOrigin] + planned_for);
      }
      if (ticked_[i]) {
        slot[kRepeats] = slot[kLast] == t ? slot[kRepeats] + 1.0 : 1.0;
        slot[kLast] = t;
      }
    }
    show(memory, t);
    return next;
  }

  void show(const EventMemory& memory, double t) override {
    const bool by_itself = memory.ticking[kOutside] == 0.0;
    for (std::size_t i = 0; i < all_.size(); ++i) {
      const double* const slot = memory.ticking.data() + of(i);
      const double repeats = std::fmin(std::fmax(slot[kRepeats], 0.0), 1e9);
      shown_[i] = by_itself && slot[kLast] == t ? static_cast<std::int64_t>(repeats) : 0;
    }
  }

  std::int64_t shown(std::size_t clock, const EventMemory& memory,
                     const std::vector<double>& outside) const override {
    const bool is_set = memory.ticking[kOutside] != 0.0 && all_[clock].is_input;
    return is_set ? outside[clock] != memory.ticking[of(clock) + kHandled] : shown_[clock];
  }

  void set(std::size_t clock, bool active, const EventMemory& memory,
           std::vector<double>& outside) const override {
    outside[clock] = memory.ticking[of(clock) + kHandled] + (active ? 1.0 : 0.0);
  }

 private:
  using Kind = ClockTiming::Kind;
  Kind kind(std::size_t i) const { return all_[i].about.kind; }
  bool is_planned(std::size_t i) const {
    return kind(i) == Kind::changing || kind(i) == Kind::countdown;
  }
  double planned(std::size_t i, ConstVec numbers) const { return numbers[*all_[i].about.number]; }

  void list_clocked(const Members& members) {
    if (is_listed_) return;
    is_listed_ = true;
    for (std::size_t v = 0; v < members.variables.size(); ++v) {
      const bool is_own = members.variables[v].causality != Variable::Causality::input;
      if (members.variables[v].clocks.set != 0 && is_own) clocked_.push_back(v);
    }
  }
  std::vector<std::int64_t> clocked_values(const Members& members) const {
    std::vector<std::int64_t> values;
    for (const std::size_t k : clocked_) {
      const Variable& v = members.variables[k];
      values.push_back(v.is_number()
                           ? std::bit_cast<std::int64_t>(members.numbers[v.index]->value())
                           : read_whole(members.wholes[v.index]));
    }
    return values;
  }
  // Before the bodies, in each pass.
  void check_equations(const Members& members) {
    if (is_equal_) return;
    is_equal_ = true;
    const std::vector<std::int64_t> now = clocked_values(members);
    for (std::size_t k = 0; k < clocked_.size(); ++k) {
      if (now[k] != before_[k]) {
        refuse_write(members.variables[clocked_[k]], "equations(), or events() outside of bodies,");
      }
    }
  }
  [[noreturn]] static void refuse_write(const Variable& v, const std::string& who) {
    throw ModelMistake("'" + v.name + "' changes in the ticks of its clocks alone, but " + who +
                       " assigns it: assign it where one of them ticks, or leave .clocks away");
  }

  double interval(std::size_t i, ConstVec numbers) const {
    const AboutClock& about = all_[i].about;
    if (!about.number) return about.interval;
    const double value = numbers[*about.number];
    check_interval(all_[i].name, value, ", which the parameter '" + all_[i].parameter + "' says");
    return value;
  }
  static double tick(const double* slot) {
    return TickTimes(
        slot[kOrigin], ClockLength::of_seconds(slot[kShift]),
        ClockLength::of_seconds(slot[kInterval]))[static_cast<std::uint64_t>(slot[kCount])];
  }
  static void plan(double* slot, double origin, double shift, double interval) {
    slot[kOrigin] = origin;
    slot[kShift] = shift;
    slot[kInterval] = interval;
    slot[kCount] = 0.0;
    slot[kNext] = tick(slot);
  }
  // The first tick after t; where several have come, those between are lost.
  void count_on(std::size_t i, double* slot, double t) const {
    const double interval = slot[kInterval];
    constexpr double kMostTicks = 4503599627370496.0;  // counted without rounding
    const double lost = std::fmax(0.0, std::floor((t - slot[kNext]) / interval) - 1.0);
    if (!(t + interval > t) || !(slot[kCount] >= 0.0 && slot[kCount] + lost < kMostTicks)) {
      refuse_clock(all_[i].name, "cannot count its ticks: the interval " + number_text(interval) +
                                     " is too short for the time " + number_text(t));
    }
    slot[kCount] += lost;
    // No more than rounding is left to be counted, unless these numbers are not those of a clock.
    constexpr int kMostLeft = 8;
    int counted = 0;
    do {
      if (++counted > kMostLeft) refuse_clock(all_[i].name, "was restored from a forged state");
      slot[kCount] += 1.0;
      slot[kNext] = tick(slot);
    } while (has_come(t, slot[kNext]));
  }

  std::vector<Clock> all_;
  std::vector<std::int64_t> shown_;
  std::vector<bool> ticked_;          // in the last pass
  double now_ = -kNever;              // of the last pass
  std::vector<std::size_t> clocked_;  // variables that belong to clocks, and are assigned here
  std::vector<std::int64_t> before_;  // their values, as bits
  bool is_listed_ = false;
  bool is_equal_ = true;  // nothing but bodies can have changed them
};

}  // namespace

std::size_t MemberList::clock(const AboutClock& about, std::int64_t& where) {
  Clocks::Clock clock{.name = full_name(about.name), .about = about, .parameter = {}};
  const bool is_periodic = about.kind == ClockTiming::Kind::periodic;
  if (is_periodic ? !about.number : about.kind == ClockTiming::Kind::changing) {
    check_interval(clock.name, about.interval, "");
  }
  if (!(about.shift >= 0.0 && std::isfinite(about.shift))) {
    refuse_clock(clock.name, "has the shift " + number_text(about.shift) +
                                 ": a shift is zero, or a positive and finite number");
  }
  Variable& variable = add(clock.name, "", about.description);
  variable.type = Variable::Type::clock;
  variable.role = Variable::Role::discrete;
  variable.causality = outward(about.causality);
  variable.index = wholes.size();
  variable.lowest = variable.highest = 0;  // for who looks for branches, which nobody decides by it
  variable.clock = {.kind = about.kind,
                    .interval = about.interval,
                    .shift = about.shift,
                    .next = variables.size(),  // it is declared behind this one
                    .priority = about.priority};
  for (std::size_t i = 0; is_periodic && about.number && i < variables.size(); ++i) {
    const Variable& v = variables[i];
    if (v.role == Variable::Role::parameter && v.is_number() && v.index == *about.number) {
      variable.clock.parameter = i;
      clock.parameter = v.name;
    }
  }
  clock.about.name = clock.about.description = "";
  clock.whole = wholes.size();
  clock.is_input = about.causality == Variable::Causality::input;
  wholes.push_back({&where, Variable::Type::int64});
  if (clocks == nullptr) clocks = std::make_unique<Clocks>();
  return variable.clock.number = static_cast<Clocks&>(*clocks).add(std::move(clock));
}

}  // namespace saltus::modeling
