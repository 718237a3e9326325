"""Questions about the kernel that just passed, line by line."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING, cast

from quizapp.domain.errors import Ungraded
from quizapp.plain.console import Ended
from quizapp.plain.sitting import Dialogue, Sitting
from quizapp.report.content import probes as probe_text
from quizapp.study.mock.interview import Interview
from quizapp.study.mock.probing import (
    FEWEST,
    MOST,
    MOST_IN_MOCK,
    ProbedStage,
    Probing,
    can_probe,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from quizapp.exercises.kernels import CheckedKernel  # NumPy, 80 ms
    from quizapp.study.values import Turn

    AskAll = Callable[[Sitting, Callable[[], Turn | None], Callable[[Turn], tuple[str, ...]]], None]


def ask_probes(dialogue: Dialogue, ask_all: AskAll) -> None:
    """Make questions from the kernel of a dialogue and ask them; say so if there are none."""
    sitting, words = dialogue.sitting, dialogue.sitting.words
    if dialogue.graded is None or not can_probe(dialogue.turn, dialogue.attempt.submission):
        sitting.console.say(words("plain.no_probes"))
        return
    going = sitting.interview
    stage = None
    if isinstance(going, Interview):
        stage = ProbedStage(going.record.id, dialogue.turn.item.question)
    sitting.console.say(words("probe.making"))
    try:
        checked = cast("CheckedKernel", dialogue.attempt.submission)
        made = sitting.asks.examiner.probe(checked)
    except Ungraded as error:
        sitting.console.say(words.error(error))
        return
    probes = probe_text.choose(made, dialogue.turn.entry.id, MOST_IN_MOCK if stage else MOST)
    if len(probes) < FEWEST:
        sitting.console.say(words("probe.none"))
        return
    probing = Probing(sitting.study, dialogue.turn, probes, stage)
    inner = Sitting(sitting.study, sitting.console, words, probing)
    with suppress(Ended):
        ask_all(inner, probing.next, lambda _turn: ("",))
    sitting.console.say(words("plain.probes_done"))
