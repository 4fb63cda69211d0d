# SPDX-License-Identifier: BSD-2-Clause
"""FMPy validates and simulates one of our FMUs, as Co-Simulation and as Model Exchange, and agrees with our program.

usage: fmpy_test.py SALTUS FMU
"""
import csv
import json
import pathlib
import subprocess
import sys
import tempfile

import fmpy
import numpy as np
from fmpy.validation import validate_fmu

saltus, fmu = map(lambda path: str(pathlib.Path(path).resolve()), sys.argv[1:])
MODEL = pathlib.Path(fmu).stem
# Of reports; the runs of some circuits and mechanisms are short.
INTERVAL = {"transistor_amplifier": 2e-3, "andrews_squeezer": 3e-4, "charge_pump": 2.5e-9}.get(MODEL, 0.02)

# In Co-Simulation our solver is inside the FMU: ten times the tolerance, and in a stiff contact twice that, where the authors of
# the problem have an error of 1e-5. In Model Exchange FMPy's is at work, and its root finder puts bounces up to 1e-4 s late,
# which changes speeds by gravity times that, bounce after bounce.
INSIDE = 2e-5 if MODEL == "pounding" else 1e-5
MARGIN = {"CS": INSIDE, "CS with event mode": INSIDE, "ME": 5e-3 if MODEL == "bouncing_ball" else 1e-4}
# For FMPy's solver. The waves of the string are a thousandth of the nominal values.
TOLERANCE = {"bowed_string": 1e-9, "andrews_squeezer": 1e-9}.get(MODEL, 1e-8)
# In Co-Simulation, where another tolerance is asked for than that of the description: at the default of 1e-6 the speeds of the
# squeezer are off by four times the margin in the end.
INSIDE_TOLERANCE = {"andrews_squeezer": {"relative_tolerance": 1e-7}}.get(MODEL, {})
# Beside an event each side of it is right. The events of the squeezer correct states by some ten tolerances.
BESIDE_EVENT = INTERVAL / 10 if MODEL in ("charge_pump", "andrews_squeezer") else 2e-3
SAME_TIME = INTERVAL * 5e-8
START = {"bowed_string": {"may_stick": "true"}}.get(MODEL, {})


def ours():
    with tempfile.TemporaryDirectory() as scratch:
        out, stats = (pathlib.Path(scratch) / name for name in ("out.csv", "stats.json"))
        start = [f"--start-value={name}={value}" for name, value in START.items()]
        subprocess.run([saltus, "simulate", fmu, "--tolerance", "1e-8", "--output-interval", str(INTERVAL), "--output-file", str(out),
                        "--stats-file", str(stats), "--no-plot", "--quiet", *start], check=True)
        with out.open() as file:
            names, *rows = csv.reader(file)
        events = [event["time"] for event in json.loads(stats.read_text())["events"]]
    values = np.array(rows, dtype=float)
    return {name: values[:, i] for i, name in enumerate(names)}, np.array(events)


def compare(kind, result, reference, events):
    compared = 0
    for row in result:
        t = row["time"]
        if len(events) and np.abs(events - t).min() < BESIDE_EVENT:
            continue
        match = np.flatnonzero(np.abs(reference["time"] - t) < SAME_TIME)
        if not len(match):
            continue  # a point that only FMPy shows
        for name in result.dtype.names[1:]:
            expected = reference[name][match[0]]
            assert abs(float(row[name]) - expected) <= MARGIN[kind] * max(size[name], abs(expected)), (
                f"{kind}: {name} = {row[name]} at t = {t}, ours is {expected}")
            compared += 1
    assert compared >= 50, f"{kind}: only {compared} values to compare"
    print(f"{MODEL} as {kind}: {compared} values agree, to t = {result['time'][-1]}")


problems = validate_fmu(fmu)
assert not problems, problems

reference, events = ours()
size = {variable.name: float(variable.nominal or 1.0) for variable in fmpy.read_model_description(fmu).modelVariables}
settings = dict(start_values=START, output=[name for name in reference if name != "time"], stop_time=reference["time"][-1],
                output_interval=INTERVAL)
inside = {**settings, **INSIDE_TOLERANCE}
compare("CS", fmpy.simulate_fmu(fmu, fmi_type="CoSimulation", **inside), reference, events)
if fmpy.read_model_description(fmu).fmiVersion != "2.0":  # which has no event mode
    compare("CS with event mode",
            fmpy.simulate_fmu(fmu, fmi_type="CoSimulation", use_event_mode=True, early_return_allowed=True,
                              **inside), reference, events)
try:
    from fmpy.sundials import CVodeSolver  # noqa: F401, FMPy ships its CVODE for some platforms only
except (ImportError, OSError) as error:
    print(f"ME not compared, FMPy has no CVODE here: {error}")
else:
    compare("ME", fmpy.simulate_fmu(fmu, fmi_type="ModelExchange", relative_tolerance=TOLERANCE, **settings),
            reference, events)
