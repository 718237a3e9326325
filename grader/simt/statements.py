"""Statements, for threads that may be at different places.

A statement takes the mask of those that come to it and hands on the mask of those that go on to the
next one (None: nobody). `break`, `continue` and `return` are threads that do not go on.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence

import numpy as np

from grader.simt.chunk import Split
from grader.simt.environment import copied, joined_env
from grader.simt.folding import decided
from grader.simt.liveness import may_pause
from grader.simt.loops import Loops, count_branch
from grader.simt.masks import Mask, together
from grader.simt.raising import checked, named_error, raising
from grader.simt.turns import Step, in_order, in_turns, rejoined, taken
from grader.simt.typed import (
    Execute,
    Frame,
    Typed,
    merged,
)
from grader.simt.types import (
    Nothing,
)

_FORMS: dict[type[ast.stmt], str] = {
    ast.Assign: "_assign",
    ast.AnnAssign: "_assign_annotated",
    ast.AugAssign: "_assign_augmented",
    ast.Expr: "_expression",
    ast.If: "_if",
    ast.For: "_for",
    ast.While: "_while",
    ast.Break: "_break",
    ast.Continue: "_continue",
    ast.Return: "_return",
    ast.Assert: "_assert",
    ast.Raise: "_raise",
}

"""Which method makes a form ready."""


class Statements(Loops):
    """All statements; each method types one and gives what executes it."""

    def block(self, body: Sequence[ast.stmt]) -> Execute:
        """Several statements, one after the other."""
        steps: list[Step] = []
        for node in body:
            if isinstance(node, ast.Pass) or _is_text(node):
                continue
            steps.append((self.site(node), self._statement(node)))
            if self.env is None:
                break
        return in_turns(steps) if any(map(may_pause, body)) else in_order(steps)

    def _statement(self, node: ast.stmt) -> Execute:
        form = _FORMS.get(type(node))
        if form is None:
            raise self.unavailable(node)
        made: Execute = getattr(self, form)(node)
        return made

    def _expression(self, node: ast.Expr) -> Execute:
        self.unused = node.value  # an atomic's result, if it is one
        evaluate = self.value(node.value).evaluate

        def execute(frame: Frame, mask: Mask) -> Mask:
            evaluate(frame, mask)
            return mask

        return execute

    def _assert(self, node: ast.Assert) -> Execute:
        """Numba leaves the exception out where it does not debug; the test is evaluated."""
        test = self.truth(node.test)
        if self.function.debug:
            text = [node.msg.value] if isinstance(node.msg, ast.Constant) else []
            fail = raising(self.function, node, AssertionError, *text)
            test = checked(test, np.logical_not, fail)

        def execute(frame: Frame, mask: Mask) -> Mask:
            test(frame, mask)
            return mask

        return execute

    def _raise(self, node: ast.Raise) -> Execute:
        """A thread that raises is gone; with `debug=True` so is the launch."""
        if not self.is_kernel:
            what = "raise in a device function is not emulated"
            raise self.refused(node, what, "return a number, and raise in the kernel")
        kind, args = named_error(self.function, node)
        self.env = None
        site = self.site(node)
        if self.function.debug:
            return raising(self.function, node, kind, *args)

        def execute(frame: Frame, mask: Mask) -> None:
            frame.chunk.returned.append((mask, site))

        return execute

    def _if(self, node: ast.If) -> Execute:
        holds = decided(node.test)
        if holds is not None:
            return self.block(node.body if holds else node.orelse)
        test, site = self.truth(node.test), self.site(node)
        before = copied(self.env)
        body = self.block(node.body)
        after, self.env = self.env, before
        other = self.block(node.orelse)
        self.env = joined_env(after, self.env)

        def execute(frame: Frame, mask: Mask) -> Mask | None:
            yes, no = mask.split(test(frame, mask))
            count_branch(site, mask, yes, no)
            if no is None:
                return body(frame, mask)
            if yes is None:
                return other(frame, mask)
            splits = frame.chunk.splits
            splits.append(Split(mask, site))
            left = body(frame, yes)
            paused = taken(frame)
            right = other(frame, no)
            splits.pop()
            if left is yes and right is no:
                return mask
            paused += taken(frame)
            return rejoined(frame, mask, together(mask, left, right), paused)

        return execute

    def _return(self, node: ast.Return) -> Execute:
        typed = Typed(Nothing()) if node.value is None else self.value(node.value)
        self.returns.append(typed.type)
        self.env = None
        site, evaluate, is_kernel = self.site(node), typed.evaluate, self.is_kernel

        def execute(frame: Frame, mask: Mask) -> None:
            value = evaluate(frame, mask)
            if value is not None:
                frame.result = merged(mask, value, frame.result)
            elif is_kernel:
                frame.chunk.returned.append((mask, site))

        return execute


def _is_text(node: ast.stmt) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
