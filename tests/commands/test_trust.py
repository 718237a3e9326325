"""`quiz trust`, and every command that would run a foreign pack's Python before it."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from grader.kernels import Referee
from quizapp.deck.content import load_deck
from quizapp.deck.installing.consent import find_held_back
from quizapp.domain.errors import DATA, FINDINGS, INTERRUPTED, OK, USAGE
from quizapp.system.config import load
from quizapp.system.paths import find_paths, shipped_content
from quizapp.system.trust import Trust, digest, read_trust, runnable
from tests.foreign import foreign_pack, reference_of

QUESTION = "strange/kernel-saxpy"
SOLUTION = shipped_content() / "shared-memory/kernels/saxpy/solution.py"


@pytest.fixture
def pack(tmp_path, inside, monkeypatch) -> Path:
    """A foreign pack, named by the setting."""
    folder = tmp_path / "packs"
    monkeypatch.setenv("QUIZ_CONTENT", str(folder))
    return foreign_pack(folder)


@pytest.fixture
def asked(monkeypatch) -> list[str]:
    """References that reach the process that would run them."""
    sent: list[str] = []
    ask = Referee._ask

    def recorded(self, request, *more):
        sent.append(request.problem.reference)
        return ask(self, request, *more)

    monkeypatch.setattr(Referee, "_ask", recorded)
    return sent


def test_grading_runs_nothing_before_consent(pack, inside, asked):
    said = inside("grade", QUESTION, SOLUTION, "--no-gpu")
    assert said.status == DATA
    assert said.err == (
        f"quiz: {QUESTION} runs Python from a pack that is not yours\n"
        "  `quiz trust strange` shows what would run, and asks\n"
    )
    assert asked == []
    assert inside("grade", QUESTION).status == OK  # what it asks may be read
    assert inside("trust", "strange", "--yes").status == OK
    assert inside("grade", QUESTION, SOLUTION, "--no-gpu").status == OK
    assert asked


def test_a_class_runs_nothing_before_consent_either(pack, inside, tmp_path):
    (tmp_path / "class/ann/strange").mkdir(parents=True)
    shutil.copy(SOLUTION, tmp_path / "class/ann/strange/kernel-saxpy.py")
    said = inside("grade", "--all", "class", "--out", "r.csv")
    assert said.status == FINDINGS
    assert "refused,,trust.not-yours," in (tmp_path / "r.csv").read_text()
    assert inside("trust", "strange", "--yes").status == OK
    assert inside("grade", "--all", "class").status == OK


def test_a_change_of_the_code_makes_consent_void(pack, inside, asked):
    assert inside("trust", "strange", typed="yes\n").status == OK
    assert inside("trust").out.split() == ["strange", "agreed"]
    with reference_of(pack).open("a") as file:
        file.write("# changed\n")
    assert inside("trust").out.split()[:3] == ["strange", "1", "question"]
    assert inside("grade", QUESTION, SOLUTION, "--no-gpu").status == DATA
    assert asked == []
    other = SOLUTION.parents[1] / "dot-product" / "solution.py"
    assert inside("grade", "strange/kernel-dot-product", other, "--no-gpu").status == OK


def test_it_shows_what_would_run_and_asks(pack, inside):
    said = inside("trust", "strange", typed="no\n")
    assert said.status == INTERRUPTED
    size = reference_of(pack).stat().st_size
    (row,) = [line.split() for line in said.out.splitlines() if f"{QUESTION} " in line][:1]
    assert row[:2] == [QUESTION, "reference.py"]
    assert row[3] == str(size)
    assert str(pack / "saxpy") in said.out
    assert "cannot read your files" in said.out or "Nothing on this machine stops" in said.out
    assert not find_paths().trusted.exists()
    nobody = inside("trust", "strange")
    assert (nobody.status, "--yes" in nobody.err) == (USAGE, True)
    code = inside("trust", "strange", "--code").out
    assert f"# {reference_of(pack)}\n{reference_of(pack).read_text()}\n" in code


def test_withdrawn_consent_is_gone(pack, inside):
    inside("trust", "strange", "--yes")
    assert inside("trust", "strange", "--withdraw").err == "strange no longer runs.\n"
    assert "2 questions skipped" in inside("trust").out
    assert inside("trust", "strange", "--withdraw").err == "You had not agreed to strange.\n"


def test_a_pack_that_needs_no_consent_is_told_apart_from_none(pack, inside):
    assert "runs no Python that is not yours" in inside("trust", "shared-memory").err
    assert inside("trust", "strang").err.endswith("did you mean 'strange'?\n")


def test_lint_ends_with_3_and_names_the_command(tmp_path, pack, inside, asked, monkeypatch):
    monkeypatch.setattr("quizapp.deck.content.shipped_content", lambda: tmp_path / "none")
    said = inside("lint")
    assert said.status == DATA
    assert said.err.endswith("Not proven: 2 kernels of pack strange; run `quiz trust strange`.\n")
    assert json.loads(inside("lint", "--json").out)["held_back"] == {"strange": 2}
    assert asked == []


@pytest.mark.parametrize(
    "how",
    [
        *("named", "agreed"),
        *(pytest.param(how, marks=pytest.mark.long) for how in ("--trust", "own")),
    ],
)
def test_lint_runs_what_is_named_agreed_to_or_own(pack, inside, asked, monkeypatch, how):
    monkeypatch.setattr("quizapp.deck.content.shipped_content", lambda: pack / "none")
    (pack / "saxpy" / "wrong" / "extra.py").write_text("x = 1\n")  # a finding
    if how == "agreed":
        inside("trust", "strange", "--yes")
    if how == "own":
        monkeypatch.delenv("QUIZ_CONTENT")
        foreign_pack(find_paths().own_content)
    arguments = {"named": [pack / "dot-product"], "--trust": ["--trust"]}.get(how, [])
    said = inside("lint", *arguments)
    assert said.status == (FINDINGS if how in ("--trust", "agreed") else OK), said.err
    assert asked
    assert find_paths().trusted.exists() is (how == "agreed")


def test_a_folder_beside_ones_own_is_not_ones_own(tmp_path, pack, inside):
    trust = Trust((str(tmp_path / "own"),))
    assert trust.owns(str(tmp_path / "own" / "pack" / "q.yaml"))
    assert not trust.owns(str(tmp_path / "own" / ".." / "pack" / "q.yaml"))
    assert not trust.owns(str(tmp_path / "owner" / "pack" / "q.yaml"))


def test_a_damaged_consent_runs_nothing(pack, inside, asked):
    for text in ("", "[]", '{"packs": [1]}', '{"packs": {"strange": 7}}', "[" * 100_000):
        find_paths().data.mkdir(exist_ok=True)
        find_paths().trusted.write_text(text)
        said = inside("grade", QUESTION, SOLUTION, "--no-gpu")
        assert (said.status, str(find_paths().trusted) in said.err) == (DATA, True), text
    assert asked == []


def test_everything_that_runs_is_in_the_digest(pack, inside):
    deck = load_deck(find_paths(), load(find_paths().config))
    question = deck.question(QUESTION)
    files = {
        path.relative_to(pack / "saxpy").as_posix(): path.read_text()
        for path in (pack / "saxpy").rglob("*.*")
        if path.suffix in {".py", ".cu"} and path.stem != "starter"  # only ever interpreted
    }
    edits = {name: text for name, text in runnable(question).items() if name not in files}
    assert runnable(question) == files | edits
    assert {name.partition("/")[0] for name in edits} == {"wrong"}
    digests = {digest(question)}
    for name in files:
        path = pack / "saxpy" / name
        path.write_text(path.read_text() + "\n#")
        digests.add(digest(load_deck(find_paths(), load(find_paths().config)).question(QUESTION)))
    assert len(digests) == len(files) + 1


def test_the_deck_holds_back_foreign_kernels_only(pack, inside):
    deck = load_deck(find_paths(), load(find_paths().config))
    assert find_held_back(deck, read_trust(find_paths())).packs == {"strange": 2}


def test_doctor_and_due_name_it(pack, inside):
    found = json.loads(inside("doctor", "--json").out)["findings"]
    (one,) = [finding for finding in found if finding["what"]["code"] == "doctor.held-back"]
    assert one["health"] == "note"
    assert one["what"] == {"code": "doctor.held-back", "fields": {"n": 2, "pack": "strange"}}
    assert {f["name"] for f in found if f["section"] == "confinement"} >= {
        "landlock", "seccomp", "parent",
    }  # fmt: skip
    assert json.loads(inside("due", "--json").out)["held_back"] == {"strange": 2}


def test_a_copy_is_not_made_before_consent(pack, inside, monkeypatch):
    """A copy would be one's own, and its code would run unseen."""
    monkeypatch.setattr("quizapp.deck.writing.overlay._in_place", lambda _: False)
    monkeypatch.setenv("EDITOR", "true")
    monkeypatch.setattr("quizapp.commands.questions.edit.require_terminal", lambda *_: None)
    said = inside("edit", QUESTION)
    assert (said.status, "`quiz trust strange`" in said.err) == (DATA, True)
    assert not find_paths().own_content.exists()
    inside("trust", "strange", "--yes")
    assert inside("edit", QUESTION).status == OK
