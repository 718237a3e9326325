"""Code that is being written, on a terminal: from the pause in typing to what the emulator counted.

Every shipped solution is pasted over its starter; the process that runs it is warm, as it is once
the starter was run. Then keys while an endless loop is running, which must not delay them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from bench.data import Data
from bench.figures import Figure, Took, count_rounds, p95, spread
from bench.newcomer import ask_all
from bench.person import Person
from bench.terminal import Terminal
from quizapp.domain.question import Index, Kernel
from quizapp.exercises import layouts
from quizapp.report.verdicts import layout_verdict
from quizapp.report.words import Words
from quizapp.tui.live_run import PAUSE_SECONDS

LIMIT_MS = 300.0
KEY_LIMIT_MS = 50.0
KEYS = 40
_LOOP = "\n    while True:\n        t = 1\n        # "
_GIVE_UP, _LOOKED_S = "\x1bOR", 0.3


def measure(data: Data, repeat: int = 1) -> list[Figure]:
    """The slowest of all shipped solutions, and the 95th percentile of keys beside a loop."""
    del data
    counted: list[tuple[float, str]] = []
    keys: list[Took] = []
    for _ in count_rounds(repeat):
        for kind in ("kernel", "index"):
            counted += _session(kind, keys)
    times = [ms for ms, _ in counted]
    slow = [f"{name} {ms:.0f}" for ms, name in sorted(counted, reverse=True)[:3]]
    detail = f"{spread(times)}, {len(times)} solutions; slowest {', '.join(slow)}"
    what = "pause in typing to the counts of a solution, slowest"
    beside = "key to picture while an endless loop is running, p95"
    typed = [took.ms for took in keys]
    return [
        Figure("live", what, max(times), LIMIT_MS, "ms", detail, {"live": times}),
        Figure("live", beside, p95(typed), KEY_LIMIT_MS, "ms", spread(typed), {"live": keys}),
    ]


def _session(kind: str, keys: list[Took]) -> Iterator[tuple[float, str]]:
    """All questions of a kind, one after the other, by somebody new; each is given up."""
    for number, (person, terminal) in enumerate(ask_all(kind, "live")):
        yield _count(person), person.question
        if kind == "kernel" and not number:
            keys += _type_beside_a_loop(person, terminal)
        terminal.press(_GIVE_UP)
        terminal.wait_for("1 again")
        person.pause()


def _count(person: Person) -> float:
    """Paste the solution; milliseconds from the pause after it to what is drawn of it."""
    question = person.asked
    assert isinstance(question, Index | Kernel)
    wanted = re.compile(_counted(question))
    took = person.paste(question.solution or "", lambda text: wanted.search(text) or None)
    return took.ms - 1000 * PAUSE_SECONDS


def _counted(question: Index | Kernel) -> str:
    """Return a pattern of the line that is drawn below the editor."""
    if isinstance(question, Kernel):
        return r"\w+ = [\d,]+"  # exercises that begin alike are not told apart by their first lines
    lines = layout_verdict.summary(layouts.check(question, question.solution or ""), Words("en"))
    return re.escape("".join(text for line in lines for text, _ in line))


def _type_beside_a_loop(person: Person, terminal: Terminal) -> Iterator[Took]:
    """Type letters, each while what was written before runs on and on."""
    question = person.asked
    assert isinstance(question, Kernel)
    person.paste((question.starter or "").rstrip("\n") + _LOOP, lambda text: text or None)
    for number in range(KEYS):
        terminal.quiet(PAUSE_SECONDS + _LOOKED_S)
        letter = "abcdefgh"[number % 8]
        yield person.type(letter)
