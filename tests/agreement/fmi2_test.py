# SPDX-License-Identifier: BSD-2-Clause
"""One model in FMI 3.0 and in FMI 2.0: our program finds no fault in the second and gets the same results from both.

usage: fmi2_test.py SALTUS FMU3 FMU2
"""
import csv
import json
import pathlib
import subprocess
import sys
import tempfile

saltus, fmu3, fmu2 = map(lambda path: str(pathlib.Path(path).resolve()), sys.argv[1:])


def run(fmu, *options):
    """The names, rows and events of a run, and its tolerance."""
    with tempfile.TemporaryDirectory() as scratch:
        out, stats = (pathlib.Path(scratch) / name for name in ("out.csv", "stats.json"))
        subprocess.run([saltus, "simulate", fmu, "--output-file", str(out), "--stats-file", str(stats), "--no-plot", "--quiet",
                        *options], check=True)
        with out.open() as file:
            names, *rows = csv.reader(file)
        record = json.loads(stats.read_text())
    return names, rows, record["events"], record["tolerance"]


def check_model_exchange():
    names, rows, events, tolerance = run(fmu3, "--interface-type=me")
    names2, rows2, events2, _ = run(fmu2, "--interface-type=me")
    assert names == names2, (names, names2)
    assert len(events) == len(events2), f"{len(events)} events in FMI 3.0, {len(events2)} in FMI 2.0"
    for a, b in zip(events, events2):
        assert abs(a["time"] - b["time"]) <= 1e-9, (a, b)
        assert a["kind"] == b["kind"] and a["indicators"] == b["indicators"], (a, b)
    assert len(rows) == len(rows2), (len(rows), len(rows2))
    for row, row2 in zip(rows, rows2):
        for name, a, b in zip(names, map(float, row), map(float, row2)):
            assert abs(a - b) <= 10 * tolerance * max(1.0, abs(a)), f"{name} at {row[0]}: {a} in FMI 3.0, {b} in FMI 2.0"
    print(f"Model Exchange: {len(rows)} rows and {len(events)} events agree")


def check_co_simulation():
    # FMI 2.0 has no event mode; without it the steps are the same ones.
    names, rows, *_ = run(fmu3, "--interface-type=cs", "--event-mode-used=false", "--early-return-allowed=false")
    names2, rows2, *_ = run(fmu2, "--interface-type=cs")
    assert names == names2, (names, names2)
    assert rows == rows2, next((a, b) for a, b in zip(rows, rows2) if a != b)
    print(f"Co-Simulation: {len(rows)} rows are the same")


found = subprocess.run([saltus, "validate", fmu2], capture_output=True, text=True)
assert found.returncode == 0 and "(FMI 2.0): 0 errors, 0 warnings, 0 notes" in found.stdout, found.stdout
check_model_exchange()
check_co_simulation()
