# SPDX-License-Identifier: BSD-2-Clause
"""An exported FMU is documented: a page that needs nothing else, licences, and the result of its default experiment.

usage: documentation_test.py SALTUS FOLDER_OF_FMUS FOLDER_OF_TEST_FMUS SCRATCH
"""
import csv
import html.parser
import io
import math
import pathlib
import subprocess
import sys
import xml.etree.ElementTree as xml
import zipfile

saltus, shipped, tested, scratch = sys.argv[1:]
REF = "extra/org.fmi-standard.fmi-ls-ref/"
LS = "{http://fmi-standard.org/fmi-ls-manifest}"


class Page(html.parser.HTMLParser):
    """Checks that elements are closed in their order, and keeps the texts by element."""

    def __init__(self, text):
        super().__init__()
        self.open, self.texts, self.tags = [], {}, []
        self.feed(text)
        self.close()
        assert not self.open, self.open

    def handle_starttag(self, tag, attributes):
        self.tags.append((tag, dict(attributes)))
        if tag != "meta":
            self.open.append(tag)
            self.texts.setdefault(tag, []).append("")

    def handle_startendtag(self, tag, attributes):
        self.tags.append((tag, dict(attributes)))
        assert tag in ("rect", "path"), tag  # elements of SVG only

    def handle_endtag(self, tag):
        assert self.open and self.open.pop() == tag, tag

    def handle_data(self, data):
        if self.open:
            self.texts[self.open[-1]][-1] += data


def page_of(archive):
    text = archive.read("documentation/index.html").decode("utf-8")
    assert text.startswith("<!DOCTYPE html>\n") and '<meta charset="utf-8">' in text
    page = Page(text)
    # It loads nothing: there is one link, to a file beside it.
    assert [a for tag, a in page.tags if "src" in a or "href" in a] == [{"href": "licenses/license.txt"}]
    assert not any(tag in ("script", "link", "img", "iframe") for tag, _ in page.tags)
    assert "Saltus" in archive.read("documentation/licenses/license.txt").decode()
    return page


def check_reference(archive, fmu):
    """The manifest names a result; who runs the FMU finds the same."""
    root = xml.fromstring(archive.read(REF + "fmi-ls-manifest.xml"))
    assert root.tag == "fmiReferences" and root.get(LS + "fmi-ls-name") == "org.fmi-standard.fmi-ls-ref"
    assert root.get(LS + "fmi-ls-version") == "1.0.0-alpha.1"
    (related,) = root
    assert related.tag == "Related" and related.get("role") == "result" and related.get("type") == "text/csv"
    rows = list(csv.DictReader(io.StringIO(archive.read(REF + related.get("source")).decode())))
    times = [float(row["time"]) for row in rows]
    assert times == sorted(times) and len(rows) > 10
    output = pathlib.Path(scratch) / "run.csv"
    subprocess.run([saltus, "simulate", fmu, "--interface-type", "cs", "--no-plot", "--output-file", output],
                   check=True, stdout=subprocess.DEVNULL)
    with output.open() as file:
        last = list(csv.DictReader(file))[-1]
    common = [name for name in rows[-1] if name in last and name != "time"]
    assert common
    for name in common:
        # Errors of several steps add up: a hundred times the tolerance of either run.
        assert math.isclose(float(rows[-1][name]), float(last[name]), rel_tol=1e-4, abs_tol=1e-4), (fmu, name)
    return rows[-1]


def documented(fmu):
    with zipfile.ZipFile(fmu) as archive:
        return page_of(archive), check_reference(archive, fmu)


pathlib.Path(scratch).mkdir(parents=True, exist_ok=True)
for version in ("", "fmi2/"):
    ball, last = documented(pathlib.Path(shipped) / f"{version}bouncing_ball.fmu")
    assert ball.texts["h1"] == ["BouncingBall"] and "A ball dropped on a floor" in ball.texts["p"]
    assert ball.texts["pre"][:3] == ["der(h) = v\nder(v) = -g\n", "der(v) = 0\n", "der(v) = -g\n"], ball.texts["pre"]
    assert ball.texts["h3"] == ["Where resting is true"] and "h < 0" in ball.texts["code"]
    assert ball.texts["td"].count("coefficient of restitution") == 1 and "9.81" in ball.texts["td"]
    assert len([tag for tag, _ in ball.tags if tag == "path"]) == 3, "curves"
    assert any("State events: 11" in text for text in ball.texts["p"])
    assert any("MPL-2.0" in text for text in ball.texts["td"]) and "SUNDIALS" not in str(ball.texts)
    assert set(last) == {"time", "h", "der(h)", "v", "der(v)", "resting"}

    # Names and descriptions may be anything, and a run that fails is no reference.
    with zipfile.ZipFile(pathlib.Path(tested) / f"{version}fmu_export_rig.fmu") as archive:
        rig = page_of(archive)
        assert not any(name.startswith(REF) for name in archive.namelist())
    assert any("does not come to its end: Zeno" in text for text in rig.texts["p"])
    assert "a ball, a pull & a lamp" in rig.texts["p"] and 'per "kilogram" <of ball>' in rig.texts["td"]
    assert any("integer variables" in text for text in rig.texts["p"])

    pendulum, _ = documented(pathlib.Path(shipped) / f"{version}pendulum.fmu")
    assert "x*x + y*y = length*length\n" in pendulum.texts["pre"][0]
    assert any("FMI-LS-DAE" in text and "differ by at most" in text for text in pendulum.texts["p"])
