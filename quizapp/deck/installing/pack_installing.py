"""Installs packs, puts them aside, and writes them into a file: `quiz pack` without its words.

A pack is installed by renaming a folder that was checked, and removed by renaming it again: there
is no moment with half a pack. Progress is elsewhere, and stays.
"""

from __future__ import annotations

import shutil
import tempfile
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, NamedTuple

from grader.did_you_mean import suggest
from grader.facts import Fact, fact
from quizapp.deck import compiler, index
from quizapp.deck.index import PACK_FILE, YAML
from quizapp.deck.installing.pack_files import PackFiles, make_zip, read_folder, read_zip
from quizapp.deck.installing.pack_repository import is_url, read_repository, repository_name
from quizapp.domain.errors import BadPack, UnknownPack, UsageError
from quizapp.domain.question import is_slug
from quizapp.system.files import name_unwritable, replace_file
from quizapp.system.paths import Paths, absolute, shipped_content
from quizapp.system.safe_text import hide_password
from quizapp.system.trust import withdraw

if TYPE_CHECKING:
    from quizapp.deck.compiler import DeckCompilation
    from quizapp.deck.deck import Deck

_STAGE = ".adding-"


class Origin(NamedTuple):
    """Where a pack is: `shipped`, `installed`, `own`, or `configured`; and its folder."""

    kind: str
    folder: Path


class Added(NamedTuple):
    """A pack that was installed: questions, those with errors, those that run Python if allowed."""

    name: str
    folder: Path
    questions: int
    left_out: int
    kernels: int


class Exported(NamedTuple):
    """A pack that was written: its questions, and how many of them a person's copies override."""

    file: Path
    questions: int
    changed: int


class _Source(NamedTuple):
    """What is to be installed: all files that were found, and what they are called together."""

    files: PackFiles
    name: str


def find_origins(deck: Deck, paths: Paths) -> dict[str, Origin]:
    """Find where each pack is; of an installed one that has no question, too."""
    files: dict[str, list[Path]] = {}
    for entry in deck.entries.values():
        files.setdefault(entry.pack, []).append(Path(entry.file))
    for folder in _folders(paths.installed_packs):
        files.setdefault(folder.name, [])
    return {pack: _origin(pack, found, paths) for pack, found in files.items()}


def add_pack(source: str, deck: Deck, paths: Paths, *, name: str = "", folder: str = "") -> Added:
    """Install a pack from a folder, a zip file, or a git repository.

    `name`: what it is called here; empty for the name of its folder. `folder`: where it is in the
    source; empty to look for it.

    Raises:
        UsageError: there is no such file, or no such folder in it.
        BadPack: it cannot be installed.
        EnvironmentProblem: the folder cannot be written, or git is not installed.
    """
    found = _read(source)
    inside = _locate(found.files, folder)
    name = name or PurePosixPath(inside).name or found.name
    _check_name(name)
    files = _below(found.files, inside)
    target = paths.installed_packs / name
    with _staged(files, name, paths) as staged:
        compilation = compiler.compile_deck(index.sources([str(staged.parent)]))
        _check_content(compilation, name)
        _check_free(name, compilation, deck, paths)
        with name_unwritable(target):
            staged.rename(target)
    compiled = compilation.compiled
    kernels = sum(entry.kind == "kernel" for entry in compiled.entries)
    return Added(name, target, len(compiled.entries), compiled.left_out, kernels)


def remove_pack(name: str, deck: Deck, paths: Paths) -> Path:
    """Put an installed pack aside, with the consent to its Python; return where it is now.

    Raises:
        UnknownPack, UsageError: there is no such pack, or it was not installed.
        EnvironmentProblem: the folder cannot be renamed.
    """
    origins = find_origins(deck, paths)
    origin = _known(name, origins)
    if origin.kind != "installed":
        raise UsageError(_say_kept(name, origin))
    with name_unwritable(origin.folder):
        aside = _free_place(paths.removed_packs) / name
        aside.parent.mkdir(parents=True)
        origin.folder.rename(aside)
    withdraw(paths, name)
    return aside


def export_pack(name: str, file: Path, deck: Deck, paths: Paths) -> Exported:
    """Write a pack into a zip file: its own folder, without a person's changed copies.

    Raises:
        UnknownPack: there is no such pack.
        BadPack: its folder holds what a pack must not.
        EnvironmentProblem: the file cannot be written.
    """
    origin = _known(name, find_origins(deck, paths))
    files = {f"{name}/{path}": data for path, data in read_folder(origin.folder).items()}
    replace_file(file, make_zip(files))
    entries = [entry for entry in deck.entries.values() if entry.pack == name]
    return Exported(file, len(entries), sum(entry.changed for entry in entries))


def _origin(pack: str, files: Iterable[Path], paths: Paths) -> Origin:
    """Find where a pack is; a person's changed copies of its questions do not say that."""
    for kind, root in (("shipped", shipped_content()), ("installed", paths.installed_packs)):
        if (root / pack).is_dir():
            return Origin(kind, root / pack)
    for file in files:
        if not file.is_relative_to(paths.own_content):
            folders = [folder for folder in file.parents if folder.name == pack]
            return Origin("configured", folders[-1] if folders else file.parent)
    return Origin("own", paths.own_content / pack)


def _known(name: str, origins: dict[str, Origin]) -> Origin:
    if name not in origins:
        known = fact("deck.packs", packs=tuple(origins))
        hint = suggest(name, origins, known) if origins else None
        raise UnknownPack(fact("deck.unknown-pack", pack=name), hint)
    return origins[name]


def _read(source: str) -> _Source:
    if is_url(source):
        return _Source(read_repository(source), repository_name(source))
    path = absolute(Path(source).expanduser())
    if source and path.is_dir():
        return _Source(read_folder(path), path.name)
    if source and path.is_file():
        return _Source(read_zip(path), path.stem)
    missing = fact("path.missing", path=hide_password(source))
    raise UsageError(missing, fact("pack.name-source"))


def _locate(files: PackFiles, folder: str) -> str:
    """Find the folder of the pack; empty if it is that of all files.

    Raises:
        UsageError: the folder that was named is not there.
        BadPack: there are several packs.
    """
    if folder:
        inside = folder.strip("/")
        if not any(name.startswith(f"{inside}/") for name in files):
            raise UsageError(fact("pack.no-folder", folder=folder))
        return inside
    about = [name for name in files if PurePosixPath(name).name == PACK_FILE]
    if PACK_FILE in about:
        return ""
    packs = sorted({str(PurePosixPath(name).parent) for name in about})
    outermost = [p for p in packs if not any(p.startswith(f"{other}/") for other in packs)]
    if len(outermost) > 1:
        raise BadPack(fact("pack.several", folders=tuple(outermost)))
    if outermost:
        return outermost[0]
    tops = {name.split("/", 1)[0] for name in files}
    whole = len(tops) == 1 and all("/" in name for name in files)
    return tops.pop() if whole else ""


def _below(files: PackFiles, folder: str) -> PackFiles:
    if not folder:
        return files
    start = f"{folder}/"
    return {n.removeprefix(start): data for n, data in files.items() if n.startswith(start)}


def _check_name(name: str) -> None:
    if not is_slug(name):
        raise BadPack(fact("pack.not-a-name", name=name))


@contextmanager
def _staged(files: PackFiles, name: str, paths: Paths) -> Iterator[Path]:
    """Write the files where no deck reads them, on the disk where they are to be."""
    if not any(PurePosixPath(file).suffix in YAML for file in files):
        raise BadPack(fact("pack.no-questions", pack=name))
    place = paths.installed_packs
    with name_unwritable(place / name):
        place.mkdir(parents=True, exist_ok=True)
        stage = Path(tempfile.mkdtemp(dir=place, prefix=_STAGE))
    try:
        with name_unwritable(place / name):
            for file, content in files.items():
                (stage / name / file).parent.mkdir(parents=True, exist_ok=True)
                (stage / name / file).write_bytes(content)
        yield stage / name
    finally:
        with suppress(OSError):
            shutil.rmtree(stage)


def _check_content(compilation: DeckCompilation, name: str) -> None:
    """Check that the pack's description is valid, and that it has a question.

    Raises BadPack: it is not, or has none.
    """
    for problem in compilation.problems:
        if problem.file.endswith(f"/{name}/{PACK_FILE}"):
            what = fact("pack.bad-description", line=problem.line, reason=problem.what)
            raise BadPack(what)
    if not compilation.compiled.entries:
        left_out = compilation.compiled.left_out
        if left_out:
            reason = compilation.problems[0].what
            raise BadPack(fact("pack.all-wrong", pack=name, n=left_out, reason=reason))
        raise BadPack(fact("pack.no-questions", pack=name))


def _check_free(name: str, compilation: DeckCompilation, deck: Deck, paths: Paths) -> None:
    """Check that no other pack has the name; a person's changed copies of it are no other pack.

    Raises BadPack: one has.
    """
    origins = {known.casefold(): origin for known, origin in find_origins(deck, paths).items()}
    origin = origins.get(name.casefold())
    if origin is None:
        return
    questions = {entry.id for entry in compilation.compiled.entries}
    own = {entry.id for entry in deck.entries.values() if entry.pack.casefold() == name.casefold()}
    if origin.kind == "own" and own <= questions:
        return
    raise BadPack(_say_taken(name, origin))


def _say_taken(name: str, origin: Origin) -> Fact:
    folder = str(origin.folder)
    match origin.kind:
        case "shipped":
            return fact("pack.taken-shipped", pack=name)
        case "installed":
            return fact("pack.taken-installed", pack=name, folder=folder)
        case "configured":
            return fact("pack.taken-configured", pack=name, folder=folder)
        case _:
            return fact("pack.taken-own", pack=name, folder=folder)


def _say_kept(name: str, origin: Origin) -> Fact:
    """Say why a pack that was not installed is not removed."""
    match origin.kind:
        case "shipped":
            return fact("pack.remove-shipped", pack=name)
        case "configured":
            return fact("pack.remove-configured", pack=name, folder=str(origin.folder))
        case _:
            return fact("pack.remove-own", pack=name, folder=str(origin.folder))


def _folders(place: Path) -> Iterable[Path]:
    if not place.is_dir():
        return ()
    return sorted(path for path in place.iterdir() if path.is_dir() and index.is_read(path.name))


def _free_place(removed: Path) -> Path:
    """Name a folder for what is removed now."""
    stamp, number = time.strftime("%Y%m%d-%H%M%S"), 1
    while (place := removed / (stamp if number == 1 else f"{stamp}-{number}")).exists():
        number += 1
    return place
