# SPDX-License-Identifier: BSD-2-Clause
"""FMUs of FMI 1.0 and 2.0 in saltus and in FMPy, with an input and, where there is one, a tunable parameter that jump: the
same at all rows.

usage: fmpy_old_versions_test.py SALTUS FMU...
"""
import csv
import pathlib
import subprocess
import sys
import tempfile

import fmpy
import numpy

saltus, *fmus = sys.argv[1:]
STOP, INTERVAL = 0.4, 0.02  # before the first bounce, where FMPy's event times would be compared with ours
ROWS = [(0.0, 0.0, 2.0), (0.1, 0.0, 2.0), (0.1, 5.0, 3.0), (STOP, 5.0, 3.0)]
COLUMNS = ["time", "u", "gain"]
OUTPUTS = ["h", "y", "sampled", "bounces", "rising"]


def by_saltus(fmu, kind, columns, folder):
    inputs, outputs = folder / "in.csv", folder / "out.csv"
    rows = [columns, *(row[: len(columns)] for row in ROWS)]
    inputs.write_text("".join(",".join(map(str, row)) + "\n" for row in rows))
    subprocess.run([saltus, "simulate", fmu, "--interface-type", kind, "--stop-time", str(STOP), "--tolerance", "1e-9",
                    "--output-interval", str(INTERVAL), "--input-file", inputs, "--output-file", outputs,
                    *(word for name in OUTPUTS for word in ("--output-variable", name))],
                   check=True, stdout=subprocess.DEVNULL)
    with outputs.open(newline="") as file:
        rows = list(csv.DictReader(file))
    numbers = {"true": 1.0, "false": 0.0}
    return {float(row["time"]): [float(numbers.get(row[name], row[name])) for name in OUTPUTS] for row in rows}


def by_fmpy(fmu, kind, columns):
    signals = numpy.array([row[: len(columns)] for row in ROWS], dtype=[(name, float) for name in columns])
    return fmpy.simulate_fmu(fmu, fmi_type=kind, stop_time=STOP, output_interval=INTERVAL, relative_tolerance=1e-9,
                             input=signals, output=OUTPUTS)


def kinds(description):
    if description.coSimulation is not None:
        yield "cs", "CoSimulation"
    if description.modelExchange is None:
        return
    try:
        from fmpy.sundials import CVodeSolver  # noqa: F401, FMPy ships its CVODE for some platforms only
        yield "me", "ModelExchange"
    except (ImportError, OSError) as error:
        print(f"no Model Exchange, FMPy has no CVODE here: {error}")


def compare(fmu):
    description = fmpy.read_model_description(fmu)
    names = {variable.name for variable in description.modelVariables}
    columns = [name for name in COLUMNS if name == "time" or name in names]
    for short, long in kinds(description):
        where = f"{pathlib.Path(fmu).name}, {long}"
        with tempfile.TemporaryDirectory() as folder:
            ours = by_saltus(fmu, short, columns, pathlib.Path(folder))  # of two rows at one time, the right limit
        compared = 0
        for row in by_fmpy(fmu, long, columns):
            time = float(row["time"])
            nearest = min(ours, key=lambda t: abs(t - time))
            if abs(nearest - time) > 1e-9 or abs(time - 0.1) < 1e-9 or abs(time - 0.25) < 1e-9:
                continue  # at the jumps FMPy shows the left limit, the right one, or both
            compared += 1
            for name, value in zip(OUTPUTS, ours[nearest]):
                error = abs(float(row[name]) - value)
                assert error < 1e-6, f"{where}: {name}({time}) is {value}, in FMPy {row[name]}"
        assert compared > 15, f"{where}: only {compared} rows in common"
        print(f"{where}: {compared} rows agree")


for path in fmus:
    compare(path)
