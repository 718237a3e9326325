"""No sentence of a report is wider than the terminal, in either language, measured in its cells."""

from __future__ import annotations

import json
import re

import pytest
from rich.cells import cell_len

from grader import profiles
from quizapp.commands.common.output import print_lines
from quizapp.report.profile import text
from quizapp.report.words import Words
from tests.commands.program import Program
from tests.commands.test_profile import FAULTS, HEAD, UNPADDED

CHANGED = re.compile(r" +\d* [-+] ")
KERNEL = """
@cuda.jit
def {name}(a, out):
    s = cuda.shared.array(64, float32)
    t = cuda.threadIdx.x
{body}


try:
    there = cuda.device_array(64, dtype=np.float32)
    {name}[1, 64](np.ones(64, dtype=np.float32), there)
    there.copy_to_host().sum()
except Exception:
    pass
"""


def faulty_kernels() -> str:
    """A script with a kernel for each kind of fault."""
    kernels = (
        KERNEL.format(name=kind.replace("-", "_"), body="".join(f"    {line}\n" for line in body))
        for kind, body in FAULTS.items()
    )
    return HEAD + "".join(kernels)


@pytest.fixture(scope="module")
def reports(tmp_path_factory):
    """What the emulator says of a slow kernel and of every fault, once."""
    folder = tmp_path_factory.mktemp("scripts")
    quiz, made = Program(folder, {}), []
    for name, source in {"slow.py": UNPADDED, "faulty.py": faulty_kernels()}.items():
        (folder / name).write_text(source, "utf-8")
        done = quiz("profile", folder / name, "--json", "--budget", "2000000")
        launches = profiles.read_launches(json.loads(done.stdout))
        made.append((folder / name, profiles.make_report(launches)))
    return made


@pytest.mark.parametrize("width", [80, 60])
@pytest.mark.parametrize("language", ["en", "zh"])
def test_every_line_fits(reports, language, width, capsys):
    say = Words(language)
    for script, report in reports:
        print_lines(text.report_lines(report, script, width, say), width)
        shown = capsys.readouterr().out.splitlines()
        assert len(shown) > 20
        wide = [line for line in shown if cell_len(line) > width]
        # A line of a change is code that is copied, so it is never folded.
        assert [line for line in wide if not CHANGED.match(line)] == []


def test_both_scripts_have_all_there_is_to_say(reports):
    (_, slow), (_, faulty) = reports
    assert slow.groups[0].proposals
    kinds = {finding.kind for group in faulty.groups for finding in group.launch.findings}
    assert kinds >= FAULTS.keys()
