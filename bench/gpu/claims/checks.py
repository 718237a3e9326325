"""What is no figure: what the compiler, a sanitizer or the device says of a program.

A value is a short text, the part of the answer that sentences quote.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from bench.gpu.claims.figures import Figure
from bench.gpu.claims.programs import build, compile_source
from bench.gpu.claims.tools import Said, call, find_program

BARRIERS = (
    ("others-go-on", 64), ("others-go-on", 256), ("others-meet-a-later-one", 64),
    ("others-meet-a-later-one", 256), ("others-have-left", 64), ("others-have-left", 256),
    ("nothing-follows", 64), ("nothing-follows", 256),
)  # fmt: skip
LIMITS = (
    ("bulk_copies", ("misplaced", "0", "0", "16")),
    ("bulk_copies", ("misplaced", "16", "16", "48")),
    ("bulk_copies", ("misplaced", "8", "0", "16")),
    ("bulk_copies", ("misplaced", "0", "8", "16")),
    ("bulk_copies", ("misplaced", "0", "0", "8")),
    ("bulk_copies", ("misplaced", "0", "0", "24")),
    ("bulk_copies", ("expect", "16368")), ("bulk_copies", ("expect", "16")),
    ("clusters", ("missing", "early")), ("clusters", ("missing", "early-barrier")),
    ("clusters", ("missing", "late")), ("clusters", ("missing", "late-barrier")),
    ("tensor_copies", ("past", "16")), ("tensor_copies", ("past", "64")),
    ("tensor_copies", ("past", "128")),
    ("async_copies", ("misaligned", "0")), ("async_copies", ("misaligned", "4")),
    ("async_copies", ("misaligned", "8")),
    ("named_barriers", ("number", "15")),
)  # fmt: skip
FAULTS = (
    ("race", ("racecheck", "memcheck")),
    ("race-in-a-warp", ("racecheck",)),
    ("race-of-rounds", ("racecheck",)),
    ("barrier-in-a-branch", ("synccheck", "racecheck")),
    ("shuffle-in-a-branch", ("synccheck",)),
    ("past-the-end-of-shared", ("memcheck",)),
    ("past-the-end-of-dynamic", ("memcheck",)),
    ("past-the-end-of-global", ("memcheck",)),
    ("past-the-last-allocation", ("memcheck",)),
    ("never-written-global", ("initcheck", "memcheck")),
    ("never-written-shared", ("initcheck", "memcheck")),
)
_PROGRAM_SECONDS = 20
"""For a program that may wait for ever."""
_PLACE = re.compile(r"^line \d+: cudaDeviceSynchronize\(\): ")
"""Where the program learns of an error, which is no news."""
_FAULT = re.compile(
    r"=+ (?:(?:Error|Warning): )?(Barrier error detected\. [^.\n]+|Uninitialized [^.\n]+"
    r"|Invalid [^.\n]+|Race reported between \w+ access)"
)


def shared_member(folder: Path) -> Iterator[Figure]:
    """A member that is said to be shared: the warning, the status, where the array lies."""
    said = compile_source("shared_member", "ptx", folder)
    ptx = (folder / "shared_member.ptx").read_text("utf-8")
    local = re.search(r"\.local[^;]*\[(\d+)\]", ptx)
    warning = re.search(r"warning (#\d+-D): (.*)", said.all)
    yield Figure("shared_member", "nvcc", "status", str(said.status))
    yield Figure("shared_member", "nvcc", "warning", " ".join(warning.groups()) if warning else "")
    yield Figure("shared_member", "PTX", "local bytes", local[1] if local else "0", "bytes")
    yield Figure("shared_member", "PTX", "shared", str(".shared" in ptx))


def addresses(folder: Path) -> Iterator[Figure]:
    """16-byte stores into rows of 129 floats, and the printed banks of a row."""
    program = build("addresses", folder)
    for k in range(8):
        said = call([program, "store", str(k)], _PROGRAM_SECONDS)
        yield Figure("addresses", f"store, k = {k}", "ends with", _last_line(said))
    for k in (3, 4):
        out = call([program, "banks", str(k)], _PROGRAM_SECONDS).out
        banks = re.findall(r"lane \d+: bank (\d+)", out)
        yield Figure("addresses", f"banks, k = {k}", "printed", " ".join(banks))


def barriers(folder: Path) -> Iterator[Figure]:
    """Barriers that some threads do not reach: a plain run, and what synccheck reports."""
    program = build("barriers", folder)
    sanitizer = find_program("compute-sanitizer")
    for case, threads in BARRIERS:
        name = f"{case}, {threads} threads"
        plain = call([program, case, str(threads)], _PROGRAM_SECONDS)
        looked = call([sanitizer, "--tool", "synccheck", program, case, str(threads)], 60)
        yield Figure("barriers", name, "ends with", _last_line(plain))
        yield Figure("barriers", name, "synccheck", summarize(looked))
    for tool in ("initcheck", "memcheck"):
        looked = call([sanitizer, "--tool", tool, program, "never-stored", "64"], 60)
        yield Figure("barriers", "never-stored, 64 threads", tool, summarize(looked))


def limits(folder: Path) -> Iterator[Figure]:
    """What a program says that is given an address, a size or a number beyond a limit."""
    said = re.search(r"error\s*: (.*)", compile_source("barrier_16", "cubin", folder).all)
    yield Figure("limits", "bar.sync 16", "ptxas", said[1] if said else "")
    programs = {name: build(name, folder) for name in dict(LIMITS)}
    for name, arguments in LIMITS:
        ran = call([programs[name], *arguments], _PROGRAM_SECONDS)
        yield Figure("limits", f"{name} {' '.join(arguments)}", "ends with", _last_line(ran))


def faulty(folder: Path) -> Iterator[Figure]:
    """Small faults: a plain run, and what the tools of compute-sanitizer report."""
    program = build("faulty", folder)
    sanitizer = find_program("compute-sanitizer")
    for case, tools in FAULTS:
        yield Figure(
            "faulty", case, "ends with", _last_line(call([program, case], _PROGRAM_SECONDS))
        )
        for tool in tools:
            looked = call([sanitizer, "--tool", tool, program, case], 60)
            yield Figure("faulty", case, tool, summarize(looked))


def summarize(said: Said) -> str:
    """What kinds of fault it names, and how many errors it sums up."""
    kinds = sorted(set(_FAULT.findall(said.all)))
    total = re.search(r"ERROR SUMMARY: (\d+) error", said.all)
    hazards = re.search(r"RACECHECK SUMMARY: (.*)", said.all)
    summary = f"{total[1]} errors" if total else f"status {said.status}, no summary"
    summary = hazards[1] if hazards else summary
    return "; ".join([summary, *kinds])


def _last_line(said: Said) -> str:
    if said.status == -1:
        return "it did not end"
    line = (said.all.strip().splitlines() or ["nothing"])[-1]
    return _PLACE.sub("", line)
