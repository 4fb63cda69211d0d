// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "dae_peer.hpp"
#include "dae_run.hpp"
#include "problems/daes/dae_problem.hpp"
#include "saltus/modeling/native_model.hpp"
#include "saltus_dae.hpp"

namespace saltus::benchmarks {

/// A problem with its model, what its peer works on, and what is asked of Saltus.
struct DaeCase {
  problems::DaeProblem problem;
  std::function<std::unique_ptr<modeling::DescribedModel>()> make_model;
  std::function<PlainDae()> make_plain;
  /// Where IDA cannot solve the problem as it is: CVODE's underlying ODE.
  std::function<HandMadeOde()> make_ode = {};
  /// Correct digits at the end, as scd or, where some values are zero, as mescd.
  double digits = 0.0;
  bool is_mixed = false;
  /// The time it may take, as a fraction of the peer's; zero: no bound.
  double time_bound = 0.0;

  double digits_of(const DaeRun& run) const {
    return is_mixed ? mescd(problem, run.last) : scd(problem, run.last);
  }
};

template <template <class> class M>
DaeCase dae_case(problems::DaeProblem problem, double digits, double time_bound = 0.0) {
  return {.problem = std::move(problem),
          .make_model =
              [] { return std::make_unique<modeling::NativeModel<M>>(M<Plain>::info.description); },
          .make_plain = plain_dae<M>,
          .digits = digits,
          .time_bound = time_bound};
}

/// Transistors and reactions.
std::vector<DaeCase> circuit_cases();
/// Bodies, points and tubes.
std::vector<DaeCase> mechanical_cases();

/// Saltus with default settings but for the tolerance, without a word about the index.
DaeRun solve_with_saltus(const DaeCase& of, double tolerance,
                         SaltusMethod method = SaltusMethod::radau);

}  // namespace saltus::benchmarks
