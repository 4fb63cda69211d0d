// SPDX-License-Identifier: BSD-2-Clause
#include "dae_contest.hpp"

#include <array>
#include <cmath>
#include <cstdio>
#include <functional>
#include <limits>
#include <optional>

namespace saltus::benchmarks {
namespace {

constexpr std::array<double, 9> kTolerances{1e-4, 1e-5,  1e-6,  1e-7, 1e-8,
                                            1e-9, 1e-10, 1e-11, 1e-12};
// A peer may take a while to fail.
constexpr double kPatience = 10.0;

using Solve = std::function<DaeRun(double tolerance)>;

struct Reached {
  double tolerance = 0.0;
  double digits = -std::numeric_limits<double>::infinity();
  DaeRun run;
};

// The loosest tolerance at which the digits are there, else the one with most digits.
Reached reach(const DaeCase& of, const Solve& solve, int rounds, std::vector<DaeRow>& rows) {
  Reached best;
  for (const double tolerance : kTolerances) {
    const DaeRun run = solve(tolerance);
    rows.push_back(
        {of.problem.name, tolerance, run, scd(of.problem, run.last), mescd(of.problem, run.last)});
    const double digits = of.digits_of(run);
    if (best.run.solver.empty() || digits > best.digits) {
      best = {tolerance, digits, run};
    }
    if (best.digits >= of.digits || run.failed()) {
      break;
    }
  }
  if (!best.run.failed() && best.run.microseconds < 1e6) {
    best.run = fastest(rounds, [&] { return solve(best.tolerance); });
  }
  return best;
}

// The variants of SUNDIALS that a user would try.
std::vector<Solve> peers(const DaeCase& of) {
  std::vector<Solve> variants;
  if (of.make_ode) {
    for (const Multistep method : {Multistep::adams, Multistep::bdf}) {
      variants.push_back([&of, method](double tolerance) {
        return run_cvode(method, of.make_ode(), of.problem, tolerance);
      });
    }
    return variants;
  }
  for (const bool exclude : {false, true}) {
    if (!exclude || of.problem.index > 1) {
      variants.push_back([&of, exclude](double tolerance) {
        return run_ida(of.make_plain(), of.problem, {tolerance, exclude, kPatience});
      });
    }
  }
  return variants;
}

// Ours, likewise.
std::vector<Solve> variants(const DaeCase& of) {
  std::vector<Solve> ours{[&of](double tolerance) { return solve_with_saltus(of, tolerance); }};
  if (of.make_ode) {  // smooth and not stiff
    ours.push_back(
        [&of](double tolerance) { return solve_with_saltus(of, tolerance, SaltusMethod::taylor); });
  }
  return ours;
}

// Of those with all the digits asked for the fastest, else the one with most of them.
Reached best_of(const std::vector<Solve>& solvers, const DaeCase& of, int rounds,
                std::vector<DaeRow>& rows) {
  std::optional<Reached> best;
  for (const Solve& solve : solvers) {
    Reached next = reach(of, solve, rounds, rows);
    const bool better = !best ||
                        (std::fmin(next.digits, of.digits) > std::fmin(best->digits, of.digits)) ||
                        (next.digits >= of.digits && best->digits >= of.digits &&
                         next.run.microseconds < best->run.microseconds);
    if (better) {
      best = std::move(next);
    }
  }
  return *best;
}

// What is not finite has no number in JSON.
std::string number(double value) {
  char text[32] = "null";
  if (std::isfinite(value)) {
    std::snprintf(text, sizeof text, "%.4g", value);
  }
  return text;
}

}  // namespace

std::vector<Figure> compare(const DaeCase& of, int rounds, std::vector<DaeRow>& rows) {
  const Reached ours = best_of(variants(of), of, rounds, rows);
  const Reached theirs = best_of(peers(of), of, rounds, rows);
  const std::string peer = theirs.run.solver + peer_build();
  std::vector<Figure> figures;
  figures.push_back({.problem = of.problem.name,
                     .metric = of.is_mixed ? "correct digits (mescd)" : "correct digits (scd)",
                     .value = ours.digits,
                     .peer = peer,
                     .peer_value = theirs.digits,
                     .direction = Figure::Bound::at_least,
                     .bound = of.digits});
  figures.push_back({.problem = of.problem.name,
                     .metric = "milliseconds for them",
                     .value = ours.run.microseconds / 1e3,
                     .peer = peer,
                     .peer_value = theirs.run.microseconds / 1e3});
  figures.push_back({.problem = of.problem.name,
                     .metric = "time, as a fraction of the peer's",
                     .value = ours.run.microseconds / theirs.run.microseconds,
                     .peer = peer,
                     .peer_value = 1.0,
                     .direction = of.time_bound > 0.0 ? against_peer(Figure::Bound::at_most)
                                                      : Figure::Bound::none,
                     .bound = of.time_bound});
  return figures;
}

void print(const std::vector<DaeRow>& rows, const Arguments& arguments) {
  if (!arguments.json) {
    std::printf("%-22s %-6s %-26s %6s %6s %8s %9s %8s %11s\n", "problem", "tol", "solver", "scd",
                "mescd", "steps", "residuals", "jacob.", "ms");
  }
  for (const DaeRow& row : rows) {
    const DaeRun& run = row.run;
    if (arguments.json) {
      std::printf(
          "{\"problem\": \"%s\", \"tolerance\": %g, \"solver\": \"%s\", \"scd\": %s, \"mescd\": "
          "%s, "
          "\"steps\": %zu, \"residuals\": %zu, \"jacobians\": %zu, \"milliseconds\": %s, "
          "\"failure\": %s}\n",
          row.problem.c_str(), row.tolerance, run.solver.c_str(), number(row.scd).c_str(),
          number(row.mescd).c_str(), run.steps, run.residuals, run.jacobians,
          number(run.microseconds / 1e3).c_str(), run.failed() ? "true" : "false");
    } else {
      std::printf("%-22s %-6g %-26s %6.2f %6.2f %8zu %9zu %8zu %11.3f %s\n", row.problem.c_str(),
                  row.tolerance, run.solver.c_str(), row.scd, row.mescd, run.steps, run.residuals,
                  run.jacobians, run.microseconds / 1e3, run.failure.c_str());
    }
  }
}

}  // namespace saltus::benchmarks
