"""What the deck's tests are made with: valid questions to spoil, and marks in YAML text."""

from __future__ import annotations

from pathlib import Path

from quizapp.deck.compile import Result, compile_deck
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
  concept: strides
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
  concept: strides
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
  concept: strides
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
  concept: strides
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
KINDS = {"number": NUMBER, "choice": CHOICE, "recall": RECALL, "trace": TRACE, "index": INDEX}


def marked(text: str) -> tuple[str, tuple[int, int]]:
    """The text without its mark, and the line and column (1-based) where the mark was."""
    before, found, after = text.partition(MARK)
    assert found, "the text has no mark"
    assert MARK not in after, "the text has two marks"
    line = before.count("\n") + 1
    return before + after, (line, len(before) - before.rfind("\n"))


def file(text: str | bytes, path: str = "pack/file.yaml", root: str = "root") -> SourceFile:
    return SourceFile(root, path, text.encode() if isinstance(text, str) else text, "")


def compiled(*texts: str) -> Result:
    """The deck of one pack with these files: `pack/0.yaml`, `pack/1.yaml`, …"""
    return compile_deck([file(text, f"pack/{n}.yaml") for n, text in enumerate(texts)])


def question(of: str = "number", /, **fields: str | None) -> str:
    """A valid question with fields replaced by this YAML, or left out where it is None.

    A value is put behind its key on one line; `id="other"` gives another question.
    """
    lines = KINDS[of].splitlines()
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


def write(root: Path, path: str, text: str) -> Path:
    """A file of content below a root."""
    target = root / path
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_text(text, "utf-8")
    return target
