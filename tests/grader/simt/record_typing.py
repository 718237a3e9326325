"""Asks Numba's CUDA target for the types of `typing_cases`, and writes them to tests/data.

    python -m tests.grader.simt.record_typing

It needs `numba-cuda` and NVVM, no GPU; they are no part of `dev`, since the first makes every start
of Python in its environment 22 ms slower. Take one of its own: `pip install numba-cuda nvidia-nvvm
"numpy<2.5" pytest`.
"""

from __future__ import annotations

import json
import warnings
from importlib.metadata import version
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np

from grader.simt.program.types import SCALARS, Array, Type
from tests.grader.simt.tools import kernel, module, python_function
from tests.grader.simt.typing_cases import BINARY, GIVEN, REFUSED, STRAIGHT, TAKES, UNARY, WAYS

RECORD = Path(__file__).parents[2] / "data" / "numba_types.json"


def main() -> None:
    """Write the record anew."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        RECORD.write_text(json.dumps(record(), indent=1) + "\n", encoding="utf-8")


def record() -> dict[str, Any]:
    """Types by their names; null where Numba finds none."""
    context = module("numba.cuda.descriptor").cuda_target.typing_context
    context.refresh()
    pairs = list(product(SCALARS, repeat=2))
    return {
        "versions": {name: version(name) for name in ("numba", "numba-cuda")},
        "conversions": _grouped(pairs, lambda one: _conversion(context, *one)),
        "joined": _grouped(pairs, lambda one: str(context.unify_pairs(*map(in_numba, one)))),
        "binary": {
            name: _grouped(pairs, lambda one, called=called: _signature(context, called, one))
            for name, called in BINARY.items()
        },
        "unary": {
            name: _grouped(
                [(one,) for one in SCALARS],
                lambda one, called=called: _signature(context, called, one),
            )
            for name, called in UNARY.items()
        },
        "expressions": {one: _variables([f"x = {one}"])["x"] for one in STRAIGHT},
        "refused": {name: _is_refused(lines) for name, lines in REFUSED.items()},
        "ways": {name: _last(_variables(lines)) for name, lines in WAYS.items()},
    }


def _grouped(cases: list[tuple[Type, ...]], ask: Any) -> dict[str, str]:
    """Which operands have each answer."""
    found: dict[str, list[str]] = {}
    for case in cases:
        found.setdefault(ask(case), []).append(" ".join(map(str, case)))
    return {answer: ", ".join(same) for answer, same in found.items()}


def _conversion(context: Any, one: Type, other: Type) -> str:
    found = context.can_convert(in_numba(one), in_numba(other))
    return "none" if found is None else str(found.name)


def _signature(context: Any, called: Any, operands: tuple[Type, ...]) -> str:
    """The result and what the operands are converted to."""
    try:
        found = context.resolve_function_type(called, tuple(map(in_numba, operands)), {})
    except Exception:  # whatever it raises, it finds none
        return "none"
    if found is None:
        return "none"
    result = found.return_type
    parts = getattr(result, "dtype", result), *found.args  # of divmod's tuple, one of the two
    return " ".join(map(str, parts))


def _variables(lines: list[str]) -> dict[str, str]:
    """The types of a kernel's variables, by name and version."""
    compile_cuda, void = module("numba.cuda.compiler").compile_cuda, module("numba.cuda").void
    function = python_function(kernel(*lines, takes=TAKES))
    done = compile_cuda(function, void, [in_numba(kind) for kind in GIVEN.values()], cc=(9, 0))
    found = done.type_annotation.typemap
    return {name: _tidy(str(kind)) for name, kind in found.items()}


def _is_refused(lines: list[str]) -> bool:
    """Whether Numba, or the compiler behind it, refuses a kernel."""
    cuda = module("numba.cuda")
    function = python_function(kernel(*lines, takes=TAKES))
    try:
        cuda.compile_ptx(function, cuda.void(*map(in_numba, GIVEN.values())), cc=(9, 0))
    except Exception:  # each of its layers has errors of its own
        return True
    return False


def _last(found: dict[str, str]) -> str:
    return found[max(one for one in found if one.partition(".")[0] == "x")]


def in_numba(kind: Type) -> Any:
    """A type as Numba has it."""
    types = module("numba.cuda.types")
    if isinstance(kind, Array):
        return types.Array(in_numba(kind.dtype), kind.ndim, "C")
    assert isinstance(kind, np.dtype)
    return types.boolean if kind == np.bool_ else getattr(types, kind.name)


def _tidy(text: str) -> str:
    """Numba's name of a type, without what is known of its value."""
    for name, plain in (("Literal[int]", "int64"), ("Literal[bool]", "bool")):
        while name in text:
            before, _, rest = text.partition(name)
            text = before + plain + rest.partition(")")[2]
    if text.startswith("UniTuple"):
        kind, _, number = text[9:-1].rpartition(" x ") if " x " in text else ("", "", "")
        if not kind:
            kind, _, number = text[9:-1].rpartition(", ")
        return f"({', '.join([kind] * int(number))})"
    if text.startswith("Tuple("):
        return text[5:].replace("((", "(").replace("))", ")")
    return text


if __name__ == "__main__":
    main()
