"""Write docs/interviews.md: what public interview lists ask, and which questions prepare for it.

From content/asked.yaml, the questions, and docs/interviews.csv, in which somebody who did not write
the deck judged the items of the lists; and from docs/interviews_later.csv and .yaml, which have
further lists, judged later, and again once questions had been written for what they ask.
`--check` only says whether the page is current.
"""

from __future__ import annotations

import csv
import sys
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Literal

import generated_page
import msgspec
import yaml
from generated_page import CONTENT, ROOT, write_or_check

ITEMS = ROOT / "docs" / "interviews.csv"
LATER = ROOT / "docs" / "interviews_later.csv"
LATER_LISTS = ROOT / "docs" / "interviews_later.yaml"
TARGET = ROOT / "docs" / "interviews.md"

Judgment = Literal["covered", "partly", "not"]
JUDGMENTS: tuple[Judgment, ...] = ("covered", "partly", "not")
COUNTED = "28 November 2026"
"""When the items were judged."""
COUNTED_LATER = "29 November 2026"
COUNTED_AGAIN = "30 November 2026"
CLASSES = {
    "A": "GPU and CUDA performance: questions, reports",
    "K": "kernels to write",
    "S": "LLM inference, distributed systems",
    "C": "Chinese: CUDA, LLM inference and training",
}
"""What the first letter of a later list says."""
SHOWN = 4
"""So many questions of a topic are named."""

INTRO = """\
# What interviews ask

Which topics public lists of interview questions ask for, and what of the deck prepares for them.
The lists were read in November 2026; their items are paraphrased. `content/asked.yaml` says which
lists ask for a concept, and new questions come most asked first. In the program,
`quiz start --topic TOPIC` studies one of these topics, and Find goes by their names. This page is
made by `python docs/make_interviews.py`.

{figures}
"""

READ_LATER = """\
## Lists read afterwards

Many questions were written for what the lists above ask. The following lists were not among those
when they were read and judged on {counted}, by somebody who did not write the deck. An item
is covered if a person who has learned the questions that `docs/interviews_later.csv` names would
answer it well; for a kernel, that can be one with another operator (sigmoid for tanh), and without
these, {strict}% of the kernels would be covered.

Then questions were written, most of them for what was missing here. On {again}, somebody
who had written none of them judged again what had been covered partly or not at all: the last
three columns. **These are not blind**: they say how far the deck now prepares for these lists, and
promise nothing for a new list. Without kernels with another operator,
{strict_again}% of the kernels would be covered now. The table by list has the first judgments.
"""

LEFT_OUT = """\
## Left out

On purpose: questions about a person or a company, general algorithms on a CPU, graphics APIs, HIP
and other vendors' languages, Kubernetes and the operation of clusters, and training recipes that
have nothing to do with the hardware.
"""


class List(msgspec.Struct, frozen=True):
    """A list of interview questions: what it is, and where."""

    what: str
    urls: tuple[str, ...] = ()


class Asked(msgspec.Struct, frozen=True):
    """content/asked.yaml: the lists by a short name, and those that ask for a concept."""

    lists: dict[str, List]
    concepts: dict[str, tuple[str, ...]]


class Question(msgspec.Struct, frozen=True):
    """What this page needs of a question."""

    id: str
    kind: str
    topic: str
    concept: str


class Item(msgspec.Struct, frozen=True):
    """One item of a list, and how far the deck prepares for it."""

    list: str
    item: str
    judgment: Judgment
    questions: str
    variant: str = ""  # "yes" for a kernel that the deck has with another operator
    again: Judgment | Literal[""] = ""  # the second judgment, where it differs
    questions_again: str = ""  # what was written in between and changed it

    @property
    def now(self) -> Judgment:
        """The last judgment."""
        return self.again or self.judgment


def read_questions() -> dict[str, list[Question]]:
    """Read the questions of all packs, by pack."""
    found = defaultdict(list)
    for pack, one in generated_page.read_questions():
        found[pack].append(msgspec.convert(one, Question))
    return found


def read_topics(pack: str) -> Mapping[str, str]:
    """Read the English names of a pack's topics by their ids."""
    return {name: texts["en"] for name, texts in _read_pack(pack)["topics"].items()}


def _read_pack(pack: str) -> Mapping[str, Any]:
    read: Mapping[str, Any] = yaml.safe_load((CONTENT / pack / "pack.yaml").read_text("utf-8"))
    return read


def read_items(path: Path = ITEMS) -> list[Item]:
    """Read the judged items."""
    with path.open(encoding="utf-8", newline="") as file:
        return [msgspec.convert(row, Item) for row in csv.DictReader(file)]


def render(asked: Asked, packs: Mapping[str, Sequence[Question]], items: Sequence[Item]) -> str:
    """Return the Markdown document."""
    later = read_items(LATER)
    names = msgspec.convert(yaml.safe_load(LATER_LISTS.read_text("utf-8")), dict[str, List])
    parts = (
        [INTRO.format(figures=figures(packs, items, later))],
        _topics(asked, packs),
        ["## By list\n"],
        _lists(asked.lists, items),
        _classes(later),
        _lists(names, later),
        [LEFT_OUT],
    )
    return "\n".join(line for lines in parts for line in lines)


def figures(
    packs: Mapping[str, Sequence[Question]], items: Sequence[Item], later: Sequence[Item]
) -> str:
    """Say in a few lines what the deck has, and how much of the lists it prepares for."""
    kinds = Counter(question.kind for questions in packs.values() for question in questions)
    total, kernels = kinds.total(), kinds["kernel"]
    off = sum(len(of) for pack, of in packs.items() if not _is_on_at_first(pack))
    covered, partly, _ = _shares(item.judgment for item in items)
    covered_later, partly_later, _ = _shares(item.judgment for item in later)
    covered_now, partly_now, _ = _shares(item.now for item in later)
    return (
        f"{total:,} questions, {kernels} of them kernels to write; {off} are in packs that"
        f" are off at first, and\nthose in Triton need the extra `triton`. Of {len(items)}"
        f" items on {_count_lists(items)} public lists of\ninterview questions, the deck prepares"
        f" for {covered}%, and partly for another {partly}% ({COUNTED}).\nOf {len(later)} items on"
        f" {_count_lists(later)} further lists, read afterwards, it prepares for {covered_later}%,"
        f" and partly for {partly_later}%\n({COUNTED_LATER}); with the questions written since,"
        f" many of them because of these lists, for {covered_now}%\n"
        f"and {partly_now}% ({COUNTED_AGAIN})."
    )


def _is_on_at_first(pack: str) -> bool:
    return bool(_read_pack(pack).get("on_by_default", True))


def _count_lists(items: Iterable[Item]) -> int:
    return len({item.list for item in items})


def _shares(judged: Iterable[Judgment]) -> tuple[int, ...]:
    """Return the percentage of each judgment, in their order."""
    counts = Counter(judged)
    return tuple(round(100 * counts[judgment] / counts.total()) for judgment in JUDGMENTS)


def _topics(asked: Asked, packs: Mapping[str, Sequence[Question]]) -> Iterator[str]:
    yield "## By topic\n"
    yield "| topic | lists | questions | kernels | asked most |\n| --- | --- | --- | --- | --- |"
    rows = []
    for pack, questions in packs.items():
        by_topic = defaultdict(list)
        for question in questions:
            by_topic[question.topic].append(question)
        for topic, name in read_topics(pack).items():
            here = by_topic[topic]
            lists = {name for one in here for name in asked.concepts.get(one.concept, ())}
            kernels = sum(one.kind == "kernel" for one in here)
            rows.append((len(lists), len(here), kernels, name, _most_asked(asked, here)))
    for lists, number, kernels, name, most in sorted(rows, key=lambda row: (-row[0], row[3])):
        yield f"| {name} | {lists or ''} | {number} | {kernels or ''} | {most} |"
    yield ""


def _most_asked(asked: Asked, questions: Iterable[Question]) -> str:
    """Name a question of each of the concepts that most lists ask for."""
    first: dict[str, Question] = {}
    for question in questions:
        first.setdefault(question.concept, question)
    known = [one for concept, one in first.items() if concept in asked.concepts]
    most = sorted(known, key=lambda one: -len(asked.concepts[one.concept]))
    return ", ".join(f"`{one.id}`" for one in most[:SHOWN])


def _classes(items: Sequence[Item]) -> Iterator[str]:
    kernels = [item for item in items if item.list.startswith("K")]
    same = [item for item in kernels if not item.variant]
    first, now = (
        round(100 * judged.count("covered") / len(kernels))
        for judged in ([item.judgment for item in same], [item.now for item in same])
    )
    yield READ_LATER.format(
        counted=COUNTED_LATER, again=COUNTED_AGAIN, strict=first, strict_again=now
    )
    yield "| class | lists | items | covered | partly | not | covered now | partly | not |"
    yield "| --- | --- | --- | --- | --- | --- | --- | --- | --- |"
    for letter, what in CLASSES.items():
        here = [item for item in items if item.list.startswith(letter)]
        both = _shares(item.judgment for item in here) + _shares(item.now for item in here)
        shares = " | ".join(f"{share}%" for share in both)
        yield f"| {letter}: {what} | {_count_lists(here)} | {len(here)} | {shares} |"
    yield ""


def _lists(lists: Mapping[str, List], items: Sequence[Item]) -> Iterator[str]:
    yield "| list | items | covered | partly | not |\n| --- | --- | --- | --- | --- |"
    by_list = defaultdict(list)
    for item in items:
        by_list[item.list].append(item.judgment)
    for name, judged in by_list.items():
        counts = Counter(judged)
        cells = " | ".join(str(counts[judgment] or "") for judgment in JUDGMENTS)
        yield f"| {_link(lists, name)} | {len(judged)} | {cells} |"
    yield "\nItems that nothing or only a part prepares for, by list, as last judged:\n"
    for name in by_list:
        missing = [i.item for i in items if i.list == name and i.now != "covered"]
        if missing:
            yield f"- {name}: {'; '.join(missing)}"
    yield ""


def _link(lists: Mapping[str, List], name: str) -> str:
    found = lists.get(name) or lists[name[0]]  # K1 is the first of those in K
    return f"{name}: " + (f"[{found.what}]({found.urls[0]})" if found.urls else found.what)


def document() -> str:
    """Return the document as it must be."""
    asked = msgspec.convert(yaml.safe_load((CONTENT / "asked.yaml").read_text("utf-8")), Asked)
    packs, items = read_questions(), read_items()
    known = {question.id for questions in packs.values() for question in questions}
    for path in (ITEMS, LATER):
        for item in read_items(path):
            if unknown := {*item.questions.split(), *item.questions_again.split()} - known:
                raise SystemExit(f"{path.name}: {item.item}: no questions {sorted(unknown)}")
    return render(asked, packs, items)


def main(arguments: list[str] | None = None) -> int:
    """Write the document, or with `--check` return 1 when it differs from what would be written."""
    return write_or_check(TARGET, document(), "make_interviews.py", arguments)


if __name__ == "__main__":
    sys.exit(main())
