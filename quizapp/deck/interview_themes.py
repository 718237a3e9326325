"""Reads themes of mock interviews: YAML → themes, with every fault at its position.

A theme with a fault is left out. Whether what it refers to exists is checked apart, by lint, which
knows all questions.
"""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import msgspec

from grader.did_you_mean import suggest
from grader.facts import fact
from quizapp.deck import bodies
from quizapp.deck.compiler import read_packs, read_whole, topic_faults
from quizapp.deck.index import PACK_FILE, ContentRoot, SourceFile, theme_sources
from quizapp.deck.linting.wording import LocatedProse
from quizapp.deck.packs import Pack
from quizapp.deck.problems import ContentProblem
from quizapp.deck.question_location import LocatedQuestion, QuestionLocation, canonical
from quizapp.deck.rules import check, prose_faults, prose_fields
from quizapp.deck.validate import validate, validate_as
from quizapp.domain.interview_theme import (
    FROM_THEME,
    FactsFields,
    InterviewTheme,
    StageFields,
    ThemeFields,
    ThemeStage,
    quotes_in,
)
from quizapp.domain.question import LANGUAGES, AnyQuestion, FactChoice, Option, Translated, prose
from quizapp.exercises.faults import FieldFault, FieldPath

_OTHER_WAYS = 3
"""To ask a stage's question, which it leaves out."""


@dataclass(frozen=True, slots=True)
class LocatedTheme:
    """A valid theme, where it is, and the questions that it holds itself.

    `facts` are those that ask for facts, whose options are written elsewhere in the file.
    """

    theme: InterviewTheme
    fields: ThemeFields
    source: QuestionLocation
    asked: tuple[LocatedQuestion, ...]
    facts: tuple[LocatedQuestion, ...]

    @property
    def prose(self) -> LocatedProse:
        """The texts of the theme itself; those of its questions are theirs."""
        return LocatedProse(self.theme.id, self.source, tuple(_prose_fields(self.fields)))


@dataclass(frozen=True, slots=True)
class ThemeReadings:
    """The themes that are valid, by id in the order of their files, and what is wrong."""

    themes: dict[str, LocatedTheme]
    problems: tuple[ContentProblem, ...]


def load_themes(roots: Sequence[str | ContentRoot]) -> dict[str, InterviewTheme]:
    """Read the themes of all places by id; later places overlay earlier ones."""
    found = read_themes(theme_sources(roots)).themes
    return {name: located.theme for name, located in found.items()}


def read_themes(files: Sequence[SourceFile]) -> ThemeReadings:
    """Read files of themes, and of packs, whose own problems belong to the deck."""
    packs = read_packs(files, [])
    found: dict[str, LocatedTheme] = {}
    problems: list[ContentProblem] = []
    for file in files:
        if file.path.endswith(f"/{PACK_FILE}"):
            continue
        whole = read_whole(file, problems)
        if whole is None:
            continue
        data, source = whole
        read = _read_theme(data, source, packs.get((file.root, file.pack)))
        if isinstance(read, list):
            problems += [source.problem(fault) for fault in read]
            continue
        first = found.get(read.theme.id)
        if first is not None and first.source.file.root == file.root:
            what = fact("theme.repeated-id", id=read.fields.id, first=first.source.file.path)
            problems.append(source.problem(FieldFault(("id",), what)))
        else:
            found[read.theme.id] = read
    return ThemeReadings(found, tuple(problems))


def reference_problems(located: LocatedTheme, known: Collection[str]) -> Iterator[ContentProblem]:
    """Yield what a theme asks, or lets a person study, and no question is."""
    pack = located.theme.pack
    for i, stage in enumerate(located.fields.stages):
        named: list[tuple[FieldPath, str]] = [
            (("stages", i, "study", j), name) for j, name in enumerate(stage.study)
        ]
        if stage.question is not None:
            named.append((("stages", i, "question"), stage.question))
        if stage.inputs is not None:
            named.append((("stages", i, "inputs", "question"), stage.inputs.question))
        for path, name in named:
            if canonical(name, pack) not in known:
                hint = suggest(name, [each.removeprefix(f"{pack}/") for each in known])
                fault = FieldFault(path, fact("deck.no-question", id=name), hint)
                yield located.source.problem(fault, located.theme.id)


def _read_theme(
    data: Any, source: QuestionLocation, pack: Pack | None
) -> LocatedTheme | list[FieldFault]:
    """Validate a theme and the questions it holds, all of its faults at once."""
    fields = validate_as(data, ThemeFields)
    if isinstance(fields, list):
        return fields
    pack, name = pack or Pack(), f"{source.file.pack}/{fields.id}"
    faults = [*topic_faults(fields.topic, pack), *_name_faults(fields)]
    for path, value in _prose_fields(fields):
        faults += prose_faults(path, value, pack.languages)
    stages: list[ThemeStage] = []
    asked: list[LocatedQuestion] = []
    facts: list[LocatedQuestion] = []
    for i, stage in enumerate(fields.stages):
        question = _read_question(fields, i, pack)
        if isinstance(question, list):
            faults += question
            continue
        line, _ = source.document.locate(("stages", i))
        stages.append(_resolve(stage, f"{name}/{stage.name}", question, line))
        if question is not None:
            place = replace(source, path=("stages", i, "ask" if stage.facts is None else "facts"))
            found = LocatedQuestion(f"{name}/{stage.name}", question, place, line)
            (asked if stage.facts is None else facts).append(found)
    faults += _condition_faults(fields)
    faults += _quote_faults(fields, [stage.ask for stage in stages] if not faults else [])
    if faults:
        return faults
    theme = InterviewTheme(
        id=name,
        title=fields.title,
        about=fields.about,
        opening=fields.opening,
        topic=fields.topic,
        difficulty=fields.difficulty,
        stages=tuple(stages),
        file=f"{source.file.root}/{source.file.path}",
    )
    return LocatedTheme(theme, fields, source, tuple(asked), tuple(facts))


def _resolve(stage: StageFields, name: str, question: AnyQuestion | None, line: int) -> ThemeStage:
    """Resolve the names of a stage."""
    pack, theme = name.partition("/")[0], name.rpartition("/")[0]
    body = b"" if question is None else bodies.encode(question)
    of = stage.question if stage.inputs is None else stage.inputs.question
    if stage.inputs is not None:
        body = msgspec.json.encode(stage.inputs)
    return ThemeStage(
        id=name,
        minutes=stage.minutes,
        lead=stage.lead or "",
        question="" if of is None else canonical(of, pack),
        ask=question,
        content_hash=hashlib.sha256(body).hexdigest()[:16] if body else "",
        study=tuple(canonical(each, pack) for each in stage.study),
        line=line,
        if_wrong=None if stage.if_wrong is None else f"{theme}/{stage.if_wrong}",
        if_right=None if stage.if_right is None else f"{theme}/{stage.if_right}",
        skill=stage.skill,
        inputs=stage.inputs,
    )


def _name_faults(fields: ThemeFields) -> Iterator[FieldFault]:
    """Report two stages of one name, and a stage that asks nothing or two things."""
    names = [stage.name for stage in fields.stages]
    for i, stage in enumerate(fields.stages):
        if stage.name in names[:i]:
            yield FieldFault(("stages", i, "name"), fact("theme.repeated-stage", name=stage.name))
        ways = stage.question, stage.ask, stage.inputs, stage.facts
        if ways.count(None) != _OTHER_WAYS:
            yield FieldFault(("stages", i), fact("theme.one-question"))


def _condition_faults(fields: ThemeFields) -> Iterator[FieldFault]:
    """Report a stage that depends on one that is not earlier, on words, or on two answers."""
    earlier: list[str] = []
    said = {s.name for s in fields.stages if s.ask is not None and s.ask.get("kind") == "recall"}
    for i, stage in enumerate(fields.stages):
        if stage.if_wrong is not None and stage.if_right is not None:
            yield FieldFault(("stages", i, "if_right"), fact("theme.two-conditions"))
        for field in ("if_wrong", "if_right"):
            name = getattr(stage, field)
            if name is not None and name not in earlier:
                what = fact("theme.quotes-unknown", name=name)
                hint = suggest(name, earlier) if earlier else None
                yield FieldFault(("stages", i, field), what, hint)
            elif name in said:
                yield FieldFault(("stages", i, field), fact("theme.depends-on-words", name=name))
        earlier.append(stage.name)


def _read_question(
    fields: ThemeFields, i: int, pack: Pack
) -> AnyQuestion | list[FieldFault] | None:
    """Validate what a stage holds itself; None if it refers to a question."""
    stage = fields.stages[i]
    if stage.facts is not None:
        return _build_facts(fields, stage.name, stage.facts) or [
            FieldFault(("stages", i, "facts", "facts"), fact("theme.facts"))
        ]
    if stage.ask is None:
        return None
    path: FieldPath = ("stages", i, "ask")
    if stage.ask.get("kind") == "kernel":
        return [FieldFault((*path, "kind"), fact("theme.kernel-in-place"))]
    own = {name: getattr(fields, name, fields.id) for name in FROM_THEME}
    own |= {"id": f"{fields.id}-{stage.name}", "sources": list(fields.sources)}
    question = validate({**own, **stage.ask})
    if isinstance(question, list):
        return [replace(fault, path=(*path, *fault.path)) for fault in question]
    faults = [*check(question, pack.languages), *topic_faults(question.topic, pack)]
    return [replace(f, path=(*path, *f.path)) for f in faults] if faults else question


def _build_facts(fields: ThemeFields, stage: str, given: FactsFields) -> FactChoice | None:
    """Make the question of a stage with facts; None if there is nothing to decide."""
    options = tuple(
        Option(each.asked, correct=each.matters, why=None if each.matters else each.why)
        for each in given.facts
    )
    if not 0 < sum(each.matters for each in given.facts) < len(options):
        return None
    return FactChoice(
        id=f"{fields.id}-{stage}", topic=fields.topic, concept=fields.id, several=True,
        difficulty=fields.difficulty, sources=fields.sources, prompt=given.prompt,
        explanation=given.explanation, options=options, facts=given.facts,
    )  # fmt: skip


def _quote_faults(fields: ThemeFields, asked: Sequence[AnyQuestion | None]) -> Iterator[FieldFault]:
    """Report quotes of a stage that is not earlier."""
    earlier: list[str] = []
    yield from _unknown_quotes(("opening",), fields.opening, earlier)
    for i, (stage, question) in enumerate(zip(fields.stages, asked, strict=False)):
        yield from _unknown_quotes(("stages", i, "lead"), stage.lead or "", earlier)
        if question is not None:
            for path, text in prose_fields(question):
                yield from _unknown_quotes(("stages", i, "ask", *path), text, earlier)
        earlier.append(stage.name)


def _unknown_quotes(
    path: FieldPath, text: str | Translated, earlier: Sequence[str]
) -> Iterator[FieldFault]:
    for name in dict.fromkeys(
        name for language in LANGUAGES for _, name in quotes_in(prose(text, language))
    ):
        if name not in earlier:
            what = fact("theme.quotes-unknown", name=name)
            yield FieldFault(path, what, suggest(name, earlier) if earlier else None)


def _prose_fields(fields: ThemeFields) -> Iterable[tuple[FieldPath, str | Translated]]:
    """Yield the theme's own texts with their paths."""
    for name in ("title", "about", "opening"):
        yield (name,), getattr(fields, name)
    for i, stage in enumerate(fields.stages):
        if stage.lead is not None:
            yield ("stages", i, "lead"), stage.lead
        if stage.inputs is not None:
            yield ("stages", i, "inputs", "prompt"), stage.inputs.prompt
            yield ("stages", i, "inputs", "explanation"), stage.inputs.explanation
        if stage.facts is not None:
            yield ("stages", i, "facts", "prompt"), stage.facts.prompt
            yield ("stages", i, "facts", "explanation"), stage.facts.explanation
            for j, each in enumerate(stage.facts.facts):
                for name in ("asked", "told", "why"):
                    yield ("stages", i, "facts", "facts", j, name), getattr(each, name)
