"""Events that the gate accepts, and values that it refuses, drawn from its own bounds."""

from __future__ import annotations

from collections.abc import Iterator
from types import UnionType
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy
from msgspec import UNSET, Struct, UnsetType

from quizapp.domain.bounds import (
    Each,
    FieldBound,
    Identifier,
    NameBound,
    Pairs,
    Parts,
    Places,
    PlainBound,
    SpanBound,
    TextBound,
    Typed,
)
from quizapp.domain.log.event_bounds import BOUNDS, PLACES, RELATIVE

DAYS_NEARBY = range(19_995, 20_400)
"""Around the day of `tests.study.tools.NOON`: most drawn days are to matter to each other."""

_UNIONS = (Union, UnionType)
_HEX = st.text("0123456789abcdef", min_size=32, max_size=32)


def bodies(kind: type[Struct]) -> SearchStrategy[Any]:
    """Events of a type whose fields are within their bounds."""
    made = _struct(kind, BOUNDS[kind])
    if kind in PLACES:
        field, length = PLACES[kind]
        return made.map(lambda body: _with_places(body, field, length))
    if kind not in RELATIVE:
        return made
    name, origin, by = RELATIVE[kind]

    def put(body: Any, days: int) -> Any:
        return type(body)(**{**_fields(body), name: getattr(body, origin) + days})

    most = BOUNDS[kind][name].high - by.high
    placed = made.filter(lambda body: getattr(body, origin) <= most)
    return st.builds(put, placed, st.integers(int(by.low), int(by.high)))


def _with_places(body: Any, name: str, length: str) -> Any:
    """The event with the places of a list that it has, each once."""
    kept = {place for place in getattr(body, name) if place < getattr(body, length)}
    return type(body)(**{**_fields(body), name: tuple(sorted(kept))})


def values_beyond(bound: FieldBound) -> Iterator[Any]:
    """Values that a bound refuses."""
    match bound:
        case SpanBound(low, high):
            yield from (low - 1, high + 1)
        case TextBound(most):
            yield "a" * (most + 1)
        case NameBound(most):
            yield from ("a" * (most + 1), "a\nb", "a\x1b[2J", "\u202eab")
        case Identifier():
            yield from ("", "A" * 32, "0" * 31)
        case PlainBound(most):
            yield {"a": "b" * most}
        case _:
            yield from _collections_beyond(bound)


def _collections_beyond(bound: FieldBound) -> Iterator[Any]:
    match bound:
        case Each(item, most):
            yield from ((beyond,) for beyond in values_beyond(item))
            if most <= 10_000:
                yield (None,) * (most + 1)
        case Places(items):
            yield (0.5,) * (len(items) + 1)
            middle = tuple((each.low + each.high) / 2 for each in items)
            for place, each in enumerate(items):
                for beyond in values_beyond(each):
                    yield (*middle[:place], beyond, *middle[place + 1 :])
        case Pairs(key, item):
            sound = "0f" * 16
            yield from ({beyond: 1} for beyond in values_beyond(key))
            yield from ({sound: beyond} for beyond in values_beyond(item))


def _struct(kind: type[Struct], bounds: Any) -> SearchStrategy[Any]:
    hints = get_type_hints(kind)
    return st.builds(kind, **{name: _value(bounds[name], hints[name]) for name in bounds})


def _value(bound: FieldBound, hint: Any) -> SearchStrategy[Any]:
    if get_origin(hint) in _UNIONS:
        of = [each for each in get_args(hint) if each not in (UnsetType, type(None))]
        absent = UNSET if UnsetType in get_args(hint) else None
        return st.just(absent) | _value(bound, of[0])
    match bound:
        case Typed():
            words = get_args(hint) if get_origin(hint) is Literal else ()
            return st.sampled_from(words) if words else st.from_type(hint)
        case SpanBound(low, high) if hint is float:
            return st.sampled_from([float(low), float(high)]) | st.floats(low, high)
        case SpanBound(low, high):
            near = [day for day in (DAYS_NEARBY[0], DAYS_NEARBY[-1]) if low <= day <= high]
            close = [st.integers(near[0], near[-1])] if len(near) > 1 else []
            edges = st.sampled_from([int(low), int(high)])
            return st.one_of(*close, edges, st.integers(int(low), int(high)))
        case TextBound():
            return st.text(st.characters(exclude_categories=["Cs"]), max_size=12)
        case NameBound(most, least):
            return st.text("aZ0/-=＝@é中 ", min_size=least, max_size=min(12, most))
        case Identifier():
            return _HEX
        case _:
            return _collection(bound, hint)


def _collection(bound: FieldBound, hint: Any) -> SearchStrategy[Any]:
    match bound:
        case Places(items, may_be_empty):
            numbers = st.tuples(*(_value(each, float) for each in items))
            return st.just(()) | numbers if may_be_empty else numbers
        case Each(item, most):
            return _each(item, most, hint)
        case Pairs(key, item):
            inner = get_args(hint)[1]
            return st.dictionaries(_value(key, str), _value(item, inner), max_size=3)
        case PlainBound():
            leaf = st.none() | st.booleans() | st.integers(-(2**70), 2**70) | st.text(max_size=4)
            return st.dictionaries(st.text(max_size=4), leaf | st.lists(leaf, max_size=2))
        case Parts(fields):
            return _struct(hint, fields)
    raise NotImplementedError(bound)


def _each(item: FieldBound, most: int, hint: Any) -> SearchStrategy[Any]:
    of = get_args(hint)
    if of[-1] is not Ellipsis:  # a tuple of a fixed length
        return st.tuples(*(_value(item, each) for each in of))
    return st.lists(_value(item, of[0]), max_size=min(3, most)).map(tuple)


def _fields(body: Any) -> dict[str, Any]:
    return {name: getattr(body, name) for name in body.__struct_fields__}
