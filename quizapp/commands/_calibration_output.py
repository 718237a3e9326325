"""How a calibration is printed, and written into a file. Compares nothing."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any, get_args

from grader.gpu import Answer, Calibration, Group, State
from quizapp.commands._banks_output import between
from quizapp.commands._output import note, print_table, print_text


def print_calibration(found: Calibration, *, everything: bool) -> None:
    """A line for each instruction; below it what differs and is open, and all if that is wanted."""
    facts = found.facts
    print_text(f"{facts.name}, compute capability {facts.capability}, driver {facts.driver}")
    for group in found.groups:
        _print_group(group, everything=everything)
    note(f"{_counts(found)}.")


def as_file(found: Calibration) -> str:
    """JSON with a line for each access; ASCII."""
    plain = found.plain()
    groups = plain.pop("groups")
    return _with_list(plain, "groups", (_group_text(group) for group in groups)) + "\n"


def _group_text(group: dict[str, Any]) -> str:
    answers = group.pop("answers")
    return _with_list(group, "answers", map(json.dumps, answers))


def _with_list(plain: dict[str, Any], name: str, texts: Iterable[str]) -> str:
    """An object, and last in it a list whose members begin lines of their own."""
    head = json.dumps(plain).removesuffix("}")
    return f'{head}, "{name}": [\n' + ",\n".join(texts) + "]}"


def _print_group(group: Group, *, everything: bool) -> None:
    if group.absent:
        print_text(f"{group.shown}: not there, {group.absent}")
        return
    scale = f"a pass takes {group.cycles_a_pass:.2f} cycles"
    print_text(f"{group.shown}: {_counts(group)}; {scale}")
    shown = [one for one in group.answers if everything or one.state != "agree"]
    if shown:
        rows = [("", "", "model", "clock", "alone", "behind"), *map(_row, shown)]
        print_table(rows, right=(2, 3, 4, 5), indent="  ")


def _row(one: Answer) -> tuple[str, ...]:
    model = "–" if one.model is None else between(one.model, one.at_most)
    clock = between(one.low, one.high)
    return one.state, one.name, model, clock, f"{one.cycles:.2f}", f"{one.behind:.2f}"


def _counts(counted: Group | Calibration) -> str:
    """`agree 18, differ 1`, without what there is none of."""
    counts = [(state, counted.count(state)) for state in get_args(State)]
    return ", ".join(f"{state} {count}" for state, count in counts if count)
