# SPDX-License-Identifier: BSD-2-Clause
"""Parts, and the folders inside solver/, include only what the tables in CONTRIBUTING.md allow. Usage: layers_test.py ROOT"""
import os
import re
import sys

from project_files import cpp_files

MAY_INCLUDE = {
    "fmi": set(),
    "solver": set(),
    "fmu-export": {"fmi", "solver"},
    "importer": {"fmi", "solver"},
    "cli": {"fmi", "solver", "importer", "fmu-export"},
    "reference-fmus": {"fmi", "solver", "fmu-export"},
}
# Inside solver/, from the bottom to the top. A header beside the folders is the front door: it belongs to the top one.
SOLVER_MAY_INCLUDE = {
    "core": set(),
    "linear": {"core"},
    "autodiff": {"core", "linear"},
    "modeling": {"core", "autodiff"},
    "integrators": {"core", "linear"},
    "events": {"core", "integrators"},
    "switching": {"core", "events"},
    "dae": {"core", "linear", "autodiff"},
    "multibody": {"core", "autodiff"},
    "control": {"core", "modeling", "integrators", "events", "switching", "dae"},
}
TOP = "control"
INCLUDE = re.compile(r'^\s*#\s*include\s*[<"](saltus/[^>"]+)[>"]', re.MULTILINE)
VERSION = re.compile(r"fmi[0-9]")
PRIVATE_INCLUDE = re.compile(r'^\s*#\s*include\s*"([^"]+)"', re.MULTILINE)


def part_of(header):
    """The part that a public header, as it is included, belongs to."""
    folder = header.split("/")[1]
    return {"fmi": "fmi", "importer": "importer", "fmu_export": "fmu-export"}.get(folder, "solver")


def solver_folder(path):
    """The folder inside solver/ of a file, given below include/ or src/."""
    return path.split("/")[0] if "/" in path else TOP


def wrong_includes_of_part(path, text):
    part = path.split(os.sep)[0]
    if part not in MAY_INCLUDE:
        return
    for header in INCLUDE.findall(text):
        if part_of(header) not in MAY_INCLUDE[part] | {part}:
            yield f"{path} includes {header}: {part} may not know {part_of(header)}"


def wrong_includes_in_solver(path, text, sources):
    if not path.startswith("solver/"):
        return
    folder = solver_folder(re.sub(r"^solver/(src|include/saltus)/", "", path))
    if folder not in SOLVER_MAY_INCLUDE:
        yield f"{path}: solver/ has no folder {folder}"
        return
    for header in PRIVATE_INCLUDE.findall(text):
        if header.startswith("saltus/"):
            other = solver_folder(header.removeprefix("saltus/"))
        elif f"solver/src/{header}" in sources:
            other = solver_folder(header)
        else:
            continue  # a neighbour
        if other not in SOLVER_MAY_INCLUDE[folder] | {folder}:
            yield f"{path} includes {header}: {folder} may not know {other}"


def wrong_includes_in_fmu_export(path, text):
    """Below the versions of FMI stands an instance of no version; only the program that writes descriptions has both."""
    if not path.startswith("fmu-export/src/") or path == "fmu-export/src/describe_main.cpp":
        return
    own = VERSION.match(path.removeprefix("fmu-export/src/"))
    for header in PRIVATE_INCLUDE.findall(text):
        other = VERSION.match(header.removeprefix("saltus/fmi/"))
        if other and not (own and own[0] == other[0]):
            yield f"{path} includes {header}: only fmu-export/src/{other[0]} may know FMI's version {other[0][-1]}"


def main(root):
    files = list(cpp_files(root))
    wrong = []
    for path in files:
        with open(os.path.join(root, path), encoding="utf-8") as file:
            text = file.read()
        wrong += wrong_includes_of_part(path, text)
        wrong += wrong_includes_in_solver(path, text, set(files))
        wrong += wrong_includes_in_fmu_export(path, text)
    print("\n".join(wrong))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
