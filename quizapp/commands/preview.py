"""`quiz preview`: hands over to the screen; without a terminal prints the questions as text."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

import click

from quizapp.commands._output import clean
from quizapp.commands._shared import (
    Surroundings,
    can_draw,
    require_terminal,
    subcommand,
    surroundings,
)
from quizapp.commands.lint import absolute, print_problems
from quizapp.errors import FINDINGS, OK, UsageError

if TYPE_CHECKING:
    from quizapp.domain.question import Choice, Kernel, Language
    from quizapp.exercises.spots import Spotted
    from quizapp.study.trial import Trial


@subcommand(
    "Show the questions of a file as the program shows them.",
    "quiz preview mine.yaml",
    "quiz preview mine.yaml --watch",
)
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--watch", is_flag=True, help="Draw it again whenever the file is saved.")
def command(file: Path, *, watch: bool) -> int:
    """Errors stand beside the question.

    Without a terminal the questions come as text with their answers, and errors make the status 1.
    """
    where = surroundings()
    if not file.is_file():
        raise UsageError(f"there is no file {file}", "name a YAML file; `quiz new` writes one")
    if watch:
        require_terminal("--watch", "`quiz preview FILE` prints the questions as text")
    if can_draw():
        from quizapp.tui.preview import run  # noqa: PLC0415 - 300 ms: Textual

        return run(absolute(file), watch, where.settings)
    return _print(file, where)


def _print(file: Path, where: Surroundings) -> int:
    """The questions as text, then what is wrong."""
    from quizapp.deck.content import content_roots  # noqa: PLC0415
    from quizapp.study.examiner import Examiner  # noqa: PLC0415
    from quizapp.tui.picture import read  # noqa: PLC0415 - and no screen with it

    with closing(Examiner()) as examiner:
        picture = read(absolute(file), content_roots(*where), examiner)
    for trial in picture.trials:
        print(clean("\n".join(_lines(trial, where.settings.language))), end="\n\n")
    print_problems(picture.problems)
    return FINDINGS if picture.problems else OK


def _lines(trial: Trial, language: Language) -> Iterator[str]:
    from quizapp.domain.question import prose  # noqa: PLC0415 - 18 ms: msgspec
    from quizapp.plain.markdown import plain  # noqa: PLC0415

    entry, question = trial.asked.entry, trial.asked.question
    yield f"{entry.id} · {entry.kind} · {entry.topic} · difficulty {entry.difficulty}"
    yield ""
    yield from plain(prose(question.prompt, language), None)
    yield ""
    yield from _answer(trial, language)
    yield ""
    yield from plain(prose(question.explanation, language), None)
    yield from (f"source: {source}" for source in question.sources)


def _answer(trial: Trial, language: Language) -> Iterator[str]:
    """What is right, by kind."""
    from quizapp.domain.question import (  # noqa: PLC0415
        Choice,
        Index,
        Kernel,
        Number,
        Recall,
        Spot,
        prose,
    )

    match trial.asked.question:
        case Choice() as choice:
            yield from _choice(choice, language)
        case Number(unit=unit):
            bounds = trial.graded.expected if trial.graded else None
            if bounds is not None:
                values = dict.fromkeys(f"{bound:.12g}" for bound in (bounds.low, bounds.high))
                yield f"answer: {' to '.join(values)} {unit or ''}".rstrip()
        case Index(solution=solution, wrong=wrong):
            yield solution
            for mistake in wrong:
                yield f"wrong: {mistake.source.strip()}"
                yield f"   fails at {mistake.fails}: {prose(mistake.why, language)}"
        case Kernel() as kernel:
            yield from _kernel(kernel, language)
        case Spot(code=code):
            yield from _spot(code, trial.spotted)
        case Recall(answer=answer, rubric=rubric):
            yield prose(answer, language)
            yield from (f"- {prose(p.point, language)} ({p.weight})" for p in rubric)


def _choice(choice: Choice, language: Language) -> Iterator[str]:
    from quizapp.domain.question import prose  # noqa: PLC0415

    for number, option in enumerate(choice.options, 1):
        right = "right" if option.correct else "wrong"
        yield f"{number}. {right}: {prose(option.text, language)}"
        if option.why is not None:
            yield f"   {prose(option.why, language)}"


def _kernel(kernel: Kernel, language: Language) -> Iterator[str]:
    """What the editor holds at first, what passes, and how mistakes differ from that."""
    from quizapp.domain.question import prose  # noqa: PLC0415
    from quizapp.kernel_verdict import difference  # noqa: PLC0415 - NumPy, 80 ms
    from quizapp.words import Words  # noqa: PLC0415

    solution = kernel.solution or ""
    yield f"starter:\n{kernel.starter}"
    yield f"solution:\n{solution}"
    for mistake in kernel.wrong:
        yield f"wrong: {mistake.file}"
        yield f"   fails at {mistake.fails}: {prose(mistake.why, language)}"
        lines = difference(solution, mistake.source or "", Words(language))
        yield from ("".join(text for text, _ in line) for line in lines)
        yield ""


def _spot(code: str, found: Spotted | None) -> Iterator[str]:
    """The code, and what of it is right to be named."""
    from quizapp.numbered_code import lines  # noqa: PLC0415

    for line in lines(code, right=found.lines if found else None):
        yield "".join(text for text, _ in line).rstrip()
    for number, kind in sorted(found.places) if found else []:
        yield f"right: line {number}, {kind}"
