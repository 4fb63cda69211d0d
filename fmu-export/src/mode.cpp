// SPDX-License-Identifier: BSD-2-Clause
#include "mode.hpp"

namespace saltus::fmu_export {

const char* to_string(Interface interface) {
  return interface == Interface::model_exchange  ? "Model Exchange"
         : interface == Interface::co_simulation ? "Co-Simulation"
                                                 : "Scheduled Execution";
}

const char* to_string(Mode mode) {
  switch (mode) {
    case Mode::instantiated:
      return "Instantiated";
    case Mode::initialization:
      return "Initialization Mode";
    case Mode::event:
      return "Event Mode";
    case Mode::continuous_time:
      return "Continuous-Time Mode";
    case Mode::step:
      return "Step Mode";
    case Mode::step_failed:
      return "stepFailed";
    case Mode::intermediate_update:
      return "Intermediate Update Mode";
    case Mode::terminated:
      return "Terminated";
    case Mode::failed:
      return "the state error";
    case Mode::configuration:
      return "Configuration Mode";
    case Mode::reconfiguration:
      return "Reconfiguration Mode";
    case Mode::clock_activation:
      return "Clock Activation Mode";
    case Mode::broken:
      break;
  }
  return "broken by a fatal error";
}

}  // namespace saltus::fmu_export
