# SPDX-License-Identifier: BSD-2-Clause
"""Every file that can carry a comment names its licence once, in one of its first two lines (the second one where the
first belongs to a shell or to XML). Usage: licence_test.py ROOT"""
import os
import sys

from project_files import project_files

LINE = "SPDX-License-Identifier: BSD-2-Clause"

# Text for people; what has no comments; data; and what other programs want to find as it is.
EXEMPT_SUFFIXES = (".md", ".calls", ".json", ".csv", ".svg", ".png", ".fmu", ".zip", ".out", ".expected", ".map")
EXEMPT_NAMES = ("LICENSE", ".gitignore", ".gitattributes", ".clang-format", ".clang-tidy", ".editorconfig")
EXEMPT_FOLDERS = (os.path.join("tests", "data") + os.sep,)


def main(root):
    wrong = []
    for path in project_files(root):
        if (path.endswith(EXEMPT_SUFFIXES) or os.path.basename(path) in EXEMPT_NAMES
                or path.startswith(EXEMPT_FOLDERS)):
            continue
        with open(os.path.join(root, path), encoding="utf-8", errors="replace") as file:
            head = [next(file, ""), next(file, "")]
        if sum(LINE in line for line in head) != 1:
            wrong.append(path)
    for path in wrong:
        print(f"{path}: no line with \"{LINE}\"")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
