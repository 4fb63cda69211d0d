# SPDX-License-Identifier: BSD-2-Clause
"""Clocks whose ticks the model plans, driven with FMPy's functions, and by FMPy where they tick by themselves.

usage: fmpy_clocks_test.py FMU3 FMU2, of the model in tests/support/planned_ticks.hpp
"""
import pathlib
import sys
import tempfile

import fmpy
from fmpy.fmi3 import FMU3Slave, fmi3Float64, fmi3IntervalQualifier, fmi3ValueReference
from fmpy.validation import validate_fmu

fmu3, fmu2 = map(lambda path: str(pathlib.Path(path).resolve()), sys.argv[1:])
NOT_YET_KNOWN, UNCHANGED, CHANGED = 0, 1, 2
TICKS = {"pulse": [0.1, 0.3, 0.6, 1.0, 1.5], "watchdog": [1.45, 1.95], "timeout": [0.7, 1.4]}
END = {"pulses": 5, "barks": 2, "both": 205, "timeouts": 2, "x": 0.6, "pulsed_at": 1.5, "barked_at": 1.95, "filled_at": 1.7}
MARGIN = 1e-5  # what the tolerance of a run leaves open


def check_end(values, margin=MARGIN):
    for name, expected in END.items():
        assert abs(values[name] - expected) <= margin, f"{name} is {values[name]}, not {expected}"


def drive(folder):
    """As an importer in Co-Simulation with event mode: it ticks the clocks where their intervals end."""
    description = fmpy.read_model_description(fmu3)
    vr = {v.name: v.valueReference for v in description.modelVariables}
    fmu = FMU3Slave(guid=description.instantiationToken, unzipDirectory=folder,
                    modelIdentifier=description.coSimulation.modelIdentifier, instanceName="planned")
    fmu.instantiate(eventModeUsed=True, earlyReturnAllowed=True)
    fmu.enterInitializationMode(startTime=0.0, stopTime=2.0, tolerance=1e-8)
    due = {name: None for name in TICKS}
    ticks = {name: [] for name in TICKS}
    heard = set()

    def ask(t, names):
        for name in names:
            reference = (fmi3ValueReference * 1)(vr[name])
            interval, qualifier = (fmi3Float64 * 1)(), (fmi3IntervalQualifier * 1)()
            fmu.getIntervalDecimal(reference, interval, qualifier)
            heard.add((name, qualifier[0]))
            if qualifier[0] == CHANGED:
                due[name] = t + interval[0]

    def event(t):
        now = [name for name, when in due.items() if when is not None and when <= t + 1e-12]
        for name in now:
            due[name] = None
            ticks[name].append(t)
        if now:
            fmu.setClock([vr[name] for name in now], [True] * len(now))
        again = True
        while again:
            again = fmu.updateDiscreteStates()[0]
            ask(t, TICKS)
        fmu.enterStepMode()

    ask(0.0, TICKS)
    fmu.exitInitializationMode()
    t = 0.0
    event(t)
    while t < 2.0:
        target = min([2.0] + [when for when in due.values() if when is not None])
        needed, _, early, reached = fmu.doStep(t, target - t)
        t = reached if early else target
        if needed or t in due.values():
            fmu.enterEventMode()
            event(t)
    assert heard >= {("pulse", CHANGED), ("pulse", UNCHANGED), ("watchdog", NOT_YET_KNOWN), ("watchdog", CHANGED),
                     ("watchdog", UNCHANGED), ("timeout", NOT_YET_KNOWN), ("timeout", CHANGED)}, heard
    assert ("pulse", NOT_YET_KNOWN) not in heard
    for name, expected in TICKS.items():
        assert len(ticks[name]) == len(expected), (name, ticks[name])
        assert all(abs(a - b) <= MARGIN for a, b in zip(ticks[name], expected)), (name, ticks[name])
    reals = ["x", "pulsed_at", "barked_at", "filled_at"]
    values = dict(zip(reals, fmu.getFloat64([vr[name] for name in reals])))
    wholes = ["pulses", "barks", "both", "timeouts"]
    values.update(zip(wholes, fmu.getInt32([vr[name] for name in wholes])))
    check_end(values)
    fmu.terminate()
    fmu.freeInstance()


for fmu in (fmu3, fmu2):
    problems = validate_fmu(fmu)
    assert problems == [], (fmu, problems)
with tempfile.TemporaryDirectory() as scratch:
    drive(fmpy.extract(fmu3, scratch))
for fmu, interface in ((fmu3, "CoSimulation"), (fmu2, "CoSimulation"), (fmu2, "ModelExchange")):
    rows = fmpy.simulate_fmu(fmu, fmi_type=interface, stop_time=2.0, output_interval=0.01, relative_tolerance=1e-8,
                             output=[*END])
    # Events of FMPy's Model Exchange come up to that late.
    check_end({name: rows[name][-1] for name in END}, 1e-4 if interface == "ModelExchange" else MARGIN)
print("FMPy ticks, and lets tick, what the model has planned")
