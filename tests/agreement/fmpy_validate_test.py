# SPDX-License-Identifier: BSD-2-Clause
"""FMPy's validator on every FMU of a folder. usage: fmpy_validate_test.py FOLDER"""
import pathlib
import sys

from fmpy.validation import validate_fmu

fmus = sorted(pathlib.Path(sys.argv[1]).glob("*.fmu"))
assert len(fmus) >= 5, f"too few FMUs in {sys.argv[1]}: {fmus}"
for fmu in fmus:
    problems = validate_fmu(str(fmu))
    assert not problems, f"{fmu.name}: {problems}"
    print(f"{fmu.name}: no problems")
