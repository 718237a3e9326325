"""Nsight Compute: which metrics stand for the emulator's counters, and what its CSV says.

One process is profiled, with all launches; `ncu` replays each a few times, as a device counts only
some metrics at a time.
"""

from __future__ import annotations

import csv
import re
import shutil
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from grader.profiles import NCU_METRICS

_BESIDE = (
    "l1tex__data_pipe_lsu_wavefronts_mem_shared.sum",
    "l1tex__data_bank_conflicts_pipe_lsu_mem_shared.sum",
    "smsp__inst_executed_op_shared_atom_dot_alu.sum",
    "smsp__inst_executed_op_shared_atom_dot_cas.sum",
)
"""To understand a difference by: kept in the raw file, compared with nothing."""
MIX = tuple(
    f"smsp__sass_thread_inst_executed_op_{kind}_pred_on.sum"
    for kind in ("integer", "fp32", "fp64", "conversion", "control", "memory", "bit", "misc")
)
"""Instructions by kind, of all threads."""
_RUN = ("-m", "bench.gpu", "run")


class ProfilerFailed(Exception):
    """`ncu` is not there, or did not do what it was asked; the message says what it said."""


@dataclass
class Profiled:
    """One launch, as `ncu` has it: the kernel's name as it was compiled, values by metric."""

    kernel: str
    metrics: dict[str, int] = field(default_factory=dict)

    def is_of(self, name: str) -> bool:
        """Whether it is this kernel's: mangled (`4copyB2v1…`) or not (`…::copy[abi:v1]…`)."""
        return bool(re.search(rf"(?:^|::|\D{len(name)}){name}(?:$|[\[(<]|B\d|E)", self.kernel))

    def counts(self) -> dict[str, int]:
        """Values by the emulator's counters; without those that the device does not count."""
        found = {
            counter: next((self.metrics[name] for name in names if name in self.metrics), None)
            for counter, names in NCU_METRICS.items()
        }
        return {counter: count for counter, count in found.items() if count is not None}


def profile(
    raw: Path,
    identity: Sequence[str],
    command: Sequence[str] = _RUN,
    further: Sequence[str] = (),
) -> None:
    """Run Python with a command under `ncu`, and keep what both say.

    Args:
        raw: the file for it; what the command printed stands there behind `# `.
        identity: of device and versions; the file's first line.
        command: arguments of Python, `python -m bench.gpu run` if not given.
        further: metrics to count beside those of `COUNTERS`.

    Raises:
        ProfilerFailed: it is not there, or ended with an error; what it counted is kept.
    """
    program = shutil.which("ncu")
    if program is None:
        raise ProfilerFailed("ncu was not found: it is part of NVIDIA's Nsight Compute")
    metrics = available(_call(program, "--query-metrics").stdout)
    asked = [f"--metrics={','.join((*metrics, *further))}", "--csv", "--print-units=base"]
    options = ["--clock-control=none", f"--log-file={raw}"]
    done = _call(program, *asked, *options, sys.executable, *command)
    print(done.stdout, end="")
    said = raw.read_text("utf-8") if raw.exists() else ""
    if said:  # whatever else happened: a device may be at hand only once
        versions = "; ".join([*identity[1:], f"ncu {_version(program)}"])
        printed = "".join(f"# {line}\n" for line in done.stdout.splitlines())
        raw.write_text(f"# {identity[0]}|{versions}\n{printed}{said}", encoding="utf-8")
    if done.returncode:
        end = f"{done.stderr}{said[-2000:]}"
        raise ProfilerFailed(f"ncu ended with status {done.returncode}: {end}")


def available(listed: str) -> list[str]:
    """The metrics to ask for, of what `--query-metrics` lists; if that is no list, those hoped for.

    What a device does not count is said on standard error.
    """
    there = {f"{name}.sum" for name in re.findall(r"^\s*(\w+__\w+)", listed, re.MULTILINE)}
    found = {
        counter: next((name for name in names if name in there), None)
        for counter, names in NCU_METRICS.items()
    }
    if not any(found.values()):
        return [names[0] for names in NCU_METRICS.values()]
    for counter in (counter for counter, name in found.items() if name is None):
        print(
            f"no {counter}: the device has no {' or '.join(NCU_METRICS[counter])}", file=sys.stderr
        )
    return [name for name in (*found.values(), *_BESIDE) if name in there]


def read(text: str) -> tuple[str, str, list[Profiled]]:
    """Device, versions and launches, from what `profile` kept.

    Raises:
        ProfilerFailed: there is no table in it, or a value is no whole number.
    """
    device, _, versions = text.partition("\n")[0].removeprefix("# ").partition("|")
    return device, versions, launches(text)


def launches(text: str) -> list[Profiled]:
    """The launches of ncu's table, whatever stands before it.

    Raises:
        ProfilerFailed: there is no table, or a value is no whole number.
    """
    lines = text.splitlines()
    head = next((at for at, line in enumerate(lines) if line.startswith('"ID",')), None)
    if head is None:
        raise ProfilerFailed(f"no table of ncu's: {text[-2000:]}")
    found: dict[str, Profiled] = {}
    for row in csv.DictReader(line for line in lines[head:] if line.startswith('"')):
        launch = found.setdefault(row["ID"], Profiled(row["Kernel Name"]))
        launch.metrics[row["Metric Name"]] = _whole(row)
    return list(found.values())


def _whole(row: Mapping[str, str]) -> int:
    value = row["Metric Value"].replace(",", "")
    if not re.fullmatch(r"\d+(\.0+)?", value):
        what = f"{row['Metric Name']} of {row['Kernel Name']}"
        raise ProfilerFailed(f"{what} is {row['Metric Value']!r}, no whole number")
    return int(value.partition(".")[0])


def _version(program: str) -> str:
    found = re.search(r"Version (\S+)", _call(program, "--version").stdout)
    return found[1] if found else "unknown"


def _call(*command: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(command, capture_output=True, text=True, check=False)
