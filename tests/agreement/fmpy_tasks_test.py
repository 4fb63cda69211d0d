# SPDX-License-Identifier: BSD-2-Clause
"""Scheduled Execution with FMPy's functions: the tasks of one model against their closed form.

usage: fmpy_tasks_test.py FMU, of the model in tests/support/three_tasks.hpp
"""
import pathlib
import sys
import tempfile

import fmpy
from fmpy.fmi3 import (FMU3ScheduledExecution, fmi3ClockUpdateCallback, fmi3Float64, fmi3InstanceEnvironment,
                       fmi3IntervalQualifier, fmi3LockPreemptionCallback, fmi3LogMessageCallback, fmi3UnlockPreemptionCallback,
                       fmi3ValueReference, printLogMessage)
from fmpy.validation import validate_fmu

path = str(pathlib.Path(sys.argv[1]).resolve())
problems = validate_fmu(path)
assert problems == [], problems
description = fmpy.read_model_description(path)
vr = {v.name: v.valueReference for v in description.modelVariables}
CHANGED = 2


class Tasks(FMU3ScheduledExecution):
    """FMPy's own instantiate gives callbacks that do nothing."""

    def instantiate_with(self, update, lock, unlock):
        self.callbacks = (fmi3LogMessageCallback(printLogMessage), fmi3ClockUpdateCallback(update),
                          fmi3LockPreemptionCallback(lock), fmi3UnlockPreemptionCallback(unlock))
        self.component = self.fmi3InstantiateScheduledExecution(
            b"tasks", self.guid.encode("utf-8"), None, False, False, fmi3InstanceEnvironment(), *self.callbacks)
        assert self.component

    def interval(self, name):
        length, qualifier = (fmi3Float64 * 1)(), (fmi3IntervalQualifier * 1)()
        self.getIntervalDecimal((fmi3ValueReference * 1)(vr[name]), length, qualifier)
        return qualifier[0], length[0]


with tempfile.TemporaryDirectory() as scratch:
    fmu = Tasks(guid=description.instantiationToken, unzipDirectory=fmpy.extract(path, scratch),
                modelIdentifier=description.scheduledExecution.modelIdentifier, instanceName="tasks")
    depth, now, told, due = [0], [0.0], [], {}

    def lock(*_):
        depth[0] += 1

    def unlock(*_):
        depth[0] -= 1

    def update(*_):
        assert depth[0] == 0
        if fmu.getClock([vr["told"]])[0]:
            told.append(now[0])
        qualifier, length = fmu.interval("late")
        if qualifier == CHANGED:
            due["late"] = now[0] + length

    fmu.instantiate_with(update, lock, unlock)
    fmu.enterInitializationMode(startTime=0.0, stopTime=1.0)
    due["slower"] = fmu.interval("slower")[1]
    fmu.exitInitializationMode()
    samples = [n / 10 for n in range(11)]
    order = []
    while True:
        waiting = [(t, {"slower": 2, "sample": 3, "late": 4}[name], name)
                   for name, t in [*due.items(), *[("sample", t) for t in samples[:1]]] if t <= 1.0 + 1e-12]
        if not waiting:
            break
        # Times that differ by roundings are one, and the smaller priority is the first.
        time = min(waiting)[0]
        _, name = min((priority, name) for t, priority, name in waiting if t <= time + 1e-9)
        now[0] = time
        order.append(name)
        if name == "sample":
            samples.pop(0)
        else:
            due.pop(name)
        fmu.activateModelPartition(vr[name], time)
        if name == "slower":
            qualifier, length = fmu.interval("slower")
            assert qualifier == CHANGED
            due["slower"] = time + length
    y, noted, noted_at, scaled = fmu.getFloat64([vr[name] for name in ("y", "noted", "noted_at", "scaled")])
    steps, count = fmu.getInt32([vr["steps"], vr["samples"]])
    assert (y, scaled, noted) == (1 - 0.5**11, 2 * (1 - 0.5**11), 1 - 0.5**10), (y, scaled, noted)
    assert abs(noted_at - 0.93) < 1e-12 and (steps, count) == (4, 11), (noted_at, steps, count)
    assert len(told) == 4 and all(abs(a - b) < 1e-12 for a, b in zip(told, (0.1, 0.3, 0.6, 1.0))), told
    assert order.count("late") == 5 and order[:3] == ["sample", "slower", "sample"], order
    assert depth[0] == 0
    fmu.terminate()
    fmu.freeInstance()
print("FMPy's functions run the tasks")
