"""Each layer, loaded in a fresh interpreter, brings only what it may.

The contracts in .importlinter read the source; this looks at `sys.modules`, so it also sees what a
dependency loads behind our back, and it proves that what is deferred is deferred.
"""

from __future__ import annotations

import subprocess
import sys
from dataclasses import dataclass

import pytest

LOAD_ALL = """
import importlib, pkgutil, sys
name, skip = sys.argv[1], sys.argv[2].split()
module = importlib.import_module(name)
module.__doc__
for found in pkgutil.walk_packages(getattr(module, "__path__", []), name + "."):
    if not found.name.startswith(tuple(skip)):
        importlib.import_module(found.name).__doc__  # which loads a deferred module
loaded = [n for n, module in sys.modules.items() if type(module).__name__ != "DeferredModule"]
print(*loaded)
"""

ABOVE = "quizapp.cli quizapp.commands"
SCREENS = "quizapp.tui quizapp.plain"
SCREEN = "textual rich.console"
"""`rich.cells`, the measure of a text's width, is no screen and costs 2 ms."""
DATABASE = "quizapp.store sqlalchemy alembic"
GPU = "numba llvmlite cuda"
UP = f"{ABOVE} {SCREENS} {SCREEN} quizapp.study quizapp.report"
GRADERS = " ".join(
    f"grader.{name}"
    for name in ["banks", "compute", "gpu", "kernels", "layouts", "process", "simt"]
)
HEAVY = f"{SCREEN} {DATABASE} {GPU} {GRADERS} quizapp.study quizapp.deck msgspec yaml numpy"


@dataclass(frozen=True)
class Layer:
    """A module with all its submodules, save `skip`, and what loading them must not bring."""

    name: str
    never: str
    skip: str = "-"


MACHINE = ["checks", "intrinsics", "lockstep", "machine", "memory", "program"]
LAYERS = [
    # What compiles Triton needs an extra; it runs in a process of its own.
    Layer(
        "grader",
        never=f"quizapp {SCREEN} sqlalchemy alembic click triton {GPU}",
        skip="grader.triton.building grader.triton.server",
    ),
    # One machine, many languages: what runs a typed program knows none of them.
    *(
        Layer(f"grader.simt.{room}", never="grader.simt.cuda grader.simt.numba grader.layouts")
        for room in MACHINE
    ),
    Layer(
        "quizapp.domain",
        never=f"{UP} {DATABASE} {GPU} {GRADERS} quizapp.system.config quizapp.deck click yaml",
    ),
    Layer("quizapp.system", never=f"{UP} {DATABASE} {GPU} {GRADERS} quizapp.deck numpy"),
    Layer(
        "quizapp.report.words",
        never=f"{ABOVE} {SCREENS} {SCREEN} {DATABASE} {GRADERS} numpy",
    ),
    Layer("quizapp.deck", never=f"{UP} {DATABASE} {GPU} click"),
    Layer("quizapp.exercises", never=f"{UP} {DATABASE} {GPU} quizapp.deck click yaml"),
    # Alembic runs migrations in an environment of its own; nothing imports them.
    Layer(
        "quizapp.store",
        never=f"{UP} quizapp.system.config {GPU} {GRADERS} quizapp.deck click yaml",
        skip="quizapp.store.migrations.",
    ),
    Layer("quizapp.study", never=f"{ABOVE} {SCREENS} {SCREEN} quizapp.report {GPU} click"),
    Layer("quizapp.report", never=f"{ABOVE} {SCREENS} textual {GPU} click"),
    # `cluster` alone loads Dask, which brings click; what its workers run needs neither.
    Layer(
        "quizapp.batch",
        never=f"{ABOVE} {GPU} quizapp.tui textual click",
        skip="quizapp.batch.cluster",
    ),
    Layer(
        "quizapp.batch.cluster_worker", never=f"{ABOVE} {GPU} quizapp.tui textual click distributed"
    ),
    Layer("quizapp.plain", never=f"{ABOVE} {GPU} quizapp.tui textual"),
    Layer("quizapp.tui", never=f"{ABOVE} {GPU}"),
    Layer("quizapp.commands", never=f"quizapp.cli {GPU}"),
    # What `quiz --help` does not use, it must not pay for.
    Layer("quizapp.cli", never=f"{SCREENS} {HEAVY}"),
]


def loaded_by(layer: Layer) -> set[str]:
    """Names in `sys.modules` after loading the layer, less those a bare interpreter has."""
    command = [sys.executable, "-c", LOAD_ALL, layer.name, layer.skip]
    run = subprocess.run(command, capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stderr
    return set(run.stdout.split())


def of(loaded: set[str], packages: str) -> list[str]:
    """What of `loaded` is one of the packages or inside one."""
    roots = packages.split()
    return sorted(
        name for name in loaded if any(f"{name}.".startswith(f"{root}.") for root in roots)
    )


@pytest.mark.parametrize("layer", LAYERS, ids=lambda layer: layer.name)
def test_a_layer_loads_nothing_it_must_not(layer: Layer):
    loaded = loaded_by(layer)
    assert layer.name in loaded
    assert of(loaded, layer.never) == []


def test_help_loads_no_screen_and_no_database():
    """The command a person types, run to its end: also what it loads after the import."""
    program = (
        "import atexit, sys; atexit.register(lambda: print(*(name for name, module in"
        " sys.modules.items() if type(module).__name__ != 'DeferredModule'), file=sys.stderr))"
    )
    command = [sys.executable, "-c", f"{program}; from quizapp.cli import main; main()", "--help"]
    run = subprocess.run(command, capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stderr
    loaded = set(run.stderr.split())
    assert "click" in loaded
    assert of(loaded, f"{SCREENS} {HEAVY}") == []


def test_a_layout_loads_the_emulator_when_it_is_graded_and_never_the_front_end_of_numba():
    program = (
        "import sys; from grader.layouts import Exercise, Tile, grade\n"
        "def loaded(): print(*(name for name in sys.modules if name.startswith('grader.simt')))\n"
        "loaded()\n"
        "assert grade('row, col', Exercise(Tile(4, 4), ())).verdict.passed\n"
        "loaded()"
    )
    command = [sys.executable, "-c", program]
    run = subprocess.run(command, capture_output=True, text=True, check=True)
    before, after = (line.split() for line in run.stdout.split("\n")[:2])
    assert before == []
    assert "grader.simt.lockstep" in after
    assert of(set(after), "grader.simt.numba grader.simt.launches") == []


def test_the_check_can_fail():
    loaded = loaded_by(Layer("quizapp.domain", never=""))
    assert of(loaded, "msgspec quizapp.store") == of(loaded, "msgspec") != []
