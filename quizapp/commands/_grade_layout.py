"""How `quiz grade` shows the verdict on a layout: in words and bank maps, or as plain data."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from quizapp.commands._output import print_json, print_lines, room
from quizapp.errors import FINDINGS, OK

if TYPE_CHECKING:
    from quizapp.domain.question import Index
    from quizapp.exercises.layouts import Checked


class LayoutReport:
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
