"""Compiles content files into a deck: read, validate, resolve ids, check what spans questions.

What has a problem is left out and named; the rest can be studied. Returns values, writes nothing.
"""

from __future__ import annotations

import gc
import hashlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace

import msgspec

from quizapp.deck import yaml_reader
from quizapp.deck.beside import with_files
from quizapp.deck.found import Found, Source, canonical
from quizapp.deck.index import Compiled, Entry, SourceFile
from quizapp.deck.problems import Problem
from quizapp.deck.references import reference_problems
from quizapp.deck.rules import check
from quizapp.deck.validate import Invalid, nearest, validate
from quizapp.deck.yaml_reader import Document, Fault, Path
from quizapp.domain.question import AnyQuestion, Language

PACK_FILE = "pack.yaml"


class Pack(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What `pack.yaml` says.

    `languages` are those every prose field must have; `topics`, where given, are all there are.
    """

    title: dict[str, str] | str = ""
    description: dict[str, str] | str = ""
    languages: tuple[Language, ...] = ("en",)
    topics: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Result:
    """The compiled deck with its problems in order of position."""

    compiled: Compiled
    problems: tuple[Problem, ...]
    found: tuple[Found, ...]


@dataclass(slots=True)
class Findings:
    """What goes wrong while compiling. `left_out` counts questions, and files that hold none."""

    problems: list[Problem] = field(default_factory=list)
    left_out: int = 0


def compile_deck(files: Sequence[SourceFile]) -> Result:
    """Compile all files; a later root's question overlays an earlier root's of the same id."""
    with _uncollected():
        return _compile(files)


@contextmanager
def _uncollected() -> Iterator[None]:
    """Without the garbage collector, which took a third of the time and finds nothing here."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()


def _compile(files: Sequence[SourceFile]) -> Result:
    findings = Findings()
    packs = _packs(files, findings)
    found: dict[str, Found] = {}
    for file in files:
        if file.path.endswith(f"/{PACK_FILE}"):
            continue
        pack = packs.get((file.root, file.pack), Pack())
        for item in _questions(file, pack, findings):
            _place(item, found, findings)
    findings.problems += reference_problems(found)
    problems = sorted(findings.problems, key=lambda p: (p.file, p.line, p.column))
    return Result(_pack_up(found, findings.left_out), tuple(problems), tuple(found.values()))


def _packs(files: Iterable[SourceFile], findings: Findings) -> dict[tuple[str, str], Pack]:
    """Each root's packs by folder name; a pack without a file has defaults."""
    packs: dict[tuple[str, str], Pack] = {}
    for file in files:
        if file.path != f"{file.pack}/{PACK_FILE}":
            continue
        document = _document(file, findings)
        if document is None:
            continue
        try:
            packs[file.root, file.pack] = msgspec.convert(document.data, Pack)
        except msgspec.ValidationError as error:
            todo = "fields are: title, description, languages, topics"
            findings.problems.append(
                Source(file, document, ()).problem(Invalid((), str(error), todo))
            )
    return packs


def _document(file: SourceFile, findings: Findings) -> Document | None:
    """The file as YAML; None, with problems noted, where it is none."""
    name = f"{file.root}/{file.path}"
    try:
        document = yaml_reader.read(file.data)
    except yaml_reader.Unreadable as error:
        faults: tuple[Fault, ...] = (error.fault,)
    else:
        faults = document.faults
        if not faults:
            return document
    findings.problems += [Problem(name, f.line, f.column, f.what, f.todo) for f in faults]
    return None


def _questions(file: SourceFile, pack: Pack, findings: Findings) -> Iterable[Found]:
    """The valid questions of a file: a list of mappings, or a single one."""
    document = _document(file, findings)
    if document is None:
        findings.left_out += 1
        return
    if document.data is None:
        return
    items: list[tuple[Path, object]] = (
        [((i,), item) for i, item in enumerate(document.data)]
        if isinstance(document.data, list)
        else [((), document.data)]
    )
    for path, data in items:
        source = Source(file, document, path)
        whole, missing = with_files(data, file)
        question = validate(whole)
        if isinstance(question, list):
            name, faults = _claimed_id(data, file.pack), [*missing, *question]
        else:
            name = canonical(question.id, file.pack)
            checked = check(question, pack.languages)
            faults = [*missing, *checked, *_topic_faults(question, pack)]
            if not faults:
                yield Found(name, question, source)
                continue
        findings.problems += [source.problem(invalid, name) for invalid in faults]
        findings.left_out += 1


def _topic_faults(question: AnyQuestion, pack: Pack) -> list[Invalid]:
    """A topic the pack does not have is a slip of the pen, and would hide the question."""
    if not pack.topics or question.topic in pack.topics:
        return []
    what = f"the pack has no topic '{question.topic}'"
    return [Invalid(("topic",), what, nearest(question.topic, list(pack.topics)))]


def _claimed_id(data: object, pack: str) -> str:
    """The id an invalid question says it has, as far as it says one."""
    name = data.get("id") if isinstance(data, dict) else None
    return canonical(name, pack) if isinstance(name, str) else ""


def _place(item: Found, found: dict[str, Found], findings: Findings) -> None:
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
        findings.problems.append(item.source.problem(Invalid(("id",), what, todo), item.id))
        findings.left_out += 1


def _pack_up(found: Mapping[str, Found], left_out: int) -> Compiled:
    """Entries and bodies, in the order of the files."""
    entries: list[Entry] = []
    bodies = bytearray()
    encode = msgspec.json.encode
    for item in found.values():
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
                requires=item.canonical(question.requires),
                rev=question.rev,
                was=tuple(n for n in item.canonical(question.was) if n not in found),
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
