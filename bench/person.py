"""Somebody who studies on a pseudo-terminal: knows the questions by sight, and the answers.

Recognises a question by the lines of its prompt, so "drawn" means its place in the session and
its own words, not just any change. Answers right except for every seventh question.
"""

from __future__ import annotations

import random
import re
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TypeVar

from bench.data import Data
from bench.figures import Took
from bench.terminal import WIDE, Terminal
from quizapp.deck.deck import load
from quizapp.domain.languages import put_in
from quizapp.domain.log.projection import attempt_so_far
from quizapp.domain.question import (
    AnyQuestion,
    Choice,
    Index,
    Kernel,
    Number,
    Recall,
    Spot,
    Trace,
    prose,
)
from quizapp.exercises.spots import build_spot, spot_cases
from quizapp.exercises.traces import build_trace, cases, draw_trace
from quizapp.report.words import Words
from quizapp.store.store import Store
from quizapp.study.sessions import recording
from quizapp.tui.markdown import lines
from quizapp.tui.widgets.page import PROSE

T = TypeVar("T")
Prompt = tuple[str, ...]

PAUSE_S = 0.12
"""Between two keys: far less than a person takes, and enough for what was drawn to be all."""

_HEAD, _KEY = 66, 24
"""Columns of a line that tell it from others, and those by which candidates are looked up."""

_WRONG_EVERY = 7
_PRACTICE = Words("en")("study.practice")[:30]
"""Said of the easier questions that follow one forgotten so often that it is set aside."""
_VERDICT = re.compile(r"[✓✗] \S|given up")

SELECT_ALL, CHECK, ESCAPE = "\x1b[18~", "\x13", "\x1b"
PASTE = "\x1b[200~{}\x1b[201~"


class Person:
    """Sits before one `quiz` that is at home; `home` is the folder it keeps everything in."""

    def __init__(self, data: Data, home: str, terminal: Terminal) -> None:
        self._terminal = terminal
        self._deck = load(data.roots, f"{home}/cache/deck")
        self._prompts: dict[str, list[tuple[Prompt, str]]] = defaultdict(list)
        for name in self._deck.entries:
            for prompt in _prompts(self._put(name), terminal.size[0]):
                self._prompts[prompt[0][:_KEY].rstrip()].append((prompt, name))
        self._database = Path(home) / "progress.db"
        with Store.open(self._database) as store:
            cards = store.cards().values()
        self._seen = {card.question: card.memory.repetitions for card in cards if card.memory}
        self._answered: set[str] = set()
        self._chance = random.Random(1)
        self.position = 0
        self.question = ""

    def move_to(self, terminal: Terminal) -> None:
        """Sit down before another terminal of the same size."""
        self._terminal = terminal

    @property
    def kind(self) -> str:
        """Of the question that is asked now."""
        return self._deck.entries[self.question].kind

    @property
    def asked(self) -> AnyQuestion:
        """The question that is asked now."""
        return self._put(self.question)

    def _put(self, name: str) -> AnyQuestion:
        """A question as it is put to somebody who chose no language: in Python if it can be."""
        return put_in(self._deck.question(name), "python")

    def go_on(self) -> Took:
        """Press enter; how long until the next question is there whole."""
        self.position += 1
        took, self.question = self._timed("\r", self._sees_question)
        return took

    def answer(self) -> Took:
        """Answer; how long from the last key to the verdict and what follows from it."""
        question = self.asked
        order = recording.draw_order(question, self.question, self._seen.get(self.question, 0))
        if self.question not in self._answered:
            self._seen[self.question] = self._seen.get(self.question, 0) + 1
            self._answered.add(self.question)
        right = self.position % _WRONG_EVERY != 0
        if isinstance(question, Index | Kernel):
            return self._finish(question, right=right)
        if isinstance(question, Trace):
            question = draw_trace(question, self.question, self._answers()).question
        if isinstance(question, Spot):
            return self._spot(right=right)
        for keys in _keys(question, order, right=right):
            self._press(keys)
        self._press("\r", "How sure")
        sure = str(self._chance.randint(1, 3))
        if not isinstance(question, Recall):
            return self._timed(sure, sees_feedback)[0]
        self._press(sure, "Tick what")
        for digit in range(1, len(question.rubric) + 1 if right else 2):
            self._press(str(digit))
        return self._timed("\r", sees_feedback)[0]

    def _finish(self, question: Index | Kernel, *, right: bool) -> Took:
        """Paste the solution over the starter and check it; or give up."""
        if not right:
            self._press(ESCAPE, "give up")
            self._press("g", "again")
            return self._timed("g", sees_feedback)[0]
        return self.hand_in(question.solution or "", sees_feedback)

    def hand_in(self, source: str, seen: Callable[[str], T | None]) -> Took:
        """Paste a submission over what is there and check it."""
        self._press(SELECT_ALL)
        self._press(PASTE.format(source))
        return self._timed(CHECK, seen)[0]

    def paste(self, source: str, seen: Callable[[str], T | None]) -> Took:
        """Paste code over what is there; how long until `seen` finds what it looks for."""
        self._press(SELECT_ALL)
        return self._timed(PASTE.format(source), seen)[0]

    def type(self, letter: str) -> Took:
        """Type a letter; how long until it is there."""
        return self._timed(letter, lambda text: letter in text or None)[0]

    def _spot(self, *, right: bool) -> Took:
        """Name some kind for the first line; or give up."""
        if not right:
            return self._timed("g", sees_feedback)[0]
        self._press("1")
        self._press("\r", "How sure")
        return self._timed(str(self._chance.randint(1, 3)), sees_feedback)[0]

    def _answers(self) -> int:
        """How often the question that is asked now was answered."""
        name = self.question
        with Store.open(self._database) as store:
            return attempt_so_far(store.events(name)).answers

    def pause(self) -> None:
        """Look at the screen until nothing more is drawn."""
        self._terminal.quiet(PAUSE_S)

    def _press(self, keys: str, then: str = "") -> None:
        self._terminal.press(keys)
        self._terminal.wait_for(then)
        self.pause()

    def _timed(self, key: str, seen: Callable[[str], T | None]) -> tuple[Took, T]:
        used = self._terminal.core_ms()
        began = self._terminal.press(key)
        came, found = self._terminal.until(seen)
        return Took(1000 * (came - began), self._terminal.core_ms() - used), found

    def _sees_question(self, text: str) -> str | None:
        """The id of the question, once its place and then its first words are drawn."""
        _, place, below = text.partition(f" {self.position} of ")
        if not place:
            return None
        shown = [line.strip() for line in below.split("\n")]
        for first in shown:
            known = self._prompts.get(first[:_KEY].rstrip(), ())
            begun = [(prompt, name) for prompt, name in known if first.startswith(prompt[0])]
            if begun:
                return max(begun, key=lambda found: _alike(found[0], shown))[1]
        return None


def sees_feedback(text: str) -> bool | None:
    """Verdict above, ratings below, keys in the last line; practice has a sentence for ratings."""
    rated = "1 again" in text or _PRACTICE in text
    return (_VERDICT.search(text) and rated and "enter next" in text) or None


def _prompts(question: AnyQuestion, columns: int) -> Iterator[Prompt]:
    """The beginnings of the lines of what may be asked, on a screen of so many columns."""
    beside = isinstance(question, Index | Kernel) and columns >= WIDE[0]
    width = (columns - 3) // 2 - 2 if beside else min(columns - 4, PROSE)
    asked: list[AnyQuestion] = [question]
    if isinstance(question, Trace):
        asked = [build_trace(question, case).question for case in cases(question)]
    if isinstance(question, Spot):
        asked = [build_spot(question, case).question for case in spot_cases(question)]
    for one in asked:
        laid_out = lines(prose(one.prompt, "en"), width)
        yield tuple(line.plain[:_HEAD].rstrip() for line in laid_out)


def _alike(prompt: Prompt, shown: Sequence[str]) -> tuple[int, int]:
    """How many lines of a prompt stand there; of equals, the one whose first line is longest."""
    many = sum(any(line.startswith(one) for line in shown) for one in prompt if one)
    return many, len(prompt[0])


def _keys(question: Choice | Number | Recall, order: tuple[int, ...], *, right: bool) -> list[str]:
    """What to press before enter."""
    match question:
        case Choice():
            wanted = [i for i, own in enumerate(order, 1) if question.options[own].correct is right]
            return [str(i) for i in (wanted if question.several else wanted[:1])]
        case Number():
            value = recording.compute_answer(question).value
            return [f"{value if right else value + 1:g}"]
        case Recall():
            return []
