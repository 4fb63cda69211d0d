# SPDX-License-Identifier: BSD-2-Clause
"""One model as an FMU with arrays and as one with scalars, in FMPy and in Saltus: names, start values and results.

usage: fmpy_arrays_test.py SALTUS ARRAYS_FMU SCALARS_FMU FMI2_FMU, the last one made with arrays asked for
"""
import csv
import pathlib
import subprocess
import sys
import tempfile
import zipfile

import fmpy
from lxml import etree
from fmpy.validation import validate_fmu

saltus, arrays, scalars, fmi2 = sys.argv[1:]
for fmu in (arrays, scalars, fmi2):
    assert not validate_fmu(fmu), validate_fmu(fmu)
    checked = subprocess.run([saltus, "validate", fmu], capture_output=True, text=True)
    assert checked.returncode == 0 and " 0 warnings" in checked.stdout, checked.stdout + checked.stderr

variables = {v.name: v for v in fmpy.read_model_description(arrays).modelVariables}
assert variables["T"].shape == (3,) and variables["T"].start.split() == ["1", "2", "4"], vars(variables["T"])
assert variables["der(walls[1].T)"].shape == (2,) and variables["mean"].shape == (1,)
assert variables["der(T)"].derivative is variables["T"]
assert "T[0]" not in variables and "a[0]" in variables and "c[0]" in variables
for fmu in (scalars, fmi2):  # FMI 2.0 has no arrays
    names = {v.name for v in fmpy.read_model_description(fmu).modelVariables}
    assert {"T[0]", "T[2]", "der(T[1])", "k[1]", "mean[0]", "walls[1].T[0]"} <= names and "T" not in names

# Of an array, or of each of its elements where these are listed; what FMI 2.0 calls alias shares a value reference.
aliases = {alias.get("name"): alias.getparent().get("name")
           for alias in etree.fromstring(zipfile.ZipFile(arrays).read("modelDescription.xml")).iter("Alias")}
assert aliases == {"temperatures": "T", "heat": "x", "count": "hot", "der(heat)": "der(x)"}, aliases
listed = {v.name: v for v in fmpy.read_model_description(fmi2).modelVariables}
for name, of in (("temperatures[0]", "T[0]"), ("temperatures[2]", "T[2]"), ("heat", "x"), ("der(heat)", "der(x)"), ("count", "hot")):
    assert listed[name].valueReference == listed[of].valueReference and listed[name].start is None, vars(listed[name])
assert "terminalsAndIcons/terminalsAndIcons.xml" not in zipfile.ZipFile(fmi2).namelist()

# The same values in both, whoever integrates.
STARTS = {"T": [1.2, 2.0, 4.5], "k": [1.0, 3.0]}
for interface in ("CoSimulation", "ModelExchange"):
    settings = {"fmi_type": interface, "stop_time": 2.0, "output_interval": 0.1, "relative_tolerance": 1e-8}
    try:
        whole = fmpy.simulate_fmu(arrays, start_values=STARTS, output=["T", "flow", "x", "hot"], **settings)
    except (ImportError, OSError) as error:
        print(f"no {interface} in FMPy here: {error}")
        continue
    each = fmpy.simulate_fmu(
        scalars, start_values={f"{name}[{i}]": v for name, values in STARTS.items() for i, v in enumerate(values)},
        output=["T[0]", "T[1]", "T[2]", "flow[0]", "flow[1]", "x", "hot"], **settings)
    assert len(whole) == len(each) > 20
    for row, other in zip(whole, each):
        flat = [row["time"], *row["T"], *row["flow"], row["x"], row["hot"]]
        names = ["time", "T[0]", "T[1]", "T[2]", "flow[0]", "flow[1]", "x", "hot"]
        assert flat == [other[name] for name in names], (flat, other)
    assert whole["hot"][-1] >= 1, "the event at which T[1] is set has not happened"
    print(f"FMPy, {interface}: {len(whole)} rows are the same")


def run(folder, fmu, *words):
    out = pathlib.Path(folder) / "out.csv"
    done = subprocess.run([saltus, "simulate", fmu, "--output-file", out, *words], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return out.read_text()


with tempfile.TemporaryDirectory() as folder:
    table = pathlib.Path(folder) / "inputs.csv"
    table.write_text('time,"u[0]","u[1]"\n0,1,2\n1,0.5,0\n2,2,1\n')
    for interface in ("me", "cs"):
        words = ["--interface-type", interface, "--input-file", str(table)]
        text = run(folder, arrays, *words)
        header = next(csv.reader(text.splitlines()))
        assert {"T[0]", "T[2]", "flow[1]", "walls[1].T[0]"} <= set(header), header
        assert text == run(folder, scalars, *words), f"{interface}: the results differ"
        for fmu in (arrays, scalars, fmi2):
            by_alias, by_name = (run(folder, fmu, *words, *(w for name in names for w in ("--output-variable", name)))
                                 for names in (("heat", "count", "der(heat)"), ("x", "hot", "der(x)")))
            assert by_alias.splitlines()[1:] == by_name.splitlines()[1:], f"{fmu}, {interface}: an alias has another value"
        text = run(folder, arrays, *words, "--start-value", "T=1 1 3", "--output-variable", "der(T)")
        assert text.splitlines()[0] == "time,der(T[0]),der(T[1]),der(T[2])", text
        assert text == run(folder, scalars, *words, *(w for i, v in enumerate("113") for w in ("--start-value", f"T[{i}]={v}")),
                           *(w for i in range(3) for w in ("--output-variable", f"der(T[{i}])")))
    wrong = subprocess.run([saltus, "simulate", arrays, "--start-value", "T[0]=1"], capture_output=True, text=True)
    assert wrong.returncode != 0 and '"T[0]" is an element of the array "T"' in wrong.stderr, wrong.stderr
    table.write_text('time,"u[2]"\n0,1\n')
    wrong = subprocess.run([saltus, "simulate", arrays, "--input-file", table], capture_output=True, text=True)
    assert wrong.returncode != 0 and "u[2]" in wrong.stderr, wrong.stderr
