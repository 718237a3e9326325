"""Which items of public interview lists a plan of 30 days × 30 minutes prepares for.

The items are those of docs/interviews.csv, judged by somebody who did not write the deck; an item
of a list on kernels and performance counts if the deck prepares for it, and is kept if the plan
promises to meet one of the questions that do.
"""

from __future__ import annotations

import csv

from bench.data import ROOT, Data
from bench.figures import Figure
from bench.plan_learners import Person, look_ahead, shipped
from quizapp.domain.goal import Goal
from quizapp.domain.planning import plan_choice

ITEMS = ROOT / "docs" / "interviews.csv"
DAYS, MINUTES = 30, 30
LEAST = 85.0


def measure(_data: Data | None, repeat: int = 1) -> list[Figure]:
    """The share of the items kept; `repeat` is not used: nobody has answered anything yet."""
    del repeat
    items = _read_items()
    met = _find_promised()
    kept = {item for item, questions in items.items() if met & questions}
    lost = "; ".join(f"{of}: {item}" for of, item in sorted(items.keys() - kept))
    what = f"items of interview lists that {DAYS} days × {MINUTES} minutes prepare for"
    detail = f"{len(kept)} of {len(items)}, with {len(met)} questions; not: {lost}"
    share = 100 * len(kept) / len(items)
    return [Figure("items", what, share, LEAST, "%", detail, at_least=True)]


def _read_items() -> dict[tuple[str, str], set[str]]:
    """Read the covered items of the lists of class A, with the questions that prepare for each."""
    with ITEMS.open(encoding="utf-8", newline="") as file:
        return {
            (row["list"], row["item"]): {*row["questions"].split()}
            for row in csv.DictReader(file)
            if row["list"].startswith("A") and row["judgment"] == "covered"
        }


def _find_promised() -> set[str]:
    """Return the questions, without their packs, that the plan of a new person promises to meet."""
    deck, goal = shipped(), Goal(0, DAYS, MINUTES)
    weights = {c.question: 1.0 + c.frequency for c in deck.candidates}
    outlook = look_ahead(Person(0), deck, goal, goal.since)
    promised = plan_choice.choose(goal, 0, outlook, weights, None).promised
    return {c.question.rpartition("/")[2] for c in deck.candidates[:promised]}
