"""What `quiz new` writes: for each kind a whole question that lints, to be written over."""

from __future__ import annotations

import json
import re
from collections.abc import Collection
from string import Template

from quizapp.deck.index import FOLDER_FILE
from quizapp.deck.writing import kernel_template

_HEAD = """\
# yaml-language-server: $$schema=$schema
# An example that lints: replace it with yours, then `quiz lint` and `quiz preview --watch`.
# Every field: `quiz docs authoring`.
- id: $id # never changes once the question has been answered
  kind: $kind
  topic: banks
  concept: $id # shared by questions that ask the same thing differently
  difficulty: 1 # 1 (well known) to 5 (known to few)
  prompt: $prompt
"""

_TAIL = """\
  hints: # shown one per key press, from vague to plain
    - $hint
  explanation: $explanation
  sources: # the evidence
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
  options: # a wrong option says why it is wrong
    - text: "32"
      correct: true
    - text: "16"
      why: $why_1
    - text: "64"
      why: $why_2
""",
    "number": """\
  compute: bank(4, 33 * 7 + 5) # or `answer:`, if nothing can be computed
  tolerance: 0
""",
    "trace": """\
  basis: as-written # counts are of the source
  ask: wavefronts # or conflicts, ways, ideal, bank
  draw: # other values at each review; prose and access may use them
    stride: [1, 2, 3, 4, 6, 8, 12, 16, 20, 24, 32]
  access: # the warp instruction, in C++
    index: threadIdx.x * stride
    element: 4
""",
    "index": """\
  tile: {rows: 32, columns: 32, element: 4, storage: 1056}
  accesses: # each must take as few wavefronts as possible
    - {name: row store, op: store, along: rows}
    - {name: column load, op: load, along: columns}
  starter: | # the editor's first content; it must fail
    def index(row, col):
        return row * 32 + col
  solution: | # must pass
    def index(row, col):
        return row * 33 + col
  wrong: # common mistakes, and the gate each fails at
    - source: row * 34 + col
      fails: inside
      why: $why_1
""",
    "kernel": """\
  kernel: reverse # the function's name
  arguments: # in the kernel's order
    - {name: a, dtype: float32, shape: [n]}
    - {name: out, dtype: float32, shape: [n], role: output}
  shapes: # each is run, and must meet the limits
    - {n: 512}
    - {n: 300}
    - {n: 1}
  confirm: {n: [33000, 40000]} # sizes of one more run, which no verdict shows
  launch: {grid: [ceil(n / 128)], block: [128]}
  counts: # an upper limit alone would allow skipping shared memory
    - {counter: shared_conflicts, most: 0}
    - {counter: shared_requests, least: 2 * n / 32}
    - {counter: busiest_thread_percent, most: 300 * 128 * ceil(n / 128) / n}
    - {counter: busiest_block_percent, most: 150 * 128 * ceil(n / 128) / n}
  wrong: # common mistakes in wrong/FILE.py and .cu, and the gate each fails at
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
  code: | # with a bug; the answer is what the emulator reports
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

_COMMENT = re.compile("# (.+)")
"""A comment of a template; no value of one holds this sign."""
_CHINESE = {
    "yaml-language-server: $$schema=$schema": "yaml-language-server: $$schema=$schema",
    "An example that lints: replace it with yours, then `quiz lint` and `quiz preview --watch`.": (
        "可通过检查的示例：用你的题目改写它，然后运行 `quiz lint` 和 `quiz preview --watch`。"
    ),
    "Every field: `quiz docs authoring`.": "全部字段：`quiz docs authoring`。",
    "never changes once the question has been answered": "答过之后不再改变",
    "shared by questions that ask the same thing differently": "以不同方式问同一件事的题目共用",
    "1 (well known) to 5 (known to few)": "1（人人知道）到 5（很少人知道）",
    "shown one per key press, from vague to plain": "每按一次键显示一条，由含蓄到直白",
    "the evidence": "依据",
    "what a good answer mentions; the weights are relative": "好答案应提到的要点；权重是相对值",
    "a wrong option says why it is wrong": "错误选项要说明错在哪里",
    "or `answer:`, if nothing can be computed": "无法计算时用 `answer:`",
    "counts are of the source": "按源码计数",
    "or conflicts, ways, ideal, bank": "或 conflicts、ways、ideal、bank",
    "other values at each review; prose and access may use them": (
        "每次复习取值不同；文字和访问可以使用"
    ),
    "the warp instruction, in C++": "warp 指令，用 C++ 书写",
    "each must take as few wavefronts as possible": "每次访问必须用最少的 wavefront",
    "the editor's first content; it must fail": "编辑器的初始内容；必须不通过",
    "must pass": "必须通过",
    "common mistakes, and the gate each fails at": "常见错误，及其未通过的检查",
    "the function's name": "函数名",
    "in the kernel's order": "按 kernel 的参数顺序",
    "each is run, and must meet the limits": "逐个运行，每个都要满足限制",
    "sizes of one more run, which no verdict shows": "再运行一次的大小，任何判定都不显示",
    "an upper limit alone would allow skipping shared memory": "只有上限时，可以不用共享内存",
    "common mistakes in wrong/FILE.py and .cu, and the gate each fails at": (
        "wrong/FILE.py 和 .cu 中的常见错误，及其未通过的检查"
    ),
    "other values at each review; code, prose and sizes may use them": (
        "每次复习取值不同；代码、文字和大小可以使用"
    ),
    "with a bug; the answer is what the emulator reports": "含有错误；答案是模拟器报告的内容",
}
"""The comments in Chinese; a test compares them with the templates."""

_PROSE: dict[str, dict[str, tuple[str, str]]] = {
    "recall": {
        "prompt": ("What is a shared-memory bank conflict?", "什么是共享内存的 bank 冲突？"),
        "answer": (
            "Lanes of one warp instruction need different words of the same bank.",
            "同一条 warp 指令的多个 lane 需要同一个 bank 里不同的字。",
        ),
        "point_1": ("Different words of the same bank", "同一个 bank 里不同的字"),
        "point_2": ("Within one warp instruction", "在同一条 warp 指令之内"),
        "hint": ("Which lanes are served together?", "哪些 lane 一起处理？"),
        "explanation": (
            "Any number of lanes that read the same word are served at once.",
            "读同一个字的 lane 无论多少都一次完成。",
        ),
    },
    "choice": {
        "prompt": (
            "How many banks does shared memory have on compute capability 5.0 and later?",
            "计算能力 5.0 及以上的设备，共享内存有多少个 bank？",
        ),
        "why_1": ("Devices of compute capability 1.x had 16.", "16 个是计算能力 1.x 的设备。"),
        "why_2": (
            "There is one bank per lane of a warp, and a warp has 32 lanes.",
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
            "Rows of 33 four-byte elements begin at shared address 0. Which bank holds [7][5]?",
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
            "Adjacent lanes are {{stride}} words apart: {{answer}}.",
            "相邻 lane 相距 {{stride}} 个字：{{answer}}。",
        ),
    },
    "index": {
        "prompt": (
            "Place a 32×32 float tile: row stores and column loads conflict-free, within 33 rows.",
            "放置一个 32×32 的 float tile：按行存储、按列加载，都无冲突。空间够 33 行。",
        ),
        "why_1": (
            "An even pitch puts every second row on the same banks and takes too much storage.",
            "pitch 为偶数时，每隔一行又落到同样的 bank，而且占用空间过多。",
        ),
        "hint": ("How far apart, in words, are two rows?", "相邻两行相距多少个字？"),
        "explanation": (
            "With a pitch of 33 words, a column uses each bank once.",
            "pitch 为 33 个字时，一列恰好每个 bank 各用一次。",
        ),
    },
    "kernel": {
        "prompt": (
            "Reverse each 128 elements of `a` into `out` through shared memory, one block each.",
            "把 `a` 每 128 个元素一段反转后写入 `out`，每段一个线程块，要经过共享内存。",
        ),
        "why_1": (
            "Without a barrier a thread may read before a thread of another warp has written.",
            "线程读取的是另一个 warp 的线程写入的元素：没有屏障，就可能在写入之前读取。",
        ),
        "why_2": (
            "The values are right, but nothing goes through shared memory.",
            "结果正确，但没有像题目要求的那样经过共享内存。",
        ),
        "hint": (
            "Which thread writes the element that a thread reads?",
            "线程读取的元素由哪个线程写入？",
        ),
        "explanation": (
            "Adjacent lanes read consecutive words, also in reverse: each from its own bank.",
            "相邻的 lane 读取相邻的字，倒序也一样：各在不同的 bank 上。",
        ),
    },
    "spot": {
        "prompt": (
            "Each block reverses its own part of `a`. What is wrong, and where does it show?",
            "每个线程块把 `a` 中属于自己的一段反转。错在哪里？在哪一行代码暴露？",
        ),
        "hint": (
            "Which thread writes the element that a thread reads?",
            "线程读取的元素由哪个线程写入？",
        ),
        "explanation": (
            "The store and the load are not synchronized: put `cuda.syncthreads()` between them.",
            "写入与读取之间缺少同步：应加上 `cuda.syncthreads()`。",
        ),
    },
}

KINDS = tuple(_BODIES)
IN_FOLDERS = {"kernel": kernel_template.FILES}
"""Kinds whose questions have a folder, with the files beside the question."""


def files(
    kind: str, name: str, schema: str, languages: Collection[str], comments: str = "en"
) -> dict[str, str]:
    """Return the files of a question called `name`: texts by their paths below its place.

    `kind`: one of `KINDS`. `schema`: where the editor finds the schema, as seen from the file.
    `languages`: what its prose is written in; with `zh` in both. `comments`: the language of the
    comments.
    """
    text = _question(kind, name, schema, languages, comments)
    if kind not in IN_FOLDERS:
        return {f"{name}.yaml": text}
    return {FOLDER_FILE: re.sub("^(- |  )", "", text, flags=re.MULTILINE), **IN_FOLDERS[kind]}


def _question(kind: str, name: str, schema: str, languages: Collection[str], comments: str) -> str:
    """Write a list of one question."""
    prose = {
        field: _both(en, zh, field) if "zh" in languages else _quote(en)
        for field, (en, zh) in _PROSE[kind].items()
    }
    body = _HEAD + _BODIES[kind] + _TAIL
    if comments == "zh":
        body = _COMMENT.sub(lambda found: f"# {_CHINESE[found[1]]}", body)
    text = Template(body).substitute(prose, id=name, kind=kind, schema=schema)
    return "".join(f"{line.rstrip()}\n" for line in text.splitlines())


def _both(en: str, zh: str, field: str) -> str:
    """Write a map of both languages, indented below the field's key or its list item's dash."""
    depth = {"hint": 6, "point": 8, "why": 8}.get(field.rstrip("_12"), 4)
    below = f"\n{' ' * depth}"
    first = "" if field == "hint" else below
    return f"{first}en: {_quote(en)}{below}zh: {_quote(zh)}"


def _quote(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)
