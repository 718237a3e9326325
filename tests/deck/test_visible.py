"""Characters that steer a terminal, in every text there is: shown by the deck, placed by lint."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from quizapp.deck import yaml_reader
from quizapp.deck.compiler import DeckCompilation, compile_deck
from quizapp.deck.index import SourceFile, sources, stamp
from quizapp.deck.linting.lint import lint
from quizapp.domain.question import KINDS
from quizapp.system.safe_text import is_safe
from tests.deck.tools import MARK
from tests.sampling import every
from tests.sentences import english

CONTENT = Path(__file__).parents[2] / "content"
OSC_52 = "\x1b]52;c;UVVJWg==\x07"
OSC_8 = "\x1b]8;;http://evil\x1b\\"
CSI = "\x1b[7;77H"
C1 = "\x9b7;77H"
BIDI = "\u202e\u2066"
PAYLOADS = {"OSC 52": OSC_52, "OSC 8": OSC_8, "CSI": CSI, "C1": C1, "bidi": BIDI}

Path_ = tuple[str | int, ...]


def shipped() -> dict[str, tuple[dict[str, Any], SourceFile]]:
    """Of each kind the shipped question with the most texts, and its file."""
    found: dict[str, tuple[dict[str, Any], SourceFile]] = {}
    for file in sources([str(CONTENT)]):
        data = yaml_reader.read(file.data).data
        for question in data if isinstance(data, list) else [data]:
            kind = question.get("kind")  # none: the pack's own file
            if kind is None:
                continue
            if kind not in found or len([*texts(question)]) > len([*texts(found[kind][0])]):
                found[kind] = question, file
    return found


def texts(data: Any, path: Path_ = ()) -> Iterator[Path_]:
    """The path of every text in plain data."""
    if isinstance(data, str):
        yield path
    elif isinstance(data, dict | list):
        for step, part in data.items() if isinstance(data, dict) else enumerate(data):
            yield from texts(part, (*path, step))


def with_payload(data: Any, path: Path_, payload: str) -> Any:
    """The data with something added to the text at `path`."""
    if not path:
        return data + payload
    copy = data.copy()
    copy[path[0]] = with_payload(data[path[0]], path[1:], payload)
    return copy


SHIPPED = shipped()
FIELDS = [(kind, path) for kind, (data, _) in SHIPPED.items() for path in texts(data)]


def compile_question(question: Any, file: SourceFile) -> tuple[str, DeckCompilation]:
    """The question as the only one of its file, written as JSON, which is YAML."""
    text = json.dumps(question if question["kind"] == "kernel" else [question])
    return text, compile_deck([SourceFile(file.root, file.path, text.encode(), file.stamp, "")])


def test_there_is_a_question_of_every_kind():
    assert set(SHIPPED) == set(KINDS)


@pytest.mark.parametrize("name", every(2, PAYLOADS, str))
def test_nothing_of_it_is_left_in_any_field_and_its_place_is_named(name):
    """Each field has one of the payloads: which characters are hidden is the same in all."""
    payload = PAYLOADS[name]
    first = payload[0]
    for kind, path in FIELDS[[*PAYLOADS].index(name) :: len(PAYLOADS)]:
        question, file = SHIPPED[kind]
        text, result = compile_question(with_payload(question, path, payload), file)
        for entry in result.compiled.entries:
            assert all(is_safe(cell) for cell in entry if isinstance(cell, str)), (kind, path)
        assert is_safe(json.dumps(json.loads(f"[{bodies(result)}]"), ensure_ascii=False))
        column = text.index(json.dumps(first)[1:-1]) + 1
        places = {(p.line, p.column) for p in result.problems if "hides text" in english(p)}
        assert places == {(1, column)}, (kind, path)
        assert all(is_safe(f"{english(p)}{p.question}") for p in result.problems), (kind, path)


def bodies(result: DeckCompilation) -> str:
    """The questions' JSON, with commas between."""
    whole, entries = bytes(result.compiled.bodies), result.compiled.entries
    return ",".join(whole[e.start : e.start + e.length].decode() for e in entries)


def write(path: Path, text: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, "utf-8")
    return path


@pytest.mark.parametrize(
    "prompt",
    [
        "plain ¦\u202etext",
        "'quoted ¦\u200btext'",
        '"escaped ¦\\e[2J"',
        '"by number ¦\\x9b"',
        '"a backslash \\\\x1b and ¦\\u2066"',
        '"with a line\n    ¦\\u2066 below"',
        '"a tab \\t, a line \\n, and ¦\\0"',
        "|\n    a block\n    of ¦\u2069 text",
        "冲突 ¦\u202e",
    ],
)
def test_the_place_is_that_of_the_character(prompt, tmp_path):
    marked = f"- id: a-number\n  prompt: {prompt}\n  kind: number\n  answer: 1\n"
    before, after = marked.split(MARK)
    file = write(tmp_path / "pack" / "a.yaml", before + after)
    problems = lint([file], [str(tmp_path)]).problems
    found = [p for p in problems if "hides text" in english(p)]
    place = (before.count("\n") + 1, len(before) - before.rfind("\n"))
    assert [(p.line, p.column) for p in found] == [place]
    assert found[0].question == "pack/a-number"


def test_a_character_that_yaml_forbids_has_a_place_too(tmp_path):
    file = write(tmp_path / "pack" / "a.yaml", "- id: a\n  prompt: 冲突\x1b[2J\n")
    (problem,) = lint([file], [str(tmp_path)]).problems
    assert (problem.line, problem.column) == (2, 13)
    assert "U+001B" in english(problem)


def test_a_key_is_a_text_as_well(tmp_path):
    file = write(tmp_path / "pack" / "a.yaml", '- id: a\n  "k\\e]52;c;": 1\n')
    problems = lint([file], [str(tmp_path)]).problems
    assert (2, 5) in {(p.line, p.column) for p in problems if "hides text" in english(p)}
    assert all(is_safe(english(p)) for p in problems)


@pytest.mark.parametrize("name", ["starter", "solution", "reference", "baseline", "wrong"])
def test_code_files_beside_a_kernel_have_places_of_their_own(name, tmp_path):
    _, file = SHIPPED["kernel"]
    folder = tmp_path / "pack" / "kernel"
    shutil.copytree(Path(file.root, file.path).parent, folder)
    beside = folder / f"{name}.py"
    if name == "wrong":
        beside = min((folder / "wrong").glob("*.py"))
    beside.write_text(beside.read_text("utf-8") + "# 冲突 \u202e\n", "utf-8")
    lines = len(beside.read_text("utf-8").splitlines())
    source = SourceFile(
        str(tmp_path), "pack/kernel/question.yaml", (folder / "question.yaml").read_bytes(),
        stamp(str(tmp_path), "pack/kernel/question.yaml"), "",
    )  # fmt: skip
    result = compile_deck([source])
    python = [p for p in result.problems if p.file != str(folder / "question.yaml")]
    assert [(p.file, p.line, p.column) for p in python] == [(str(beside), lines, 6)]
    assert len(result.compiled.entries) == 1
    assert is_safe(json.dumps(json.loads(bodies(result)), ensure_ascii=False))


def test_the_file_beside_is_named(tmp_path):
    text = SHIPPED["kernel"][1]
    folder = tmp_path / "pack" / "kernel"
    shutil.copytree(Path(text.root, text.path).parent, folder)
    (folder / "starter.py").write_text("\x1b[2J", "utf-8")
    problems = compile_deck(sources([str(tmp_path)])).problems
    assert str(folder / "starter.py") in {p.file for p in problems}


def test_a_folder_of_such_a_name_gives_no_ids(tmp_path):
    write(tmp_path / "pa\x1b[2Jck" / "a.yaml", "- id: a\n")
    result = compile_deck(sources([str(tmp_path)]))
    assert result.compiled.entries == ()
    assert result.compiled.left_out == 1
    assert "\\x1b[2J" in english(result.problems[0])


NUMBERS = ["0x" + "f" * 20_000, "9" * 3_999, "9" * 5_000, "0o" + "7" * 9_000, "1e9999"]


@pytest.mark.parametrize("kind", every(3, KINDS, str))
def test_no_number_however_long_ends_the_program(kind):
    """Each text of a choice as each number; of other kinds, as one of them in turn."""
    question, file = SHIPPED[kind]
    for place, path in enumerate(texts(question)):
        for number in NUMBERS if kind == "choice" else [NUMBERS[place % len(NUMBERS)]]:
            marked = json.dumps(with_payload(question, path, MARK), ensure_ascii=False)
            begin = marked.index(MARK)
            start = marked.rindex('"', 0, begin)
            while marked[start - 1] == "\\":
                start = marked.rindex('"', 0, start)
            text = marked[:start] + number + marked[begin + 2 :]
            whole = text if kind == "kernel" else f"[{text}]"
            compile_deck([SourceFile(file.root, file.path, whole.encode(), file.stamp, "")])
