"""A calibration: as lines, and as the text of the file that can be sent in. Compares nothing."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any, get_args

from grader.gpu import Agreement
from quizapp.report.accesses import format_range
from quizapp.report.lines import Line, sentence, table

if TYPE_CHECKING:
    from grader.gpu import Calibration, Group, ProbeResult
    from quizapp.report.words import Words


def lines(calibration: Calibration, say: Words, *, everything: bool) -> Iterator[Line]:
    """Show a line for each instruction, and below it its accesses.

    `everything`: also show accesses that agree.
    """
    facts = calibration.facts
    heading = {"name": facts.name, "capability": facts.capability, "driver": facts.driver}
    yield sentence(say("calibration.heading", **heading))
    for group in calibration.groups:
        yield from _group_lines(group, say, everything=everything)


def total(calibration: Calibration, say: Words) -> str:
    """Count the accesses that agree, differ and are open."""
    return say("calibration.total", counts=_counts(calibration, say))


def file_name(device: str) -> str:
    """Name the file for a device."""
    name = re.sub(r"[^A-Za-z0-9]+", "-", device).strip("-") or "GPU"
    return f"quiz-calibration-{name}.json"


def file_text(calibration: Calibration) -> str:
    """Write JSON with a line for each access; ASCII."""
    plain = calibration.as_plain()
    groups = plain.pop("groups")
    return _with_list(plain, "groups", (_group_text(group) for group in groups)) + "\n"


def _group_text(group: dict[str, Any]) -> str:
    answers = group.pop("answers")
    return _with_list(group, "answers", map(json.dumps, answers))


def _with_list(plain: dict[str, Any], name: str, texts: Iterable[str]) -> str:
    """Write an object whose last member is a list, with a line for each of its items."""
    head = json.dumps(plain).removesuffix("}")
    return f'{head}, "{name}": [\n' + ",\n".join(texts) + "]}"


def _group_lines(group: Group, say: Words, *, everything: bool) -> Iterator[Line]:
    if group.absent:
        yield sentence(say("calibration.absent", name=group.shown, reason=group.absent))
        return
    counts, cycles = _counts(group, say), group.cycles_a_pass
    yield sentence(say("calibration.group", name=group.shown, counts=counts, cycles=cycles))
    shown = [answer for answer in group.answers if everything or answer.state != "agree"]
    if shown:
        names = ("model", "clock", "alone", "behind")
        head = ("", "", *(say(f"calibration.column.{name}") for name in names))
        rows = [head, *(_row(answer, say) for answer in shown)]
        yield from table(rows, right=(2, 3, 4, 5), indent="  ")


def _row(answer: ProbeResult, say: Words) -> tuple[str, ...]:
    model = "–" if answer.model is None else format_range(answer.model, answer.at_most)
    clock = format_range(answer.low, answer.high)
    cycles, behind = f"{answer.cycles:.2f}", f"{answer.behind:.2f}"
    return say(f"calibration.state.{answer.state}"), answer.name, model, clock, cycles, behind


def _counts(counted: Group | Calibration, say: Words) -> str:
    """Write `agree 18, differ 1`, without states that do not occur."""
    counts = [(state, counted.count(state)) for state in get_args(Agreement)]
    return ", ".join(say(f"calibration.count.{state}", n=n) for state, n in counts if n)
