"""Compiles content files into a deck: read, validate, resolve ids, check what spans questions.

What has a problem is left out and named; the rest can be studied. Returns values, writes nothing.
"""

from __future__ import annotations

import gc
import hashlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import Any

import msgspec

from grader.did_you_mean import suggest
from grader.facts import fact
from quizapp.deck import bodies, yaml_reader
from quizapp.deck.asked import AskedConcepts, AskedFile
from quizapp.deck.code_files import with_files, without_edits
from quizapp.deck.hidden_characters import find_hidden_characters, make_visible
from quizapp.deck.index import ASKED, PACK_FILE, CompiledDeck, Entry, SourceFile
from quizapp.deck.packs import Pack, PackNames
from quizapp.deck.problems import ContentProblem
from quizapp.deck.question_location import LocatedQuestion, QuestionLocation, canonical
from quizapp.deck.references import reference_problems
from quizapp.deck.rules import check
from quizapp.deck.unchanged import Unchanged, digest
from quizapp.deck.validate import validate
from quizapp.deck.yaml_reader import Document, YamlFault
from quizapp.domain.languages import extra_of
from quizapp.exercises.faults import FieldFault
from quizapp.system.safe_text import is_safe, safe


@dataclass(frozen=True, slots=True)
class DeckCompilation:
    """The compiled deck with its problems in order of position."""

    compiled: CompiledDeck
    problems: tuple[ContentProblem, ...]
    found: tuple[LocatedQuestion, ...]


@dataclass(slots=True)
class _Problems:
    """What goes wrong while compiling. `left_out` counts questions, and files that hold none."""

    problems: list[ContentProblem] = field(default_factory=list)
    left_out: int = 0


def compile_deck(
    files: Sequence[SourceFile], earlier: CompiledDeck | None = None
) -> DeckCompilation:
    """Compile all files; a later root's question overlays an earlier root's of the same id.

    `earlier`: a deck of perhaps other files; those that it was made from are not read again.
    """
    with _pause_collector():
        return _compile(files, Unchanged(earlier))


@contextmanager
def _pause_collector() -> Iterator[None]:
    """Pause the garbage collector, which took a third of the time and finds nothing here."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()


def _compile(files: Sequence[SourceFile], unchanged: Unchanged) -> DeckCompilation:
    findings = _Problems()
    packs = read_packs(files, findings.problems)
    asked = _read_asked(files, findings.problems)
    found: dict[str, LocatedQuestion] = {}
    for file in files:
        if file.path.endswith(f"/{PACK_FILE}") or file.path == ASKED:
            continue
        pack = packs.get((file.root, file.pack), Pack())
        for item in _questions_of(file, pack, unchanged, findings):
            _place(item, found, findings)
    findings.problems += reference_problems(found)
    problems = sorted(findings.problems, key=lambda p: (p.file, p.line, p.column))
    compiled = _pack_up(found, PackNames(packs), asked, findings.left_out)
    return DeckCompilation(compiled, tuple(problems), tuple(found.values()))


def _questions_of(
    file: SourceFile, pack: Pack, unchanged: Unchanged, findings: _Problems
) -> list[LocatedQuestion]:
    """Take a file's questions from the earlier deck, or compile them.

    A later deck may take those of a file without a problem.
    """
    key = digest(file, pack)
    kept = unchanged.questions(file, key)
    if kept is None:
        before = len(findings.problems)
        kept = [*_questions(file, pack, findings)]
        if len(findings.problems) > before:
            return kept
    return [replace(item, digest=key, listed=len(kept) if item.source.path else 0) for item in kept]


def read_packs(
    files: Iterable[SourceFile], problems: list[ContentProblem]
) -> dict[tuple[str, str], Pack]:
    """Collect each root's packs by folder name, and what is wrong with their files.

    A pack without a file has defaults.
    """
    packs: dict[tuple[str, str], Pack] = {}
    for file in files:
        if file.path != f"{file.pack}/{PACK_FILE}":
            continue
        read = read_whole(file, problems)
        if read is None:
            continue
        data, source = read
        try:
            packs[file.root, file.pack] = msgspec.convert(data, Pack)
        except msgspec.ValidationError as error:
            what = fact("deck.bad-pack", message=str(error))
            problems.append(source.problem(FieldFault((), what)))
    return packs


def _read_asked(files: Sequence[SourceFile], problems: list[ContentProblem]) -> AskedConcepts:
    """Collect what each root says of how often concepts are asked, and what is wrong with it."""
    asked: dict[str, AskedFile] = {}
    for file in files:
        read = read_whole(file, problems) if file.path == ASKED else None
        if read is None:
            continue
        data, source = read
        try:
            asked[file.root] = msgspec.convert(data, AskedFile)
        except msgspec.ValidationError as error:
            what = fact("deck.bad-asked", message=str(error))
            problems.append(source.problem(FieldFault((), what)))
    packs = frozenset(file.pack for file in files if file.root in asked)
    return AskedConcepts(tuple(asked.values()), packs)


def read_document(file: SourceFile, problems: list[ContentProblem]) -> Document | None:
    """Parse a file as YAML; return None, with problems noted, where it is not YAML."""
    name = f"{file.root}/{file.path}"
    if file.refused:
        file_name = file.path.rpartition("/")[2]
        what = fact("deck.not-read", file=file_name, reason=file.refused)
        problems.append(ContentProblem(name, 1, 1, what))
        return None
    try:
        document = yaml_reader.read(file.data)
    except yaml_reader.InvalidYaml as error:
        faults: tuple[YamlFault, ...] = (error.fault,)
    else:
        faults = document.faults
        if not faults:
            return document
    problems += [ContentProblem(name, f.line, f.column, f.what) for f in faults]
    return None


def read_whole(
    file: SourceFile, problems: list[ContentProblem]
) -> tuple[Any, QuestionLocation] | None:
    """Parse a file that is one thing; return its data without hidden characters, and its place.

    None, with problems noted, where it is not YAML.
    """
    document = read_document(file, problems)
    if document is None:
        return None
    source = QuestionLocation(file, document, ())
    problems += find_hidden_characters(document.data, source, "")
    return make_visible(document.data), source


def _questions(file: SourceFile, pack: Pack, findings: _Problems) -> Iterable[LocatedQuestion]:
    """Yield the valid questions of a file: of a list of mappings, or of a single one."""
    if not is_safe(file.pack):  # which is a part of every id
        what = fact("deck.hidden-in-pack", pack=safe(file.pack))
        problem = ContentProblem(f"{file.root}/{file.path}", 1, 1, what)
        findings.problems.append(problem)
        findings.left_out += 1
        return
    document = read_document(file, findings.problems)
    if document is None:
        findings.left_out += 1
        return
    if document.data is None:
        return
    for path, data in document.questions:
        source = QuestionLocation(file, document, path)
        whole, missing = with_files(data, file)
        hidden = find_hidden_characters(whole, source, _claimed_id(data, file.pack))
        findings.problems += hidden
        question = validate(make_visible(without_edits(whole)))
        if isinstance(question, list):
            name, faults = _claimed_id(data, file.pack), [*missing, *question]
        else:
            name = canonical(question.id, file.pack)
            checked = check(question, pack.languages)
            faults = [*missing, *checked, *topic_faults(question.topic, pack)]
            if not faults:
                line, _ = document.locate(path)
                yield LocatedQuestion(name, question, source, line)
                continue
        findings.problems += [source.problem(fault, name) for fault in faults]
        findings.left_out += 1


def topic_faults(topic: str, pack: Pack) -> list[FieldFault]:
    """Report a topic that the pack does not have: a misspelled one would hide the question."""
    if not pack.topics or topic in pack.topics:
        return []
    what = fact("deck.topic-not-in-pack", topic=topic)
    return [FieldFault(("topic",), what, suggest(topic, pack.topics))]


def _claimed_id(data: object, pack: str) -> str:
    """Return the id an invalid question says it has, as far as it says one."""
    name = data.get("id") if isinstance(data, dict) else None
    return canonical(safe(name), pack) if isinstance(name, str) else ""


def _place(item: LocatedQuestion, found: dict[str, LocatedQuestion], findings: _Problems) -> None:
    """Add a question; twice in one root is a problem, in a later root an overlay."""
    first = found.get(item.id)
    if first is None:
        found[item.id] = item
    elif first.source.file.root != item.source.file.root:
        found[item.id] = replace(item, overlays=True)
    else:
        at = f"{first.source.file.path}:{first.line}"
        what = fact("deck.repeated-id", id=item.question.id, first=at)
        findings.problems.append(item.source.problem(FieldFault(("id",), what), item.id))
        findings.left_out += 1


def _pack_up(
    found: Mapping[str, LocatedQuestion], names: PackNames, asked: AskedConcepts, left_out: int
) -> CompiledDeck:
    """Collect entries and bodies, in the order of the files."""
    entries: list[Entry] = []
    packed = bytearray()
    for item in found.values():
        body = bodies.encode(item.question)
        question, file = item.question, item.source.file
        topic_en, topic_zh = names.of_topic(file.pack, question.topic)
        entries.append(
            Entry(
                id=item.id,
                kind=question.__struct_config__.tag,
                topic=question.topic,
                topic_en=topic_en,
                topic_zh=topic_zh,
                concept=question.concept,
                builds_on=names.builds_on(file.pack, question.concept),
                asked=asked.count(file.pack, question.concept),
                difficulty=question.difficulty,
                requires=item.canonical(question.requires),
                rev=question.rev,
                was=tuple(n for n in item.canonical(question.was) if n not in found),
                content_hash=hashlib.sha256(body).hexdigest()[:16],
                file=f"{file.root}/{file.path}",
                line=item.line,
                changed=item.overlays,
                start=len(packed),
                length=len(body),
                digest=item.digest,
                listed=item.listed,
                extra=extra_of(question),
            )
        )
        packed += body
    packs = names.entries(entry.pack for entry in entries)
    return CompiledDeck(tuple(entries), packs, left_out, bytes(packed))
