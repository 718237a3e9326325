"""A pack of one kernel and one layout, and a class whose submissions are of every kind."""

from __future__ import annotations

from pathlib import Path

KERNEL = """
id: double
kind: kernel
topic: banks
concept: doubling
difficulty: 1
prompt: Double every element.
explanation: One element per thread.
sources: [ours]
kernel: double
arguments:
  - {name: a, dtype: float32, shape: [n]}
  - {name: out, dtype: float32, shape: [n], role: output}
shapes: [{n: 256}, {n: 77}]
confirm: {n: [40, 400]}
launch: {grid: [ceil(n / 64)], block: [64]}
counts:
  - {counter: global_sectors, most: 8 * ceil(n / 32)}
cuda: {}
wrong:
  - {file: unguarded, fails: "findings: out-of-bounds", why: The last block has too many threads.}
"""
LAYOUT = """
- id: transposed
  kind: index
  topic: banks
  concept: columns
  difficulty: 1
  prompt: Place a tile that is read by columns.
  explanation: A pitch of 33.
  sources: [ours]
  tile: {rows: 32, columns: 32, storage: 1088}
  accesses:
    - {name: row store, op: store, along: rows, allowed: 1}
    - {name: column load, op: load, along: columns, allowed: 1}
  starter: row * 32 + col
  solution: row * 33 + col
  wrong:
    - {source: row * 34 + col, fails: "wavefronts: column load", why: An even pitch.}
"""
HEAD = "from numba import cuda, float32\n\n\n@cuda.jit\ndef double(a, out):\n"
RIGHT = HEAD + "    i = cuda.grid(1)\n    if i < a.size:\n        out[i] = float32(2) * a[i]\n"
UNGUARDED = HEAD + "    i = cuda.grid(1)\n    out[i] = float32(2) * a[i]\n"
WRONG = RIGHT.replace("float32(2)", "float32(3)")
ENDLESS = HEAD + "    i = 0\n    while i < 5:\n        i = i - i\n    out[0] = 1\n"
CUDA = """__global__ void twice(const float* a, float* out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = 2.0f * a[i];
}
"""
EXITS = RIGHT + "\n\nimport sys\n\nsys.exit(7)\n"
DEEP = HEAD + f"    out[0] = {'(' * 3000}1{')' * 3000}\n"
HUGE = HEAD + "    b = cuda.local.array(3_000_000_000, float32)\n    b[0] = 1\n    out[0] = b[0]\n"
FLOOD = HEAD + "    for i in range(10_000):\n        print(i)\n    out[0] = 1\n"
NOT_PYTHON = "def double(:\n"

SUBMISSIONS = {
    "ann/double.py": RIGHT,
    "ann/transposed.py": "row * 33 + col",
    "bob/double.cu": CUDA,
    "bob/transposed.cu": "row * 34 + col",
    "cid/double.py": UNGUARDED,
    "dan/double.py": WRONG,
    "eve/double.py": ENDLESS,
    "fay/double.py": EXITS,
    "gus/double.py": DEEP,
    "hal/double.py": HUGE,
    "ida/double.py": FLOOD,
    "jon/double.py": NOT_PYTHON,
}
"""Every kind of submission, each with a verdict: by the path below the folder of the class."""
STATES = {
    "ann/double.py": ("passed", ""),
    "ann/transposed.py": ("passed", ""),
    "bob/double.cu": ("passed", ""),
    "bob/transposed.cu": ("failed", "wavefronts: column load"),
    "cid/double.py": ("failed", "findings: out-of-bounds"),
    "dan/double.py": ("failed", "result"),
    "eve/double.py": ("failed", "runs: budget"),
    "fay/double.py": ("failed", "source"),
    "gus/double.py": ("failed", "source"),
    "hal/double.py": ("failed", "runs: resources"),
    "ida/double.py": ("failed", "result"),
    "jon/double.py": ("failed", "source"),
}
"""The status of each, and the check that fails."""


def write_pack(content: Path, name: str = "mine") -> None:
    """Write the pack into a folder of content."""
    write_files(
        content / name,
        {
            "double/question.yaml": KERNEL,
            "double/starter.py": HEAD + "    i = cuda.grid(1)\n",
            "double/starter.cu": CUDA.replace("2.0f", "1.0f"),
            "double/solution.py": RIGHT,
            "double/solution.cu": CUDA,
            "double/reference.py": "def reference(a):\n    return 2 * a\n",
            "double/wrong/unguarded.py": UNGUARDED,
            "layouts.yaml": LAYOUT,
        },
    )


def write_files(folder: Path, files: dict[str, str]) -> Path:
    """Write files below a folder; return the folder."""
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
    return folder
