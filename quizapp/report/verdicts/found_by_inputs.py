"""What chosen inputs find of a kernel's known mistakes, as the feedback of the question."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import TYPE_CHECKING

from msgspec.structs import replace

from quizapp.domain.question import InputChoice, Option, prose
from quizapp.report.words import Words

if TYPE_CHECKING:
    from quizapp.exercises.tried_inputs import TriedInputs  # NumPy, 80 ms

_MOST_MISSED = 2
"""Inputs that are named for what was missed."""


def solve(
    question: InputChoice, tried: TriedInputs, picked: Collection[int], say: Words
) -> InputChoice:
    """Return the question with what is right by the runs, and with what each input found.

    Args:
        question: as it was asked.
        tried: what the inputs find.
        picked: those that the person chose; none of them if they gave up.
        say: their words.
    """
    right = tried.best(picked, question.pick)
    options = tuple(
        Option(option.text, correct=True) if i in right else _explain(option, tried, i, say)
        for i, option in enumerate(question.options)
    )
    own = prose(question.explanation, say.language)
    rows = [*_list_right(question, tried, right, say), *_list_missed(question, tried, picked, say)]
    parts = [*_sum_up(question, tried, picked, say), "\n".join(rows), own]
    return replace(question, options=options, explanation="\n\n".join(parts))


def _explain(option: Option, tried: TriedInputs, position: int, say: Words) -> Option:
    return Option(option.text, why=_finds(tried.find([position]), tried, say))


def _sum_up(
    question: InputChoice, tried: TriedInputs, picked: Collection[int], say: Words
) -> Iterator[str]:
    """Yield how many mistakes the chosen inputs find, and which others find those they miss."""
    if not picked:
        return
    found, every = tried.find(picked), range(len(tried.found))
    text = say("mock.inputs.found", n=len(picked), found=len(found), total=len(tried.mistakes))
    missed = tried.find(every) - found
    for _ in range(_MOST_MISSED):
        if missed:
            best = max(every, key=lambda i: len(tried.found[i] & missed))
            names = _names(tried.found[best] & missed, tried, say)
            text += " " * (say.language == "en") + say(
                "mock.inputs.missed", input=prose(question.options[best].text, say.language),
                names=names,
            )  # fmt: skip
            missed -= tried.found[best]
    yield text


def _list_right(
    question: InputChoice, tried: TriedInputs, right: Collection[int], say: Words
) -> Iterator[str]:
    """Yield what the right inputs find: of the others, it stands beside them."""
    for i in sorted(right):
        given = prose(question.options[i].text, say.language)
        yield f"- {given} {_finds(tried.found[i], tried, say)}"


def _list_missed(
    question: InputChoice, tried: TriedInputs, picked: Collection[int], say: Words
) -> Iterator[str]:
    """Yield the mistakes that the chosen inputs do not find, and what is wrong with them."""
    missed = set(range(len(tried.mistakes))) - tried.find(picked)
    for i in sorted(missed) if picked else ():
        why = prose(question.mistakes[i].why, say.language).strip()
        yield f"- `{tried.mistakes[i]}`: {why}"


def _finds(found: frozenset[int], tried: TriedInputs, say: Words) -> str:
    if not found:
        return say("mock.inputs.finds-nothing")
    return say("mock.inputs.finds", names=_names(found, tried, say))


def _names(found: Collection[int], tried: TriedInputs, say: Words) -> str:
    separator = "、" if say.language == "zh" else ", "
    return separator.join(f"`{tried.mistakes[i]}`" for i in sorted(found))
