// SPDX-License-Identifier: BSD-2-Clause
#include "saltus/dae/second_order_model.hpp"

#include <utility>

#include "coefficients.hpp"
#include "linear_state.hpp"

namespace saltus {

using modeling::Recording;
using modeling::Tape;
using modeling::TapeArray;

SecondOrderTerms::SecondOrderTerms(std::size_t equations, std::size_t unknowns, Coefficient t)
    : time(t), equations_(equations), unknowns_(unknowns), f_(equations) {}

Coefficient& SecondOrderTerms::M(std::size_t equation, std::size_t unknown) {
  return coefficient_at(M_, equation, unknown, equations_, unknowns_);
}
Coefficient& SecondOrderTerms::C(std::size_t equation, std::size_t unknown) {
  return coefficient_at(C_, equation, unknown, equations_, unknowns_);
}
Coefficient& SecondOrderTerms::K(std::size_t equation, std::size_t unknown) {
  return coefficient_at(K_, equation, unknown, equations_, unknowns_);
}
Coefficient& SecondOrderTerms::f(std::size_t equation) { return coefficient_at(f_, equation); }

// `derivative(recording, j, q)` is what stands for the q-th derivative of x_j.
std::vector<Coefficient> SecondOrderModel::rows(const SecondOrderSystem& system,
                                                const Derivative& derivative,
                                                const Coefficient& time) {
  SecondOrderTerms terms(system.equations, system.unknowns, time);
  fill(terms.M_, system.M, "M");
  fill(terms.C_, system.C, "C");
  fill(terms.K_, system.K, "K");
  if (system.terms) {
    write_down([&] { system.terms(terms); });
  }
  std::vector<Coefficient> sums(system.equations);
  const auto add = [&](const CoefficientTable& table, int order) {
    for (const auto& [place, coefficient] : table) {
      sums[place.first] += coefficient * derivative(place.second, order);
    }
  };
  add(terms.M_, 2);
  add(terms.C_, 1);
  add(terms.K_, 0);
  for (std::size_t i = 0; i < sums.size(); ++i) {
    sums[i] -= terms.f_[i];
  }
  return sums;
}

SecondOrderModel::SecondOrderModel(SecondOrderSystem system) {
  LinearSize size{system.equations, system.unknowns};
  size.agree_with(system.M);
  size.agree_with(system.C);
  size.agree_with(system.K);
  size.require_some();
  const auto [m, n] = size;
  system.equations = m;
  system.unknowns = n;
  std::vector<std::string> equations = completed(std::move(system.equation_names), m, "equation ");
  std::vector<std::string> names = completed(std::move(system.unknown_names), n, "x");
  std::vector<double> start = completed(std::move(system.start), n, 0.0, "start values");
  const std::vector<double> speed =
      completed(std::move(system.start_velocity), n, 0.0, "start velocities");
  std::vector<double> nominal = completed(std::move(system.nominal), n, 1.0, "nominal values");

  {
    Tape tape;
    {
      Recording recording(tape);
      const auto own = [&](std::size_t j, int q) {
        return recording.unknown(static_cast<int>(j), q, 0.0);
      };
      for (const Coefficient& row : rows(system, own, recording.time(0.0))) {
        recording.add_row(row);
      }
    }
    second_order_ = std::make_unique<TapeArray>(std::move(tape), n, equations);
  }
  velocity_.resize(n);
  for (const DerivativeArray::Entry& entry : second_order_->entries()) {
    if (entry.order == 2) {
      velocity_[static_cast<std::size_t>(entry.unknown)] = 0;
    }
  }
  for (std::size_t j = 0; j < n; ++j) {
    if (velocity_[j]) {
      velocity_[j] = start.size();
      start.push_back(speed[j]);
      nominal.push_back(nominal[j]);
      names.push_back(names[j] + "'");
      equations.push_back("der(" + names[j] + ") = " + names.back());
    }
  }

  Tape tape;
  {
    Recording recording(tape);
    const auto lowered = [&](std::size_t j, int q) {
      const bool has_velocity = q > 0 && velocity_[j].has_value();
      return recording.unknown(static_cast<int>(has_velocity ? *velocity_[j] : j),
                               has_velocity ? q - 1 : q, 0.0);
    };
    for (const Coefficient& row : rows(system, lowered, recording.time(0.0))) {
      recording.add_row(row);
    }
    for (std::size_t j = 0; j < n; ++j) {
      if (velocity_[j]) {
        recording.add_row(recording.unknown(static_cast<int>(j), 1, 0.0) - lowered(j, 1));
      }
    }
  }
  state_ = std::make_unique<State>(std::move(tape), start.size(), std::move(equations));
  state_->start = std::move(start);
  state_->nominal = std::move(nominal);
  state_->unknown_names = std::move(names);
  state_->index = std::move(system.index);
  state_->index.unknown_names = state_->unknown_names;
}

SecondOrderModel::~SecondOrderModel() = default;

std::optional<std::size_t> SecondOrderModel::velocity(std::size_t unknown) const {
  return velocity_.at(unknown);
}

DerivativeArray& SecondOrderModel::second_order() { return *second_order_; }

}  // namespace saltus
