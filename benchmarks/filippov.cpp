// SPDX-License-Identifier: BSD-2-Clause
// Motion on switching surfaces: every event of every problem, its time and what it cost, beside
// what was published, and beside a solver that has to switch.
#include "disode_rows.hpp"
#include "friction_rows.hpp"

namespace {

using saltus::benchmarks::Figure;

void append(std::vector<Figure>& figures, const std::vector<Figure>& more) {
  figures.insert(figures.end(), more.begin(), more.end());
}

}  // namespace

int main(int argc, char** argv) {
  using namespace saltus::benchmarks;
  const Arguments arguments = parse_arguments(argc, argv);
  std::vector<RunRow> rows = run_disode_problems();
  std::vector<Figure> figures = disode_figures(rows);
  const std::vector<RunRow> friction = run_friction_problems();
  append(figures, friction_figures(friction));
  append(figures, hysteresis_figures());
  append(figures, peer_figures(arguments.rounds));
  rows.insert(rows.end(), friction.begin(), friction.end());
  print(rows, arguments);
  return report(figures, arguments);
}
