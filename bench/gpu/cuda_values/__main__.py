"""`python -m bench.gpu.cuda_values`: the emulator against a GPU (values) and NVRTC (verdicts).

`run` and `contracted` need a GPU with CuPy, `verdicts` cuda-bindings and NVRTC.
"""

from __future__ import annotations

import argparse
import os
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TypeVar

from bench.gpu.cuda_values import variants

R = TypeVar("R")


def main() -> int:
    """Return the exit status: 0, or 1 if a program differs."""
    parser = argparse.ArgumentParser(prog="python -m bench.gpu.cuda_values", description=__doc__)
    commands = parser.add_subparsers(required=True)
    run = commands.add_parser("run", help="random programs on this GPU and in the emulator")
    run.set_defaults(do=_run, file="cuda_values.csv")
    contracted = commands.add_parser("contracted", help="sums and products, with multiply-adds")
    contracted.set_defaults(do=_contracted, file="cuda_contracted.csv")
    for command in (run, contracted):
        command.add_argument("out", type=Path, help="folder for the CSV")
        command.add_argument("--count", type=int, default=300)
    verdicts = commands.add_parser("verdicts", help="record what NVRTC says to the variants")
    verdicts.set_defaults(do=_verdicts)
    asked = parser.parse_args()
    done: bool = asked.do(asked)
    return 0 if done else 1


def _run(asked: argparse.Namespace) -> bool:
    from bench.gpu.cuda_values import on_gpu  # noqa: PLC0415 - needs a GPU

    began = time.monotonic()
    rows = _collect(asked, on_gpu.compare(asked.count, _processes()), on_gpu.save)
    differ = [row for row in rows if row.found != on_gpu.SAME]
    print("\n".join(f"seed {row.seed}: {row.found}" for row in differ))
    same = len(rows) - len(differ)
    print(f"{same} of {len(rows)} kernels are bit-identical; {time.monotonic() - began:.0f} s")
    return not differ


def _contracted(asked: argparse.Namespace) -> bool:
    from bench.gpu.cuda_values import contracted, on_gpu  # noqa: PLC0415 - as above

    began = time.monotonic()
    rows = _collect(asked, contracted.compare(asked.count, _processes()), on_gpu.save)
    outside = [row for row in rows if not row.is_within]
    print("\n".join(f"seed {row.seed}: {row}" for row in outside))
    print(f"{contracted.summarize(rows)}; {time.monotonic() - began:.0f} s")
    return not outside


def _collect(
    asked: argparse.Namespace, rows: Iterator[R], save: Callable[[Path, list[R]], None]
) -> list[R]:
    """Keep what was found even if a program ends the run."""
    asked.out.mkdir(parents=True, exist_ok=True)
    found: list[R] = []
    try:
        found.extend(rows)
    finally:
        save(asked.out / asked.file, found)
    return found


def _processes() -> int:
    return max((os.cpu_count() or 2) - 1, 1)


def _verdicts(_asked: argparse.Namespace) -> bool:
    texts = variants.read_variants()
    judged = [variants.judge(name, text) for name, text in texts.items()]
    variants.save_verdicts(judged)
    accepted = sum(each.verdict == variants.ACCEPTED for each in judged)
    print(f"NVRTC accepts {accepted} of {len(judged)} texts")
    return True


if __name__ == "__main__":
    sys.exit(main())
