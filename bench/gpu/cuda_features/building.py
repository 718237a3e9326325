"""Compiles the programs with nvcc, those of a family in one text; needs no GPU."""

from __future__ import annotations

import subprocess
from collections.abc import Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from bench.gpu.cuda_features.programs import Program

OPTIONS = {"exact": ("-fmad=false",), "contracted": ()}
"""Builds by what is done with products and sums."""
_ALL = ("-std=c++17", "-arch=sm_90", "-cubin", "-w")


class NotCompiled(Exception):
    """nvcc rejects a text; the message is what it says."""


def build(programs: Iterable[Program], folder: Path, processes: int) -> None:
    """Compile all programs both ways: a file of machine code by family and build.

    Raises:
        NotCompiled: nvcc rejects one.
    """
    families: dict[str, list[Program]] = {}
    for program in programs:
        families.setdefault(program.family.name, []).append(program)
    jobs = [(name, each, folder) for name in OPTIONS for each in families.values()]
    with ThreadPoolExecutor(processes) as pool:
        for _ in pool.map(lambda job: _compile(*job), jobs):
            pass


def file_of(program: Program, build_name: str) -> str:
    """Return the name of the file that has a program."""
    return f"{program.family.name.replace(' ', '-')}.{build_name}.cubin"


def joined(programs: Sequence[Program]) -> str:
    """Return one text with all programs of a family."""
    headers = "".join(f"#include <{each}>\n" for each in programs[0].family.headers)
    spaces = [f"namespace p{each.seed} {{\n{each.text}}}\n" for each in programs]
    return "".join((headers, *spaces))


def _compile(name: str, programs: Sequence[Program], folder: Path) -> None:
    made = folder / file_of(programs[0], name)
    text = made.with_suffix(".cu")
    text.write_text(joined(programs), encoding="utf-8")
    command = ["nvcc", *_ALL, *OPTIONS[name], "-o", str(made), str(text)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        raise NotCompiled(f"{text.name}: {(done.stdout + done.stderr)[:3000]}")
