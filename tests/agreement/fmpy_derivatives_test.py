# SPDX-License-Identifier: BSD-2-Clause
"""FMPy asks an FMU for its derivatives along a run, beside the trajectory, in each configuration that the run comes to.

The directional derivative, the adjoint one and extrapolated differences of the values agree; the dependencies of the
description cover what differs from zero; those of kind constant, fixed or tunable do not change.

usage: fmpy_derivatives_test.py FMU [stop=TIME] [spread=PART]

stop is in place of the description's stop time where that is too far away for plain steps; spread says how far beside the
trajectory points lie, in units of the states: less is tried where there are no values. A mechanism has other positions far
away, and an exponential has no solution there.
"""
import ctypes
import random
import shutil
import sys
import xml.etree.ElementTree
import zipfile

import fmpy
import numpy
from fmpy.fmi2 import FMU2Model
from fmpy.fmi3 import FMU3Model

POINTS = 100
STEPS = 2000
AGREEMENT = 1e-7
NARROWEST = 1e-3  # differences over less than that are noise

numpy.random.seed(1)
random.seed(1)
fmu = sys.argv[1]
settings = dict(word.split("=") for word in sys.argv[2:])
spread = float(settings.get("spread", 0.1))
description = fmpy.read_model_description(fmu)
is_fmi3 = description.fmiVersion.startswith("3")
REAL = ("Float64",) if is_fmi3 else ("Real",)
REFUSED = (fmpy.fmi1.FMICallException,)


def instantiate(folder):
    kind = FMU3Model if is_fmi3 else FMU2Model
    instance = kind(guid=description.guid, unzipDirectory=folder, modelIdentifier=description.modelExchange.modelIdentifier)
    instance.instantiate()
    return instance


class Driven:
    """The FMU in Model Exchange, driven by plain steps: exactness is not the point, configurations are."""

    def __init__(self, folder):
        self.fmu = instantiate(folder)
        self.start, self.stop = (float(t or d) for t, d in ((description.defaultExperiment.startTime, 0.0),
                                                            (description.defaultExperiment.stopTime, 1.0)))
        self.stop = float(settings.get("stop", self.stop))
        self.states = [d.variable.derivative.valueReference for d in description.derivatives]
        self.nominals = numpy.array([float(d.variable.derivative.nominal or 1.0) for d in description.derivatives])
        self.slopes = [d.variable.valueReference for d in description.derivatives]
        self.outputs = [o.variable.valueReference for o in description.outputs
                        if o.variable.type in REAL and o.variable.variability == "continuous"]
        self.inputs = [v.valueReference for v in description.modelVariables
                       if v.causality == "input" and v.type in REAL and v.variability == "continuous"]
        self.indicators = description.numberOfEventIndicators
        if is_fmi3:
            self.fmu.enterInitializationMode(startTime=self.start)
        else:
            self.fmu.setupExperiment(startTime=self.start)
            self.fmu.enterInitializationMode()
        self.fmu.exitInitializationMode()
        self.handle_events()
        self.time = self.start
        self.read_states()

    def get(self, references):
        return numpy.array((self.fmu.getFloat64 if is_fmi3 else self.fmu.getReal)(references)) if references else numpy.array([])

    def set_inputs(self, values):
        if self.inputs:
            (self.fmu.setFloat64 if is_fmi3 else self.fmu.setReal)(self.inputs, list(values))

    def read_states(self):
        self.x = numpy.zeros(len(self.states))
        self.fmu.getContinuousStates(self.x.ctypes.data_as(ctypes.POINTER(ctypes.c_double)), len(self.x))

    def set_states(self, x):
        x = numpy.ascontiguousarray(x, dtype=float)
        self.fmu.setContinuousStates(x.ctypes.data_as(ctypes.POINTER(ctypes.c_double)), len(x))

    def signs(self):
        z = numpy.zeros(self.indicators)
        if self.indicators:
            self.fmu.getEventIndicators(z.ctypes.data_as(ctypes.POINTER(ctypes.c_double)), len(z))
        return z > 0

    def handle_events(self):
        self.next = float("inf")
        if is_fmi3:
            while True:
                again, _, _, _, defined, at = self.fmu.updateDiscreteStates()
                if not again:
                    break
            self.next = at if defined else self.next
        else:
            while True:
                again, _, _, _, defined, at = self.fmu.newDiscreteStates()
                if not again:
                    break
            self.next = at if defined else self.next
        self.fmu.enterContinuousTimeMode()

    def step(self, size):
        """One step of Heun's method, with the events at its end. Returns whether the run goes on."""
        before = self.signs()
        size = min(size, self.next - self.time)
        k1 = self.get(self.slopes)
        self.fmu.setTime(self.time + size)
        self.set_states(self.x + size * k1)
        k2 = self.get(self.slopes)
        self.time += size
        self.set_states(self.x + 0.5 * size * (k1 + k2))
        enter, ends = self.fmu.completedIntegratorStep()
        if enter or self.time >= self.next or (self.signs() != before).any():
            self.fmu.enterEventMode()
            self.handle_events()
        self.read_states()
        return not ends

    def values(self, known):
        """The unknowns where the knowns (states, inputs, time) have these values."""
        self.set_states(known[:len(self.states)])
        self.set_inputs(known[len(self.states):-1])
        self.fmu.setTime(known[-1])
        return numpy.concatenate([self.get(self.slopes), self.get(self.outputs)])


def difference(f, point, direction, scale):
    """The derivative of f along a direction, and an estimate of its error."""
    rows = []
    for k in range(9):
        h = 0.2 * scale * 0.5 ** k
        row = [(f(point + h * direction) - f(point - h * direction)) / (2 * h)]
        for j, last in enumerate(rows[-1] if rows else []):
            row.append(row[j] + (row[j] - last) / (4.0 ** (j + 1) - 1))
        rows.append(row)
    best, error = rows[0][0], numpy.full_like(rows[0][0], numpy.inf)
    for last, row in zip(rows, rows[1:]):
        for j in range(len(last)):
            e = numpy.maximum(abs(row[j + 1] - row[j]), abs(row[j + 1] - last[j]))
            best = numpy.where(e < error, row[j + 1], best)
            error = numpy.minimum(e, error)
    return best, error


def declared_pattern(driven, knowns):
    """What the description says: unknown by known, and the kinds."""
    pattern, kinds = [], []
    listed = list(description.derivatives) + [o for o in description.outputs if o.variable.valueReference in driven.outputs]
    for unknown in listed:
        if unknown.dependencies is None:
            pattern.append([True] * len(knowns))
            kinds.append(["dependent"] * len(knowns))
            continue
        on = {v.valueReference: k for v, k in
              zip(unknown.dependencies, unknown.dependenciesKind or ["dependent"] * len(unknown.dependencies))}
        pattern.append([k in on for k in knowns])
        kinds.append([on.get(k) for k in knowns])
    return numpy.array(pattern), kinds


def compare(driven, unknowns, knowns, step, distance):
    """The Jacobian at a point beside the trajectory, and by how much it is off; None where there are no values."""
    scale = numpy.maximum(abs(driven.x), 0.1 * driven.nominals)
    x = driven.x + distance * scale * numpy.random.uniform(-1, 1, len(scale))
    inputs = numpy.random.uniform(-1, 1, len(driven.inputs))
    # Time cannot go back behind the last event: it moves within the next step.
    point = numpy.concatenate([x, inputs, [driven.time + 0.5 * step]])
    unit = numpy.concatenate([scale, numpy.ones(len(inputs)), [step]])
    seed = unit * numpy.random.uniform(-1, 1, len(knowns))
    try:
        expected, error = difference(driven.values, point, seed, max(distance, NARROWEST))
        driven.values(point)
        along = numpy.array(driven.fmu.getDirectionalDerivative(unknowns, knowns, list(seed)))
        jacobian = numpy.array([driven.fmu.getDirectionalDerivative(unknowns, [k], [1.0]) for k in knowns]).T
    except REFUSED:
        return None
    size = numpy.maximum(abs(jacobian) @ abs(seed), 1.0)
    off = (abs(along - expected) - error) / size
    assert (off <= AGREEMENT).all(), f"at {driven.time}: {along} by direction, {expected} by differences"
    assert numpy.allclose(jacobian @ seed, along, rtol=1e-9, atol=1e-9 * size.max()), "not linear in the seed"
    if is_fmi3:
        back = numpy.random.uniform(-1, 1, len(unknowns))
        adjoint = driven.fmu.getAdjointDerivative(unknowns, knowns, list(back), len(knowns))
        assert numpy.allclose(back @ jacobian, adjoint, rtol=1e-9, atol=1e-9 * abs(jacobian).max()), "adjoint"
    return jacobian, off.max()


def check():
    folder = fmpy.extract(fmu)
    driven = Driven(folder)
    unknowns = driven.slopes + driven.outputs
    knowns = driven.states + driven.inputs + [0]
    if not unknowns:
        print("no unknowns")
        return
    pattern, kinds = declared_pattern(driven, knowns)
    measured = numpy.zeros_like(pattern)
    steady = {}
    size = (driven.stop - driven.start) / STEPS
    looked_at, refused, worst = 0, 0, 0.0
    for i in range(STEPS):
        if i % (STEPS // POINTS) == 0:
            tried = (compare(driven, unknowns, knowns, size, spread * part) for part in (1.0, 0.3, 0.1))
            compared = next(filter(None, tried), None)
            if compared is None:
                refused += 1
            else:
                looked_at += 1
                jacobian, off = compared
                worst = max(worst, off)
                nonzero = abs(jacobian) > 1e-9 * max(1.0, abs(jacobian).max())
                assert not (nonzero & ~pattern).any(), f"at {driven.time} a dependency is not declared: {nonzero & ~pattern}"
                measured |= nonzero
                for u, row in enumerate(kinds):
                    for k, kind in enumerate(row):
                        if kind in ("constant", "fixed", "tunable"):
                            first = steady.setdefault((u, k), jacobian[u, k])
                            assert abs(first - jacobian[u, k]) <= AGREEMENT * abs(first), f"a {kind} dependency changes"
            driven.set_states(driven.x)
            driven.set_inputs(numpy.zeros(len(driven.inputs)))
            driven.fmu.setTime(driven.time)
        if not driven.step(size):
            break
    shutil.rmtree(folder)
    assert looked_at >= POINTS // 2, f"only {looked_at} points could be evaluated, {refused} could not"
    print(f"{looked_at} points, {refused} refused; off by at most {max(worst, 0.0):.1e} beyond the error of the differences; "
          f"{pattern.sum()} dependencies declared, {measured.sum()} met")


# FMPy looks for the flag of FMI 2.0 in both versions.
with zipfile.ZipFile(fmu) as archive:
    interface = xml.etree.ElementTree.fromstring(archive.read("modelDescription.xml")).find("ModelExchange")
provides = interface.get("providesDirectionalDerivative" + ("s" if is_fmi3 else "")) == "true"
assert provides, "the FMU provides no derivatives"
check()
