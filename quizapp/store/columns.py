"""Types of columns: what the tables hold in the form of `packing`, read and written as text."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from sqlalchemy import Dialect
from sqlalchemy.types import UserDefinedType

from quizapp.domain.log.events import Body
from quizapp.store import packing

Processor = Callable[[Any], Any]


class Packed(UserDefinedType[Any]):
    """A cell as it is stored: bytes or text."""

    cache_ok = True

    def get_col_spec(self, **_: Any) -> str:
        """Name the type in SQL; SQLite keeps a text in such a column as it is."""
        return "BLOB"


class Id(Packed):
    """The id of an event, a machine or a session, as text."""

    cache_ok = True

    def bind_processor(self, dialect: Dialect) -> Processor:
        """Return what packs one."""
        return _of_values(packing.pack_id)

    def result_processor(self, dialect: Dialect, coltype: object) -> Processor:
        """Return what unpacks one."""
        return _of_values(packing.unpack_id)


class BodyText(Packed):
    """The body of an event, as JSON; a `Body` is written, too."""

    cache_ok = True

    def bind_processor(self, dialect: Dialect) -> Processor:
        """Return what packs one."""
        return _of_values(_pack)

    def result_processor(self, dialect: Dialect, coltype: object) -> Processor:
        """Return what unpacks one."""
        return _of_values(packing.unpack_text)


def _pack(body: Body | str) -> bytes | str:
    return packing.pack_text(body) if isinstance(body, str) else packing.pack_body(body)


def _of_values(convert: Processor) -> Processor:
    return lambda value: None if value is None else convert(value)
