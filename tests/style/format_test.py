# SPDX-License-Identifier: BSD-2-Clause
"""Every C and C++ file is as clang-format 14 writes it. Usage: format_test.py ROOT"""
import re
import shutil
import subprocess
import sys

from project_files import cpp_files

SKIPPED = 77
PROGRAM = "clang-format-14"  # another version formats differently


def main(root):
    if not shutil.which(PROGRAM):
        print(f"skipped: {PROGRAM} is missing; install the package of that name")
        return SKIPPED
    files = cpp_files(root)
    check = subprocess.run([PROGRAM, "--dry-run", "-Werror", *files], cwd=root, capture_output=True, text=True,
                           check=False)
    wrong = sorted(set(re.findall(r"^(.+?):\d+:\d+: error:", check.stderr, re.MULTILINE)))
    if check.returncode != 0 and not wrong:
        print(check.stderr)
        return 1
    print(f"{len(files)} files, {len(wrong)} formatted otherwise")
    if wrong:
        print(f"remedy: {PROGRAM} -i {' '.join(wrong)}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
