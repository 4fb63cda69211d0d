# SPDX-License-Identifier: BSD-2-Clause
"""Runs every code block of a page.

A block whose language is followed by a file name (```cpp ball.cpp) is written to that file; ```sh is run, line by line, in the
folder of those files, with `saltus` and ./saltus being the program; a ```text block is what the run before it must have
printed: each line occurs in the output, in this order. Other blocks are pictures. Commands that would run this test
again are left out by name.

usage: code_blocks_test.py PAGE PROGRAM PREFIX
"""
import os
import pathlib
import re
import subprocess
import sys
import tempfile

page, program, prefix = map(pathlib.Path, sys.argv[1:])
RUNS_THIS_TEST = {"./test"}


def blocks(text):
    return re.findall(r"^```(\w+)(?: ([\w./-]+))?\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)


def run(line, folder):
    environment = dict(os.environ, CMAKE_PREFIX_PATH=str(prefix), PATH=f"{folder}:{os.environ['PATH']}",
                       SALTUS_FMU_PATH=str(prefix / "share/saltus/fmus"))
    result = subprocess.run(["bash", "-ec", line], cwd=folder, env=environment, text=True,
                            stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    assert result.returncode == 0, f"{line}\nfailed with {result.returncode}:\n{result.stdout}"
    return result.stdout


def check(expected, output):
    place = 0
    for line in expected.splitlines():
        found = output.find(line.strip(), place)
        assert found >= 0, f"expected, in this order:\n{expected}\nmissing: {line}\nprinted:\n{output}"
        place = found + len(line.strip())


with tempfile.TemporaryDirectory() as scratch:
    folder = pathlib.Path(scratch)
    (folder / "saltus").symlink_to(program)
    ran = written = 0
    output = ""
    for language, name, text in blocks(page.read_text()):
        if name:
            (folder / name).write_text(text)
            written += 1
        elif language == "sh":
            commands = [line for line in text.splitlines() if line and line not in RUNS_THIS_TEST]
            output = "".join(run(line, folder) for line in commands)
            ran += len(commands)
        elif language == "text":
            check(text, output)
    assert ran > 0, f"{page.name} has no command that was run"
    print(f"{page.name}: {written} files written, {ran} commands run")
