// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "saltus/control/mode_controller.hpp"
#include "saltus/dae/reduced_model.hpp"
#include "saltus/modeling/native_model.hpp"

/// One model, three roads: natively, as a Model Exchange FMU, and as a Co-Simulation FMU. All are
/// driven by the same controller.
namespace saltus::test {

struct Case {
  std::string fmu;
  std::function<std::unique_ptr<modeling::DescribedModel>()> native;
  std::vector<std::string> variables;
  std::map<std::string, std::string> start_values = {};
  std::string folder = SALTUS_FMU_DIR;
  /// Natively; what the FMU was exported with.
  ReductionOptions reduction = {};
};

template <template <class> class M>
std::unique_ptr<modeling::DescribedModel> make() {
  return std::make_unique<modeling::NativeModel<M>>("model");
}

struct Result {
  RunResult run;
  std::vector<double> times;
  std::vector<std::vector<double>> rows;
  std::vector<double> events;
  std::vector<double> corrections = {};  ///< of drift, which are events of Model Exchange alone
};

/// As a model that slides, which one without switched equations is just as well; an implicit one in
/// its reduced form, with `Radau`.
Result run_natively(const Case& c);
/// With our own `SlidingModel` around the FMU, as the program does it, or without, as others do.
/// At the tolerance of the model's own experiment, unless another is given.
Result run_model_exchange(const Case& c, bool sliding = true, double tolerance = 0.0);
Result run_co_simulation(const Case& c, bool event_mode, bool early_return, double tolerance = 0.0);

}  // namespace saltus::test
