// SPDX-License-Identifier: BSD-2-Clause
// A model that reads a table from the resources of its FMU.
#include <fstream>
#include <stdexcept>
#include <vector>

#include "saltus/fmu_export/export_fmu.hpp"
#include "saltus/fmu_export/resources.hpp"

namespace {

using namespace saltus::modeling;

std::vector<double> read_table() {
  const std::string name = saltus::fmu_export::resource_folder() + "a folder/table.csv";
  std::ifstream file(name);
  std::vector<double> table;
  for (double x = 0.0, y = 0.0; file >> x >> y;) table.push_back(y);
  if (table.size() < 2) throw std::runtime_error("there is no table in \"" + name + "\"");
  return table;
}

template <class Real>
struct Tabled {
  static constexpr ModelInfo info{.description = "A sum over a table", .stop = 2.0};
  State<Real> sum{"sum", {}};
  Output<Real> value{"value", {}};
  std::vector<double> table = read_table();

  void equations(Equations<Real>& eq) {
    value = Real(table[0]);
    for (std::size_t i = 1; i < table.size(); ++i) {
      if (eq.time > static_cast<double>(i)) value = Real(table[i]);
    }
    der(sum) = value;
  }
};

}  // namespace

SALTUS_EXPORT_FMU(Tabled)
