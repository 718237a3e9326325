"""Remarks on lines: SARIF as its schema has it, and GitHub's annotations."""

from __future__ import annotations

import json
import os
import re
from dataclasses import replace
from pathlib import Path
from urllib.parse import unquote

import pytest

from grader.facts import fact
from grader.profiles import make_report
from grader.profiles.values import Caller
from grader.simt import Finding
from quizapp.report.profile.remarks import github_lines, list_remarks
from quizapp.report.profile.sarif import sarif_as_plain, sarif_document
from quizapp.report.words import Words
from tests.grader.profiles.records import NAIVE, recorded, transposed

SAY = Words("en")
SCHEMA = os.environ.get("QUIZ_SARIF_SCHEMA", "")
"""Where OASIS's sarif-schema-2.1.0.json is; it has no license that lets it stand here."""


@pytest.fixture
def report(tmp_path, monkeypatch):
    """Two launches of one kernel with a race and a warning, and a third with scattered stores."""
    monkeypatch.chdir(tmp_path)
    race = Finding(
        "race", 12, 16, fact("finding.budget"), "write-read", other_line=8, other_column=5,
    )  # fmt: skip
    warned = Finding("warning", 9, 0, fact("finding.budget"), "x", file="/else where/50%,a:b.py")
    here = str(tmp_path / "sub folder" / "kernel.py")
    launch = replace(transposed(), file=here, findings=(race, warned), caller=Caller())
    other = replace(launch, grid=(1, 1, 1))
    return make_report([launch, launch, other, replace(recorded(NAIVE), file=here)])


def test_a_remark_is_there_once_for_each_place(report):
    found = [(remark.rule, remark.level, remark.line) for remark in list_remarks(report, SAY)]
    assert found == [
        ("race", "error", 12),
        ("warning", "warning", 9),
        ("bank-conflict", "note", 12),
        ("excessive-sectors", "note", 6),
    ]


def test_sarif_names_rules_places_and_both_lines(report):
    log = json.loads(sarif_document(report, SAY))
    [run] = log["runs"]
    rules = [rule["id"] for rule in run["tool"]["driver"]["rules"]]
    assert len(rules) == len(set(rules))
    for result in run["results"]:
        assert rules[result["ruleIndex"]] == result["ruleId"]
        for location in result["locations"] + result.get("relatedLocations", []):
            artifact = location["physicalLocation"]["artifactLocation"]
            relative = artifact.get("uriBaseId") == "%SRCROOT%"
            assert relative != artifact["uri"].startswith("file:///")
            assert re.fullmatch(r"[\w/.:%~-]+", artifact["uri"])
            assert unquote(artifact["uri"]).endswith(("sub folder/kernel.py", "50%,a:b.py"))
    race = run["results"][0]
    [place], [other] = race["locations"], race["relatedLocations"]
    assert place["physicalLocation"]["region"] == {"startLine": 12, "startColumn": 16}
    assert other["physicalLocation"]["region"] == {"startLine": 8, "startColumn": 5}


@pytest.mark.skipif(not SCHEMA, reason="QUIZ_SARIF_SCHEMA does not name the published schema")
@pytest.mark.parametrize("language", ["en", "zh"])
def test_sarif_is_valid_against_the_published_schema(report, language):
    jsonschema = pytest.importorskip("jsonschema")
    schema = json.loads(Path(SCHEMA).read_text("utf-8"))
    check = jsonschema.validators.validator_for(schema)(schema)
    for log in (sarif_as_plain(report, Words(language)), sarif_as_plain(make_report([]), SAY)):
        assert [error.message for error in check.iter_errors(log)] == []
    del log["runs"][0]["tool"]
    assert list(check.iter_errors(log))


def test_a_fault_is_also_at_every_line_that_launches_its_kernel(report):
    [group, *_] = report.groups
    race = group.launch.findings[0]
    lines = (40, 50, 40)
    launches = [
        replace(group.launch, grid=(1, 1, n + 1), caller=Caller("main.py", line), findings=(race,))
        for n, line in enumerate(lines)
    ]
    report = make_report(launches)
    said = "transpose, launched here, has a fault: race in shared memory, line 12"
    _, *shown = list(github_lines(report, SAY))[:3]
    assert shown == [
        f"::error file=main.py,line={line},title=race in shared memory::{said}" for line in (40, 50)
    ]
    [run] = sarif_as_plain(report, SAY)["runs"]
    _, *related = run["results"][0]["relatedLocations"]
    assert [place["message"]["text"] for place in related] == [said] * 2
    regions = [place["physicalLocation"]["region"] for place in related]
    assert regions == [{"startLine": 40}, {"startLine": 50}]


def test_annotations_of_github_escape_what_would_end_them(report):
    race, warning, *costs = github_lines(report, SAY)
    assert race.startswith(
        "::error file=sub folder/kernel.py,line=12,col=16,title=race in shared memory::"
    )
    assert warning.startswith("::warning file=/else where/50%25%2Ca%3Ab.py,line=9,title=warning::")
    assert [cost.partition(" ")[0] for cost in costs] == ["::notice"] * 2
    assert re.search(r"costs \d+%25 of shared wavefronts: 32-way, pad to 33$", costs[0])
    assert not any("\n" in line for line in (race, warning, *costs))
