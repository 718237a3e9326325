"""How long a person takes for a question of each kind, and what its length asks of them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from statistics import fmean

from quizapp.domain.question import AnyQuestion, Choice, Language, Prose, PutQuestion, prose
from quizapp.store.store import Store

MINUTES: Mapping[str, float] = {
    "choice": 0.5, "number": 1.0, "trace": 1.5, "recall": 3.0, "spot": 2.5, "index": 6.0,
    "kernel": 12.0,
}  # fmt: skip
"""How long a question of each kind takes until the person's own times are known."""

_PACE_ANSWERS = 50
"""So many of the latest answers of each kind make the person's own pace."""

_LEAST_TIMES = 3
"""Fewer answers of a kind make no pace."""


class Paces:
    """What the person's latest right answers took; a kind is read once until it is forgotten."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._read: dict[str, tuple[tuple[str, int], ...]] = {}

    def durations(self, kind: str) -> tuple[tuple[str, int], ...]:
        """Return which questions of a kind were answered, latest first, and milliseconds."""
        if kind not in self._read:
            self._read[kind] = self._store.durations(kind)
        return self._read[kind]

    def minutes(self, kind: str) -> float:
        """Estimate the minutes that a question of a kind takes, by the person's own if known.

        The mean, since minutes are added up: a few answers take much longer than the median.
        """
        times = [took for _, took in self.durations(kind)[:_PACE_ANSWERS]]
        return fmean(times) / 60_000 if len(times) >= _LEAST_TIMES else MINUTES[kind]

    def forget(self, kind: str = "") -> None:
        """Read a kind anew, or all: an answer came or went."""
        if kind:
            self._read.pop(kind, None)
        else:
            self._read.clear()


_BEFORE_READING, _PER_LINE_OF_CODE = 5.0, 2.0
_CHARACTERS: Mapping[Language, float] = {"en": 16.0, "zh": 6.0}
"""Seconds before and beside reading, and characters read per second."""


def expect_seconds(question: PutQuestion | AnyQuestion, language: Language) -> float:
    """Estimate how long a question takes that is known, by what there is to read."""
    texts: list[Prose] = [question.prompt]
    if isinstance(question, Choice):
        texts += [option.text for option in question.options]
    read = sum(len(prose(text, language)) for text in texts) / _CHARACTERS[language]
    code = getattr(question, "code", "") or getattr(question, "starter", "") or ""
    lines = len(code.splitlines()) if isinstance(code, str) else 0
    return _BEFORE_READING + read + _PER_LINE_OF_CODE * lines


def comparable_durations(times: Iterable[tuple[float, int]], expected: float) -> tuple[int, ...]:
    """Scale what other questions took, each with its expected seconds, to a question's own.

    So a median of them says what this one would take: questions with long texts take longer.
    """
    return tuple(round(took * expected / seconds) for seconds, took in times)
