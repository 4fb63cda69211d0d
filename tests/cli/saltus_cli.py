# SPDX-License-Identifier: BSD-2-Clause
"""What the tests of the program share: a place to run it in, and a runner for functions called test_...

A test file is run as `x_test.py PROGRAM SHIPPED_FMUS TEST_FMUS [FURTHER_FMUS]`, folders all. Each test gets a fresh `Place`."""
import csv
import json
import os
import pathlib
import platform
import signal
import subprocess
import sys
import tempfile
import traceback

SECONDS = 120  # far more than any run needs: a run that takes longer hangs


class Result:
    def __init__(self, code, out, err):
        self.code, self.out, self.err = code, out, err

    def __repr__(self):
        return f"exit code {self.code}\n--- stdout\n{self.out}--- stderr\n{self.err}---"

    def message(self):
        """The one message of a failure, without the prefix."""
        lines = self.err.splitlines()
        assert len(lines) == 1, f"one message wanted:\n{self}"
        assert lines[0].startswith("saltus: "), self
        return lines[0][len("saltus: "):]


class Place:
    """A folder to run the program in. Beside it lies the only folder for temporary files, and around both nothing."""

    def __init__(self, program, fmus, root):
        self.program, self.fmus = program, [pathlib.Path(folder) for folder in fmus]
        self.root = pathlib.Path(root)
        self.work, self.temporary = self.root / "work", self.root / "temporary"
        self.work.mkdir()
        self.temporary.mkdir()

    def fmu(self, name):
        for folder in self.fmus:
            if (folder / f"{name}.fmu").exists():
                return folder / f"{name}.fmu"
        raise AssertionError(f"{name}.fmu was not built")

    def environment(self, **changes):
        # The test FMUs are not among the shipped ones; a name finds them all the same.
        environment = {**os.environ, "SALTUS_FMU_PATH": str(self.fmus[1])}
        # An FMU that is unloaded, or may not be called any more after fmi3Fatal, looks like a leak to a sanitizer.
        environment["ASAN_OPTIONS"] = ":".join(filter(None, [environment.get("ASAN_OPTIONS"), "detect_leaks=0"]))
        return {**environment, "TMPDIR": str(self.temporary), "LC_ALL": "C", **changes}

    def start(self, *arguments, ignore=None, **changes):
        def set_signals():  # a shell switches interrupts off for what it runs in the background
            signal.signal(signal.SIGINT, signal.SIG_DFL)
            if ignore:
                signal.signal(ignore, signal.SIG_IGN)

        return subprocess.Popen([self.program, *map(str, arguments)], cwd=self.work, text=True,
                                env=self.environment(**changes), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                stderr=subprocess.PIPE, preexec_fn=set_signals)

    def finish(self, process):
        out, err = process.communicate(timeout=SECONDS)
        result = Result(process.returncode, out, err)
        left = sorted(p.name for p in self.temporary.iterdir())
        assert not left, f"left behind in the temporary folder: {left}\n{result}"
        around = sorted(p.name for p in self.root.iterdir())
        assert around == ["temporary", "work"], f"written outside: {around}\n{result}"
        return result

    def run(self, *arguments, **changes):
        """Runs the program to its end; whatever happens, no temporary files may be left."""
        return self.finish(self.start(*arguments, **changes))

    def files(self):
        return sorted(p.name for p in self.work.iterdir())

    def table_text(self, name):
        return (self.work / name).read_text(encoding="utf-8")

    def table(self, name):
        """A CSV file: its header, and its rows as numbers."""
        with open(self.work / name, newline="", encoding="utf-8") as file:
            header, *rows = csv.reader(file)
        assert all(len(row) == len(header) for row in rows), rows
        return header, [[float(cell) for cell in row] for row in rows]

    def stats(self, name):
        def refuse(constant):
            raise AssertionError(f"{constant} is not JSON")

        return json.loads((self.work / name).read_text(encoding="utf-8"), parse_constant=refuse)


def host_platform():
    """FMI's name of this machine (FMI 3.0, 2.5.1)."""
    return {"amd64": "x86_64", "arm64": "aarch64"}.get(platform.machine(), platform.machine()) + "-linux"


def run_tests(tests):
    """Runs the functions called test_... of a module and ends the program: 0, or 1 if one failed."""
    program, *fmus = map(os.path.abspath, sys.argv[1:])
    failed = 0
    for name, test in tests.items():
        if not name.startswith("test_"):
            continue
        with tempfile.TemporaryDirectory(prefix="saltus-cli-") as root:
            try:
                test(Place(program, fmus, root))
                print(f"ok      {name}")
            except Exception:  # whatever it is, the other tests are run
                failed += 1
                print(f"FAILED  {name}\n{traceback.format_exc()}")
    sys.exit(1 if failed else 0)
