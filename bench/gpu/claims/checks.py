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
_PROGRAM_SECONDS = 20
"""For a program that may wait for ever."""
_FAULT = re.compile(r"=+ (Barrier error detected\. [^.\n]+|Uninitialized [^.\n]+|Invalid [^.\n]+)")


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
        yield Figure("barriers", name, "synccheck", _summarize(looked))
    for tool in ("initcheck", "memcheck"):
        looked = call([sanitizer, "--tool", tool, program, "never-stored", "64"], 60)
        yield Figure("barriers", "never-stored, 64 threads", tool, _summarize(looked))


def _last_line(said: Said) -> str:
    if said.status == -1:
        return "it did not end"
    return (said.all.strip().splitlines() or ["nothing"])[-1]


def _summarize(said: Said) -> str:
    """What kinds of fault it names, and how many errors it sums up."""
    kinds = sorted(set(_FAULT.findall(said.all)))
    total = re.search(r"ERROR SUMMARY: (\d+) error", said.all)
    summary = f"{total[1]} errors" if total else f"status {said.status}, no summary"
    return "; ".join([summary, *kinds])
