"""Reads one YAML file as YAML 1.2 means it, and remembers where every value stood.

PyYAML follows YAML 1.1, where `no`, `3:2` and `010` change meaning silently while editors check
1.2. So its C parser only composes nodes here; scalars are resolved by the 1.2 core rules, and
repeated keys, aliases and tags are refused. Knows nothing of questions.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import yaml
from yaml.cyaml import CParser  # type: ignore[attr-defined]

from grader.facts import Fact, fact
from quizapp.system.safe_text import unsafe

FieldPath = tuple[str | int, ...]
"""Where a value stands in its document: keys and list positions from the root."""

DEEPEST = 100
_IMPLICIT = "implicit"
_MOST_DIGITS = 1_000
"""A longer number stays text: Python refuses to read or write 4,300 decimal digits, and
hexadecimal ones must be written in decimal in messages."""
_NULL = frozenset(("", "~", "null", "Null", "NULL"))
_TRUE = frozenset(("true", "True", "TRUE"))
_FALSE = frozenset(("false", "False", "FALSE"))
_INT = re.compile(r"[-+]?[0-9]+\Z")
_OCTAL_OR_HEX = re.compile(r"0o[0-7]+\Z|0x[0-9a-fA-F]+\Z")
_FLOAT = re.compile(r"[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?\Z")
_INFINITE = re.compile(r"[-+]?\.(inf|Inf|INF)\Z|\.(nan|NaN|NAN)\Z")
_FORBIDDEN = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x84\x86-\x9f\ufffe\uffff]")
_ESCAPE = re.compile(
    r"\\(?:x(?P<x>[0-9a-fA-F]{2})|u(?P<u>[0-9a-fA-F]{4})|U(?P<U>[0-9a-fA-F]{8})|(?P<letter>.))|[^\\]",
    re.DOTALL,
)
"""One character of a double-quoted text, as it is written."""
_LETTERS = {
    "0": "\0", "a": "\a", "b": "\b", "v": "\v", "f": "\f", "r": "\r", "e": "\x1b",
    "N": "\x85", "L": "\u2028", "P": "\u2029",
}  # fmt: skip
"""What escapes of one letter mean, of those that are unsafe."""
_MAY_NOT_BE_TEXT = frozenset("-+.0123456789~nNtTfF")


@dataclass(frozen=True, slots=True)
class YamlFault:
    """What is wrong with the YAML itself. `line` and `column` are 1-based."""

    line: int
    column: int
    what: Fact


class InvalidYaml(Exception):
    """The text is not YAML, or holds what we refuse; `fault` says what and where."""

    def __init__(self, fault: YamlFault) -> None:
        super().__init__(str(fault.what))
        self.fault = fault


class Document:
    """The plain data of a file, and on demand the position of every part of it.

    The nodes that know the positions are not kept: with them the garbage collector took twice the
    time of reading. They are composed again for the rare part that has a problem.
    """

    def __init__(
        self,
        text: bytes,
        data: Any,
        items: tuple[tuple[int, int], ...],
        faults: tuple[YamlFault, ...],
    ) -> None:
        self.data = data
        self.faults = faults
        self._text = text
        self._items = items

    @property
    def questions(self) -> list[tuple[FieldPath, Any]]:
        """What a file of questions holds, a list or a single one, each with its path."""
        if isinstance(self.data, list):
            return [((i,), item) for i, item in enumerate(self.data)]
        return [((), self.data)]

    def locate(self, path: FieldPath, *, key: bool = False) -> tuple[int, int]:
        """Return line and column (1-based) of the value at `path`, or of its key.

        Where the path leads nowhere (a missing field), the nearest part that exists.
        """
        if len(path) == 1 and isinstance(path[0], int) and path[0] < len(self._items):
            return self._items[path[0]]
        return _place(self._find(path, key=key)[0])

    def holds(self, path: FieldPath) -> bool:
        """True if the document itself has a value at `path`."""
        return self._find(path)[1]

    def locate_text(self, path: FieldPath, part: str) -> tuple[int, int]:
        """Return the position of the first `part` in the text at `path`.

        The text's own if it is not written there as it is, for example folded over two lines.
        """
        node, found = self._find(path, key=False)
        if node is None or not found:
            return _place(node)
        text = self._text.decode("utf-8-sig")
        at = text.find(part, node.start_mark.index, node.end_mark.index)
        return _place(node) if at < 0 else line_and_column(text, at)

    def locate_unsafe(self, path: FieldPath, *, key: bool = False) -> tuple[int, int]:
        """Return the position of the first unsafe character in the text at `path`, or in its key.

        Where it is written as an escape, the place of that; the text's own where there is none.
        """
        node, found = self._find(path, key=key)
        if node is None or not found:
            return _place(node)
        text = self._text.decode("utf-8-sig")
        start, end = node.start_mark.index, node.end_mark.index
        place = next(_find_unsafe(text[start:end], escapes=getattr(node, "style", "") == '"'), None)
        return _place(node) if place is None else line_and_column(text, start + place)

    def _find(self, path: FieldPath, *, key: bool = False) -> tuple[yaml.Node | None, bool]:
        """Find the node at `path`, or its key's; if there is none the nearest, and False."""
        node = nearest = self._root
        for step in path:
            found = _child(node, step)
            if found is None:
                return nearest, False
            key_node, node = found
            nearest = key_node if key and key_node is not None else node
        return nearest, True

    @cached_property
    def _root(self) -> yaml.Node | None:
        return _compose(self._text)


class _Composer(CParser):
    """A C parser whose resolver decides nothing: `_scalar` does, by the 1.2 rules.

    It composes by recursion in C, where too deep a nesting would end the process: hence the count.
    """

    def __init__(self, text: bytes) -> None:
        super().__init__(text)
        self._depth = 0

    def resolve(self, *_: object) -> str:
        return _IMPLICIT

    def descend_resolver(self, parent: yaml.Node | None, _: object) -> None:
        self._depth += 1
        if self._depth > DEEPEST and parent is not None:
            raise InvalidYaml(YamlFault(*_place(parent), fact("yaml.too-deep", most=DEEPEST)))

    def ascend_resolver(self) -> None:
        self._depth -= 1


def read(text: bytes) -> Document:
    """Read one document. Raises InvalidYaml: not UTF-8, not YAML, or more than one document."""
    try:
        text.decode("utf-8")
    except UnicodeDecodeError as error:
        line = text.count(b"\n", 0, error.start) + 1
        before = text[text.rfind(b"\n", 0, error.start) + 1 : error.start]
        column = len(before.decode("utf-8")) + 1
        what = fact("yaml.not-utf8", byte=f"{text[error.start]:#04x}")
        raise InvalidYaml(YamlFault(line, column, what)) from None
    root = _compose(text)
    if root is None:
        return Document(text, None, (), ())
    builder = _Builder()
    data = builder.build(root)
    faults = builder.faults + (_aliases(text) if builder.has_alias else [])
    faults.sort(key=lambda fault: (fault.line, fault.column))
    items = map(_place, root.value) if isinstance(root, yaml.SequenceNode) else ()
    return Document(text, data, tuple(items), tuple(faults))


def unread(text: bytes) -> Document:
    """Return a document that was read before without a fault, for the positions in it alone."""
    return Document(text, None, (), ())


def _compose(text: bytes) -> yaml.Node | None:
    """Return the document's nodes; None where it is empty."""
    composer = _Composer(text)
    try:
        root: yaml.Node | None = composer.get_single_node()
    except yaml.MarkedYAMLError as error:
        raise InvalidYaml(_syntax_fault(error)) from None
    except yaml.YAMLError as error:
        raise InvalidYaml(_character_fault(text, error)) from None
    finally:
        composer.dispose()
    return root


def _aliases(text: bytes) -> list[YamlFault]:
    """List a fault at every alias: nodes do not tell, since an alias is the node it refers to."""
    return [
        YamlFault(*_place(event), fact("yaml.alias"))
        for event in yaml.parse(text, Loader=yaml.CSafeLoader)
        if isinstance(event, yaml.AliasEvent)
    ]


class _Builder:
    """Turns nodes into plain data and collects what is refused on the way."""

    def __init__(self) -> None:
        self.faults: list[YamlFault] = []
        self.has_alias = False
        self._seen: set[int] = set()

    def build(self, node: yaml.Node) -> Any:
        if id(node) in self._seen:
            self.has_alias = True
            return None
        self._seen.add(id(node))
        if node.tag is not _IMPLICIT:
            self._refuse(node, fact("yaml.tag", tag=node.tag))
        if isinstance(node, yaml.ScalarNode):
            return node.value if node.style else _scalar(node.value)
        if isinstance(node, yaml.MappingNode):
            return self._mapping(node)
        return [self.build(item) for item in node.value]

    def _mapping(self, node: yaml.MappingNode) -> dict[Any, Any]:
        result: dict[Any, Any] = {}
        for key_node, value_node in node.value:
            key = self.build(key_node)
            if not isinstance(key, str):
                key = str(key_node.value)
            if key in result:
                self._refuse(key_node, fact("yaml.repeated-key", key=key))
                continue
            result[key] = self.build(value_node)
        return result

    def _refuse(self, node: yaml.Node, what: Fact) -> None:
        self.faults.append(YamlFault(*_place(node), what))


def _scalar(value: str) -> str | int | float | bool | None:
    """Read a plain scalar by the YAML 1.2 core schema."""
    if value and value[0] not in _MAY_NOT_BE_TEXT:
        return value
    if value in _NULL:
        return None
    if value in _TRUE:
        return True
    if value in _FALSE:
        return False
    if _INT.match(value):
        return int(value) if len(value) <= _MOST_DIGITS else value
    if _OCTAL_OR_HEX.match(value):
        return int(value, 0) if len(value) <= _MOST_DIGITS else value
    if _FLOAT.match(value):
        return float(value)
    if _INFINITE.match(value):
        return float(value.replace(".", ""))
    return value


def _child(node: yaml.Node | None, step: str | int) -> tuple[yaml.Node | None, yaml.Node] | None:
    """Return the key node (None in a list) and value node that `step` leads to."""
    if isinstance(node, yaml.MappingNode):
        pairs: Iterator[tuple[yaml.Node, yaml.Node]] = iter(node.value)
        return next(((k, v) for k, v in pairs if k.value == step), None)
    if isinstance(node, yaml.SequenceNode) and isinstance(step, int) and step < len(node.value):
        return (None, node.value[step])
    return None


def _place(part: yaml.Node | yaml.Event | None) -> tuple[int, int]:
    """Return line and column, 1-based; the beginning for an empty document."""
    mark = part.start_mark if part is not None else None
    return (mark.line + 1, mark.column + 1) if mark is not None else (1, 1)


def _find_unsafe(source: str, *, escapes: bool) -> Iterator[int]:
    """Yield offsets of unsafe characters in a scalar's source, raw or escaped."""
    for found in (_ESCAPE if escapes else unsafe()).finditer(source):
        if not escapes or unsafe().search(_unescape(found)) is not None:
            yield found.start()


def _unescape(found: re.Match[str]) -> str:
    """Return the character that this escape between double quotes means."""
    number = found["x"] or found["u"] or found["U"]
    return chr(int(number, 16)) if number else _LETTERS.get(found["letter"], found[0])


def line_and_column(text: str, place: int) -> tuple[int, int]:
    """Return line and column, 1-based, of an offset."""
    return text.count("\n", 0, place) + 1, place - text.rfind("\n", 0, place)


def _character_fault(text: bytes, error: yaml.YAMLError) -> YamlFault:
    """Report a character that YAML forbids; its parser gives its place in bytes."""
    decoded = text.decode("utf-8-sig")
    found = _FORBIDDEN.search(decoded)
    if found is None:
        return YamlFault(1, 1, fact("yaml.unreadable", message=" ".join(str(error).split())))
    what = fact("yaml.control-character", character=f"U+{ord(found[0]):04X}")
    return YamlFault(*line_and_column(decoded, found.start()), what)


_SYNTAX = {
    "mapping values are not allowed in this context": fact("yaml.unexpected-colon"),
    "could not find expected ':'": fact("yaml.missing-colon"),
    "did not find expected key": fact("yaml.indentation"),
    "did not find expected '-' indicator": fact("yaml.indentation"),
    "found character that cannot start any token": fact("yaml.needs-quotes"),
    "found unknown escape character": fact("yaml.unknown-escape"),
    "did not find expected ',' or ']'": fact("yaml.unclosed-bracket", closing="]"),
    "did not find expected ',' or '}'": fact("yaml.unclosed-bracket", closing="}"),
    "did not find expected node content": fact("yaml.missing-value"),
    "but found another document": fact("yaml.second-document"),
    "found undefined alias": fact("yaml.alias"),
    "found a tab character that violates indentation": fact("yaml.tab"),
    "found a tab character where an indentation space is expected": fact("yaml.tab"),
    "block sequence entries are not allowed in this context": fact("yaml.unexpected-dash"),
    "mapping keys are not allowed in this context": fact("yaml.needs-quotes"),
    "found unexpected document indicator": fact("yaml.unclosed-quote"),
    "found undefined tag handle": fact("yaml.tag", tag="!"),
    "did not find expected comment or line break": fact("yaml.after-indicator"),
    "did not find expected <document start>": fact("yaml.indentation"),
}
"""What libyaml says of what people often get wrong; other messages are quoted."""


def _syntax_fault(error: yaml.MarkedYAMLError) -> YamlFault:
    mark = error.problem_mark or error.context_mark
    line, column = (mark.line + 1, mark.column + 1) if mark is not None else (1, 1)
    problem, context = error.problem or "", error.context or ""
    if problem == "found unexpected end of stream" and "quoted" in context:
        return YamlFault(line, column, fact("yaml.unclosed-quote"))
    unknown = fact("yaml.syntax", message=" ".join(filter(None, (problem, context))))
    return YamlFault(line, column, _SYNTAX.get(problem, unknown))
