// SPDX-License-Identifier: BSD-2-Clause
#include "saltus/modeling/bodies.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <set>

#include "saltus/modeling/model_values.hpp"
#include "saltus/modeling/variables.hpp"

namespace saltus::modeling {
namespace {

// The variables that bodies may assign, one after another.
class Slots {
 public:
  explicit Slots(MembersOf<Watched>& members) : members_(members) {
    for (std::size_t i = 0; i < members.variables.size(); ++i) {
      const Variable& v = members.variables[i];
      const bool unknown = v.role == Variable::Role::state || v.role == Variable::Role::algebraic;
      if (unknown || v.role == Variable::Role::discrete) {
        slots_.push_back(i);
      }
    }
    if (members.texts != nullptr) {
      members.texts->forget();
    }
  }
  std::size_t size() const { return slots_.size(); }
  std::size_t variable(std::size_t slot) const { return slots_[slot]; }
  const void* place(std::size_t slot) const {
    const Variable& v = members_.variables[slots_[slot]];
    if (v.is_number()) {
      return &number(v);
    }
    return v.is_text() ? members_.texts->place(v.index) : members_.wholes[v.index].where;
  }
  std::uint64_t read(std::size_t slot) const {
    const Variable& v = members_.variables[slots_[slot]];
    return v.is_number() ? std::bit_cast<std::uint64_t>(number(v).value())
           : v.is_text() ? members_.texts->take(v.index)
                         : static_cast<std::uint64_t>(read_whole(members_.wholes[v.index]));
  }
  void write(std::size_t slot, std::uint64_t bits) {
    const Variable& v = members_.variables[slots_[slot]];
    if (v.is_number()) {
      number(v) = Watched(std::bit_cast<double>(bits));
    } else if (v.is_text()) {
      members_.texts->put(v.index, bits);
    } else {
      write_whole(members_.wholes[v.index], static_cast<std::int64_t>(bits));
    }
  }
  /// But for the roundings of a few operations, which depend on their order as well.
  bool equal(std::size_t slot, std::uint64_t one, std::uint64_t other) const {
    if (one == other || !members_.variables[slots_[slot]].is_number()) {
      return one == other;
    }
    const double a = std::bit_cast<double>(one), b = std::bit_cast<double>(other);
    // One for each of some operations, with room; two bodies that differ by more have different
    // meanings.
    constexpr double kRoundings = 16.0 * std::numeric_limits<double>::epsilon();
    return std::fabs(a - b) <= kRoundings * std::fmax(std::fabs(a), std::fabs(b));
  }
  std::vector<std::uint64_t> take() const {
    std::vector<std::uint64_t> bits(size());
    for (std::size_t slot = 0; slot < size(); ++slot) {
      bits[slot] = read(slot);
    }
    return bits;
  }
  void put(const std::vector<std::uint64_t>& bits) {
    for (std::size_t slot = 0; slot < size(); ++slot) {
      write(slot, bits[slot]);
    }
  }

 private:
  Watched& number(const Variable& v) const {
    return *(v.role == Variable::Role::state       ? members_.states
             : v.role == Variable::Role::algebraic ? members_.algebraics
                                                   : members_.numbers)[v.index];
  }
  MembersOf<Watched>& members_;
  std::vector<std::size_t> slots_;
};

// The slots that a run assigned: those that were noted, and those that changed otherwise.
std::vector<bool> assigned(const Slots& slots, const std::vector<std::uint64_t>& before,
                           const std::function<void()>& run) {
  std::vector<const void*> places;
  noted_writes = &places;
  try {
    run();
  } catch (...) {
    noted_writes = nullptr;
    throw;
  }
  noted_writes = nullptr;
  const std::set<const void*> noted(places.begin(), places.end());
  std::vector<bool> result(slots.size());
  for (std::size_t slot = 0; slot < slots.size(); ++slot) {
    result[slot] = noted.count(slots.place(slot)) != 0 || slots.read(slot) != before[slot];
  }
  return result;
}

}  // namespace

std::vector<Conflict> execute_together(MembersOf<Watched>& members,
                                       std::span<const std::size_t> due,
                                       const std::function<void(std::size_t call)>& run,
                                       const std::function<void()>& run_none) {
  Slots slots(members);
  const std::vector<std::uint64_t> before = slots.take();
  const std::vector<bool> outside = assigned(slots, before, run_none);

  constexpr std::size_t kNobody = static_cast<std::size_t>(-1);
  std::vector<std::size_t> owner(slots.size(), kNobody);
  std::vector<std::uint64_t> joined = slots.take();
  std::vector<Conflict> conflicts;
  for (const std::size_t call : due) {
    slots.put(before);
    const std::vector<bool> mine = assigned(slots, before, [&] { run(call); });
    for (std::size_t slot = 0; slot < slots.size(); ++slot) {
      if (!mine[slot] || outside[slot]) {
        continue;
      }
      if (owner[slot] != kNobody) {
        conflicts.push_back({owner[slot], call, slot});
      }
      owner[slot] = call;
      joined[slot] = slots.read(slot);
    }
  }
  if (conflicts.empty()) {
    slots.put(joined);
    return conflicts;
  }
  slots.put(before);
  std::for_each(due.rbegin(), due.rend(), run);
  const std::vector<std::uint64_t> backwards = slots.take();
  slots.put(before);
  std::for_each(due.begin(), due.end(), run);
  for (const Conflict& conflict : conflicts) {
    joined[conflict.variable] = slots.read(conflict.variable);
  }
  slots.put(joined);
  std::erase_if(conflicts, [&](const Conflict& conflict) {
    return slots.equal(conflict.variable, joined[conflict.variable], backwards[conflict.variable]);
  });
  for (Conflict& conflict : conflicts) {
    conflict.variable = slots.variable(conflict.variable);
  }
  return conflicts;
}

void warn_of_conflicts(const Experiment& experiment, double t, std::span<const Conflict> conflicts,
                       std::span<const Variable> variables, std::span<const std::string> names) {
  for (const Conflict& conflict : conflicts) {
    warn(experiment,
         {.time = t,
          .subject = variables[conflict.variable].name,
          .message = "is assigned by " + names[conflict.one] + " and by " + names[conflict.other] +
                     ", which are due together, and the order matters: they act in the "
                     "order in which they are written; let one condition exclude the "
                     "other, or join their bodies"});
  }
}

void tell_reason(const Experiment& experiment, double t, const std::string& reason) {
  warn(experiment,
       {.time = t, .subject = "terminate()", .message = "the model ends the run: " + reason});
}

}  // namespace saltus::modeling
