# SPDX-License-Identifier: BSD-2-Clause
"""FMPy and our program get the same values of every type from one model, in all interfaces of FMI 3.0 and FMI 2.0.

usage: fmpy_types_test.py SALTUS FMU3 FMU2
"""
import csv
import pathlib
import subprocess
import sys
import tempfile

import fmpy
import numpy as np
from fmpy.fmi2 import FMU2Slave
from fmpy.fmi3 import FMU3Slave
from fmpy.validation import validate_fmu

saltus, fmu3, fmu2 = map(lambda path: str(pathlib.Path(path).resolve()), sys.argv[1:])
# One value of each type that is not its start value. The first is a parameter of the equations.
START = {"rate": "0.9", "Int8_input": "-128", "UInt8_input": "255", "Int16_input": "-32768", "UInt16_input": "65535",
         "Int32_input": "-2147483648", "UInt32_input": "2147483647", "Int64_input": "-5", "UInt64_input": "9", "Int32_fixed": "3",
         "Boolean_input": "true", "doubled": "true", "first": "2", "Mode_input": "1", "gain": "0.75", "Float32_input": "2.5",
         "label": "another", "String_input": "text"}
RECORDED = ["x", "y", "mode", "level", "low", "last", "Boolean_output", "Mode_output", "Float32_output", "String_output", "rate",
            "first", "gain", "label", "doubled"]
RECORDED += [f"{sign}Int{bits}_{what}" for sign in ("", "U") for bits in (8, 16, 32, 64) for what in ("count", "output", "fixed")]
MARGIN = 1e-4  # events of FMPy's Model Exchange come up to that late; whole numbers are the same beside them


def ours(fmu, *options):
    with tempfile.TemporaryDirectory() as scratch:
        out = pathlib.Path(scratch) / "out.csv"
        start = [f"--start-value={name}={value}" for name, value in START.items()]
        start += [f"--output-variable={name}" for name in RECORDED]
        subprocess.run([saltus, "simulate", fmu, "--tolerance", "1e-8", "--output-interval", "0.05", "--output-file", str(out),
                        "--no-plot", "--quiet", *options, *start], check=True)
        with out.open() as file:
            names, *rows = csv.reader(file)
    return names, rows


def same(name, one, other):
    try:
        return abs(float(one) - float(other)) <= MARGIN * max(1.0, abs(float(one)))
    except ValueError:
        return one == other


def check_ours():
    """All interfaces of both versions: the last row, in which everything has happened."""
    names, rows = ours(fmu3, "--interface-type=me")
    reference = dict(zip(names, rows[-1]))
    expected = {"mode": "2", "Mode_output": "1", "Boolean_output": "1", "UInt64_output": "9", "Int8_output": "-128",
                "Int8_count": "52", "Int32_count": "56", "Float32_output": "2.5", "String_output": "text",
                "last": "another, none 56"}
    for name, value in expected.items():
        assert reference[name] == value, f"{name} is {reference[name]}, not {value}"
    compared = 0
    for fmu, interface in ((fmu3, "cs"), (fmu2, "me"), (fmu2, "cs")):
        names2, rows2 = ours(fmu, f"--interface-type={interface}")
        assert names2 == names, (names, names2)
        for name, value in zip(names2, rows2[-1]):
            assert same(name, value, reference[name]), f"{fmu} as {interface}: {name} = {value}, not {reference[name]}"
            compared += 1
    print(f"{compared} values agree in the interfaces of both versions")
    return reference


def check_simulated(fmu, reference):
    """FMPy's loop, for what it records."""
    description = fmpy.read_model_description(fmu)
    numeric = [v.name for v in description.modelVariables if v.type not in ("String", "Binary") and v.name in reference]
    kinds = ["CoSimulation"]
    try:
        from fmpy.sundials import CVodeSolver  # noqa: F401, FMPy ships its CVODE for some platforms only
        kinds.append("ModelExchange")
    except (ImportError, OSError) as error:
        print(f"ME not compared, FMPy has no CVODE here: {error}")
    for kind in kinds:
        result = fmpy.simulate_fmu(fmu, fmi_type=kind, start_values=START, output=numeric, stop_time=1.0, output_interval=0.05,
                                   relative_tolerance=1e-8)
        for name in result.dtype.names[1:]:
            value = result[name][-1]
            assert same(name, value, reference[name]), f"{fmu} as {kind}: {name} = {value}, ours is {reference[name]}"
        print(f"{pathlib.Path(fmu).name}, FMI {description.fmiVersion}, {kind}: {len(numeric)} variables agree")


def check_texts(fmu, reference):
    """Strings and binaries, call by call."""
    description = fmpy.read_model_description(fmu)
    vr = {v.name: v.valueReference for v in description.modelVariables}
    with tempfile.TemporaryDirectory() as scratch:
        fmpy.extract(fmu, scratch)
        is_fmi2 = description.fmiVersion == "2.0"
        slave = (FMU2Slave if is_fmi2 else FMU3Slave)(
            guid=description.guid, unzipDirectory=scratch, modelIdentifier=description.coSimulation.modelIdentifier)
        slave.instantiate()
        if is_fmi2:
            slave.setupExperiment(startTime=0.0)
        slave.setString([vr["label"]], ["another"])
        if not is_fmi2:
            assert slave.getBinary([vr["key"]]) == [b"\x01\x00\xff"], slave.getBinary([vr["key"]])
            slave.setBinary([vr["Binary_input"]], [b"\x00\x01\x02"])
        slave.enterInitializationMode()
        slave.exitInitializationMode()
        slave.doStep(currentCommunicationPoint=0.0, communicationStepSize=1.0)
        last = slave.getString([vr["last"]])[0]
        last = last.decode() if isinstance(last, bytes) else last
        assert last == "another, none 52", last
        if not is_fmi2:
            assert slave.getBinary([vr["Binary_output"]]) == [b"\x00\x01\x02"]
            assert slave.getBinary([vr["trace"]]) == [b"\x07\x01\x00\xff\x01\x00\xff"], slave.getBinary([vr["trace"]])
        slave.terminate()
        slave.freeInstance()
    print(f"{pathlib.Path(fmu).name}, FMI {description.fmiVersion}: texts are as they should be")


def check_refused(fmu, name, value, says):
    done = subprocess.run([saltus, "simulate", fmu, "--no-plot", "--quiet", f"--start-value={name}={value}"], capture_output=True,
                          text=True)
    assert done.returncode != 0 and name in done.stderr and says in done.stderr, (done.returncode, done.stderr)


for fmu, version in ((fmu3, "3.0"), (fmu2, "2.0")):
    problems = validate_fmu(fmu)
    assert not problems, problems
    found = subprocess.run([saltus, "validate", fmu], capture_output=True, text=True)
    assert found.returncode == 0 and f"(FMI {version}): 0 errors, 0 warnings, 0 notes" in found.stdout, found.stdout
    check_refused(fmu, "Int8_input", "128", "128")
    check_refused(fmu, "UInt64_input", "-1", "-1")
    check_refused(fmu, "Int16_fixed", "101", "101")
    check_refused(fmu, "first", "3", "3")
reference = check_ours()
for fmu in (fmu3, fmu2):
    check_simulated(fmu, reference)
    check_texts(fmu, reference)
