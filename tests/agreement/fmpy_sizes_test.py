# SPDX-License-Identifier: BSD-2-Clause
"""A rod whose number of cells is a structural parameter, driven by FMPy and by Saltus, with what is known of its temperatures.

usage: fmpy_sizes_test.py SALTUS SIZED_FMU SCALARS_FMU FMI2_FMU, the last one made with arrays asked for
"""
import csv
import ctypes
import math
import pathlib
import subprocess
import sys
import tempfile

import fmpy
from fmpy.fmi3 import FMU3Model, FMU3Slave
from fmpy.validation import validate_fmu

saltus, sized, scalars, fmi2 = sys.argv[1:]
for fmu in (sized, scalars, fmi2):
    assert not validate_fmu(fmu), validate_fmu(fmu)
    checked = subprocess.run([saltus, "validate", fmu], capture_output=True, text=True)
    assert checked.returncode == 0 and " 0 warnings" in checked.stdout, checked.stdout + checked.stderr

description = fmpy.read_model_description(sized)
variables = {v.name: v for v in description.modelVariables}
n = variables["n"]
assert (n.type, n.causality, n.variability, n.start) == ("UInt64", "structuralParameter", "fixed", "10"), vars(n)
for name in ("T", "der(T)", "loss", "heat", "flow"):
    dimension, = variables[name].dimensions
    assert dimension.variable is n, name
assert variables["weights"].dimensions[0].start == 2
# Where arrays are no variables their size is a constant.
for fmu, kind in ((scalars, "UInt64"), (fmi2, "Integer")):
    n_there = {v.name: v for v in fmpy.read_model_description(fmu).modelVariables}["n"]
    assert (n_there.type, n_there.causality, n_there.variability, n_there.start) == (kind, "local", "constant", "10"), vars(n_there)
    refused = subprocess.run([saltus, "simulate", fmu, "--start-value", "n=12"], capture_output=True, text=True)
    assert refused.returncode != 0 and '"n" cannot be given a start value' in refused.stderr, refused.stderr


def mode(cells):
    return [math.sin(math.pi * (i + 1) / (cells + 1)) for i in range(cells)]


def decay(cells):
    return 2.0 * (cells + 1) ** 2 * (1.0 - math.cos(math.pi / (cells + 1)))


def truth(cells, t):
    return [one * math.exp(-decay(cells) * t) for one in mode(cells)]


def near(values, expected, tolerance):
    assert len(values) == len(expected), (len(values), len(expected))
    worst = max(abs(a - b) for a, b in zip(values, expected))
    assert worst <= tolerance, (worst, values, expected)


def reference(name):
    return [variables[name].valueReference]


def configured(kind, interface, folder, cells, **settings):
    fmu = kind(guid=description.guid, unzipDirectory=folder, modelIdentifier=interface.modelIdentifier, instanceName=f"rod{cells}")
    fmu.instantiate(**settings)
    fmu.enterConfigurationMode()
    fmu.setUInt64(reference("n"), [cells])
    fmu.exitConfigurationMode()
    assert fmu.getUInt64(reference("n")) == [cells]
    return fmu


def dependencies(fmu, unknown):
    count = ctypes.c_size_t()
    of = ctypes.c_uint(reference(unknown)[0])
    assert fmu.dll.fmi3GetNumberOfVariableDependencies(fmu.component, of, ctypes.byref(count)) == 0
    elements, on_elements = (ctypes.c_size_t * count.value)(), (ctypes.c_size_t * count.value)()
    on, kinds = (ctypes.c_uint * count.value)(), (ctypes.c_int * count.value)()
    assert fmu.dll.fmi3GetVariableDependencies(fmu.component, of, elements, on, on_elements, kinds, count) == 0
    names = {v.valueReference: v.name for v in description.modelVariables}
    return [(elements[i], names[on[i]], on_elements[i]) for i in range(count.value)]


TOLERANCE = 1e-8
with tempfile.TemporaryDirectory() as folder:
    fmpy.extract(sized, unzipdir=folder)
    # Three at once.
    rods = {cells: configured(FMU3Slave, description.coSimulation, folder, cells) for cells in (3, 10, 40)}
    for cells, rod in rods.items():
        near(rod.getFloat64(reference("T"), nValues=cells), mode(cells), 0.0)
        rod.enterInitializationMode(tolerance=TOLERANCE, startTime=0.0)
        rod.exitInitializationMode()
    for step in range(10):
        for rod in rods.values():
            rod.doStep(step * 0.01, 0.01)
    for cells, rod in rods.items():
        near(rod.getFloat64(reference("T"), nValues=cells), truth(cells, 0.1), 100.0 * TOLERANCE)
        rod.terminate()
        rod.reset()
        assert rod.getUInt64(reference("n")) == [10]
        rod.freeInstance()
    print("FMPy, Co-Simulation: 3, 10 and 40 cells are right")

    for cells in (3, 10, 40):
        rod = configured(FMU3Model, description.modelExchange, folder, cells)
        states = rod.getNumberOfContinuousStates()
        assert states == cells + 1 and rod.getNumberOfEventIndicators() == 1
        rod.setFloat64(reference("heat"), [0.0] * cells)
        rod.enterInitializationMode(startTime=0.0)
        rod.exitInitializationMode()
        while rod.updateDiscreteStates()[0]:
            pass
        rod.enterContinuousTimeMode()
        slopes = (ctypes.c_double * states)()
        rod.getContinuousStateDerivatives(slopes, states)
        near(list(slopes)[:cells], [-decay(cells) * one for one in mode(cells)], 1e-9 * decay(cells))
        assert list(slopes)[:cells] == rod.getFloat64(reference("der(T)"), nValues=cells)
        # By element: that the last of as many cells has one neighbour, no description could say.
        assert dependencies(rod, "flow") == [(i + 1, "T", i + k) for i in range(cells) for k in (1, 2) if i + k <= cells]
        assert dependencies(rod, "der(weighted)") == [(1, "T", 1), (1, "T", cells)]
        rod.terminate()
        rod.freeInstance()
    print("FMPy, Model Exchange: 3, 10 and 40 cells are right")

    for interface in ("me", "cs"):
        for cells in (3, 10, 40):
            file = pathlib.Path(folder) / "rod.csv"
            done = subprocess.run([saltus, "simulate", sized, "--interface-type", interface, "--start-value", f"n={cells}",
                                   "--output-variable", "T", "--output-file", file], capture_output=True, text=True)
            assert done.returncode == 0, done.stdout + done.stderr
            rows = list(csv.DictReader(file.open()))
            for row in rows:
                near([float(row[f"T[{i}]"]) for i in range(cells)], truth(cells, float(row["time"])), 100.0 * TOLERANCE)
            assert len(rows) >= 20 and f"T[{cells}]" not in rows[0]
    print("Saltus, both interfaces: 3, 10 and 40 cells are right")
    wrong = subprocess.run([saltus, "simulate", sized, "--start-value", "n=101"], capture_output=True, text=True)
    assert wrong.returncode != 0 and "from 2 to 100" in wrong.stderr, wrong.stderr
