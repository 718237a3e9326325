"""Lints content: everything wrong with the given files, or with the whole deck.

Files named on the command line are linted as part of the deck, so that what they refer to is known.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from quizapp.deck.compile import PACK_FILE, compile_deck
from quizapp.deck.content import yaml_below
from quizapp.deck.found import Found
from quizapp.deck.index import FOLDER_FILE, SourceFile, sources, stamp
from quizapp.deck.problems import Problem
from quizapp.deck.validate import Invalid
from quizapp.errors import UsageError

if TYPE_CHECKING:
    from quizapp.exercises.kernel_proofs import Proof  # NumPy, 80 ms


Progress = Callable[[int, int, str], None]
"""Told before each question is proven: how many were, of how many, and its id."""


@dataclass(frozen=True, slots=True)
class Proven:
    """A kernel question, by its id, and every submission that was graded to prove it."""

    question: str
    proofs: tuple[Proof, ...]


@dataclass(frozen=True, slots=True)
class Report:
    """What lint found: problems in order of position, how many questions it read, and proofs."""

    problems: tuple[Problem, ...]
    questions: int
    files: int
    proven: tuple[Proven, ...] = ()


def lint(paths: Sequence[Path], roots: Sequence[str], progress: Progress | None = None) -> Report:
    """Lint `paths` (files or folders); all roots where none is given.

    Raises:
        UsageError: a path does not exist or is no YAML file.
    """
    known = sources(roots)
    if not paths:
        result = compile_deck(known)
        return _report(result.problems, result.found, len(known), progress)
    asked = list({_real(file): file for path in paths for file in files_at(path, roots)}.values())
    names = {_real(file) for file in asked}
    result = compile_deck([*(f for f in known if _real(f) not in names), *asked])
    here = {f"{file.root}/{file.path}" for file in asked}
    found = [f for f in result.found if f"{f.source.file.root}/{f.source.file.path}" in here]
    return _report([p for p in result.problems if p.file in here], found, len(asked), progress)


def _report(
    problems: Sequence[Problem], found: Sequence[Found], files: int, progress: Progress | None
) -> Report:
    """The report, once all that can be computed of the exercises is."""
    from grader.kernels import Referee  # noqa: PLC0415 - NumPy, 80 ms
    from quizapp.exercises.proofs import faults  # noqa: PLC0415

    all_problems, proven = [*problems], []
    with Referee() as referee:
        for number, item in enumerate(found):
            if progress is not None:
                progress(number, len(found), item.id)
            proofs: list[Proof] = []
            for fault in faults(item.question, referee, proofs.append):
                invalid = Invalid(fault.path, fault.what, fault.todo)
                all_problems.append(item.source.problem(invalid, item.id))
            if proofs:
                proven.append(Proven(item.id, tuple(proofs)))
    return Report(_in_order(all_problems), len(found), files, tuple(proven))


def _in_order(problems: Sequence[Problem]) -> tuple[Problem, ...]:
    return tuple(sorted(problems, key=lambda p: (p.file, p.line, p.column)))


def files_at(path: Path, roots: Sequence[str]) -> Iterator[SourceFile]:
    """The YAML files at `path`, each under the root of its pack: one of `roots`, if it is there.

    Raises:
        UsageError: the path does not exist or is no YAML file.
    """
    if not path.exists():
        raise UsageError(f"there is no file {path}", "name a YAML file or a folder of them")
    if path.is_dir():
        found = sorted(yaml_below(path))
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
