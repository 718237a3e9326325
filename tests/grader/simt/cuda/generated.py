"""What becomes of random legal programs of C++ here.

    python -m tests.grader.simt.cuda.generated PROGRAMS [--seed N] [--show]

Each is judged by clang in CUDA mode, if libclang is there, and by g++, which also says what it
computes. What is legal may be refused by name, but is no mistake of its author.
"""

from __future__ import annotations

import argparse
import shutil
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

from grader.simt import launch
from grader.simt.cuda.lowering.kernel import lower_kernel, read_cuda
from grader.simt.cuda.places import IllFormed
from grader.simt.errors import Refused
from tests.grader.simt.cuda.generated_programs import Generator, Program
from tests.grader.simt.cuda.generated_standard import HEADERS

_BATCH = 20
"""Programs that g++ compiles at once."""


class Clang:
    """Says whether clang takes a program in CUDA mode."""

    def __init__(self, compiler: str, folder: Path) -> None:
        from clang.cindex import Index, TranslationUnit  # noqa: PLC0415 - only where libclang is

        from tests.grader.simt.cuda.clang_shapes import ARGUMENTS, HEADER_PATH  # noqa: PLC0415

        self._index = Index.create()
        self._path, read = str(folder / "program.cu"), str(folder / "headers.pch")
        plain = [each for each in ARGUMENTS if not each.startswith("-nostdinc")]
        plain.append("-std=c++20")  # before it, tuples are assigned by functions of the host
        found = [f"-isystem{each}" for each in _find_headers(compiler)]
        included = "".join(f"#include <{each}>\n" for each in HEADERS)
        text = f'#include "{HEADER_PATH}"\n{included}'
        options = TranslationUnit.PARSE_INCOMPLETE
        headers = self._index.parse("headers.cu", [*plain, *found], [("headers.cu", text)], options)
        headers.save(read)
        self._arguments = [*plain, *found, "-include-pch", read]

    def takes(self, text: str) -> bool:
        """Return True if it is legal, whatever clang finds in the host's headers."""
        files = [(self._path, text)]
        found = self._index.parse(self._path, self._arguments, unsaved_files=files)
        errors = (each for each in found.diagnostics if each.severity >= 3)
        return not any(str(each.location.file) == self._path for each in errors)


def _find_headers(compiler: str) -> list[str]:
    """Return the folders in which a compiler looks for the standard library's headers."""
    command = [compiler, "-E", "-v", "-x", "c++", "/dev/null"]
    said = subprocess.run(command, capture_output=True, text=True, check=True).stderr
    return said.partition("> search starts here:\n")[2].partition("End of search")[0].split()


def compute(compiler: str, programs: list[Program], folder: Path) -> list[list[float] | None]:
    """Return what programs show as g++ has them; None of one that it does not take."""
    included = "".join(f"#include <{each}>\n" for each in ("cstdio", *HEADERS))
    parts = [f"{included}#define __device__\n#define __host__\n"]
    for at, each in enumerate(programs):
        shows = " ".join(f'printf("%.17g ", {one});' for one in each.shown)
        body = f'{each.body}\n{shows} puts("");'
        parts.append(f"namespace p{at} {{ {each.before}\nvoid run() {{\n{body} }} }}\n")
    parts.append(f"int main() {{ {' '.join(f'p{at}::run();' for at in range(len(programs)))} }}\n")
    source, made = folder / "all.cpp", folder / "all"
    source.write_text("".join(parts), "utf-8")
    command = [compiler, "-std=c++17", "-w", "-O0", "-o", str(made), str(source)]
    if subprocess.run(command, capture_output=True, check=False).returncode:
        if len(programs) == 1:
            return [None]
        half = len(programs) // 2
        return compute(compiler, programs[:half], folder) + compute(
            compiler, programs[half:], folder
        )
    done = subprocess.run([str(made)], capture_output=True, text=True, check=True)
    return [[float(each) for each in line.split()] for line in done.stdout.splitlines()]


def judge(program: Program, wanted: list[float]) -> tuple[str, str]:
    """Say what becomes of a legal program here: run, refused, blamed, or wrong; and why."""
    try:
        kernel, _ = lower_kernel(read_cuda(program.kernel()), "k")
    except IllFormed as error:
        return "blamed", str(error)
    except Refused as error:
        return "refused", str(error).partition(": ")[2]
    out = np.zeros(len(program.shown))
    done = launch(kernel, 1, 1, [out])
    faults = [each for each in done.findings if each.kind != "warning"]
    if faults:
        return "wrong", f"{faults[0].kind} at {faults[0].line}"
    if not np.array_equal(out, np.array(wanted), equal_nan=True):
        at = int(np.flatnonzero(out != np.array(wanted))[0])
        return "wrong", f"{program.shown[at]} is {out[at]} and not {wanted[at]}"
    return "run", ""


def run_all(
    seeds: range, compiler: str, clang: Clang | None
) -> Iterator[tuple[int, Program, str, str]]:
    """Generate programs; yield of each legal one its seed, and what became of it."""
    with TemporaryDirectory() as folder:
        for first in range(seeds.start, seeds.stop, _BATCH):
            batch = range(first, min(first + _BATCH, seeds.stop))
            made = [Generator(seed).program() for seed in batch]
            computed = compute(compiler, made, Path(folder))
            for seed, program, wanted in zip(batch, made, computed, strict=True):
                if wanted is None or (clang and not clang.takes(program.kernel())):
                    yield seed, program, "illegal", ""
                else:
                    yield seed, program, *judge(program, wanted)


def main() -> int:
    """Print how many programs came to what."""
    parser = argparse.ArgumentParser()
    parser.add_argument("programs", type=int)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument(
        "--show", action="store_true", help="print programs that are blamed or wrong"
    )
    asked = parser.parse_args()
    sys.setrecursionlimit(5_000)
    compiler = shutil.which("g++")
    assert compiler is not None  # it is asked what programs compute
    counts, reasons = Counter[str](), Counter[tuple[str, str]]()
    with TemporaryDirectory() as folder:
        clang = Clang(compiler, Path(folder))
        for seed, program, what, why in run_all(
            range(asked.seed, asked.seed + asked.programs), compiler, clang
        ):
            counts[what] += 1
            reasons[what, why] += 1
            if asked.show and what in ("blamed", "wrong"):
                print(f"--- seed {seed}: {what} {why}\n{program.kernel()}")
    legal = sum(counts.values()) - counts["illegal"]
    shown = ", ".join(f"{counts[each]} {each}" for each in ("run", "refused", "blamed", "wrong"))
    print(f"{legal} legal programs of {sum(counts.values())}: {shown}")
    for (what, why), count in reasons.most_common(30):
        if what not in ("run", "illegal"):
            print(f"{count:6} {what}: {why}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
