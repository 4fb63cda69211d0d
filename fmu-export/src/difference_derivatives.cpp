// SPDX-License-Identifier: BSD-2-Clause
#include "difference_derivatives.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <tuple>

#include "elements.hpp"

namespace saltus::fmu_export {
namespace {

using modeling::Variable;

// What the model is given: of implicit equations in Co-Simulation the integrator has more.
std::vector<double> given_unknowns(const modeling::DescribedModel& model, const Situation& now) {
  const ConstVec y = now.y.first(model.shape().unknowns());
  return {y.begin(), y.end()};
}

// The variables at the point and beside it.
class Beside {
 public:
  Beside(modeling::DescribedModel& model, const Situation& now, std::span<const Moved> direction)
      : model_(model), now_(now), direction_(direction), y_(given_unknowns(model, now)) {
    for (const Moved& moved : direction) {
      base_.push_back(value(moved.position));
    }
  }

  // The width that moves some variable by its own size.
  double unit() const {
    double fastest = 0.0;
    for (std::size_t i = 0; i < direction_.size(); ++i) {
      fastest = std::max(fastest, std::fabs(direction_[i].rate) / size(i));
    }
    return fastest > 0.0 ? 1.0 / fastest : 0.0;
  }

  Eval at(double width, std::span<const std::size_t> unknowns, Vec values) {
    const double time = move(width);
    const Eval answer = model_.evaluate(time, y_);
    for (std::size_t i = 0; i < unknowns.size(); ++i) {
      values[i] = model_.number(unknowns[i]);
    }
    move(0.0);
    return answer;
  }

 private:
  double value(std::size_t position) const {
    if (position == kTimePosition) return now_.time;
    const Variable& v = model_.variables()[position];
    return v.role == Variable::Role::state ? now_.y[v.index] : model_.number(position);
  }
  double size(std::size_t i) const {
    const std::size_t position = direction_[i].position;
    const double nominal =
        position == kTimePosition ? 1.0 : model_.variables()[position].nominal.value_or(1.0);
    return std::max(std::fabs(base_[i]), nominal);
  }
  // Returns the time there.
  double move(double width) {
    double time = now_.time;
    for (std::size_t i = 0; i < direction_.size(); ++i) {
      const std::size_t position = direction_[i].position;
      const double moved = base_[i] + width * direction_[i].rate;
      if (position == kTimePosition) {
        time = moved;
      } else if (const Variable& v = model_.variables()[position];
                 v.role == Variable::Role::state) {
        y_[v.index] = moved;
      } else {
        model_.set_number(position, moved);
      }
    }
    return time;
  }

  modeling::DescribedModel& model_;
  const Situation& now_;
  std::span<const Moved> direction_;
  std::vector<double> y_;
  std::vector<double> base_;
};

// One variable's differences, and what they extrapolate to.
class Extrapolation {
 public:
  void add(double difference) {
    Row row{difference};
    double factor = 1.0;
    for (std::size_t j = 1; j <= rows_ && j < row.size(); ++j) {
      factor *= 4.0;
      row[j] = (factor * row[j - 1] - last_[j - 1]) / (factor - 1.0);
      const double error =
          std::max(std::fabs(row[j] - row[j - 1]), std::fabs(row[j] - last_[j - 1]));
      if (error <= error_) {
        error_ = error;
        best_ = row[j];
      }
    }
    if (rows_ == 0) best_ = difference;
    last_ = row;
    ++rows_;
  }
  double best() const { return best_; }

 private:
  static constexpr std::size_t kOrders = 6;
  using Row = std::array<double, kOrders>;
  Row last_{};
  std::size_t rows_ = 0;
  double best_ = 0.0;
  double error_ = std::numeric_limits<double>::infinity();
};

}  // namespace

modeling::DescribedModel& ModelCopy::follow(const modeling::DescribedModel& model,
                                            const Situation& now, std::uint64_t revision) {
  if (model_ != nullptr && revision == revision_) {
    return *model_;
  }
  if (model_ == nullptr) {
    model_ = exported_like(model, interface_).model;
  }
  model_->restore(model.save());
  std::vector<double> y = given_unknowns(*model_, now);
  if (now.starting()) {
    Experiment silent = now.experiment;
    silent.warnings = nullptr;
    std::vector<double> starts(y.size());
    model_->initialize(silent, starts);
  }
  if (now.starting() || now.mode == Mode::event) {
    // As getters show it there: what is due happens, and decisions are taken by what it leaves.
    if (model_->update_discrete_states(now.time, y).iterate) {
      std::ignore = model_->update_discrete_states(now.time, y);
    }
    model_->enter_continuous_mode(now.time, now.y.first(y.size()));
  }
  revision_ = revision;
  return *model_;
}

Eval differences(modeling::DescribedModel& model, const Situation& now,
                 std::span<const Moved> direction, std::span<const std::size_t> unknowns,
                 Vec rates) {
  constexpr int kWidths = 10;
  constexpr double kFirstWidth = 1.0 / 16.0;
  Beside beside(model, now, direction);
  std::fill(rates.begin(), rates.end(), 0.0);
  double width = kFirstWidth * beside.unit();
  if (width == 0.0) return Eval::ok;
  std::vector<Extrapolation> found(unknowns.size());
  std::vector<double> above(unknowns.size());
  std::vector<double> below(unknowns.size());
  bool any = false;
  for (int i = 0; i < kWidths; ++i, width *= 0.5) {
    if (beside.at(width, unknowns, above) == Eval::discard ||
        beside.at(-width, unknowns, below) == Eval::discard) {
      continue;  // nearer to the point it may be evaluable
    }
    any = true;
    for (std::size_t j = 0; j < unknowns.size(); ++j) {
      found[j].add((above[j] - below[j]) / (2.0 * width));
    }
  }
  for (std::size_t j = 0; j < unknowns.size(); ++j) {
    rates[j] = found[j].best();
  }
  return any ? Eval::ok : Eval::discard;
}

}  // namespace saltus::fmu_export
