"""What questions say of one another: `requires` must exist and lead to no circle, `was` be free.

Such a problem leaves no question out.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from graphlib import CycleError, TopologicalSorter

from quizapp.deck.found import Found
from quizapp.deck.problems import Problem
from quizapp.deck.validate import Invalid, nearest


def reference_problems(found: Mapping[str, Found]) -> Iterator[Problem]:
    """All problems of references among the questions."""
    claimed: dict[str, str] = {}
    for item in found.values():
        yield from _requirements(item, found)
        yield from _former_ids(item, found, claimed)
    circle = _circle(found)
    if circle:
        what = f"a circle of requirements: {' → '.join(circle)}"
        yield _problem(found[circle[0]], Invalid(("requires",), what, "remove one of the links"))


def _requirements(item: Found, found: Mapping[str, Found]) -> Iterator[Problem]:
    for position, target in enumerate(item.canonical(item.question.requires)):
        if target not in found:
            name = item.question.requires[position]
            ids = [i.removeprefix(f"{item.source.file.pack}/") for i in found]
            what = f"there is no question '{name}'"
            yield _problem(item, Invalid(("requires", position), what, nearest(name, ids)))


def _former_ids(
    item: Found, found: Mapping[str, Found], claimed: dict[str, str]
) -> Iterator[Problem]:
    """A former id must be nobody's now, and nobody else's former id."""
    for position, target in enumerate(item.canonical(item.question.was)):
        name = item.question.was[position]
        if target in found:
            what = f"'{name}' is a former id, but a question has it now"
            yield _problem(item, Invalid(("was", position), what, "rename one of them"))
        elif target in claimed:
            what = f"'{name}' is a former id of '{claimed[target]}' too"
            yield _problem(item, Invalid(("was", position), what, "keep one of the two"))
        claimed[target] = item.id


def _circle(found: Mapping[str, Found]) -> list[str]:
    """Ids that require one another in a circle, which would hold all of them back for ever."""
    needs = {item.id: item.canonical(item.question.requires) for item in found.values()}
    try:
        TopologicalSorter(needs).prepare()
    except CycleError as error:
        return list(error.args[1])
    return []


def _problem(item: Found, invalid: Invalid) -> Problem:
    return item.source.problem(invalid, item.id)
