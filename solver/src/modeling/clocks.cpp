// SPDX-License-Identifier: BSD-2-Clause
#include "saltus/modeling/clocks.hpp"

#include <cmath>

#include "saltus/core/clock_ticks.hpp"
#include "saltus/core/mistakes.hpp"
#include "saltus/core/model.hpp"
#include "saltus/core/number_text.hpp"
#include "saltus/modeling/notes.hpp"
#include "saltus/modeling/passes.hpp"

namespace saltus::modeling {
namespace {

using namespace clock_slots;  // NOLINT(google-build-using-namespace): numbers of this file

[[noreturn]] void refuse_clock(const std::string& name, const std::string& why) {
  throw std::invalid_argument("the clock '" + name + "' " + why);
}

void check_interval(const std::string& name, double interval, const std::string& from) {
  if (!(interval > 0.0 && std::isfinite(interval))) {
    refuse_clock(name, "has the interval " + number_text(interval) + from +
                           ": an interval is a positive and finite number");
  }
}

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
      if (all_[i].about.periodic) {
        plan(slot, experiment.start, all_[i].about.shift, interval(i, numbers));
      }
    }
  }

  void begin(EventMemory& memory, double t, ConstVec numbers,
             const std::vector<double>& outside) override {
    const bool by_itself = memory.ticking[kOutside] == 0.0;
    for (std::size_t i = 0; i < all_.size(); ++i) {
      double* const slot = memory.ticking.data() + of(i);
      bool ticks = outside[i] != slot[kHandled];
      if (by_itself && all_[i].about.periodic) {
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
  }

  void finish(MemberList& members, const EventMemory& memory) override {
    show(memory, now_);
    for (std::size_t i = 0; i < all_.size(); ++i) {
      const Whole& place = members.wholes[all_[i].whole];
      ticked_[i] =
          all_[i].is_input ? memory.ticking[of(i) + kActive] != 0.0 : read_whole(place) != 0;
      shown_[i] += ticked_[i] ? 1 : 0;
      write_whole(place, 0);
    }
  }

  double end(EventMemory& memory, double t, const std::vector<double>& outside) override {
    const bool by_itself = memory.ticking[kOutside] == 0.0;
    double next = kNever;
    for (std::size_t i = 0; i < all_.size(); ++i) {
      double* const slot = memory.ticking.data() + of(i);
      slot[kActive] = 0.0;
      slot[kHandled] = outside[i];
      if (by_itself) next = std::fmin(next, slot[kNext]);
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
  std::vector<bool> ticked_;  // in the last pass
  double now_ = -kNever;      // of the last pass
};

}  // namespace

std::size_t MemberList::clock(const AboutClock& about, std::int64_t& where) {
  Clocks::Clock clock{.name = full_name(about.name), .about = about, .parameter = {}};
  if (about.periodic && !about.number) check_interval(clock.name, about.interval, "");
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
  variable.clock = {.periodic = about.periodic, .interval = about.interval, .shift = about.shift};
  for (std::size_t i = 0; about.number && i < variables.size(); ++i) {
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

void OutputClock::tick() {
  note_write(&ticked_);
  ticked_ = 1;
}

bool EventPass::ticks(const ClockMember& clock, Site site) {
  const std::size_t call = calls++;
  if (way == Way::watch ||
      !in_event_mode(call, {EventCall::Kind::ticks, site.line(), site.column(), clock.number()})) {
    return false;
  }
  if (way == Way::act) {
    return call == chosen;
  }
  if (memory->ticking[of(clock.number()) + kActive] != 0.0) {
    due.push_back(call);
  }
  return false;
}

bool EventPass::note_ticks(const ClockMember& clock, double now, double rate) const {
  if (clock_rates == nullptr || memory->ticking[kOutside] != 0.0) return false;
  const double* const slot = memory->ticking.data() + of(clock.number());
  const bool is_due = has_come(now, slot[kNext]);
  if (is_due) {
    clock_rates->push_back(slot[kCount] * rate);
  }
  return is_due;
}

void EventPass::tick(OutputClock& clock) const {
  if (way != Way::act) {
    throw ModelMistake("events() ticks the clock '" + clock.name() +
                       "' outside of the body of a when(), every(), at() or ticks(): that would "
                       "happen at every event of anything; write if (ev.when(...)) before it");
  }
  clock.tick();
}

}  // namespace saltus::modeling
