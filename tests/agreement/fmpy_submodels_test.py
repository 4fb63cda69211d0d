# SPDX-License-Identifier: BSD-2-Clause
"""An FMU of submodels in FMPy and in Saltus: names, naming convention, and the solution against its closed form.

usage: fmpy_submodels_test.py SALTUS FMU...
"""
import csv
import math
import pathlib
import subprocess
import sys
import tempfile
import zipfile

import fmpy
from fmpy.validation import validate_fmu

saltus, *fmus = sys.argv[1:]
ON, OFF, C, LOAD, W, STOP = 10.0, 1e-5, 1e-3, 0.01, 314.0, 0.04


def source(t):
    return 10.0 * math.sin(W * t)


def value(phase, t):
    begin, u, charging = phase
    if not charging:
        return u * math.exp(-(OFF + LOAD) / C * (t - begin))
    k, m = (0.5 * (ON + OFF) + LOAD) / C, 0.5 * (ON - OFF) / C
    side = math.copysign(1.0, source(0.5 * (begin + t)))

    def forced(s):
        return side * m * 10.0 * (k * math.sin(W * s) - W * math.cos(W * s)) / (k * k + W * W)
    return (u - forced(begin)) * math.exp(-k * (t - begin)) + forced(t)


def exact():
    """Two diodes conduct while the source is above the capacitor."""
    phases, h = [(0.0, 2.0, False)], 1e-6

    def changes(t):
        return (abs(source(t)) > value(phases[-1], t)) != phases[-1][2]
    for i in range(round(STOP / h)):
        if changes((i + 1) * h):
            low, high = i * h, (i + 1) * h
            for _ in range(60):
                middle = 0.5 * (low + high)
                low, high = (low, middle) if changes(middle) else (middle, high)
            phases.append((high, value(phases[-1], high), not phases[-1][2]))
    return lambda t: value([p for p in phases if p[0] <= t][-1], t)


def largest_error(rows, solution):
    return max(abs(u - solution(t)) for t, u in rows)


def check_volts(rows):
    """Whole volts, where the solution is not just about to reach one."""
    rows = [(n, solution(t)) for t, n in rows]
    wrong = [(n, u) for n, u in rows if n != math.floor(u) and abs(u - round(u)) > 1e-5]
    assert not wrong and {n for n, _ in rows} >= {1.0, 2.0, 5.0, 9.0}, wrong


def run_saltus(fmu, interface, *words):
    with tempfile.TemporaryDirectory() as folder:
        out = pathlib.Path(folder) / "out.csv"
        done = subprocess.run([saltus, "simulate", fmu, "--interface-type", interface, "--output-file", out, *words],
                              capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        with open(out, newline="") as file:
            rows = list(csv.DictReader(file))
        return rows, done.stdout + done.stderr


solution = exact()
for fmu in fmus:
    assert not validate_fmu(fmu), validate_fmu(fmu)
    checked = subprocess.run([saltus, "validate", fmu], capture_output=True, text=True)
    assert checked.returncode == 0, checked.stdout + checked.stderr
    description = fmpy.read_model_description(fmu)
    variables = {v.name: v for v in description.modelVariables}
    with zipfile.ZipFile(fmu) as archive:
        assert b'variableNamingConvention="structured"' in archive.read("modelDescription.xml")
    assert variables["bridge.diodes[3].v"].causality == "local"
    assert variables["spare.in"].causality == "input" and variables["meter.in"].causality == "local"
    assert variables["spare.rate"].causality == "parameter" and float(variables["spare.rate"].start) == 50.0
    assert variables["u"].causality == "output" and "der(bridge.u)" in variables
    for interface in ("CoSimulation", "ModelExchange"):
        try:
            result = fmpy.simulate_fmu(fmu, stop_time=STOP, output_interval=1e-4, relative_tolerance=1e-8,
                                       fmi_type=interface, output=["u", "volts", "spare.out", "bridge.diodes[0].i"])
        except (ImportError, OSError) as error:
            print(f"no {interface} in FMPy here: {error}")
            continue
        error = largest_error(zip(result["time"], result["u"]), solution)
        check_volts(zip(result["time"], result["volts"]))
        # FMPy asks for tolerance 1e-8 of a voltage near ten.
        spare = max(abs(x - 1.0 + math.exp(-50.0 * t)) for t, x in zip(result["time"], result["spare.out"]))
        assert spare < 1e-5, f"{fmu}, {interface}: off by {spare}"
        assert error < 1e-5, f"{fmu}, {interface}: off by {error}"
        print(f"{fmu}, FMPy, {interface}: off by {error:.1e}")
    for interface in ("cs", "me"):
        rows, said = run_saltus(fmu, interface, "--tolerance", "1e-8")
        assert interface == "cs" or "  bridge.diodes[0].s > 0, bridge.diodes[3].s > 0" in said, said
        check_volts([(float(r["time"]), float(r["volts"])) for r in rows])
        error = largest_error([(float(r["time"]), float(r["u"])) for r in rows], solution)
        assert error < 1e-5, f"{fmu}, {interface}: off by {error}"
        print(f"{fmu}, saltus, {interface}: off by {error:.1e}")
        rows, said = run_saltus(fmu, interface, "--start-value", "limit=6")
        assert float(rows[-1]["u"]) < 6.1, rows[-1]
        assert "the capacitor is charged" in said, said
