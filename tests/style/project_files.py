# SPDX-License-Identifier: BSD-2-Clause
"""The files of the project, for checks that look at all of them."""
import os
import subprocess


def project_files(root):
    """Paths below root, relative to it: what Git tracks or would track. Without Git (an archive of the sources),
    every file outside build/."""
    listing = subprocess.run(
        ["git", "-C", root, "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        capture_output=True, check=False)
    if listing.returncode == 0:
        paths = [os.fsdecode(name) for name in listing.stdout.split(b"\0") if name]
    else:
        paths = []
        for folder, folders, names in os.walk(root):
            folders[:] = [f for f in folders if f != ".git" and (folder != root or f != "build")]
            paths += [os.path.relpath(os.path.join(folder, name), root) for name in names]
    # One that is tracked but was just deleted is not there to be read.
    return sorted(path for path in set(paths) if os.path.isfile(os.path.join(root, path)))


def cpp_files(root):
    return [path for path in project_files(root) if path.endswith((".h", ".hpp", ".c", ".cpp"))]
