# SPDX-License-Identifier: BSD-2-Clause
"""The sources in an FMU, compiled as its description says with a compiler alone, give the results of its binary to the last bit.

usage: source_fmu_test.py SALTUS FMU FOLDER COMPILER
"""
import os
import pathlib
import re
import shutil
import subprocess
import sys
import xml.etree.ElementTree as xml
import zipfile

saltus, fmu, folder, compiler = sys.argv[1:]
folder = pathlib.Path(folder)
shutil.rmtree(folder, ignore_errors=True)
shipped = folder / "shipped"
with zipfile.ZipFile(fmu) as archive:
    archive.extractall(shipped)
    names = archive.namelist()
(binary,) = [name for name in names if name.startswith("binaries/")]
identifier = pathlib.Path(binary).stem

# Where the compiler is called there is nothing but the sources.
own = folder / "own"
shutil.copytree(shipped / "sources", own / "sources")
description = xml.parse(shipped / "modelDescription.xml").getroot()
(configuration,) = xml.parse(shipped / "sources" / "buildDescription.xml").getroot()
assert configuration.attrib == {"modelIdentifier": identifier}, configuration.attrib
(files,) = configuration
assert files.get("language") == "C++20"
options = files.get("compilerOptions").split()
assert "-O2" in options and "-ffp-contract=off" in options, options
sources = [file.get("name") for file in files]
assert sorted(file.name for file in (own / "sources").glob("*.cpp")) == sorted(sources)  # for those who compile them all
assert {file.tag for file in files} == {"SourceFile"} and len(sources) in (2, 3), sources
if description.get("fmiVersion") == "2.0":
    for interface in ("ModelExchange", "CoSimulation"):
        assert [file.get("name") for file in description.find(interface).find("SourceFiles")] == sources
    options = ["-O0", "-fPIC"]  # whoever looks at nothing else knows no options
    old = subprocess.run([compiler, "-std=c++17", "-fsyntax-only", f"sources/{sources[-1]}"], cwd=own, capture_output=True, text=True)
    assert old.returncode != 0 and "C++20" in old.stderr and len(old.stderr.splitlines()) < 10, old.stderr

# A cache of compilers is no matter to what they answer.
launcher = [word for word in [os.environ.get("CMAKE_CXX_COMPILER_LAUNCHER")] if word]
running = [subprocess.Popen([*launcher, compiler, "-std=c++20", *options, "-c", f"sources/{name}", "-o", f"{name}.o"], cwd=own)
           for name in sources]
assert all(process.wait() == 0 for process in running)
(own / binary).parent.mkdir(parents=True)
subprocess.run([compiler, "-shared", "-o", binary, *[f"{name}.o" for name in sources]], cwd=own, check=True)

rebuilt = folder / "rebuilt.fmu"
with zipfile.ZipFile(rebuilt, "w") as archive:
    for name in names:
        archive.write((own if name == binary else shipped) / name, name)
assert (own / binary).read_bytes() != (shipped / binary).read_bytes(), "this is the shipped binary"

for interface in ("me", "cs"):
    results = []
    for which in (fmu, rebuilt):
        output = folder / f"{interface}.csv"
        subprocess.run([saltus, "simulate", which, "--interface-type", interface, "--output-file", output, "--no-plot"],
                       check=True, stdout=subprocess.DEVNULL)
        results.append(output.read_bytes())
    assert results[0] == results[1], f"the results of {interface} differ"
    assert len(results[0].splitlines()) > 100
symbols = subprocess.run(["nm", "-D", "--defined-only", own / binary], check=True, capture_output=True, text=True).stdout
assert not re.search(r"\b_ZN?K?6saltus", symbols), "functions of Saltus can be seen from outside"
checked = subprocess.run([saltus, "validate", rebuilt], capture_output=True, text=True)
assert checked.returncode == 0 and "0 errors, 0 warnings" in checked.stdout, checked.stdout
