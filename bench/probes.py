"""`python -m bench.probes`: probes of ten deck kernels and of public ones, and how they hold up.

For each kernel: the questions that `quiz ask` makes, the probes left out as trivial, the answers
and the reasons that come out again from the changed text alone (`bench.probe_answers`), the
questions whose answer is on the screen, and the share that a blind guess gets right: one of the
offered lines or options, and of a number what the other kernels' probes of that rule say most.
Public kernels are those of `probe_kernels.csv`; `--mirrors` names a folder with a bare repository
`OWNER+NAME/repo` for each, and nothing of them is kept here.
"""

from __future__ import annotations

import argparse
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

from bench.probe_answers import check
from bench.probe_deck import again_from, replay_of, solution_of
from bench.probe_public import load, manifest, source_of
from grader.probes import KernelProbe, KernelProbes
from grader.probes.making import make_probes
from grader.probes.replaying import CannotReplay
from quizapp.commands.questions.ask import MOST
from quizapp.report.content.probes import ProbePlace, plain_question

FEWEST = 4
"""Questions of a kernel."""
DECK = (
    ("kernel-saxpy", "cuda"), ("kernel-dot-product", "python"), ("kernel-reduce-shuffle", "cuda"),
    ("kernel-convolution-halo", "python"), ("kernel-softmax-rows", "cuda"),
    ("kernel-transpose-padded", "python"), ("kernel-append-aggregated", "cuda"),
    ("kernel-gemv-int8", "python"), ("kernel-maximum-few-atomics", "python"),
    ("kernel-gemm-tiled", "cuda"), ("kernel-triton-softmax", "triton"),
    ("kernel-triton-matmul", "triton"), ("kernel-triton-layer-norm", "triton"),
)  # fmt: skip
_LINE_NUMBERS = re.compile(r"^ *\d+(?:  |$)|(?<=[Ll]ine )\d+", re.MULTILINE)
"""Beside the code, and in sentences."""


class Row(NamedTuple):
    """What came of one kernel."""

    name: str
    made: KernelProbes | None
    wrong: list[str]
    refused: str = ""


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--mirrors", type=Path)
    parser.add_argument("--only", choices=("cuda", "python", "triton"))
    asked = parser.parse_args()
    rows = [_deck_row(*each) for each in DECK if asked.only in (None, each[1])]
    if asked.mirrors is not None:
        chosen = (each for each in manifest() if asked.only in (None, each["language"]))
        rows += map(partial(_public_row, asked.mirrors), chosen)
    chances = _chances([row.made for row in rows if row.made is not None])
    print(f"{'kernel':<44} {'asked':>5} {'trivial':>7} {'again':>5} {'screen':>6} {'guess':>6} "
          "seconds")  # fmt: skip
    for row in rows:
        print(_line(row, chances))
    every = [chance for each in chances.values() for chance in each]
    total = sum(len(row.made.probes) for row in rows if row.made is not None)
    wrong = [said for row in rows for said in row.wrong]
    few = sum(len(row.made.probes) < FEWEST for row in rows if row.made is not None)
    guess = 100 * sum(every) / max(1, len(every))
    print(f"{len(rows)} kernels, {few} of them with fewer than {FEWEST} questions; {total} "
          f"questions, {len(wrong)} do not come out again; a guess gets {guess:.1f} %")  # fmt: skip
    for said in wrong:
        print(f"  {said}")


def _line(row: Row, chances: Mapping[int, list[float]]) -> str:
    if row.made is None:
        return f"{row.name:<44} refused: {row.refused}"
    own, probes = chances[id(row.made)], row.made.probes
    guess = 100 * sum(own) / max(1, len(own))
    again = len(probes) - len(row.wrong)
    return (
        f"{row.name:<44} {len(probes):>5} {row.made.trivial:>7} {again:>5} "
        f"{_on_screen(row.made):>6} {guess:>5.0f}% "
        f"{row.made.seconds:>6.1f}"
    )


def _on_screen(made: KernelProbes) -> int:
    """Count the questions whose answer is in what is shown with them."""
    return sum(_is_shown(probe, made) for probe in made.probes)


def _is_shown(probe: KernelProbe, made: KernelProbes) -> bool:
    question = plain_question(probe, made, ProbePlace("bench", ""))
    prompt = question["prompt"]["en"]
    if probe.form == "number":
        shown = _LINE_NUMBERS.sub("", prompt).replace(",", "")
        return str(probe.answer) in re.findall(r"(?<![\w.])\d+(?![\w.]\d)", shown)
    right = question["options"][0]["text"]["en"]
    named = re.findall(r"(?<=[Ll]ine )\d+", prompt.partition("\n")[0])
    return right in prompt or (probe.form == "line" and str(probe.lines[0]) in named)


def _chances(every: Sequence[KernelProbes]) -> dict[int, list[float]]:
    """Return the chance of a guess at each probe, by the identity of what it is one of."""
    return {
        id(made): [
            probe.chance or _guess_number(probe, [o for o in every if o is not made])
            for probe in made.probes
        ]
        for made in every
    }


def _guess_number(probe: KernelProbe, others: Sequence[KernelProbes]) -> float:
    """Return 1 if the number that others of its question have most often is right."""
    said = Counter(
        each.answer
        for made in others
        for each in made.probes
        if (each.rule, each.asked.code, each.form) == (probe.rule, probe.asked.code, "number")
    )
    return float(bool(said) and said.most_common(1)[0][0] == probe.answer)


def _deck_row(name: str, language: Any) -> Row:
    asked, source = solution_of(name, language)
    replay = replay_of(asked, source)
    made = make_probes(replay)
    made = replace(made, probes=made.probes[:MOST])
    return Row(f"{name} ({language})", made, check(again_from(asked, source, replay), made))


def _public_row(mirrors: Path, entry: Mapping[str, str]) -> Row:
    name = f"{entry['repository'].partition('/')[2]} {entry['kernel'].partition('<')[0]}"
    name = f"{name} ({entry['language']})"
    try:
        replay, again = load(entry, source_of(mirrors, entry))
        made = make_probes(replay)
    except CannotReplay as error:
        return Row(name, None, [], error.code)
    made = replace(made, probes=made.probes[:MOST])
    return Row(name, made, check(again, made))


if __name__ == "__main__":
    main()
