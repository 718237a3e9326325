"""Rules of language: wordings that text must not use, and what to write in their place.

The terms come from the glossary (`never`); the rest is here: rates, habits, spelling, negation,
spacing, punctuation. Code is not looked at. `quiz lint` applies the rules to questions whose folder
has a glossary, and only the terms, of the shipped one, to all others; the tests apply them to the
screens and the documents.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import NamedTuple

import msgspec

from grader.facts import Fact, fact
from quizapp.deck.glossary import FILE, Term, read_terms
from quizapp.deck.problems import ContentProblem
from quizapp.deck.question_location import LocatedQuestion, QuestionLocation
from quizapp.deck.rules import prose_fields
from quizapp.deck.yaml_reader import FieldPath, InvalidYaml
from quizapp.domain.question import Language, Translated
from quizapp.system.paths import shipped_content

_HAN = "[\u3400-\u9fff]"
_CHINESE = re.compile(_HAN)
_CODE = re.compile(r"^[ ]*```.*?^[ ]*```|`[^`\n]*`|\{\{.*?\}\}", re.MULTILINE | re.DOTALL)
_INSIDE_CODE = re.compile(r"[^\s`{}]")

_COUNTED = (
    "additions|answers|arrivals|atomics|banks|barriers|blocks|bytes|channels|columns|conflicts|"
    "cycles|elements|floats|halves|instructions|iterations|KB|lanes|lookups|multiplications|"
    "operations|partials|questions|registers|reviews|rows|sectors|sums|threads|tiles|transactions|"
    "values|warps|wavefronts|words"
)
_COUNTED_OR_VERB = "accesses|copies|loads|passes|reads|requests|steps|stores|times|writes"
_EACH = (
    "block|bucket|channel|column|cycle|day|element|iteration|lane|launch|matrix|minute|"
    "multiprocessor|pass|read|request|round|row|second|sector|SM|stage|step|thread|tile|value|warp|"
    "wavefront|word|write"
)
_NUMBER = r"(?:\d[\d,.]*|one|two|three|four|five|six|eight|ten|sixteen|many|more|most|several)"
_RATE = re.compile(
    rf"\b(?:(?:{_COUNTED})|(?<!warp )(?<!lane )(?<!thread )(?<!block ){_NUMBER} "
    rf"(?:{_COUNTED_OR_VERB})) an? (?:{_EACH})\b"
    r"(?=\s*(?:[.,;:!?)·|]|$|\b(?:and|are|as|at|because|but|by|each|for|from|if|in|instead|into|is|"
    r"it|of|on|or|so|than|that|then|through|to|when|where|while|with|without)\b))"
)
"""A rate: "two barriers a block". Only if what follows cannot be a verb of the second noun."""

_AMERICAN = {
    r"(?P<a>behavi|col|fav|hon|neighb|rig|vap)our(?P<z>\w*)": "{a}or{z}",
    r"(?P<a>(?:un)?(?:author|capital|character|emphas|general|initial|item|linear|local|materi|"
    r"maxim|memor|minim|normal|optim|organ|parallel|quant|random|real|recogn|serial|"
    r"special|standard|summar|synchron|util|vector|visual))"
    r"is(?P<z>e[ds]?|ing|ations?|ers?)": "{a}iz{z}",
    r"(?P<a>anal|paral)ys(?P<z>e[ds]?|ing)": "{a}yz{z}",
    r"(?P<a>cent|met|fib)re(?P<z>s?)": "{a}er{z}",
    r"(?P<a>cance|labe|mode|signa|trave)ll(?P<z>ed|ing)": "{a}l{z}",
    r"gr(?P<a>)ey(?P<z>(?:er|ish|ed)?)": "gr{a}ay{z}",
    r"(?P<a>defen|licen)ce(?P<z>s?)": "{a}se{z}",
    r"whil(?P<a>)st(?P<z>)": "whil{a}e{z}",
    r"amongst(?P<a>)(?P<z>)": "among{a}{z}",
}
_BRITISH = re.compile(
    rf"\b(?:{'|'.join(re.sub('[?]P<.>', '', p) for p in _AMERICAN)})\b(?!-)", re.IGNORECASE
)
_NOT_A = re.compile(
    r"(?<!there )(?<!There )\b(?:is|are|was|were|be|been) (no) (?!longer\b|more\b|less\b|fewer\b|"
    r"different\b|\w+er\b|one\b|such\b)[a-z]"
)
_NOBODY = re.compile(r"\b(?:nobody)\b", re.IGNORECASE)
_HABITS = {
    "about": re.compile(r"\bsome (?=(?:\d|twenty|fifty|seventy)\S* )", re.IGNORECASE),
    "a few": re.compile(r"\bsome (?=(?:percent|microseconds|tens|hundred|thousand|KB|MB)\b)"),
    "timeline": re.compile(r"\btime lines?\b", re.IGNORECASE),
    "than it needs to": re.compile(r"\bthan (?:it|they) must\b"),
    "half the": re.compile(r"\bhalf of the (?=(?:time|SMs|lanes|bytes|traffic)\b)"),
    "is": re.compile(r"(?<=\d [KMGT]B )are\b(?! (?:copied|read|written|loaded|set|moved|stored))"),
}
"""What a speaker of American English does not say, by what to write in its place."""
_PERCENT = re.compile(r"[\d}](\s+)%(?!\s*(?:\d|\w+\s*==))")

_UNSPACED = re.compile(rf"{_HAN}(?=[A-Za-z0-9`])|[A-Za-z0-9`%](?={_HAN})")
_HALF_WIDTH = re.compile(rf"{_HAN}[,;:?!(]|[,;?!)]{_HAN}")
_FORMULA = re.compile(r"[A-Za-z_]\w*\([^()]*\)|\((?:[^(),]|[A-Za-z0-9 ])*,[^()]*\)")
"""A call or a tuple: `gcd(步长, 32)` keeps the marks of code."""
_CALQUE = re.compile("只许|不许|没有任何东西|没有谁|快到 ?[\\d{]")


class Refusal(NamedTuple):
    """A wording that a text must not use: where it begins, its characters, what to do."""

    offset: int
    text: str
    what: Fact


@dataclass(frozen=True)
class Wording:
    """The rules of both languages, with the terms of one glossary."""

    terms: tuple[Term, ...]
    only_terms: bool = False

    def refusals(self, text: str, language: Language) -> Iterator[Refusal]:
        """Yield what the rules of `language` refuse in a text; code in it says what it likes."""
        bare = _CODE.sub(_without_letters, text)
        yield from self._terms_in(bare, language)
        if not self.only_terms:
            yield from _style_in(bare, language)

    def _terms_in(self, text: str, language: Language) -> Iterator[Refusal]:
        pattern, terms = self._refused[language]
        if pattern is not None:
            for found in pattern.finditer(text):
                term = terms[found[0].casefold()]
                said = term.zh if language == "zh" else term.en
                what = fact("wording.term", found=found[0], term=said)
                yield Refusal(found.start(), found[0], what)

    @cached_property
    def _refused(self) -> dict[Language, tuple[re.Pattern[str] | None, dict[str, Term]]]:
        english = {name.casefold(): term for term in self.terms for name in term.never.en}
        chinese = {name.casefold(): term for term in self.terms for name in term.never.zh}
        return {
            "en": (_any_of(english, r"(?<![\w-])(?:{})(?![\w-])"), english),
            "zh": (_any_of(chinese, "{}"), chinese),
        }


def _style_in(bare: str, language: Language) -> Iterator[Refusal]:
    """Yield what the rules beside the terms refuse in a text without its code."""
    yield from _found(_PERCENT, bare, fact("wording.percent"))
    if language == "zh":
        yield from _found(_UNSPACED, bare, fact("wording.spacing"))
        prose = _FORMULA.sub(_without_letters, bare)
        yield from _found(_HALF_WIDTH, prose, fact("wording.half-width"))
        yield from _found(_CALQUE, bare, fact("wording.calque"))
        return
    yield from _found(_RATE, bare, fact("wording.rate"))
    yield from _found(_NOT_A, bare, fact("wording.not-a"))
    yield from _found(_NOBODY, bare, fact("wording.nobody"))
    for habit, pattern in _HABITS.items():
        yield from _found(pattern, bare, fact("wording.habit", habit=habit))
    for found in _BRITISH.finditer(bare):
        what = fact("wording.spelling", word=_americanize(found[0]))
        yield Refusal(found.start(), found[0], what)


class LocatedProse(NamedTuple):
    """Texts of one question or theme, each with its path, and where it is."""

    id: str
    source: QuestionLocation
    fields: Iterable[tuple[FieldPath, str | Translated]]


def prose_of(item: LocatedQuestion) -> LocatedProse:
    """Return the texts of a question."""
    return LocatedProse(item.id, item.source, prose_fields(item.question))


def wording_problems(found: Iterable[LocatedProse]) -> Iterator[ContentProblem]:
    """Yield a problem for each wording that the rules refuse."""
    rules: dict[str, Wording] = {}
    for item in found:
        root = item.source.file.root
        if root not in rules:
            rules[root] = read_rules(Path(root))
        for path, text, language in _texts(item.fields):
            for refusal in rules[root].refusals(text, language):
                yield _problem(item, path, refusal)


def read_rules(root: Path) -> Wording:
    """Read the rules of a folder of packs; without a glossary of its own, the shipped terms."""
    own = (root / FILE).is_file()
    try:
        return Wording(read_terms(root if own else shipped_content()), only_terms=not own)
    except (OSError, InvalidYaml, msgspec.ValidationError):
        return Wording(())


def _texts(
    fields: Iterable[tuple[FieldPath, str | Translated]],
) -> Iterator[tuple[FieldPath, str, Language]]:
    for path, value in fields:
        if isinstance(value, str):
            yield path, value, "zh" if _CHINESE.search(value) else "en"
        else:
            yield (*path, "en"), value.en, "en"
            if value.zh is not None:
                yield (*path, "zh"), value.zh, "zh"


def _problem(item: LocatedProse, path: FieldPath, refusal: Refusal) -> ContentProblem:
    source = item.source
    line, column = source.document.locate_text((*source.path, *path), refusal.text)
    file = f"{source.file.root}/{source.file.path}"
    return ContentProblem(file, line, column, refusal.what, None, item.id)


def _any_of(names: Iterable[str], form: str) -> re.Pattern[str] | None:
    longest = sorted(names, key=len, reverse=True)
    return (
        re.compile(form.format("|".join(map(re.escape, longest))), re.IGNORECASE)
        if longest
        else None
    )


def _found(pattern: re.Pattern[str], text: str, what: Fact) -> Iterator[Refusal]:
    return (Refusal(found.start(), found[0], what) for found in pattern.finditer(text))


def _without_letters(code: re.Match[str]) -> str:
    """Keep the length of code, and what it is to its neighbors: Latin, not Han."""
    return _INSIDE_CODE.sub("_", code[0])


def _americanize(word: str) -> str:
    """Spell a British word the American way."""
    for pattern, form in _AMERICAN.items():
        if found := re.fullmatch(pattern, word, re.IGNORECASE):
            american = form.format(**found.groupdict())
            return american.upper() if word.isupper() else american
    return word
