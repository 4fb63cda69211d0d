# SPDX-License-Identifier: BSD-2-Clause
"""FMPy, with CVODE and as Co-Simulation, on implicit FMUs whose conditions look at algebraic unknowns, or at a sine of time of
which there are forty periods in a step: what is counted at events is right whatever the tolerance and whatever is recorded.

usage: fmpy_algebraic_test.py FOLDER_OF_TEST_FMUS
"""
import pathlib
import sys

import fmpy

folder = pathlib.Path(sys.argv[1])

# The end of the run, and what is counted until then.
MODELS = {"logarithm_count": (2.0, {"n": 1}), "three_modes": (20.0, {"n": 9, "mode": 0}),
          "timed_waves": (10.0, {"rises": 80, "falls": 80})}
TOLERANCES = [10.0 ** (-4.0 - 0.5 * k) for k in range(10)]


def interfaces():
    try:
        from fmpy.sundials import CVodeSolver  # noqa: F401, FMPy ships its CVODE for some platforms only
    except (ImportError, OSError) as error:
        print(f"no Model Exchange, FMPy has no CVODE here: {error}")
        return ["CoSimulation"]
    return ["CoSimulation", "ModelExchange"]


for name, (stop, counted) in MODELS.items():
    for interface in interfaces():
        for tolerance in TOLERANCES:
            for others in ([], ["z"]):
                result = fmpy.simulate_fmu(folder / f"{name}.fmu", stop_time=stop, fmi_type=interface,
                                           relative_tolerance=tolerance, output_interval=stop / 40,
                                           output=[*counted, *others])
                for variable, value in counted.items():
                    found = result[variable][-1]
                    assert found == value, f"{name}, {interface}, {tolerance:.1e}: {variable} is {found}, not {value}"
        print(f"{name}, {interface}: right at {len(TOLERANCES)} tolerances")
