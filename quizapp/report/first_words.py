"""What a question is called where it stands in a list: its first words, on one line."""

from __future__ import annotations

import re
from collections.abc import Mapping
from itertools import pairwise

from quizapp.domain.question import AnyQuestion, Language, PutQuestion, Spot, Trace, prose
from quizapp.exercises import drawing, formulas

_CODE = re.compile(r"^```.*?^```", re.DOTALL | re.MULTILINE)
_LINK = re.compile(r"\[([^\]]+)\]\([^)]*\)")
_MARKS = re.compile(r"`([^`]*)`|^\s*(?:[-*>]|#+|[1-9]\d*\.)\s+|\*\*", re.MULTILINE)
_CHINESE = "[\u3000-\u303f\u3400-\u9fff\uff00-\uffef—‘’“”]"
"""Characters and marks, but no `²` and no `×`, which stand apart from Chinese as digits do."""
_BETWEEN_CHINESE = re.compile(rf"(?<={_CHINESE})\s+(?={_CHINESE})")


def measure_shared(titles: Mapping[str, str]) -> dict[str, int]:
    """Return for each name how many characters its title shares with the title most like it."""
    known = sorted((title, name) for name, title in titles.items())
    shared = dict.fromkeys(titles, 0)
    for (title, name), (other, neighbor) in pairwise(known):
        pairs = enumerate(zip(title, other, strict=False))
        same = next((i for i, (mine, its) in pairs if mine != its), min(len(title), len(other)))
        shared[name], shared[neighbor] = max(shared[name], same), max(shared[neighbor], same)
    return shared


def first_words(question: AnyQuestion | PutQuestion, language: Language) -> str:
    """Return the prompt without its Markdown and its code, with the first of what may be drawn.

    Raises BadExercise: an expression has no value; compiling leaves such questions out.
    """
    text = _CODE.sub(" ", prose(question.prompt, language))
    if isinstance(question, Trace | Spot) and "{{" in text:
        values = drawing.compute_values(
            drawing.first_case(question.draw), question.let, frozenset()
        )
        text = formulas.fill(text, values, ("prompt",))
    text = _MARKS.sub(lambda mark: mark[1] or "", _LINK.sub(r"\1", text))
    return _BETWEEN_CHINESE.sub("", " ".join(text.split()))
