"""Lints content: everything wrong with the given files, or with the whole deck.

Files named on the command line are linted as part of the deck, so that what they refer to is known.
"""

from __future__ import annotations

import os
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from grader.facts import fact
from quizapp.deck.compiler import compile_deck
from quizapp.deck.content import root_of, yaml_below
from quizapp.deck.index import (
    BESIDE_PACKS,
    FOLDER_FILE,
    PACK_FILE,
    YAML,
    CompiledDeck,
    ContentRoot,
    SourceFile,
    as_root,
    is_theme,
    source_file,
    sources,
    stamp,
    theme_sources,
)
from quizapp.deck.installing.consent import NOTHING, HeldQuestions, hold_back
from quizapp.deck.interview_themes import read_themes, reference_problems
from quizapp.deck.linting.leaks import leak_problems
from quizapp.deck.linting.mutating import QuestionMutants, mutate
from quizapp.deck.linting.one_language import one_language_problems
from quizapp.deck.linting.option_lengths import length_problems
from quizapp.deck.linting.proving import (
    DeviceProofs,
    EmulatorProofs,
    Progress,
    prove,
    report_nothing,
)
from quizapp.deck.linting.proving_inputs import input_problems
from quizapp.deck.linting.theme_leaks import theme_leak_problems
from quizapp.deck.linting.wording import prose_of, wording_problems
from quizapp.deck.ordering import default_order
from quizapp.deck.problems import ContentProblem
from quizapp.domain.errors import UsageError
from quizapp.domain.languages import extra_of
from quizapp.system.paths import absolute

if TYPE_CHECKING:
    from grader.gpu import Gpu
    from quizapp.domain.question import AnyQuestion
    from quizapp.system.trust import Trust


@dataclass(frozen=True, slots=True)
class LintReport:
    """What lint found: problems in order of position, how many questions it read, and proofs.

    `proven` are by the emulator, `measured` by a GPU, `mutated` are mutants of solutions;
    `held_back` would have to run Python that the person has not agreed to, or need an extra that is
    not installed, and are not proven.
    `known` are all questions that were compiled with what was linted, by id.
    """

    problems: tuple[ContentProblem, ...]
    questions: int
    files: int
    proven: tuple[EmulatorProofs, ...] = ()
    measured: tuple[DeviceProofs, ...] = ()
    mutated: tuple[QuestionMutants, ...] = ()
    held_back: HeldQuestions = NOTHING
    known: Mapping[str, AnyQuestion] = field(default_factory=dict, compare=False, repr=False)


def lint(
    paths: Sequence[Path], roots: Sequence[str | ContentRoot], progress: Progress | None = None,
    gpu: Gpu | None = None, trust: Trust | None = None, *, mutants: Path | None = None,
    earlier: CompiledDeck | None = None,
) -> LintReport:  # fmt: skip
    """Lint `paths` (files or folders); all roots where none is given.

    `gpu`: proves kernels that have a part for it, too. `trust`: which Python may run; None for all.
    `mutants`: the folder where results of mutants are kept; None: no mutant is run. `earlier`: a
    deck of these roots; what is not linted and is as it was is not read again.

    Raises:
        UsageError: a path does not exist or is not a YAML file.
        GpuFailed: there is no GPU any more.
    """
    known = sources(roots)
    if not paths:
        result = compile_deck(known)
        problems, found = result.problems, result.found
        listed = theme_sources(roots)
        asked = [*known, *(file for file in listed if is_theme(file.path))]
    else:
        listed = [file for path in paths for file in files_at(path, roots)]
        named = {_real(file): file for file in listed if not is_theme(file.path)}
        asked = list({_real(file): file for file in listed}.values())
        # A named file keeps its place in the deck, on which the default order may depend.
        here = {f"{file.root}/{file.path}" for file in asked}
        whole = [*({_real(file): file for file in known} | named).values()]
        result = compile_deck(whole, _without(here, earlier))
        problems = tuple(p for p in result.problems if p.file in here or _owners(p.file) & here)
        found = tuple(item for item in result.found if item.file in here)
    packs = [file for file in known if file.path.endswith(f"/{PACK_FILE}")]
    themes = read_themes([*packs, *(f for f in listed if is_theme(f.path))])
    problems += themes.problems
    by_id = {item.id: item.question for item in result.found}
    found += tuple(item for theme in themes.themes.values() for item in theme.asked)
    refused = [item.id for item in found if trust and not trust.allows(item.file, item.question)]
    held_back = hold_back(refused, ((item.id, extra_of(item.question)) for item in found))
    runs = [item for item in found if item.id not in held_back.questions]
    proved = prove(runs, progress, gpu)
    survived, mutated = mutate(runs, mutants, progress or report_nothing) if mutants else ([], [])
    asked_of_deck = [item for item in found if item.id in by_id]
    leaks = leak_problems(result.found, default_order(result.compiled.entries), asked_of_deck)
    located = themes.themes.values()
    lost = [p for theme in located for p in reference_problems(theme, by_id)]
    lost += input_problems(located, result.found, held_back, trust)
    lost += theme_leak_problems(located, {item.id: item for item in result.found})
    worded = wording_problems([*map(prose_of, found), *(theme.prose for theme in located)])
    chosen = (*found, *(item for theme in located for item in theme.facts))
    single = [*one_language_problems(found), *length_problems(chosen)]
    proofs = [*proved.problems, *survived]
    every = [*problems, *proofs, *leaks, *lost, *worded, *single]
    everything = tuple(sorted(every, key=lambda p: (p.file, p.line, p.column)))
    counts = len(found), len(asked)
    return LintReport(
        everything, *counts, proved.proven, proved.measured, tuple(mutated), held_back, by_id
    )


def _without(files: Collection[str], deck: CompiledDeck | None) -> CompiledDeck | None:
    """Return the deck without the questions of these files."""
    if deck is None:
        return None
    return deck._replace(entries=tuple(one for one in deck.entries if one.file not in files))


def _owners(python: str) -> set[str]:
    """Return the question files that a Python file may belong to."""
    folder = Path(python).parent
    return {str(place / FOLDER_FILE) for place in (folder, folder.parent)}


def files_at(path: Path, roots: Sequence[str | ContentRoot]) -> Iterator[SourceFile]:
    """Yield the YAML files at `path`, each under its pack's root: one of `roots` if it is there.

    Raises UsageError: the path does not exist or is not a YAML file.
    """
    if not os.path.lexists(path):
        raise UsageError(fact("path.missing", path=str(path)), fact("deck.name-file"))
    places = [as_root(root) for root in roots]
    beside = {Path(root, name) for root, _ in places for name in BESIDE_PACKS}
    if path.is_dir():
        found = sorted(file for file in yaml_below(path) if file not in beside)
    elif path.suffix in YAML:
        found = [path]
    else:
        raise UsageError(fact("deck.not-yaml", path=str(path)))
    for file in found:
        place = absolute(file)
        root = _root(place, places)
        inside = place.relative_to(root).as_posix()
        yield source_file(str(root), inside, stamp(str(root), inside))


def _root(file: Path, places: Sequence[ContentRoot]) -> Path:
    """Return the folder of packs that a file belongs to: a known one, if it is below."""
    known = (Path(root) for root, inside in places if file.is_relative_to(Path(root, inside)))
    return next(known, None) or root_of(file)


def _real(file: SourceFile) -> Path:
    return (Path(file.root) / file.path).resolve()
