"""The browser's search: from `/` at home to the list, and from each key of a query to its rows.

A key's time ends with the last byte of the frame that has the row under the cursor, which each new
list draws again.
"""

from __future__ import annotations

from collections import defaultdict

from bench.data import QUIZ, Data
from bench.figures import Figure, Took, count_rounds, p95, spread
from bench.start import READING_S, home_patterns
from bench.terminal import Terminal

KEY_LIMIT_MS = 50.0
QUERIES = ("swizz kernel", "bank wrong", "冲突", "new padding", "barrier")
"""Words of the text in both languages, of kinds and of the record."""

QUIET_S = 0.15
_ROW = "❯"
_CLEAR = "\x15"
_ESCAPE = "\x1b"


def measure(data: Data, repeat: int = 5) -> list[Figure]:
    """The 95th percentile over all keys of all queries, and the opening."""
    opening: list[Took] = []
    keys: dict[str, list[Took]] = defaultdict(list)
    with data.copy() as environment, Terminal([QUIZ, "start"], environment) as terminal:
        terminal.wait_for(*home_patterns(data))
        terminal.quiet(READING_S)
        for _ in count_rounds(repeat):
            opening.append(_press(terminal, "/"))
            for query in QUERIES:
                keys[query] += [_press(terminal, letter) for letter in query]
                _press(terminal, _CLEAR)
            for _ in range(2):  # to the list, and home
                terminal.press(_ESCAPE)
                terminal.quiet(QUIET_S)
    every = [took.ms for times in keys.values() for took in times]
    core = [took.core_ms for times in keys.values() for took in times]
    return [
        Figure(
            "search",
            "a key in the search to its rows, p95",
            p95(every),
            KEY_LIMIT_MS,
            "ms",
            f"{spread(every)}, {len(every)} keys; on a core {spread(core)}, p95 {p95(core):.0f}",
            dict(keys),
        ),
        Figure(
            "browse",
            "/ at home to the list, p95",
            p95([took.ms for took in opening]),
            None,
            "ms",
            f"{spread([took.ms for took in opening])}; the first {opening[0].ms:.0f}; "
            f"on a core {spread([took.core_ms for took in opening])}",
            {"/": opening},
        ),
    ]


def _press(terminal: Terminal, key: str) -> Took:
    """Press a key; how long until the rows that it brings were drawn."""
    before = terminal.core_ms()
    began = terminal.press(key)
    drawn = terminal.wait_for(_ROW)
    terminal.quiet(QUIET_S)
    return Took(1000 * (drawn - began), terminal.core_ms() - before)
