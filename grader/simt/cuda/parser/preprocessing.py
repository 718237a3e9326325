"""The preprocessor: from a text to tokens without directives and macros.

`#pragma unroll` becomes a token of kind "pragma" with the text `unroll`, the tokens of its count,
and a token of kind "pragma" with the text `end`. Other pragmas are dropped.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache

from grader.did_you_mean import suggest
from grader.facts import fact
from grader.simt.cuda.headers import KNOWN, ONLY_COMPILED, PREDEFINED, is_known, is_read_first
from grader.simt.cuda.libraries import find_library
from grader.simt.cuda.parser.conditions import Condition, resolve_defined
from grader.simt.cuda.parser.macros import COMPUTED_NAMES, RESERVED, Expander, Macro, define
from grader.simt.cuda.places import Place, ill_formed, not_emulated
from grader.simt.cuda.tokens import Line, Token, read_lines

Reader = Callable[[str, str], tuple[str, str] | None]
"""Returns the path and the text of an include, of its name and the including file's path; None if
there is no such file."""

MOST_INCLUDES = 100
_DEEPEST_INCLUDE = 20
_DEEPEST_CONDITION = 100
_ALIKE = 0.85
"""How alike a header's name is to one that it may stand for: `my_lib.h` is nobody's `raylib.h`."""

_PREDEFINED: dict[str, Macro] = {}


def _predefined() -> dict[str, Macro]:
    if not _PREDEFINED:
        _PREDEFINED.update({name: Macro(name, None, ()) for name in COMPUTED_NAMES})
        for line in read_lines(PREDEFINED):
            macro = define(line.tokens[2:], line.tokens[0].place)
            _PREDEFINED[macro.name] = macro
    return dict(_PREDEFINED)


class Preprocessor:
    """Reads one source with all that it includes.

    Args:
        defines: macros without parameters, name → text, as with `-D`; `__CUDA_ARCH__` is 900
            unless it is here.
        read: finds an include that is not a known header.
        compiled: whether a compiler reads the source too, which knows better which headers there
            are.

    Attributes:
        headers: known headers that were included, as they are written.
    """

    def __init__(
        self, defines: Mapping[str, str], read: Reader | None = None, *, compiled: bool = False
    ) -> None:
        self._compiled = compiled
        self._macros = _predefined()
        self._read = read
        self._expander = Expander(self._macros)
        self._found: list[Token] = []
        self._once: set[str] = set()
        self._includes = 0
        self.headers: set[str] = set()
        self._depth = 0
        for name, text in defines.items():
            for line in read_lines(f"{name} {text}"):
                macro = define(line.tokens, Place(1, 1))
                self._macros[macro.name] = macro

    def run(self, text: str, path: str) -> list[Token]:
        """Return the tokens of this and of all that was added, with an `end` after the last.

        Raises:
            IllFormed: a directive or a macro's call is wrong, `#error`, or it is not text.
            Refused: an include is unknown, or the source is too large.
        """
        self.add(text, path)
        place = Place(1, 1, path)
        if self._found:
            last = self._found[-1]
            place = Place(last.place.line, last.place.column + len(last.text), path)
        self._found.append(Token("end", "", place))
        return self._found

    def add(self, text: str, path: str) -> None:
        """Read a text; the tokens of the next one follow its own. See `run`."""
        if not text:
            return
        conditions = list[_Branch]()
        waiting = list[Token]()
        for line in read_lines(text, path):
            self._expander.count(len(line.tokens), line.tokens[0])
            if not line.directive:
                if all(branch.taken for branch in conditions):
                    waiting.extend(line.tokens)
                continue
            name = line.tokens[1].text if len(line.tokens) > 1 else ""
            if name in _CONDITIONALS:
                self._flush(waiting)
                self._condition(name, line, conditions)
            elif all(branch.taken for branch in conditions):
                self._flush(waiting)
                self._directive(name, line, path)
        self._flush(waiting)
        if conditions:
            raise ill_formed(fact("cpp.if-without-end"), conditions[-1].place)

    def _flush(self, waiting: list[Token]) -> None:
        if waiting:
            self._found.extend(self._expander.expand_whole(waiting))
            waiting.clear()

    # Directives

    def _directive(self, name: str, line: Line, path: str) -> None:
        rest, at = line.tokens[2:], line.tokens[0].place
        match name:
            case "define" | "undef" if rest and rest[0].text in RESERVED:
                raise ill_formed(fact("cpp.macro-predefined", name=rest[0].text), rest[0].place)
            case "define":
                macro = define(rest, at)
                self._macros[macro.name] = macro
            case "undef":
                self._macros.pop(rest[0].text if rest else "", None)
            case "include" | "include_next" | "import":
                self._include(line, path)
            case "pragma":
                self._pragma(rest, path)
            case "error":
                raise ill_formed(fact("cpp.error", text=_words(rest)), at)
            case "" | "line" | "warning" | "ident":
                pass
            case _ if line.tokens[1].kind == "number":  # of another preprocessor's output
                pass
            case _:
                instead = suggest(name, _DIRECTIVES, before="#")
                raise ill_formed(fact("cpp.unknown-directive", name=name), at, instead)

    def _pragma(self, rest: Sequence[Token], path: str) -> None:
        if not rest:
            return
        if rest[0].text == "once":
            self._once.add(path)
        elif rest[0].text in ("unroll", "nounroll"):
            first = rest[0]
            count = self._expander.expand(rest[1:])
            self._found.append(first._replace(kind="pragma"))
            self._found.extend(count)
            self._found.append(first._replace(kind="pragma", text="end"))

    def _include(self, line: Line, path: str) -> None:
        tokens = line.tokens[2:]
        if tokens and tokens[0].kind == "name":
            tokens = self._expander.expand(tokens)
        at = line.tokens[0].place
        local = bool(tokens) and tokens[0].kind == "string"
        if local:
            name = tokens[0].text[1:-1]
            local = not name.startswith(ONLY_COMPILED)
        elif len(tokens) > 2 and tokens[0].text == "<":
            name = _words(tokens[1:]).split(">")[0].replace(" ", "")
        else:
            raise ill_formed(fact("cpp.bad-include"), at)
        known = is_known(name)
        if known:
            self.headers.add(name)
        self._add_library(name)
        if name.startswith(ONLY_COMPILED):
            self._require(name, path, at)
        if known and not local and not is_read_first(name):
            return
        found = self._read(name, path) if self._read and (local or not known) else None
        if found is None and self._read and known and is_read_first(name):
            found = self._read(name, path)
        if found is not None:
            self._included(*found, at)
        elif not known:
            self._miss(name, at, local=local)

    def _add_library(self, name: str) -> None:
        """Add the headers of ours that stand for one of a library, each once."""
        for path, text in find_library(name):
            if path not in self._once:
                self._once.add(path)
                self._found.extend(_read_library(path, text))

    def _require(self, name: str, path: str, at: Place) -> None:
        """Refuse a header that only a compiler reads, and that is not there for one."""
        if self._read and not self._compiled and self._read(name, path) is None:
            self._miss(name, at, local=True)

    def _miss(self, name: str, at: Place, *, local: bool) -> None:
        if local:
            raise not_emulated(fact("cpp.include-not-found", name=name), at)
        if not self._compiled:
            instead = suggest(name, KNOWN, fact("cpp.unknown-include.hint"), alike=_ALIKE)
            raise not_emulated(fact("cpp.unknown-include", name=name), at, instead)
        self.headers.add(name)

    def _included(self, path: str, text: str, at: Place) -> None:
        if path in self._once:
            return
        self._includes += 1
        self._depth += 1
        if self._includes > MOST_INCLUDES or self._depth > _DEEPEST_INCLUDE:
            raise not_emulated(fact("cpp.too-many-includes", limit=MOST_INCLUDES), at)
        self.add(text, path)
        self._depth -= 1

    # Conditions

    def _condition(self, name: str, line: Line, conditions: list[_Branch]) -> None:
        rest, at = line.tokens[2:], line.tokens[0].place
        if name in ("if", "ifdef", "ifndef"):
            if len(conditions) >= _DEEPEST_CONDITION:
                raise not_emulated(fact("source.nested-too-deeply"), at)
            live = all(branch.taken for branch in conditions)
            taken = live and self._holds(name, rest, at)
            conditions.append(_Branch(at, taken=taken, done=taken or not live))
            return
        if not conditions:
            raise ill_formed(fact("cpp.without-if", name=name), at)
        branch = conditions[-1]
        if name == "endif":
            conditions.pop()
        elif branch.closed:
            raise ill_formed(fact("cpp.after-else", name=name), at)
        else:
            branch.closed = name == "else"
            branch.taken = not branch.done and (
                name == "else" or self._holds(name.removeprefix("el"), rest, at)
            )
            branch.done |= branch.taken

    def _holds(self, name: str, rest: Sequence[Token], at: Place) -> bool:
        if name in ("ifdef", "ifndef"):
            if not rest or rest[0].kind != "name":
                raise ill_formed(fact("cpp.bad-condition"), at)
            return (rest[0].text in self._macros) == (name == "ifdef")
        tokens = self._expander.expand(resolve_defined(rest, self._macros))
        return Condition(resolve_defined(tokens, self._macros), at).value()


@cache
def _read_library(path: str, text: str) -> list[Token]:
    """Return the tokens of a header of ours: macros of the source do not reach into it."""
    alone = Preprocessor({})
    alone.add(text, path)
    return alone._found  # noqa: SLF001 - of the same class


class _Branch:
    """A conditional section: `taken` now, `done` if a branch of it was, `closed` after `#else`."""

    def __init__(self, place: Place, *, taken: bool, done: bool) -> None:
        self.place = place
        self.taken = taken
        self.done = done
        self.closed = False


_CONDITIONALS = ("if", "ifdef", "ifndef", "elif", "elifdef", "elifndef", "else", "endif")
_DIRECTIVES = (*_CONDITIONALS, "define", "undef", "include", "pragma", "error", "line", "warning")


def _words(tokens: Sequence[Token]) -> str:
    return "".join(f"{' ' if token.spaced else ''}{token.text}" for token in tokens).strip()
