"""`python -m bench.gpu.cuda_values`: the emulator against a GPU (values) and NVRTC (verdicts).

`run` needs a GPU with CuPy, `verdicts` cuda-bindings and NVRTC.
"""

from __future__ import annotations

import argparse
import os
import sys
import time
from pathlib import Path

from bench.gpu.cuda_values import variants


def main() -> int:
    """Return the exit status: 0, or 1 if a program differs."""
    parser = argparse.ArgumentParser(prog="python -m bench.gpu.cuda_values", description=__doc__)
    commands = parser.add_subparsers(required=True)
    run = commands.add_parser("run", help="random programs on this GPU and in the emulator")
    run.add_argument("out", type=Path, help="folder for cuda_values.csv")
    run.add_argument("--count", type=int, default=300)
    run.set_defaults(do=_run)
    verdicts = commands.add_parser("verdicts", help="record what NVRTC says to the variants")
    verdicts.set_defaults(do=_verdicts)
    asked = parser.parse_args()
    done: bool = asked.do(asked)
    return 0 if done else 1


def _run(asked: argparse.Namespace) -> bool:
    from bench.gpu.cuda_values import on_gpu  # noqa: PLC0415 - the other command needs no GPU

    asked.out.mkdir(parents=True, exist_ok=True)
    began, rows = time.monotonic(), list[on_gpu.Row]()
    try:
        for row in on_gpu.compare(asked.count, max((os.cpu_count() or 2) - 1, 1)):
            rows.append(row)
            if row.found != on_gpu.SAME:
                print(f"seed {row.seed}: {row.found}", flush=True)
    finally:
        on_gpu.save(asked.out / "cuda_values.csv", rows)
    same = sum(row.found == on_gpu.SAME for row in rows)
    print(f"{same} of {len(rows)} kernels are bit-identical; {time.monotonic() - began:.0f} s")
    return same == len(rows)


def _verdicts(_asked: argparse.Namespace) -> bool:
    texts = variants.read_variants()
    judged = [variants.judge(name, text) for name, text in texts.items()]
    variants.save_verdicts(judged)
    accepted = sum(each.verdict == variants.ACCEPTED for each in judged)
    print(f"NVRTC accepts {accepted} of {len(judged)} texts")
    return True


if __name__ == "__main__":
    sys.exit(main())
