# SPDX-License-Identifier: BSD-2-Clause
"""Builds the examples with an installed Saltus and runs each: what its first comment says it prints, it prints, in this order.

usage: examples_test.py EXAMPLES PREFIX
"""
import os
import pathlib
import subprocess
import sys
import tempfile

examples, prefix = map(pathlib.Path, sys.argv[1:])


def promised(source):
    lines = iter(source.read_text().splitlines())
    for line in lines:
        if line == "// Prints:":
            break
    result = []
    for line in lines:
        if not line.startswith("//   "):
            break
        result.append(line[5:])
    assert result, f"{source.name} does not say what it prints"
    return result


def run(*command):
    environment = dict(os.environ, CMAKE_PREFIX_PATH=str(prefix))
    result = subprocess.run(command, env=environment, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    assert result.returncode == 0, f"{command} failed with {result.returncode}:\n{result.stdout}"
    return result.stdout


sources = sorted(examples.glob("*.cpp"))
assert len(sources) >= 10
with tempfile.TemporaryDirectory() as build:
    run("cmake", "-G", "Ninja", "-S", str(examples), "-B", build)
    run("cmake", "--build", build)
    for source in sources:
        output = run(f"{build}/{source.stem}")
        place = 0
        for line in promised(source):
            found = output.find(line, place)
            assert found >= 0, f"{source.name} does not print, in this order: {line}\nprinted:\n{output}"
            place = found + len(line)
        assert f"({source.name})" in (examples / "README.md").read_text(), f"{source.name} is not in the README"
print(f"{len(sources)} examples built and run")
