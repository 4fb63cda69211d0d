// SPDX-License-Identifier: BSD-2-Clause
#include "saltus/control/sliding_described_model.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <stdexcept>

#include "core/same_bits.hpp"
#include "core/saved_bytes.hpp"
#include "saltus/core/number_text.hpp"
#include "saltus/core/warning.hpp"

namespace saltus::modeling {
namespace {

// Around the surfaces of a motion: what is more is no state of ours.
constexpr std::uint64_t kMostConfigurations = 100000;
// Each configuration has been shown its own side, a little beside the surface: what it has sampled
// there differs by that much.
constexpr double kBeside = 1e-9;

}  // namespace

SlidingDescribedModel::SlidingDescribedModel(std::unique_ptr<DescribedModel> model,
                                             SlidingOptions options)
    : model_(std::move(model)),
      sliding_(*model_, options),
      inputs_(*model_),
      follows_inputs_(!options.projecting_driver && !inputs_.empty()),
      puts_back_(options.projecting_driver),
      numbers_(model_->variables().size()) {
  if (follows_inputs_) {
    sliding_.follow(inputs_);
  }
}

void SlidingDescribedModel::initialize(const Experiment& experiment, Vec y) {
  blended_ = false;
  experiment_ = experiment;
  told_.clear();
  set_.clear();
  inputs_.forget();
  sliding_.initialize(experiment, y);
}

Eval SlidingDescribedModel::evaluate(double t, ConstVec y) {
  blended_ = sliding_.surfaces() > 0;
  if (!blended_) {
    if (model_->evaluate(t, y) == Eval::ok) return Eval::ok;
    const auto within = sliding_.within_domains(t, y);
    return within ? model_->evaluate(t, *within) : Eval::discard;
  }
  std::vector<WeightedConfiguration> sides = sliding_.weights(t, y);
  // The heaviest last: it stays selected, and discrete variables are read from it.
  std::sort(sides.begin(), sides.end(),
            [](const WeightedConfiguration& a, const WeightedConfiguration& b) {
              return a.weight < b.weight;
            });
  std::fill(numbers_.begin(), numbers_.end(), 0.0);
  for (const WeightedConfiguration& side : sides) {
    model_->capabilities().configurations->select(side.slot);
    if (model_->evaluate(t, side.y) == Eval::discard) {
      return Eval::discard;
    }
    for (std::size_t i = 0; i < numbers_.size(); ++i) {
      const Variable& v = variables()[i];
      if (v.is_number()) {
        const bool blends = v.role != Variable::Role::discrete &&
                            v.role != Variable::Role::parameter && v.role != Variable::Role::input;
        const double value = model_->number(i);
        if (v.role == Variable::Role::discrete && &side != &sides.front()) {
          warn_of_sides(t, v, numbers_[i], value);
        }
        numbers_[i] = blends ? numbers_[i] + side.weight * value : value;
      }
    }
  }
  return Eval::ok;
}

// Sampled in an event while the motion slides, say: what switches has no value of the mixture
// there.
void SlidingDescribedModel::warn_of_sides(double t, const Variable& v, double lighter,
                                          double heavier) {
  const double size = std::max({std::fabs(lighter), std::fabs(heavier), v.nominal.value_or(1.0)});
  if (std::fabs(lighter - heavier) <= kBeside * size || !told_.insert(v.name).second) {
    return;
  }
  warn(
      experiment_,
      {.time = t,
       .subject = v.name,
       .message = "while the motion slides, the equations of its sides give this discrete variable "
                  "different values, " +
                  number_text(lighter) + " and " + number_text(heavier) +
                  ": it has that of the heavier side, and not one between them, as variables that "
                  "equations() compute have. Where an event samples such a variable, record that "
                  "itself, or sample a State that follows it"});
}

// Whoever takes differences, as sensitivities do while the motion slides, sets numbers and puts
// them back, and that is no reason to doubt what the motion does.
void SlidingDescribedModel::begin_setting(std::size_t variable, double before) {
  if (set_.empty()) was_outdated_ = sliding_.is_outdated();
  set_.try_emplace(variable, before);
  blended_ = false;
  sliding_.outdate();
}
void SlidingDescribedModel::end_setting(std::size_t variable, double value) {
  const auto found = set_.find(variable);
  if (found == set_.end() || !same_bits(found->second, value)) return;
  set_.erase(found);
  if (set_.empty() && !was_outdated_ && puts_back_) sliding_.put_back();
}

void SlidingDescribedModel::set_number(std::size_t variable, double value) {
  begin_setting(variable, model_->number(variable));
  inputs_.note_setting();
  model_->set_number(variable, value);
  end_setting(variable, value);
}

void SlidingDescribedModel::set_whole(std::size_t variable, std::int64_t value) {
  blended_ = false;
  was_outdated_ = true;
  sliding_.outdate();
  model_->set_whole(variable, value);
}

void SlidingDescribedModel::set_text(std::size_t variable, std::string_view value) {
  blended_ = false;
  was_outdated_ = true;
  sliding_.outdate();
  model_->set_text(variable, value);
}

namespace {

// In each of the configurations that the motion is made of.
template <class Visit>
void each_configuration(Configurations& sides, const SlidingModel& sliding, Visit visit) {
  const Configurations::Slot selected = sides.selected();
  for (const Configurations::Slot slot : sliding.memory().slots) {
    sides.select(slot);
    visit();
  }
  sides.select(selected);
}

}  // namespace

std::optional<double> SlidingDescribedModel::held(std::size_t variable) {
  const Capabilities can = model_->capabilities();
  if (can.configurations == nullptr) return can.directional->held(variable);
  std::vector<double>& values = held_[variable];
  values.clear();
  each_configuration(*can.configurations, sliding_, [&] {
    values.push_back(can.directional->held(variable).value_or(std::nan("")));
  });
  const double first = values.front();
  const double size = std::max(std::fabs(first), variables()[variable].nominal.value_or(1.0));
  const bool same = std::all_of(values.begin(), values.end(), [&](double value) {
    return std::fabs(value - first) <= kBeside * size;
  });
  return same ? std::optional(first) : std::nullopt;
}

void SlidingDescribedModel::hold(std::size_t variable, double value) {
  const Capabilities can = model_->capabilities();
  if (can.configurations == nullptr) {
    can.directional->hold(variable, value);
    blended_ = false;
    sliding_.outdate();
  } else {
    const std::vector<double>& values = held_[variable];
    begin_setting(variable, values.front());
    std::size_t next = 0;
    each_configuration(*can.configurations, sliding_, [&] {
      can.directional->hold(variable, values[next++] + (value - values.front()));
    });
    end_setting(variable, value);
  }
}

std::vector<std::byte> SlidingDescribedModel::save() const {
  const SlidingMemory memory = sliding_.memory();
  std::vector<std::byte> bytes;
  Configurations* sides = model_->capabilities().configurations;
  if (memory.slots.size() < 2 || sides == nullptr) {
    append(bytes, model_->save());
  } else {
    const Configurations::Slot selected = sides->selected();
    for (const Configurations::Slot slot : memory.slots) {
      sides->select(slot);
      append(bytes, model_->save());
    }
    sides->select(selected);
  }
  std::vector<std::byte> whole;
  append(whole, std::vector<std::uint64_t>{std::max<std::size_t>(memory.slots.size(), 1)});
  whole.insert(whole.end(), bytes.begin(), bytes.end());
  append(whole, memory.numbers);
  append(whole, memory.values);
  append(whole, inputs_.saved());
  return whole;
}

void SlidingDescribedModel::restore(std::span<const std::byte> saved) {
  const auto count = take<std::uint64_t>(saved);
  if (count.size() != 1 || count.front() == 0 || count.front() > kMostConfigurations) {
    throw std::invalid_argument("the saved state belongs to another model");
  }
  std::vector<std::vector<std::byte>> configurations;
  for (std::uint64_t i = 0; i < count.front(); ++i) {
    configurations.push_back(take<std::byte>(saved));
  }
  SlidingMemory memory;
  memory.numbers = take<std::uint64_t>(saved);
  memory.values = take<double>(saved);
  const std::vector<double> inputs = take<double>(saved);
  if (!saved.empty()) {
    throw std::invalid_argument("the saved state has " + std::to_string(saved.size()) +
                                " bytes too many");
  }
  sliding_.forget_configurations();
  model_->restore(configurations.front());
  if (Configurations* sides = model_->capabilities().configurations) {
    const Configurations::Slot first = sides->selected();
    memory.slots.push_back(first);
    for (std::size_t i = 1; i < configurations.size(); ++i) {
      const Configurations::Slot slot = sides->fork();
      sides->select(slot);
      model_->restore(configurations[i]);
      memory.slots.push_back(slot);
    }
    sides->select(first);
  }
  sliding_.recall(memory);
  inputs_.restore(inputs);
  set_.clear();
  blended_ = false;
}

}  // namespace saltus::modeling
