"""`quiz plan`: set, shown, changed, dropped; and what it refuses."""

from __future__ import annotations

import json
from datetime import date, timedelta

import pytest

FAR = (date.today() + timedelta(days=60)).isoformat()


def test_a_plan_is_set_shown_changed_and_dropped(quiz):
    assert "There is no plan" in quiz("plan").stderr
    assert json.loads(quiz("plan", "--json").stdout)["plan"] is None
    shown = quiz("plan", "--date", FAR, "--minutes", "20").stdout
    assert FAR in shown
    assert quiz("plan").stdout == shown
    plan = json.loads(quiz("plan", "--json").stdout)["plan"]
    assert (plan["date"], plan["minutes"], plan["topics"]) == (FAR, 20, [])
    assert plan["recall"]["low"] <= plan["recall"]["mean"] <= plan["recall"]["high"]
    assert plan["new"] + len(plan["left_out"]) == sum(t["questions"] for t in plan["by_topic"])
    changed = quiz("plan", "--topics", "padding,banks", "--json").stdout
    plan = json.loads(changed)["plan"]
    assert (plan["date"], plan["minutes"], plan["topics"]) == (FAR, 20, ["padding", "banks"])
    assert {row["topic"] for row in plan["by_topic"]} == {"padding", "banks"}
    assert "dropped" in quiz("plan", "--drop").stderr
    assert "There is no plan" in quiz("plan", "--drop").stderr


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--date", "soon"), "is not a date"),
        (("--date", "2020-01-01"), "must be ahead"),
        (("--date", "9999-01-01"), "must be ahead"),
        (("--minutes", "20"), "a plan needs a day"),
        (("--date", FAR, "--topics", "nonsense"), "nonsense"),
        (("--date", FAR, "--minutes", "0"), "0"),
        (("--drop", "--date", FAR), "--drop"),
    ],
)
def test_what_cannot_be_a_plan_is_refused_in_a_line_and_nothing_is_stored(quiz, arguments, said):
    ended = quiz("plan", *arguments)
    assert (ended.returncode, ended.stdout) == (2, "")
    assert said in ended.stderr.splitlines()[0]
    assert "There is no plan" in quiz("plan").stderr
