// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "saltus/autodiff/jet.hpp"
#include "saltus/autodiff/tangent.hpp"
#include "saltus/multibody/multibody_system.hpp"

namespace saltus {

/// A multibody system that writes its constraints once, as templates, and no derivative of them:
///
///     class Pendulum : public DifferentiatedMultibody<Pendulum> {
///      public:
///       std::vector<std::string> coordinates() const override { return {"x", "y", "theta"}; }
///       std::vector<std::string> holonomic_constraints() const override { return {"pin x", "pin
///       y"}; } void start(Vec q, Vec v) const override { ... } void mass(double t, ConstVec q, Vec
///       matrix) const override { ... } void forces(double t, ConstVec q, ConstVec v, Vec force)
///       const override { ... }
///
///       template <class Real>
///       void holonomic(Real t, std::span<const Real> q, std::span<Real> phi) const {
///         phi[0] = q[0] - 0.5 * cos(q[2]);
///         phi[1] = q[1] - 0.5 * sin(q[2]);
///       }
///     };
///
/// and, where there are non-holonomic constraints,
///
///     template <class Real>
///     void nonholonomic(Real t, std::span<const Real> q, std::span<const Real> v,
///                       std::span<Real> phi) const;
///
/// A `Tangent` pass for each coordinate gives the Jacobian, one `Jet` pass along the motion the
/// rates and drifts. `Real` knows + - * / and the usual functions, no comparisons.
template <class System>
class DifferentiatedMultibody : public MultibodySystem {
 public:
  void constraints(double t, ConstVec q, ConstVec v, ConstraintValues values) const final {
    const std::size_t holonomic = values.rate.size();
    const std::size_t nonholonomic = values.residual.size() - holonomic;
    along_motion(t, q, v, nonholonomic, values);
    if (nonholonomic > 0) {
      differentiate_nonholonomic(t, q, v, nonholonomic, values.jacobian);
    }
    if (holonomic > 0) {
      differentiate_holonomic(t, q, holonomic, values.jacobian.subspan(nonholonomic * q.size()));
    }
  }

  /// For a system without such constraints.
  template <class Real>
  void holonomic(Real, std::span<const Real>, std::span<Real>) const {}
  template <class Real>
  void nonholonomic(Real, std::span<const Real>, std::span<const Real>, std::span<Real>) const {}

 private:
  using Jet = modeling::Jet;
  using Tangent = modeling::Tangent;

  const System& self() const { return static_cast<const System&>(*this); }

  // The motion without accelerations: t and q move on, v stays.
  void along_motion(double t, ConstVec q, ConstVec v, std::size_t nonholonomic,
                    ConstraintValues values) const {
    std::vector<Jet> position(q.size()), phi(values.residual.size());
    std::vector<Jet> velocity(v.begin(), v.end());
    for (std::size_t i = 0; i < q.size(); ++i) {
      position[i] = Jet(q[i], v[i]);
    }
    const std::span<const Jet> q_jets(position), v_jets(velocity);
    const std::span<Jet> first = std::span(phi).first(nonholonomic);
    const std::span<Jet> second = std::span(phi).subspan(nonholonomic);
    self().template nonholonomic<Jet>(Jet(t, 1.0), q_jets, v_jets, first);
    self().template holonomic<Jet>(Jet(t, 1.0), q_jets, second);
    for (std::size_t i = 0; i < phi.size(); ++i) {
      values.residual[i] = phi[i].value();
      values.drift[i] = i < nonholonomic ? phi[i].rate() : phi[i].bend();
      if (i >= nonholonomic) {
        values.rate[i - nonholonomic] = phi[i].rate();
      }
    }
  }

  void differentiate_nonholonomic(double t, ConstVec q, ConstVec v, std::size_t rows,
                                  Vec jacobian) const {
    const std::vector<Tangent> position(q.begin(), q.end());
    std::vector<Tangent> velocity(v.begin(), v.end()), phi(rows);
    for (std::size_t column = 0; column < v.size(); ++column) {
      velocity[column] = Tangent(v[column], 1.0);
      self().template nonholonomic<Tangent>(Tangent(t), position, velocity, phi);
      velocity[column] = Tangent(v[column]);
      keep_rates(phi, column, v.size(), jacobian);
    }
  }

  void differentiate_holonomic(double t, ConstVec q, std::size_t rows, Vec jacobian) const {
    std::vector<Tangent> position(q.begin(), q.end()), phi(rows);
    for (std::size_t column = 0; column < q.size(); ++column) {
      position[column] = Tangent(q[column], 1.0);
      self().template holonomic<Tangent>(Tangent(t), position, phi);
      position[column] = Tangent(q[column]);
      keep_rates(phi, column, q.size(), jacobian);
    }
  }

  static void keep_rates(const std::vector<Tangent>& phi, std::size_t column, std::size_t columns,
                         Vec jacobian) {
    for (std::size_t row = 0; row < phi.size(); ++row) {
      jacobian[row * columns + column] = phi[row].rate();
    }
  }
};

}  // namespace saltus
