"""What the deck's tests are made with: valid questions to spoil, and marks in YAML text."""

from __future__ import annotations

from pathlib import Path

from quizapp.deck.compiler import DeckCompilation, compile_deck
from quizapp.deck.index import SourceFile

ROOT = Path(__file__).parents[2]
MARK = "¦"
"""Stands in a test's YAML right before the place at which a problem must be reported."""

NUMBER = """\
- id: a-number
  kind: number
  topic: banks
  concept: strides
  difficulty: 2
  prompt: How many banks?
  explanation: There are 32.
  sources: [a document]
  answer: 32
"""
CHOICE = """\
- id: a-choice
  kind: choice
  topic: banks
  concept: strides-in-choice
  difficulty: 2
  prompt: How many banks?
  explanation: There are 32.
  sources: [a document]
  options:
    - text: "32"
      correct: true
    - text: "16"
      why: Long ago.
"""
RECALL = """\
- id: a-recall
  kind: recall
  topic: banks
  concept: strides-in-recall
  difficulty: 2
  prompt: What is a bank?
  explanation: A slice of memory.
  sources: [a document]
  answer: A slice.
  rubric:
    - point: A slice
    - point: Of memory
      weight: 3
"""
TRACE = """\
- id: a-trace
  kind: trace
  topic: banks
  concept: strides-in-trace
  difficulty: 2
  basis: as-written
  prompt: A warp reads `data[threadIdx.x * {{stride}}]`, of 4 bytes each.
  explanation: The stride is {{stride}}, hence {{answer}}.
  sources: [a document]
  ask: wavefronts
  draw:
    stride: [1, 2, 3, 4, 8, 16, 32, 33]
  access:
    index: threadIdx.x * stride
"""
INDEX = """\
- id: a-index
  kind: index
  topic: banks
  concept: strides-in-index
  difficulty: 2
  prompt: Place a tile of 32×32.
  explanation: Like this.
  sources: [a document]
  tile: {rows: 32, columns: 32, storage: 1056}
  accesses:
    - {name: row store, op: store, along: rows}
    - {name: column load, along: columns}
  starter: row * 32 + col
  solution: |
    def index(row, col):
        return row * 33 + col
  wrong:
    - source: row * 34 + col
      fails: inside
      why: There is no room for so much.
"""
SPOT = """\
- id: a-spot
  kind: spot
  topic: synchronization
  concept: barriers
  difficulty: 2
  prompt: Each block of {{size}} threads reverses its part of `a`. What is wrong?
  explanation: A barrier is missing behind the store of {{tile}}.
  sources: [a document]
  draw:
    size: [64, 128]
    tile: [tile, part]
  code: |
    @cuda.jit
    def reverse(a, out):
        {{tile}} = cuda.shared.array({{size}}, numba.float32)
        t = cuda.threadIdx.x
        i = cuda.grid(1)
        {{tile}}[t] = a[i]
        out[i] = {{tile}}[{{size - 1}} - t]
  arguments:
    - {name: a, dtype: float32, shape: [2 * size]}
    - {name: out, dtype: float32, shape: [2 * size], role: output}
  launch: {grid: [2], block: [size]}
"""
SPOT_PLACES = frozenset({(6, "race"), (7, "race")})
KINDS = {
    "number": NUMBER,
    "choice": CHOICE,
    "recall": RECALL,
    "trace": TRACE,
    "index": INDEX,
    "spot": SPOT,
}
KERNEL = """\
- id: a-kernel
  kind: kernel
  topic: gemm
  concept: elementwise
  difficulty: 2
  prompt: {en: Store twice each element of `a` in `out`., zh: 把 `a` 中每个元素的两倍写入 `out`。}
  explanation: {en: One thread an element., zh: 每个线程一个元素。}
  sources: [a document]
  hints: [{en: Mind the last block., zh: 注意最后一个块。}]
  kernel: double
  arguments:
    - {name: a, dtype: float32, shape: [n]}
    - {name: out, dtype: float32, shape: [n], role: output}
  shapes: [{n: 64}, {n: 100}]
  launch: {grid: [ceil(n / 32)], block: [32]}
  counts: [{counter: global_requests, most: 2 * ceil(n / 32)}]
  wrong:
    - file: no-guard
      fails: "findings: out-of-bounds"
      why: {en: The last block has threads to spare., zh: 最后一个块有多余的线程。}
    - file: reads-twice
      fails: "counts: global_requests"
      why: {en: It loads `a` twice., zh: 它读取了两次 `a`。}
"""
"""Has a folder of its own: see `kernel_folder`."""
_DOUBLE = "from numba import cuda\n\n\n@cuda.jit\ndef double(a, out):\n    i = cuda.grid(1)\n"
KERNEL_FILES = {
    "starter.py": _DOUBLE + "    # Store twice the element.\n",
    "solution.py": _DOUBLE + "    if i < out.size:\n        out[i] = 2 * a[i]\n",
    "reference.py": "def reference(a):\n    return 2 * a\n",
    "wrong/no-guard.py": _DOUBLE + "    out[i] = 2 * a[i]\n",
    "wrong/reads-twice.py": _DOUBLE + "    if i < out.size:\n        out[i] = a[i] + a[i]\n",
}


def split_mark(text: str) -> tuple[str, tuple[int, int]]:
    """The text without its mark, and the line and column (1-based) where the mark was."""
    before, found, after = text.partition(MARK)
    assert found, "the text has no mark"
    assert MARK not in after, "the text has two marks"
    line = before.count("\n") + 1
    return before + after, (line, len(before) - before.rfind("\n"))


def file(text: str | bytes, path: str = "pack/file.yaml", root: str = "root") -> SourceFile:
    return SourceFile(root, path, text.encode() if isinstance(text, str) else text, "", "")


def compile_texts(*texts: str) -> DeckCompilation:
    """The deck of one pack with these files: `pack/0.yaml`, `pack/1.yaml`, …"""
    return compile_deck([file(text, f"pack/{n}.yaml") for n, text in enumerate(texts)])


def question(of: str = "number", /, **fields: str | None) -> str:
    """A valid question with fields replaced by this YAML, or left out where it is None.

    A value is put behind its key on one line; `id="other"` gives another question.
    """
    lines = (KERNEL if of == "kernel" else KINDS[of]).splitlines()
    for name, value in fields.items():
        at = [i for i, line in enumerate(lines) if line[2:].startswith(f"{name}:")]
        if at:
            end = at[0] + 1
            while end < len(lines) and lines[end].startswith("    "):
                end += 1
            del lines[at[0] : end]
        if value is not None:
            lines.insert(at[0] if at else len(lines), f"  {name}: {value}")
    lines = [line.replace("-", " ", 1) if line.startswith("- ") else line for line in lines]
    return "\n".join(["-" + lines[0][1:], *lines[1:]]) + "\n"


def kernel_folder(
    root: Path, of: str = KERNEL, /, *, path: str = "pack/double", **changed: str | None
) -> Path:
    """A kernel question with its files; `solution="…"` gives another text, None leaves one out.

    Names have `_` for `-`, and wrong ones begin with `wrong_`.
    """
    texts: dict[str, str | None] = {**KERNEL_FILES}
    for name, text in changed.items():
        file = name.replace("_", "-").removeprefix("wrong-")
        texts[f"wrong/{file}.py" if name.startswith("wrong_") else f"{file}.py"] = text
    for name, text in texts.items():
        if text is not None:
            write(root, f"{path}/{name}", text)
    return write(root, f"{path}/question.yaml", of).parent


def write(root: Path, path: str, text: str) -> Path:
    """A file of content below a root."""
    target = root / path
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_text(text, "utf-8")
    return target


_CUDA = """\
extern "C" __global__ void twice(const float* a, float* out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
"""
CUDA_FILES = {
    "starter.cu": _CUDA + "    // Store twice the element.\n}\n",
    "solution.cu": _CUDA + "    if (i < n)\n        out[i] = 2 * a[i];\n}\n",
    "wrong/no-guard.cu": _CUDA + "    out[i] = 2 * a[i];\n}\n",
}
"""The files of `KERNEL` in CUDA C++; one of its mistakes exists in Python only."""


def add_cuda(folder: Path, *names: str) -> Path:
    """Add the files in CUDA C++ to a kernel question's folder: all, or those named."""
    for name in names or CUDA_FILES:
        write(folder, name, CUDA_FILES[name])
    return folder
