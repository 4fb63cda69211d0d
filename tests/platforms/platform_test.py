# SPDX-License-Identifier: BSD-2-Clause
"""The binaries of FMUs for another platform compute what those for this one do, to the last bit where the model's functions
are not those of the C library, and need nothing but the C library of their system.

usage: platform_test.py OWN_PLATFORM OWN_DRIVER PLATFORM DRIVER FMU...

A driver is drive_fmu.c, compiled for its platform. Without a program that runs it (wine, qemu) the test says so and is
skipped.
"""
import math
import os
import pathlib
import re
import shutil
import struct
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ET
import zipfile

SKIPPED = 77
STEPS = 100
# Per platform: the programs that run it, and what objdump may find that a binary needs.
RUNNERS = {"x86_64-windows": ["wine64", "wine", "/usr/lib/wine/wine64"], "aarch64-linux": ["qemu-aarch64", "qemu-aarch64-static"],
           "x86_64-linux": ["qemu-x86_64", "qemu-x86_64-static"]}
PACKAGES = {"x86_64-windows": "wine64", "aarch64-linux": "qemu-user", "x86_64-linux": "qemu-user"}
ROOTS = {"aarch64-linux": "/usr/aarch64-linux-gnu", "x86_64-linux": "/usr/x86_64-linux-gnu"}
OBJDUMP = {"x86_64-windows": "x86_64-w64-mingw32-objdump", "aarch64-linux": "aarch64-linux-gnu-objdump",
           "x86_64-linux": "x86_64-linux-gnu-objdump"}
# The sine, the exponential function and the like are those of a platform's own C library, which round differently, and some
# models with them enlarge that. Their runs may be as far apart as two runs of one model at its tolerance are, whose steps
# differ.
OWN_FUNCTIONS = {"andrews_squeezer", "bowed_string", "charge_pump", "pounding", "transistor_amplifier"}
TOLERANCES = 100
# In Model Exchange the driver's steps, a fixed number, are only short enough for the stiffest model over a part of its run.
STOP_OF_MODEL_EXCHANGE = {"robertson": "0.5"}
OWN_DLLS = {"kernel32.dll", "msvcrt.dll"}
OWN_LIBRARIES = re.compile(r"(libc|libm|ld-linux[-a-z0-9_]*)\.so\.[0-9]+")


def runner(platform):
    for name in RUNNERS[platform]:
        if found := shutil.which(name):
            return [found, "-L", ROOTS[platform]] if platform in ROOTS else [found]
    print(f"skipped: nothing runs programs for {platform} here: on Debian, apt-get install {PACKAGES[platform]}")
    sys.exit(SKIPPED)


def ending(platform):
    return ".dll" if platform.endswith("windows") else ".so"


def description(folder):
    root = ET.parse(folder / "modelDescription.xml").getroot()
    experiment = root.find("DefaultExperiment")
    times = [experiment.get(name, default) if experiment is not None else default
             for name, default in (("startTime", "0"), ("stopTime", "1"))]
    variables = [v for v in root.find("ModelVariables") if v.tag == "Float64"]
    references = [v.get("valueReference") for v in variables]
    nominals = [math.inf if v.get("derivative") else float(v.get("nominal", "0")) for v in variables]
    tolerance = float(experiment.get("tolerance", "1e-6")) if experiment is not None else 1e-6
    return root.get("instantiationToken"), root.find("ModelExchange").get("modelIdentifier"), times, references, tolerance, nominals


def run(command, folder, platform, interface):
    token, identifier, times, references, *_ = description(folder)
    if interface == "me":
        times[1] = STOP_OF_MODEL_EXCHANGE.get(folder.name, times[1])
    library = folder / "binaries" / platform / (identifier + ending(platform))
    environment = dict(os.environ, WINEDEBUG="-all", WINEPREFIX=str(pathlib.Path.cwd() / "wine"), DISPLAY="")
    result = subprocess.run([*command, str(library), token, interface, *times, str(STEPS), *references], text=True, env=environment,
                            stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert result.returncode == 0, f"{library} as {interface} ends with {result.returncode}: {result.stderr[-2000:]}"
    lines = result.stdout.replace("\r", "").splitlines()
    assert len(lines) > 1, f"{library} as {interface} printed {lines}"
    return lines


def numbers(line):
    return [struct.unpack(">d", bytes.fromhex(word))[0] for word in line.split()]


def apart(own, other, nominals):
    """How far the runs are apart until one of them ends: the largest difference of a variable, in its largest value, or in the
    nominal one where that is larger: residuals vanish, and what is left of them is rounding. Derivatives are left out, since
    those of stiff equations enlarge what their states are apart, by 1e6 in the bowed string."""
    rows = [(numbers(a), numbers(b)) for a, b in zip(own, other) if "discarded" not in a + b]
    sizes = [max(*map(abs, values), nominal, 1e-300) for values, nominal in zip(zip(*(a for a, _ in rows)), [0.0, *nominals])]
    return max(abs(a - b) / size for row, others in rows for a, b, size in zip(row, others, sizes))


def differences(own, other):
    """The first one, in words; None if there is none."""
    if len(own) != len(other):
        return f"{len(own)} lines here, {len(other)} there"
    return next((f"line {i}: {a} here, {b} there" for i, (a, b) in enumerate(zip(own, other)) if a != b), None)


def needed(library, platform):
    text = subprocess.run([OBJDUMP[platform], "-p", library], text=True, check=True, stdout=subprocess.PIPE).stdout
    if platform.endswith("windows"):
        names = {name.lower() for name in re.findall(r"DLL Name: (\S+)", text)}
        return names, names - OWN_DLLS
    names = set(re.findall(r"NEEDED +(\S+)", text))
    return names, {name for name in names if not OWN_LIBRARIES.fullmatch(name)}


def main(own_platform, own_driver, platform, driver, *fmus):
    command = [*runner(platform), driver]
    wrong = []
    compared = 0
    with tempfile.TemporaryDirectory() as scratch:
        for fmu in map(pathlib.Path, fmus):
            folder = pathlib.Path(scratch) / fmu.stem
            zipfile.ZipFile(fmu).extractall(folder)
            library, = (folder / "binaries" / platform).iterdir()
            names, more = needed(library, platform)
            assert names, f"objdump names nothing that {library} needs"
            if more:
                wrong.append(f"{fmu.name} for {platform} needs {sorted(more)}")
            for interface in ("me", "cs"):
                own = run([own_driver], folder, own_platform, interface)
                other = run(command, folder, platform, interface)
                compared += 1
                difference = differences(own, other)
                *_, tolerance, nominals = description(folder)
                distance = apart(own, other, nominals) if difference else 0.0
                print(f"{fmu.stem} as {interface}: {len(own)} lines, " +
                      (f"up to {distance:.1e} apart" if difference else "the same bits"), flush=True)
                allowed = TOLERANCES * tolerance if fmu.stem in OWN_FUNCTIONS else 0.0
                if difference and not distance < allowed:
                    wrong.append(f"{fmu.name} as {interface} on {platform}: {difference}")
    assert compared == 2 * len(fmus) > 0
    assert not wrong, "\n".join(wrong)
    print(f"{compared} runs on {platform} are those of {own_platform}")


if __name__ == "__main__":
    main(*sys.argv[1:])
