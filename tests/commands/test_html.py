"""`--html`: one file that a browser shows as it is; well-formed, linked, escaped, whole."""

from __future__ import annotations

import re
from collections import Counter
from html.parser import HTMLParser

import pytest

from quizapp.domain.errors import ENVIRONMENT, FINDINGS, OK, USAGE
from tests.batch.classes import RIGHT, SUBMISSIONS, write_files, write_pack
from tests.commands.program import ROOT
from tests.commands.test_profile import HEAD, ONE, PADDED, UNPADDED

VOID = ("meta", "br")
RACE = HEAD + ONE.format("    s[t] = a[t]\n    out[t] = s[63 - t]  # <script>alert(1)</script>")
KERNELS = ROOT / "content" / "shared-memory" / "kernels"


class Page(HTMLParser):
    """A page, read strictly: what is opened is closed, in its order."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.seen: Counter[str] = Counter()
        self.ids: list[str] = []
        self.targets: list[str] = []
        self.external: list[str] = []
        self.shown = ""
        self.feed(text)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag, attrs):
        self.seen[tag] += 1
        if tag not in VOID:
            self.open.append(tag)
        for name, value in attrs:
            if name == "id":
                self.ids.append(value)
            if name == "href" and value.startswith("#"):
                self.targets.append(value[1:])
            elif name in ("href", "src", "action") or name.startswith("on"):
                self.external.append(value)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        self.shown += data


@pytest.fixture
def page(quiz, tmp_path):
    """Call `quiz` with `--html`: the page that it wrote."""

    def call(*arguments, status=OK, **variables) -> Page:
        done = quiz(*arguments, "--html", "page.html", **variables)
        assert done.returncode == status, done.stderr
        text = (tmp_path / "page.html").read_text("utf-8")
        assert [path.name for path in tmp_path.glob(".page*")] == []  # renamed
        found = Page(text)
        assert found.external == []
        assert not found.seen["script"]
        assert not re.search(r"https?://(?!www\.w3\.org/2000/svg)|@import|url\(", text)
        assert sorted(set(found.ids)) == sorted(found.ids)
        assert set(found.targets) <= set(found.ids)
        return found

    return call


def test_a_class_has_what_fails_most_known_mistakes_and_every_verdict(page, home, tmp_path):
    write_pack(home / "content")
    folder = write_files(tmp_path / "class", {**SUBMISSIONS, "<b>/double.py": RIGHT})
    found = page("grade", "--all", str(folder))
    assert "13 submissions · 4 passed · 9 failed" in found.shown
    assert found.seen["details"] == 13
    assert {"q0", "q1", "q0s0", "q1s1"} < set(found.targets)
    assert len(set(found.targets)) == 2 + 13  # questions and verdicts
    assert re.search(r"Graded on \d{4}-\d\d-\d\d \d\d:\d\d; seed \d+", found.shown)
    assert "out of bounds" in found.shown
    assert not re.search(r"findings: |counts: |runs: ", found.shown)
    assert "An even pitch." in found.shown
    assert "index 77 is out of bounds: " in found.shown  # of a verdict behind its line
    assert "0 passed: 8 students" in found.shown
    assert "✓ <b>" in found.shown


def test_a_profile_has_source_counts_maps_and_the_verdict(page, tmp_path):
    (tmp_path / "script.py").write_text(UNPADDED, "utf-8")
    found = page("profile", "script.py")
    assert "no faults in 1 launch; transpose line" in found.shown
    for line in UNPADDED.split("@cuda.jit")[1].split("\n\n")[0].splitlines()[1:]:
        assert line in found.shown
    assert "32-way" in found.shown
    assert found.seen["svg"] == 1
    assert "bank 0, wavefront 32: lanes 31" in found.shown


def test_scattered_sectors_have_a_map(page, tmp_path):
    text = HEAD + (
        "\n\n@cuda.jit\ndef spread(out):\n    out[cuda.grid(1) * 16] = 1\n\n\n"
        "spread[1, 32](np.zeros(512, np.float32))\n"
    )
    (tmp_path / "script.py").write_text(text, "utf-8")
    found = page("profile", "script.py")
    assert found.seen["svg"] == 1
    assert found.seen["rect"] == 2 * 32  # a sector and the element in it, for each lane
    assert "bytes 1984 to 2015" in found.shown


def test_a_finding_links_to_both_of_its_lines_and_they_to_it(page, tmp_path):
    (tmp_path / "script.py").write_text(RACE, "utf-8")
    found = page("profile", "script.py", status=FINDINGS)
    [finding] = {target for target in found.targets if "-f" in target}
    assert found.targets.count(finding) == 2
    lines = [RACE.splitlines().index(line) + 1 for line in RACE.splitlines() if "s[" in line]
    assert {f"k1-0-{line}" for line in lines} <= set(found.targets)
    assert "# <script>alert(1)</script>" in found.shown  # as text


def test_a_comparison_has_the_facts_that_a_terminal_shows(page, quiz, tmp_path):
    mended = RACE.replace("    out", "    cuda.syncthreads()\n    out")
    (tmp_path / "old.py").write_text(RACE + UNPADDED, "utf-8")
    (tmp_path / "new.py").write_text(mended + PADDED, "utf-8")
    shown = quiz("profile", "new.py", "--against", "old.py").stdout
    _, section = page("profile", "new.py", "--against", "old.py").shown.split("old report\n", 1)
    facts = [line.split("  ") for line in shown.splitlines()[2:] if line.startswith("  ")]
    assert {"better", "more", "fixed"} <= {fact[1] for fact in facts}
    for fact in facts:
        assert "".join(part.strip() for part in fact) in section


def test_a_script_that_changed_since_is_shown_as_it_was(page, tmp_path):
    text = UNPADDED + "import pathlib\npathlib.Path(__file__).write_text('pass')\n"
    (tmp_path / "script.py").write_text(text, "utf-8")
    found = page("profile", "script.py")
    assert "out[y, x] = tile[tx, ty]" in found.shown
    assert "import numpy" not in found.shown


@pytest.mark.parametrize("language", ["en", "zh"])
def test_an_expression(page, language):
    found = page(
        "banks", "tile[threadIdx.x][threadIdx.y]", "--block", "32x8", "--tile", "32x32",
        "--search", QUIZ_LANGUAGE=language,
    )  # fmt: skip
    assert found.seen["svg"] == 1
    assert "row * 32 + (col ^ row)" in found.shown


def test_a_kernel_with_its_source_and_map(page, tmp_path):
    solution = (KERNELS / "transpose-padded" / "solution.py").read_text("utf-8")
    wrong = tmp_path / "unpadded.py"
    wrong.write_text(solution.replace("TILE + 1", "TILE"), "utf-8")
    assert wrong.read_text("utf-8") != solution
    found = page("grade", "kernel-transpose-padded", wrong, "--no-gpu", status=FINDINGS)
    assert "kernel-transpose-padded: not passed" in found.shown
    for line in wrong.read_text("utf-8").splitlines():
        assert line in found.shown
    assert found.seen["svg"] == 1


def test_a_layout_with_a_map_for_each_access(page, tmp_path):
    (tmp_path / "mine.py").write_text("row * 32 + col", "utf-8")
    found = page("grade", "place-column-with-padding", "mine.py", status=FINDINGS)
    assert found.seen["svg"] == 2


@pytest.mark.parametrize(
    "arguments",
    [
        ("banks", "--trace", "accesses.csv"),
        ("grade", "kernel-transpose-padded"),
        ("grade", "spot-missing-barrier", "--line", "1", "--fault", "race"),
    ],
)
def test_without_a_verdict_there_is_no_page(quiz, tmp_path, arguments):
    done = quiz(*arguments, "--html", "page.html")
    assert done.returncode == USAGE
    assert "--html" in done.stderr
    assert not (tmp_path / "page.html").exists()


def test_a_page_that_cannot_be_written_is_one_line(quiz, tmp_path):
    done = quiz("banks", "threadIdx.x", "--html", f"{'long' * 100}.html")
    assert done.returncode == ENVIRONMENT
    assert done.stderr.startswith("quiz: ")


def test_a_page_survives_a_long_line_and_a_strange_name(page, tmp_path):
    name = "k\udcff<b>&'.py"
    text = HEAD + ONE.format(
        f"    if t < 64 and {' and '.join(['True'] * 900)}:\n        out[t] = t"
    )
    (tmp_path / name).write_text(text, "utf-8")
    found = page("profile", name, "--sarif", "log.sarif")
    assert not found.seen["b"]
    assert "out[t] = t" in found.shown
