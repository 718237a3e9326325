"""What the benchmarks run on: 1,000 questions or more, and 100,000 answers of two years in a log.

Kept in `.cache/bench`, made again when this file, the shipped content or the schema changed, and
apart from it a log of another size for the benchmarks that ask for one. The
questions are the shipped ones and numbered variants of them, so that size, kinds and languages are
those of real questions; the numbers make every prompt a text of its own. The answers follow FSRS:
each day what is due, then what was not seen for longest, some of it wrong and repeated; the last
days are a holiday, so that much is due today.
"""

from __future__ import annotations

import hashlib
import os
import random
import re
import shutil
import sys
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from time import time
from uuid import UUID

from bench.figures import note
from quizapp.deck.compiler import compile_deck
from quizapp.deck.content import load_deck
from quizapp.deck.index import Entry, SourceFile, sources
from quizapp.domain.days import local_day
from quizapp.domain.log.events import Answered, ParametersSet
from quizapp.domain.rating import Rating, Rule
from quizapp.domain.schedule import SCHEDULER_VERSION, CardMemory, review
from quizapp.store import log
from quizapp.store.engine import large_cache
from quizapp.store.log import NewEvent
from quizapp.store.migrate import REVISIONS
from quizapp.store.store import Store
from quizapp.study.clock import SystemClock
from quizapp.study.scheduling.planned import Planned
from quizapp.system.config import Settings, load
from quizapp.system.paths import Paths, shipped_content

ROOT = Path(__file__).parent.parent
CACHE = ROOT / ".cache" / "bench"
QUIZ = str(Path(sys.executable).with_name("quiz"))
"""The installed console script."""

QUESTIONS = 1_000
"""At least; all that are shipped, if those are more."""
ANSWERS = 100_000
UNSEEN = 50
DAYS = 730
HOLIDAY_DAYS = 14
RIGHT = 0.85
_BATCH = 20_000
_A_FILE = 20
_DAY_MS = 86_400_000


@dataclass(frozen=True, slots=True)
class Data:
    """Where the benchmarks' data lies: a content folder, and a `QUIZ_HOME` to copy."""

    content: Path
    home: Path

    @property
    def roots(self) -> list[str]:
        """The content roots of `home`."""
        return [str(shipped_content()), str(self.content), str(self.home / "content")]

    @contextmanager
    def copy(self, **settings: str) -> Iterator[dict[str, str]]:
        """The environment of a `quiz` on a fresh copy of `home`, which it may change."""
        with tempfile.TemporaryDirectory(prefix="quiz-bench-") as folder:
            home = Path(folder) / "home"
            shutil.copytree(self.home, home)
            yield environment(home) | {f"QUIZ_{k.upper()}": v for k, v in settings.items()}


def environment(home: Path) -> dict[str, str]:
    """The variables of a program that keeps everything in `home`."""
    kept = {name: os.environ[name] for name in ("PATH", "PYTHONPATH", "TZ") if name in os.environ}
    return kept | {"QUIZ_HOME": str(home), "HOME": str(home), "LANG": "C.UTF-8"}


def paths_of(variables: Mapping[str, str]) -> Paths:
    """The paths of a program with these variables, of which `QUIZ_HOME` is one."""
    home = Path(variables["QUIZ_HOME"])
    return Paths(home, home / "config.toml", home / "cache", home / "quiz.log")


def prepare(answers: int = ANSWERS) -> Data:
    """The data with so many answers, made unless it is there."""
    shipped = sources([str(shipped_content())])
    version = CACHE / _version(shipped)
    if not version.exists():
        shutil.rmtree(CACHE, ignore_errors=True)
    folder = version / str(answers)
    data = Data(folder / "content", folder / "home")
    if not data.home.exists():
        shutil.rmtree(folder, ignore_errors=True)
        _make(data, shipped, answers)
    return data


def _version(shipped: list[SourceFile]) -> str:
    digest = hashlib.sha256(Path(__file__).read_bytes() + repr(REVISIONS).encode())
    for file in shipped:
        digest.update(file.data)
    return digest.hexdigest()[:12]


def _make(data: Data, shipped: list[SourceFile], answers: int) -> None:
    """Write content, settings, compiled deck and log; `home` has its name once it is whole."""
    write_questions(data.content, shipped)
    home = data.home.with_name("home-partial")
    home.mkdir()
    text = f'welcomed = true\ncontent = ["{data.content}"]\n'
    (home / "config.toml").write_text(text)
    write_answers(Data(data.content, home), answers)
    home.rename(data.home)


def write_questions(folder: Path, shipped: list[SourceFile]) -> None:
    """Variants of the shipped questions in a pack of their own: with them there are `QUESTIONS`."""
    texts = [
        q
        for file in shipped
        for q in re.split(r"^(?=- id: )", file.data.decode(), flags=re.MULTILINE)
    ]
    originals = [text for text in texts if text.startswith("- id: ")]
    many = len(compile_deck(shipped).compiled.entries)
    wanted = max(0, QUESTIONS - many)
    variants = [_variant(originals[i % len(originals)], i + 1) for i in range(wanted)]
    pack = folder / "generated"
    pack.mkdir(parents=True)
    (pack / "pack.yaml").write_text("title: generated\nlanguages: [en, zh]\n")
    for first in range(0, wanted, _A_FILE):
        text = "".join(variants[first : first + _A_FILE])
        (pack / f"{first:04}.yaml").write_text(text, encoding="utf-8")
    result = compile_deck([*shipped, *sources([str(folder)])])
    for problem in result.problems:
        print(problem, file=sys.stderr)
    if len(result.compiled.entries) != many + wanted:
        message = f"{len(result.compiled.entries)} of {many + wanted} questions are valid"
        raise RuntimeError(message)


def _variant(text: str, number: int) -> str:
    """The question under another id, with a number before its prompt in both languages."""
    text = re.sub(r"^- id: (\S+)", rf"- id: \1-{number}", text)
    text = re.sub(r"^  (requires|was|may_reveal):.*\n(    .*\n)*", "", text, flags=re.MULTILINE)
    # A follow-up that is the id of a question of the pack it is from.
    text = re.sub(r"^    - [a-z0-9-]+\n", "", text, flags=re.MULTILINE)
    text = re.sub(r"^  follow_ups:\n(?!    )", "", text, flags=re.MULTILINE)
    before, prompt, after = re.split(
        r"^(  prompt:\n(?:    .*\n|\n)+)", text, maxsplit=1, flags=re.MULTILINE
    )
    prompt = re.sub(
        r'^(    (?:en|zh): (?:\|\n      |"|(?=[^|"])))',
        rf"\g<1>({number}) ",
        prompt,
        flags=re.MULTILINE,
    )
    return before + prompt + after


def write_answers(data: Data, answers: int = ANSWERS) -> None:
    """Fill the log of `data.home`: all events in one transaction, then the tables from them once.

    Through `Store.append`, every batch would replay what the batches before it hold.
    """
    paths = paths_of(environment(data.home))
    settings = load(paths.config, {})
    deck = load_deck(paths, settings)
    events = _events(list(deck.entries.values()), settings, answers)
    with Store.open(paths.database) as store:
        store.adopt(deck.renames)
        with store.writing() as connection, large_cache(connection):
            for written in range(0, answers + 1, _BATCH):
                note(f"writing {written:,} of {answers:,} answers (once, up to a minute)")
                log.append(connection, store.machine, list(islice(events, _BATCH)))
        store.rebuild()


def _events(entries: list[Entry], settings: Settings, answers: int) -> Iterator[NewEvent]:
    """The parameters, then so many answers in order of time."""
    chance = random.Random(1)
    parameters = Planned().parameters(settings.retention)
    now = SystemClock().now()
    today = local_day(now)
    learned = entries[:]
    chance.shuffle(learned)
    learned = learned[UNSEEN:]
    memories: dict[str, CardMemory] = {}
    last = today - HOLIDAY_DAYS
    first = last - DAYS
    at_ms = int(time() * 1000) - (today - first) * _DAY_MS
    yield _event(chance, "first", None, ParametersSet(parameters=parameters), at_ms)
    written = 0
    for day in range(first, last):
        at_ms = max(at_ms, int(time() * 1000) - (today - day) * _DAY_MS)
        known = learned[: len(learned) * (day - first + 40) // DAYS]
        quota = (answers - written) // (last - day)
        for entry, repeat in _day(chance, known, memories, day, quota):
            right = chance.random() < RIGHT
            rating = Rating.GOOD if right else Rating.AGAIN
            if not repeat:
                memories[entry.id] = review(
                    entry.id, memories.get(entry.id), rating, day, parameters
                )
            taken = round(chance.lognormvariate(9.8, 0.6))
            at_ms += taken
            body = Answered(
                kind=entry.kind,
                content_hash=entry.content_hash,
                rev=entry.rev,
                study_day=day,
                utc_ms=at_ms,
                offset_s=now.offset_s,
                correct=right,
                score=float(right),
                duration_ms=taken,
                confidence=chance.choice((1, 2, 2, 3)),
                response="0 2" if entry.kind == "choice" else "32",
                drawn={"order": [2, 0, 3, 1]} if entry.kind == "choice" else {},
                rating=rating,
                rule=Rule.UNAIDED if right else Rule.WRONG,
                scheduler=SCHEDULER_VERSION,
                parameters_id=parameters.id,
                due_day=memories[entry.id].due_day,
                repeat=repeat,
            )
            yield _event(chance, f"day-{day}", entry.id, body, at_ms)
            written += 1


def _day(
    chance: random.Random, known: list[Entry], memories: dict[str, CardMemory], day: int, quota: int
) -> Iterator[tuple[Entry, bool]]:
    """A day's questions, due ones first; about one in seven a second time."""

    def urgency(entry: Entry) -> tuple[bool, int]:
        memory = memories.get(entry.id)
        return (False, 0) if memory is None else (memory.due_day > day, memory.last_day)

    once = sorted(known, key=urgency)[: max(quota * 6 // 7, 1)]
    again = chance.choices(once, k=quota - len(once))
    yield from ((entry, False) for entry in once)
    yield from ((entry, True) for entry in again)


def _event(
    chance: random.Random,
    session: str,
    question: str | None,
    body: Answered | ParametersSet,
    at_ms: int,
) -> NewEvent:
    return NewEvent(UUID(int=chance.getrandbits(128)).hex, session, question, body, at_ms)
