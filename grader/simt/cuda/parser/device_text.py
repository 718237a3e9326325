"""Writes what of a source is for the device as a text of its own, for a compiler of device code.

It has the tokens behind the preprocessor: what is included is in it, macros are expanded, and host
functions, host variables and all kernels but one are left out. Directives say which line each token
is from.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import takewhile
from typing import NamedTuple

from grader.simt.cuda import declared, syntax, trees
from grader.simt.cuda.declared import qualified_name
from grader.simt.cuda.headers import DEVICE_HEADERS, declares
from grader.simt.cuda.libraries import find_library, is_in_library
from grader.simt.cuda.names import GLOBAL_SPACES
from grader.simt.cuda.tokens import Token

MAIN = "<kernel>"
"""What the text calls the source itself."""
_NEAR = 8
"""Lines that may be left empty instead of a directive."""

_OF_STD = ["using", "namespace", "std", "::"]
"""How a directive begins whose namespace the device may lack: `std::chrono`."""


class TextPart(NamedTuple):
    """A declaration in the tokens of a source.

    Attributes:
        end: the one behind its last.
        refused: the name of a type that it declares and that is not known here; "" for none.
    """

    start: int
    end: int
    scope: tuple[str, ...]
    declared: tuple[declared.Declaration, ...]
    refused: str = ""


def write_device_text(
    tokens: Sequence[Token],
    parts: Iterable[TextPart],
    headers: Iterable[str],
    kernel: declared.Function,
    *,
    entry: str | None = None,
) -> str:
    """Write a kernel, and the declarations that it may use.

    Args:
        parts: its declarations, in order.
        headers: those of the system and of CUDA that it includes.
        kernel: one of the declarations; the text names the lines of its file.
        entry: for a compiler that has these headers, the kernel as C++ names it: the text includes
            them, and has no types that the kernel does not name.
    """
    known = tuple(headers)
    needed = (each for each in DEVICE_HEADERS if any(declares(given, each) for given in known))
    ours = (each for each in known if find_library(each))
    head = "".join(f"#include <{each}>\n" for each in (*needed, *ours))
    if entry is not None:
        head += "".join(f"#include <{name}>\n" for name in dict.fromkeys(known))
    writer = _Writer(kernel.place.path)
    kept = [
        part
        for part in parts
        if not is_in_library(tokens[part.start].place)  # the compiler has the library itself
        and (not part.declared or not all(_is_left_out(each, kernel) for each in part.declared))
    ]
    if entry is not None:
        kept = _without_unnamed(kept, tokens, set(re.findall(r"\w+", entry)))
    for part in kept:
        own = tokens[part.start : part.end]
        if not part.scope and [each.text for each in own[:4]] == _OF_STD and len(own) > 4:
            writer.texts.append(f" namespace std {{ namespace {own[4].text} {{ }} }}")
        writer.write(part, own)
    return head + "".join(writer.texts) + "\n"


def _without_unnamed(
    parts: Sequence[TextPart], tokens: Sequence[Token], named: set[str]
) -> list[TextPart]:
    """Return parts without the types that no other part names: only the host may know theirs."""
    waiting = list(parts)
    found = [part for part in waiting if not _names_of_types(part)]
    kept = {part.start for part in found}
    while found:
        for part in found:
            named.update(token.text for token in tokens[part.start : part.end])
        waiting = [part for part in waiting if part.start not in kept]
        found = [part for part in waiting if _names_of_types(part) & named]
        kept.update(part.start for part in found)
    return [part for part in parts if part.start in kept]


def _names_of_types(part: TextPart) -> set[str]:
    """Return the names of a part that declares structs and aliases alone; none of others."""
    if part.refused:
        return {part.refused}
    kinds = (declared.Struct, declared.Alias)
    types = [each for each in part.declared if isinstance(each, kinds) and each.name]
    return {each.name for each in types} if len(types) == len(part.declared) else set()


def _is_left_out(node: declared.Declaration, kernel: declared.Function) -> bool:
    """Return True for a variable that only the host has, and for another kernel."""
    if isinstance(node, declared.Function) and "__global__" in node.specifiers:
        # A template and its specializations belong together.
        same = node.template is not None and qualified_name(node) == qualified_name(kernel)
        return node.place != kernel.place and not same
    if not isinstance(node, syntax.Variable):
        return False
    on_device = node.specifiers & (GLOBAL_SPACES | {"__shared__", "constexpr"})
    return not on_device and not trees.is_const(node.type)


def _touch(first: Token, second: Token) -> bool:
    """Return True if no blank is between two tokens, and they stay two without one.

    An assertion prints its condition as it is written here, so that it is written as in the source.
    """
    last, next_ = first.text[-1:], second.text[:1]
    if second.spaced or not last or not next_ or {last, next_} & set("\"'#"):
        return False
    return bool({last, next_} & set("()[]{};,")) or _is_of_word(last) != _is_of_word(next_)


def _is_of_word(character: str) -> bool:
    return character.isalnum() or character in "_$"


class _Writer:
    def __init__(self, path: str) -> None:
        self.texts: list[str] = []
        self._main = path
        self._path: str | None = None
        self._line = 0

    def write(self, part: TextPart, tokens: Sequence[Token]) -> None:
        """Write a declaration with the namespaces around it."""
        self.texts.extend(f" namespace {name} {{" for name in part.scope)
        reading, before = iter(tokens), None
        for token in reading:
            if token.kind == "pragma":
                self._pragma(token, reading)
                continue
            moved = self._move(token)
            apart = moved or before is None or not _touch(before, token)
            self.texts.append(f" {token.text}" if apart else token.text)
            before = token
        self.texts.append(" }" * len(part.scope))

    def _move(self, token: Token) -> bool:
        """Go to the line of a token; return True if it is another one."""
        line, _, path = token.place
        ahead = line - self._line
        if path == self._path and 0 <= ahead <= _NEAR:
            self.texts.append("\n" * ahead)
        else:
            name = MAIN if path == self._main else path
            quoted = name.replace("\\", "\\\\").replace('"', '\\"')
            self.texts.append(f'\n#line {line} "{quoted}"\n')
        moved = (path, line) != (self._path, self._line)
        self._path, self._line = path, line
        return moved

    def _pragma(self, first: Token, rest: Iterator[Token]) -> None:
        """Write `#pragma unroll` with its count on a line of its own."""
        count = [token.text for token in takewhile(lambda token: token.kind != "pragma", rest)]
        self.texts.append(f"\n#pragma {first.text} {' '.join(count)}\n")
        self._path = None  # the next token says its line again
