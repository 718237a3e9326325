"""What a person does, step by step, on the questions of `mine/questions.yaml`."""

from __future__ import annotations

import re

from tests.terminal.program import HOME, NEXT, PROMPTS, SURE
from tests.terminal.screen import Screen


def counts(screen: Screen) -> dict[str, int]:
    """Due and new as home says them."""
    found = re.findall(r"\b(Due|New) +(\d+)\b", screen.wait_for(HOME))
    return {name: int(number) for name, number in found}


def row_of(screen: Screen, text: str) -> str:
    """Wait for the option with this text; the digit that picks it."""
    found = re.search(rf"(\d) [○●☐☑] .*{re.escape(text.strip())}", screen.wait_for(text))
    assert found is not None
    return found.group(1)


def answer_verbatim(screen: Screen, *, right: bool = True) -> None:
    screen.wait_for(PROMPTS[0], "enter answer")
    screen.keys(row_of(screen, "c[j]" if right else "d[k]"), "Enter")
    screen.wait_for(SURE)
    screen.keys("2")
    screen.wait_for(NEXT)


def answer_number(screen: Screen, text: str) -> None:
    screen.wait_for(PROMPTS[1])
    screen.type(text)
    screen.wait_for(text)
    screen.keys("Enter")
    screen.wait_for(SURE)
    screen.keys("3")
    screen.wait_for(NEXT)
