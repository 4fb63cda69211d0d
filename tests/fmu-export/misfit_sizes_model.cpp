// SPDX-License-Identifier: BSD-2-Clause
// Models in which a size changes more than arrays of as many elements. Which one, says the
// environment variable SALTUS_MISFIT.
#include <algorithm>
#include <cstdlib>
#include <stdexcept>
#include <string>

#include "saltus/fmu_export/export_fmu.hpp"
#include "saltus/modeling/submodel.hpp"

namespace {

using namespace saltus::modeling;

bool is(const std::string& misfit) {
  const char* const chosen = std::getenv("SALTUS_MISFIT");
  return chosen != nullptr && misfit == chosen;
}

template <class Real>
struct Cell {
  State<Real> T{"T", {.start = 1.0}};
  void equations(Equations<Real>&) { der(T) = -T; }
};

template <class Real>
struct Misfit {
  Size n{"n", 4, {.min = 2, .max = 50}};
  States<Real> x{"x", is("twice") ? 2 * n : n, {.start = 1.0}};
  Parameter<Real> p{"p", {.start = is("start") ? 1.0 / n : 1.0}};
  Parameters<Real> few{"few", is("limited") ? std::min<std::size_t>(n, 4) : 4, {.start = 1.0}};
  Locals<Real> more{"more", is("more") && n > 4 ? std::size_t{1} : std::size_t{0}};
  Inputs<Real> u{"u", n, {.max = is("words") ? 1.0 * n : 1.0}};
  Submodels<Cell<Real>> cells{"cells", is("submodels") ? n : std::size_t{1}};

  Misfit() {
    if (is("none") && n > 4) throw std::runtime_error("there is no room for so many");
  }
  void equations(Equations<Real>& eq) {
    for (auto& one : x) der(one) = -p * few[0] * one;
    for (auto& one : more) one = x[0];
    cells.equations(eq);
  }
  void events(Events<Real>& ev) {
    const std::size_t last = n - 1;
    const std::size_t conditions = is("conditions") ? n : std::size_t{1};
    for (std::size_t i = 0; i < conditions; ++i) {
      if (ev.when(x[is("last") ? last : i] < 0.5)) x[i] = 1.0;
    }
  }
};

}  // namespace

SALTUS_EXPORT_FMU(Misfit)
