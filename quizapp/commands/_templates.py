"""What `quiz new` writes: for each kind a whole question, true as it stands, to be written over."""

from __future__ import annotations

import json
import re
from collections.abc import Collection
from string import Template

from quizapp.commands import _kernel_template
from quizapp.deck.index import FOLDER_FILE

_HEAD = """\
# yaml-language-server: $$schema=$schema
# An example that lints: write your question over it, then `quiz lint` and `quiz preview --watch`.
# Every field: docs/authoring.md.
- id: $id # never changes once somebody has answered it
  kind: $kind
  topic: banks
  concept: $id # questions that ask the same thing differently share one
  difficulty: 1 # 1 (everybody knows) to 5 (few do)
  prompt: $prompt
"""

_TAIL = """\
  hints: # each shown on a key press, from vague to plain
    - $hint
  explanation: $explanation
  sources: # where it is known from
    - "CUDA C++ Programming Guide, shared memory"
"""

_BODIES = {
    "recall": """\
  answer: $answer
  rubric: # what a good answer mentions; the weights are relative
    - point: $point_1
      weight: 2
    - point: $point_2
""",
    "choice": """\
  options: # a wrong one says why it is wrong
    - text: "32"
      correct: true
    - text: "16"
      why: $why_1
    - text: "64"
      why: $why_2
""",
    "number": """\
  compute: bank(4, 33 * 7 + 5) # or `answer:`, where nothing can be computed
  tolerance: 0
""",
    "trace": """\
  basis: as-written # counts are of the source
  ask: wavefronts # or conflicts, ways, ideal, bank
  draw: # other values at each review; prose and access may use them
    stride: [1, 2, 3, 4, 6, 8, 12, 16, 20, 24, 32]
  access: # the warp instruction, in C
    index: threadIdx.x * stride
    element: 4
""",
    "index": """\
  tile: {rows: 32, columns: 32, element: 4, storage: 1056}
  accesses: # what is done with the tile; as few wavefronts as possible are allowed
    - {name: row store, op: store, along: rows}
    - {name: column load, op: load, along: columns}
  starter: | # what the editor holds at first; it fails
    def index(row, col):
        return row * 32 + col
  solution: | # passes
    def index(row, col):
        return row * 33 + col
  wrong: # mistakes that people make, and the gate each fails at
    - source: row * 34 + col
      fails: inside
      why: $why_1
""",
    "kernel": """\
  kernel: reverse # the function's name
  arguments: # in the kernel's order
    - {name: a, dtype: float32, shape: [n]}
    - {name: out, dtype: float32, shape: [n], role: output}
  shapes: # tried at each; the first is counted
    - {n: 512}
    - {n: 300}
    - {n: 1}
  launch: {grid: [ceil(n / 128)], block: [128]}
  counts: # an upper limit alone could be kept by leaving shared memory out
    - {counter: shared_conflicts, most: 0}
    - {counter: shared_requests, least: 2 * n / 32}
  wrong: # mistakes that people make, in wrong/FILE.py, and the gate each fails at
    - file: no-barrier
      fails: "findings: race"
      why: $why_1
    - file: not-shared
      fails: "counts: shared_requests"
      why: $why_2
""",
    "spot": """\
  draw: # other values at each review; code, prose and sizes may use them
    size: [64, 128, 256]
    part: [part, tile, buffer]
  code: | # with a fault; the answer is what the emulator reports
    SIZE = {{size}}

    @cuda.jit
    def reverse(a, out):
        {{part}} = cuda.shared.array(SIZE, numba.float32)
        t = cuda.threadIdx.x
        i = cuda.blockIdx.x * SIZE + t
        {{part}}[t] = a[i]
        out[i] = {{part}}[SIZE - 1 - t]
  arguments:
    - {name: a, dtype: float32, shape: [4 * size]}
    - {name: out, dtype: float32, shape: [4 * size], role: output}
  launch: {grid: [4], block: [size]}
""",
}

_PROSE: dict[str, dict[str, tuple[str, str]]] = {
    "recall": {
        "prompt": (
            "What is a shared-memory bank conflict?",
            "什么是共享内存的 bank 冲突？",
        ),
        "answer": (
            "Lanes of one warp instruction need different words of one bank.",
            "同一条 warp 指令的多个 lane 需要同一个 bank 里不同的字。",
        ),
        "point_1": ("Different words of one bank", "同一个 bank 里不同的字"),
        "point_2": ("Within one warp instruction", "在同一条 warp 指令之内"),
        "hint": ("Which lanes are served together?", "哪些 lane 一起得到服务？"),
        "explanation": (
            "Lanes that read the same word are served at once, whatever their number.",
            "读同一个字的 lane 无论多少都一次完成。",
        ),
    },
    "choice": {
        "prompt": (
            "How many banks has shared memory on devices of compute capability 5.0 and later?",
            "计算能力 5.0 及以上的设备，共享内存有多少个 bank？",
        ),
        "why_1": (
            "Devices of compute capability 1.x had 16.",
            "16 个是计算能力 1.x 的设备。",
        ),
        "why_2": (
            "There is one for each lane of a warp, and a warp has 32.",
            "每个 lane 对应一个 bank，而一个 warp 有 32 个 lane。",
        ),
        "hint": ("As many as a warp has lanes.", "与一个 warp 的 lane 一样多。"),
        "explanation": (
            "There are 32 banks, each 4 bytes wide.",
            "共有 32 个 bank，每个宽 4 字节。",
        ),
    },
    "number": {
        "prompt": (
            "Rows of 33 four-byte elements begin at shared address 0. Which bank has [7][5]?",
            "每行 33 个 4 字节元素，从共享内存地址 0 开始。元素 [7][5] 在哪个 bank？",
        ),
        "hint": ("32 banks, each 4 bytes wide.", "32 个 bank，每个宽 4 字节。"),
        "explanation": (
            "It is element 33 · 7 + 5 = 236, and 236 mod 32 = 12.",
            "它是第 33 · 7 + 5 = 236 个元素，236 mod 32 = 12。",
        ),
    },
    "trace": {
        "prompt": (
            "A warp reads `data[threadIdx.x * {{stride}}]`, 4-byte floats. How many wavefronts?",
            "一个 warp 读取 `data[threadIdx.x * {{stride}}]`，元素 4 字节。需要几个 wavefront？",
        ),
        "hint": ("gcd(stride, 32)", "gcd(步长, 32)"),
        "explanation": (
            "Neighbouring lanes are {{stride}} words apart: {{answer}}.",
            "相邻 lane 相距 {{stride}} 个字：{{answer}}。",
        ),
    },
    "index": {
        "prompt": (
            "Place a 32×32 float tile: rows stored, columns read, no conflict. 33 rows of room.",
            "放置一个 32×32 的 float tile：按行存储、按列加载，都无冲突。空间够 33 行。",
        ),
        "why_1": (
            "An even pitch leaves every second row on the same banks, and takes too much room.",
            "偶数的行距使每隔一行又落在同一批 bank 上，而且占用过多空间。",
        ),
        "hint": ("How far apart, in words, are two rows?", "相邻两行相距多少个字？"),
        "explanation": (
            "With 33 words from row to row, a column takes each bank once.",
            "行距为 33 个字时，一列恰好每个 bank 各用一次。",
        ),
    },
    "kernel": {
        "prompt": (
            "Reverse each 128 elements of `a` into `out`, a block a part, by way of shared memory.",
            "把 `a` 每 128 个元素一段反转后写入 `out`，每段一个线程块，要经过共享内存。",
        ),
        "why_1": (
            "A thread reads what a thread of another warp writes: without a barrier, maybe before.",
            "线程读取的是另一个 warp 的线程写入的元素：没有屏障，就可能在写入之前读取。",
        ),
        "why_2": (
            "The values are right, but nothing goes through shared memory, as was asked.",
            "结果正确，但没有像题目要求的那样经过共享内存。",
        ),
        "hint": ("Who writes the element that a thread reads?", "线程读取的元素是谁写入的？"),
        "explanation": (
            "Neighbouring lanes read neighbouring words, backwards too: each on a bank of its own.",
            "相邻的 lane 读取相邻的字，倒序也一样：各在不同的 bank 上。",
        ),
    },
    "spot": {
        "prompt": (
            "Each block reverses its own part of `a`. What is wrong, and in which line?",
            "每个线程块把 `a` 中属于自己的一段反转。哪里错了，在哪一行？",
        ),
        "hint": ("Who writes the element that a thread reads?", "线程读取的元素是谁写入的？"),
        "explanation": (
            "Nothing orders the store before the load: `cuda.syncthreads()` belongs between them.",
            "没有什么保证写入先于读取：两者之间应有 `cuda.syncthreads()`。",
        ),
    },
}

KINDS = tuple(_BODIES)
IN_FOLDERS = {"kernel": _kernel_template.FILES}
"""Kinds of which each question has a folder, and what stands in it beside the question."""


def files(kind: str, name: str, schema: str, languages: Collection[str]) -> dict[str, str]:
    """What is written for a question called `name`: texts by their paths below its place.

    Args:
        kind: one of `KINDS`.
        name: its id within the pack.
        schema: where the editor finds the schema, as seen from the file.
        languages: what the pack promises; with `zh` all prose is in both.
    """
    text = _question(kind, name, schema, languages)
    if kind not in IN_FOLDERS:
        return {f"{name}.yaml": text}
    return {FOLDER_FILE: re.sub("^(- |  )", "", text, flags=re.MULTILINE), **IN_FOLDERS[kind]}


def _question(kind: str, name: str, schema: str, languages: Collection[str]) -> str:
    """A list of one question."""
    prose = {
        field: _both(en, zh, field) if "zh" in languages else _quoted(en)
        for field, (en, zh) in _PROSE[kind].items()
    }
    template = Template(_HEAD + _BODIES[kind] + _TAIL)
    text = template.substitute(prose, id=name, kind=kind, schema=schema)
    return "".join(f"{line.rstrip()}\n" for line in text.splitlines())


def _both(en: str, zh: str, field: str) -> str:
    """A map of both languages, deeper than the field's key; of a list's item, behind its dash."""
    depth = {"hint": 6, "point": 8, "why": 8}.get(field.rstrip("_12"), 4)
    below = f"\n{' ' * depth}"
    first = "" if field == "hint" else below
    return f"{first}en: {_quoted(en)}{below}zh: {_quoted(zh)}"


def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)
