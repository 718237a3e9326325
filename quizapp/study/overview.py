"""What the home screen says: what is due, what is known of each topic, when something is next.

All of it speaks of one selection of questions: due, new, minutes, rows and detail.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace

from grader.facts import Fact, fact
from quizapp.domain import queue
from quizapp.domain.days import Instant, local_day
from quizapp.domain.log.projection import Card
from quizapp.domain.log.totals import add_up
from quizapp.domain.minutes import whole_minutes
from quizapp.domain.order import Candidate
from quizapp.domain.question import KINDS
from quizapp.domain.queue import Queue, Stage
from quizapp.domain.schedule import retrievability
from quizapp.study.home_values import Filter, Home, TopicRow
from quizapp.study.scheduling import daily
from quizapp.study.service import Study
from quizapp.study.values import HardQuestion, KindCount, Retention, TopicDetail

_HARDEST = 3
"""So many of a topic's hardest questions are shown."""


def home(study: Study) -> Home:
    """Collect the home screen's facts as of now, of what the session is narrowed to."""
    day, narrowed = study.day, study.session.narrowed
    candidates = study.course.candidates(narrowed)
    stages = _stages(study, candidates)
    today = daily.plan_day(study.progress, narrowed)
    planned = Counter(item.stage for item in today.items)
    asked = [item.question for item in today.items]
    later = _later(study, candidates, asked)
    interview = study.progress.interview
    ahead = None if interview is None else interview - day
    if ahead is not None and ahead < 0:
        ahead = None
    topics = _topic_rows(study, candidates, stages)
    packs = pack_rows(study, topics)
    minutes = _minutes(study, today)
    shown, runs_over = _cut_minutes(minutes, daily.minutes_left(study.progress, narrowed))
    return Home(
        day=day,
        streak=streak(study, study.store.answers_by_day(0, day)),
        due=planned[Stage.REVIEW] + planned[Stage.REPEAT],
        new=planned[Stage.NEW],
        unseen=sum(stage is Stage.NEW for stage in stages.values()),
        questions=len(candidates),
        minutes=minutes,
        next_due_day=later[0] if later else None,
        next_due=later[1] if later else 0,
        asked=frozenset(asked),
        left_out=study.deck.left_out,
        held_back=study.course.held_back.packs,
        whole=_sum(topics),
        packs=packs,
        topics=topics,
        drafts=len(study.attempts.half_written()),
        interview_in=ahead,
        forecast=None if ahead is None else forecast_recall(study, candidates, day + ahead),
        planned=count_planned(study),
        overdue_minutes=daily.overdue_minutes(study.progress),
        narrowed=narrowed.narrows,
        shown_minutes=shown,
        runs_over=runs_over,
    )


def count_planned(study: Study) -> int | None:
    """Count the new questions of the selection that the plan has time for.

    None without a plan, and where it covers nothing of the selection.
    """
    planned, goal = study.plan.split_new(), study.progress.goal
    candidates = study.course.candidates(study.session.narrowed)
    if planned is None or goal is None or not any(map(goal.covers, candidates)):
        return None
    new = {candidate.question for candidate in planned[0]}
    return sum(candidate.question in new for candidate in candidates)


def go_beyond(study: Study, narrowed: Filter) -> Filter:
    """Return a filter for more new questions than today asks, by as many as a day brings."""
    usual = daily.plan_day(study.progress, replace(narrowed, new=None))
    asked = sum(item.stage is Stage.NEW for item in usual.items)
    return replace(narrowed, new=asked + max(1, study.settings.new_per_day))


def topic_detail(study: Study, row: TopicRow, asked: Collection[str]) -> TopicDetail:
    """Collect what is known of a row of the selection: a topic, a pack, or all of it.

    `asked`: what today asks of the selection.
    """
    candidates = study.course.candidates(narrow(study.session.narrowed, row))
    if not row.on:
        candidates = [c for c in study.course.every_candidate() if c.pack == row.pack]
    names = [candidate.question for candidate in candidates]
    cards = [card for name in names if (card := study.progress.card(name)).memory is not None]
    seen = Counter(study.deck.entries[card.question].kind for card in cards)
    whole = Counter(study.deck.entries[name].kind for name in names)
    later = _later(study, candidates, asked)
    totals = study.store.totals_by_question()
    answered = add_up(totals[name] for name in names if name in totals)
    return TopicDetail(
        kinds=tuple(KindCount(kind, seen[kind], whole[kind]) for kind in KINDS if whole[kind]),
        retention=Retention(answered.reviews, answered.recalled),
        hardest=_hardest_questions(study, cards),
        next_due_day=later[0] if later else None,
        next_due=later[1] if later else 0,
        last_day=max((card.memory.last_day for card in cards if card.memory), default=None),
    )


def narrow(narrowed: Filter, row: TopicRow) -> Filter:
    """Narrow a selection to what a row is about."""
    return replace(narrowed, topic=row.topic or narrowed.topic, pack=row.pack or narrowed.pack)


def topic_rows(study: Study) -> tuple[TopicRow, ...]:
    """Collect each topic's strength, in the order in which they are met.

    Of a pack that is off there are those of which something was answered.
    """
    rows = []
    candidates = study.course.every_candidate()
    for row in _topic_rows(study, candidates, _stages(study, candidates)):
        on = row.pack in study.course.packs_on
        if on or row.seen:
            rows.append(row if on else replace(row, on=False, due=0, new=0, resting=row.due))
    return tuple(rows)


def pack_rows(study: Study, topics: Sequence[TopicRow]) -> tuple[TopicRow, ...]:
    """Sum the rows of each pack that has some. A pack that is off is there with what waits in it.

    It is not there while the session is narrowed.
    """
    narrowed = study.session.narrowed
    everything = not (narrowed.topic or narrowed.kind or narrowed.pack)
    found = []
    for pack in study.deck.packs.values():
        if pack.id in study.course.packs_on:
            row = _sum([row for row in topics if row.pack == pack.id])
            row = replace(row, pack=pack.id, names=pack.titles)
        else:
            every = study.course.every_candidate()
            waiting = [c for c in every if c.pack == pack.id and everything]
            row = _sum(_topic_rows(study, waiting, _stages(study, waiting)))
            off = replace(row, pack=pack.id, names=pack.titles, on=False, resting=row.due)
            row = replace(off, due=0, new=0)
        if row.questions:
            found.append(row)
    return tuple(found)


def count_resting(study: Study, pack: str) -> int:
    """Count the reviews of a pack that would be due if it were on."""
    candidates = [c for c in study.course.every_candidate() if c.pack == pack]
    stages = _stages(study, candidates).values()
    return sum(stage in (Stage.REVIEW, Stage.REPEAT) for stage in stages)


def recall_chance(study: Study, card: Card, day: int) -> float:
    """Return the chance to recall a card's answer on `day`; 0 while its latest answer is wrong.

    The schedule counts from the moment at which the right answer was shown: it says nothing of who
    has not given it since.
    """
    if card.memory is None or not card.passed or card.again_day is not None:
        return 0.0
    return retrievability(card.memory, day, study.progress.parameters)


def forecast_recall(study: Study, candidates: Sequence[Candidate], day: int) -> float | None:
    """Return the mean chance of recall on `day` over what was met; None if nothing was."""
    chances = [
        recall_chance(study, card, day)
        for candidate in candidates
        if (card := study.progress.card(candidate.question)).memory is not None
    ]
    return sum(chances) / len(chances) if chances else None


def _stages(study: Study, candidates: list[Candidate]) -> dict[str, Stage | None]:
    day = study.day
    cards = study.progress.cards
    return {c.question: queue.stage_of(c, cards.get(c.question), day) for c in candidates}


def _topic_rows(
    study: Study, candidates: list[Candidate], stages: dict[str, Stage | None]
) -> tuple[TopicRow, ...]:
    members: dict[tuple[str, str], list[Candidate]] = {}
    for candidate in candidates:
        members.setdefault((candidate.pack, candidate.topic), []).append(candidate)
    places = {pack: place for place, pack in enumerate(study.deck.packs)}
    by_pack = sorted(members.items(), key=lambda item: places[item[0][0]])
    day = study.day  # asks the store
    return tuple(_topic_row(study, found, stages, day) for _, found in by_pack)


def _topic_row(
    study: Study, members: list[Candidate], stages: dict[str, Stage | None], day: int
) -> TopicRow:
    first = study.deck.entries[members[0].question]
    cards = [study.progress.card(c.question) for c in members]
    chances = [recall_chance(study, card, day) for card in cards]
    seen = [card for card in cards if card.memory is not None]
    counts = Counter(stages[c.question] for c in members)
    return TopicRow(
        pack=first.pack,
        topic=first.topic,
        names=first.topic_names,
        questions=len(members),
        seen=len(seen),
        known=sum(chances) / len(chances),
        due=counts[Stage.REVIEW] + counts[Stage.REPEAT],
        new=counts[Stage.NEW],
        hardest=_hardest(study, seen),
    )


def _hardest(study: Study, cards: list[Card]) -> str:
    """Return the question that the scheduler finds most difficult; empty if none was learned."""
    known = [(card.memory.difficulty, card.question) for card in cards if card.memory]
    return max(known)[1] if known else ""


def explain_few(study: Study) -> Fact | None:
    """State why the session lacks questions that the person asked for; None if it does not.

    None fits, or fewer are new than wanted. These wait: of a concept one question is new per day,
    and some require others first.
    """
    narrowed = study.session.narrowed
    candidates = study.course.candidates(narrowed)
    if narrowed.is_chosen:
        return None
    if not candidates and study.deck.entries:
        return _explain_none(study)
    wanted = narrowed.new
    found = sum(item.stage is Stage.NEW for item in study.session.queue.items)
    if not wanted or found >= wanted or len(study.session.queue.items) == narrowed.limit:
        return None
    cards = (study.progress.card(candidate.question) for candidate in candidates)
    later = sum(card.memory is None and not card.suspended for card in cards) - found
    if not later:
        return fact("study.no-more-new", n=found, wanted=wanted)
    waiting = study.plan.waiting_new(candidates)
    if not waiting.questions:
        return fact("study.fewer-new", n=found, wanted=wanted, later=later)
    counts = {"n": found, "wanted": wanted, "more": waiting.questions}
    topics = tuple(_topic_title(study, topic) for topic in waiting.topics)
    later -= waiting.questions
    if not later:
        return fact("study.new-waits", **counts, topics=topics)
    return fact("study.new-waits-and-later", **counts, topics=topics, later=later)


def _explain_none(study: Study) -> Fact | None:
    """State why no question is of what the person chose; None if nothing was chosen."""
    narrowed = study.session.narrowed
    if narrowed.pack is not None and narrowed.pack not in study.course.packs_on:
        return fact("study.pack-off", pack=narrowed.pack)
    kind = None if narrowed.kind is None else Fact(f"kind.{narrowed.kind}")
    topic = None if narrowed.topic is None else _topic_title(study, narrowed.topic)
    chosen = tuple(each for each in (narrowed.pack, topic, kind) if each is not None)
    return fact("study.no-such-question", chosen=chosen) if chosen else None


def _topic_title(study: Study, topic: str) -> str:
    """Return what the person's language calls a topic."""
    return study.deck.topic_names(topic)[study.settings.language == "zh"]


def _sum(rows: Sequence[TopicRow]) -> TopicRow:
    """Return the row of these topics together."""
    questions = sum(row.questions for row in rows)
    return TopicRow(
        pack="",
        topic="",
        names=("", ""),
        questions=questions,
        seen=sum(row.seen for row in rows),
        known=sum(row.known * row.questions for row in rows) / max(1, questions),
        due=sum(row.due for row in rows),
        new=sum(row.new for row in rows),
    )


def _hardest_questions(study: Study, cards: Sequence[Card]) -> tuple[HardQuestion, ...]:
    """Return what was forgotten most often, then what the scheduler finds most difficult."""
    known = sorted(
        (-card.memory.lapses, -card.memory.difficulty, card.question)
        for card in cards
        if card.memory is not None
    )
    return tuple(
        HardQuestion(study.deck.question(name), -lapses) for lapses, _, name in known[:_HARDEST]
    )


def due_days(study: Study, candidates: Sequence[Candidate], day: int) -> Iterator[int]:
    """Return, for each question learned, the next day, from `day` on, to ask it.

    What was answered wrong today is asked again today.
    """
    for candidate in candidates:
        due = _due_day(study, candidate, day)
        if due is not None:
            yield due


def next_days(study: Study) -> dict[str, int]:
    """Return the day to ask each question next that was learned, by the plan if there is one."""
    day = study.day
    found = ((c.question, _due_day(study, c, day)) for c in study.course.candidates())
    return {question: due for question, due in found if due is not None}


def _due_day(study: Study, candidate: Candidate, day: int) -> int | None:
    """Return the next day, from `day` on, to ask a question; None if no schedule asks it."""
    card = study.progress.card(candidate.question)
    if card.memory is None or card.suspended:
        return None
    if card.again_day == day:
        due = day
    else:
        due = day if card.rev < candidate.rev else card.memory.due_day
        due = max(due, card.memory.last_day + 1, day)
    return max(due, card.buried_until or 0)


def streak(study: Study, studied: Collection[int]) -> int:
    """Count days with an answer in a row, up to today, or yesterday while today has none.

    A day that the calendar skipped on a flight east breaks nothing: by the clock that was left
    behind, the next answer came on the next day.
    """
    day = study.day if study.day in studied else study.day - 1
    count = 0
    while day in studied:
        count += 1
        day -= 1
        if day not in studied and day - 1 in studied and _is_skipped(study, day):
            day -= 1
    return count


def _is_skipped(study: Study, day: int) -> bool:
    """Return True for a day without an answer that was no whole day where the person was."""
    before, after = study.store.answers_around(day)
    if before is None or after is None:
        return False
    return local_day(Instant(after.utc_ms, before.offset_s)) <= day


def _later(
    study: Study, candidates: Sequence[Candidate], asked: Collection[str]
) -> tuple[int, int] | None:
    """Return the next day after today on which something is due, and how much.

    `asked`: what today asks, which is not due again that day.
    """
    today = frozenset(asked)
    rest = [candidate for candidate in candidates if candidate.question not in today]
    days = Counter(due_days(study, rest, study.day + 1))
    return min(days.items()) if days else None


def _cut_minutes(minutes: int, left: float | None) -> tuple[int, bool]:
    """Round a day's minutes to those that are `left`; True if the last question ends later."""
    if left is not None and minutes > left > 0:
        return max(1, round(left)), True
    return whole_minutes(minutes), False


def _minutes(study: Study, today: Queue) -> int:
    """Estimate how long a queue takes, by the person's own pace where it is known.

    What will be answered wrong returns, and is counted: a plan fills its minutes with it.
    """
    total = queue.expect_minutes(today.items, study.progress.estimate_minutes())
    return max(1, round(total)) if today.items else 0
