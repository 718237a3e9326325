"""The commands of docs/cluster.md are ones that Dask and quiz understand."""

from __future__ import annotations

import shlex

import click
import pytest
import yaml

from quizapp.commands.questions import grade
from tests.commands.program import ROOT

dask_scheduler = pytest.importorskip("distributed.cli.dask_scheduler")
dask_worker = pytest.importorskip("distributed.cli.dask_worker")

PROGRAMS: dict[str, click.Command] = {
    "dask scheduler": dask_scheduler.main,
    "dask worker": dask_worker.main,
    "quiz grade": grade.command,
}


def commands() -> list[tuple[str, list[str]]]:
    """Each call of one of the programs, wherever in a line it is: its name and its arguments."""
    found = []
    for line in (ROOT / "docs/cluster.md").read_text("utf-8").splitlines():
        if not line.startswith("    "):
            continue
        for name in PROGRAMS:
            _, called, rest = f"{line} ".partition(f"{name} ")
            if called:
                found.append((name, shlex.split(rest.partition("&")[0])))
    _, _, pods = (ROOT / "docs/cluster.md").read_text("utf-8").partition("`gpu-workers.yaml`, for")
    [container] = yaml.safe_load(pods.partition("\n")[2])["spec"]["template"]["spec"]["containers"]
    found.append(("dask worker", container["command"][2:]))
    return found


def test_every_program_is_called():
    assert {name for name, _ in commands()} == set(PROGRAMS)


@pytest.mark.parametrize(("name", "arguments"), commands())
def test_a_command_parses(name, arguments):
    PROGRAMS[name].make_context(name, list(arguments))
