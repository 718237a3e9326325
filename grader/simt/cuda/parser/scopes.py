"""What each name of a source is: a type, a template, a function, a variable or a namespace.

Knows no grammar; the parser declares names and looks them up.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from grader.frozen import frozen
from grader.simt.cuda.names import (
    GROUP_FUNCTION_TEMPLATES,
    GROUP_FUNCTIONS,
    GROUP_TYPE_TEMPLATES,
    GROUP_TYPES,
    STANDARD_FUNCTIONS,
    STANDARD_TYPE_TEMPLATES,
    STANDARD_TYPES,
    STANDARD_VALUE_TEMPLATES,
    TEXTURE_FUNCTIONS,
    TYPES,
)
from grader.simt.errors import Refused

Kind = Literal[
    "type", "type template", "function", "function template", "variable", "namespace",
    "unavailable", "refused",
]  # fmt: skip
"""A variable template is a "function template" here: both take `<` as arguments."""


_NO_SCOPES = ("variable", "function")


@dataclass(slots=True)
class ParserScope:
    """Names of a block, a struct, a namespace or the file.

    `used` is for `using namespace`, and of a struct for its bases.
    """

    names: dict[str, ScopeEntry] = field(default_factory=dict)
    used: list[ParserScope] = field(default_factory=list)
    struct: bool = False

    def find(self, name: str) -> ScopeEntry | None:
        """Return what the name is here, or in a namespace that is used here."""
        if (found := self.names.get(name)) or not self.used:
            return found
        return next((found for each in self.used if (found := each.find_used(name))), None)

    def find_used(self, name: str) -> ScopeEntry | None:
        """Return what the name is for a scope that uses this one: of a base, also its bases'."""
        return self.find(name) if self.struct else self.names.get(name)


@frozen
class ScopeEntry:
    """What a name is.

    Attributes:
        members: of a struct or a namespace.
        refusal: of what no kernel can use: why its declaration is not emulated ("unavailable"), or
            why the name itself is not ("refused").
        home: the namespace of CUDA that it is of, which the tree names before it.
        alias: of another name of a namespace: the names that the tree has instead.
    """

    kind: Kind
    members: ParserScope | None = None
    refusal: Refused | None = None
    home: str = ""
    alias: tuple[str, ...] = ()

    @property
    def is_type(self) -> bool:
        """True if the name begins a type."""
        return self.kind in ("type", "type template")

    @property
    def is_template(self) -> bool:
        """True if `<` behind the name begins template arguments."""
        return self.kind in ("type template", "function template")


def _fill(scope: ParserScope, names: frozenset[str], kind: Kind, home: str = "") -> None:
    scope.names.update(dict.fromkeys(names, ScopeEntry(kind, home=home)))


STANDARD = ParserScope()
_fill(STANDARD, STANDARD_TYPES, "type")
_fill(STANDARD, STANDARD_TYPE_TEMPLATES, "type template")
_fill(STANDARD, STANDARD_VALUE_TEMPLATES, "function template")
_fill(STANDARD, STANDARD_FUNCTIONS, "function")
GROUPS = ParserScope()
_COOPERATIVE = "cooperative_groups"
_fill(GROUPS, GROUP_TYPES, "type", _COOPERATIVE)
_fill(GROUPS, GROUP_TYPE_TEMPLATES, "type template", _COOPERATIVE)
_fill(GROUPS, GROUP_FUNCTIONS, "function", _COOPERATIVE)
_fill(GROUPS, GROUP_FUNCTION_TEMPLATES, "function template", _COOPERATIVE)
_BUILT_IN = ParserScope(
    {"std": ScopeEntry("namespace", STANDARD), _COOPERATIVE: ScopeEntry("namespace", GROUPS)}
)
_fill(_BUILT_IN, TYPES, "type")
_fill(_BUILT_IN, TEXTURE_FUNCTIONS, "function template")


class ParserScopes:
    """The scopes around the place that is being parsed, the innermost last."""

    def __init__(self) -> None:
        self._stack = [_BUILT_IN, ParserScope()]
        self.path: tuple[str, ...] = ()
        self._member_templates = set[str]()

    @property
    def innermost(self) -> ParserScope:
        """The scope in which a declaration now stands."""
        return self._stack[-1]

    def find(self, name: str, *, qualifies: bool = False) -> ScopeEntry | None:
        """Return what the name is; None if it was not declared.

        If it `qualifies`, as it stands before `::`, no variable hides what else has its name.
        """
        for scope in reversed(self._stack):
            found = scope.find(name) if scope.used else scope.names.get(name)
            if found and not (qualifies and found.kind in _NO_SCOPES):
                return found
        return None

    def find_global(self, name: str) -> ScopeEntry | None:
        """Return what the name is behind a leading `::`."""
        return self._stack[1].find(name) or self._stack[0].find(name)

    def declare(
        self,
        name: str,
        kind: Kind,
        members: ParserScope | None = None,
        *,
        into: ParserScope | None = None,
    ) -> None:
        """Declare a name; a function template keeps its `<` if a plain overload follows.

        `into`: the scope, if it is not the innermost one.
        """
        scope = into or self.innermost
        names, before = scope.names, scope.names.get(name)
        if scope.struct and kind == "function template":
            self._member_templates.add(name)
        if not (before and kind == "function" and before.kind == "function template"):
            names[name] = ScopeEntry(kind, members)

    def reopened(self, name: str) -> ParserScope:
        """Make the scope of a namespace, with what is built in of one at the top."""
        known = _BUILT_IN.names.get(name) if len(self._stack) == 2 else None
        names = known.members.names if known and known.members else {}
        return ParserScope(dict(names))

    def refuse(self, name: str, refusal: Refused, kind: Kind = "unavailable") -> None:
        """Declare a name that no kernel can use."""
        self.innermost.names[name] = ScopeEntry(kind, refusal=refusal)

    def is_member_template(self, name: str) -> bool:
        """Return True if any struct that is known has a function template of that name."""
        return name in self._member_templates

    def inside(
        self, scope: ParserScope | None = None, name: str | None = None, *, function: bool = False
    ) -> _Inside:
        """Open a scope; of a struct or a namespace with its name, of a function as such."""
        path = self.path
        if name is not None:
            path = (*path, name)
        elif function:
            path = ()
        return _Inside(self, self._stack, scope or ParserScope(), path)


class _Inside:
    """A scope that is open; a third of the time of a generator, for each body and each branch."""

    __slots__ = ("_outside", "_path", "_scope", "_scopes", "_stack")

    def __init__(
        self,
        scopes: ParserScopes,
        stack: list[ParserScope],
        scope: ParserScope,
        path: tuple[str, ...],
    ) -> None:
        self._scopes = scopes
        self._stack = stack
        self._scope = scope
        self._path = path
        self._outside = scopes.path

    def __enter__(self) -> ParserScope:
        self._stack.append(self._scope)
        self._scopes.path = self._path
        return self._scope

    def __exit__(self, *_: object) -> None:
        self._stack.pop()
        self._scopes.path = self._outside
