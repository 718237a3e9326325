"""Lambdas for the device that host code makes: each is a struct that the file declares before.

A kernel is launched with what such a lambda captures, and its type has to mean the same to the
host's compiler and to the front end. So both read `[=] __device__ (int i) {…}` as an object of a
template, whose members are what is captured, and which only the front end gives a body. What `=`
captures are names in the body that the function around it declares before.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from grader.simt.cuda.tokens import Token

_PAIRS = {"(": ")", "[": "]", "{": "}"}
_FOR_DEVICES = frozenset({"__global__", "__device__"})
_MARKS = ("__device__", "__host__")
_AROUND = ("struct", "class", "union", "enum")
_NO_TYPES = frozenset(
    {"return", "else", "case", "goto", "delete", "throw", "new", "typename", "class", "struct"}
)


@dataclass(frozen=True)
class DeviceLambda:
    """A lambda, by positions of tokens.

    Attributes:
        function: where the function around it begins.
        template: the parameters of that function's template, as names; () if it is none.
        start: its bracket.
        captures: each name, and where an expression for it begins and ends, if it has one.
        parameters: from the parenthesis to what is before the body; empty without.
        body: its first and its last brace.
        on_host: whether the host may call it, too.
    """

    name: str
    function: int
    template: tuple[str, ...]
    start: int
    captures: tuple[tuple[str, tuple[int, int] | None], ...]
    parameters: tuple[int, int]
    body: tuple[int, int]
    on_host: bool = False


def find_device_lambdas(tokens: Sequence[Token]) -> list[DeviceLambda]:
    """Return the lambdas for the device in functions of the file, but those in classes."""
    marks = [at for at, token in enumerate(tokens) if token.text in _MARKS]
    if not any(at and tokens[at - 1].text == "]" for at in marks):
        return []
    return list(_in_scope(tokens, 0, len(tokens)))


def _in_scope(tokens: Sequence[Token], at: int, end: int) -> Iterator[DeviceLambda]:
    start = at
    while at < end:
        text = tokens[at].text
        if text == ";" or text.startswith("#"):
            start = at + 1
        elif text in ("(", "["):
            at = _match(tokens, at)
        elif text == "{":
            closing = _match(tokens, at)
            head = [token.text for token in tokens[start:at]]
            if "namespace" in head or head[:1] == ["extern"]:
                yield from _in_scope(tokens, at + 1, closing)
            elif ("(" in head or not {*_AROUND} & {*head}) and not _FOR_DEVICES & {*head}:
                yield from _in_function(tokens, start, at, closing)
            if "(" in head or "namespace" in head:
                start = closing + 1
            at = closing
        at += 1


def _in_function(
    tokens: Sequence[Token], start: int, opening: int, closing: int
) -> Iterator[DeviceLambda]:
    for at in range(opening, closing):
        behind = _match(tokens, at) + 1 if tokens[at].text == "[" else closing
        marks = [token.text for token in tokens[behind : behind + 2] if token.text in _MARKS]
        if behind < closing and "__device__" in marks:
            found = _read(tokens, start, at, behind + len(marks))
            if found is not None:
                yield replace(found, on_host="__host__" in marks)


def _read(tokens: Sequence[Token], start: int, opening: int, at: int) -> DeviceLambda | None:
    """Read a lambda from its parameters on; None if it is no struct of copies."""
    first = at
    while at < len(tokens) and tokens[at].text not in ("{", ";"):
        at = _match(tokens, at) if tokens[at].text in _PAIRS else at
        at += 1
    body = at, _match(tokens, at)
    template = _template(tokens, start)
    captures = _captures(tokens, start, opening, (first, body[1]))
    if captures is None or template is None:
        return None
    place = tokens[opening].place
    name = f"quiz_lambda_{place.line}_{place.column}"
    return DeviceLambda(name, start, template, opening, captures, (first, at), body)


def _template(tokens: Sequence[Token], start: int) -> tuple[str, ...] | None:
    """Return the names of a function's template; None of one with packs or defaults."""
    if tokens[start].text != "template":
        return ()
    names, at = list[str](), start + 1
    while tokens[at].text != ">":
        at += 1
        if tokens[at].text in ("...", "=", "<", ";", "{"):
            return None
        if tokens[at].text in (",", ">"):
            names.append(tokens[at - 1].text)
    return tuple(names)


def _captures(
    tokens: Sequence[Token], start: int, opening: int, inside: tuple[int, int]
) -> tuple[tuple[str, tuple[int, int] | None], ...] | None:
    found: dict[str, tuple[int, int] | None] = {}
    closing, at = _match(tokens, opening), opening + 1
    copies = tokens[at].text == "="
    while at < closing:
        end = at
        while tokens[end].text != "," and end < closing:
            end = _match(tokens, end) + 1 if tokens[end].text in _PAIRS else end + 1
        if tokens[at].kind == "name" and tokens[at].text != "this":
            has_value = tokens[at + 1].text == "="
            if not has_value and end != at + 1:
                return None
            found[tokens[at].text] = (at + 2, end) if has_value else None
        elif not (copies and at == opening + 1):
            return None
        at = end + 1
    if copies:
        outer = _declared(tokens, start, opening)
        inner = _declared(tokens, *inside)
        for at in range(*inside):
            name, before, after = tokens[at].text, tokens[at - 1].text, tokens[at + 1].text
            bare = before not in (".", "->", "::") and after != "::"
            if tokens[at].kind == "name" and bare and name in outer - inner:
                found.setdefault(name, None)
    return tuple(found.items())


def _declared(tokens: Sequence[Token], start: int, end: int) -> set[str]:
    """Return the names that are declared, as far as their neighbors tell."""
    found, depth, parameters = set[str](), int(tokens[start].text == "("), True
    for at in range(start + 1, end):
        token, before, after = tokens[at], tokens[at - 1], tokens[at + 1].text
        depth += (token.text == "(") - (token.text == ")")
        parameters &= token.text != "{"
        if token.kind != "name" or after not in ("=", ";", ",", ")", "[", "{", ":", "("):
            continue
        listed = before.text == "," or (before.text == "*" and tokens[at - 2].text == ",")
        if before.kind == "name":
            declares = before.text not in _NO_TYPES
        elif listed:
            declares = not depth and after != "(" and not _in_angles(tokens, at - 1, start)
        else:
            of_template = before.text in (">", ">>")
            pointed = of_template or (before.text in ("*", "&", "&&") and after != "(")
            declares = pointed and (parameters or _begins(tokens, at - 1, start))
        if declares:
            found.add(token.text)
    return found


def _in_angles(tokens: Sequence[Token], at: int, start: int) -> bool:
    """Return True for a comma between template arguments, and not between what is declared."""
    depth = 0
    while at > start and depth >= 0 and tokens[at].text not in (";", "{", "}"):
        text = tokens[at].text
        depth += text.count(">") - text.count("<") if text in _ANGLES else 0
        at -= 1
    return depth < 0


def _begins(tokens: Sequence[Token], at: int, start: int) -> bool:
    """Return True if what ends in a type's `*`, `&`, or `>` begins a statement."""
    depth = 0  # of template arguments, which may be anything
    while at > start and tokens[at].text not in (";", "{", "}"):
        text = tokens[at].text
        depth += text.count(">") - text.count("<") if text in _ANGLES else 0
        if not depth and tokens[at].kind != "name" and text not in _IN_TYPES:
            break
        at -= 1
    before = tokens[at].text
    return not depth and (
        before in ("{", "}", ";") or (before == "(" and tokens[at - 1].text == "for")
    )


_ANGLES = frozenset({"<", ">", ">>"})
_IN_TYPES = _ANGLES | {"*", "&", "&&", "::"}


def _match(tokens: Sequence[Token], at: int) -> int:
    depth = 0
    for place in range(at, len(tokens)):
        depth += (tokens[place].text in _PAIRS) - (tokens[place].text in ")]}")
        if depth == 0:
            return place
    return len(tokens) - 1


def declare_device_lambdas(tokens: list[Token]) -> None:
    """Declare the struct of each lambda for the device, with its body, before its function."""
    found = find_device_lambdas(tokens)
    made = [(each.function, _struct(tokens, each)) for each in found]
    for at, struct in sorted(made, key=lambda pair: pair[0], reverse=True):
        tokens[at:at] = struct


def _struct(tokens: Sequence[Token], each: DeviceLambda) -> list[Token]:
    kinds = [f"quiz_T{at}" for at in range(len(each.captures))]
    own = [*_head(tokens, each), *(f"typename {kind}" for kind in kinds)]
    words = f"template < {' , '.join(own)} > " if own else ""
    members = zip(kinds, each.captures, strict=True)
    fields = " ".join(f"{kind} {name} ;" for kind, (name, _) in members)
    place = tokens[each.start].place
    made = _words(f"{words}struct {each.name} {{ {fields} __device__ auto operator ( )", place)
    return [*made, *called(tokens, each), *_words("} ;", place)]


def called(tokens: Sequence[Token], each: DeviceLambda) -> list[Token]:
    """Return the tokens of the operator that calls a lambda, from its parameters on."""
    place = tokens[each.start].place
    first, last = each.parameters
    fixed = not any(token.text == "mutable" for token in tokens[first:last])
    closing = first if first == last else _match(tokens, first) + 1
    taken = tokens[first:closing] or _words("( )", place)
    rest = [token for token in tokens[closing:last] if token.text != "mutable"]
    const = _words("const", place) if fixed else []
    return [*taken, *const, *rest, *tokens[each.body[0] : each.body[1] + 1]]


def _head(tokens: Sequence[Token], each: DeviceLambda) -> list[str]:
    """Return the parameters of the template around a lambda, as they are written."""
    if not each.template:
        return []
    end = next(at for at in range(each.function, len(tokens)) if tokens[at].text == ">")
    return [" ".join(token.text for token in tokens[each.function + 2 : end])]


def _words(text: str, place: object) -> list[Token]:
    names = (word.isidentifier() for word in text.split())
    return [
        Token("name" if is_name else "operator", word, place, spaced=True)  # type: ignore[arg-type]
        for word, is_name in zip(text.split(), names, strict=True)
    ]
