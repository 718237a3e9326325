"""Probes of a kernel as questions of the deck, in both languages, and what their run came to.

From facts to prose; knows no file and no screen.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from math import prod
from textwrap import dedent
from typing import TYPE_CHECKING, Any, NamedTuple, cast

import msgspec

from grader.changes import apply_changes, diff_lines
from grader.facts import fact
from quizapp.domain.question import LANGUAGES, AnyQuestion, code_language
from quizapp.report.words import Words
from quizapp.study.mock.probing import FEWEST, Probe, ProbedStage
from quizapp.study.mock.walkthrough import run_code
from quizapp.system.safe_text import one_to_one
from quizapp.system.width import columns

if TYPE_CHECKING:
    from grader.probes import KernelProbe, KernelProbes
    from quizapp.domain.question import Choice, Number
    from quizapp.exercises.kernels import CheckedKernel  # NumPy, 80 ms
    from quizapp.study.examiner import Examiner
    from quizapp.study.values import Turn

_DIFFICULTY = 3
_PREDICTED = "10%"
"""How near a prediction has to be: edges of an array may count or not."""
_LANES = 32
"""Of a warp."""
_MOST_LINES = 60
"""Of a kernel that is shown whole; of a longer one, lines around those that a probe is about."""
_AROUND = 5
_COLUMNS = 74
"""Of code, as content may have it."""
_CUT, _GAP = "…", "…"
_DIGEST = 8
_LONGEST_NAME = 30


class ProbePlace(NamedTuple):
    """Where probes are from: a short name for ids and topic, and the file as a person names it."""

    name: str
    file: str


def plain_questions(kernels: Sequence[KernelProbes], place: ProbePlace) -> list[dict[str, Any]]:
    """Return the probes of a program as its question file has them, each once."""
    every = [plain_question(probe, of, place) for of in kernels for probe in of.probes]
    return list({question["id"]: question for question in every}.values())


def plain_question(probe: KernelProbe, of: KernelProbes, place: ProbePlace) -> dict[str, Any]:
    """Return a probe as a question file has it: numbers, texts, lists and maps."""
    name = f"{place.name}-{probe.rule}-{_digest(probe, of)}"
    question: dict[str, Any] = {
        "id": name,
        "kind": "number" if probe.form == "number" else "choice",
        "topic": place.name,
        "concept": name,
        "difficulty": _DIFFICULTY,
        "prompt": _translate(lambda say: _prompt(probe, of, say)),
    }
    if probe.form == "number":
        question["answer"] = probe.answer
        if probe.rule == "predict":
            question["tolerance"] = _PREDICTED
    else:
        question["options"] = list(_options(probe, of))
    question["explanation"] = _translate(lambda say: _explanation(probe, of, say))
    line = probe.line or of.line
    question["sources"] = [Words("en")("ask.source", file=place.file, line=line)]
    return question


def choose(
    made: KernelProbes | None, question: str, most: int, stage: ProbedStage | None = None
) -> list[Probe]:
    """Return the probes to ask about the kernel that answers a question; none if there are too few.

    `stage`: of a mock interview, which does not ask all of them.
    """
    if made is None:
        return []
    worded = _word(_ask_once(made.probes), made, question)
    asked = [each for each in worded if stage is None or stage.asks(each)][:most]
    return asked if len(asked) >= (FEWEST if stage is None else 1) else []


def make_again(ended: Turn, examiner: Examiner) -> list[Probe]:
    """Make all probes of the kernel of a stage that has ended, whether or not they were asked.

    Raises:
        Ungraded, Cancelled: it cannot be run.
    """
    assert ended.answered is not None
    checked = cast("CheckedKernel", run_code(ended.answered, examiner).submission)
    made = examiner.probe(checked)
    return [] if made is None else _word(made.probes, made, ended.entry.id)


def _word(probes: Iterable[KernelProbe], made: KernelProbes, question: str) -> list[Probe]:
    """Word probes as questions, each once."""
    place = ProbePlace(question.rpartition("/")[2][:_LONGEST_NAME].strip("-"), question)
    asked = [Probe(each.rule, question_of(each, made, place)) for each in probes]
    return list({each.question.id: each for each in asked}.values())


def _ask_once(probes: Sequence[KernelProbe]) -> Iterator[KernelProbe]:
    """Yield what is asked in one sitting: of a change once, since the feedback shows its run."""
    told = list[tuple[object, ...]]()
    for each in probes:
        if not each.changes or each.changes not in told:
            told.append(each.changes)
            yield each


def question_of(probe: KernelProbe, of: KernelProbes, place: ProbePlace) -> Choice | Number:
    """Return a probe as a question that can be asked."""
    asked: Any = msgspec.convert(plain_question(probe, of, place), AnyQuestion)
    return asked  # type: ignore[no-any-return]


def _translate(write: Callable[[Words], str]) -> dict[str, str]:
    return {language: write(Words(language)) for language in LANGUAGES}


def _prompt(probe: KernelProbe, of: KernelProbes, say: Words) -> str:
    code = "probe.about-triton" if of.compiled_by.startswith("Triton") else "probe.about"
    about = say(
        code, kernel=of.kernel, grid=_sizes(of.grid), block=_sizes(of.block),
        warps=prod(of.block) // _LANES, arguments=tuple(f"`{each}`" for each in of.arguments),
    )  # fmt: skip
    blank = " " * (say.language == "en")
    if of.varied:
        about += blank + say("probe.varied", names=of.varied)
    if of.compiled_by:
        about += blank + say("probe.compiled", compiler=of.compiled_by)
    return f"{say.fact(probe.asked)}\n\n{about}\n\n{_code(probe, of)}"


def _options(probe: KernelProbe, of: KernelProbes) -> Iterator[dict[str, Any]]:
    """Yield the options, the right one first: they are shuffled when they are shown."""
    shown = _source(probe, of).split("\n")
    if probe.form == "line":
        listed = [fact("probe.line", line=n, code=_inline(shown[n - 1])) for n in probe.lines]
    else:
        listed = list(probe.options)
    texts = [{name: Words(name).fact(each) for name in LANGUAGES} for each in listed]
    yield {"text": texts[0], "correct": True}
    for text, reason in zip(texts[1:], probe.reasons, strict=True):
        yield {"text": text, "why": {name: Words(name).fact(reason) for name in LANGUAGES}}


def _explanation(probe: KernelProbe, of: KernelProbes, say: Words) -> str:
    changed = say("probe.ran.changed") if probe.changes else ""
    seen = say("probe.separator").join(say.fact(each).rstrip(".。") for each in probe.seen)
    parts = [say("probe.ran", changed=changed, seen=seen)]
    if probe.form == "line":
        right = tuple(sorted(probe.right))
        parts.insert(0, say("probe.right", n=len(right), lines=right))
    if probe.changes:
        differing = diff_lines(of.source, apply_changes(of.source, probe.changes))
        text = "\n".join(_cut(line) for line in differing if not line.startswith("@"))
        parts.append(f"```diff\n{text}\n```")
    return "\n\n".join(parts)


def _code(probe: KernelProbe, of: KernelProbes) -> str:
    """Write the kernel with the numbers of its lines, in a block of code."""
    lines = _source(probe, of).split("\n")
    wide = len(str(of.last))
    texts = dedent("\n".join(lines[of.first - 1 : of.last])).split("\n")
    numbered = dict(enumerate(texts, of.first))
    about = {probe.line, *probe.lines, *(each.place for each in probe.changes)}
    kept = list(_kept(of, about))
    shown = list[str]()
    for number in kept:
        if shown and number - 1 not in kept:
            shown.append(_GAP)
        shown.append(_cut(f"{number:>{wide}}  {numbered[number]}".rstrip()))
    text = "\n".join(shown).replace("```", "'''")
    return f"```{code_language(of.source)}\n{text}\n```"


def _kept(of: KernelProbes, about: Collection[int]) -> Iterator[int]:
    """Yield the lines that are shown."""
    whole = of.last - of.first < _MOST_LINES
    for number in range(of.first, of.last + 1):
        near = any(abs(number - each) <= _AROUND for each in about) or number == of.first
        if whole or near:
            yield number


def _source(probe: KernelProbe, of: KernelProbes) -> str:
    source = apply_changes(of.source, probe.changes) if probe.shows else of.source
    return "\n".join(map(one_to_one, source.replace("\t", "    ").split("\n")))


def _cut(line: str) -> str:
    while columns(line) > _COLUMNS:
        line = line[:-2] + _CUT
    return line


def _inline(code: str) -> str:
    """Return a line that can stand between two backquotes."""
    return _cut(code.strip().replace("`", "'")) or " "


def _sizes(sizes: tuple[int, ...]) -> str:
    """Write sizes without the axes behind the last one that is used."""
    used = max((axis for axis, size in enumerate(sizes) if size > 1), default=0)
    return ", ".join(map(str, sizes[: used + 1]))


def _digest(probe: KernelProbe, of: KernelProbes) -> str:
    """Identify what is asked and its answer, by the text of lines: numbers of lines move."""
    lines = of.source.split("\n")

    def text(line: int) -> str:
        return lines[line - 1].strip() if 0 < line <= len(lines) else ""

    near = [text(probe.line + step) for step in (-1, 0, 1) if probe.line]
    said = [
        of.kernel, of.arguments, of.grid, of.block, near, probe.answer,
        [text(line) for line in probe.lines[:1]], [each.code for each in probe.options[:1]],
        [(each.old, each.new, each.context, each.offset) for each in probe.changes],
        msgspec.to_builtins(probe.launch),
    ]  # fmt: skip
    return hashlib.sha256(json.dumps(said).encode()).hexdigest()[:_DIGEST]
