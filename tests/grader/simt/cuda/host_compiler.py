"""What a C++ compiler of this machine makes of code that the emulator runs: an oracle beside it."""

from __future__ import annotations

import subprocess
from collections.abc import Mapping
from pathlib import Path

import numpy as np

from grader.simt import launch
from grader.simt.cuda.lowering.kernel import lower_kernel, read_cuda

_PRELUDE = """
#include <cmath>
#include <cstdio>
#define __device__
static void show(double v) { printf("%.17g ", v); }
"""


def evaluate(
    compiler: str, before: str, cases: Mapping[str, str], folder: Path
) -> list[list[float]]:
    """Return what expressions are behind statements: `cases` has both; blanks part expressions.

    `compiler`: its path.
    """
    bodies = "\n".join(
        f'{{ {text} {" ".join(f"show({each});" for each in shown.split())} puts(""); }}'
        for text, shown in cases.items()
    )
    source, made = folder / "t.cpp", folder / "t"
    source.write_text(f"{_PRELUDE}{before}\nint main() {{\n{bodies}\n}}\n", "utf-8")
    subprocess.run([compiler, "-std=c++17", "-w", "-o", str(made), str(source)], check=True)
    done = subprocess.run([str(made)], capture_output=True, text=True, check=True)
    return [[float(each) for each in line.split()] for line in done.stdout.splitlines()]


def read_cases(text: str) -> dict[str, str]:
    """Return the cases of a text for `evaluate`: each ends with `=> ` and its expressions."""
    parts = (each.split("=>") for each in text.strip().split("\n\n"))
    return {statements: " ".join(shown.split()) for statements, shown in parts}


def in_kernel(before: str, text: str, shown: str) -> str:
    """A kernel that stores what expressions are behind statements."""
    return f"{before}\n__global__ void k(double* out) {{ {text} {stores(shown)} }}\n"


def stores(shown: str) -> str:
    """The stores of expressions, in order."""
    return " ".join(f"out[{at}] = {each};" for at, each in enumerate(shown.split()))


def emulate(source: str, shown: str) -> list[float]:
    """What a kernel stores."""
    lowered, _ = lower_kernel(read_cuda(source), "k")
    out = np.zeros(len(shown.split()))
    assert launch(lowered, 1, 1, [out]).findings == ()
    return out.tolist()
