"""`python -m bench`: measure what was asked for, print one table.

The exit status is 0 whatever the figures are, and 1 when one could not be taken: the table names
it, and has the figures of all others.

Figures are ratios within one run, or times beside which stands a fixed NumPy loop's, measured just
before and after: compare times between machines by it.
"""

from __future__ import annotations

import argparse
import json
import sys
import traceback
from collections.abc import Callable, Sequence
from dataclasses import asdict
from statistics import median

from bench import (
    advice,
    answers,
    banks,
    batch,
    candidates,
    cluster,
    command,
    compiled,
    cores,
    corpus,
    deck,
    emulator,
    fits,
    forecast,
    grading,
    interview_items,
    kernels,
    languages,
    layouts,
    live,
    long_loops,
    mutants,
    placement,
    plan_learners,
    readiness,
    recall_on_day,
    scale,
    schedule,
    search,
    serving,
    start,
    tiny,
    verdicts,
)
from bench.data import ANSWERS, QUESTIONS, prepare
from bench.figures import Figure, note, numpy_loop

GROUPS: dict[str, Callable[..., list[Figure]]] = {
    "home": start.measure_home,
    "question": start.measure_question,
    "answers": answers.measure,
    "search": search.measure,
    "scale": scale.measure,
    "help": command.measure,
    "compile": deck.measure_compile,
    "cache": deck.measure_cache,
    "banks": banks.measure,
    "languages": languages.measure,
    "layouts": layouts.measure,
    "verdicts": verdicts.measure,
    "emulator": emulator.measure,
    "compiled": compiled.measure,
    "loops": long_loops.measure,
    "cores": cores.measure,
    "tiny": tiny.measure,
    "kernels": kernels.measure,
    "grade": grading.measure,
    "advice": advice.measure,
    "mutants": mutants.measure,
    "live": live.measure,
    "batch": batch.measure,
    "cluster": cluster.measure,
    "serving": serving.measure,
    "corpus": corpus.measure,
    "schedule": schedule.measure,
    "forecast": forecast.measure,
    "plan": recall_on_day.measure,
    "learners": plan_learners.measure,
    "readiness": readiness.measure,
    "fits": fits.measure,
    "mock": candidates.measure,
    "placement": placement.measure,
    "items": interview_items.measure,
}
WITHOUT_DATA = frozenset(
    {
        *("schedule", "forecast", "plan", "learners", "readiness", "fits", "mock"),
        *("placement", "items"),
        *("batch", "cluster", "serving", "advice", "mutants", "cores", "compiled"),
    }
)
"""What needs neither the questions nor the answers, which take a minute to make."""

_WIDTHS = (8, 76, 9, 8, 4, 10)


def main() -> int:
    """Measure what was asked for."""
    asked = _arguments()
    names = asked.only or list(GROUPS)
    data = None
    if not WITHOUT_DATA.issuperset(names):
        note("preparing data")
        data = prepare()
    results: list[tuple[Figure, float]] = []
    failed: list[str] = []
    for name in names:
        note(f"{name} …")
        loops = [numpy_loop() for _ in range(3)]
        options = {} if asked.repeat is None else {"repeat": asked.repeat}
        try:
            figures = GROUPS[name](data, **options)
        except Exception:  # whatever it is, it concerns no other benchmark
            note("")
            traceback.print_exc()
            failed.append(name)
            continue
        loop = median([*loops, *(numpy_loop() for _ in range(3))])
        results += [(figure, loop) for figure in figures]
    note("")
    if asked.json:
        rows = [asdict(f) | {"met": f.met, "numpy_loop_ms": loop} for f, loop in results]
        json.dump(rows, sys.stdout, ensure_ascii=False, indent=1)
        print()
    else:
        print(f"{QUESTIONS:,} questions or more, {ANSWERS:,} answers; 80×24, for answers 120×40\n")
        print(table(results, failed))
    return 1 if failed else 0


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m bench", description="Measure quiz.")
    parser.add_argument(
        "--only", action="append", choices=GROUPS, metavar="NAME", help=", ".join(GROUPS)
    )
    parser.add_argument("--repeat", type=int, metavar="N", help="runs of each figure")
    parser.add_argument("--json", action="store_true", help="all samples, as JSON")
    return parser.parse_args()


def table(results: list[tuple[Figure, float]], failed: Sequence[str] = ()) -> str:
    """One line a figure, and below it what the number was made of; last, what has none."""
    lines = [_row("figure", "", "measured", "limit", "met", "NumPy loop")]
    for figure, loop in results:
        limit = "" if figure.limit is None else f"{figure.limit:g} {figure.unit}"
        limit = f"≥ {limit}" if figure.at_least else limit
        met = {True: "✓", False: "✗", None: ""}[figure.met]
        digits = 2 if figure.unit == "×" else 1
        measured = f"{figure.measured:.{digits}f} {figure.unit}"
        lines.append(_row(figure.name, figure.what, measured, limit, met, f"{loop:.1f} ms"))
        lines += [_row("", f"  {part}", "", "", "", "") for part in figure.detail.split("; ")]
    lines += [_row(name, "could not be measured", "", "", "", "") for name in failed]
    return "\n".join(lines)


def _row(*texts: str) -> str:
    name, what, *rest = texts
    left = f"{name:<{_WIDTHS[0]}}  {what:<{_WIDTHS[1]}}"
    columns = (f"{text:>{width}}" for text, width in zip(rest, _WIDTHS[2:], strict=True))
    return "  ".join([left, *columns]).rstrip()


if __name__ == "__main__":
    sys.exit(main())
