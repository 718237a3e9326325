"""`python -m bench.gpu.cuda`: compile, check, time and count the `.cu` files of kernel questions.

`run` and `count` need a GPU with numba-cuda and cuda-bindings beside it, `count` Nsight Compute,
too; `compile` cuda-bindings and NVRTC alone, `record`, `table` and `counted` nothing.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from tempfile import NamedTemporaryFile

from bench.gpu import nsight
from bench.gpu.claims.tools import call, find_program
from bench.gpu.cuda import counters, exact, recorded
from bench.gpu.cuda.launches import RIGHT, counted_launches
from bench.gpu.cuda.programs import CONTENT, Program, programs

_SIDE_BY_SIDE = 12
_SECONDS = 90
_SOURCE_PAGE = ("memory_l1_wavefronts_shared", "memory_l1_wavefronts_shared_ideal")
"""Wavefronts of what was executed, to understand a difference by."""


def main() -> int:
    """Return the exit status: 0, or 1 if a program is not right."""
    asked = _arguments()
    done: bool = asked.do(asked)
    return 0 if done else 1


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m bench.gpu.cuda", description=__doc__)
    commands = parser.add_subparsers(required=True)
    run = commands.add_parser("run", help="all programs: right, and how fast (GPU)")
    run.add_argument("out", type=Path, help="folder for what was found")
    run.set_defaults(do=_run)
    one = commands.add_parser("one", help="one program; used by `run`")
    one.add_argument("name", help="folder and file: saxpy/solution.cu")
    one.add_argument("out", type=Path)
    one.set_defaults(do=_one)
    compiling = commands.add_parser("compile", help="all programs with NVRTC (no GPU)")
    compiling.add_argument("--capability", default="9.0")
    compiling.add_argument("--sass", type=Path, metavar="FILE",
                           help="write the machine code there, with that of exact.cu")  # fmt: skip
    compiling.set_defaults(do=_compile)
    for command in (run, one, compiling):
        command.add_argument("--content", type=Path, default=CONTENT)
    for command in (run, compiling):
        command.add_argument("--only", action="append", default=[], metavar="NAME",
                             help="only folders whose name begins so")  # fmt: skip
    recording = commands.add_parser("record", help="what `run` found, where files are unchanged")
    recording.add_argument("found", type=Path, nargs="+", help="folders that `run` filled")
    recording.set_defaults(do=_record)
    table = commands.add_parser("table", help="the recorded runs, as Markdown")
    table.set_defaults(do=_table)
    launching = commands.add_parser("launch", help="all once; used by `count`")
    launching.set_defaults(do=_launch)
    counting = commands.add_parser("count", help="all once under ncu, and exact.cu (GPU)")
    counting.add_argument("raw", type=Path, help="file for what ncu says")
    counting.set_defaults(do=_count)
    for command in (launching, counting):
        command.add_argument("--missing", action="store_true",
                             help="only what is not recorded as it is now")  # fmt: skip
    counted = commands.add_parser("counted", help="what ncu counted, beside the emulator's counts")
    what = "what `count` wrote; without it, the emulator alone counts again"
    counted.add_argument("raw", type=Path, nargs="?", help=what)
    counted.set_defaults(do=_counted)
    return parser.parse_args()


def _chosen(asked: argparse.Namespace) -> list[Program]:
    begins = tuple(asked.only) or ("",)
    return [one for one in programs(asked.content) if one.name.startswith(begins)]


def _run(asked: argparse.Namespace) -> bool:
    asked.out.mkdir(parents=True, exist_ok=True)
    began = time.monotonic()
    with ThreadPoolExecutor(_SIDE_BY_SIDE) as pool:
        ends = list(pool.map(lambda one: _begin(one, asked), _chosen(asked)))
    rows = [row for path in sorted(asked.out.glob("*.row.csv")) for row in recorded.load(path)]
    recorded.save(asked.out / "cuda_solutions.csv", rows)
    for path in asked.out.glob("*.row.csv"):
        path.unlink()
    (asked.out / "lock").unlink(missing_ok=True)
    took = time.monotonic() - began
    print(f"{sum(ends)} of {len(ends)} programs are right; {took:.0f} s")
    return all(ends)


def _begin(program: Program, asked: argparse.Namespace) -> bool:
    """Run a program in a process of its own, and tell how that ended."""
    command = [sys.executable, "-m", "bench.gpu.cuda", "one", program.name, str(asked.out),
               "--content", str(asked.content)]  # fmt: skip
    began = time.monotonic()
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=False,
                              timeout=_SECONDS, errors="replace")  # fmt: skip
        said, status = (done.stdout + done.stderr).strip(), done.returncode
    except subprocess.TimeoutExpired:
        said, status = f"not done in {_SECONDS} s", 1
    print(f"{program.name:<44} {time.monotonic() - began:5.1f} s  {said[-1500:]}", flush=True)
    return status == 0


def _one(asked: argparse.Namespace) -> bool:
    from bench.gpu.cuda.run import Wrong, run  # noqa: PLC0415 - other commands need no GPU
    from grader.gpu.devices.device import DeviceError  # noqa: PLC0415 - as above
    from grader.gpu.devices.nvrtc import NotCompiled  # noqa: PLC0415 - as below

    (program,) = (one for one in programs(asked.content) if one.name == asked.name)
    try:
        row = run(program, asked.out / "lock")
    except (Wrong, NotCompiled, DeviceError) as error:
        print(f"{type(error).__name__}: {error}")
        return False
    recorded.save(asked.out / f"{program.name.replace('/', '--')}.row.csv", [row])
    print(f"right at {row.shapes} shapes; ms: CUDA {row.cuda_ms}, Numba {row.numba_ms},"
          f" baseline {row.baseline_ms}; {row.registers} registers")  # fmt: skip
    return True


def _compile(asked: argparse.Namespace) -> bool:
    from grader.gpu.devices.nvrtc import NotCompiled, compile_cubin  # noqa: PLC0415 - as above

    texts = [(one.name, one.source, one.question.kernel) for one in _chosen(asked)]
    if asked.sass:
        texts.append((exact.SOURCE.name, exact.SOURCE.read_text("utf-8"), "copy"))
    failed, codes = 0, list[str]()
    for name, source, kernel in texts:
        try:
            code = compile_cubin(source, name, asked.capability).code
            there = kernel.encode() in code
            end = "compiled" if there else f"has no kernel {kernel}"
            codes += [f"## {name}\n{_disassemble(code)}\n"] if asked.sass else []
        except NotCompiled as error:
            there, end = False, str(error)
        failed += not there
        print(f"{name:<44} {end}")
    if asked.sass:
        asked.sass.write_text("\n".join(codes), encoding="utf-8")
    return not failed


def _disassemble(code: bytes) -> str:
    with NamedTemporaryFile(suffix=".cubin") as file:
        file.write(code)
        file.flush()
        return call([find_program("nvdisasm"), "--print-code", file.name]).all


def _record(asked: argparse.Namespace) -> bool:
    """Merge rows into the recording: those whose file is still what ran, and what it had before."""
    now = {(one.question.id, one.path.name): one.sha256 for one in programs()}
    rows = {row.key: row for row in recorded.load()} if recorded.RECORDED.exists() else {}
    for folder in asked.found:
        rows |= {row.key: row for row in recorded.load(folder / "cuda_solutions.csv")}
    kept = [row for row in rows.values() if now.get(row.key) == row.sha256]
    recorded.save(recorded.RECORDED, kept)
    missing = sorted(set(now) - {row.key for row in kept})
    print(
        "\n".join([f"{len(kept)} recorded", *(f"not recorded: {' '.join(one)}" for one in missing)])
    )
    return not missing


def _table(asked: argparse.Namespace) -> bool:
    print("| question | file | CUDA C++ ms | Numba ms | baseline ms | registers | shared bytes |")
    print("| --- | --- | --- | --- | --- | --- | --- |")
    for row in recorded.load():
        print(f"| {row.question} | {row.file} | {row.cuda_ms} | {row.numba_ms} |"
              f" {row.baseline_ms} | {row.registers} | {row.shared} |")  # fmt: skip
    return True


def _launch(asked: argparse.Namespace) -> bool:
    from grader.gpu.devices.device import DeviceError  # noqa: PLC0415 - needs a GPU
    from grader.gpu.devices.numba_device import open_device  # noqa: PLC0415 - as above

    device = open_device()
    right = True
    done = {(cell.key, cell.sha256) for cell in counters.load()} if asked.missing else set()
    for launch in counted_launches():
        if (launch.key, launch.sha256) in done:
            continue
        try:
            ended = launch.run(device)
        except DeviceError as error:
            print(f"failed {launch.key}: {error}", flush=True)
            right = False
            if error.poisoned:
                break
            continue
        print(counters.launched_line(launch, ended), flush=True)
        right = right and ended == RIGHT
    return right


def _count(asked: argparse.Namespace) -> bool:
    from grader.gpu.devices import nvrtc  # noqa: PLC0415 - as above
    from grader.gpu.devices.numba_device import open_device  # noqa: PLC0415 - as above

    facts = open_device().facts
    identity = facts.name, f"NVRTC {nvrtc.version()}; driver {facts.driver}"
    command = ("-m", "bench.gpu.cuda", "launch", *(["--missing"] if asked.missing else []))
    try:
        nsight.profile(asked.raw, identity, command, _SOURCE_PAGE)
    except nsight.ProfilerFailed as error:
        print(error, file=sys.stderr)
        return False
    return True


def _counted(asked: argparse.Namespace) -> bool:
    """Write the recording, and print what does not hold of it."""
    cells = counters.counted_again(counters.load() if counters.RECORDED.exists() else [])
    if asked.raw is not None:
        new = counters.read_cells(asked.raw.read_text("utf-8"))
        cells = counters.merge(cells, new)
    counters.save(counters.RECORDED, cells)
    launches, reasons = counted_launches(), counters.load_reasons()
    found = [text for launch in launches for text in counters.problems(launch, cells, reasons)]
    found += counters.problems_of_tables(launches, cells, reasons)
    print("\n".join([*found, counters.summary(cells, reasons)]))
    return not found


if __name__ == "__main__":
    sys.exit(main())
