"""Which arguments a person's reference gets."""

from __future__ import annotations

from inspect import Parameter, Signature

import pytest

from grader.simt.host.files.binding import bind, group_members, split_members

GIVEN = ("p", "in", "a.lr", "a.step", "out")


def signature(text: str) -> Signature:
    """Return that of a function with these parameters."""
    kinds = {"**": Parameter.VAR_KEYWORD}
    return Signature(
        Parameter(
            name.partition("=")[0].lstrip("*"),
            kinds.get(name[:2], Parameter.POSITIONAL_OR_KEYWORD),
            default=1 if "=" in name else Parameter.empty,
        )
        for name in text.split()
    )


@pytest.mark.parametrize(
    ("parameters", "names"),
    [
        ("p in_", "p in"),
        ("a in_", "a in"),
        ("p lr", "p a.lr"),
        ("p more=1", "p"),
        ("x y z", "p in a"),
        ("p y z", "p in a"),
        ("x y z w", "p in a.lr a.step"),
        ("v w x y z", "p in a.lr a.step out"),
    ],
)
def test_names_decide_and_then_the_order(parameters, names):
    found = bind(signature(parameters), GIVEN, ("out",))
    assert [*found.names.values()] == names.split()


@pytest.mark.parametrize(
    ("parameters", "missing"), [("x p z", "x"), ("p other", "other"), ("other **kw", "other")]
)
def test_what_is_neither_named_nor_at_its_place_is_refused(parameters, missing):
    assert bind(signature(parameters), GIVEN, ("out",)) == missing


def test_two_stars_take_the_rest():
    bound = bind(signature("in_ **kw"), GIVEN, ("out",))
    assert bound.rest == ("p", "a", "out")
    assert bound.take(GIVEN) == GIVEN


def test_members_of_a_struct_are_attributes_and_items():
    parts = split_members("a", (0.5, {"x": 3, "lambda": 2}), ("lr", "by"))
    assert parts == {"a.lr": 0.5, "a.by.x": 3, "a.by.lambda": 2}
    struct = group_members(parts)["a"]
    assert (struct.lr, struct["lr"], struct[0], struct.by.lambda_) == (0.5, 0.5, 0.5, 2)
    assert not hasattr(struct, "step")
