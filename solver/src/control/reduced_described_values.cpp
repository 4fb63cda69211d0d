// SPDX-License-Identifier: BSD-2-Clause
#include <algorithm>
#include <utility>

#include "core/saved_bytes.hpp"
#include "saltus/control/reduced_described_model.hpp"
#include "saltus/core/error.hpp"

// The variables of the model at a point, and what is saved of it.
namespace saltus::modeling {

Eval ReducedDescribedModel::evaluate(double t, ConstVec y) {
  if (in_event_mode_) {
    return preview(t, y);
  }
  if (integrated_ == nullptr) {
    return solve(t, y) == Eval::ok ? model_->evaluate(t, x_, slopes_) : Eval::discard;
  }
  // The integrator's own point, to which only the slopes are still to be found.
  load(y);
  try {
    if (!entered_) {
      points_->enter_continuous_mode(t, x_);
      entered_ = true;
    }
    if (points_->make_consistent(t, x_, slopes_) == Eval::discard) {
      return Eval::discard;
    }
  } catch (const Error&) {
    return Eval::discard;
  }
  return model_->evaluate(t, x_, slopes_);
}

namespace {

// Conditions may look at what is solved for; those that turn round for ever are not settled here.
constexpr int kMostLooks = 10;

// What the conditions in the equations of the model are at this point; none where that is not
// known, or where there are none.
std::vector<Configurations::Imposed> conditions_at(DescribedModel& model, double t, ConstVec x) {
  using Imposed = Configurations::Imposed;
  Configurations* const sides = model.capabilities().configurations;
  std::vector<double> z(model.shape().indicators);
  if (sides == nullptr || z.empty() || model.indicators(t, x, z) == Eval::discard) return {};
  std::vector<Imposed> conditions(z.size(), Imposed::nothing);
  for (std::size_t i = 0; i < z.size(); ++i) {
    if (!sides->may_switch_equations(i)) continue;
    conditions[i] = z[i] > 0.0 ? Imposed::positive : Imposed::not_positive;
  }
  return conditions;
}

}  // namespace

// The wrapped model shows what its event equations yield, with conditions as they are at the point.
// So they are decided for what is solved for, by looking where that leads.
Eval ReducedDescribedModel::preview(double t, ConstVec y) {
  load(y);
  const std::vector<std::byte> before = model_->save();
  std::vector<double> x = x_;
  std::vector<Configurations::Imposed> decided;
  Eval answer = Eval::ok;
  entered_ = false;
  for (int look = 0; answer == Eval::ok && look < kMostLooks; ++look) {
    std::vector<Configurations::Imposed> now = conditions_at(*model_, t, x);
    if (look > 0 && now == decided) break;
    decided = std::move(now);
    if (!decided.empty()) {
      model_->capabilities().configurations->impose(decided);
    }
    x = x_;
    try {
      answer = points_->preview(t, x, slopes_);
    } catch (const Error&) {
      answer = Eval::discard;
    }
  }
  if (!decided.empty()) {
    model_->capabilities().configurations->impose({});
  }
  model_->restore(before);
  return answer == Eval::ok ? model_->evaluate(t, x, slopes_) : Eval::discard;
}

void ReducedDescribedModel::outdate() { solved_time_ = kNever; }

void ReducedDescribedModel::value_was_set() {
  points_->outdate();
  if (integrated_ != nullptr) {
    integrated_->outdate();
  }
  outdate();
}

void ReducedDescribedModel::set_number(std::size_t variable, double value) {
  answer_.given = false;
  model_->set_number(variable, value);
  value_was_set();
}

void ReducedDescribedModel::set_whole(std::size_t variable, std::int64_t value) {
  answer_.given = false;
  model_->set_whole(variable, value);
  value_was_set();
}

void ReducedDescribedModel::set_text(std::size_t variable, std::string_view value) {
  answer_.given = false;
  model_->set_text(variable, value);
  value_was_set();
}

std::vector<std::byte> ReducedDescribedModel::save() const {
  std::vector<std::byte> bytes;
  append(bytes, model_->save());
  append(bytes, std::vector<std::uint8_t>{begun_, in_event_mode_});
  append(bytes, std::vector<double>{experiment_.start, experiment_.stop, experiment_.tolerance,
                                    seen_time_});
  append(bytes, x_);
  append(bytes, told_);
  append(bytes, was_positive_);
  // What was last solved for may be another configuration's.
  const ConstVec point = !begun_                    ? ConstVec{}
                         : in_event_mode_ || forks_ ? ConstVec(x_)
                                                    : driven().point();
  append(bytes, std::vector<double>(point.begin(), point.end()));
  append(bytes, begun_ && (integrated_ == nullptr) ? points_->anchor() : std::vector<double>{});
  return bytes;
}

void ReducedDescribedModel::restore(std::span<const std::byte> saved) {
  const auto model = take<std::byte>(saved);
  const auto flags = take<std::uint8_t>(saved);
  const auto times = take<double>(saved);
  const auto x = take<double>(saved);
  const auto told = take<double>(saved);
  const auto was_positive = take<char>(saved);
  const auto point = take<double>(saved);
  const auto anchor = take<double>(saved);
  if (flags.size() != 2 || times.size() != 4 || x.size() != x_.size() ||
      (!told.empty() && told.size() != states_) ||
      (!was_positive.empty() && was_positive.size() != model_->shape().indicators) ||
      (!point.empty() && point.size() < x_.size()) || !saved.empty()) {
    throw std::invalid_argument("the saved state belongs to another model");
  }
  answer_.given = false;
  model_->restore(model);
  begun_ = flags[0] != 0;
  in_event_mode_ = flags[1] != 0;
  experiment_ = {.start = times[0], .stop = times[1], .tolerance = times[2]};
  seen_time_ = times[3];
  x_ = x;
  entered_ = decided_ = false;
  told_ = told;
  was_positive_ = was_positive;
  outdate();
  points_->resume(experiment_, seen_time_, (integrated_ == nullptr) ? ConstVec(point) : ConstVec{},
                  in_event_mode_, (integrated_ == nullptr) ? ConstVec(anchor) : ConstVec{});
  if (integrated_ != nullptr) {
    integrated_->resume(experiment_, seen_time_, point, in_event_mode_);
  }
}

}  // namespace saltus::modeling
