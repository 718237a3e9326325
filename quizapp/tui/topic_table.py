"""Home's table: which rows it has, which packs show their topics, how a row is drawn."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from textual.content import Content

from quizapp.report.studying.progress import grouped
from quizapp.report.words import Words
from quizapp.study.home_values import Home, TopicRow
from quizapp.system.width import columns as cells
from quizapp.tui.gauge import gauge
from quizapp.tui.topic_detail import topic_name
from quizapp.tui.wrap import pad

_BAR, _LEAST_BAR = 16, 4
_TOPIC, _LONG_TOPIC, _PERCENT, _COUNT = 24, 32, 8, 6
_FOLDED, _UNFOLDED = "▸ ", "▾ "


def table_rows(facts: Home, folded: Collection[str] = ()) -> tuple[TopicRow, ...]:
    """Return home's rows: all topics together, then each, below its pack if there are several.

    A pack that is `folded` is there without its topics.
    """
    if not facts.packs:
        return ()
    rows = tuple(grouped(facts.packs, facts.topics))
    if not any(row.is_pack for row in rows):
        return (facts.whole, *rows)
    return (facts.whole, *(row for row in rows if row.is_pack or row.pack not in folded))


def fold_to_fit(facts: Home, room: int) -> frozenset[str]:
    """Choose the packs to fold: from the first on, those that fit into so many rows stay open."""
    folded = {row.pack for row in facts.packs}
    for pack in facts.packs:
        if not pack.on:
            continue
        if len(table_rows(facts, folded - {pack.pack})) > room:
            break
        folded.discard(pack.pack)
    return frozenset(folded)


def table_head(say: Words, width: int) -> Content:
    """Draw the names of the columns."""
    words = (say("home.due-column"), say("home.new-column"))
    known = pad(say("home.known"), _bar_length(width) + _PERCENT)
    head = pad(say("home.topic"), _topic_columns(width)) + known
    return Content(head + "".join(" " * (_COUNT - cells(word)) + word for word in words))


def draw_row(
    rows: Sequence[TopicRow], folded: Collection[str], say: Words, position: int, width: int
) -> Content:
    """Draw a topic or pack: its name, how well it is known, what is due and new of it."""
    row = rows[position]
    name = topic_name(row, say)
    if row.pack and any(other.is_pack for other in rows):
        name = (_mark(row, folded) if row.is_pack else "  ") + name
    topic = _topic_columns(width)
    if not row.on:
        text = pad(name, topic) + say("home.pack-off", n=row.questions)
        return Content(text).stylize("dim")
    percent = f"{100 * row.known:4.0f}%" if row.seen else say("home.none-seen").rjust(5)
    counts = (f"{n:,}" if n else "·" for n in (row.due, row.new))
    return Content.assemble(
        (pad(name, topic - 1) + " ", "$text-accent" if row.is_pack else ""),
        gauge(row.known, _bar_length(width), known_style(row)),
        (pad(f" {percent}", _PERCENT), "dim" if row.is_thin else ""),
        *(count.rjust(_COUNT) for count in counts),
    )


def known_style(row: TopicRow) -> str:
    """Return the style of a bar of what is known: gray where a few answers say it."""
    return "$foreground 50%" if row.is_thin else "$accent"


def _mark(row: TopicRow, folded: Collection[str]) -> str:
    """Say whether a pack shows its topics; one that is off has none to show."""
    if not row.on:
        return "  "
    return _FOLDED if row.pack in folded else _UNFOLDED


def _topic_columns(width: int) -> int:
    """Return the columns of a name and the blank after it: those that the bar leaves."""
    return max(_TOPIC, min(_LONG_TOPIC, width - _BAR - _PERCENT - 2 * _COUNT))


def _bar_length(width: int) -> int:
    """Return the columns that are left for a bar."""
    return max(_LEAST_BAR, min(_BAR, width - _TOPIC - _PERCENT - 2 * _COUNT))
