# SPDX-License-Identifier: BSD-2-Clause
"""Runs a test in the Python environment that has FMPy, or says that there is none.

usage: with_fmpy.py PYTHON TEST ARGUMENT...
"""
import os
import subprocess
import sys

SKIPPED = 77

python, *test = sys.argv[1:]
if not python or subprocess.run([python, "-c", "import fmpy"], capture_output=True).returncode:
    print("skipped: FMPy is not installed (PyPI could not be reached)")
    sys.exit(1 if os.environ.get("CI") == "true" else SKIPPED)
sys.exit(subprocess.run([python, *test]).returncode)
