"""Reading 1,000 questions: uncached against the C YAML loader on the same bytes, and cached.

Uncached is one process after imports, both in turn, with what quiz remembers between calls
forgotten before each. From the cache is a new interpreter each time, from before the first import
of ours until every entry is there; whether the content is as it was is looked at in that time.
"""

from __future__ import annotations

import gc
import subprocess
import sys
from collections.abc import Callable, Sequence
from statistics import median
from time import perf_counter

import yaml

from bench.data import Data
from bench.figures import Figure, Took, count_rounds, p95, ratio, spread, time_alternately
from quizapp.deck.compiler import compile_deck
from quizapp.deck.deck import load
from quizapp.deck.index import SourceFile, sources

COMPILE_LIMIT = 1.5
CACHE_LIMIT_MS = 12.0

_READ = """
from time import perf_counter, process_time
used, began = process_time(), perf_counter()
from quizapp.deck.deck import load
deck = load({roots!r}, {cache!r})
took = perf_counter() - began
print(len(deck.entries), 1000 * took, 1000 * (process_time() - used))
"""


def measure_compile(data: Data, repeat: int = 9) -> list[Figure]:
    """The ratio of the two medians."""
    files = sources(data.roots)
    many = len(compile_deck(files).compiled.entries)

    def ours() -> float:
        _forget()
        return _measure_ms(lambda: compile_deck(files))

    ours_ms, loader_ms = time_alternately(
        repeat, ours, lambda: _measure_ms(lambda: _load_all(files))
    )
    size = sum(len(file.data) for file in files) / 1e6
    return [
        Figure(
            "compile",
            f"reading and validating {many:,} questions : C YAML loader, {size:.1f} MB",
            ratio(ours_ms, loader_ms),
            COMPILE_LIMIT,
            "×",
            f"{spread(ours_ms)} : {spread(loader_ms)}",
            {"quiz": ours_ms, "loader": loader_ms},
        )
    ]


def measure_cache(data: Data, repeat: int = 31) -> list[Figure]:
    """The median over new interpreters."""
    with data.copy() as environment:
        cache = f"{environment['QUIZ_HOME']}/cache/deck"
        many = len(load(data.roots, cache).entries)
        program = _READ.format(roots=data.roots, cache=cache)

        def read() -> Took:
            done = subprocess.run(
                [sys.executable, "-c", program], env=environment, check=True, capture_output=True
            )
            entries, ms, core_ms = map(float, done.stdout.split())
            assert entries == many
            return Took(ms, core_ms)

        read()
        times = [read() for _ in count_rounds(repeat)]
    clock, core = [took.ms for took in times], [took.core_ms for took in times]
    return [
        Figure(
            "cache",
            f"{many:,} questions from the cache, imports included",
            median(clock),
            CACHE_LIMIT_MS,
            "ms",
            f"{spread(clock)}, p95 {p95(clock):.1f}; on a core {spread(core)}",
            {"quiz": times},
        )
    ]


def _load_all(files: Sequence[SourceFile]) -> None:
    for file in files:
        yaml.load(file.data, Loader=yaml.CSafeLoader)


def _measure_ms(work: Callable[[], object]) -> float:
    """Milliseconds, by a collector that has nothing left from before."""
    gc.collect()
    began = perf_counter()
    work()
    return 1000 * (perf_counter() - began)


def _forget() -> None:
    """Empty every `functools.cache` of quiz and its graders, as in a program just started."""
    for name, module in list(sys.modules.items()):
        if name.split(".")[0] in ("quizapp", "grader"):
            for value in list(vars(module).values()):
                clear = getattr(value, "cache_clear", None)
                if callable(clear):
                    clear()
