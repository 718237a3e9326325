"""Headers of ours for libraries of CUDA: their text, which the front end reads as a person's.

A library's names and meanings are its own; its code is not. What happens in a header of ours is
counted and reported at the line that calls it, since nobody sees these texts. Macros of a source do
not reach into them, nor theirs out.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

from grader.simt.cuda.places import Place

_PREFIX = "(library) "
_FILES = {
    "atomic": ("atomic.h",),
    "barrier": ("atomic.h", "barrier.h"),
    "clusters": ("clusters.h",),
    "cub": ("functional.h", "cub.h"),
    "functional": ("functional.h",),
    "group copies": ("atomic.h", "barrier.h", "group_copies.h"),
    "mma": ("mma.h",),
    "pipeline": ("atomic.h", "barrier.h", "pipeline.h"),
    "random": ("random.h",),
    "semaphore": ("atomic.h", "semaphore.h"),
}
_INCLUDED_BY = {
    "cooperative_groups.h": "clusters",
    "cooperative_groups/memcpy_async.h": "group copies",
    "cuda/pipeline": "pipeline",
    "mma.h": "mma",
    "curand_kernel.h": "random",
    **dict.fromkeys(("cuda/atomic", "cuda/std/atomic"), "atomic"),
    **dict.fromkeys(("cuda/barrier", "cuda/std/barrier"), "barrier"),
    **dict.fromkeys(("cuda/semaphore", "cuda/std/semaphore"), "semaphore"),
    **dict.fromkeys(
        ("cuda/functional", "cuda/std/functional", "cuda/std/algorithm", "thrust/functional.h"),
        "functional",
    ),
}
_OF_VALUES = {
    "array": ("ranges", "array"),
    "iterator": ("ranges",),
    **dict.fromkeys(("map", "unordered_map"), ("pair",)),
    "optional": ("optional",),
    "span": ("ranges", "array", "span"),
    "tuple": ("sequence", "pair", "tuple"),
    "utility": ("sequence", "pair"),
}
"""By the name of a header of C++: what is read of it, in `std` or in libcu++'s namespace."""
_OF_THRUST = {"thrust/pair.h": ("pair",), "thrust/tuple.h": _OF_VALUES["tuple"]}
_STD = "cuda/std/"
_NAMES = {"cub.h": "CUB", "mma.h": "WMMA", "pipeline.h": "cuda::pipeline",
          "random.h": "cuRAND"}  # fmt: skip
"""The libraries that do what is counted: the others only have operators."""


def find_library(header: str) -> tuple[tuple[str, str], ...]:
    """Return the paths and the texts of ours that stand for a header; none for most headers."""
    around = "std" if header in _OF_VALUES else "cuda::std"
    own = _OF_VALUES.get(header.removeprefix(_STD), ())
    if header in _OF_THRUST:
        around, own = "thrust", _OF_THRUST[header]
    if own:
        return tuple(
            (f"{_PREFIX}{around}::{each}", f"namespace {around} {{\n{_read(f'{each}.h')}}}\n")
            for each in own
        )
    name = "cub" if header.startswith("cub/") else _INCLUDED_BY.get(header, "")
    return tuple((f"{_PREFIX}{each}", _read(each)) for each in _FILES.get(name, ()))


def read_traits() -> tuple[str, str]:
    """Return the path and the text of the type traits."""
    return f"{_PREFIX}type_traits.h", _read("type_traits.h")


@cache
def _read(name: str) -> str:
    return (Path(__file__).parent / name).read_text(encoding="utf-8")


def find_counted(place: Place) -> str | None:
    """Return the library whose header of ours has a place; None if nothing of it counts."""
    return _NAMES.get(place.path.removeprefix(_PREFIX))


def name_library(place: Place) -> str:
    """Return what a message calls the library whose header of ours has a place."""
    return find_counted(place) or "libcu++"


def is_in_library(place: Place) -> bool:
    """Return True for a place in a header of ours."""
    return place.path.startswith(_PREFIX)
