// SPDX-License-Identifier: BSD-2-Clause
#include <cvode/cvode.h>
#include <nvector/nvector_serial.h>
#include <sundials/sundials_context.h>
#include <sunnonlinsol/sunnonlinsol_fixedpoint.h>

#include <stdexcept>
#include <string>

#include "belt_peer.hpp"
#include "processor_time.hpp"

namespace saltus::benchmarks {
namespace {

struct Belt {
  double band;
  bool faster = true;  // than the belt
};

int slope(realtype, N_Vector y, N_Vector yp, void* user) {
  const auto& belt = *static_cast<Belt*>(user);
  const double slip = NV_DATA_S(y)[1] - 0.2;
  NV_DATA_S(yp)[0] = NV_DATA_S(y)[1];
  NV_DATA_S(yp)
  [1] = -NV_DATA_S(y)[0] + (belt.faster ? -1.0 / (1.0 + 2.0 * slip) : 1.0 / (1.0 - 2.0 * slip));
  return 0;
}

int end_of_band(realtype, N_Vector y, realtype* z, void* user) {
  const auto& belt = *static_cast<Belt*>(user);
  const double slip = NV_DATA_S(y)[1] - 0.2;
  z[0] = belt.faster ? slip + belt.band : slip - belt.band;
  return 0;
}

void check(int flag, const char* call) {
  if (flag < 0) {
    throw std::runtime_error(std::string(call) + " failed with " + std::to_string(flag));
  }
}

}  // namespace

BeltPeer run_cvode_belt(double band, double tolerance, double stop) {
  SUNContext context = nullptr;
  check(SUNContext_Create(nullptr, &context), "SUNContext_Create");
  N_Vector y = N_VNew_Serial(2, context);
  NV_DATA_S(y)[0] = 0.0;
  NV_DATA_S(y)[1] = 0.2;
  Belt belt{.band = band};
  BeltPeer result;
  const ProcessorTime elapsed;
  void* cvode = CVodeCreate(CV_ADAMS, context);
  SUNNonlinearSolver fixed_point = SUNNonlinSol_FixedPoint(y, 0, context);
  check(CVodeInit(cvode, slope, 0.0, y), "CVodeInit");
  check(CVodeSStolerances(cvode, tolerance, tolerance), "CVodeSStolerances");
  check(CVodeSetUserData(cvode, &belt), "CVodeSetUserData");
  check(CVodeSetNonlinearSolver(cvode, fixed_point), "CVodeSetNonlinearSolver");
  check(CVodeRootInit(cvode, 1, end_of_band), "CVodeRootInit");
  check(CVodeSetMaxNumSteps(cvode, 1000000), "CVodeSetMaxNumSteps");
  for (double t = 0.0; t < stop;) {
    const int flag = CVode(cvode, stop, y, &t, CV_NORMAL);
    check(flag, "CVode");
    long steps = 0;
    check(CVodeGetNumSteps(cvode, &steps), "CVodeGetNumSteps");
    if (flag == CV_ROOT_RETURN) {
      belt.faster = !belt.faster;
      ++result.switches;
      result.steps += static_cast<std::size_t>(steps);
      check(CVodeReInit(cvode, t, y), "CVodeReInit");
    } else {
      result.steps += static_cast<std::size_t>(steps);
    }
  }
  result.microseconds = elapsed.microseconds();
  result.x = NV_DATA_S(y)[0];
  CVodeFree(&cvode);
  SUNNonlinSolFree(fixed_point);
  N_VDestroy(y);
  SUNContext_Free(&context);
  return result;
}

}  // namespace saltus::benchmarks
