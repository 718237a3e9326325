"""What NVRTC says to texts that are ill-formed, or look so: recorded, so tests need no NVRTC."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from pathlib import Path

from bench.gpu.rows import load_rows, save_rows

DATA = Path(__file__).parents[3] / "tests" / "data"
TEXTS = DATA / "cuda_variants.txt"
VERDICTS = DATA / "cuda_verdicts.csv"
ACCEPTED = "accepted"
_HEAD = "==== "
_HOST = "host: "
"""How the names of texts begin in which functions without a specifier are no fault."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """What NVRTC said.

    Attributes:
        sha256: of the text.
        verdict: `ACCEPTED`, or the first error, from its line on.
    """

    name: str
    sha256: str
    verdict: str


def read_variants() -> dict[str, str]:
    """Return the texts by their names."""
    texts = TEXTS.read_text("utf-8").split(_HEAD)[1:]
    pairs = (each.split("\n", 1) for each in texts)
    return dict(pairs)


def sha256(text: str) -> str:
    """Return the hash of a text."""
    return hashlib.sha256(text.encode("utf-8")).hexdigest()


def load_verdicts() -> dict[str, Verdict]:
    """Return the recorded verdicts by their texts' hashes."""
    return {row.sha256: row for row in load_rows(VERDICTS, Verdict)}


def save_verdicts(verdicts: list[Verdict]) -> None:
    """Write the verdicts."""
    save_rows(VERDICTS, Verdict, verdicts)


def judge(name: str, text: str) -> Verdict:
    """Ask NVRTC, which needs no GPU."""
    from grader.gpu.devices.nvrtc import (  # noqa: PLC0415 - to record
        NotCompiled,
        compile_cubin,
        compile_to_link,
    )

    try:
        if name.startswith(_HOST):
            compile_to_link(text, "k.cu", "9.0", "k", lines=False)
        else:
            compile_cubin(text, "k.cu", "9.0")
        said = ACCEPTED
    except NotCompiled as error:
        lines = str(error).splitlines()
        found = next((line for line in lines if "error" in line), lines[0])
        said = found.partition("k.cu")[2] or found
    return Verdict(name, sha256(text), said)
