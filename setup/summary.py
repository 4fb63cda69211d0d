# SPDX-License-Identifier: BSD-2-Clause
"""Closes a test run: names what failed and what was skipped, and why, and counts.

Reads the JUnit file that CTest wrote. The last line has the form "12 passed, 0 failed, 1 skipped". Ends with 1 when a
test failed, when none ran, or when one was skipped and CI=true says that nothing may be missing.
"""
import os
import sys
import xml.etree.ElementTree as ET


def message(case):
    skipped = case.find("skipped")
    return skipped.get("message", "") if skipped is not None else ""


def reason(case):
    """A test that skips itself prints why, in a line that begins with "skipped:"."""
    for line in (case.findtext("system-out") or "").splitlines():
        if line.startswith("skipped:"):
            return line[len("skipped:"):].strip()
    return "it does not say why"


def main(path):
    try:
        cases = list(ET.parse(path).getroot().iter("testcase"))
    except (OSError, ET.ParseError) as error:
        print(f"no test results: {error}")
        return 1
    # CTest's words: run, fail, notrun (skipped, or its program is missing), disabled.
    skipped = [c for c in cases if c.get("status") == "notrun" and "SKIP_" in message(c)]
    failed = [c for c in cases if c.get("status") != "run" and c not in skipped]
    passed = len(cases) - len(failed) - len(skipped)
    not_allowed = bool(skipped) and os.environ.get("CI") == "true"

    print()
    for case in failed:
        print(f"failed: {case.get('name')}")
    for case in skipped:
        print(f"skipped: {case.get('name')}: {reason(case)}")
    if not_allowed:
        print("CI=true: a skipped test is a failure")
    print(f"{passed} passed, {len(failed)} failed, {len(skipped)} skipped", flush=True)
    return 1 if failed or not_allowed or not cases else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
