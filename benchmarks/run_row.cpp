// SPDX-License-Identifier: BSD-2-Clause
#include "run_row.hpp"

#include <cmath>
#include <cstdio>
#include <string>

namespace saltus::benchmarks {
namespace {

std::string quoted(const std::string& text) {
  std::string result = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') {
      result += '\\';
    }
    result += c == '\n' ? ' ' : c;
  }
  return result + '"';
}

// What is not finite has no number in JSON.
std::string number(double value) {
  char text[32] = "null";
  if (std::isfinite(value)) {
    std::snprintf(text, sizeof text, "%.4g", value);
  }
  return text;
}

void print_json(const RunRow& row) {
  const Outcome& o = row.outcome;
  std::printf(
      "{\"problem\": %s, \"tolerance\": %g, \"events\": %zu, \"expected\": %zu, \"complete\": %s, "
      "\"time_error\": %s, \"last_error\": %s, \"rhs\": %zu, \"indicators\": %zu, \"steps\": %zu, "
      "\"rejected\": %zu, \"failure\": %s, \"published\": ",
      quoted(row.problem.name).c_str(), row.tolerance, o.events.size(), row.problem.events.size(),
      o.is_complete(row.problem) ? "true" : "false", number(o.time_error(row.problem)).c_str(),
      number(o.last_error(row.problem)).c_str(), o.rhs_evaluations, o.indicator_evaluations,
      o.integrator.steps, o.integrator.rejected,
      o.failure.empty() ? "null" : quoted(o.failure).c_str());
  if (row.published) {
    const problems::Published& p = *row.published;
    std::printf(
        "{\"time_error\": %g, \"last_error\": %g, \"rhs\": %g, \"indicators\": %g, \"steps\": %g, "
        "\"rejected\": %g}}\n",
        p.time_error, p.last_error, p.rhs_evaluations, p.indicator_evaluations, p.steps,
        p.rejected);
  } else {
    std::printf("null}\n");
  }
}

std::string beside(double ours, double published) {
  char text[48];
  if (published > 0.0) {
    std::snprintf(text, sizeof text, "%.3g / %.3g", ours, published);
  } else {
    std::snprintf(text, sizeof text, "%.3g", ours);
  }
  return text;
}

void print_line(const RunRow& row) {
  const Outcome& o = row.outcome;
  const problems::Published p = row.published.value_or(problems::Published{});
  std::printf("%-26s %-6g %3zu of %-3zu %-5s %-19s %-19s %-13s %-15s %-11s %s%s%s\n",
              row.problem.name.c_str(), row.tolerance, o.events.size(), row.problem.events.size(),
              o.is_complete(row.problem) ? "right" : "WRONG",
              beside(o.time_error(row.problem), p.time_error).c_str(),
              beside(o.last_error(row.problem), p.last_error).c_str(),
              beside(static_cast<double>(o.rhs_evaluations), p.rhs_evaluations).c_str(),
              beside(static_cast<double>(o.indicator_evaluations), p.indicator_evaluations).c_str(),
              beside(static_cast<double>(o.integrator.steps), p.steps).c_str(),
              beside(static_cast<double>(o.integrator.rejected), p.rejected).c_str(),
              o.failure.empty() ? "" : "  ", o.failure.c_str());
}

}  // namespace

void print(const std::vector<RunRow>& rows, const Arguments& arguments) {
  if (!arguments.json) {
    std::printf("%-26s %-6s %-10s %-5s %-19s %-19s %-13s %-15s %-11s %s\n", "problem", "tol",
                "events", "kinds", "worst event time", "error at the end", "rhs", "indicators",
                "steps", "rejected");
  }
  for (const RunRow& row : rows) {
    arguments.json ? print_json(row) : print_line(row);
  }
}

}  // namespace saltus::benchmarks
