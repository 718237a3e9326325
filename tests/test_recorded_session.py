"""The screens and plain mode log the same: one recorded session, every kind, field by field."""

from __future__ import annotations

from pathlib import Path

import pytest
from msgspec.structs import asdict

from quizapp.deck.deck import Deck, load
from quizapp.domain.log.events import Answered
from quizapp.domain.rating import Rule
from tests.created_database import create_once
from tests.deck.tools import KERNEL_FILES, kernel_folder, question, write
from tests.recorded import (
    Choose,
    Cover,
    GiveUp,
    Hint,
    Name,
    Rate,
    Step,
    Submit,
    Sure,
    Type,
    Write,
    in_plain_mode,
    on_screens,
)
from tests.tui.at_rest import rest_at_once
from tests.tui.parsed_styles import parse_once
from tests.tui.unpainted import paint_nothing

LAYOUT = "def index(row, col):\n    return row * 33 + col"
KERNEL = KERNEL_FILES["solution.py"].rstrip("\n")
THREE = KERNEL.replace("2 *", "3 *")
HINTS = "[First., Second.]"

SESSIONS: dict[str, tuple[str, list[Step]]] = {
    "choice": ("choice", [Choose(4.394, (1,)), Sure(20, 3), Rate(5)]),
    "choice, away for ten minutes": ("choice", [Hint(3), Choose(600, (2,)), Sure(9, 1), Rate(1)]),
    "choice, overridden": ("choice", [Choose(7, (1,)), Sure(1, 2), Rate(2, 2)]),
    "number": ("number", [Type(12, "32"), Sure(61, 2), Rate(2)]),
    "number, guessed": ("number", [Type(12, "32"), Sure(61, 1), Rate(2)]),
    "number, not understood at first": (
        "number", [Type(5, "3x"), Type(7, "32"), Sure(1, 2), Rate(2)],
    ),
    "number, given up": ("number", [Hint(4), Hint(4), GiveUp(70), Rate(2)]),
    "trace": ("trace", [Hint(2), Type(30, "1"), Sure(4, 1), Rate(3)]),
    "recall": (
        "recall",
        [Write(45, "A slice of\na big file."), Submit(80), Sure(9, 2), Cover(25, (1, 2)), Rate(1)],
    ),
    "recall, nothing written and one point": (
        "recall",
        [Submit(33), Sure(1, 3), Cover(12, (1,)), Rate(2, 1)],
    ),
    "recall, guessed": (
        "recall",
        [Submit(33), Sure(4, 1), Cover(12, (1, 2)), Rate(2)],
    ),
    "spot": ("spot", [Name(50, 6, 1), Sure(8, 3), Rate(1)]),
    "spot, wrong line": ("spot", [Hint(9), Name(50, 1, 2), Sure(8, 3), Rate(1, 3)]),
    "spot, given up": ("spot", [GiveUp(8), Rate(1)]),
    "index": ("index", [Write(40, LAYOUT), Submit(10), Rate(2)]),
    "index, two syntax errors": (
        "index",
        [
            Write(20, "row +"), Submit(1), Write(10, "row * )"), Submit(1),
            Write(15, LAYOUT), Submit(2), Rate(2),
        ],
    ),
    "index, failed twice": (
        "index",
        [
            Write(20, "row"), Submit(5), Hint(3), Write(10, "col"), Submit(70),
            Write(15, LAYOUT), Submit(2), Rate(2, 3),
        ],
    ),
    "index, given up at once": ("index", [GiveUp(25), Rate(2)]),
    "index, given up after a failure": ("index", [Write(5, "row"), Submit(5), GiveUp(9), Rate(2)]),
    "kernel": ("kernel", [Hint(5), Write(90, KERNEL), Submit(10), Rate(2)]),
    "kernel, two syntax errors": (
        "kernel",
        [
            Write(20, "def double(a, out:"), Submit(1), Write(10, "def )"), Submit(1),
            Write(15, KERNEL), Submit(2), Rate(2),
        ],
    ),
    "kernel, failed once and given up": (
        "kernel", [Write(20, THREE), Submit(1), GiveUp(40), Rate(2)],
    ),
}  # fmt: skip


@pytest.fixture(autouse=True)
def nothing_twice(monkeypatch: pytest.MonkeyPatch) -> None:
    """As in tests of the screens, of which this one needs no picture."""
    create_once(monkeypatch)
    parse_once(monkeypatch)
    paint_nothing(monkeypatch)
    rest_at_once(monkeypatch)


@pytest.fixture(scope="module")
def deck(tmp_path_factory: pytest.TempPathFactory) -> Deck:
    """One question of every kind, with hints."""
    root = tmp_path_factory.mktemp("recorded")
    kernel_folder(root)
    one = [question(kind, hints=HINTS) for kind in ("number", "choice", "recall", "trace")]
    write(root, "pack/a.yaml", "".join(one))
    write(root, "pack/b.yaml", question("index", hints=HINTS) + question("spot", hints=HINTS))
    return load([str(root)], str(root / "cache" / "deck"))


@pytest.mark.parametrize("name", SESSIONS)
async def test_screens_and_plain_mode_log_the_same(name: str, deck: Deck, tmp_path: Path) -> None:
    kind, steps = SESSIONS[name]
    plain = in_plain_mode(tmp_path / "plain", deck, f"pack/a-{kind}", steps)
    screens = await on_screens(tmp_path / "screens", deck, f"pack/a-{kind}", steps)
    assert [type(body) for body in plain] == [type(body) for body in screens]
    for ours, theirs in zip(plain, screens, strict=True):
        assert asdict(ours) == asdict(theirs)


@pytest.mark.parametrize(
    ("name", "seconds", "failures", "rule"),
    [
        ("choice", 4.394, 0, Rule.UNAIDED),  # the next 20 s went to "how sure?"
        ("choice, away for ten minutes", 3 + 60, 0, Rule.WRONG),
        ("recall", 45 + 60 + 25, 0, Rule.COVERED_MOST),
        ("recall, guessed", 33 + 12, 0, Rule.GUESSED),
        ("number, guessed", 12, 0, Rule.GUESSED),
        ("index, two syntax errors", 49, 0, Rule.UNAIDED),
        ("kernel, two syntax errors", 49, 0, Rule.UNAIDED),
        ("index, failed twice", 20 + 5 + 3 + 10 + 60 + 15 + 2, 2, Rule.HINT_USED),
        ("kernel, failed once and given up", 20 + 1 + 40, 1, Rule.GAVE_UP),
    ],
)
def test_idle_time_grading_and_what_did_not_run_cost_nothing(
    name: str, seconds: float, failures: int, rule: Rule, *, deck: Deck, tmp_path: Path
) -> None:
    kind, steps = SESSIONS[name]
    bodies = in_plain_mode(tmp_path / "plain", deck, f"pack/a-{kind}", steps)
    (answer,) = (body for body in bodies if isinstance(body, Answered))
    assert (answer.duration_ms, answer.failures) == (round(seconds * 1000), failures)
    assert answer.rule is rule


def test_a_lucky_guess_comes_back_sooner_than_an_answer_that_was_known(deck, tmp_path):
    fairly, guessed = (
        in_plain_mode(tmp_path / name, deck, "pack/a-number", SESSIONS[name][1])[-1]
        for name in ("number", "number, guessed")
    )
    assert isinstance(fairly, Answered)
    assert isinstance(guessed, Answered)
    assert guessed.correct
    assert guessed.due_day < fairly.due_day
