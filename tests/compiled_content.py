"""Content compiled once per test run: 0.5 s less for each test that has a home of its own.

A deck is compiled from nothing but the files that its fingerprint names, so the second result for
the same files would be the first again; and a shipped file gives the same questions whatever a test
puts beside it. Shipped files are listed and read once, since no test changes them. What is written
to the cache, and when, stays as it is.

The shipped deck is compiled by the first process of the run that needs it; the others read it.
"""

from __future__ import annotations

import atexit
import fcntl
import os
import shutil
import tempfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any, TypeVar

import msgspec
import pytest

from quizapp.deck import compiler as compiling
from quizapp.deck import content, content_hash, index, ordering
from quizapp.deck.compiler import DeckCompilation, _Problems
from quizapp.deck.content import load_deck
from quizapp.deck.deck import Deck
from quizapp.deck.index import CompiledDeck, ContentRoot, Entry, PackEntry, SourceFile
from quizapp.deck.packs import Pack
from quizapp.deck.question_location import LocatedQuestion
from quizapp.system.config import Settings
from quizapp.system.paths import find_paths, shipped_content

T = TypeVar("T")
_MOST = 16
RUN = "TEST_RUN_FOLDER"
"""The variable that names the folder which all processes of a test run share."""

_load = content.load
_compile = compiling.compile_deck
_questions = compiling._questions
_order = ordering.in_default_order
_write = index.write
_decks: dict[str, DeckCompilation] = {}
_written: dict[str, bytes] = {}
_alike: dict[str, tuple[list[str], DeckCompilation]] = {}
_orders: dict[tuple[Any, ...], list[str]] = {}
_files: dict[tuple[str, bytes], tuple[list[LocatedQuestion], _Problems]] = {}

_yaml_at = cache(lambda root, inside, listed=index._yaml_at: [*listed(root, inside)])
_source_file = cache(index.source_file)


def compile_once(patch: pytest.MonkeyPatch) -> None:
    """Make `compile_deck` remember what it compiled, for one test."""
    patch.setattr("quizapp.deck.content.load", _load_deck)
    patch.setattr("quizapp.deck.compiler.compile_deck", _deck)
    patch.setattr("quizapp.deck.compiler._questions", _questions_of)
    patch.setattr("quizapp.deck.ordering.in_default_order", _in_order)
    patch.setattr("quizapp.deck.index.write", _write_again)
    for name, kept in (("_yaml_at", _yaml_at), ("source_file", _source_file)):
        patch.setattr(f"quizapp.deck.index.{name}", _shipped_only(getattr(index, name), kept))


def share_folder() -> None:
    """Make the folder that this process and all that it starts share; removed when it ends."""
    if RUN not in os.environ:
        os.environ[RUN] = tempfile.mkdtemp(prefix="quiz-test-run-")
        atexit.register(shutil.rmtree, os.environ[RUN], ignore_errors=True)


@cache
def shipped_deck() -> Deck:
    """The deck of shipped content."""
    compiled = index.read(str(_shipped()))
    assert compiled is not None
    return Deck(compiled)


def fill_cache(home: Path) -> None:
    """Write a home's compiled deck, for a program that is started there to read."""
    deck = home / "cache" / "deck"
    if not deck.exists():
        deck.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(_shipped(), deck)
        if (home / "content").exists():
            compile_at(home)


@cache
def _shipped() -> Path:
    """The compiled deck of shipped content."""
    share_folder()
    folder = Path(os.environ[RUN])
    deck = folder / "cache" / "deck"
    with locked(folder / "lock"), pytest.MonkeyPatch.context() as patch:
        if not deck.exists():
            patch.setattr("quizapp.deck.content.load", _load)
            patch.setattr("quizapp.deck.content.shipped_content", shipped_content)  # of any test
            patch.setattr("quizapp.deck.compiler.compile_deck", _compile)
            patch.setenv("QUIZ_HOME", str(folder))
            load_deck(find_paths(), Settings())
    return deck


@contextmanager
def locked(path: Path) -> Iterator[None]:
    """Wait for the other processes of the run."""
    with path.open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


def compile_at(home: Path) -> None:
    """Compile the deck of a home as it is now."""
    with pytest.MonkeyPatch.context() as patch:
        compile_once(patch)
        patch.setenv("QUIZ_HOME", str(home))
        load_deck(find_paths(), Settings())


def _load_deck(roots: Sequence[ContentRoot], cache: str) -> Deck:
    """Load the deck of a home: in a new one without content of its own, the shipped one.

    Its compiled file is that of another home then, which costs the next start there what this one
    would have cost: 30 ms.
    """
    there = [root.root for root in roots if os.path.lexists(root.root)]
    if there != [str(shipped_content())] or os.path.lexists(cache):
        return _load(roots, cache)
    deck = shipped_deck()
    with suppress(OSError):  # a folder that cannot be written costs a start nothing but time
        Path(cache).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(_shipped(), cache)
    return deck


def _deck(files: Sequence[SourceFile], earlier: CompiledDeck | None = None) -> DeckCompilation:
    fingerprint = content_hash.fingerprint(files)
    if fingerprint not in _decks:
        _decks[fingerprint] = _moved(files, earlier)
        _forget(_decks)
    return _decks[fingerprint]


def _moved(files: Sequence[SourceFile], earlier: CompiledDeck | None) -> DeckCompilation:
    """Compile files, or move what the same files came to elsewhere, in a tenth of the time.

    Problems, whose sentences may name a place, are always found anew.
    """
    roots = [*dict.fromkeys(file.root for file in files)]
    alike = content_hash.fingerprint(
        file._replace(root=str(roots.index(file.root))) for file in files
    )
    if alike not in _alike:
        compiled = _compile(files, earlier or index.read(str(_shipped())))
        if not compiled.problems:
            _alike[alike] = roots, compiled
            _forget(_alike)
        return compiled
    before, compiled = _alike[alike]
    places = dict(zip(before, roots, strict=True))
    found = {item.id: _at(item, places) for item in compiled.found}
    deck = compiled.compiled
    entries = tuple(entry._replace(file=found[entry.id].file) for entry in deck.entries)
    moved = deck._replace(entries=entries)
    return replace(compiled, compiled=moved, found=tuple(found.values()))


def _at(item: LocatedQuestion, places: dict[str, str]) -> LocatedQuestion:
    """A question under the new root of its file."""
    file = item.source.file
    if places[file.root] == file.root:
        return item
    return replace(item, source=replace(item.source, file=file._replace(root=places[file.root])))


def _in_order(entries: Iterable[Entry], packs: Iterable[PackEntry] = ()) -> tuple[Entry, ...]:
    by_id = {entry.id: entry for entry in entries}
    key = tuple(entry._replace(file="") for entry in by_id.values()), tuple(packs)
    if key not in _orders:
        _orders[key] = [entry.id for entry in _order(by_id.values(), key[1])]
        _forget(_orders)
    return tuple(by_id[name] for name in _orders[key])


def _forget(kept: dict[Any, Any]) -> None:
    """Keep the newest."""
    if len(kept) > _MOST:
        kept.pop(next(iter(kept)))


def _write_again(path: str, compiled: CompiledDeck) -> None:
    """Write a compiled deck; one of the same content, 30 times as fast."""
    expected = f"{compiled.fingerprint} {compiled.state}"
    if expected not in _written:
        _write(path, compiled)
        _written[expected] = Path(path).read_bytes()
        _forget(_written)
        return
    beside = Path(f"{path}.{os.getpid()}")
    beside.parent.mkdir(parents=True, exist_ok=True)
    beside.write_bytes(_written[expected])
    beside.replace(path)


def _shipped_only(original: Callable[..., T], kept: Callable[..., T]) -> Callable[..., T]:
    """A function of a root: for the shipped content, the one that keeps its results."""
    shipped = str(shipped_content())
    return lambda root, *rest: (kept if root == shipped else original)(root, *rest)


def _questions_of(file: SourceFile, pack: Pack, findings: _Problems) -> Iterable[LocatedQuestion]:
    if file.root != str(shipped_content()):
        return _questions(file, pack, findings)
    key = content_hash.fingerprint([file]), msgspec.json.encode(pack)
    if key not in _files:
        own = _Problems()
        _files[key] = list(_questions(file, pack, own)), own
    questions, problems = _files[key]
    findings.problems += problems.problems
    findings.left_out += problems.left_out
    return questions
