"""Lints content: everything wrong with the given files, or with the whole deck.

Files named on the command line are linted as part of the deck, so that what they refer to is known.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from quizapp.deck.compile import PACK_FILE, compile_deck
from quizapp.deck.content import yaml_below
from quizapp.deck.index import FOLDER_FILE, SourceFile, sources, stamp
from quizapp.deck.problems import Problem
from quizapp.deck.proving import Measured, Progress, Proven, prove
from quizapp.errors import UsageError

if TYPE_CHECKING:
    from grader.gpu import Gpu  # NumPy, 80 ms


@dataclass(frozen=True, slots=True)
class Report:
    """What lint found: problems in order of position, how many questions it read, and proofs.

    `proven` are by the emulator, `measured` by a GPU.
    """

    problems: tuple[Problem, ...]
    questions: int
    files: int
    proven: tuple[Proven, ...] = ()
    measured: tuple[Measured, ...] = ()


def lint(
    paths: Sequence[Path], roots: Sequence[str], progress: Progress | None = None,
    gpu: Gpu | None = None,
) -> Report:  # fmt: skip
    """Lint `paths` (files or folders); all roots where none is given.

    Args:
        paths: what is linted.
        roots: folders of packs, which are known too.
        progress: is told how far it is.
        gpu: proves kernels that have a part for it, too.

    Raises:
        UsageError: a path does not exist or is no YAML file.
        GpuFailed: there is no GPU any more.
    """
    known = sources(roots)
    if not paths:
        result = compile_deck(known)
        problems, found, asked = result.problems, result.found, known
    else:
        listed = (file for path in paths for file in files_at(path, roots))
        asked = list({_real(file): file for file in listed}.values())
        names = {_real(file) for file in asked}
        result = compile_deck([*(f for f in known if _real(f) not in names), *asked])
        here = {f"{file.root}/{file.path}" for file in asked}
        problems = tuple(p for p in result.problems if p.file in here)
        found = tuple(
            f for f in result.found if f"{f.source.file.root}/{f.source.file.path}" in here
        )
    proved = prove(found, progress, gpu)
    everything = _in_order([*problems, *proved.problems])
    return Report(everything, len(found), len(asked), proved.proven, proved.measured)


def _in_order(problems: Sequence[Problem]) -> tuple[Problem, ...]:
    return tuple(sorted(problems, key=lambda p: (p.file, p.line, p.column)))


def files_at(path: Path, roots: Sequence[str]) -> Iterator[SourceFile]:
    """The YAML files at `path`, each under the root of its pack: one of `roots`, if it is there.

    Raises:
        UsageError: the path does not exist or is no YAML file.
    """
    if not path.exists():
        raise UsageError(f"there is no file {path}", "name a YAML file or a folder of them")
    if path.is_dir():  # beside its packs a root has the glossary, which is none
        found = sorted(file for file in yaml_below(path) if str(file.parent) not in roots)
    elif path.suffix in (".yaml", ".yml"):
        found = [path]
    else:
        raise UsageError(f"{path} is no YAML file", "name one that ends in .yaml")
    for file in found:
        place = Path(os.path.abspath(file))  # noqa: PTH100 - `..` goes, links stay
        root = _root(place, roots)
        inside = place.relative_to(root).as_posix()
        yield SourceFile(str(root), inside, file.read_bytes(), stamp(str(root), inside))


def _root(file: Path, roots: Sequence[str]) -> Path:
    """The content root of a file: a known one, or above the folder that holds `pack.yaml`.

    Without either, above the folder it is in, or that its question's own folder is in.
    """
    for root in map(Path, roots):
        if file.is_relative_to(root) and file.parent != root:
            return root
    for folder in file.parents:
        if (folder / PACK_FILE).exists():
            return folder.parent
    pack = file.parent.parent if file.name == FOLDER_FILE else file.parent
    return pack.parent


def _real(file: SourceFile) -> Path:
    return (Path(file.root) / file.path).resolve()
