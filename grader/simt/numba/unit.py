"""One function while it is compiled for one list of argument types: the compilation unit.

Every form of the tree has a function in a table (`Forms`) that compiles it: it gets the unit and a
node, and returns what evaluates or executes it. With it, what all functions of a kernel share.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any, NamedTuple

from grader.facts import Fact, fact
from grader.simt.checks.counters import Site
from grader.simt.checks.findings import Finding
from grader.simt.errors import NotTyped, Refused
from grader.simt.intrinsics.assigned import check_assigned
from grader.simt.numba.environment import Env, Inference, LoopEnvironments, copy_env
from grader.simt.numba.reading.scopes import find_bound, find_bound_once
from grader.simt.numba.reading.source import Function, of_function
from grader.simt.numba.refused import refuse_form
from grader.simt.numba.typed import Iteration, cast
from grader.simt.numba.widening import Widening
from grader.simt.program import nodes
from grader.simt.program.kernel import CompiledFunction, Program
from grader.simt.program.nodes import (
    Alive,
    Expression,
    Observe,
    Operation,
    Perform,
    Read,
    Set,
    Watched,
)
from grader.simt.program.types import (
    BFLOAT16,
    BOOL,
    Array,
    Closure,
    Nothing,
    RecordType,
    Scalar,
    Text,
    Tuple,
    Type,
    describe,
    number,
)


@dataclass
class NumbaProgram(Program):
    """What all functions of a kernel share.

    Attributes:
        path: the kernel's file, or "".
        compiled: every function that was compiled, by its identity and its argument types.
        scopes: those whose variables a function can read, by the identity of one that is defined in
            another function.
        under_way: functions that are being compiled, outermost first.
        packed: record dtypes without `align=True` whose fields it accesses.
    """

    path: str = ""
    compiled: dict[Any, tuple[Function, CompiledFunction]] = field(default_factory=dict)
    functions: dict[Any, Function] = field(default_factory=dict)
    scopes: dict[int, tuple[object, ...]] = field(default_factory=dict)
    under_way: list[Function] = field(default_factory=list)
    packed: set[Scalar] = field(default_factory=set)

    def function_of(self, function: Any) -> Function:
        """Read a function that the kernel calls, once."""
        if function not in self.functions:
            self.functions[function] = of_function(function)
        return self.functions[function]

    @property
    def sources(self) -> Mapping[str, tuple[str, ...]]:
        """The lines of each file that a compiled function is in; the kernel's file is ""."""
        functions = (function for function, _ in self.compiled.values())
        return {
            "" if source.path == self.path else source.path: source.lines for source in functions
        }


_ARRIVING = (
    ast.For, ast.While, ast.If, ast.Return, ast.Break, ast.Continue, ast.Raise, ast.Assert,
)  # fmt: skip
"""Statements before which is recorded: they hold other statements, or nothing comes after."""

_FINAL = ("simt.no-overload", "python.index-type")
"""Errors that end the passes: Numba has no function for a variable's first type, though it would
have one for the type that the variable gets from later lines of a loop."""


class Forms(NamedTuple):
    """How each form is compiled. `values`: values that have a name without being called."""

    expressions: ExpressionForms
    statements: StatementForms
    calls: Mapping[str, Callable[[Unit, ast.Call], Expression]]
    values: Mapping[str, Callable[[], Expression]]


class Unit:
    """One function while it is compiled for one list of argument types.

    Attributes:
        file: the file it is in; "" for the kernel's.
        env: types of the variables at the current node.
        assigned: names that are variables of the function.
        stored: parameters that it writes to.
        returns: type of each `return`.
        lowered: what the machine runs; its body is set once it is compiled.
        exits: True if threads may exit in it, or in what it calls, by raising an error.
        met: names whose assignment comes earlier in the text: Numba knows no others, in loops too.
        series: variables that stand for the elements that a loop will take.
        unused: the expression whose value is dropped, where it is a statement of its own.
        naming: the variable that an expression is assigned to.
        once: variables that it assigns once.
        scopes: those whose variables it can read, its own last.
        closures: functions that are defined in it, by their node.
        uses: reads of its variables, by id.
        watched: variables that a path may lack: each thread notes that it has given them a value.
        is_kernel: True if a thread that returns has exited.
    """

    def __init__(
        self,
        program: NumbaProgram,
        forms: Forms,
        function: Function,
        env: dict[str, Type],
        *,
        is_kernel: bool,
    ) -> None:
        self.program = program
        self.forms = forms
        self.function = function
        self.file = "" if function.path == program.path else function.path
        self.env: Env = env
        self.reassigned = find_bound(function.node.body)
        self.once = find_bound_once(function.node.body)
        self.scopes = (*program.scopes.get(id(function), ()), object())
        self.closures: dict[int, Closure] = {}
        self.assigned = self.reassigned | frozenset(function.parameters)
        self.loops = LoopEnvironments()
        self.inference = Inference()
        self.met: set[str] = set()
        self.series: dict[str, Iteration] = {}
        self._parameters = env
        self.widening = Widening(function)
        self.is_kernel = is_kernel
        self.unused: ast.expr | None = None
        self.uses: dict[int, Read] = {}
        self.watched: frozenset[str] = frozenset()
        self.naming = ""
        self.stored: set[str] = set()
        self.returns: list[Type] = []
        self.types = tuple(env[name] for name in function.parameters)
        recorder = None if self.file else program.recorder
        self.lowered = nodes.Function(
            function.name,
            function.parameters,
            Nothing(),
            types=self.types,
            is_kernel=is_kernel,
            follow=None if recorder is None else recorder.follow,
        )
        self.exits = False

    @property
    def closed(self) -> bool:
        """True if it is defined in a function: Numba inlines it."""
        return len(self.scopes) > 1

    def compile_expression(self, node: ast.expr) -> Expression:
        """Compile any expression.

        Raises:
            Refused: it is not emulated.
            NotTyped: its parts do not fit.
        """
        form = self.forms.expressions.get(type(node))
        if form is None:
            raise refuse_form(self.function, node)
        return self.inference.settle(node, form(self, node))

    def begin_pass(self) -> None:
        """Begin to compile the function anew, with what was inferred before."""
        self.env = copy_env(self._parameters)
        self.loops = LoopEnvironments()
        self.widening = Widening(self.function)
        self.returns = []
        self.met = set(self._parameters)
        self.series = {}
        self.inference.begin_pass()

    def compile_statement(self, node: ast.stmt) -> nodes.Statement:
        """Compile any statement.

        Raises:
            Refused: it is not emulated.
            NotTyped: its parts do not fit.
        """
        form = self.forms.statements.get(type(node))
        if form is None:
            raise refuse_form(self.function, node)
        return form(self, node)

    def compile_block(self, body: Sequence[ast.stmt]) -> nodes.Block:
        """Compile several statements, one after the other; errors go to `inference`."""
        block: list[nodes.Statement] = []
        for node in body:
            if isinstance(node, ast.Pass) or _is_text(node):
                continue
            exits, self.exits = self.exits, False
            try:
                statement = self.compile_statement(node)
            except Refused as error:  # the next pass may know more
                if error.what.code in _FINAL:
                    raise
                self.inference.errors.append(error)
                if isinstance(node, ast.Return):
                    self.env = None
                continue
            finally:
                here, self.exits = self.exits, self.exits or exits
            if here:
                statement = Alive(statement.site, statement)
            block.append(self._record(node, statement))
            if self.env is None:
                break
        return tuple(block)

    def _record(self, node: ast.stmt, statement: nodes.Statement) -> nodes.Statement:
        """Let the recorder look at a statement, if there is one."""
        recorder = self.program.recorder
        if recorder is None or self.file:
            return statement
        fixed = tuple(name for name in self.function.parameters if name not in self.reassigned)
        first = self.function.place(node)[0]
        lines = range(first, first + _last_line(node) - node.lineno + 1)
        arriving = isinstance(node, _ARRIVING)
        watch = partial(recorder.watch, lines, fixed, on_arrival=arriving)
        return Watched(statement.site, statement, watch)

    def set_variable(self, name: str, value: Expression) -> list[Operation]:
        """Return what gives a variable a value."""
        return [Set(name, value), *self.flag(name, value=True)]

    def flag(self, name: str, *, value: bool) -> list[Operation]:
        """Return what notes whether a variable has a value, where that is watched."""
        return [Set(_flag_of(name), nodes.Number(BOOL, value))] if name in self.watched else []

    def read_variable(self, node: ast.Name, kind: Type) -> Expression:
        """Return what a variable holds."""
        read = Read(kind, node.id)
        self.uses[id(read)] = read
        if node.id not in self.watched or number(kind) is None:
            return read
        check, flag = partial(check_assigned, node.id, "variable"), Read(BOOL, _flag_of(node.id))
        return Perform(kind, "assigned", check, (read, flag), self.site(node), alone=True)

    def compile_number(self, node: ast.expr) -> tuple[Expression, Scalar]:
        """Compile an expression that is a number; its dtype beside it."""
        typed = self.compile_expression(node)
        return typed, self.dtype(node, typed.type)

    def dtype(self, node: ast.AST, kind: Type) -> Scalar:
        """Return the dtype of a number's type.

        Raises:
            NotTyped: it is not a number.
        """
        dtype = number(kind)
        if dtype is None:
            raise self.typing_error(node, fact("python.not-a-number", type=describe(kind)))
        return dtype

    def compile_test(self, node: ast.expr) -> Expression:
        """Compile an expression as a test."""
        typed = self.compile_expression(node)
        match typed.type:
            case Nothing():
                return nodes.Number(BOOL, value=False)
            case Tuple(items):
                return nodes.Number(BOOL, value=bool(items))
            case Text(value):
                return nodes.Number(BOOL, value=bool(value))
        self.require_truth(node, typed.type)
        return cast(Observe(typed.type, typed), BOOL)

    def require_truth(self, node: ast.AST, kind: Type) -> None:
        """Require a number that can be a test.

        Raises:
            NotTyped: it is not a number, or a bfloat16, which Numba does not take as a test.
        """
        if self.dtype(node, kind) == BFLOAT16:
            instead = fact("advice.write", code="x != 0")
            raise self.typing_error(node, fact("simt.not-a-test", type=describe(kind)), instead)

    def refusal(self, node: ast.AST, what: Fact, instead: Fact | None = None) -> Refused:
        """Make an error at a node."""
        return self.function.refusal(node, what, instead)

    def typing_error(self, node: ast.AST, what: Fact, instead: Fact | None = None) -> NotTyped:
        """Make an error of typing at a node."""
        return NotTyped(what, *self.function.place(node), instead, self.function.path)

    def site(self, node: ast.AST) -> Site:
        """Return the place of a node, to count at."""
        return self.program.sites.at(*self.function.place(node), self.file)

    def note_store(self, node: ast.expr, kind: Array | RecordType) -> None:
        """Note that the array or the record that a node names, or is part of, is written to."""
        if kind.space != "global":
            return
        while isinstance(node, (ast.Attribute, ast.Subscript)):
            node = node.value
        parameters = {*self.function.parameters} - self.reassigned
        name = node.id if isinstance(node, ast.Name) else ""
        if name in parameters and isinstance((self.env or {})[name], (Array, RecordType)):
            self.stored.add(name)
            return
        self.program.stores_anywhere = True

    def warn(
        self,
        node: ast.AST,
        topic: str,
        what: Fact,
        hint: Fact | None = None,
        other: ast.AST | None = None,
    ) -> None:
        """Report something that is legal, and probably not meant.

        Args:
            other: another place that takes part, if there is one.
        """
        line, column = self.function.place(node)
        finding = Finding("warning", line, column, what, topic, file=self.file, hint=hint)
        if other is not None and self.function.place(other) != (line, column):
            other_line, other_column = self.function.place(other)
            finding = replace(
                finding, other_line=other_line, other_column=other_column, other_file=self.file
            )
        self.program.findings.add((topic, self.file, line, column), 1, lambda: finding)


def _flag_of(name: str) -> str:
    return f"%{name} is set"


def _last_line(node: ast.stmt) -> int:
    """Return the last line of a statement; of one that holds others, of what is before them."""
    body = getattr(node, "body", None)
    if isinstance(body, list) and body:
        return max(node.lineno, int(body[0].lineno) - 1)
    return node.end_lineno or node.lineno


def _is_text(node: ast.stmt) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)


ExpressionForms = Mapping[type[ast.expr], Callable[[Unit, Any], Expression]]
StatementForms = Mapping[type[ast.stmt], Callable[[Unit, Any], nodes.Statement]]
