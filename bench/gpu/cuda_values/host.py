"""Runs programs with the C++ compiler of this machine: an oracle that is not the emulator."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from bench.gpu.cuda_values.programs import BLOCKS, KERNEL, THREADS, Program

_FLAGS = (
    *("-std=c++17", "-O0", "-w", "-ffp-contract=off"),
    *("-fsanitize=undefined,float-cast-overflow", "-fsanitize-undefined-trap-on-error"),
)
"""Undefined behavior ends the program."""
_SHIM = f"""\
#include <cstdio>
#include <vector>
#define __device__ static
#define __global__ static
struct Dim {{ unsigned x, y, z; }};
static Dim threadIdx, blockIdx, blockDim{{{THREADS}, 1, 1}}, gridDim{{{BLOCKS}, 1, 1}};
template <class T> std::vector<T> get(FILE *file) {{
    long count;
    if (fread(&count, 8, 1, file) != 1) throw 1;
    std::vector<T> values(count);
    if (fread(values.data(), sizeof(T), count, file) != (size_t)count) throw 1;
    return values;
}}
template <class K> void run(FILE *file, K kernel) {{
    auto a = get<int>(file); auto b = get<unsigned>(file); auto c = get<long long>(file);
    auto d = get<float>(file); auto e = get<double>(file); auto f = get<signed char>(file);
    auto whole = get<long long>(file); auto real = get<double>(file);
    for (blockIdx.x = 0; blockIdx.x < {BLOCKS}; ++blockIdx.x)
        for (threadIdx.x = 0; threadIdx.x < {THREADS}; ++threadIdx.x)
            kernel(a.data(), b.data(), c.data(), d.data(), e.data(), f.data(),
                   whole.data(), real.data());
    fwrite(whole.data(), 8, whole.size(), stdout);
    fwrite(real.data(), 8, real.size(), stdout);
}}
"""


class NotRun(Exception):
    """The compiler rejects a text, or the program ended by undefined behavior."""


def find_compiler() -> str | None:
    """Return the C++ compiler of this machine; None if it has none."""
    return next((found for name in ("g++", "c++") if (found := shutil.which(name))), None)


def compile_all(programs: Sequence[Program], folder: Path) -> Path:
    """Compile programs to one executable.

    Raises:
        NotRun: the compiler rejects one.
    """
    spaces = [f"namespace p{at} {{\n{each.source}\n}}" for at, each in enumerate(programs)]
    cases = " ".join(
        f"case {at}: run(stdin, p{at}::{KERNEL}); break;" for at in range(len(programs))
    )
    main = f"int main(int, char **given) {{ switch (std::stoi(given[1])) {{ {cases} }} }}"
    text, made = folder / "programs.cpp", folder / "programs"
    text.write_text("\n".join(("#include <string>", _SHIM, *spaces, main)), "utf-8")
    command = [find_compiler() or "c++", *_FLAGS, "-o", str(made), str(text)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        raise NotRun(done.stderr[:2000])
    return made


def run(made: Path, at: int, program: Program) -> list[np.ndarray]:
    """Run one program; return its outputs.

    Raises:
        NotRun: by undefined behavior.
    """
    arrays = [*program.inputs(), *program.outputs()]
    given = b"".join(np.int64(each.size).tobytes() + each.tobytes() for each in arrays)
    done = subprocess.run([str(made), str(at)], input=given, capture_output=True, check=False)
    if done.returncode:
        raise NotRun(f"seed {program.seed}: status {done.returncode}")
    outputs = program.outputs()
    whole = np.frombuffer(done.stdout, np.int64, outputs[0].size)
    return [whole, np.frombuffer(done.stdout, np.float64, outputs[1].size, outputs[0].nbytes)]
