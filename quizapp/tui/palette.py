"""The command palette: topics, questions, terms, settings and every action of the screen.

Finds what has every word of the query in it, in either language, and names whose letters occur in
order. Collected on the study's thread when the palette is opened.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Awaitable, Callable, Iterator, Sequence
from functools import cache, partial
from typing import Any, NamedTuple, Protocol

from textual.binding import ActiveBinding
from textual.command import DiscoveryHit, Hit, Hits, Provider
from textual.content import Content
from textual.markup import escape

from quizapp.deck.glossary import Term, read_terms
from quizapp.domain.question import LANGUAGES
from quizapp.report.first_words import first_words
from quizapp.report.words import Words
from quizapp.study.home_values import Filter
from quizapp.study.service import Study
from quizapp.study.transfer import withdrawing
from quizapp.study.transfer.withdrawing import Reversal
from quizapp.system.config import Settings
from quizapp.system.paths import shipped_content
from quizapp.system.safe_text import safe
from quizapp.tui import keys
from quizapp.tui.screens.base import QuizScreen
from quizapp.tui.screens.settings import SETTINGS
from quizapp.tui.wrap import clip

GENERAL = (
    *("mock", "place", "browse", "statistics", "plan", "settings"),
    *("guided", "help", "undo", "redo", "quit"),
)
"""What the palette offers on every screen, by the names of `key.` and `palette.`."""

_NAME = 70
"""Columns of a name; the list is 80 wide at most terminals."""

MOST_QUESTIONS = 40
"""So many questions are shown of those that match; a list that is longer nobody reads."""

_NOT_OFFERED = ("palette", "up", "down", "mark", "digit-", "inspect-")
"""Beginnings of keys that mean something only where the cursor is, and of the palette's own."""

Run = Callable[[], Awaitable[Any] | Any]


class Offering(Protocol):
    """What the palette needs of the application."""

    say: Words
    settings: Settings

    async def study_these(self, narrowed: Filter) -> None:
        """Begin a session of its own."""

    async def open_settings(self, setting: str) -> None:
        """Open the settings at one of them."""

    async def reverse_import(self, reversal: Reversal) -> None:
        """Take back what an import brought, or bring it back."""

    def open_guide(self, query: str) -> None:
        """Open help at what is searched for."""


class PaletteCommand(NamedTuple):
    """One thing to choose: what it is called, what it does, and the text that is searched.

    `weight`: what comes first among what fits equally well; `fuzzy`: letters in order are enough.
    """

    name: str
    about: str
    run: Run
    searched: str
    weight: float
    fuzzy: bool = True
    key: str = ""

    def score(self, words: Sequence[str], fuzzy: Callable[[str], float]) -> float:
        """Rate how well it fits, 0 for not at all."""
        if all(word in self.searched for word in words):
            starts = sum(_starts_a_word(self.searched, word) for word in words)
            return 1 + self.weight + starts
        found = fuzzy(self.name) if self.fuzzy else 0.0
        return found / (1 + found)


class Everything(Provider):
    """All that the palette offers on the screen below it."""

    def __init__(self, *arguments: Any, **named: Any) -> None:
        super().__init__(*arguments, **named)
        self._actions: list[PaletteCommand] = []
        self._collected: asyncio.Task[list[PaletteCommand]] | None = None

    @property
    def _quiz(self) -> Any:
        return self.app

    async def startup(self) -> None:
        """Begin to collect what there is to choose."""
        quiz = self._quiz
        here = list(self._of_screen(quiz))
        names = {name for name, _ in here}
        general = [
            (
                name,
                _command(
                    quiz.say, f"key.{name}", f"palette.{name}", self._general(name), weight=0.4
                ),
            )
            for name in GENERAL
            if name not in names
        ]
        self._actions = [command for _, command in (*here, *general)]
        collecting = quiz.call(partial(collect, quiz.study, quiz))
        self._collected = asyncio.create_task(collecting)

    async def _commands(self) -> list[PaletteCommand]:
        """Wait for what is collected.

        A key cancels the search for what was typed before it, and what that waits for: without a
        shield, a key that comes while this is collected would leave the palette empty.
        """
        collected = await asyncio.shield(self._collected) if self._collected is not None else []
        return self._actions + collected

    async def discover(self) -> Hits:
        """Offer the actions of the screen, then what can be practiced and the topics."""
        for command in await self._commands():
            if command.weight >= _TOPIC:
                name = self._shown(command, ())
                yield DiscoveryHit(name, command.run, command.name, escape(command.about))

    async def search(self, query: str) -> Hits:
        """Find what fits, the best of the questions only."""
        words, matcher = query.casefold().split(), self.matcher(query)
        rated = [(c.score(words, matcher.match), c) for c in await self._commands()]
        found = sorted((r for r in rated if r[0] > 0), key=lambda r: -r[0])
        questions = 0
        for score, command in found:
            questions += not command.fuzzy
            if command.fuzzy or questions <= MOST_QUESTIONS:
                name = self._shown(command, words)
                yield Hit(score, name, command.run, command.name, escape(command.about))
        if not found:
            yield Hit(0, Content(self._quiz.say("palette.nothing")), _do_nothing, "")

    def _shown(self, command: PaletteCommand, words: Sequence[str]) -> Content:
        """Draw the name with what was searched for marked, and its key."""
        text = clip(safe(command.name), _NAME)
        name, folded = Content(text), text.casefold()
        for word in words:
            at = folded.find(word)
            if at >= 0 and self.match_style is not None and len(folded) == len(text):
                name = name.stylize(self.match_style, at, at + len(word))
        return Content.assemble(name, (f"   {command.key}", "dim")) if command.key else name

    def _of_screen(self, quiz: Any) -> Iterator[tuple[str, PaletteCommand]]:
        """Yield what the keys of the screen do, each with its key."""
        screen = self.screen
        bound = {active.binding.id or "": active for active in screen.active_bindings.values()}
        for name, active in bound.items():
            if name.removesuffix("-here") != name and name.removesuffix("-here") in bound:
                continue  # the same by a key that works while typing
            offered = name in keys.KEYS and not name.startswith(_NOT_OFFERED)
            if offered and (not isinstance(screen, QuizScreen) or screen.can_work(name)):
                run = partial(_run_binding, quiz, active)
                command = _command(quiz.say, f"key.{name}", f"palette.{name}", run, weight=_ACTION)
                yield name, command._replace(key=quiz.key_of(name))

    def _general(self, name: str) -> Run:
        action = {"help": "action_guide", "undo": "undo", "redo": "redo"}
        run: Run = getattr(self._quiz, action.get(name, f"action_{name}"))
        return run


_ACTION, _PRACTICE, _TOPIC, _SETTING, _TERM, _QUESTION = 0.5, 0.4, 0.3, 0.2, 0.1, 0.0
"""What comes first among things that fit equally well."""


def collect(study: Study, quiz: Offering) -> list[PaletteCommand]:
    """Collect topics, settings, terms and questions; decodes the whole deck."""
    return [
        *_practice(quiz),
        *_topics(study, quiz),
        *_settings(quiz),
        *_imports(study, quiz),
        *_terms(quiz),
        *_questions(study, quiz),
    ]


def _practice(quiz: Offering) -> Iterator[PaletteCommand]:
    for name, narrowed in (
        ("practice-all", Filter(practice=True)),
        ("practice-failed", Filter(failed=True, practice=True)),
    ):
        run = partial(quiz.study_these, narrowed)
        yield _command(quiz.say, f"palette.{name}", "palette.practice-about", run, weight=_PRACTICE)


def _topics(study: Study, quiz: Offering) -> Iterator[PaletteCommand]:
    """Yield each topic of each pack twice: studied, if the pack is on, and practiced."""
    packs, deck = study.course.packs_on, study.deck
    counts = Counter(
        (entry.pack, entry.topic, entry.topic_names) for entry in deck.entries.values()
    )
    for (pack, topic, names), questions in sorted(counts.items()):
        searched = " ".join([topic, *names, *deck.packs[pack].titles])
        ways = [("to-practice", Filter(topic=topic, pack=pack, practice=True))]
        if pack in packs:
            ways.insert(0, ("to-study", Filter(topic=topic, pack=pack)))
        for way, narrowed in ways:
            name = quiz.say(f"palette.{way}", topic=quiz.say.topic(names))
            about = quiz.say("palette.topic-about", n=questions)
            if len(deck.packs) > 1:
                about = f"{quiz.say.topic(deck.packs[pack].titles)} · {about}"
            run = partial(quiz.study_these, narrowed)
            weight = _TOPIC if way == "to-study" else _SETTING
            yield PaletteCommand(name, about, run, f"{name} {searched}".casefold(), weight)


def _settings(quiz: Offering) -> Iterator[PaletteCommand]:
    for key in (*SETTINGS, "packs"):
        run = partial(quiz.open_settings, key)
        yield _command(
            quiz.say, f"setting.{key}", f"setting.{key}.about", run, weight=_SETTING, more=key
        )


def _imports(study: Study, quiz: Offering) -> Iterator[PaletteCommand]:
    """Yield the latest import and the one that was taken back last, each to be turned round."""
    for found in withdrawing.reversals(study.store):
        answers = quiz.say("count.answers", n=found.brought.answers)
        key = "palette.import-undo" if found.undo else "palette.import-redo"
        name = quiz.say(key, answers=answers, origin=found.brought.origin)
        searched = f"{name} import sync 导入 同步".casefold()
        run = partial(quiz.reverse_import, found)
        yield PaletteCommand(name, quiz.say("palette.import-about"), run, searched, _SETTING)


def _terms(quiz: Offering) -> Iterator[PaletteCommand]:
    """Yield the glossary's terms; what they mean can be read at once."""
    language = quiz.settings.language
    for term in _glossary():
        name = term.title(language)
        run = partial(quiz.open_guide, name)
        searched = " ".join([name, *term.find]).casefold()
        yield PaletteCommand(name, term.meaning(language), run, searched, _TERM)


def _questions(study: Study, quiz: Offering) -> Iterator[PaletteCommand]:
    """Yield every question that may be asked, by its first words."""
    language = quiz.settings.language
    for candidate in study.course.every_candidate():
        entry = study.deck.entries[candidate.question]
        question = study.deck.question(entry.id)
        name = first_words(question, language)
        about = f"{quiz.say.topic(entry.topic_names)} · {quiz.say(f'kind.{entry.kind}')}"
        if study.course.rests(entry.id):
            about += f" · {quiz.say('browser.state.resting')}"
        run = partial(quiz.study_these, Filter(questions=(entry.id,)))
        texts = (first_words(question, other) for other in LANGUAGES)
        searched = " ".join([*texts, entry.id, entry.concept]).casefold()
        yield PaletteCommand(name, about, run, searched, _QUESTION, fuzzy=False)


def _command(
    say: Words, key: str, about: str, run: Run, *, weight: float, more: str = ""
) -> PaletteCommand:
    """Build a command whose words are in the catalogue; it is found in either language."""
    names = [Words(language)(key) for language in LANGUAGES]
    meaning = say.get(about, "")
    return PaletteCommand(say(key), meaning, run, " ".join([*names, more]).casefold(), weight)


@cache
def _glossary() -> tuple[Term, ...]:
    return read_terms(shipped_content())


async def _run_binding(quiz: Any, active: ActiveBinding) -> None:
    await quiz.run_action(active.binding.action, default_namespace=active.node)


def _starts_a_word(text: str, word: str) -> bool:
    at = text.find(word)
    return at == 0 or not text[at - 1].isalnum()


def _do_nothing() -> None:
    """Close the palette."""
