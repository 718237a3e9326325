"""`quiz mock`: line by line, resumed, listed, exported; what is refused."""

from __future__ import annotations

import json
import re

import pytest

from quizapp.domain.errors import OK, USAGE
from tests.commands.program import Said
from tests.deck.tools import ROOT
from tests.examining import shared_runs
from tests.mock_theme import overlay_theme


@pytest.fixture(autouse=True)
def _transpose_of_tests(home):
    overlay_theme(home / "content")


def hold(
    inside, *answers: str, more=("--style", "screen"), theme: str = "transpose-at-a-third"
) -> Said:
    typed = "".join(f"{line}\n" for line in answers)
    return inside("mock", "--plain", theme, *more, typed=typed)


def end(inside) -> Said:
    """End the interview, and show its answers."""
    inside("mock", "--plain", typed="e\n:q\n")
    return inside("mock", "--report", "1", "--answers")


GAVE_UP = (":g", "") * 5


def test_it_is_held_line_by_line_and_reported(inside):
    said = hold(inside, *GAVE_UP, "y")
    assert said.status == OK
    assert "phone screen, 45 min" in said.out
    interview, _, walked = said.out.partition("Everything was asked.")
    assert not re.search(r"^ *1\. Global loads .*coalesced \(\d\)$", interview, re.MULTILINE)
    assert interview.count("✗ given up") == 5
    assert "Go through the answers?" in walked
    assert "0:00 of 45:00 · this stage: par 4:00" in said.out
    assert "questions come first from tomorrow on" in said.out
    listed = inside("mock", "--list")
    assert "complete" in listed.out
    report = json.loads(inside("mock", "--report", "1", "--json").out)["interview"]
    assert [stage["state"] for stage in report["stages"]] == ["gave-up"] * 5
    assert report["queued"] == report["to_study"]
    assert report["score"] == 0


def test_inputs_that_are_chosen_or_typed_are_run_against_mistakes(inside, home):
    typed = ("n=1000 predicton=0..1", "n=0", "target=5 n=33", "2 7", "2", "")
    with shared_runs(home):
        said = hold(inside, *(":g", "") * 5, *typed, theme="sum-of-a-large-array")
        assert "of the 5 mistakes" not in said.out
        rest = end(inside)
    out = " ".join((said.out + rest.out).split())
    assert "no size or input named predicton; there are n, prediction, target" in out
    assert "CUDA refuses; the host has to return before the launch" in out
    assert "7. `n = 33; target = 5; prediction = normal`" in out
    assert "Your 2 inputs find 1 of the 5 mistakes that were tried. The best 2 of the list" in out
    assert "There can be more parts than threads in a block" in out
    assert "Sizes above 16,500 are treated as 16,500. No input of the list finds it" in out
    assert "square-expanded" not in out, "no name of a file"
    report = json.loads(inside("mock", "--report", "1", "--json").out)["interview"]
    assert "The answer is  ·" not in inside("mock", "--report", "1").out
    stage = report["stages"][5]
    assert (stage["stage"], stage["state"], stage["skill"]) == ("tests", "wrong", "correctness")
    assert stage["score"] == 0.25
    assert "The score is 0% for the 0.7 mistakes that 2 inputs drawn from the list find" in out
    assert "algorithms/kernel-mse-loss" in report["to_study"]


def test_what_is_right_is_told_once_all_was_asked_and_answer_by_answer(inside):
    answers = ("banks", "", "", "34", "", "", "1", "", "", *(":g", "") * 2)
    said = hold(inside, *answers, "1 2", "", "n", "", ":m", "", "", "9", "3", "q")
    held, _, walked = said.out.partition("The interview is over.")
    asked, _, ticked = held.partition("The model answer:")
    assert "You compare them with the model answer after the last question." in asked
    assert "\n    banks\n" in held, "what was written stands beside the model answer"
    assert "counts: source-level" not in said.out, "nothing explains it here"
    assert "Your answer:\n34\n" in walked.partition("2 of 5")[2].partition("3 of 5")[0]
    assert "You ticked 50%" in ticked
    for told in ("A row has 64 words", "The source page compares", "Only one of four memory"):
        assert told not in asked
    for shown in ("1 of 5", "You ticked: 1 2", "The model answer:", "A row has 64 words"):
        assert shown in walked
    assert "Please type numbers from 1 to 5." in walked
    assert "The source page compares" in walked.partition("3 of 5")[2]
    assert "Only one of four memory" not in walked, "nobody asked for it"


def test_code_that_fails_is_told_what_failed_and_not_how_it_is_mended(inside):
    folder = ROOT / "content" / "shared-memory" / "kernels" / "transpose-padded"
    solution = (folder / "solution.py").read_text("utf-8")
    races = solution.replace("cuda.syncthreads()", "pass").splitlines()
    conflicts = solution.replace("PITCH = TILE + 1", "PITCH = TILE").splitlines()
    said = hold(inside, *(":g", "") * 3, *races, ".", *conflicts, ".", ":q", more=())
    out = " ".join(said.out.split())
    assert "✗ race in shared memory · line" in out
    assert "no synchronization between the read of tile" in out
    assert "bank conflicts" in out
    assert "advice, run again" not in out
    assert "A warp reads elements of the tile that other warps write" not in out
    assert "Each conflict is one more wavefront" not in out


def test_facts_are_told_when_they_are_asked_for_and_later_all_the_same(inside):
    said = hold(inside, "", "3", "7 5", "", "3", "", ":q", theme="softmax-becomes-attention")
    asked, _, later = said.out.partition("\nnoted\n")
    assert "How many heads do K and V have? There are 32 KV heads" in asked
    assert "It gives the tile sizes" not in said.out
    assert "You did not ask for all of this, so I will tell you." in later
    later = end(inside).out
    counted = "You asked for 2 of the 4 facts that matter, and for 1 of the 5 that do not."
    assert counted in " ".join(later.split())
    assert "The head dimension is 128" not in asked
    assert "3 does not matter: This kernel multiplies" in later
    assert "You did not ask for it: It gives the tile sizes" in later
    report = json.loads(inside("mock", "--report", "1", "--json").out)["interview"]
    first = report["stages"][0]
    assert (first["score"], first["credit"]) == (0.3, -0.4)
    assert first["skill"] == "problem-solving"
    assert "You did not ask: " in inside("mock", "--report", "1").out


def test_facts_that_were_asked_for_are_there_when_it_is_resumed(inside):
    hold(inside, "", "7 5", theme="softmax-becomes-attention")
    said = inside("mock", "--plain", "--resume", typed="\n\n2\n\n:q\n")
    asked, _, later = said.out.partition("\nnoted\n")
    assert "What you asked before you left has been answered, and counts." in asked
    assert asked.count("How many heads do K and V have? There are 32 KV heads") == 1
    assert "left)" not in asked, "nothing says how many matter"
    assert later


def test_it_is_resumed_where_the_input_ended(inside):
    assert "can be resumed" in hold(inside, ":g", "").out
    assert json.loads(inside("mock", "--list", "--json").out)["interviews"][0]["ending"] == "open"
    said = inside("mock", "--plain", "--resume", typed=":u\n:b\n:?\n:q\n")
    assert "Interview 1 resumes where you left off" in said.out
    assert "2 of 5" in said.out
    assert said.out.count("Not during an interview.") == 2, "an answer stands"
    listed = set(re.findall(r"^:(.)", said.out, re.MULTILINE))
    assert listed == {*"hgrxolem?q"}, "and nothing is offered that takes one back"
    assert "1 of 5" not in said.out


def test_words_are_compared_with_the_model_answer_once_all_was_asked(inside):
    left = hold(inside, "banks", "", "", *(":g", "") * 4, ":q").out
    assert "The model answer:" in left
    assert "Still to be compared by you" in left
    assert "1 answer is still to be compared" in hold(inside, "q").out
    said = inside("mock", "--plain", "--resume", typed="1\n\n:q\n").out
    before, model, _ = said.partition("The model answer:")
    assert model
    assert "Your answer stands." in before
    assert "    banks" in before
    report = json.loads(inside("mock", "--report", "1", "--json").out)["interview"]
    assert report["stages"][0]["points_covered"] == 1
    assert report["ending"] == "done"


def test_an_unfinished_one_is_gone_on_with_or_ended_as_incomplete_before_another_begins(inside):
    hold(inside, ":g", "")
    left = hold(inside, "q")
    assert (left.status, "The interview can be resumed" in left.out) == (OK, True)
    gone_on = hold(inside, "what?", "", ":q")
    assert gone_on.out.count("Interview 1 is unfinished: stage 2 of 5 is next.") == 2
    assert "Interview 1 resumes where you left off." in gone_on.out
    assert "2 of 5" in gone_on.out
    assert len(json.loads(inside("mock", "--list", "--json").out)["interviews"]) == 1
    begun = hold(inside, "e", ":q")
    assert "Interview 1 has ended as incomplete" in begun.out
    assert "1 of 5" in begun.out
    first, second = json.loads(inside("mock", "--list", "--json").out)["interviews"]
    assert (first["ending"], second["ending"]) == ("left", "open")
    report = inside("mock", "--report", "1")
    assert "incomplete" in report.out.lower()
    assert "gave up" in report.out


def test_a_stage_that_was_not_reached_is_named_by_its_question(inside):
    hold(inside, ":g", "")
    assert "How many shared" not in inside("mock", "--report", "1").out
    running = json.loads(inside("mock", "--report", "1", "--json").out)["interview"]
    assert [stage["stage"] for stage in running["stages"]] == ["why"], "what is to come is not told"
    end(inside)
    stages = json.loads(inside("mock", "--report", "1", "--json").out)["interview"]["stages"]
    assert [stage["state"] for stage in stages] == ["gave-up", *["not-reached"] * 4]
    shown = inside("mock", "--report", "1").out
    assert "2. How many shared" in shown
    assert stages[-1]["stage"] == "next-architecture"
    assert "next architecture" not in shown
    assert shown.count("not reached") == 4


def test_two_people_hold_the_same_interview_and_see_both_reports(inside, tmp_path):
    file = tmp_path / "ann.json"
    hold(inside, *GAVE_UP)
    assert inside("mock", "--export", file).status == OK
    again = inside("mock", "--plain", "--with", file, typed="\n".join((*GAVE_UP, "")))
    assert again.status == OK
    assert "phone screen, 45 min" in again.out
    assert "5 of 5" in again.out
    assert "Both of you, stage by stage" in again.out
    both = inside("mock", "--report", "2", "--with", file)
    assert "Both of you, stage by stage" in both.out
    assert both.out.count(" 0%") >= 10
    first, second = json.loads(inside("mock", "--list", "--json").out)["interviews"]
    assert [s["stage"] for s in first["stages"]] == [s["stage"] for s in second["stages"]]


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (lambda told: told.pop("begun"), "was not written by"),
        (lambda told: told["begun"].update(minutes=0), "minutes"),
        (lambda told: told["begun"]["stages"].append("gone/theme/stage"), "gone/theme/stage"),
    ],
)
def test_a_file_that_is_no_interview_of_this_deck_is_refused(inside, tmp_path, change, says):
    file = tmp_path / "ann.json"
    hold(inside, *GAVE_UP)
    inside("mock", "--export", file)
    told = json.loads(file.read_text())
    change(told)
    file.write_text(json.dumps(told))
    said = inside("mock", "--plain", "--with", file)
    assert (said.status, says in said.err) == (USAGE, True)
    assert len(json.loads(inside("mock", "--list", "--json").out)["interviews"]) == 1


def test_a_report_is_exported_as_markdown_and_html(inside, tmp_path):
    hold(inside, *GAVE_UP)
    for name, begins in (("report.md", "# Mock interview 1"), ("report.html", "<!doctype html>")):
        assert inside("mock", "--export", tmp_path / name).status == OK
        assert (tmp_path / name).read_text("utf-8").startswith(begins)
        assert "exists already" in inside("mock", "--export", tmp_path / name).err
        assert inside("mock", "--export", tmp_path / name, "--overwrite").status == OK


def test_themes_are_listed(inside):
    assert "transpose-at-a-third" in inside("mock", "--themes").out
    themes = json.loads(inside("mock", "--themes", "--json").out)["themes"]
    assert {"theme", "title", "about", "topic", "difficulty", "minutes", "stages"} == {*themes[0]}


def test_a_theme_goes_by_its_title_as_it_is_printed(inside):
    [theme, *_] = json.loads(inside("mock", "--themes", "--json").out)["themes"]
    said = inside("mock", "--plain", theme["title"].upper(), typed=":q\n")
    assert said.status == OK
    assert theme["title"] in inside("mock", "--list").out


def test_what_cannot_be_is_refused_in_a_line(inside, tmp_path):
    for arguments, says in (
        (("--plain", "transposed"), "there is no interview theme 'transposed'"),
        (("--plain", "--resume"), "no interview is unfinished"),
        (("--report", "7"), "there is no interview yet"),
        (("--export", tmp_path / "report.pdf"), "does not end in .md, .html, or .json"),
        (("--minutes", "2"), "2"),
    ):
        said = inside("mock", *arguments)
        assert said.status == USAGE, arguments
        assert says in said.err


def test_a_theme_is_written_that_lints(inside, home):
    said = inside("new", "mock", "--id", "my-theme")
    path = said.out.strip()
    assert path == str(home / "content" / "mine" / "mock" / "my-theme.yaml")
    linted = inside("lint", path)
    assert (linted.status, linted.out) == (OK, "")
    assert "my-theme" in inside("mock", "--themes").out
    assert inside("new", "mock", "--id", "my-theme").status == USAGE
