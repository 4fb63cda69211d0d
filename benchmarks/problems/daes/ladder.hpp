// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cmath>
#include <cstddef>
#include <numbers>
#include <vector>

#include "problems/daes/dae_problem.hpp"
#include "saltus/modeling/native_model.hpp"

namespace saltus::problems {

namespace ladder {
inline constexpr double capacitance = 1e-2;
inline constexpr double cubic = 0.5;  // of a resistor of 1 ohm: u = i + cubic i^3
inline constexpr double stop = 1.0;

/// All sections are under way at the start: currents of a wave of eight sections.
inline std::vector<double> start_currents(std::size_t sections) {
  std::vector<double> current(sections);
  for (std::size_t k = 0; k < sections; ++k) {
    current[k] = 0.5 * std::sin(std::numbers::pi / 4.0 * static_cast<double>(k % 8 + 1));
  }
  return current;
}
/// The voltages that belong to them, with the source at zero.
inline std::vector<double> start_voltages(std::size_t sections) {
  std::vector<double> voltage = start_currents(sections);
  double before = 0.0;
  for (double& u : voltage) {
    u = before - u - cubic * u * u * u;
    before = u;
  }
  return voltage;
}

/// Voltages 1, 10 and 50 of fifty sections at the end, from IDA at a tolerance of 1e-13; eleven
/// digits are settled there.
inline constexpr double end_1 = -0.18207079148, end_10 = -0.47843790721, end_50 = -0.61870837295;
}  // namespace ladder

/// A ladder of nonlinear resistors and capacitors behind a sine source: in each section the voltage
/// of a capacitor is a state, the current of the resistor before it an algebraic unknown. Half of
/// the equations are algebraic, two or three unknowns stand in each, and the time scales do not
/// depend on the length: what grows with it is the work of a step alone. Index 1.
template <std::size_t Sections>
struct Ladder {
  template <class Real>
  struct Model {
    static constexpr modeling::ModelInfo info{.description = "Nonlinear ladder",
                                              .stop = ladder::stop};

    modeling::States<Real> u{"u", ladder::start_voltages(Sections)};
    modeling::Algebraics<Real> i{"i", ladder::start_currents(Sections)};

    void equations(modeling::Equations<Real>& eq) {
      Real before = sin(2.0 * std::numbers::pi * eq.time);
      for (std::size_t k = 0; k < Sections; ++k) {
        const Real onwards = k + 1 < Sections ? Real(i[k + 1]) : Real(0.0);
        der(u[k]) = (i[k] - onwards) / ladder::capacitance;
        eq(before - u[k], i[k] + ladder::cubic * i[k] * i[k] * i[k]);
        before = u[k];
      }
    }
  };
};

}  // namespace saltus::problems
