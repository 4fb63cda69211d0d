// SPDX-License-Identifier: BSD-2-Clause
// What a sliding model shows of its configurations, and what of it is saved with an FMU state.
#include <algorithm>
#include <limits>
#include <stdexcept>

#include "sliding_state.hpp"

namespace saltus {
namespace {

class NumberReader {
 public:
  explicit NumberReader(const SlidingMemory& memory) : memory_(memory) {}
  std::uint64_t number(std::uint64_t limit) {
    if (next_number_ >= memory_.numbers.size() || memory_.numbers[next_number_] > limit) {
      throw std::invalid_argument("the memory of a sliding motion belongs to another model");
    }
    return memory_.numbers[next_number_++];
  }
  bool has_more() const { return next_number_ < memory_.numbers.size(); }
  double value() {
    if (next_value_ >= memory_.values.size()) {
      throw std::invalid_argument("the memory of a sliding motion ends too early");
    }
    return memory_.values[next_value_++];
  }

 private:
  const SlidingMemory& memory_;
  std::size_t next_number_ = 0;
  std::size_t next_value_ = 0;
};

// Of configurations around as many surfaces as there can be.
constexpr std::uint64_t kMostSlots = 0xFFFFFF;

void write(SlidingMemory& memory, const std::vector<sliding::Surface>& surfaces) {
  for (const sliding::Surface& surface : surfaces) {
    memory.numbers.push_back(surface.indicator);
    memory.numbers.push_back((surface.shared ? 1U : 0U) | (surface.by_value ? 2U : 0U));
    memory.numbers.push_back(surface.evaluated_in);
    memory.numbers.push_back(surface.coincident.size());
    memory.numbers.insert(memory.numbers.end(), surface.coincident.begin(),
                          surface.coincident.end());
    for (const double sign : surface.coincident_signs) {
      memory.numbers.push_back(sign > 0.0 ? 1 : 0);
    }
    memory.values.insert(memory.values.end(), {surface.scale, surface.low_orientation,
                                               surface.high_orientation, surface.noise});
  }
}

std::vector<sliding::Surface> read_surfaces(NumberReader& in, std::uint64_t count,
                                            std::size_t indicators) {
  std::vector<sliding::Surface> surfaces(count);
  for (sliding::Surface& surface : surfaces) {
    surface.indicator = in.number(indicators - 1);
    const std::uint64_t flags = in.number(3);
    surface.shared = (flags & 1U) != 0;
    surface.by_value = (flags & 2U) != 0;
    surface.evaluated_in = in.number(kMostSlots);
    surface.coincident.resize(in.number(indicators));
    for (std::size_t& other : surface.coincident) {
      other = in.number(indicators - 1);
    }
    surface.coincident_signs.resize(surface.coincident.size());
    for (double& sign : surface.coincident_signs) {
      sign = in.number(1) != 0 ? 1.0 : -1.0;
    }
    surface.scale = in.value();
    surface.low_orientation = in.value();
    surface.high_orientation = in.value();
    surface.noise = in.value();
  }
  return surfaces;
}

void write(SlidingMemory& memory, const sliding::SurfaceSet::Aim& aim) {
  memory.numbers.push_back(aim.directions.size());
  memory.numbers.push_back(aim.slopes.size());
  memory.values.insert(memory.values.end(), aim.directions.begin(), aim.directions.end());
  memory.values.insert(memory.values.end(), aim.slopes.begin(), aim.slopes.end());
  memory.numbers.push_back(aim.one_sided.size());
  memory.numbers.insert(memory.numbers.end(), aim.one_sided.begin(), aim.one_sided.end());
  memory.numbers.push_back(aim.basis.size());
  memory.numbers.insert(memory.numbers.end(), aim.basis.begin(), aim.basis.end());
}

sliding::SurfaceSet::Aim read_aim(NumberReader& in, std::uint64_t surfaces, std::size_t unknowns) {
  sliding::SurfaceSet::Aim aim;
  aim.directions.resize(in.number(surfaces * unknowns));
  aim.slopes.resize(in.number(surfaces * surfaces));
  std::generate(aim.directions.begin(), aim.directions.end(), [&] { return in.value(); });
  std::generate(aim.slopes.begin(), aim.slopes.end(), [&] { return in.value(); });
  const bool aimed = !aim.directions.empty() || !aim.slopes.empty();
  if (aimed &&
      (aim.directions.size() != surfaces * unknowns || aim.slopes.size() != surfaces * surfaces)) {
    throw std::invalid_argument("the memory of a sliding motion belongs to another model");
  }
  aim.one_sided.resize(in.number(kMostSlots));
  std::generate(aim.one_sided.begin(), aim.one_sided.end(),
                [&] { return static_cast<char>(in.number(1)); });
  aim.basis.resize(in.number(surfaces));
  std::generate(aim.basis.begin(), aim.basis.end(), [&] { return in.number(surfaces - 1); });
  return aim;
}

void write(SlidingMemory& memory, const sliding::Combinations& combinations) {
  memory.numbers.push_back(combinations.groups().size());
  for (const auto& group : combinations.groups()) {
    memory.numbers.push_back(group.size());
    memory.numbers.insert(memory.numbers.end(), group.begin(), group.end());
  }
  memory.numbers.push_back(combinations.count() - combinations.count_of_groups());
  for (std::size_t v = combinations.count_of_groups(); v < combinations.count(); ++v) {
    const sliding::Combination sides = combinations.sides(v);
    memory.numbers.insert(memory.numbers.end(), sides.begin(), sides.end());
  }
}

sliding::Combinations read_combinations(NumberReader& in, std::uint64_t surfaces) {
  std::vector<std::vector<std::size_t>> groups(in.number(surfaces));
  std::vector<char> is_read(surfaces, 0);
  for (auto& group : groups) {
    group.resize(in.number(sliding::kMostEnumerated));
    for (std::size_t& surface : group) {
      surface = in.number(surfaces - 1);
      if (is_read[surface] != 0) {
        throw std::invalid_argument("the memory of a sliding motion names a surface twice");
      }
      is_read[surface] = 1;
    }
  }
  std::vector<sliding::Combination> checks(in.number(kMostSlots));
  for (sliding::Combination& check : checks) {
    check.resize(surfaces);
    std::generate(check.begin(), check.end(), [&] { return static_cast<char>(in.number(1)); });
  }
  return surfaces > sliding::kMostEnumerated
             ? sliding::Combinations::grouped(surfaces, std::move(groups), checks)
             : sliding::Combinations::all(surfaces);
}

void write(SlidingMemory& memory, const std::vector<HeldPart>& held) {
  memory.numbers.push_back(held.size());
  for (const HeldPart& one : held) {
    memory.numbers.insert(memory.numbers.end(), {one.part, one.positive ? 1U : 0U});
    memory.values.push_back(one.within);
  }
}

std::vector<HeldPart> read_held(NumberReader& in, const SlidingMemory& memory) {
  std::vector<HeldPart> held(in.number(memory.values.size()));
  for (HeldPart& one : held) {
    one.part = in.number(std::numeric_limits<std::uint32_t>::max());
    one.positive = in.number(1) != 0;
    one.within = in.value();
  }
  return held;
}

}  // namespace

SlidingMemory SlidingModel::memory() const {
  const State& s = *state_;
  SlidingMemory memory;
  if (!s.sides) {
    return memory;
  }
  memory.slots = s.on->slots();
  // An event that has only begun is begun again.
  memory.numbers = {s.on->size(),
                    s.initial ? 1U : 0U,
                    s.in_event_mode && !s.only_entered ? 1U : 0U,
                    s.same_indicators ? 1U : 0U,
                    s.was_set ? 1U : 0U,
                    s.holds.size(),
                    s.shifts.size(),
                    s.part_shifts.size(),
                    s.domains.size()};
  memory.values = {s.next_event_time, s.exit_shift, s.on->attraction, s.tolerance};
  write(memory, s.on->combinations());
  write(memory, s.on->surfaces());
  for (const State::Hold& hold : s.holds) {
    memory.numbers.push_back(hold.indicator);
    memory.values.push_back(hold.shift);
  }
  memory.values.insert(memory.values.end(), s.shifts.begin(), s.shifts.end());
  memory.values.insert(memory.values.end(), s.part_shifts.begin(), s.part_shifts.end());
  memory.numbers.push_back(s.sides->looked_for_noise() ? 1 : 0);
  memory.values.insert(memory.values.end(), s.sides->noises().begin(), s.sides->noises().end());
  memory.numbers.insert(memory.numbers.end(), s.domains.begin(), s.domains.end());
  write(memory, s.on->remembered_aim());
  memory.numbers.push_back(s.on->given.empty() ? 0 : 1);
  memory.values.insert(memory.values.end(), s.on->given.begin(), s.on->given.end());
  memory.numbers.push_back(s.conditions.size());
  memory.numbers.insert(memory.numbers.end(), s.conditions.begin(), s.conditions.end());
  if (!s.holds.empty()) {
    // The surfaces just left, and to which sides.
    memory.numbers.push_back(s.left_to.size());
    memory.numbers.insert(memory.numbers.end(), s.left_to.begin(), s.left_to.end());
    memory.numbers.push_back(s.on_bits.size());
    memory.numbers.insert(memory.numbers.end(), s.on_bits.begin(), s.on_bits.end());
    memory.numbers.push_back(s.meeting->size());
    write(memory, s.meeting->surfaces());
    write(memory, s.meeting->remembered_aim());
  }
  const std::vector<HeldPart>&found = s.parts_on->found(), &left = s.parts_on->left();
  if (!s.conditions_found_for.empty() || !found.empty() || !left.empty()) {
    memory.numbers.push_back(s.conditions_found_for.size());
    memory.numbers.insert(memory.numbers.end(), s.conditions_found_for.begin(),
                          s.conditions_found_for.end());
    std::vector<double> scales = s.condition_scales;
    scales.resize(s.indicators, 1.0);
    memory.values.insert(memory.values.end(), scales.begin(), scales.end());
    memory.numbers.push_back(s.on_surfaces.size());
    for (const State::OnSurfaces& one : s.on_surfaces) {
      memory.numbers.insert(memory.numbers.end(), {one.indicator, one.holds ? 1U : 0U});
      memory.values.push_back(one.within);
    }
    write(memory, found);
    write(memory, left);
  }
  return memory;
}

void SlidingModel::recall(const SlidingMemory& memory) {
  State& s = *state_;
  if (!s.sides) {
    return;
  }
  NumberReader in(memory);
  const std::uint64_t surface_count = in.number(s.most_surfaces);
  s.initial = in.number(1) != 0;
  s.in_event_mode = in.number(1) != 0;
  s.in_phase = !s.initial && !s.in_event_mode;
  s.only_entered = false;
  s.same_indicators = in.number(1) != 0;
  s.was_set = in.number(1) != 0;
  const std::uint64_t hold_count = in.number(s.indicators);
  const std::uint64_t shift_count = in.number(s.indicators);
  const std::uint64_t part_count = in.number(memory.values.size());
  const std::uint64_t domain_count = in.number(s.indicators * memory.slots.size());
  s.next_event_time = in.value();
  s.exit_shift = in.value();
  const double attraction = in.value();
  if (s.options.projecting_driver && attraction != 0.0) {
    throw std::invalid_argument("the memory of a sliding motion belongs to another driver");
  }
  s.tolerance = in.value();
  sliding::Combinations combinations = read_combinations(in, surface_count);
  if (memory.slots.size() != combinations.count()) {
    throw std::invalid_argument("the memory of a sliding motion has too few configurations");
  }
  std::vector<sliding::Surface> surfaces = read_surfaces(in, surface_count, s.indicators);
  s.holds.resize(hold_count);
  for (State::Hold& hold : s.holds) {
    hold = {in.number(s.indicators - 1), in.value()};
  }
  s.shifts.resize(shift_count);
  std::generate(s.shifts.begin(), s.shifts.end(), [&] { return in.value(); });
  s.part_shifts.resize(part_count);
  std::generate(s.part_shifts.begin(), s.part_shifts.end(), [&] { return in.value(); });
  std::vector<double> noises(s.indicators);
  const bool looked_for_noise = in.number(1) != 0;
  std::generate(noises.begin(), noises.end(), [&] { return in.value(); });
  s.sides->recall_noise(looked_for_noise, std::move(noises));
  if ((shift_count != 0 && shift_count != s.indicators) ||
      (domain_count != 0 && domain_count != memory.slots.size() * s.indicators)) {
    throw std::invalid_argument("the memory of a sliding motion belongs to another model");
  }
  s.domains.resize(domain_count);
  std::generate(s.domains.begin(), s.domains.end(),
                [&] { return static_cast<char>(in.number(1)); });
  sliding::SurfaceSet::Aim aim = read_aim(in, surface_count, s.sides->nominals().size());
  std::vector<double> given(in.number(1) != 0 ? surface_count : 0);
  std::generate(given.begin(), given.end(), [&] { return in.value(); });
  s.conditions.resize(in.number(s.indicators));
  std::generate(s.conditions.begin(), s.conditions.end(),
                [&] { return static_cast<char>(in.number(1)); });
  s.imposed.clear();
  s.conditions_wait = false;
  s.passes = 0;
  if (hold_count > 0) {
    s.left_to.resize(in.number(s.most_surfaces));
    std::generate(s.left_to.begin(), s.left_to.end(),
                  [&] { return static_cast<char>(in.number(1)); });
    s.on_bits.resize(in.number(s.most_surfaces));
    std::generate(s.on_bits.begin(), s.on_bits.end(),
                  [&] { return in.number(s.most_surfaces - 1); });
    const std::uint64_t left_count = in.number(s.most_surfaces);
    std::vector<sliding::Surface> left = read_surfaces(in, left_count, s.indicators);
    sliding::SurfaceSet::Aim left_aim = read_aim(in, left_count, s.sides->nominals().size());
    if (s.left_to.size() != left_count ||
        std::any_of(s.on_bits.begin(), s.on_bits.end(),
                    [&](std::size_t bit) { return bit >= left_count; }) ||
        s.on_bits.size() != surface_count) {
      throw std::invalid_argument("the memory of a sliding motion belongs to another model");
    }
    s.meeting->become(std::move(left), {memory.slots.front()});
    s.meeting->recall_aim(std::move(left_aim));
  } else {
    s.left_to.clear();
    s.on_bits.clear();
  }
  s.conditions_found_for.clear();
  s.on_surfaces.clear();
  if (in.has_more()) {
    s.conditions_found_for.resize(in.number(s.most_surfaces));
    for (std::size_t& surface : s.conditions_found_for) surface = in.number(s.indicators - 1);
    s.condition_scales.resize(s.indicators);
    std::generate(s.condition_scales.begin(), s.condition_scales.end(), [&] { return in.value(); });
    s.on_surfaces.resize(in.number(s.indicators));
    for (State::OnSurfaces& one : s.on_surfaces) {
      one = {.indicator = in.number(s.indicators - 1),
             .holds = in.number(1) != 0,
             .within = in.value()};
    }
    std::vector<HeldPart> found = read_held(in, memory);
    s.parts_on->recall(std::move(found), read_held(in, memory));
  } else {
    s.parts_on->recall({}, {});
  }
  aim.one_sided.resize(memory.slots.size());
  s.on->become(std::move(surfaces), memory.slots, std::move(combinations));
  s.on->recall_aim(std::move(aim));
  s.on->given = std::move(given);
  s.on->own_terms = !s.on->is_grouped() && !s.on->given.empty();
  s.on->attraction = attraction;
  s.kept.clear();
  s.regroups = false;
  s.adopted.reset();
  s.fired.clear();
  s.visits.clear();
  s.sides->forget_fields();
  s.look.known = s.points[0].known = s.points[1].known = s.observed.known = false;
  s.asked_y.clear();
  s.domains_are_old = false;
  s.stage = State::Stage::quiet;
}

}  // namespace saltus
