"""The JSON Schema against the types, and every shipped question against the schema.

The validator below knows only the words that our schema uses, and fails on any other: it is small
enough to be read, and it is not the code that made the schema.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest
import yaml

from quizapp.deck.writing.schema import schema
from quizapp.deck.yaml_reader import read
from quizapp.domain.question import KINDS, SET_WHEN_PUT, AnyQuestion
from tests.deck.test_validate import ONE_FAULT
from tests.deck.tools import KINDS as TEXTS
from tests.deck.tools import ROOT, question
from tests.tables import each

SCHEMA = json.loads(json.dumps(schema()))
TYPES: dict[str, Any] = {
    "object": dict,
    "array": list,
    "string": str,
    "boolean": bool,
    "null": type(None),
    "integer": int,
    "number": (int, float),
}
NOTES = {"title", "description", "default", "$schema", "$defs", "discriminator"}


def accepts(rule: dict[str, Any], value: Any) -> bool:
    """Whether `value` is valid by JSON Schema 2020-12, as far as our schema needs it."""
    unknown = set(rule) - set(KEYWORDS) - NOTES
    assert not unknown, f"the schema uses {unknown}, which this test does not know"
    return all(
        check(wanted, value, rule)
        for word, (kind, check) in KEYWORDS.items()
        if (wanted := rule.get(word)) is not None and is_a(kind, value)
    )


def is_a(kind: str, value: Any) -> bool:
    if kind == "any":
        return True
    if isinstance(value, bool):
        return kind == "boolean"
    return isinstance(value, TYPES[kind])


def additional(wanted: Any, value: dict[str, Any], rule: dict[str, Any]) -> bool:
    rest = [value[key] for key in value if key not in rule.get("properties", {})]
    return all(wanted is not False and accepts(wanted, one) for one in rest)


def items(wanted: Any, value: list[Any], rule: dict[str, Any]) -> bool:
    rest = value[len(rule.get("prefixItems", [])) :]
    return all(wanted is not False and accepts(wanted, one) for one in rest)


KEYWORDS: dict[str, tuple[str, Callable[[Any, Any, dict[str, Any]], bool]]] = {
    "$ref": ("any", lambda w, v, _: accepts(SCHEMA["$defs"][w.removeprefix("#/$defs/")], v)),
    "anyOf": ("any", lambda w, v, _: any(accepts(one, v) for one in w)),
    "type": ("any", lambda w, v, _: any(is_a(t, v) for t in ([w] if isinstance(w, str) else w))),
    "enum": ("any", lambda w, v, _: v in w),
    "properties": ("object", lambda w, v, _: all(accepts(w[k], v[k]) for k in w if k in v)),
    "additionalProperties": ("object", additional),
    "propertyNames": ("object", lambda w, v, _: all(accepts(w, key) for key in v)),
    "required": ("object", lambda w, v, _: all(key in v for key in w)),
    "items": ("array", items),
    "prefixItems": ("array", lambda w, v, _: all(map(accepts, w, v))),
    "minItems": ("array", lambda w, v, _: len(v) >= w),
    "maxItems": ("array", lambda w, v, _: len(v) <= w),
    "minLength": ("string", lambda w, v, _: len(v) >= w),
    "maxLength": ("string", lambda w, v, _: len(v) <= w),
    "pattern": ("string", lambda w, v, _: re.search(w, v) is not None),
    "minimum": ("number", lambda w, v, _: v >= w),
    "maximum": ("number", lambda w, v, _: v <= w),
    "exclusiveMinimum": ("number", lambda w, v, _: v > w),
}
"""Each word: what it speaks of, and what it asks, from (what it says, the value, its rule)."""


# Against the types


def definition(kind: str) -> dict[str, Any]:
    return SCHEMA["$defs"][KINDS[kind].__name__]


def test_a_file_is_one_question_or_a_list_of_them_or_a_theme():
    one, many, theme = SCHEMA["anyOf"]
    assert theme == {"$ref": "#/$defs/ThemeFields"}
    assert many == {"type": "array", "items": one}
    named = {ref["$ref"].rsplit("/", 1)[1] for ref in one["anyOf"]}
    assert named == {kind.__name__ for kind in KINDS.values()}


@pytest.mark.parametrize("kind", KINDS)
def test_each_kind_has_its_tag_its_fields_and_no_others(kind):
    fields = msgspec.structs.fields(KINDS[kind])
    found = definition(kind)
    assert found["properties"]["kind"] == {"enum": [kind]}
    written = {field.name for field in fields} - {*SET_WHEN_PUT}
    assert set(found["properties"]) == {"kind", *written}
    assert set(found["required"]) == {"kind", *(f.name for f in fields if f.required)}
    assert found["additionalProperties"] is False


def test_the_authoring_guide_names_every_field():
    guide = (ROOT / "docs" / "authoring.md").read_text("utf-8")
    for kind in KINDS:
        for name in definition(kind)["properties"]:
            assert re.search(rf"`{name}[`:]", guide), name


def test_every_reference_leads_to_a_definition():
    text = json.dumps(SCHEMA)
    for name in re.findall(r'"#/\$defs/(\w+)"', text):
        assert name in SCHEMA["$defs"]


def test_quiz_schema_prints_it():
    done = subprocess.run(
        [sys.executable, "-m", "quizapp", "schema"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    assert json.loads(done.stdout) == SCHEMA


def test_the_schema_beside_the_content_is_this_one():
    """It is what an editor finds: an old one would call fine questions wrong."""
    assert json.loads((ROOT / "content/schema.json").read_text("utf-8")) == SCHEMA, (
        "python -m quizapp schema > content/schema.json"
    )


# Against questions

SHIPPED = sorted(
    path for path in (ROOT / "content").glob("*/**/*.yaml") if path.name != "pack.yaml"
)


@each("path", SHIPPED, ids=[str(p.relative_to(ROOT)) for p in SHIPPED])
def test_every_shipped_file_is_valid_by_the_schema(path: Path):
    data = read(path.read_bytes()).data
    for item in data if isinstance(data, list) else [data]:
        assert accepts(SCHEMA, item), item["id"]
    assert accepts(SCHEMA, data)


@each("path", SHIPPED, ids=[str(p.relative_to(ROOT)) for p in SHIPPED])
def test_every_shipped_file_leads_an_editor_to_the_schema(path: Path):
    first = path.read_text("utf-8").partition("\n")[0]
    modeline, _, place = first.partition("$schema=")
    assert modeline == "# yaml-language-server: "
    assert (path.parent / place).resolve() == ROOT / "content/schema.json"


def test_what_stands_in_files_beside_a_question_may_be_left_out():
    beside = {
        "Kernel": {"starter", "solution", "reference"},
        "GpuPart": {"baseline"},
        "WrongKernel": {"source"},
    }
    for name, fields in beside.items():
        definition = SCHEMA["$defs"][name]
        assert not fields & {*definition["required"]}
        assert fields <= {*definition["properties"]}


@pytest.mark.parametrize("kind", TEXTS)
def test_the_schema_accepts_what_validation_accepts(kind):
    assert accepts(SCHEMA, yaml.safe_load(TEXTS[kind]))
    assert accepts(SCHEMA, yaml.safe_load(TEXTS[kind])[0])


BY_SCHEMA = {
    name: text.replace("¦", "")
    for name, (text, _, _) in ONE_FAULT.items()
    # JSON has no infinities, and whole numbers of any size
    if not any(word in name for word in ("without end", "not a number", "too large", "everything"))
    and "database" not in name
}


@each("text", BY_SCHEMA.values(), ids=BY_SCHEMA.keys())
def test_the_schema_refuses_what_validation_refuses(text):
    """An editor must not call fine what `quiz lint` refuses."""
    assert not accepts(SCHEMA, read(text.encode()).data)


def test_types_and_schema_agree_on_a_question_with_everything():
    data = yaml.safe_load(
        question(
            hints="[{en: a, zh: 一}]",
            claims="[1]",
            units="{ms: 1000}",
            unit="s",
            tolerance="2%",
            basis="as-compiled",
        )
    )[0]
    assert accepts(SCHEMA, data)
    assert msgspec.convert(data, AnyQuestion).id == "a-number"
