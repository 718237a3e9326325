"""Makes the pictures of the README from the running application; `--check` compares them.

A fixed clock, a fixed way through the shipped questions: the same pictures on every machine.
"""

from __future__ import annotations

import asyncio
import re
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

from quizapp.domain.days import Moment
from quizapp.study.opening import open_study
from quizapp.study.values import Filter
from quizapp.system.config import Settings
from quizapp.system.paths import Paths
from quizapp.tui.app import QuizApp

PICTURES = Path(__file__).parent / "pictures"
SIZE, LARGE = (80, 24), (120, 40)
NOON = Moment(1_795_176_000_000, 0)
"""Friday 20 November 2026, 12:00 UTC."""


class StandingClock:
    """Always noon."""

    def now(self) -> Moment:
        """The moment of the pictures."""
        return NOON


@dataclass(frozen=True)
class Way:
    """Keys to press, and the picture to take after each group of them.

    `draft`: a file of the kernel question that is the first of its topic, which its editor holds.
    """

    topic: str
    steps: tuple[tuple[str, tuple[str, ...]], ...]
    language: str = "en"
    kind: str = "choice"
    draft: str = ""
    size: tuple[int, int] = SIZE


WAYS = (
    Way("gemm", (("home", ()), ("question", ("enter", "2")), ("feedback", ("enter", "3")))),
    Way("swizzling", (("exercise", ("enter", "ctrl+s")),), kind="index"),
    Way("padding", (("kernel", ("enter", "ctrl+s")),), "en", "kernel", "wrong/unpadded.py", LARGE),
    Way("padding", (("question-zh", ("enter", "1")), ("feedback-zh", ("enter", "2"))), "zh"),
)


async def draw(way: Way, folder: Path) -> dict[str, str]:
    """The pictures of one way, by name."""
    paths = Paths(folder, folder / "config.toml", folder / "cache", folder / "quiz.log")
    settings = Settings(welcomed=True, language=way.language)  # type: ignore[arg-type]
    narrowed = Filter(topic=way.topic, kind=way.kind)
    pictures = {}
    with open_study(paths, settings, StandingClock()) as study:
        study.begin(narrowed)
        first = study.next()
        if way.draft and first is not None:
            source = Path(first.entry.file).parent / way.draft
            study.save_draft(first.entry.id, source.read_text("utf-8"))
        app = QuizApp(study, paths, settings, narrowed)
        async with app.run_test(size=way.size) as pilot:
            for name, keys in way.steps:
                await pilot.press(*keys)
                await app.workers.wait_for_complete()
                await pilot.pause(0.2)
                pictures[name] = tidy(app.export_screenshot(title="quiz"), name)
    return pictures


def tidy(svg: str, name: str) -> str:
    """The picture without fonts from the network, and with ids that do not change between runs."""
    svg = re.sub(r"@font-face \{.*?\}\s*", "", svg, flags=re.DOTALL)
    svg = svg.replace("Fira Code", "monospace")
    return re.sub(r"terminal-\d+", f"quiz-{name}", svg)


async def all_pictures() -> dict[str, str]:
    """Every picture."""
    pictures: dict[str, str] = {}
    for way in WAYS:
        with tempfile.TemporaryDirectory() as folder:
            pictures |= await draw(way, Path(folder))
    return pictures


def main() -> int:
    """Write the pictures; with `--check` compare them instead, 1 if they differ."""
    pictures = asyncio.run(all_pictures())
    if "--check" in sys.argv[1:]:
        stale = [n for n, svg in pictures.items() if (PICTURES / f"{n}.svg").read_text() != svg]
        sys.stdout.write(f"stale: {', '.join(stale)}\n" if stale else "")
        return bool(stale)
    PICTURES.mkdir(exist_ok=True)
    for name, svg in pictures.items():
        (PICTURES / f"{name}.svg").write_text(svg, "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
