"""What only a run tells of an answer: the bug of a `spot`, what chosen inputs find of mistakes."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator
from typing import TYPE_CHECKING

from msgspec.structs import replace

from quizapp.domain.actions import TakeKey
from quizapp.domain.attempt import Attempt, advance
from quizapp.domain.question import InputChoice, Option, Spot, WrongKernel, prose
from quizapp.report.quantities import write_number
from quizapp.report.words import Words

if TYPE_CHECKING:
    from grader.kernels import Mutant
    from quizapp.exercises.tried_inputs import Flaw, TriedInputs  # NumPy, 80 ms
    from quizapp.study.examiner import Examiner

_COMMENT = re.compile(r"\s*(?://|#(?!include)).*")
_NUMBER = re.compile(r"\d+")
_BLOCK = re.compile(r"(?:if|while|for|elif)\b")


def reveal(
    attempt: Attempt,
    examiner: Examiner,
    say: Words,
    now: Callable[[], int],
    told: Callable[[int, int], None] = lambda _done, _of: None,
) -> Attempt:
    """Return an attempt that needs a key with it. Raises Ungraded: the emulator does not say.

    `now`: the time in milliseconds. `told`: the progress, how many mistakes of how many were run.
    """
    question = attempt.question
    if isinstance(question, InputChoice):
        tried = examiner.try_inputs(question, told)
        solved = solve(question, tried, attempt.picked, say)
        return advance(attempt, TakeKey(now(), tried, solved))
    assert isinstance(question, Spot)
    return advance(attempt, TakeKey(now(), examiner.find_bug(question)))


def solve(
    question: InputChoice, tried: TriedInputs, picked: Collection[int], say: Words
) -> InputChoice:
    """Return the question with what is right by the runs, and with what each input found.

    `tried`: what the inputs find. `picked`: those that the person chose; none of them if they gave
    up.
    """
    is_right = tried.score_inputs(picked) == 1
    right = tuple(picked) if is_right else tried.best(picked, question.pick)
    options = tuple(
        Option(option.text, correct=True)
        if i in right
        else Option(option.text, why=_count(len(tried.found[i]), tried, say))
        for i, option in enumerate(question.options)
    )
    own = prose(question.explanation, say.language)
    rows = [
        *(
            f"- {prose(question.options[i].text, say.language)} "
            + _count(len(tried.found[i]), tried, say)
            for i in sorted(right)
        ),
        *_list_missed(question, tried, picked, say),
    ]
    parts = [*_sum_up(tried, picked, say), "\n".join(rows), own]
    return replace(question, options=options, explanation="\n\n".join(parts))


def _count(found: int, tried: TriedInputs, say: Words) -> str:
    return say("mock.inputs.finds", found=found, total=len(tried.flaws))


def _sum_up(tried: TriedInputs, picked: Collection[int], say: Words) -> Iterator[str]:
    """Yield how many mistakes the chosen inputs find, and how many so many could."""
    if not picked:
        return
    found = len(tried.find(picked))
    count = len(picked)
    most = len(tried.find(tried.best_listed(count)))
    parts = [say("mock.inputs.found", n=count, found=found, total=len(tried.flaws), most=most)]
    if found < most:
        by_chance = write_number(round(tried.find_by_chance(count), 1))
        parts.append(say("mock.inputs.counted", n=count, by_chance=by_chance, most=most))
    if tried.easy:
        parts.append(say("mock.inputs.easy", n=tried.easy))
    yield ("" if say.language == "zh" else " ").join(parts)


def _list_missed(
    question: InputChoice, tried: TriedInputs, picked: Collection[int], say: Words
) -> Iterator[str]:
    """Yield the mistakes that the chosen inputs do not find, each with an input that does.

    Two changes that are said alike are said once.
    """
    said = set[str]()
    for i in sorted(set(range(len(tried.flaws))) - tried.find(picked)):
        finders = [j for j, found in enumerate(tried.found) if i in found]
        best = max(finders, key=lambda j: len(tried.found[j]), default=None)
        how = say("mock.inputs.found-by-none")
        if best is not None:
            shown = prose(question.options[best].text, say.language)
            how = say("mock.inputs.found-by", input=shown)
        row = say("mock.inputs.missed", what=describe(tried.flaws[i], say), how=how)
        if row not in said:
            said.add(row)
            yield row


def describe(flaw: Flaw, say: Words) -> str:
    """Say in a sentence what is wrong: a known mistake, or a change of the right kernel."""
    if isinstance(flaw, WrongKernel):
        return prose(flaw.why, say.language).strip()
    return _describe_mutant(flaw, say)


def _describe_mutant(mutant: Mutant, say: Words) -> str:
    was, now = (_last(mutant.diff, sign) for sign in "-+")
    rule = "other" if mutant.rule in ("constant", "compare") else mutant.rule
    if rule == "drop" and _BLOCK.match(was):
        rule = "drop-condition"
    known = set(_NUMBER.findall(was))
    new = [int(number) for number in _NUMBER.findall(now) if number not in known]
    number = write_number(new[-1]) if new else ""
    return say(f"mutant.{rule}", was=was, now=now, number=number)


def _last(diff: Collection[str], sign: str) -> str:
    """Return the code of the last line that a change takes away, or adds."""
    lines = [line[1:] for line in diff if line[:1] == sign]
    return _COMMENT.sub("", lines[-1]).strip() if lines else ""
