"""`python -m bench.gpu.foreign`: kernels of others in the emulator, and on a GPU.

`emulate` needs no GPU, `compile` cuda-bindings and NVRTC, `on_gpu` a GPU with them, `table`
nothing. The folder OUT has `rows.jsonl`, a line for each kernel, and `jobs`, a file for each that
ran.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import sys
import time
from pathlib import Path

from bench.gpu.foreign import jobs

ROWS, JOBS, DEVICE = "rows.jsonl", "jobs", "device.jsonl"


def main() -> int:
    """Return the exit status: 0, or 1 if a kernel is wrong."""
    parser = argparse.ArgumentParser(prog="python -m bench.gpu.foreign", description=__doc__)
    commands = parser.add_subparsers(required=True)
    emulate = commands.add_parser("emulate", help="all kernels of a folder, in the emulator")
    emulate.add_argument("folder", type=Path, help="its first folders are repositories")
    emulate.add_argument("out", type=Path)
    emulate.add_argument("--include", type=Path, action="append", default=[], metavar="FOLDER")
    emulate.add_argument("--processes", type=int, default=os.cpu_count() or 1)
    emulate.add_argument("--seconds", type=float, default=math.inf, help="begin no kernel after")
    emulate.set_defaults(do=_emulate)
    compiling = commands.add_parser("compile", help="what compiles, and what does not, with NVRTC")
    compiling.add_argument("out", type=Path)
    compiling.add_argument("--capability", default="90")
    compiling.set_defaults(do=_compile)
    on_gpu = commands.add_parser("on_gpu", help="all jobs on this machine's GPU")
    on_gpu.add_argument("out", type=Path)
    on_gpu.add_argument("--found", type=Path, help="file for what was found; else in OUT")
    on_gpu.add_argument("--workers", type=int, default=12)
    on_gpu.set_defaults(do=_on_gpu)
    worker = commands.add_parser("worker", help="used by `on_gpu`")
    worker.set_defaults(do=_worker)
    table = commands.add_parser("table", help="what became of the kernels, by repository")
    table.add_argument("out", type=Path)
    table.add_argument("--found", type=Path, help="as of `on_gpu`")
    table.set_defaults(do=_table)
    asked = parser.parse_args()
    done: bool = asked.do(asked)
    return 0 if done else 1


def _emulate(asked: argparse.Namespace) -> bool:
    from bench.gpu.foreign import emulating  # noqa: PLC0415 - the GPU's machine has no emulator

    began = time.monotonic()
    (asked.out / JOBS).mkdir(parents=True, exist_ok=True)
    rows = asked.out / ROWS
    rows.unlink(missing_ok=True)
    count = 0
    for row in emulating.run_all(
        asked.folder, asked.out / JOBS, asked.include, asked.processes, asked.seconds
    ):
        jobs.add_row(rows, row)
        count += 1
    print(f"{count} kernels; {time.monotonic() - began:.0f} s")
    return True


def _compile(asked: argparse.Namespace) -> bool:
    from bench.gpu.foreign import on_gpu  # noqa: PLC0415 - needs cuda-bindings

    failed = count = 0
    for job, error in on_gpu.compile_all(asked.out / JOBS, asked.capability):
        count += 1
        failed += bool(error)
        if error:
            print(f"{job.repository}/{job.file}:{job.line} {job.kernel}: {error}", flush=True)
    print(f"NVRTC says so of {count - failed} of {count} kernels")
    return not failed


def _on_gpu(asked: argparse.Namespace) -> bool:
    from bench.gpu.foreign import on_gpu  # noqa: PLC0415 - as above

    began, wrong = time.monotonic(), 0
    found = asked.found or asked.out / DEVICE
    with found.open("w", encoding="utf-8") as file:
        for path, kind, text in on_gpu.run_all(asked.out / JOBS, asked.workers):
            file.write(json.dumps([path.stem, kind, text]) + "\n")
            wrong += kind in ("wrong", "accepted")
            if kind not in ("same", "close", "rejected"):
                print(f"{kind:13} {path.stem}: {text}", flush=True)
    print(f"{wrong} wrong; {time.monotonic() - began:.0f} s")
    return not wrong


def _worker(asked: argparse.Namespace) -> bool:
    from bench.gpu.foreign import on_gpu  # noqa: PLC0415 - as above

    on_gpu.work()
    return True


def _table(asked: argparse.Namespace) -> bool:
    from bench.gpu.foreign import table  # noqa: PLC0415 - as above

    found = asked.found or asked.out / DEVICE
    return table.show(asked.out / ROWS, found)


if __name__ == "__main__":
    sys.exit(main())
