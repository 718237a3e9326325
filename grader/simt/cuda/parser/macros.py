"""Macros: their definitions, and the expansion of tokens by them.

Each token remembers the macros that it came from, so no macro expands in its own expansion (the
algorithm of D. Prosser, which the C standard's wording follows). What a macro makes is at the place
where the macro is used; the tokens of its arguments keep their own places.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from operator import attrgetter
from typing import NamedTuple

from grader.facts import fact
from grader.frozen import frozen
from grader.simt.cuda.places import Place, ill_formed, not_emulated
from grader.simt.cuda.tokens import MOST_TOKENS, NO_NAMES, Token, read_lines, too_many_tokens

_DEEPEST = 40
"""Macro calls in arguments of macro calls."""
_LONGEST = 65_536
"""Characters that `#` or `##` makes one token of: `#` of a text in quotes doubles each mark."""

_TEXT = attrgetter("text")

VARIADIC = "__VA_ARGS__"
RESERVED = frozenset({"defined", "__LINE__", "__FILE__", "__DATE__", "__TIME__", VARIADIC})
"""Names that no source may define, or undefine."""


@frozen
class Macro:
    """A definition: `parameters` is None for one without parentheses."""

    name: str
    parameters: tuple[str, ...] | None
    body: tuple[Token, ...]
    variadic: bool = False


class MacroCall(NamedTuple):
    """A macro's call: the token that names it, and the arguments' tokens."""

    name: Token
    arguments: list[list[Token]]
    closing: Token


def define(tokens: Sequence[Token], at: Place) -> Macro:
    """Read what follows `#define`.

    Raises:
        IllFormed: there is no name, or the parameters are not names.
    """
    if not tokens or tokens[0].kind != "name":
        raise ill_formed(fact("cpp.macro-without-name"), tokens[0].place if tokens else at)
    name = tokens[0]
    if len(tokens) < 2 or tokens[1].text != "(" or tokens[1].spaced:
        return Macro(name.text, None, tuple(tokens[1:]))
    parameters, end, variadic = list[str](), 2, False
    while end < len(tokens) and tokens[end].text != ")":
        token = tokens[end]
        if token.text == "...":
            variadic = True
            if not parameters or tokens[end - 1].text in ("(", ","):
                parameters.append(VARIADIC)
        elif token.kind == "name":
            parameters.append(token.text)
        elif token.text != ",":
            raise ill_formed(fact("cpp.macro-parameters", name=name.text), token.place)
        end += 1
    if end == len(tokens) or len(set(parameters)) < len(parameters):
        raise ill_formed(fact("cpp.macro-parameters", name=name.text), name.place)
    return Macro(name.text, tuple(parameters), tuple(tokens[end + 1 :]), variadic)


class Expander:
    """Expands tokens by the macros that are defined at the time, within one budget."""

    def __init__(self, macros: Mapping[str, Macro]) -> None:
        self._macros = macros
        self._made = 0
        self._depth = 0

    def count(self, tokens: int, at: Token) -> None:
        """Count tokens that were read or made.

        Raises:
            Refused: they are more than the budget.
        """
        self._made += tokens
        if self._made > MOST_TOKENS:
            raise too_many_tokens(at.place)

    def expand_whole(self, tokens: Sequence[Token]) -> list[Token]:
        """Return the tokens with all macros expanded, for the parser."""
        if self._macros.keys().isdisjoint(map(_TEXT, tokens)):
            return list(tokens)
        return [
            token._replace(hidden=NO_NAMES) if token.hidden else token
            for token in self._expanded(tokens)
        ]

    def expand(self, tokens: Sequence[Token]) -> list[Token]:
        """Return the tokens with all macros expanded, as they may be expanded again.

        Raises:
            IllFormed: a call has no end, or another number of arguments than its macro.
            Refused: the budget is used up.
        """
        return list(self._expanded(tokens))

    def _expanded(self, tokens: Sequence[Token]) -> Iterator[Token]:
        waiting = list(reversed(tokens))
        macros = self._macros
        while waiting:
            token = waiting.pop()
            macro = macros.get(token.text) if token.kind == "name" else None
            if macro is None or token.text in token.hidden:
                yield token
            elif macro.parameters is None:
                hidden = token.hidden | {macro.name}
                waiting.extend(reversed(self._replace(macro, MacroCall(token, [], token), hidden)))
            elif waiting and waiting[-1].text == "(":
                call = _take_call(macro, token, waiting)
                hidden = (token.hidden & call.closing.hidden) | {macro.name}
                waiting.extend(reversed(self._replace(macro, call, hidden)))
            else:
                yield token

    def _replace(self, macro: Macro, call: MacroCall, hidden: frozenset[str]) -> list[Token]:
        """Return what the macro makes; it is to be expanded further."""
        name = call.name
        if macro.name in _COMPUTED:
            return [_COMPUTED[macro.name](name)]
        self._depth += 1
        if self._depth > _DEEPEST:
            raise not_emulated(fact("cpp.macro-too-deep"), name.place)
        arguments = dict(zip(macro.parameters or (), call.arguments, strict=True))
        expanded = dict[str, list[Token]]()
        made = list[Token]()
        for position, token in enumerate(macro.body):
            before = macro.body[position - 1].text if position else ""
            after = macro.body[position + 1].text if position + 1 < len(macro.body) else ""
            counted = len(made)
            if token.text == "#" and macro.parameters is not None and after in arguments:
                made.append(_as_string(name, arguments[after]))
            elif token.text in arguments and before == "#":
                continue
            elif token.text in arguments and "##" in (before, after):
                made.extend(arguments[token.text] or [_nothing(name)])
            elif token.text in arguments:
                if token.text not in expanded:
                    expanded[token.text] = self.expand(arguments[token.text])
                made.extend(expanded[token.text])
            else:
                made.append(_moved(token, name))
            self.count(len(made) - counted, name)
        self._depth -= 1
        if any(token.text == "##" for token in macro.body):
            made = _paste(made, name)
        return [_hide(token, hidden) for token in made]


def _hide(token: Token, hidden: frozenset[str]) -> Token:
    return token._replace(hidden=token.hidden | hidden if token.hidden else hidden)


def _moved(token: Token, name: Token) -> Token:
    return Token(token.kind, token.text, name.place, token.spaced)


def _take_call(macro: Macro, name: Token, waiting: list[Token]) -> MacroCall:
    """Take `(arguments)` from what waits, which is in reversed order."""
    waiting.pop()
    arguments, depth = [list[Token]()], 0
    fixed = len(macro.parameters or ()) - macro.variadic
    while waiting:
        token = waiting.pop()
        if token.text == ")" and depth == 0 and token.kind == "operator":
            return MacroCall(name, _fit(macro, name, arguments), token)
        if token.kind == "operator":
            depth += (token.text == "(") - (token.text == ")")
        splits = token.text == "," and depth == 0 and token.kind == "operator"
        if splits and not (macro.variadic and len(arguments) > fixed):
            arguments.append([])
        else:
            arguments[-1].append(token)
    raise ill_formed(fact("cpp.macro-call-without-end", name=name.text), name.place)


def _fit(macro: Macro, name: Token, arguments: list[list[Token]]) -> list[list[Token]]:
    wanted = len(macro.parameters or ())
    if wanted == 0 and arguments == [[]]:
        return []
    if macro.variadic and len(arguments) == wanted - 1:
        arguments.append([])
    if len(arguments) != wanted:
        what = fact("cpp.macro-arguments", name=name.text, n=wanted, given=len(arguments))
        raise ill_formed(what, name.place)
    return arguments


def _nothing(at: Token) -> Token:
    """Stand for an empty argument beside `##`."""
    return Token("other", "", at.place)


def _as_string(at: Token, argument: list[Token]) -> Token:
    words = "".join(f"{' ' if token.spaced else ''}{token.text}" for token in argument).strip()
    escaped = words.replace("\\", "\\\\").replace('"', '\\"')
    _check_length(escaped, at)
    return Token("string", f'"{escaped}"', at.place, spaced=True)


def _check_length(text: str, at: Token) -> None:
    if len(text) > _LONGEST:
        raise not_emulated(fact("cpp.macro-too-long", most=_LONGEST), at.place)


def _paste(made: list[Token], at: Token) -> list[Token]:
    """Join the tokens around each `##`; `, ##` before an empty `__VA_ARGS__` goes, as in GNU C."""
    found, position = list[Token](), 0
    while position < len(made):
        token = made[position]
        if token.text != "##" or not found or position + 1 == len(made):
            found.append(token)
            position += 1
            continue
        left, right = found.pop(), made[position + 1]
        if left.text == ",":
            found.extend([left, right] if right.text else [])
        else:
            found.append(_joined(left, right, at))
        position += 2
    return [token for token in found if token.text]


def _joined(left: Token, right: Token, at: Token) -> Token:
    text = left.text + right.text
    if not text:
        return _nothing(at)
    _check_length(text, at)
    tokens = [token for line in read_lines(text) for token in line.tokens]
    if len(tokens) != 1:
        what = fact("cpp.bad-paste", left=left.text[:40], right=right.text[:40])
        raise ill_formed(what, at.place)
    return Token(tokens[0].kind, text, at.place, left.spaced, left.hidden)


_COMPUTED: Mapping[str, Callable[[Token], Token]] = {
    "__LINE__": lambda at: at._replace(kind="number", text=str(at.place.line), hidden=NO_NAMES),
    "__FILE__": lambda at: at._replace(kind="string", text=f'"{at.place.path}"', hidden=NO_NAMES),
    "__COUNTER__": lambda at: at._replace(kind="number", text="0", hidden=NO_NAMES),
}
COMPUTED_NAMES = tuple(_COMPUTED)
"""Macros whose value depends on the place."""
