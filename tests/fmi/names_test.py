# SPDX-License-Identifier: BSD-2-Clause
"""Our header of a version of FMI names everything that the official headers name, and nothing else.

The compiler has already proven that what we name is the same (fmi1_equals_official_test.cpp and so on). What is
left is completeness: the functions of our list, printed by a program made from it, against the
functions that the official text declares for export; and all other names in both texts.
"""

import argparse
import pathlib
import re
import subprocess
import sys

# Names of the official headers that are no part of the interface: the machinery of FMI3_FUNCTION_PREFIX
# (only for FMUs linked statically, which we do not make), file names, include guards, and in FMI 2.0 the name of a
# parameter, which is no name of ours.
NO_INTERFACE = re.compile(
    r"fmi[123](FullName|Paste|PasteB|(PlatformTypes|TypesPlatform|FunctionTypes|Functions)_h|"
    r"PlatformTypes|FunctionTypes|Functions|eventInfo)$"
)

# The official headers of each version.
HEADERS = {
    "fmi1": ("fmi1Functions.h",),
    "fmi2": ("fmi2TypesPlatform.h", "fmi2FunctionTypes.h", "fmi2Functions.h"),
    "fmi3": ("fmi3PlatformTypes.h", "fmi3FunctionTypes.h", "fmi3Functions.h"),
}

# Those of FMI 1.0 are one joined header, which declares no functions, only their types, and lacks what only
# Co-Simulation has of the statuses.
FUNCTION = {
    "fmi1": r"typedef\s+[^;()]*\b(fmi1\w+)TYPE\s*\(",
    "fmi2": r"FMI2_Export\s+fmi2\w+TYPE\s+(fmi2\w+)\s*;",
    "fmi3": r"FMI3_Export\s+fmi3\w+TYPE\s+(fmi3\w+)\s*;",
}
NOT_JOINED = {"fmi1Pending"}

# What is left of our names where the list pastes them together: fmi3Get##Type and the like.
PASTED = ("", "Get", "Set")


def without_comments(text):
    text = re.sub(r"/\*.*?\*/", " ", text, flags=re.DOTALL)
    return re.sub(r"//[^\n]*", " ", text)


def names(version, text):
    return set(re.findall(rf"\b{version}\w*", text))


def differences(what, ours, official):
    for name in sorted(official - ours):
        yield f"{what} {name} is in the official headers, not in ours"
    for name in sorted(ours - official):
        yield f"{what} {name} is in our header, not in the official ones"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--version", required=True, choices=sorted(HEADERS))
    parser.add_argument("--our-names", required=True, help="program that prints our functions")
    parser.add_argument("--our-header", required=True, type=pathlib.Path)
    parser.add_argument("--official", required=True, type=pathlib.Path, help="folder of the headers")
    arguments = parser.parse_args()
    version = arguments.version

    printed = subprocess.run(arguments.our_names, check=True, capture_output=True, text=True)
    listed = printed.stdout.split()
    our_functions = set(listed)
    our_text = without_comments(arguments.our_header.read_text(encoding="utf-8"))
    official_text = "".join(
        without_comments((arguments.official / header).read_text(encoding="utf-8"))
        for header in HEADERS[version]
    )
    official_functions = set(re.findall(FUNCTION[version], official_text))

    # The type of a function is derived from its name on both sides, so only the rest is compared.
    function_names = our_functions | official_functions
    function_names |= {name + "TYPE" for name in function_names}
    our_others = {
        name for name in names(version, our_text) - function_names if not NO_INTERFACE.match(name)
    } - {version + part for part in PASTED} - NOT_JOINED
    official_others = {
        name for name in names(version, official_text) - function_names if not NO_INTERFACE.match(name)
    }

    problems = list(differences("function", our_functions, official_functions))
    problems += differences("name", our_others, official_others)
    problems += [f"function {name} is listed twice" for name in our_functions if listed.count(name) > 1]
    if not official_functions:
        problems.append("no exported function found in the official headers: has their form changed?")
    print(f"compared {len(our_functions)} functions and {len(our_others)} other names")
    for problem in problems:
        print(problem)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
