# SPDX-License-Identifier: BSD-2-Clause
"""xmllint finds nothing in the descriptions of our FMUs, by the schemas of FMI that FMPy brings.

usage: schema_test.py FOLDER FMU3 FMU2 FMU3..., the folder of the shipped FMUs, one more of each version, and more of FMI 3.0
"""
import pathlib
import shutil
import subprocess
import sys
import tempfile
import zipfile

import fmpy

if shutil.which("xmllint") is None:
    print("skipped: xmllint is missing, on Debian in the package libxml2-utils")
    sys.exit(77)

schemas = pathlib.Path(fmpy.__file__).parent / "schema"
# A file in the FMU, and its schema.
OF_VERSION = {
    3: {"modelDescription.xml": "fmi3/fmi3ModelDescription.xsd",
        "terminalsAndIcons/terminalsAndIcons.xml": "fmi3/fmi3TerminalsAndIcons.xsd",
        "sources/buildDescription.xml": "fmi3/fmi3BuildDescription.xsd"},
    2: {"modelDescription.xml": "fmi2/fmi2ModelDescription.xsd"},
}


def findings(text, schema):
    with tempfile.NamedTemporaryFile(suffix=".xml") as file:
        file.write(text)
        file.flush()
        result = subprocess.run(["xmllint", "--noout", "--schema", schemas / schema, file.name], capture_output=True, text=True)
    return [] if result.returncode == 0 else result.stderr.splitlines()


checked = 0
with_terminals = 0
wrong = []
shipped, fmu3, fmu2, *others = map(pathlib.Path, sys.argv[1:])
for version, folder, more in ((3, shipped, [fmu3, *others]), (2, shipped / "fmi2", [fmu2])):
    for fmu in [*sorted(folder.glob("*.fmu")), *more]:
        with zipfile.ZipFile(fmu) as archive:
            for name, schema in OF_VERSION[version].items():
                if name not in archive.namelist():
                    continue
                text = archive.read(name)
                checked += 1
                with_terminals += name.startswith("terminals")
                wrong += [f"{fmu}: {line}" for line in findings(text, schema)]
    # What is wrong is found.
    assert findings(text.replace(b"<ModelVariables>", b"<ModelVariable>"), schema)
assert checked >= 34, f"only {checked} files were there"
assert with_terminals, "no terminals were there"
assert not wrong, "\n".join(wrong)
print(f"xmllint found nothing in {checked} files")
