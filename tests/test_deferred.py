"""A module of ours runs at its first use: once, whichever thread comes first."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from quizapp.system.paths import shipped_content
from tests.compiled_content import fill_cache

PROGRAM = """
import sys, threading
import quizapp
sys.path.insert(0, {folder!r})
import quizapp.system
quizapp.system.__path__.append({folder!r})
from quizapp.system import slow
assert "slow ran" not in vars(sys), "an import alone runs nothing"
seen = []
threads = [threading.Thread(target=lambda: seen.append(slow.value())) for _ in range(8)]
for thread in threads: thread.start()
for thread in threads: thread.join()
print(seen, sys.runs)
from quizapp.system.slow import value
try:
    from quizapp.system import broken
    broken.anything
except ZeroDivisionError as error:
    print("told where:", error.__traceback__.tb_next.tb_frame.f_code.co_filename.rpartition("/")[2])
"""
SLOW = """
import sys, time
sys.runs = getattr(sys, "runs", 0) + 1
time.sleep(0.2)
def value(): return number
number = 7
"""


def test_threads_wait_for_the_one_that_came_first(tmp_path: Path):
    (tmp_path / "slow.py").write_text(SLOW)
    (tmp_path / "broken.py").write_text("1 / 0\n")
    program = PROGRAM.format(folder=str(tmp_path))
    run = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=False
    )
    assert run.returncode == 0, run.stderr
    assert run.stdout.splitlines()[0] == "[7, 7, 7, 7, 7, 7, 7, 7] 1"
    assert "told where:" in run.stdout


def test_python_can_still_run_the_package_as_a_program():
    command = [sys.executable, "-m", "quizapp", "--version"]
    run = subprocess.run(command, capture_output=True, text=True, check=False)
    assert run.stdout.startswith("quiz "), run.stderr


HOME = """
import sys
from pathlib import Path
from quizapp.study.opening import open_study
from quizapp.study.overview import home
from quizapp.study.home_values import Filter
from quizapp.system.config import Settings
from quizapp.system.paths import Paths
from quizapp.tui.app import QuizApp
from quizapp.tui.screens.home import HomeScreen
folder = Path(sys.argv[1])
paths = Paths(folder, folder / "config.toml", folder / "cache", folder / "quiz.log")
def heavy():
    loaded = [name for name, module in sys.modules.items() if type(module) is type(sys)]
    others = ("numpy", "pygments", "markdown_it", "yaml", "html")
    ours = ("quizapp.report.document", "quizapp.study.mock.", "quizapp.study.day_card")
    return [name for name in loaded if name in others or name.startswith(ours)]
with open_study(paths, Settings(), ) as study:
    study.session.begin(Filter())
    QuizApp(study, paths, Settings(), Filter())
    HomeScreen()
    home(study)
    print(heavy())
"""


def test_home_loads_nothing_heavy(tmp_path: Path):
    fill_cache(tmp_path)
    for _ in range(2):  # the first start does more
        run = subprocess.run(
            [sys.executable, "-c", HOME, str(tmp_path)], capture_output=True, text=True, check=True
        )
    assert run.stdout == "[]\n"


PRELOAD = """
import sys
from quizapp.deck.deck import load
from quizapp.study.sessions.drawing import draw
from quizapp.system.deferred import DeferredModule
from quizapp.tui.preloading import PRELOADED
for portion in PRELOADED: portion()
def loaded(): return {{n for n, m in list(sys.modules.items()) if type(m) is not DeferredModule}}
deck = load([{content!r}], {cache!r})
first = {{entry.kind: entry.id for entry in deck.entries.values()}}
questions = [(deck.question(first[kind]), first[kind]) for kind in ("trace", "spot")]
before = loaded()
for question, name in questions: draw(question, name, 0)
print(sorted(loaded() - before))
"""


def test_what_a_first_trace_and_a_first_spot_take_is_loaded_before(tmp_path: Path):
    fill_cache(tmp_path)
    program = PRELOAD.format(content=str(shipped_content()), cache=str(tmp_path / "cache/deck"))
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert done.stdout == "[]\n"
