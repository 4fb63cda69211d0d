# SPDX-License-Identifier: BSD-2-Clause
"""A reader of FMI-LS-DAE's manifest of its own, and FMPy to call the FMU: an exported model of index 1 as a DAE.

The method is Radau IIA of order 3, with difference quotients; unknowns are the states and the algebraic variables of the
manifest, equations its derivatives and residuals. The FMU is asked for nothing but these.

usage: fmpy_dae_test.py ROBERTSON_FMU REFERENCE
"""
import shutil
import sys
import xml.etree.ElementTree
import zipfile

import fmpy
import numpy
from fmpy.fmi3 import FMU3Model

MANIFEST = "extra/org.fmi-standard.fmi-ls-dae/fmi-ls-manifest.xml"
LS = "{http://fmi-standard.org/fmi-ls-manifest}"
# Hairer and Wanner: Solving Ordinary Differential Equations II, 1996, IV.5.
NODES = [1.0 / 3.0, 1.0]
WEIGHTS = numpy.array([[5.0 / 12.0, -1.0 / 12.0], [3.0 / 4.0, 1.0 / 4.0]])

fmu, reference_file = sys.argv[1:]
with open(reference_file, encoding="utf-8") as rows:
    names, *rows = [line.strip().split(",") for line in rows if not line.startswith("#")]
reference = dict(zip(names, map(float, rows[-1])))
assert reference["time"] == 40.0
description = fmpy.read_model_description(fmu)
variables = {v.valueReference: v for v in description.modelVariables}
with zipfile.ZipFile(fmu) as archive:
    manifest = xml.etree.ElementTree.fromstring(archive.read(MANIFEST))


class Dae:
    def __init__(self, folder, as_dae):
        assert manifest.tag == "fmiDAEManifest" and manifest.get(LS + "fmi-ls-name") == "org.fmi-standard.fmi-ls-dae"
        assert manifest.get(LS + "fmi-ls-version") == "1.0.0-alpha.1"
        references = lambda path: [int(e.get("valueReference")) for e in manifest.findall(path)]
        self.switch, = references("EnableDAEParameter")
        self.algebraics = references("AlgebraicVariables/AlgebraicVariable")
        self.residuals = references("ModelStructure/Residual")
        self.slopes = references("ModelStructure/ContinuousStateDerivative")
        assert self.slopes == [d.variable.valueReference for d in description.derivatives]
        assert len(self.algebraics) == len(self.residuals) > 0
        switch = variables[self.switch]
        assert (switch.type, switch.causality, switch.variability) == ("Boolean", "structuralParameter", "tunable")
        assert switch.start == "false"
        for reference in self.algebraics + self.residuals:
            assert variables[reference].type == "Float64" and variables[reference].nominal is not None
        for residual in manifest.findall("ModelStructure/Residual"):
            assert len(residual.get("dependencies").split()) == len(residual.get("dependenciesKind").split())
            assert set(map(int, residual.get("dependencies").split())) >= set(self.algebraics)
        self.fmu = FMU3Model(guid=description.guid, unzipDirectory=folder,
                             modelIdentifier=description.modelExchange.modelIdentifier)
        self.fmu.instantiate()
        if as_dae:
            self.fmu.enterConfigurationMode()
            self.fmu.setBoolean([self.switch], [True])
            self.fmu.exitConfigurationMode()
        self.fmu.enterInitializationMode(startTime=0.0)
        self.fmu.exitInitializationMode()
        self.settle()
        self.states = len(self.slopes)
        self.pointer = lambda array: array.ctypes.data_as(numpy.ctypeslib.ctypes.POINTER(numpy.ctypeslib.ctypes.c_double))

    def settle(self):
        more = True
        while more:
            more, *_ = self.fmu.updateDiscreteStates()
        self.fmu.enterContinuousTimeMode()

    def start(self):
        x = numpy.zeros(self.states)
        self.fmu.getContinuousStates(self.pointer(x), self.states)
        return numpy.concatenate([x, self.fmu.getFloat64(self.algebraics)])

    def place(self, t, y):
        self.fmu.setTime(t)
        x = numpy.ascontiguousarray(y[:self.states])
        self.fmu.setContinuousStates(self.pointer(x), self.states)

    def equations(self, t, y):
        """The slopes of the states, and the residuals."""
        self.place(t, y)
        self.fmu.setFloat64(self.algebraics, list(y[self.states:]))
        f = numpy.zeros(self.states)
        self.fmu.getContinuousStateDerivatives(self.pointer(f), self.states)
        return numpy.concatenate([f, self.fmu.getFloat64(self.residuals)])


def stage_equations(dae, t, h, y, stages):
    values = numpy.array([dae.equations(t + c * h, s) for c, s in zip(NODES, stages)])
    x = dae.states
    rows = stages[:, :x] - y[:x] - h * WEIGHTS @ values[:, :x]
    return numpy.concatenate([numpy.concatenate([rows[i], values[i, x:]]) for i in range(len(NODES))])


def step(dae, t, h, y):
    stages = numpy.array([y, y])
    size = stages.size
    for _ in range(10):
        base = stage_equations(dae, t, h, y, stages)
        jacobian = numpy.zeros((size, size))
        for j in range(size):
            moved = stages.copy().reshape(-1)
            width = 1e-7 * max(abs(moved[j]), 1e-6)
            moved[j] += width
            jacobian[:, j] = (stage_equations(dae, t, h, y, moved.reshape(stages.shape)) - base) / width
        change = numpy.linalg.solve(jacobian, base)
        stages = stages - change.reshape(stages.shape)
        if abs(change).max() < 1e-13:
            return stages[-1]
    raise AssertionError(f"no convergence at {t}")


folder = fmpy.extract(fmu)
try:
    dae, ode = Dae(folder, True), Dae(folder, False)
    y, t, largest, count = dae.start(), 0.0, 0.0, 0
    for end in numpy.concatenate([[1e-6], numpy.geomspace(1e-6, 40.0, 400)[1:]]):
        y = step(dae, t, end - t, y)
        t = end
        # What the FMU finds as an ODE at this point.
        ode.place(t, y)
        count += 1
        largest = max(largest, abs(numpy.array(ode.fmu.getFloat64(dae.algebraics)) - y[dae.states:]).max(),
                      abs(numpy.array(ode.fmu.getFloat64(dae.slopes)) - dae.equations(t, y)[:dae.states]).max())
        assert abs(dae.fmu.getFloat64(dae.residuals)[0]) < 1e-12
        assert abs(ode.fmu.getFloat64(dae.residuals)[0]) < 1e-12
    assert largest < 1e-9, largest
    assert abs(y[0] - reference["y1"]) < 1e-6 and abs(y[1] - reference["y2"]) < 1e-10, y
    # Back to an ODE within an event.
    dae.fmu.enterEventMode()
    dae.fmu.enterConfigurationMode()
    dae.fmu.setBoolean([dae.switch], [False])
    dae.fmu.exitConfigurationMode()
    dae.settle()
    assert abs(dae.fmu.getFloat64(dae.algebraics)[0] - y[-1]) < 1e-9
    print(f"{count} points; states at t = {t}: {y}; both modes differ by {largest:.2g}")
finally:
    shutil.rmtree(folder, ignore_errors=True)
