"""Notes of Anki as recall questions: from HTML to Markdown, and into a pack of the person's own."""

from __future__ import annotations

import json
import re
import zlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from html.parser import HTMLParser
from pathlib import Path

from quizapp.system.files import replace_file
from quizapp.system.safe_text import unsafe

OTHER_PACK = "anki"
"""The pack of notes that are no questions of ours."""

_LONGEST = 20_000
"""Characters of a field; what is longer is cut."""
_CLOZE = re.compile(r"\{\{c\d+::(.*?)(?:::(.*?))?\}\}", re.DOTALL)
_SOUND = re.compile(r"\[(?:sound|anki:[a-z]+):?[^\]]*\]")
_PICTURE = re.compile(r"<img\b", re.IGNORECASE)
_BREAKS = frozenset(("br", "div", "p", "li", "tr", "ul", "ol", "hr", "h1", "h2", "h3", "h4"))
_HIDDEN = frozenset(("script", "style", "head", "title"))
_RUBRIC = (
    ("The main point of the answer", "答出要点", 2),
    ("The details of the answer", "答出细节", 1),
)


@dataclass(frozen=True, slots=True)
class ForeignNote:
    """A note that becomes a recall question: Markdown of both sides, and the deck it was in.

    `pictures`: how many its fields show, of which the names alone are kept.
    """

    id: str
    front: str
    back: str
    deck: str
    pictures: int


def as_question(number: int, fields: Sequence[str], deck: str) -> ForeignNote | None:
    """Make a question of a note's fields; None if it has no question or no answer.

    A cloze deletion asks for what was deleted.
    """
    first = fields[0] if fields else ""
    rest = [text for text in map(html_to_markdown, fields[1:]) if text]
    back = "\n\n".join(rest)
    if _CLOZE.search(first):
        front = html_to_markdown(_CLOZE.sub(lambda m: f"[{m[2] or '…'}]", first))
        back = "\n\n".join([html_to_markdown(_CLOZE.sub(r"\1", first)), *rest])
    else:
        front = html_to_markdown(first)
    if not front or not back or number <= 0:
        return None
    pictures = sum(len(_PICTURE.findall(text)) for text in fields)
    return ForeignNote(f"note-{number}", front, back[:_LONGEST], deck or "Anki", pictures)


def html_to_markdown(html: str) -> str:
    """Return the text of a field: paragraphs and code stay apart, pictures are named."""
    reader = _Reader()
    reader.feed(_SOUND.sub("", html[: 4 * _LONGEST]))
    reader.close()
    text = unsafe().sub("", "".join(reader.parts).replace("\xa0", " "))
    lines = [line.rstrip() for line in text.split("\n")]
    return re.sub(r"\n{3,}", "\n\n", "\n".join(lines)).strip()[:_LONGEST]


class _Reader(HTMLParser):
    """Collects text; knows which elements begin a line and which are code."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.parts: list[str] = []
        self._hidden = 0
        self._code = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Begin a line, a block of code, or name a picture."""
        if tag in _HIDDEN:
            self._hidden += 1
        elif tag == "pre":
            self._code += 1
            self.parts.append("\n\n```text\n")
        elif tag in _BREAKS:
            self.parts.append("\n- " if tag == "li" else "\n")
        elif tag == "img":
            self.parts.append(f"[{dict(attrs).get('src') or 'img'}]")

    def handle_endtag(self, tag: str) -> None:
        """End a line or a block of code."""
        if tag in _HIDDEN:
            self._hidden = max(0, self._hidden - 1)
        elif tag == "pre" and self._code:
            self._code -= 1
            self.parts.append("\n```\n\n")
        elif tag in _BREAKS:
            self.parts.append("\n")

    def handle_data(self, data: str) -> None:
        """Keep text; outside of code, a line break in it is a space."""
        if not self._hidden:
            self.parts.append(data if self._code else re.sub(r"\s*\n\s*", " ", data))


def write_pack(own_content: Path, notes: Iterable[ForeignNote], now_ms: int) -> Path:
    """Write the notes into a new file of the pack; return it.

    Raises EnvironmentProblem: it cannot be written.
    """
    folder = own_content / OTHER_PACK
    if not (folder / "pack.yaml").exists():
        replace_file(folder / "pack.yaml", b"title: Anki\n")
    file = folder / f"notes-{datetime.fromtimestamp(now_ms / 1000, UTC):%Y%m%d-%H%M%S}.yaml"
    replace_file(file, "".join(map(_as_yaml, notes)).encode())
    return file


def _as_yaml(note: ForeignNote) -> str:
    """Write a question. Texts are quoted as in JSON, which YAML reads."""
    points = "".join(
        f"    - point: {{en: {_quote(en)}, zh: {_quote(zh)}}}\n      weight: {weight}\n"
        for en, zh, weight in _RUBRIC
    )
    topic = _slug(note.deck.rpartition("::")[2] or note.deck)
    return (
        f"- id: {note.id}\n  kind: recall\n  topic: {topic}\n  concept: {note.id}\n"
        f"  difficulty: 3\n  prompt: {_quote(note.front)}\n  answer: {_quote(note.back)}\n"
        f"  rubric:\n{points}"
        f"  explanation: {{en: {_quote(f'From the Anki deck {note.deck}.')}, "
        f"zh: {_quote(f'来自 Anki 牌组 {note.deck}。')}}}\n"
        f"  sources: [{_quote(f'Anki: {note.deck}')}]\n"
    )


def _quote(text: str) -> str:
    return json.dumps(unsafe().sub("", text), ensure_ascii=False)


def _slug(name: str) -> str:
    """Return a name of lower-case words; of one without Latin letters, a number."""
    words = re.findall(r"[a-z0-9]+", name.lower())
    return "-".join(words)[:50].strip("-") or f"deck-{zlib.crc32(name.encode()):08x}"
