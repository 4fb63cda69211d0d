# SPDX-License-Identifier: BSD-2-Clause
"""A model reads the resources of its FMU, wherever that is unpacked.

usage: resources_test.py SALTUS FMU FOLDER
"""
import csv
import pathlib
import subprocess
import sys
import zipfile

saltus, fmu, folder = sys.argv[1:]
folder = pathlib.Path(folder)
folder.mkdir(parents=True, exist_ok=True)
TABLE = "resources/a folder/table.csv"


def run(which, interface):
    output = folder / "run.csv"
    output.unlink(missing_ok=True)
    ran = subprocess.run([saltus, "simulate", which, "--interface-type", interface, "--no-plot", "--output-file", output],
                         capture_output=True, text=True)
    if ran.returncode:
        return ran
    with output.open() as file:
        return float(list(csv.DictReader(file))[-1]["sum"])


def with_table(name, text):
    """The FMU with another table, or with none."""
    with zipfile.ZipFile(fmu) as source, zipfile.ZipFile(folder / name, "w") as target:
        for entry in source.namelist():
            if entry != TABLE:
                target.writestr(entry, source.read(entry))
            elif text:
                target.writestr(entry, text)
    return folder / name


with zipfile.ZipFile(fmu) as archive:
    assert archive.read(TABLE) == b"0 1\n1 3\n2 2\n"
for interface in ("me", "cs"):
    # Constant slopes are integrated without an error but that of the event's place.
    assert abs(run(fmu, interface) - 4.0) < 1e-6
    assert abs(run(with_table("other.fmu", "0 2\n1 5\n2 0\n"), interface) - 7.0) < 1e-6
    failed = run(with_table("none.fmu", ""), interface)
    assert failed.returncode == 3 and "there is no table in" in failed.stderr, failed
