"""The report on launches in SARIF 2.1.0, the format of code scanning."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any
from urllib.parse import quote

import quizapp
from grader.profiles import LaunchReport
from quizapp.report.profile.remarks import Remark, list_remarks, relative
from quizapp.report.words import Words

Plain = dict[str, Any]
_SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"


def sarif_document(report: LaunchReport, say: Words) -> bytes:
    """Return the report as a SARIF log; ASCII."""
    return json.dumps(sarif_as_plain(report, say), indent=2).encode("ascii") + b"\n"


def sarif_as_plain(report: LaunchReport, say: Words) -> Plain:
    """Return a log with one run: a rule for each kind of remark, a result for each remark."""
    remarks = list_remarks(report, say)
    rules = {remark.rule: remark for remark in remarks}
    numbers = {rule: number for number, rule in enumerate(rules)}
    driver = {
        "name": "quiz profile",
        "semanticVersion": quizapp.__version__,
        "rules": [_rule(remark) for remark in rules.values()],
    }
    run = {
        "tool": {"driver": driver},
        "columnKind": "unicodeCodePoints",
        "results": [_result(remark, numbers[remark.rule]) for remark in remarks],
    }
    return {"$schema": _SCHEMA, "version": "2.1.0", "runs": [run]}


def _rule(remark: Remark) -> Plain:
    return {
        "id": remark.rule,
        "shortDescription": {"text": remark.title},
        "defaultConfiguration": {"level": remark.level},
    }


def _result(remark: Remark, rule: int) -> Plain:
    result: Plain = {
        "ruleId": remark.rule,
        "ruleIndex": rule,
        "level": remark.level,
        "message": {"text": remark.text},
        "locations": [_location(remark.file, remark.line, remark.column)],
    }
    related = [] if remark.other is None else [_location(*remark.other)]
    said = {"message": {"text": remark.launched}}
    related += [{**_location(*place), **said} for place in remark.launches]
    if related:
        result["relatedLocations"] = related
    return result


def _location(file: str, line: int, column: int) -> Plain:
    place: Plain = {"artifactLocation": _artifact(file)}
    if line:
        place["region"] = {"startLine": line, **({"startColumn": column} if column else {})}
    return {"physicalLocation": place}


def _artifact(file: str) -> Plain:
    """Name a file: below the current folder relative to the root of the sources."""
    name = relative(file)
    if Path(name).is_absolute():
        return {"uri": Path(name).as_uri()}
    return {"uri": quote(os.fsencode(name)), "uriBaseId": "%SRCROOT%"}
