# SPDX-License-Identifier: BSD-2-Clause
"""FMPy, with CVODE and as Co-Simulation, on FMUs whose motion slides: it gets the events of the literature, and their ends.

CVODE looks for roots at the ends of its steps alone. The relay slides for 2.2 ms between two arcs; where a step spans all of
that, an arc runs through the surface and back unseen, which is no fault of the FMU. It happens at 1e-6, not at 1e-7.

usage: fmpy_sliding_test.py FOLDER_OF_SHIPPED_FMUS FOLDER_OF_TEST_FMUS
"""
import math
import pathlib
import sys

import fmpy
from fmpy.fmi3 import FMU3Model, FMU3Slave

shipped, own = map(pathlib.Path, sys.argv[1:])

# Events; values at the end; from which tolerance on; and how far CVODE is off at 1e-8, with a start at each event in steps of
# first order, in Model Exchange. The published results are those of benchmarks/problems.
MODELS = {
    shipped / "stick_slip_pair.fmu": (10.0, 6, 1e-5, 1e-6, {
        "p1": 6.365907816754916, "p2": 6.178113294134454, "v1": 0.9195357645382262, "v2": 0.9195357645382262,
        "force": math.sin(10.0) / 2}),
    shipped / "belt_oscillator.fmu": (15.0, 7, 1e-5, 2e-6, {"x": -0.11640434646191249, "v": 0.2}),
    shipped / "relay_feedback.fmu": (12.566370614359172, 55, 1e-7, 5e-5, {
        "y1": 0.0014140416428761753, "y2": 1.0747350976356428, "y3": 0.3191223886951534}),
    shipped / "pounding.fmu": (3.0, 18, 1e-6, 2e-6, {"y": -0.00926251982149564, "v": 0.1400984361218229}),
    own / "curved_belt.fmu": (30.0, 7, 1e-6, 5e-6, {"y1": 1.1871194982487585, "y2": 0.7284052163854175}),
    own / "two_masses.fmu": (12.0, 18, 1e-6, 2e-6, {
        "y1": -0.4682060438922827, "y2": -0.05953691159357569, "v1": 0.0, "v2": 0.0}),
}

# How often a comparison changes alone, in a condition of several. It has an event indicator of its own, so that importers that
# look at the ends of their steps see conditions that hold for a moment, and FMPy visits event mode there too. `pounding` has
# `depth > 0 && v > 0`.
COMPARISONS = {"pounding": 7}

visits = 0


def counting(enter_event_mode):
    def enter(*arguments, **named):
        global visits
        visits += 1
        return enter_event_mode(*arguments, **named)
    return enter


for kind in (FMU3Model, FMU3Slave):
    kind.enterEventMode = counting(kind.enterEventMode)


def check_end(what, result, end, margin):
    for name, value in end.items():
        error = abs(float(result[name][-1]) - value)
        assert error <= margin, f"{what}: {name} is off by {error}"
    print(f"{what}: errors at the end at most {max(abs(float(result[n][-1]) - v) for n, v in end.items()):.1e}")


def has_cvode():
    try:
        from fmpy.sundials import CVodeSolver  # noqa: F401, FMPy ships its CVODE for some platforms only
    except (ImportError, OSError) as error:
        print(f"no Model Exchange, FMPy has no CVODE here: {error}")
        return False
    return True


for fmu, (stop, events, coarsest, margin, end) in MODELS.items():
    settings = dict(output=list(end), stop_time=stop)
    if has_cvode():
        for tolerance in (1e-5, 1e-6, 1e-7, 1e-8):
            if tolerance > coarsest:
                continue
            for interval in (stop / 50, stop / 500, stop / 1500):
                visits = 0
                result = fmpy.simulate_fmu(str(fmu), fmi_type="ModelExchange", relative_tolerance=tolerance,
                                           output_interval=interval, **settings)
                what = f"{fmu.stem} as ME at {tolerance:g}, reports every {interval:.3g} s"
                assert visits == events + COMPARISONS.get(fmu.stem, 0), f"{what}: {visits} events"
                if tolerance == 1e-8:
                    check_end(what, result, end, margin)
    result = fmpy.simulate_fmu(str(fmu), fmi_type="CoSimulation", output_interval=stop / 500, **settings)
    check_end(f"{fmu.stem} as CS", result, end, 1e-5)
    visits = 0
    result = fmpy.simulate_fmu(str(fmu), fmi_type="CoSimulation", use_event_mode=True, early_return_allowed=True,
                               output_interval=stop / 500, **settings)
    check_end(f"{fmu.stem} as CS with event mode", result, end, 1e-5)
    assert visits == events, f"{fmu.stem} as CS: {visits} events"
