"""Lowers a Python program, and runs it for all elements, each a thread of the lockstep machine.

A function's result is a variable too, `return`, so a `Return` gives what all elements returned.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

from grader.facts import fact
from grader.layouts.arithmetic import Array, Value
from grader.layouts.errors import NAME_PARTS, TooMuchWork
from grader.layouts.lowered import as_numbers, as_vector, make_elements, perform
from grader.layouts.python import values
from grader.layouts.python.lowering import (
    LANES,
    NUMBER,
    VALUE,
    VARIABLE,
    ExpressionLowering,
    entry_lanes,
    name_of,
)
from grader.layouts.python.source import PythonFunction, PythonProgram
from grader.layouts.python.statements import is_none
from grader.layouts.python.values import LayoutVariable
from grader.simt.checks.counters import Site
from grader.simt.lockstep.functions import build_function
from grader.simt.lockstep.independent import run_function
from grader.simt.machine.chunk import Chunk, OutOfBudget
from grader.simt.program import nodes
from grader.simt.program.nodes import Expression, Operation
from grader.simt.program.types import BOOL, INT64, Dynamic

_ROUNDS = Dynamic("rounds")
_RESULT = "return"
"""The variable that holds what is returned; no source can spell it as a name."""


class FunctionLowering(ExpressionLowering):
    """Lowers the functions of one program. `result`: what the entry returns, once it runs."""

    def __init__(self, program: PythonProgram, constants: Mapping[str, int]) -> None:
        super().__init__(program, constants)
        self.result = values.EntryResult()
        self._returns_from_entry = False
        self._statements: dict[type[ast.stmt], Callable[[Any, Site], nodes.Block]] = {
            ast.Assign: self._assign,
            ast.AnnAssign: self._assign_annotated,
            ast.AugAssign: self._assign_augmented,
            ast.Return: self._return,
            ast.If: self._if,
            ast.While: self._while,
            ast.For: self._for,
            ast.Break: lambda _node, site: (nodes.Break(site),),
            ast.Continue: lambda _node, site: (nodes.Continue(site),),
            ast.Pass: lambda _node, _site: (),
            ast.Expr: lambda _node, _site: (),
        }

    def constant(self, node: ast.expr) -> nodes.Function:
        """Lower what is assigned to a name beside the functions."""
        body = (nodes.Return(self.site(node), self.value(node)),)
        return nodes.Function("constant", (), VALUE, body)

    def entry(self) -> list[nodes.Function]:
        """Lower the entry, and the functions that it calls, each after one that calls it."""
        entry = self.program.entry
        first = nodes.Function(entry.node.name, ("%depth", *entry.parameters), VALUE)
        self._returns_from_entry = True
        self.plain = dict.fromkeys(entry.unassigned, INT64)
        self._body(entry, first)
        self._returns_from_entry = False
        functions, done = [first], 0
        while done < len(called := self.called()):
            for lowered in called[done:]:
                function = self.program.functions[lowered.name]
                self.plain = dict.fromkeys(function.unassigned, VALUE)
                self._body(function, lowered)
                functions.append(lowered)
            done = len(called)
        return functions

    def _body(self, function: PythonFunction, lowered: nodes.Function) -> None:
        self.function = function
        self.assigned = frozenset(function.parameters)
        site = self.site(function.node)
        entry = nodes.Set("%entry", perform(LANES, "entry", values.entry, (), site))
        fall = partial(values.reach_the_end, function.node.name)
        end = nodes.Do(perform(VALUE, "end", fall, (), site))
        body = self._block(function.node.body)
        lowered.body = nodes.Step(site, (entry,)), *body, nodes.Step(site, (end,))

    def _block(self, body: list[ast.stmt]) -> nodes.Block:
        found: list[nodes.Statement] = []
        for node in body:
            found += self._statements[type(node)](node, self.site(node))
        return tuple(found)

    def _branch(self, body: list[ast.stmt]) -> nodes.Block:
        """Lower statements that some elements do not get to."""
        before = self.assigned
        found, self.assigned = self._block(body), before
        return found

    def _set(self, name: str, value: Expression, site: Site) -> nodes.Set:
        self.assigned |= {name}
        operands = value, nodes.Read(VARIABLE, name), entry_lanes()
        return nodes.Set(name, perform(VARIABLE, "set", values.assign, operands, site))

    def _store(self, target: ast.expr, value: Expression, site: Site) -> list[Operation]:
        if not isinstance(target, ast.Tuple):
            return [self._set(name_of(target), value, site)]
        kept, unpack = self.temporary(), partial(values.unpack, len(target.elts))
        operations: list[Operation] = [
            nodes.Set(kept, perform(VALUE, "unpack", unpack, (value,), site))
        ]
        for place, part in enumerate(target.elts):
            one = nodes.Part(NUMBER, nodes.Read(VALUE, kept), place)
            operations.append(self._set(name_of(part), one, site))
        return operations

    def _assign(self, node: ast.Assign, site: Site) -> nodes.Block:
        value = self.value(node.value)
        operations: list[Operation] = []
        if len(node.targets) > 1:
            kept = self.temporary()
            operations.append(nodes.Set(kept, value))
            value = nodes.Read(value.type, kept)
        for target in node.targets:
            operations += self._store(target, value, site)
        return (nodes.Step(site, tuple(operations)),)

    def _assign_annotated(self, node: ast.AnnAssign, site: Site) -> nodes.Block:
        assert node.value is not None  # the reader refuses it
        return (nodes.Step(site, tuple(self._store(node.target, self.value(node.value), site))),)

    def _assign_augmented(self, node: ast.AugAssign, site: Site) -> nodes.Block:
        name = ast.copy_location(ast.Name(name_of(node.target), ast.Load()), node.target)
        value = self.operate(node.op, self.number(name), self.number(node.value), site)
        return (nodes.Step(site, tuple(self._store(node.target, value, site))),)

    def _return(self, node: ast.Return, site: Site) -> nodes.Block:
        written = node.value
        if written is None or is_none(written):
            nothing = perform(VALUE, "return", values.return_nothing, (), site)
            return (nodes.Step(site, (nodes.Do(nothing),)),)
        run: Callable[..., values.LayoutVariable] = values.assign
        if self._returns_from_entry:
            parts = written.elts if isinstance(written, ast.Tuple) else [written]
            run = partial(self.result.assign, tuple(map(self.site, parts)))
        operands = self.value(written), nodes.Read(VARIABLE, _RESULT), entry_lanes()
        joined = perform(VARIABLE, "return", run, operands, site)
        given = nodes.Part(VALUE, nodes.Read(VARIABLE, _RESULT), 0)
        return nodes.Step(site, (nodes.Set(_RESULT, joined),)), nodes.Return(site, given)

    def _if(self, node: ast.If, site: Site) -> nodes.Block:
        test = self.test(node.test)
        return (nodes.If(site, test, self._branch(node.body), self._branch(node.orelse)),)

    def _while(self, node: ast.While, site: Site) -> nodes.Block:
        test = self.test(node.test)
        return (nodes.Loop(site, (), test, (), self._branch(node.body), (), ()),)

    def _for(self, node: ast.For, site: Site) -> nodes.Block:
        call = node.iter
        given = tuple(map(self.integer, call.args if isinstance(call, ast.Call) else ()))
        rounds, number = self.temporary(), self.temporary()
        begin = (
            nodes.Set(rounds, perform(_ROUNDS, "range", values.count_rounds, given, site)),
            nodes.Set(number, nodes.Number(INT64, 0)),
        )
        parts = nodes.Read(_ROUNDS, rounds), nodes.Read(INT64, number)
        test = nodes.Apply(BOOL, "has_round", values.has_round, parts)
        counted = nodes.Apply(NUMBER, "number", values.number_of_round, parts)
        before = self.assigned
        enter = tuple(self._store(node.target, counted, site))
        further = nodes.Operate(INT64, "+", (parts[1], nodes.Number(INT64, 1)))
        step = (nodes.Set(number, further),)
        body, self.assigned = self._block(node.body), before
        return (nodes.Loop(site, begin, test, enter, body, step, ()),)


def run_python(
    program: PythonProgram, arguments: Sequence[Array], constants: Mapping[str, int], elements: int
) -> tuple[Array, ...]:
    """Return the numbers that the entry returns: one, or several, each (elements,) or (1,).

    Args:
        arguments: one array, (elements,) or (1,), for each parameter.
        constants: values of the names that were given to the reader.

    Raises:
        NoValue: with the first element it happens in.
        TooMuchWork: the bound was reached.
    """
    chunk = make_elements(elements)
    try:
        value = _run(program, arguments, constants, chunk)
    except OutOfBudget as stop:
        site = stop.site
        raise TooMuchWork(fact("layout.does-not-end"), site.line, site.column) from None
    except RecursionError:
        raise TooMuchWork(fact("source.nested-too-deeply"), 1, 1, NAME_PARTS) from None
    return tuple(as_numbers(part, elements) for part in value)


def _run(
    program: PythonProgram, arguments: Sequence[Array], constants: Mapping[str, int], chunk: Chunk
) -> tuple[Array, ...]:
    lowering = FunctionLowering(program, constants)
    for name, node in program.constants:
        value: Value = run_function(lowering.constant(node), chunk, {})
        lowering.constants[name] = _literal(value)
    entry, *called = lowering.entry()
    for function in reversed(called):  # so that none is built within one that calls it
        build_function(function)
    given: dict[str, object] = {"%depth": 1}
    for name, argument in zip(program.entry.parameters, arguments, strict=True):
        vector = as_vector(argument, chunk)
        plain = name in program.entry.unassigned
        given[name] = vector if plain else LayoutVariable(vector, chunk.everyone.full)
    returned = run_function(entry, chunk, given)
    lowering.result.check()
    numbers: tuple[Array, ...] = returned if isinstance(returned, tuple) else (returned,)
    return numbers


def _literal(value: Value) -> nodes.Expression:
    """Return the node of a value that is the same in all elements."""
    if isinstance(value, tuple):
        return nodes.Pack(VALUE, tuple(map(_literal, value)))
    return nodes.Number(value.dtype, value.item())
