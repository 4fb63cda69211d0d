# SPDX-License-Identifier: BSD-2-Clause
"""Parts include only the parts that the table in CONTRIBUTING.md allows. Usage: layers_test.py ROOT"""
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
}
INCLUDE = re.compile(r'^\s*#\s*include\s*[<"](saltus/[^>"]+)[>"]', re.MULTILINE)


def part_of(header):
    """The part that a public header, as it is included, belongs to."""
    folder = header.split("/")[1]
    return {"fmi": "fmi", "importer": "importer", "fmu_export": "fmu-export"}.get(folder, "solver")


def main(root):
    wrong = 0
    for path in cpp_files(root):
        part = path.split(os.sep)[0]
        if part not in MAY_INCLUDE:
            continue
        with open(os.path.join(root, path), encoding="utf-8") as file:
            for header in INCLUDE.findall(file.read()):
                if part_of(header) not in MAY_INCLUDE[part] | {part}:
                    print(f"{path} includes {header}: {part} may not know {part_of(header)}")
                    wrong += 1
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
