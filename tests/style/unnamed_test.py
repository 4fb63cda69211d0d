# SPDX-License-Identifier: BSD-2-Clause
"""No function of an unnamed namespace is called like one that its file defines for others: in an FMU with sources all files are
one translation unit, in which the names of unnamed namespaces are replaced. Usage: unnamed_test.py ROOT"""
import os
import re
import sys

from project_files import project_files

FOLDERS = (os.path.join("solver", "src") + os.sep, os.path.join("fmu-export", "src") + os.sep)
DEFINITION = re.compile(r"[A-Za-z][\w:<>&*,\[\] ]*[ &*](\w+)\(")  # at the beginning of a line, as clang-format writes them
STATEMENTS = ("return ", "throw ", "using ", "namespace ")


def names(text):
    """Those in unnamed namespaces, and the others."""
    unnamed, others = set(), set()
    inside = False
    for line in text.splitlines():
        inside = (inside or line.startswith("namespace {")) and not line.startswith("}  // namespace")
        found = DEFINITION.match(line)
        if found and not line.startswith(STATEMENTS):
            (unnamed if inside else others).add(found[1])
    return unnamed, others


def main(root):
    wrong = 0
    functions = 0
    for path in project_files(root):
        if not path.startswith(FOLDERS) or not path.endswith(".cpp"):
            continue
        with open(os.path.join(root, path), encoding="utf-8") as file:
            unnamed, others = names(file.read())
        functions += len(unnamed)
        for name in sorted(unnamed & others):
            print(f"{path}: {name} stands in the unnamed namespace and outside of it")
            wrong += 1
    return 1 if wrong or functions == 0 else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
