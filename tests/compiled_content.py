"""Content compiled once per test process: 0.5 s less for each test that has a home of its own.

A deck is compiled from nothing but the files that its fingerprint names, so the second result for
the same files would be the first again; and a shipped file gives the same questions whatever a test
puts beside it. Shipped files are listed and read once, since no test changes them. What is written
to the cache, and when, stays as it is.
"""

from __future__ import annotations

import atexit
import os
import shutil
import tempfile
from collections.abc import Callable, Iterable, Sequence
from functools import cache, lru_cache
from pathlib import Path
from typing import TypeVar

import msgspec
import pytest

from quizapp.deck import compiler as compiling
from quizapp.deck import content_hash, index, ordering
from quizapp.deck.compiler import DeckCompilation, _Problems
from quizapp.deck.content import load_deck
from quizapp.deck.index import CompiledDeck, SourceFile
from quizapp.deck.packs import Pack
from quizapp.deck.question_location import LocatedQuestion
from quizapp.system.config import Settings
from quizapp.system.paths import find_paths, shipped_content

T = TypeVar("T")
_MOST = 16
_compile = compiling.compile_deck
_questions = compiling._questions
_write = index.write
_decks: dict[str, DeckCompilation] = {}
_written: dict[str, bytes] = {}
_files: dict[tuple[str, bytes], tuple[list[LocatedQuestion], _Problems]] = {}

_ordered = lru_cache(_MOST)(ordering.in_default_order)
_yaml_at = cache(lambda root, inside, listed=index._yaml_at: [*listed(root, inside)])
_source_file = cache(index.source_file)


def compile_once(patch: pytest.MonkeyPatch) -> None:
    """Make `compile_deck` remember what it compiled, for one test."""
    patch.setattr("quizapp.deck.compiler.compile_deck", _deck)
    patch.setattr("quizapp.deck.compiler._questions", _questions_of)
    patch.setattr("quizapp.deck.ordering.in_default_order", _ordered)
    patch.setattr("quizapp.deck.index.write", _write_again)
    for name, kept in (("_yaml_at", _yaml_at), ("source_file", _source_file)):
        patch.setattr(f"quizapp.deck.index.{name}", _shipped_only(getattr(index, name), kept))


def fill_cache(home: Path) -> None:
    """Write a home's compiled deck, for a program that is started there to read."""
    deck = home / "cache" / "deck"
    if not deck.exists():
        deck.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(_shipped(), deck)
        if (home / "content").exists():
            _compile_at(home)


@cache
def _shipped() -> Path:
    """The compiled deck of shipped content; removed when this process ends."""
    folder = tempfile.TemporaryDirectory(prefix="quiz-compiled-")
    atexit.register(folder.cleanup)
    _compile_at(Path(folder.name))
    return Path(folder.name, "cache", "deck")


def _compile_at(home: Path) -> None:
    with pytest.MonkeyPatch.context() as patch:
        compile_once(patch)
        patch.setenv("QUIZ_HOME", str(home))
        load_deck(find_paths(), Settings())


def _deck(files: Sequence[SourceFile], earlier: CompiledDeck | None = None) -> DeckCompilation:
    fingerprint = content_hash.fingerprint(files)
    if fingerprint not in _decks:
        if len(_decks) == _MOST:
            _decks.pop(next(iter(_decks)))
        _decks[fingerprint] = _compile(files, earlier)
    return _decks[fingerprint]


def _write_again(path: str, compiled: CompiledDeck) -> None:
    """Write a compiled deck; one of the same content, 30 times as fast."""
    expected = f"{compiled.fingerprint} {compiled.state}"
    if expected not in _written:
        _write(path, compiled)
        if len(_written) == _MOST:
            _written.pop(next(iter(_written)))
        _written[expected] = Path(path).read_bytes()
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
