"""One long session at 120×40: from a key that answers to the feedback, and on to what follows.

Every kind of question in the mix that the day brings, confidence asked, on the big log. A time ends
with the last byte of the frame that made the screen complete: for feedback the verdict, the ratings
and the keys, for a question its place in the session and its prompt.
"""

from __future__ import annotations

from collections import defaultdict

from bench.data import QUIZ, Data
from bench.figures import Figure, Took, count_rounds, note, p95, spread
from bench.person import Person
from bench.start import READING_S, home_patterns
from bench.terminal import WIDE, Terminal

FEEDBACK_LIMIT_MS, NEXT_LIMIT_MS = 30.0, 40.0


def measure(data: Data, repeat: int = 205) -> list[Figure]:
    """Both 95th percentiles over `repeat` answers."""
    feedback: dict[str, list[Took]] = defaultdict(list)
    following: dict[str, list[Took]] = defaultdict(list)
    with data.copy() as environment, Terminal([QUIZ, "start"], environment, WIDE) as terminal:
        terminal.wait_for(*home_patterns(data))
        person = Person(data, environment["QUIZ_HOME"], terminal)
        terminal.quiet(READING_S)
        person.go_on()
        for _ in count_rounds(repeat):
            person.pause()
            feedback[person.kind].append(person.answer())
            person.pause()
            took = person.go_on()
            following[person.kind].append(took)
    kernels = feedback.pop("kernel", [])  # they have a limit and a group of their own
    note(f"{len(kernels)} kernels left out of the feedback")
    return [
        _figure("feedback", "answer to feedback, p95", feedback, FEEDBACK_LIMIT_MS),
        _figure("next", "feedback to the next question, p95", following, NEXT_LIMIT_MS),
    ]


def _figure(name: str, what: str, times: dict[str, list[Took]], limit: float) -> Figure:
    clock = {kind: [took.ms for took in of_kind] for kind, of_kind in sorted(times.items())}
    every = [ms for of_kind in clock.values() for ms in of_kind]
    core = {kind: [took.core_ms for took in of_kind] for kind, of_kind in sorted(times.items())}
    on_core = [ms for of_kind in core.values() for ms in of_kind]
    detail = (
        f"{spread(every)}, {len(every)} answers; p95 by kind: {_by_kind(clock)}; "
        f"on a core {spread(on_core)}, p95 {p95(on_core):.0f}; by kind: {_by_kind(core)}"
    )
    return Figure(name, what, p95(every), limit, "ms", detail, dict(times))


def _by_kind(times: dict[str, list[float]]) -> str:
    return ", ".join(f"{kind} {p95(of_kind):.0f}" for kind, of_kind in times.items())
