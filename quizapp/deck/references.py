"""What questions say of one another: what `requires` and `may_reveal` name exists, `was` is free.

No questions require each other in a circle.

Such a problem leaves no question out.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from graphlib import CycleError, TopologicalSorter

from grader.did_you_mean import suggest
from grader.facts import fact
from quizapp.deck.problems import ContentProblem
from quizapp.deck.question_location import LocatedQuestion
from quizapp.exercises.faults import FieldFault, FieldPath


def reference_problems(found: Mapping[str, LocatedQuestion]) -> Iterator[ContentProblem]:
    """Yield all problems of references among the questions."""
    claimed: dict[str, str] = {}
    for item in found.values():
        yield from _unknown_ids(item, found)
        yield from _former_ids(item, found, claimed)
    circle = _circle(found)
    if circle:
        what = fact("deck.circle", ids=" → ".join(circle))
        yield _problem(found[circle[0]], FieldFault(("requires",), what))


def _unknown_ids(
    item: LocatedQuestion, found: Mapping[str, LocatedQuestion]
) -> Iterator[ContentProblem]:
    """Yield what it requires, may reveal, or is followed by, and no question is."""
    question = item.question
    named: list[tuple[FieldPath, str]] = [
        *((("requires", i), name) for i, name in enumerate(question.requires)),
        *((("may_reveal", i, "question"), r.question) for i, r in enumerate(question.may_reveal)),
        *((("follow_ups", i), f) for i, f in enumerate(question.follow_ups) if isinstance(f, str)),
    ]
    for (path, name), target in zip(named, item.canonical(n for _, n in named), strict=True):
        if target not in found:
            ids = [i.removeprefix(f"{item.source.file.pack}/") for i in found]
            what = fact("deck.no-question", id=name)
            yield _problem(item, FieldFault(path, what, suggest(name, ids)))


def _former_ids(
    item: LocatedQuestion, found: Mapping[str, LocatedQuestion], claimed: dict[str, str]
) -> Iterator[ContentProblem]:
    """Yield former ids that a question has now, or that two questions claim."""
    for position, target in enumerate(item.canonical(item.question.was)):
        name = item.question.was[position]
        if target in found:
            yield _problem(
                item, FieldFault(("was", position), fact("deck.former-id-used", id=name))
            )
        elif target in claimed:
            what = fact("deck.former-id-twice", id=name, other=claimed[target])
            yield _problem(item, FieldFault(("was", position), what))
        claimed[target] = item.id


def _circle(found: Mapping[str, LocatedQuestion]) -> list[str]:
    """Find ids that require one another in a circle, which would hold them back for ever."""
    needs = {item.id: item.canonical(item.question.requires) for item in found.values()}
    try:
        TopologicalSorter(needs).prepare()
    except CycleError as error:
        return list(error.args[1])
    return []


def _problem(item: LocatedQuestion, fault: FieldFault) -> ContentProblem:
    return item.source.problem(fault, item.id)
