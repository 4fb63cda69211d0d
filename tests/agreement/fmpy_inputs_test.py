# SPDX-License-Identifier: BSD-2-Clause
"""FMPy, with CVODE and as Co-Simulation, on FMUs whose conditions look at an input together with a state.

FMPy sets inputs before it looks for roots, not before it asks for derivatives; in Co-Simulation they are held for one interval.

usage: fmpy_inputs_test.py FOLDER_OF_TEST_FMUS
"""
import pathlib
import sys

import fmpy
import numpy

folder = pathlib.Path(sys.argv[1])
INTERVAL = 0.01

# FMU; input; its rows, two of one time are a jump; what an output is at which times, and how far off it may be.
RUNS = [
    ("driven_limits", "u", [(0, 0), (2, 0), (2, -5)], "limited", {1.5: 1.0, 3.0: -2.0, 4.0: -1.0}, 0.01),
    ("driven_limits", "u", [(0, 0), (2, 0), (3, -5)], "limited", {2.1: 1.0, 2.5: 0.0, 3.2: -1.8, 4.0: -1.0}, 0.1),
    ("driven_limits", "u", [(0, 0), (2, 0), (3, -5)], "side", {2.1: 2.0, 2.5: -1.0, 4.0: -1.0}, 0.01),
    ("driven_controller", "wanted", [(0, 1.5), (5, 1.5), (6, 0.2), (10, 0.2), (10, 1.2)], "power",
     {0.5: 0.98, 6.0: 0.02, 9.5: 0.1454, 10.2: 0.98, 20.0: 0.5928}, 0.01),
    ("driven_follower", "leader", [(0, 0.5), (1, 0.5), (2, 1.2), (3, 3.2), (4, 3.2), (4, 2.5)], "x",
     {0.25: 0.25, 0.75: 0.5, 1.5: 0.85, 3.0: 2.2, 3.9: 3.1, 4.3: 2.9, 5.0: 2.5}, 0.03),
]


def interfaces():
    yield "CoSimulation", {"use_event_mode": False}
    yield "CoSimulation", {"use_event_mode": True, "early_return_allowed": True}
    try:
        from fmpy.sundials import CVodeSolver  # noqa: F401, FMPy ships its CVODE for some platforms only
        yield "ModelExchange", {}
    except (ImportError, OSError) as error:
        print(f"no Model Exchange, FMPy has no CVODE here: {error}")


for fmu, name, rows, output, expected, margin in RUNS:
    signals = numpy.array([(float(t), float(u)) for t, u in rows], dtype=[("time", float), (name, float)])
    for kind, options in interfaces():
        result = fmpy.simulate_fmu(folder / f"{fmu}.fmu", fmi_type=kind, stop_time=max(expected), input=signals,
                                   output=[output], output_interval=INTERVAL, relative_tolerance=1e-6, timeout=60, **options)
        assert abs(result["time"][-1] - max(expected)) < 1e-6, f"{fmu} as {kind} ends at {result['time'][-1]}"
        for time, value in expected.items():
            row = numpy.searchsorted(result["time"], time - 1e-6)
            error = abs(float(result[output][row]) - value)
            assert error <= margin, f"{fmu} as {kind} {options}: {output}({time}) is off by {error}"
        print(f"{fmu} as {kind} {options}: {output} is right")
