// SPDX-License-Identifier: BSD-2-Clause
// Where a phase begins: what is to be watched in it, and the domains from which it is left.
#include <utility>

#include "crossing.hpp"

namespace saltus {
namespace {

std::size_t intervals(Detection detection) {
  switch (detection) {
    case Detection::ends:
      return 1;
    case Detection::curve:
      return 4;
    case Detection::paranoid:
      break;
  }
  return 12;
}

}  // namespace

CrossingLocator::CrossingLocator(Model& model, Integrator& integrator, const EventOptions& options)
    : model_(model), integrator_(integrator), options_(options) {}

[[gnu::noinline]] void CrossingLocator::resize(const Shape& shape) {
  indicators_ = shape.indicators;
  watched_ = indicators_ + parts_;
  side_.assign(watched_ + 1, 1.0);  // what is looked at in pairs has one more
  domains_.resize(indicators_);
  y_storage_.assign(3 * shape.unknowns(), 0.0);
  double* vector = y_storage_.data();
  for (Vec* each : {&y_, &slope_, &event_y_}) {
    *each = {vector, shape.unknowns()};
    vector += shape.unknowns();
  }
  const std::size_t n = intervals(options_.detection);
  end_ = n;
  z_storage_.assign((n + 9) * watched_ + 1, 0.0);
  slopes_.assign((n + 1) * watched_ + 1, 0.0);
  inner_slopes_.assign(watched_, 0.0);
  blocks_.resize(indicators_ / kBlock + 1);
  double* next = z_storage_.data();
  for (std::size_t k = 0; k <= n; ++k, next += watched_) {
    nodes_[k] = {static_cast<double>(k) / static_cast<double>(n), next};
  }
  for (Sample* each : {&left_, &right_, &middle_, &spare_, &probe_, &kept_left_, &kept_right_}) {
    each->z = next;
    next += watched_;
  }
  z_before_ = next;
}

void CrossingLocator::read_shape(const Capabilities& can) {
  const Shape shape = model_.shape();
  consistency_ = can.consistency;
  hints_ = can.hints;
  constrained_ = consistency_ != nullptr && consistency_->projects();
  projects_ = constrained_ && !integrator_.solves_constraints();
  least_width_ = projects_ ? kSurfaceWidth : kTangentWidth;
  algebraic_ = shape.algebraics > 0;
  may_stay_at_zero_ = can.may_stay_at_zero;
  const bool iterates =
      hints_ != nullptr ? hints_->iterates_for_indicators() : algebraic_ || constrained_;
  simultaneous_ = iterates ? kSimultaneousIfIterated : kSimultaneous;
  looks_between_ = hints_ != nullptr && !iterates && can.is_explicit;
  if (shape.indicators != indicators_ || shape.unknowns() != y_.size()) {
    resize(shape);
  }
}

[[gnu::flatten]] Eval CrossingLocator::begin(const Capabilities& can, double t, ConstVec y) {
  read_shape(can);
  if (indicators_ == 0) {
    return Eval::ok;
  }
  forget();
  forget_lengths();
  left_over_.swap(changed_);
  changed_.clear();
  Eval answer = evaluate(t, y, nodes_[end_].z);
  if (const std::size_t parts = hints_ != nullptr ? hints_->parts().size() : 0; parts != parts_) {
    parts_ = parts;
    resize(model_.shape());
    answer = evaluate(t, y, nodes_[end_].z);
  }
  if (answer == Eval::discard) {
    return Eval::discard;
  }
  const double* z = nodes_[end_].z;
  domains_.clear();
  for (std::size_t i = 0; i < indicators_; ++i) {
    side_[i] = z[i] > 0.0 ? 1.0 : -1.0;
    domains_.add(i, z[i] > 0.0);
  }
  return Eval::ok;
}

// What is known of the step before says nothing about the next one.
void CrossingLocator::forget() {
  length_before_ = 0.0;
  blocks_known_ = false;
}

bool CrossingLocator::differs(double t, ConstVec y) {
  changed_.clear();
  forget();
  forget_lengths();  // so that a run that is saved here goes on as one that is restored
  if (y.size() != y_.size()) {
    read_shape(model_.capabilities());  // other equations determine more unknowns, or fewer
  }
  if (indicators_ == 0 || evaluate(t, y, middle_.z) == Eval::discard) {
    return false;
  }
  std::swap(middle_.z, nodes_[end_].z);
  note_changed(nodes_[end_].z);
  return !changed_.empty();
}

}  // namespace saltus
