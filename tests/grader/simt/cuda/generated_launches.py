"""What becomes of random programs whose kernels are given lambdas and functors.

    python -m tests.grader.simt.cuda.generated_launches PROGRAMS [--seed N]

Each is a whole program for `quiz profile`; g++ says what it prints where a launch is a call.
"""

from __future__ import annotations

import argparse
import json
import re
import shutil
import subprocess
import sys
from collections import Counter
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.grader.simt.cuda.generated_programs import Generator
from tests.grader.simt.cuda.generated_standard import HEADERS

_KERNELS = """
template <typename F> __global__ void run(double* out, F f) { out[0] = f(2.5); }
template <typename F, typename... A> __global__ void run_with(double* out, F f, A... a) {
  out[0] = f(a...) + sizeof...(A);
}
template <typename T> struct Scale {
  T by;
  int more = 1;
  __host__ __device__ double operator()(double v) const { return v * by + more; }
};
"""
_AS_CALLS = """
#include <cstdlib>
#define __device__
#define __host__
#define __global__
template <typename T> void cudaMallocManaged(T** made, size_t size) { *made = (T*)calloc(1, size); }
inline void cudaDeviceSynchronize() {}
"""
_LAUNCHES = 10
_LACKING = ("cpp.returned-reference",)
"""Codes of what is refused by name, and no mistake of its author."""


class Launches(Generator):
    """Generates one program with launches."""

    def text(self) -> str:
        """Generate it."""
        kinds = (self._struct, self._template, self.tuples, self.pairs, self.sequences, self._nested,
                 self._converting, self._friends, self._constexpr, self._enum)  # fmt: skip
        for make in self.random.choices(kinds, k=self.random.randint(2, 4)):
            make()
        self.body.clear()  # what declarations said with their own variables
        self.numbers.clear()
        for _ in range(self.random.randint(2, 4)):
            kind, name = self.pick("int", "unsigned", "float", "double", "short"), self.name("x")
            self.say(f"{self.pick('', 'const ')}{kind} {name} = {self.literal(kind)};")
            self.numbers[name] = kind
        for kind in self.random.sample(self.structs, min(3, len(self.structs))):
            name = self.name("s")
            self.say(f"{kind.name} {name} = {kind.made()};")
            self.objects[name] = kind
        for at in range(_LAUNCHES):
            self._launch(at)
        declared = "\n".join(self.declared).replace("__device__", "__host__ __device__")
        included = "".join(f"#include <{each}>\n" for each in ("cstdio", *HEADERS))
        body = "\n".join(self.body)
        return (
            f"{included}{_KERNELS}{declared}\nint main() {{\n  double* out; "
            f"cudaMallocManaged(&out, {8 * _LAUNCHES});\n{body}\n  cudaDeviceSynchronize();\n"
            f'  for (int i = 0; i < {_LAUNCHES}; ++i) printf("value %.17g\\n", out[i]);\n}}\n'
        )

    def _launch(self, at: int) -> None:
        """Say a launch, with a lambda or a functor."""
        name, value = self.name("f"), self.expression(2)
        inner = self.random.choice(list(self.numbers))
        head = self.pick("[=] __device__ (double v)", f"[=, n = {self.literal('int')}] __device__ (double v)",
                         "[=] __device__ (double v) mutable", "[=] __device__ (float v) -> double")  # fmt: skip
        lambda_ = f"{head} {{ return {value} + v; }}"
        to = f"out + {at}"
        self.say(
            self.pick(
                f"run<<<1, 1>>>({to}, {lambda_});",
                f"auto {name} = {lambda_}; run<<<1, 1>>>({to}, {name});",
                f"auto {name} = [=] __device__ (double v) {{ return {value} - v; }}; run<<<1, 1>>>({to}, "
                f"[=] __device__ (double v) {{ return {name}(v) * 2 + {inner}; }});",
                f"run<<<1, 1>>>({to}, [=] __device__ (double v) {{ auto g = [&](auto w) {{ return w + "
                f"{value}; }}; double s = 0; for (int i = 0; i < 3; ++i) s += g(i) * v; return s; }});",
                f"run_with<<<1, 1>>>({to}, [=] __device__ (int a, double b) {{ return {value} * a + b; }}, "
                f"{self.literal('int')}, {inner});",
                f"run<<<1, 1>>>({to}, Scale<{self.pick('int', 'float', 'double')}>"
                f"{{{self.literal('int')}{self.pick('', ', 3')}}});",
                f"run<<<1, 1>>>({to}, [{inner}] __device__ (double v) {{ return {inner} * v; }});",
            )
        )


def compute(compiler: str, text: str, folder: Path) -> list[str] | None:
    """Return the lines that a program prints as g++ has it; None if it does not take it."""
    source, made = folder / "program.cpp", folder / "program"
    source.write_text(_AS_CALLS + re.sub(r"<<<.*?>>>", "", text), "utf-8")
    command = [compiler, "-std=c++17", "-w", "-O0", "-o", str(made), str(source)]
    if subprocess.run(command, capture_output=True, check=False).returncode:
        return None
    return subprocess.run([str(made)], capture_output=True, text=True, check=True).stdout.split(
        "\n"
    )


def judge(seed: int, compiler: str, folder: Path) -> tuple[str, str]:
    """Say what becomes of a program: illegal, run, refused, blamed, or wrong; and why."""
    text = Launches(seed).text()
    wanted = compute(compiler, text, folder)
    if wanted is None:
        return "illegal", ""
    source = folder / "program.cu"
    source.write_text(text, "utf-8")
    command = [sys.executable, "-m", "quizapp", "profile", str(source), "--json"]
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=folder)
    try:
        report = json.loads(done.stdout)
    except ValueError:
        return "wrong", done.stderr
    if (refused := report.get("refused")) is not None:
        code, fields = refused["what"]["code"], refused["what"]["fields"]
        return ("refused" if code in _LACKING else "blamed"), f"{code} {fields}"
    found = [line for line in done.stderr.split("\n") if line.startswith("value ")]
    faults = [each for launch in report["launches"] for each in launch["findings"]]
    right = [line for line in wanted if line]
    if found != right or any(each["kind"] != "warning" for each in faults):
        return "wrong", f"{found} and not {right}; {faults}"
    return "run", ""


def main() -> int:
    """Print what programs came to."""
    parser = argparse.ArgumentParser()
    parser.add_argument("programs", type=int)
    parser.add_argument("--seed", type=int, default=0)
    asked = parser.parse_args()
    compiler, counts = shutil.which("g++"), Counter[str]()
    assert compiler is not None  # it is asked what programs compute
    for seed in range(asked.seed, asked.seed + asked.programs):
        with TemporaryDirectory() as folder:
            what, why = judge(seed, compiler, Path(folder))
        counts[what] += 1
        if what not in ("run", "illegal"):
            print(f"seed {seed}: {what} {why}", flush=True)
    print(
        ", ".join(
            f"{counts[each]} {each}" for each in ("illegal", "run", "refused", "blamed", "wrong")
        )
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
