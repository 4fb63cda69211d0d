# SPDX-License-Identifier: BSD-2-Clause
"""The binary of an FMU contains those parts of the library that its equations need, and no others.

usage: fmu_parts_test.py BINARY {with|without} PART...

A part is known by the name that the C++ runtime keeps of one of its classes, or by a text in it.
"""
import pathlib
import sys

PARTS = {"reduction": b"N6saltus12ReducedModelE", "sliding": b"N6saltus12SlidingModelE", "streams": b"St8ios_base",
         "methods": b"N6saltus19AutomaticIntegratorE", "description": b"fmiModelDescription",
         "texts": b"N6saltus8modeling9TextStoreE", "items": b"it is one of", "integers": b"it has to be from ",
         "arrays": b"; the array around it has ", "sizes": b" are lost, since it has another number of elements"}

content = pathlib.Path(sys.argv[1]).read_bytes()
wanted = None
checked = 0
for word in sys.argv[2:]:
    if word in ("with", "without"):
        wanted = word == "with"
        continue
    assert (PARTS[word] in content) == wanted, f"{sys.argv[1]} {'lacks' if wanted else 'contains'} {word}"
    checked += 1
assert checked > 0
