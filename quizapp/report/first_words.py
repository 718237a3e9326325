"""What a question is called where it stands in a list: its first words, on one line."""

from __future__ import annotations

import re

from quizapp.domain.question import AnyQuestion, Language, PutQuestion, prose

_CODE = re.compile(r"^```.*?^```", re.DOTALL | re.MULTILINE)
_LINK = re.compile(r"\[([^\]]+)\]\([^)]*\)")
_MARKS = re.compile(r"`([^`]*)`|^\s*(?:[-*>]|#+|\d+\.)\s+|\*\*", re.MULTILINE)
_DRAWN = re.compile(r"\{\{.*?\}\}")
_BETWEEN_CHINESE = re.compile(r"(?<=[^\x00-\x7f])\s+(?=[^\x00-\x7f])")


def first_words(question: AnyQuestion | PutQuestion, language: Language) -> str:
    """Return the prompt without its Markdown and its code; what is drawn later is left open."""
    text = _CODE.sub(" ", prose(question.prompt, language))
    text = _MARKS.sub(lambda mark: mark[1] or "", _LINK.sub(r"\1", text))
    return _BETWEEN_CHINESE.sub("", " ".join(_DRAWN.sub("…", text).split()))
