// SPDX-License-Identifier: BSD-2-Clause
#include "multistep.hpp"

#include <algorithm>
#include <stdexcept>

namespace saltus::bdf {
namespace {

// A shorter attempt follows each failure: so many quarter a step down to rounding.
constexpr int kMostConvergenceFailures = 30;
constexpr int kMostErrorTestFailures = 20;

}  // namespace

Multistep::Multistep(const Package& package, Equations& equations, const Settings& settings)
    : package_(package), equations_(equations), settings_(settings) {}

Multistep::~Multistep() {
  package_.free(&memory_);
  newton_.reset();  // before the context it lives in
}

void Multistep::derivative(int k, double* out) {
  require(package_.derivative(memory_, anchor(), k, work_.get()));
  std::copy_n(values(work_), equations_.n, out);
}

void Multistep::scaled_errors(double* out) {
  package_.errors(memory_, work_.get());
  package_.weights(memory_, weights_.get());
  N_VProd(work_.get(), weights_.get(), work_.get());
  std::copy_n(values(work_), equations_.n, out);
}

Multistep::Counters Multistep::counters() const {
  return {.steps = read(package_.steps),
          .error_test_failures = read(package_.error_test_failures),
          .convergence_failures = read(package_.convergence_failures),
          .factorizations = read(package_.factorizations),
          .newton_iterations = read(package_.newton_iterations),
          .difference_jacobians = newton_->is_exact() ? 0 : read(package_.jacobians)};
}

void Multistep::keep_message(int, const char*, const char*, char* message, void* self) {
  static_cast<Multistep*>(self)->failure_ = message;
}

void Multistep::require(int flag) const {
  if (flag < 0) {
    throw std::logic_error(std::string("Bdf: ") + package_.name +
                           " does not accept a setting: " + failure_);
  }
}

void Multistep::set_up() {
  require(package_.set_most_convergence_failures(memory_, kMostConvergenceFailures));
  require(package_.set_most_error_test_failures(memory_, kMostErrorTestFailures));
  if (settings_.max_step < kNever) require(package_.set_max_step(memory_, settings_.max_step));
}

bool Multistep::attach_matrix() {
  if (newton_ != nullptr && newton_->fits()) return false;
  auto matrix = std::make_unique<NewtonMatrix>(equations_, settings_.matrix, context_);
  require(package_.set_linear_solver(memory_, matrix->solver(), matrix->matrix()));
  newton_ = std::move(matrix);
  return true;
}

}  // namespace saltus::bdf
