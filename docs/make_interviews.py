"""Write docs/interviews.md: what public interview lists ask, and which questions prepare for it.

From content/asked.yaml, the questions, and docs/interviews.csv, in which somebody who did not write
the deck judged the items of the lists. `--check` only says whether the page is current.
"""

from __future__ import annotations

import csv
import sys
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Literal

import generated_page
import msgspec
import yaml
from generated_page import CONTENT, ROOT, write_or_check

ITEMS = ROOT / "docs" / "interviews.csv"
TARGET = ROOT / "docs" / "interviews.md"

Judgment = Literal["covered", "partly", "not"]
JUDGMENTS: tuple[Judgment, ...] = ("covered", "partly", "not")
COUNTED = "28 November 2026"
"""When the items were judged."""
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


def read_questions() -> dict[str, list[Question]]:
    """Read the questions of all packs, by pack."""
    found = defaultdict(list)
    for pack, one in generated_page.read_questions():
        found[pack].append(msgspec.convert(one, Question))
    return found


def read_topics(pack: str) -> Mapping[str, str]:
    """Read the English names of a pack's topics by their ids."""
    read = yaml.safe_load((CONTENT / pack / "pack.yaml").read_text("utf-8"))
    return {name: texts["en"] for name, texts in read["topics"].items()}


def read_items() -> list[Item]:
    """Read the judged items."""
    with ITEMS.open(encoding="utf-8", newline="") as file:
        return [msgspec.convert(row, Item) for row in csv.DictReader(file)]


def render(asked: Asked, packs: Mapping[str, Sequence[Question]], items: Sequence[Item]) -> str:
    """Return the Markdown document."""
    parts = (_topics(asked, packs), _lists(asked, items))
    tables = ("\n".join(lines) for lines in parts)
    return "\n".join([INTRO.format(figures=figures(packs, items)), *tables, LEFT_OUT])


def figures(packs: Mapping[str, Sequence[Question]], items: Sequence[Item]) -> str:
    """Say in two lines what the deck has, and how much of the lists it prepares for."""
    kinds = Counter(question.kind for questions in packs.values() for question in questions)
    shares = Counter(item.judgment for item in items)
    covered, partly = (round(100 * shares[name] / len(items)) for name in ("covered", "partly"))
    lists = len({item.list for item in items})
    return (
        f"{kinds.total()} questions, {kinds['kernel']} of them kernels to write. Of {len(items)}"
        f" items on {lists} public lists of\ninterview questions, the deck prepares for {covered}%,"
        f" and partly for another {partly}% ({COUNTED})."
    )


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


def _lists(asked: Asked, items: Sequence[Item]) -> Iterator[str]:
    yield "## By list\n\n| list | items | covered | partly | not |\n| --- | --- | --- | --- | --- |"
    by_list = defaultdict(list)
    for item in items:
        by_list[item.list].append(item.judgment)
    for name, judged in by_list.items():
        counts = Counter(judged)
        cells = " | ".join(str(counts[judgment] or "") for judgment in JUDGMENTS)
        yield f"| {_link(asked, name)} | {len(judged)} | {cells} |"
    yield "\nItems that nothing or only a part prepares for, by list:\n"
    for name in by_list:
        missing = [i.item for i in items if i.list == name and i.judgment != "covered"]
        if missing:
            yield f"- {name}: {'; '.join(missing)}"
    yield ""


def _link(asked: Asked, name: str) -> str:
    found = asked.lists.get(name) or asked.lists[name[0]]  # K1 is the first of those in K
    return f"{name}: " + (f"[{found.what}]({found.urls[0]})" if found.urls else found.what)


def document() -> str:
    """Return the document as it must be."""
    asked = msgspec.convert(yaml.safe_load((CONTENT / "asked.yaml").read_text("utf-8")), Asked)
    packs, items = read_questions(), read_items()
    known = {question.id for questions in packs.values() for question in questions}
    for item in items:
        if unknown := set(item.questions.split()) - known:
            raise SystemExit(f"{ITEMS.name}: {item.item}: no questions {sorted(unknown)}")
    return render(asked, packs, items)


def main(arguments: list[str] | None = None) -> int:
    """Write the document, or with `--check` return 1 when it differs from what would be written."""
    return write_or_check(TARGET, document(), "make_interviews.py", arguments)


if __name__ == "__main__":
    sys.exit(main())
