# SPDX-License-Identifier: BSD-2-Clause
"""`saltus export` makes FMUs from sources, and says in few lines what is wrong with those that are none.

usage: export_test.py SALTUS [OTHER_PLATFORM...]
"""
import csv
import math
import os
import pathlib
import subprocess
import sys
import tempfile
import zipfile

saltus = str(pathlib.Path(sys.argv[1]).resolve())
PLATFORMS = sys.argv[2:]

HEAD = """#include "saltus/fmu_export/export_fmu.hpp"
using namespace saltus::modeling;
"""
MODEL = HEAD + """template <class Real> struct Decay {
%s
};
SALTUS_EXPORT_FMU(Decay)
"""
GOOD = """  State<Real> x{"x", {.unit = "m", .start = 2.0, .description = "what is <left> & \\"more\\""}};
  Output<Real> square{"square"};
  void equations(Equations<Real>&) {
    der(x) = -x;
    square = x * x;
  }"""

# Lines of the class, and what is to be read about them. Every message is short.
WRONG = {
    "a function of the standard library": (GOOD.replace("x * x", "std::lgamma(x)"), "std::lgamma(x)", "a model has no lgamma"),
    "a name that is nothing": (GOOD.replace("x * x", "x * z"), "model.cpp:8: ", "was not declared"),
    "two variables of one name": (GOOD.replace('"square"', '"x"'), "two variables are named 'x'"),
    "an output without an equation": (GOOD.replace("square = x * x;", ""), "does not assign the output 'square'"),
    "a start value out of range": (GOOD.replace('"}};', '", .max = 1.0}};', 1), "'x' starts at 2, outside its limits"),
    "a start value that is none": (GOOD.replace(".start = 2.0", ".start = 0.0 / 0.0"), "'x' starts at", "no finite number"),
    "a missing equation": (GOOD.replace("der(x) = -x;", ""), "never assigns der(x)"),
    "an output that a branch leaves without a value": (
        GOOD.replace("square = x * x;", "if (x > 1.9) square = x * x;"), "in its default experiment", "does not assign square"),
    "a clock that never ticks": (
        GOOD + " Discrete<int> n{\"n\"}; void events(Events<Real>& ev) { if (ev.every(-10)) n++; }", "positive interval, not -10"),
    "too few equations": (GOOD.replace("Output<Real> square", 'Algebraic<Real> a{"a"}; Output<Real> square'), "stays free", "a"),
}


def run(*words, **options):
    return subprocess.run([saltus, *map(str, words)], capture_output=True, text=True, **options)


def content(fmu):
    with zipfile.ZipFile(fmu) as archive:
        return [(entry.filename, entry.CRC, entry.date_time) for entry in archive.infolist()]


def check_platforms(folder):
    """This Saltus makes FMUs for the platforms it has libraries for, and says what others would need."""
    source = folder / "model.cpp"
    source.write_text(MODEL % GOOD)
    own = "aarch64-linux" if os.uname().machine in ("aarch64", "arm64") else "x86_64-linux"
    for platform in {"x86_64-linux", "aarch64-linux", "x86_64-windows"}:
        fmu = folder / "one.fmu"
        fmu.unlink(missing_ok=True)
        made = run("export", source, "-o", fmu, "--platform", own, "--platform", platform)
        if platform == own or platform in PLATFORMS:
            assert made.returncode == 0, made.stderr
            assert {name.split("/")[1] for name, *_ in content(fmu) if name.startswith("binaries/")} == {own, platform}
        else:
            assert made.returncode == 1 and not fmu.exists(), made
            assert "SALTUS_PLATFORMS=" + platform in made.stderr.replace("\n", "").replace("  ", " "), made.stderr
    unknown = run("export", source, "--platform", "vax")
    assert unknown.returncode == 2 and "x86_64-windows" in unknown.stderr, unknown


def check_good(folder):
    source = folder / "model.cpp"
    source.write_text(MODEL % GOOD)
    for version in (3, 2):
        fmu = folder / f"with spaces, v{version}.fmu"
        made = run("export", source, "-o", fmu, "--fmi", version)
        assert made.returncode == 0, made.stderr
        assert f"(FMI {version}.0, " in made.stdout and not made.stderr, made
        assert run("validate", fmu).stdout.count("0 errors, 0 warnings, 0 notes") == 1
        out = folder / "out.csv"
        ran = run("simulate", fmu, "--output-file", out, "--no-plot")
        assert ran.returncode == 0, ran.stderr
        with out.open() as file:
            last = list(csv.DictReader(file))[-1]
        assert abs(float(last["square"]) - 4 * math.exp(-2)) < 1e-5, last
    # Twice the same bytes, elsewhere on the globe and by somebody more secretive, and by default the name of the source.
    (folder / "res" / "deep er").mkdir(parents=True)
    (folder / "res" / "deep er" / "a b.txt").write_text("?")
    options = ("--sources", "--resources", folder / "res")
    made = run("export", source, *options, cwd=folder)
    assert made.returncode == 0 and (folder / "model.fmu").exists(), made
    first = (folder / "model.fmu").read_bytes()
    before = os.umask(0o077)
    made = run("export", source, *options, cwd=folder, env={**os.environ, "TZ": "Asia/Tokyo"})
    os.umask(before)
    assert made.returncode == 0, made
    assert (folder / "model.fmu").read_bytes() == first, "two exports of one source differ"
    names = [name for name, *_ in content(folder / "model.fmu")]
    assert names == ["modelDescription.xml", *sorted(names[1:])], names
    assert "resources/deep er/a b.txt" in names, names
    assert {"sources/buildDescription.xml", "sources/model.cpp", "sources/model/model.cpp", "sources/model_saltus.cpp"} <= {*names}
    with zipfile.ZipFile(folder / "model.fmu") as archive:
        for name in names:
            assert str(folder).encode() not in archive.read(name), f"{name} tells where it was made"


def check_arrays(folder):
    source = folder / "model.cpp"
    lines = GOOD.replace("State<Real> x", 'States<Real> q{"q", {1.0, 3.0}};\n  State<Real> x')
    source.write_text(MODEL % lines.replace("der(x) = -x;", "der(x) = -x; der(q[0]) = q[1]; der(q[1]) = -q[0];"))
    fmu = folder / "arrays.fmu"
    for words, has_array in (((), False), (("--arrays",), True)):
        made = run("export", source, "-o", fmu, *words)
        assert made.returncode == 0 and "warning" not in made.stdout, made
        with zipfile.ZipFile(fmu) as archive:
            description = archive.read("modelDescription.xml").decode()
        assert ('<Dimension start="2"/>' in description) == ('name="q"' in description) == has_array, description
        assert run("validate", fmu).stdout.count("0 errors, 0 warnings, 0 notes") == 1
    made = run("export", source, "-o", fmu, "--arrays", "--fmi", 2)
    assert made.returncode == 2 and "FMI 2.0 has no array variables" in made.stderr, made
    # A DAE mode is described by scalars.
    implicit = lines.replace("State<Real> x", 'Algebraics<Real> f{"f", 2};\n  State<Real> x')
    implicit = implicit.replace("Equations<Real>&", "Equations<Real>& eq")
    source.write_text(MODEL % implicit.replace("der(x) = -x;", """der(x) = -x; der(q[0]) = f[1]; der(q[1]) = f[0];
    eq(f[0] + f[1], q[0]); eq(f[0] - f[1], x);"""))
    for words, has_mode in (((), True), (("--arrays",), False)):
        made = run("export", source, "-o", fmu, *words)
        assert made.returncode == 0, made
        assert any("fmi-ls-dae" in name for name, *_ in content(fmu)) == has_mode, content(fmu)
        analysis = run("analyze", fmu).stdout
        assert ("none: its variables are described as arrays" in analysis) != has_mode, analysis
        assert run("validate", fmu).stdout.count("0 errors, 0 warnings, 0 notes") == 1
        recorded = ["f"] if words else ["f[0]", "f[1]"]
        ran = run("simulate", fmu, "--output-file", folder / f"implicit{len(words)}.csv", "--no-plot",
                  *(word for name in recorded for word in ("--output-variable", name)))
        assert ran.returncode == 0, ran.stderr
    assert (folder / "implicit0.csv").read_bytes() == (folder / "implicit1.csv").read_bytes()
    # None to be found is no array, and said.
    source.write_text(MODEL % GOOD)
    made = run("export", source, "-o", fmu, "--arrays")
    assert made.returncode == 0 and "arrays were asked for, and there are none" in made.stdout, made


def check_wrong(folder):
    source = folder / "model.cpp"
    for what, (lines, *words) in WRONG.items():
        source.write_text(MODEL % lines)
        made = run("export", source, "-o", folder / "wrong.fmu")
        assert made.returncode == 1, (what, made)
        assert len(made.stderr.splitlines()) <= 15, (what, made.stderr)
        assert not (folder / "wrong.fmu").exists(), what
        for word in words:
            assert word in made.stderr, f"{what}: no word of {word} in\n{made.stderr}"
    # A model in a header: the line of the mistake is there.
    lines = (MODEL % GOOD.replace("x * x", "x * z")).splitlines(keepends=True)
    (folder / "decay.hpp").write_text("".join(lines[:-1]))
    source.write_text('#include "decay.hpp"\n' + lines[-1])
    made = run("export", source, "-o", folder / "wrong.fmu")
    assert made.returncode == 1 and "decay.hpp:8: " in made.stderr and "x * z" in made.stderr, made
    # What is doubtful is said, and becomes an FMU.
    for lines, says in ((GOOD.replace('"m"', '"mm/sss"'), 'unit "mm/sss" is not known'),
                        (GOOD.replace("Equations<Real>&", "Equations<Real>& eq").replace("der(x) = -x;", "eq(x, x);"),
                         "follow from the others; remove what repeats")):
        source.write_text(MODEL % lines)
        made = run("export", source, "-o", folder / "doubtful.fmu")
        assert made.returncode == 0 and says in made.stdout, made


def check_usage(folder):
    source = folder / "model.cpp"
    source.write_text(HEAD + "int nothing;\n")
    made = run("export", source, "-o", folder / "wrong.fmu")
    assert made.returncode == 1 and "no source says SALTUS_EXPORT_FMU" in made.stderr, made
    made = run("export", folder / "missing.cpp")
    assert made.returncode == 2 and "there is no file" in made.stderr, made
    (folder / "model.hpp").write_text(MODEL % GOOD)
    made = run("export", folder / "model.hpp")
    assert made.returncode == 2 and "is a header" in made.stderr and '#include "model.hpp"' in made.stderr, made
    made = run("export", source, "-o", folder / "no" / "such.fmu")
    assert made.returncode == 2 and "there is no folder" in made.stderr, made
    made = run("export", source, "--resources", folder / "nowhere")
    assert made.returncode == 2 and "there is no folder" in made.stderr, made
    (folder / "odd").mkdir()
    (folder / "odd" / "a;b").write_text("?")
    made = run("export", source, "--resources", folder / "odd")
    assert made.returncode == 1 and "with a semicolon in their name" in " ".join(made.stderr.split()), made
    made = run("export", source, "--fmi", "1")
    assert made.returncode == 2 and "--fmi" in made.stderr, made
    made = run("export", source, env={**os.environ, "PATH": str(folder)})
    assert made.returncode == 2 and "cmake cannot be started" in made.stderr, made


with tempfile.TemporaryDirectory() as scratch:
    work = pathlib.Path(scratch) / "a folder"
    temporary = pathlib.Path(scratch) / "temporary"
    work.mkdir()
    temporary.mkdir()
    os.environ["TMPDIR"] = str(temporary)
    check_good(work)
    check_arrays(work)
    check_wrong(work)
    check_usage(work)
    check_platforms(work)
    assert not list(temporary.iterdir()), "something is left behind"
