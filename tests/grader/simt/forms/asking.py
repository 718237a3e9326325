"""Reads the forms of the language, and asks both sides about them: Numba and the emulator."""

from __future__ import annotations

import json
import linecache
import math
import os
import subprocess
import sys
import warnings
from collections.abc import Mapping, Sequence
from importlib.util import find_spec
from itertools import count
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from grader.facts import Fact
from grader.simt.errors import Refused
from grader.simt.host.library import cuda_module, numba_module
from grader.simt.host.session import ScriptSession
from grader.simt.launches.launching import compile_for_types
from grader.simt.numba.functions import compile_body
from grader.simt.numba.kernel import EXPRESSIONS, STATEMENTS
from grader.simt.numba.library.tables import INTRINSICS, SPECIAL
from grader.simt.numba.reading.source import of_function
from grader.simt.numba.unit import Forms, NumbaProgram, Unit
from grader.simt.program.types import Array, Type
from tests.grader.simt.tools import named

DATA = Path(__file__).parents[3] / "data"
RECORD = DATA / "numba_forms.json"
PARAMETERS = {
    "a": "float32[:]",
    "b": "float32[:,:]",
    "c": "int32[:]",
    "n": "int64",
    "t": "int32",
    "u": "uint32",
    "d": "float64",
    "x": "float32",
    "z": "complex64[:]",
    "w": "float32[:,:,:]",
}
ORACLE = "QUIZ_NUMBA_CUDA"
"""Names the Python that has numba-cuda, if this one does not."""
NO_ORACLE = f"needs numba-cuda: install it, or name a Python that has it with {ORACLE}"
_NUMBER = count()


class Answer(NamedTuple):
    """What one side says to a kernel: types of its variables, or why it refuses it."""

    variables: Mapping[str, str]
    refused: str = ""


def forms() -> dict[str, str]:
    """Return the text of every form by its name: a module whose last function is the kernel."""
    _, *parts = (DATA / "numba_forms.txt").read_text("utf-8").split("\n## ")
    return dict(_form(part) for part in parts)


def _form(part: str) -> tuple[str, str]:
    name, _, rest = part.partition("\n")
    before, _, lines = rest.rpartition("kernel:\n")
    return name, before + kernel(lines.strip("\n").split("\n"))


def kernel(lines: Sequence[str]) -> str:
    """Return the text of a kernel with these lines, which has the parameters of all forms."""
    return f"def kernel({', '.join(PARAMETERS)}):\n" + "".join(f"    {line}\n" for line in lines)


def oracle() -> str | None:
    """Return a Python that has numba-cuda; None if none is known."""
    return os.environ.get(ORACLE) or (sys.executable if find_spec("numba_cuda") else None)


def ask_numba(python: str, texts: Mapping[str, str]) -> dict[str, list[Any]]:
    """Let Numba compile kernels; return what makes an `Answer`, by name."""
    script = Path(__file__).with_name("ask_numba.py")
    questions = [[name, text, list(PARAMETERS.values())] for name, text in texts.items()]
    done = subprocess.run(
        [python, str(script)],
        input=json.dumps(questions),
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    )
    return json.loads(done.stdout)


def recorded() -> dict[str, Answer]:
    """Return what Numba answered, by form, when it was asked last."""
    return {name: Answer(*answer) for name, answer in json.loads(RECORD.read_text("utf-8")).items()}


def ask_emulator(text: str) -> Answer:
    """Let the emulator compile a kernel."""
    types = {name: _type(kind) for name, kind in PARAMETERS.items()}
    forms = Forms(EXPRESSIONS, STATEMENTS, INTRINSICS, SPECIAL)
    try:
        function = of_function(_function(text))
        compile_for_types(function, list(types.values()))
        unit = Unit(NumbaProgram(), forms, function, dict(types), is_kernel=True)
        compile_body(unit)
    except Refused as refused:
        return Answer({}, refused.what.code)
    except AttributeError as unknown:  # the stand-in's modules refuse names so
        if not isinstance(unknown.args[0], Fact):
            raise
        return Answer({}, unknown.args[0].code)
    env = unit.env or {}
    return Answer({name: named(kind) for name, kind in env.items() if name not in types})


def _function(text: str) -> Any:
    """The last function of a text, of a module that has the emulator's `cuda` and `numba`."""
    file = f"<form {next(_NUMBER)}>"
    linecache.cache[file] = (len(text), None, text.splitlines(keepends=True), file)
    cuda, numba = cuda_module(ScriptSession()), numba_module()
    vars(numba)["cuda"] = cuda
    space: dict[str, Any] = {"math": math, "np": np, "numba": numba, "cuda": cuda}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # Python's own, about `t is 1`
        exec(compile(text, file, "exec"), space)
    return space["kernel"]


def _type(text: str) -> Type:
    scalar, _, axes = text.partition("[")
    return Array(np.dtype(scalar), axes.count(":"), "global") if axes else np.dtype(scalar)
