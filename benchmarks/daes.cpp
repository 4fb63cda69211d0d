// SPDX-License-Identifier: BSD-2-Clause
// Differential-algebraic problems of index 1 to 3, solved without a word about the index: correct
// digits and time, beside SUNDIALS on the same problem or on an underlying ODE made by hand.
#include "compere_rows.hpp"
#include "dae_contest.hpp"
#include "dae_figures.hpp"

namespace {

using saltus::benchmarks::Figure;

void append(std::vector<Figure>& figures, const std::vector<Figure>& more) {
  figures.insert(figures.end(), more.begin(), more.end());
}

}  // namespace

int main(int argc, char** argv) {
  using namespace saltus::benchmarks;
  const Arguments arguments = parse_arguments(argc, argv);
  std::vector<DaeRow> rows;
  std::vector<Figure> figures;
  for (const auto& cases : {mechanical_cases(), circuit_cases()}) {
    for (const DaeCase& one : cases) {
      append(figures, compare(one, (arguments.rounds + 3) / 4, rows));
    }
  }
  append(figures, pump_figures());
  append(figures, pendulum_figures());
  append(figures, robertson_figures());
  append(figures, ladder_figures());
  append(figures, start_figures());
  append(figures, compere_figures(run_compere_tables()));
  print(rows, arguments);
  return report(figures, arguments);
}
