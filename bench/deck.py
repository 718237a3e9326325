"""Reading 1,000 questions: uncached against the C YAML loader on the same bytes, and cached.

Uncached is one process after imports, both in turn, with what quiz remembers between calls
forgotten before each. From the cache is a new interpreter each time, from before the first import
of ours until every entry is there; whether the content is as it was is looked at in that time.
"""

from __future__ import annotations

import gc
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from shutil import copytree
from statistics import median
from tempfile import TemporaryDirectory
from time import perf_counter, sleep

import yaml

from bench.data import Data
from bench.figures import Figure, Took, count_rounds, p95, ratio, spread, time_alternately
from quizapp.cli import MOST_GARBAGE
from quizapp.deck.compiler import compile_deck
from quizapp.deck.deck import load
from quizapp.deck.index import SourceFile, sources
from quizapp.system.paths import shipped_content

COMPILE_LIMIT = 1.5
CACHE_LIMITS_MS = 12.0, 20.0
"""Of the shipped questions, and of twice as many."""

_SETTLED_S = 2.1
"""A file that changed since might change again within a tick of the disk's clock, unnoticed."""
_READ = """
import gc
gc.set_threshold({garbage})  # as the command line does
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
    """The medians over new interpreters, of both decks in turn."""
    with data.copy() as environment, TemporaryDirectory(prefix="quiz-bench-") as folder:
        again = Path(folder) / "content"
        for pack in filter(Path.is_dir, shipped_content().iterdir()):
            copytree(pack, again / f"{pack.name}-again")
        readers = [
            _reader(roots, f"{folder}/{len(roots)}/deck", environment)
            for roots in (data.roots, [*data.roots, str(again)])
        ]
        took = [[read() for _, read in readers] for _ in count_rounds(repeat)]
    figures = []
    for (many, _), limit, times in zip(
        readers, CACHE_LIMITS_MS, zip(*took, strict=True), strict=True
    ):
        clock, core = [each.ms for each in times], [each.core_ms for each in times]
        figures.append(
            Figure(
                "cache",
                f"{many:,} questions from the cache, imports included",
                median(clock),
                limit,
                "ms",
                f"{spread(clock)}, p95 {p95(clock):.1f}; on a core {spread(core)}",
                {"quiz": times},
            )
        )
    return figures


def _reader(
    roots: list[str], cache: str, environment: Mapping[str, str]
) -> tuple[int, Callable[[], Took]]:
    """Compile a deck; return how many questions it has, and what reads it in a new interpreter."""
    many = len(load(roots, cache).entries)
    program = _READ.format(roots=roots, cache=cache, garbage=MOST_GARBAGE)

    def read() -> Took:
        done = subprocess.run(
            [sys.executable, "-c", program], env=environment, check=True, capture_output=True
        )
        entries, ms, core_ms = map(float, done.stdout.split())
        assert entries == many
        return Took(ms, core_ms)

    sleep(_SETTLED_S)
    read()
    return many, read


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
