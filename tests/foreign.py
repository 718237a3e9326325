"""A pack of somebody else: kernels of the shipped deck, in a folder that the settings name."""

from __future__ import annotations

import shutil
from pathlib import Path

from quizapp.system.paths import shipped_content
from quizapp.system.trust import Trust

ALL_OWN = Trust(("/",))
"""Every question counts as the person's own."""

KERNELS = ("saxpy", "dot-product")


def foreign_pack(root: Path, name: str = "strange") -> Path:
    """Make it below `root`, with concepts of its own; its folder."""
    for kernel in KERNELS:
        source = shipped_content() / "shared-memory" / "kernels" / kernel
        shutil.copytree(source, root / name / kernel)
        question = root / name / kernel / "question.yaml"
        text = question.read_text("utf-8")
        question.write_text(text.replace("\nconcept: ", "\nconcept: foreign-"), "utf-8")
    return root / name


def reference_of(pack: Path, kernel: str = "saxpy") -> Path:
    """The file that runs."""
    return pack / kernel / "reference.py"
