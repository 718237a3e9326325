"""`quiz plan`: set, shown, changed, dropped; and what it refuses."""

from __future__ import annotations

import json
from datetime import date, timedelta

import pytest

from tests.commands.program import answer

FAR = (date.today() + timedelta(days=60)).isoformat()


def test_a_plan_is_set_shown_changed_and_dropped(quiz):
    """Of all topics at first, which are simulated for 2 s; then of two, for 0.2 s."""
    assert "There is no plan" in quiz("plan").stderr
    assert json.loads(quiz("plan", "--json").stdout)["plan"] is None
    assert json.loads(quiz("due", "--json").stdout)["planned"] is None
    unsaid = quiz("plan", "--date", FAR, "--topics", "padding", "--json").stdout
    assert json.loads(unsaid)["plan"]["minutes"] == 45
    quiz("plan", "--drop")
    was_set = quiz("plan", "--date", FAR, "--minutes", "1")
    said = f"Plan set for {FAR}: 1 min per day, all topics. `quiz plan --drop` drops it.\n"
    assert was_set.stderr == said
    plan = json.loads(quiz("plan", "--json").stdout)["plan"]
    assert (plan["date"], plan["minutes"], plan["topics"]) == (FAR, 1, [])
    topics = {row["topic"] for row in plan["by_topic"]}
    assert {"padding", "banks", "vector-access"} < topics
    was_changed = quiz("plan", "--topics", "padding,banks")
    shown = was_changed.stdout
    assert FAR in shown
    assert "on the day; not met counts as 0" in shown
    assert quiz("plan").stdout == shown
    assert quiz("plan").stderr == ""
    plan = json.loads(quiz("plan", "--json").stdout)["plan"]
    assert (plan["date"], plan["minutes"], plan["topics"]) == (FAR, 1, ["padding", "banks"])
    assert {row["topic"] for row in plan["by_topic"]} == {"padding", "banks"}
    assert plan["recall"]["low"] <= plan["recall"]["mean"] <= plan["recall"]["high"]
    assert all(round(share, 4) == share for share in plan["recall"].values())
    assert plan["new"] + len(plan["left_out"]) == sum(t["questions"] for t in plan["by_topic"])
    listed = quiz("plan", "--left-out").stdout.split()
    assert [word for word in listed if word in plan["left_out"]] == plan["left_out"] != []
    assert json.loads(quiz("due", "--json").stdout)["planned"] == plan["new"]
    changed = quiz("plan", "--topics", "Vector access, 转置", "--minutes", "20", "--json").stdout
    plan = json.loads(changed)["plan"]
    assert (plan["minutes"], plan["topics"]) == (20, ["vector-access", "transpose"])
    kept = quiz("plan", "--minutes", "1")
    assert 'quiz plan --topics ""` plans all topics' in kept.stderr
    assert "  1  minute per day\n" in kept.stdout
    words = " ".join(kept.stdout.split())
    assert "more wait for questions of other topics: add `--topics vector-acc" in words
    assert "of what is asked on these topics" in kept.stdout
    assert all(len(line) <= 80 for line in kept.stdout.splitlines())
    assert "dropped" in quiz("plan", "--drop").stderr
    assert "There is no plan" in quiz("plan", "--drop").stderr


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--date", "2027-02-30"), "is not a date of the form YYYY-MM-DD"),
        (("--date", "2020-01-01"), "must be ahead"),
        (("--date", "9999-01-01"), "must be ahead"),
        (("--minutes", "20"), "a plan needs a day"),
        (("--date", FAR, "--topics", "nonsense"), "nonsense"),
        (("--date", FAR, "--minutes", "0"), "0"),
        (("--date", FAR, "--minutes", "601"), "from 1 to 600"),
        (("--drop", "--date", FAR), "--drop"),
        (("--drop", "--left-out"), "--drop"),
    ],
)
def test_what_cannot_be_a_plan_is_refused_in_a_line_and_nothing_is_stored(quiz, arguments, said):
    ended = quiz("plan", *arguments)
    assert (ended.returncode, ended.stdout) == (2, "")
    assert said in ended.stderr.splitlines()[0]
    assert "There is no plan" in quiz("plan").stderr


def test_while_a_plan_holds_it_has_the_date_of_the_interview(quiz):
    later = (date.today() + timedelta(days=90)).isoformat()
    assert quiz("config", "interview_date", later).returncode == 0
    quiz("plan", "--date", FAR, "--topics", "padding")
    assert quiz("config", "interview_date").stdout == f"{FAR}\n"
    found = json.loads(quiz("config", "interview_date", "--json").stdout)
    assert (found["value"], found["source"]) == (FAR, "plan")
    refused = quiz("config", "interview_date", later)
    assert (refused.returncode, refused.stdout) == (2, "")
    assert FAR in refused.stderr
    assert f"quiz plan --date {later}" in refused.stderr
    quiz("plan", "--drop")
    assert quiz("config", "interview_date").stdout == f"{later}\n"
    assert json.loads(quiz("config", "interview_date", "--json").stdout)["source"] == "file"


def test_due_says_of_what_its_recall_is(inside):
    answer(3, topic="padding")
    inside("plan", "--date", FAR, "--topics", "padding")
    said = " ".join(inside("due").out.split())
    assert "of the 3 questions met, without further reviews" in said
