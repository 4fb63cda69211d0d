# SPDX-License-Identifier: BSD-2-Clause
"""The FMI functions that a run calls, in order, against a stored list. Repeats of one function are written once.

usage: call_sequence_test.py SALTUS NAME-INTERFACE.calls FMU_FOLDER...
With SALTUS_UPDATE=1 in the environment the stored list is written anew.
"""
import difflib
import os
import pathlib
import re
import subprocess
import sys
import tempfile

saltus, stored, *folders = (os.path.abspath(path) for path in sys.argv[1:])
stored = pathlib.Path(stored)
model, interface = stored.stem.rsplit("-", 1)
fmu, = (path for folder in folders for path in pathlib.Path(folder).glob(f"{model}.fmu"))
with tempfile.TemporaryDirectory() as scratch:
    log = pathlib.Path(scratch) / "log.txt"
    subprocess.run(
        [saltus, "simulate", str(fmu), "--interface-type", interface, "--log-fmi-calls",
         "--log-file", str(log), "--output-interval", "0.5", "--no-plot", "--no-output", "--quiet"],
        check=True, cwd=scratch)
    names = re.findall(r"^(?:\[FMI\] )?(fmi3\w+)\(", log.read_text(), re.MULTILINE)
calls = [name for i, name in enumerate(names) if i == 0 or name != names[i - 1]]
if os.environ.get("SALTUS_UPDATE") == "1":
    stored.write_text("\n".join(calls) + "\n")
expected = stored.read_text().split()
assert len(calls) > 10, f"only {len(calls)} calls in the log"
if calls != expected:
    print("\n".join(difflib.unified_diff(expected, calls, "stored", "now", lineterm="")))
    sys.exit(1)
print(f"{len(calls)} calls as stored")
