"""Grades GPU code: bank conflicts, layouts in shared memory, Numba CUDA kernels. A GPU is optional.

    import grader

    grader.access_cost(grader.Access("load", 4, addresses, active), "9.0").wavefronts
    grader.profile(kernel, grid, block, arguments).findings

These names are the library; docs/api.md shows each in use. What they return has documented
attributes; modules behind them may change. Every answer is a code with typed fields (`Fact`) and
holds no sentence. Needs NumPy and msgspec, and imports a room only when a name of it is used.
"""

from __future__ import annotations

from importlib import import_module

TYPE_CHECKING = False
"""Type checkers take this name for true; `typing` would take a fifth of the time in which `quiz`
reads a cached deck."""

if TYPE_CHECKING:
    from typing import Any

    from grader.banks import Access, AccessCost
    from grader.banks import cost as access_cost
    from grader.facts import Fact
    from grader.gpu import Gpu
    from grader.kernels import Argument, KernelGrade, Problem
    from grader.layouts import Exercise, LayoutGrade, Tile, TileAccess
    from grader.layouts import grade as grade_layout
    from grader.layouts import search as search_layouts
    from grader.library import calibrate, grade_kernel
    from grader.simt import Finding, Launch
    from grader.simt import launch as profile
    from grader.verdict import Verdict

__all__ = [
    "Access", "AccessCost", "Argument", "Exercise", "Fact", "Finding", "Gpu", "KernelGrade",
    "Launch", "LayoutGrade", "Problem", "Tile", "TileAccess", "Verdict", "access_cost", "calibrate",
    "grade_kernel", "grade_layout", "profile", "search_layouts",
]  # fmt: skip

_ROOMS = {
    "banks": {"Access": "Access", "AccessCost": "AccessCost", "access_cost": "cost"},
    "facts": {"Fact": "Fact"},
    "gpu": {"Gpu": "Gpu"},
    "kernels": {"Argument": "Argument", "KernelGrade": "KernelGrade", "Problem": "Problem"},
    "layouts": {
        "Exercise": "Exercise",
        "LayoutGrade": "LayoutGrade",
        "Tile": "Tile",
        "TileAccess": "TileAccess",
        "grade_layout": "grade",
        "search_layouts": "search",
    },
    "library": {"calibrate": "calibrate", "grade_kernel": "grade_kernel"},
    "simt": {"Finding": "Finding", "Launch": "Launch", "profile": "launch"},
    "verdict": {"Verdict": "Verdict"},
}
"""Where each name is from, and what it is called there."""


def __getattr__(name: str) -> Any:
    """Load the room of a public name when the name is first used."""
    for room, names in _ROOMS.items():
        if name in names:
            return getattr(import_module(f"grader.{room}"), names[name])
    raise AttributeError(f"module 'grader' has no attribute {name!r}")


def __dir__() -> list[str]:
    """Return the public names."""
    return __all__
