"""No guess finds the right option unread: lint's rule on lengths, and guesses on our deck."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import partial
from math import sqrt
from typing import NamedTuple

import pytest

from quizapp.deck.compiler import compile_deck
from quizapp.deck.index import PACK_FILE, sources, theme_sources
from quizapp.deck.interview_themes import load_themes, read_themes
from quizapp.deck.linting.lint import lint
from quizapp.deck.linting.option_lengths import length_problems, option_columns
from quizapp.deck.question_location import LocatedQuestion
from quizapp.domain.question import LANGUAGES, Choice, FactChoice, Language, prose
from tests.deck.tools import ROOT, compile_texts, question, split_mark, write
from tests.sentences import chinese, english


@pytest.mark.parametrize(
    "options",
    [
        "[{text: ¦twelve or more, correct: true}, {text: ten, why: x}, {text: nineteen, why: x}]",
        "[{text: nineteen, why: x}, {text: ¦ten, correct: true}, {text: twelve or more, why: x}]",
        "[{text: {en: ten, zh: ¦至少十二个}, correct: true}, {text: {en: six, zh: 六}, why: x}]",
        "[{text: ¦exactly thirteen, correct: true}, {text: '``exactly ten``', why: x}]",
    ],
    ids=["longer", "shorter", "longer in Chinese", "longer without marks"],
)
def test_a_right_option_that_stands_out_is_named(options, tmp_path):
    clean, place = split_mark(question("choice", options=options))
    write(tmp_path, "pack/a.yaml", clean)
    (problem,) = lint([], [str(tmp_path)]).problems
    assert (problem.line, problem.column) == place
    assert "gives the answer away; " in english(problem)
    assert "只看长短就能猜出答案" in chinese(problem)


@pytest.mark.parametrize(
    "options",
    [
        "[{text: twelve or more, correct: true}, {text: exactly ten, why: x}]",
        "[{text: 1024, correct: true}, {text: 8, why: x}]",
        "[{text: ten, correct: true}, {text: nine hundred, correct: true}, {text: six, why: x}]",
        "[{text: twelve or more, correct: true}, {text: ten, correct: true}]",
    ],
    ids=["nearly as long", "a few digits more", "one of several", "none is wrong"],
)
def test_options_of_about_the_same_length_are_left_alone(options):
    text = question("choice", options=options, several="true")
    assert list(length_problems(compile_texts(text).found)) == []


@pytest.mark.parametrize(("right", "found"), [((24,), 0), ((24, 30), 1), ((21, 30), 0)])
def test_if_several_are_right_a_tenth_is_enough(right, found):
    texts = [f"{{text: {'x' * n}, correct: true}}" for n in right]
    options = f"[{', '.join(texts)}, {{text: {'y' * 20}, why: x}}]"
    text = question("choice", options=options, several="true")
    assert len(list(length_problems(compile_texts(text).found))) == found


@pytest.fixture(scope="module")
def shipped() -> list[LocatedQuestion]:
    """Every choice of the deck and of its mock interviews."""
    content = [str(ROOT / "content")]
    known = sources(content)
    packs = [file for file in known if file.path.endswith(f"/{PACK_FILE}")]
    themes = read_themes([*packs, *theme_sources(content)]).themes.values()
    found = [
        *compile_deck(known).found,
        *(i for theme in themes for i in (*theme.asked, *theme.facts)),
    ]
    return [item for item in found if isinstance(item.question, Choice)]


def test_no_shipped_option_is_told_by_its_length(shipped):
    assert [(problem.question, english(problem)) for problem in length_problems(shipped)] == []


HEDGES: dict[Language, str] = {
    "en": r"\b(?:only (?:if|when|where|for|on|after|with|in|across)|depend\w*|unless|may|might|can"
    r"|usually|often|mostly|about|at most|at least|some(?:times)?|not necessarily)\b",
    "zh": "取决于|只有|除非|可能|通常|往往|大约|(?<!归)约(?!定|束)|至多|最多|至少"
    "|不一定|有些|有时|才",
}
ABSOLUTES: dict[Language, str] = {
    "en": r"\b(?:always|never|all|every|none|no|only|any|must|nothing|cannot)\b",
    "zh": "总是|永远|从不|所有|每个|全部|没有|完全|任何|必须|一定|无法|不能|只",
}

Rating = Callable[[Choice, Language], Sequence[float]]


def matches(pattern: str | dict[Language, str], sign: int = 1) -> Rating:
    """Rate options by how often their text matches."""

    def rate(asked: Choice, language: Language) -> list[float]:
        looked_for = pattern if isinstance(pattern, str) else pattern[language]
        texts = (prose(option.text, language) for option in asked.options)
        return [sign * len(re.findall(looked_for, text, re.IGNORECASE)) for text in texts]

    return rate


def by_length(asked: Choice, language: Language, sign: int) -> list[float]:
    return [sign * width for width in option_columns(asked, language)]


def by_middle(asked: Choice, language: Language) -> list[float]:
    widths = option_columns(asked, language)
    return [min(widths) < width < max(widths) for width in widths]


_WORD = re.compile(r"[a-z0-9_]+|[\u4e00-\u9fff]+")
REASONS = r"[:：]|\b(?:because|since|so|which|to|for|whose)\b|因为|由于|因此|所以|以便|从而|使"


def words(text: str) -> set[str]:
    """Return the numbers and longer words of a text; of Chinese, each pair of characters."""
    found: set[str] = set()
    for word in _WORD.findall(text.casefold()):
        if word > "\u4e00":
            found |= {word[i : i + 2] for i in range(max(1, len(word) - 1))}
        elif len(word) > 3 or word.isdigit():
            found.add(word)
    return found


def by_words_of_the_prompt(asked: Choice, language: Language, sign: int = 1) -> list[float]:
    prompt = words(prose(asked.prompt, language))
    return [sign * len(words(prose(o.text, language)) & prompt) for o in asked.options]


def by_words_of_the_others(asked: Choice, language: Language, sign: int = 1) -> list[float]:
    """Wrong options are often made from the right one, which then has the most in common."""
    own = [words(prose(option.text, language)) for option in asked.options]
    return [
        sign * sum(len(one & other) for j, other in enumerate(own) if j != i)
        for i, one in enumerate(own)
    ]


GUESSES: dict[str, Rating] = {
    "longest": partial(by_length, sign=1),
    "shortest": partial(by_length, sign=-1),
    "neither longest nor shortest": by_middle,
    "most numbers": matches(r"\d+"),
    "fewest numbers": matches(r"\d+", -1),
    "a reason": matches(REASONS),
    "no reason": matches(REASONS, -1),
    "most words of the prompt": by_words_of_the_prompt,
    "most words of the other options": by_words_of_the_others,
    "fewest words of the other options": partial(by_words_of_the_others, sign=-1),
    "most punctuation": matches("[,，、;；:：(（]"),
    "most code": matches("`"),
    "most numbers, punctuation, and code": matches(r"\d+|[,，、;；:：(（]|`[^`]*`"),
    "most hedged": matches(HEDGES),
    "fewest absolutes": matches(ABSOLUTES, -1),
    "most absolutes": matches(ABSOLUTES),
}
OVER_CHANCE, OVER_CHANCE_WHERE_IT_DECIDES, ENOUGH = 0.05, 0.12, 40
"""More than chance by as much at most: over all choices, and over those where a guess prefers some
options, if they are so many that chance hardly exceeds it."""


class Guessed(NamedTuple):
    """Of the options that a guess picks, the share that is right; and of options picked blindly."""

    right: float
    chance: float
    decides: bool


def guess(rates: Sequence[float], correct: Sequence[bool]) -> Guessed:
    """Pick as many as are right, those with the highest rates; of equal ones any."""
    picks = sum(correct)
    left, hits, decides = picks, 0.0, True
    for rate in sorted(set(rates), reverse=True):
        equal = [is_right for other, is_right in zip(rates, correct, strict=True) if other == rate]
        taken = min(left, len(equal))
        decides = decides and taken in (0, len(equal))
        hits += taken * sum(equal) / len(equal)
        left -= taken
    return Guessed(hits / picks, picks / len(correct), decides)


def test_a_guess_picks_the_highest_and_any_of_equal_ones():
    assert guess([3, 1, 1, 1], [True, False, False, False]) == (1, 0.25, True)
    assert guess([2, 2, 1, 1], [True, False, False, False]) == (0.5, 0.25, False)
    assert guess([0, 0, 0, 0], [True, False, False, False]) == (0.25, 0.25, False)
    assert guess([4, 1, 3, 2], [True, True, False, False]) == (0.5, 0.5, True)


def guess_each(asked: Sequence[Choice], name: str, language: Language) -> list[Guessed]:
    return [
        guess(GUESSES[name](one, language), [option.correct for option in one.options])
        for one in asked
    ]


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", GUESSES)
def test_no_guess_without_reading_beats_chance(shipped, name, language):
    rows = guess_each([item.question for item in shipped], name, language)
    for some, most in (
        (rows, OVER_CHANCE),
        ([row for row in rows if row.decides], OVER_CHANCE_WHERE_IT_DECIDES),
    ):
        if len(some) >= ENOUGH:
            over = sum(row.right - row.chance for row in some) / len(some)
            assert over <= most, f"{over:.1%} over chance in {len(some)} choices"


@pytest.fixture(scope="module")
def interviewed(shipped) -> list[Choice]:
    """The choices of all mock interviews; those of the deck are asked there, too."""
    deck = {item.id: item.question for item in shipped}
    found: list[Choice] = []
    for theme in load_themes([str(ROOT / "content")]).values():
        for stage in theme.stages:
            question = stage.ask or (None if stage.inputs else deck.get(stage.question))
            if isinstance(question, Choice) and not isinstance(question, FactChoice):
                found.append(question)
    return found


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", GUESSES)
def test_no_guess_without_reading_passes_an_interview(interviewed, name, language):
    rows = guess_each(interviewed, name, language)
    over = sum(row.right - row.chance for row in rows)
    deviation = sqrt(sum(row.chance * (1 - row.chance) for row in rows))
    assert over <= deviation, "interviews have few choices, but that is more than chance"
