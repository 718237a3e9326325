"""Compiles content files into a deck: read, validate, resolve ids, check what spans questions.

What has a problem is left out and named; the rest can be studied. Returns values, writes nothing.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from graphlib import CycleError, TopologicalSorter

import msgspec

from quizapp.deck import yaml_reader
from quizapp.deck.index import Compiled, Entry, SourceFile
from quizapp.deck.problems import Problem
from quizapp.deck.rules import check
from quizapp.deck.validate import Invalid, nearest, validate
from quizapp.deck.yaml_reader import Document, Path
from quizapp.domain.question import AnyQuestion

PACK_FILE = "pack.yaml"


class Pack(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What `pack.yaml` says: `languages` are those every prose field must have."""

    title: dict[str, str] | str = ""
    description: dict[str, str] | str = ""
    languages: tuple[str, ...] = ("en",)


@dataclass(frozen=True, slots=True)
class Source:
    """Where a question stands: its file, the document and the path of its mapping in it."""

    file: SourceFile
    document: Document
    path: Path

    def problem(self, invalid: Invalid, question: str = "") -> Problem:
        """A fault of the question as a problem with its position."""
        line, column = self.document.locate((*self.path, *invalid.path), key=invalid.at_key)
        name = f"{self.file.root}/{self.file.path}"
        return Problem(name, line, column, invalid.what, invalid.todo, question)


@dataclass(frozen=True, slots=True)
class Found:
    """A valid question, where it stands, and whether it overlays one of an earlier root."""

    id: str
    question: AnyQuestion
    source: Source
    overlays: bool = False


@dataclass(frozen=True, slots=True)
class Result:
    """The compiled deck with its problems in order of position."""

    compiled: Compiled
    problems: tuple[Problem, ...]
    found: tuple[Found, ...]


def compile_deck(files: Sequence[SourceFile]) -> Result:
    """Compile all files; a later root's question overlays an earlier root's of the same id."""
    problems: list[Problem] = []
    packs = _packs(files, problems)
    found: dict[str, Found] = {}
    for file in files:
        if file.path.endswith(f"/{PACK_FILE}"):
            continue
        languages = packs.get((file.root, file.pack), Pack()).languages
        for item in _questions(file, languages, problems):
            _place(item, found, problems)
    left_out = len({(p.file, p.question or p.line) for p in problems})
    kept = _resolved(found, problems)
    problems.sort(key=lambda p: (p.file, p.line, p.column))
    return Result(_pack_up(kept, left_out), tuple(problems), tuple(kept))


def canonical(name: str, pack: str) -> str:
    """`pack/id` for a name that may leave the pack out."""
    return name if "/" in name else f"{pack}/{name}"


def _packs(files: Iterable[SourceFile], problems: list[Problem]) -> dict[tuple[str, str], Pack]:
    """Each root's packs by folder name; a pack without a file has defaults."""
    packs: dict[tuple[str, str], Pack] = {}
    for file in files:
        if file.path != f"{file.pack}/{PACK_FILE}":
            continue
        document = _document(file, problems)
        if document is None:
            continue
        try:
            packs[file.root, file.pack] = msgspec.convert(document.data, Pack)
        except msgspec.ValidationError as error:
            todo = "fields are: title, description, languages"
            problems.append(Source(file, document, ()).problem(Invalid((), str(error), todo)))
    return packs


def _document(file: SourceFile, problems: list[Problem]) -> Document | None:
    """The file as YAML; None, with problems noted, where it is none."""
    name = f"{file.root}/{file.path}"
    try:
        document = yaml_reader.read(file.data)
    except yaml_reader.Unreadable as error:
        fault = error.fault
        problems.append(Problem(name, fault.line, fault.column, fault.what, fault.todo))
        return None
    problems += [Problem(name, f.line, f.column, f.what, f.todo) for f in document.faults]
    return None if document.faults else document


def _questions(
    file: SourceFile, languages: Sequence[str], problems: list[Problem]
) -> Iterable[Found]:
    """The valid questions of a file: a list of mappings, or a single one."""
    document = _document(file, problems)
    if document is None or document.data is None:
        return
    items: list[tuple[Path, object]] = (
        [((i,), item) for i, item in enumerate(document.data)]
        if isinstance(document.data, list)
        else [((), document.data)]
    )
    for path, data in items:
        source = Source(file, document, path)
        result = validate(data)
        if isinstance(result, list):
            name = _claimed_id(data, file.pack)
            problems += [source.problem(invalid, name) for invalid in result]
            continue
        name = canonical(result.id, file.pack)
        faults = check(result, languages)
        problems += [source.problem(invalid, name) for invalid in faults]
        if not faults:
            yield Found(name, result, source)


def _claimed_id(data: object, pack: str) -> str:
    """The id an invalid question says it has, as far as it says one."""
    name = data.get("id") if isinstance(data, dict) else None
    return canonical(name, pack) if isinstance(name, str) else ""


def _place(item: Found, found: dict[str, Found], problems: list[Problem]) -> None:
    """Add a question; twice in one root is a problem, in a later root an overlay."""
    first = found.get(item.id)
    if first is None:
        found[item.id] = item
    elif first.source.file.root != item.source.file.root:
        found[item.id] = replace(item, overlays=True)
    else:
        line, _ = first.source.document.locate(first.source.path)
        what = f"the id '{item.question.id}' is used a second time"
        todo = f"choose another; the first is {first.source.file.path}:{line}"
        problems.append(item.source.problem(Invalid(("id",), what, todo), item.id))


def _resolved(found: dict[str, Found], problems: list[Problem]) -> list[Found]:
    """The questions, once `requires` and `was` are known to make sense; others only warn."""
    claimed: dict[str, str] = {}
    for item in found.values():
        for field, names in (("requires", item.question.requires), ("was", item.question.was)):
            for position, name in enumerate(names):
                fault = _reference_fault(item, field, name, found, claimed)
                if fault:
                    invalid = Invalid((field, position), *fault)
                    problems.append(item.source.problem(invalid, item.id))
    circle = _cycle(found)
    if circle:
        what = f"a circle of requirements: {' → '.join(circle)}"
        invalid = Invalid(("requires",), what, "remove one of the links")
        problems.append(found[circle[0]].source.problem(invalid, circle[0]))
    return list(found.values())


def _reference_fault(
    item: Found, field: str, name: str, found: dict[str, Found], claimed: dict[str, str]
) -> tuple[str, str] | None:
    """What is wrong with one reference: it leads nowhere, or a former id is taken."""
    target = canonical(name, item.source.file.pack)
    if field == "requires":
        if target in found:
            return None
        ids = [i.removeprefix(f"{item.source.file.pack}/") for i in found]
        return f"there is no question '{name}'", nearest(name, ids) if ids else "write it first"
    if target in found:
        return f"'{name}' is a former id, but a question has it now", "rename one of them"
    if target in claimed:
        return f"'{name}' is a former id of '{claimed[target]}' too", "keep one of the two"
    claimed[target] = item.id
    return None


def _cycle(found: dict[str, Found]) -> list[str]:
    """Ids that require one another in a circle, which would hold all of them back for ever."""
    needs = {
        item.id: [canonical(name, item.source.file.pack) for name in item.question.requires]
        for item in found.values()
    }
    try:
        TopologicalSorter(needs).prepare()
    except CycleError as error:
        return list(error.args[1])
    return []


def _pack_up(found: Sequence[Found], left_out: int) -> Compiled:
    """Entries and bodies, in the order of the files."""
    entries: list[Entry] = []
    bodies = bytearray()
    encode = msgspec.json.encode
    for item in found:
        body = encode(item.question)
        question, file = item.question, item.source.file
        line, _ = item.source.document.locate(item.source.path)
        entries.append(
            Entry(
                id=item.id,
                kind=question.__struct_config__.tag,  # type: ignore[arg-type]
                topic=question.topic,
                concept=question.concept,
                difficulty=question.difficulty,
                requires=tuple(canonical(name, file.pack) for name in question.requires),
                rev=question.rev,
                was=tuple(canonical(name, file.pack) for name in question.was),
                content_hash=hashlib.sha256(body).hexdigest()[:16],
                file=f"{file.root}/{file.path}",
                line=line,
                changed=item.overlays,
                start=len(bodies),
                length=len(body),
            )
        )
        bodies += body
    return Compiled(tuple(entries), left_out, bytes(bodies))
