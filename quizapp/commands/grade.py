"""`quiz grade`: one submission of an exercise, with the verdict that the application gives."""

from __future__ import annotations

import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from quizapp.commands._output import note, print_json, print_lines, print_table, room
from quizapp.commands._params import QUESTION
from quizapp.commands._shared import json_option, read_deck, subcommand, surroundings
from quizapp.errors import FINDINGS, OK, UsageError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from quizapp.domain.question import Index
    from quizapp.exercises.layouts import Checked

POLL_SECONDS = 0.3
LONGEST = 1_000_000
"""Bytes: more is no submission."""


@subcommand(
    "Grade a submission of an exercise, again on each save if you like.",
    "quiz grade",
    "quiz grade place-column-with-padding mine.py",
    "quiz grade place-column-with-padding mine.py --watch",
    "echo 'row * 33 + col' | quiz grade place-column-with-padding - --json",
)
@click.argument("question", type=QUESTION, required=False)
@click.argument("file", type=click.Path(allow_dash=True, path_type=Path), required=False)
@click.option("--watch", is_flag=True, help="Grade it again whenever the file is saved.")
@click.option("--search", is_flag=True, help="Also try the layouts that everybody uses.")
@json_option
def command(
    question: str | None, file: Path | None, *, watch: bool, search: bool, as_json: bool
) -> int:
    """FILE holds a Python `def index(row, col)` or one C expression; - reads standard input.

    It is interpreted, never executed. Nothing is stored. Status 1 if a check is not passed.
    Without QUESTION the exercises are listed; without FILE one is told.
    """
    if question is None:
        return _list(as_json=as_json)
    if file is None:
        return _tell(question)
    entry_id, asked = _exercise(question)
    report = _Report(entry_id, asked, search=search, as_json=as_json)
    if not watch:
        return report.show(_read(file))
    if str(file) == "-":
        raise UsageError("--watch needs a file", "name one; standard input is read once")
    return _watch(file, report)


def _list(*, as_json: bool) -> int:
    """All exercises, the easiest of each topic first."""
    entries = [e for e in read_deck(surroundings()).entries.values() if e.kind == "index"]
    entries.sort(key=lambda entry: (entry.topic, entry.difficulty, entry.id))
    if as_json:
        facts = ("id", "topic", "difficulty")
        print_json([{name: getattr(entry, name) for name in facts} for entry in entries])
    else:
        print_table([(entry.id, entry.topic, str(entry.difficulty)) for entry in entries])
    return OK


def _tell(question: str) -> int:
    """What the exercise asks, and what it begins with."""
    from quizapp.domain.question import prose  # noqa: PLC0415 - msgspec, 18 ms
    from quizapp.plain.markdown import plain  # noqa: PLC0415

    entry_id, asked = _exercise(question)
    print(*plain(prose(asked.prompt, surroundings().settings.language), room()), sep="\n")
    print(f"\n{asked.starter}", end="")
    note(f"Write it into a file, then: quiz grade {entry_id} FILE --watch")
    return OK


class _Report:
    """Prints verdicts on submissions of one exercise."""

    def __init__(self, entry_id: str, asked: Index, *, search: bool, as_json: bool) -> None:
        self._id = entry_id
        self._asked = asked
        self._search = search
        self._as_json = as_json

    def show(self, source: str) -> int:
        """Grade a submission and print the verdict; the exit status."""
        from quizapp.exercises.layouts import check  # noqa: PLC0415 - 100 ms: NumPy

        checked = check(self._asked, source)
        if self._as_json:
            print_json(self._plain(checked))
        else:
            self._print(checked)
        return OK if checked.passed else FINDINGS

    def _print(self, checked: Checked) -> None:
        from quizapp import layout_verdict  # noqa: PLC0415
        from quizapp.plain.markdown import plain  # noqa: PLC0415
        from quizapp.words import Words  # noqa: PLC0415

        say = Words("en")
        if checked.passed:
            print_lines([(("✓ ", "good"), (say("layout.passed"), "text")), ()])
        print_lines(layout_verdict.failure(checked, say))
        if why := layout_verdict.mistake(checked, say):
            print("", *plain(why, room()), sep="\n")
        if checked.grade.accesses and not checked.passed:
            print()
        print_lines(layout_verdict.figures(checked, say))
        if checked.grade.accesses:
            print()
        print_lines(layout_verdict.maps(checked, say, room()))
        if self._search:
            print_lines(layout_verdict.best(checked, say))

    def _plain(self, checked: Checked) -> dict[str, Any]:
        """The verdict as `--json` prints it; the keys are promised in docs/cli.md."""
        from dataclasses import asdict  # noqa: PLC0415

        from quizapp.domain.question import prose  # noqa: PLC0415 - msgspec, 18 ms

        grade = checked.grade
        why = None if checked.mistake is None else prose(checked.mistake.why, "en")
        plain = {
            "question": self._id,
            "passed": checked.passed,
            "language": grade.language or None,
            "gates": [asdict(gate) for gate in grade.verdict.gates],
            "accesses": [
                {
                    "name": report.name,
                    "op": report.kind,
                    "width": report.width,
                    "wavefronts": report.wavefronts,
                    "ideal": report.ideal,
                    "allowed": report.allowed,
                    "warp": report.warp,
                    "warps": report.warps,
                    "total": report.total,
                }
                for report in grade.accesses
            ],
            "extra_elements": grade.extra_elements,
            "extra_bytes": grade.extra_bytes,
            "mistake": why,
        }
        return plain | ({"best": _best(checked)} if self._search else {})


def _exercise(name: str) -> tuple[str, Index]:
    """The exercise of that name.

    Raises:
        UsageError: there is no such question, or it is of another kind.
    """
    from quizapp.domain.question import Index  # noqa: PLC0415 - msgspec, 18 ms

    deck = read_deck(surroundings())
    entry = deck.find(name)
    question = deck.question(entry.id)
    if not isinstance(question, Index):
        what = f"{entry.id} is of the kind '{entry.kind}', and has no submissions"
        raise UsageError(what, "name one of the kind 'index'; `quiz start` asks the others")
    return entry.id, question


def _best(checked: Checked) -> dict[str, Any] | None:
    """The best of the usual layouts."""
    from grader.layouts import search  # noqa: PLC0415

    best = search(checked.exercise).best
    if best is None:
        return None
    return {
        "family": best.layout.family,
        "name": best.layout.name,
        "expression": best.layout.expression,
        "wavefronts": list(best.wavefronts),
        "extra_elements": best.extra_elements,
        "passes": best.passes,
    }


def _read(file: Path) -> str:
    """The submission.

    Raises:
        UsageError: there is none, or it is no text.
    """
    if str(file) == "-":
        data = sys.stdin.buffer.read(LONGEST + 1)
    else:
        if not file.exists():
            raise UsageError(f"there is no file {file}", "name the file that holds your function")
        if file.is_dir():
            raise UsageError(f"{file} is a folder", "name the file that holds your function")
        with file.open("rb") as opened:
            data = opened.read(LONGEST + 1)
    if len(data) > LONGEST:
        raise UsageError(f"{file} is larger than {LONGEST:,} bytes", "hand in a function alone")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        what = f"{file} is not UTF-8 at byte {error.start}"
        raise UsageError(what, "save it as UTF-8") from None


def _watch(file: Path, report: _Report) -> int:
    """Grade on each save, until interrupted."""
    note(f"Watching {file}; Ctrl-C ends.")
    status = OK
    for source in _saves(file):
        print(f"── {time.strftime('%H:%M:%S')} ──", file=sys.stderr)
        status = report.show(source)
        sys.stdout.flush()
    return status


def _saves(file: Path) -> Iterator[str]:
    """What the file holds, now and after each save; gone for a moment is no save."""
    seen: str | None = None
    while True:
        try:
            text = _read(file)
        except (OSError, UsageError):
            if seen is None:
                raise
        else:
            if text != seen:
                seen = text
                yield text
        time.sleep(POLL_SECONDS)
