"""The compiled deck: equal to compiling, used only when it fits, and never in the way."""

from __future__ import annotations

import json
import marshal
import os
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from grader.facts import fact
from quizapp.deck import compiler, content_hash, index
from quizapp.deck.deck import Deck, load
from quizapp.deck.index import Entry, PackEntry
from quizapp.deck.ordering import default_order
from tests.deck.tools import (
    CHOICE,
    KERNEL_FILES,
    NUMBER,
    RECALL,
    ROOT,
    kernel_folder,
    question,
    write,
)
from tests.store.tools import unprivileged


@pytest.fixture
def root(tmp_path: Path) -> Path:
    content = tmp_path / "content"
    write(content, "pack/a.yaml", NUMBER + question("choice", requires="[a-number]", was="[old]"))
    write(content, "pack/deep/b.yml", RECALL + question(id="Bad"))
    return content


@pytest.fixture
def cache(tmp_path: Path) -> Path:
    return tmp_path / "cache" / "deck"


@pytest.fixture(autouse=True, params=["written just now", "written long ago"])
def ages(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Content is hashed, or only looked at."""
    if request.param == "written long ago":
        monkeypatch.setattr(index, "_TICK_NS", -1)


def read(cache: Path, *roots: Path) -> Deck:
    time.sleep(_TICK_S)
    return load([str(root) for root in roots], str(cache))


def same(one: Deck, other: Deck) -> bool:
    return (
        one.entries == other.entries
        and one.left_out == other.left_out
        and all(one.question(name) == other.question(name) for name in one.entries)
    )


def read_cache(cache: Path, root: Path) -> index.CompiledDeck | None:
    """What the cache gives for this content, if it is used."""
    found = index.read(str(cache))
    expected = content_hash.fingerprint(index.sources([str(root)]))
    return found if found is not None and found.fingerprint == expected else None


_TICK_S = 0.011
"""The clock of a disk may stand still for so long, and then a change has the time of the last."""


# What is read


def test_yaml_files_of_packs_are_read_and_nothing_else(tmp_path):
    for path in ("pack/a.yaml", "pack/deep/er/b.yml", "pack/.hidden.yaml", ".git/c.yaml"):
        write(tmp_path, path, NUMBER)
    for path in ("loose.yaml", "glossary.yaml", "pack/notes.txt", "pack/d.yaml.bak", "pack/e.json"):
        write(tmp_path, path, NUMBER)
    found = index.sources([str(tmp_path), str(tmp_path / "absent"), str(tmp_path / "loose.yaml")])
    assert [(file.path, file.pack, file.refused) for file in found] == [
        ("loose.yaml", "loose.yaml", fact("file.outside-packs")),
        ("pack/a.yaml", "pack", None),
        ("pack/deep/er/b.yml", "pack", None),
    ]


def test_the_order_of_files_does_not_depend_on_the_file_system(tmp_path):
    for name in ("c", "a", "b"):
        write(tmp_path, f"pack/{name}.yaml", question(id=name))
    assert list(read(tmp_path / "cache", tmp_path).entries) == ["pack/a", "pack/b", "pack/c"]


def test_a_link_that_leads_nowhere_does_not_stop_the_deck(tmp_path, cache):
    write(tmp_path, "pack/a.yaml", NUMBER)
    (tmp_path / "pack" / "gone.yaml").symlink_to(tmp_path / "nowhere")
    assert list(read(cache, tmp_path).entries) == ["pack/a-number"]


# A hit


def test_a_cached_deck_is_the_compiled_one(root, cache):
    fresh = read(cache, root)
    assert read_cache(cache, root) is not None
    again = read(cache, root)
    assert same(fresh, again)
    assert set(again.entries) == {"pack/a-number", "pack/a-choice", "pack/a-recall"}
    order = default_order(again.entries.values())
    assert list(again.entries) == [placed.question for placed in order]
    assert again.left_out == 1
    assert again.entries["pack/a-choice"].requires == ("pack/a-number",)
    assert again.renames == {"pack/old": "pack/a-choice"}
    assert again.topics == {"banks": 3}


def test_a_cached_deck_is_not_compiled_again(root, cache):
    """A file put in its place under the same fingerprint is believed."""
    read(cache, root)
    cache.write_bytes(with_facts(cache.read_bytes(), left_out=b"77"))
    assert read(cache, root).left_out == 77


def test_content_that_was_not_written_lately_is_not_read_again(root, cache, monkeypatch):
    monkeypatch.setattr(index, "_TICK_NS", -1)
    fresh = read(cache, root)
    monkeypatch.setattr(index, "source_file", None)
    assert same(read(cache, root), fresh)


def test_content_is_no_longer_read_once_it_is_old(root, cache, monkeypatch):
    fresh = read(cache, root)
    monkeypatch.setattr(index, "_TICK_NS", -1)
    assert same(read(cache, root), fresh)
    monkeypatch.setattr(index, "source_file", None)
    assert same(read(cache, root), fresh)


def test_what_a_link_leads_to_is_read_each_time(root, cache):
    (root / "pack" / "link.yaml").symlink_to("text")
    for prompt in ("One?", "Two?"):
        write(root, "pack/text", question(id="linked", prompt=prompt))
        assert read(cache, root).question("pack/linked").prompt == prompt


def test_two_writers_leave_one_whole_file(root, cache):
    read(cache, root)
    read(cache, root)
    assert [path.name for path in cache.parent.iterdir()] == ["deck"]


# A miss

CHANGES: dict[str, Callable[[Path], object]] = {
    "a byte": lambda root: write(root, "pack/a.yaml", NUMBER.replace("32.", "32!")),
    "a new file": lambda root: write(root, "pack/c.yaml", CHOICE),
    "an error": lambda root: write(root, "pack/a.yaml", NUMBER + question(id="Bad")),
    "a pack that is told of": lambda root: write(root, "pack/pack.yaml", "topics: [other]\n"),
    "a file less": lambda root: (root / "pack/deep/b.yml").unlink(),
    "another name": lambda root: (root / "pack/a.yaml").rename(root / "pack/z.yaml"),
    "another pack": lambda root: (root / "pack").rename(root / "other"),
    "text moved from one file to the next": lambda root: (
        write(root, "pack/a.yaml", NUMBER),
        write(root, "pack/deep/b.yml", CHOICE + RECALL),
    ),
}


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES.keys())
def test_changed_content_is_compiled_again(root, cache, change):
    read(cache, root)
    change(root)
    assert read_cache(cache, root) is None
    assert same(read(cache, root), read(cache.with_name("other"), root))
    assert read_cache(cache, root) is not None


def test_only_the_changed_file_is_compiled_again(root, cache, monkeypatch):
    compiled, questions = [], compiler._questions

    def watched(file, *others):
        compiled.append(file.path)
        return questions(file, *others)

    monkeypatch.setattr(compiler, "_questions", watched)
    read(cache, root)
    for name, text in {"a.yaml": NUMBER, "c.yaml": CHOICE}.items():
        compiled.clear()
        write(root, f"pack/{name}", text)
        read(cache, root)
        # The other file has a problem, which is named whenever the deck is compiled.
        assert sorted(compiled) == [f"pack/{name}", "pack/deep/b.yml"]


def test_a_change_that_keeps_size_and_time_is_noticed(root, cache):
    read(cache, root)
    file = root / "pack" / "a.yaml"
    times = file.stat()
    file.write_text(file.read_text("utf-8").replace("answer: 32", "answer: 33"), "utf-8")
    os.utime(file, ns=(times.st_atime_ns, times.st_mtime_ns))
    found = read(cache, root).question("pack/a-number")
    assert getattr(found, "answer", None) == 33


FILES: dict[str, Callable[[Path], object]] = {
    "another solution": lambda folder: write(folder, "solution.py", SOLUTION + "    return\n"),
    "a solution of the same length": lambda folder: later(
        write(folder, "solution.py", SOLUTION.replace("2 *", "3 *"))
    ),
    "another starter": lambda folder: write(folder, "starter.py", SOLUTION),
    "another wrong one": lambda folder: write(folder, "wrong/no-guard.py", SOLUTION),
    "a file less": lambda folder: (folder / "wrong" / "no-guard.py").unlink(),
    "a file more": lambda folder: write(folder, "wrong/more.py", SOLUTION),
    "another name": lambda folder: (folder / "starter.py").rename(folder / "begin.py"),
}
SOLUTION = KERNEL_FILES["solution.py"]


def later(file: Path) -> None:
    """As if written a second after what was there."""
    times = file.stat()
    os.utime(file, ns=(times.st_atime_ns, times.st_mtime_ns + 10**9))


@pytest.mark.parametrize("change", FILES.values(), ids=FILES.keys())
def test_a_changed_file_beside_a_kernel_question_is_noticed(tmp_path, cache, change):
    folder = kernel_folder(tmp_path / "content")
    read(cache, tmp_path / "content")
    assert read_cache(cache, tmp_path / "content") is not None
    change(folder)
    assert read_cache(cache, tmp_path / "content") is None
    fresh = read(cache.with_name("other"), tmp_path / "content")
    assert same(read(cache, tmp_path / "content"), fresh)


def test_a_changed_solution_is_the_one_that_is_shown(tmp_path, cache):
    folder = kernel_folder(tmp_path / "content")
    first = read(cache, tmp_path / "content").entries["pack/a-kernel"].content_hash
    write(folder, "solution.py", SOLUTION + "    return\n")
    deck = read(cache, tmp_path / "content")
    assert deck.question("pack/a-kernel").solution == SOLUTION + "    return\n"
    assert deck.entries["pack/a-kernel"].content_hash != first


def test_files_that_are_no_python_beside_a_kernel_question_change_nothing(tmp_path, cache):
    folder = kernel_folder(tmp_path / "content")
    read(cache, tmp_path / "content")
    write(folder, "notes.md", "# Notes\n")
    write(folder, "wrong/__pycache__/no-guard.pyc", "x")
    assert read_cache(cache, tmp_path / "content") is not None


def test_other_roots_and_another_order_of_roots_are_another_deck(root, cache, tmp_path):
    own = tmp_path / "own"
    write(own, "pack/a.yaml", question(prompt="Mine?"))
    assert read(cache, root, own).question("pack/a-number").prompt == "Mine?"
    assert read(cache, own, root).question("pack/a-number").prompt == "How many banks?"
    assert read(cache, root).entries["pack/a-number"].changed is False


# A damaged cache


FACTS = ("fingerprint", "format", "checksum", "left_out", "table", "state")


def with_facts(data: bytes, **changed: bytes) -> bytes:
    """The same file with other facts in its first line."""
    head, _, rest = data.partition(b"\n")
    facts = dict(zip(FACTS, head.split(b" "), strict=True)) | changed
    return b" ".join(facts.values()) + b"\n" + rest


DAMAGE: dict[str, Callable[[bytes], bytes]] = {
    "empty": lambda _: b"",
    "zeros": lambda data: bytes(len(data)),
    "zeros behind the first page": lambda data: data[:600] + bytes(len(data) - 600),
    "cut in the header": lambda data: data[: data.index(b"\n") // 2],
    "cut in the bodies": lambda data: data[:-1],
    "a byte more": lambda data: data + b"x",
    "no bodies": lambda data: data[: data.index(b"\n") + 1],
    "other text": lambda _: b"hello\nworld",
    "a list": lambda _: b"[]\n",
    "nothing": lambda _: b"null\n",
    "brackets": lambda _: b"[" * 100_000,
    "not UTF-8": lambda data: b"\xff" + data,
    "no facts": lambda data: data[data.index(b"\n") + 1 :],
    "a fact less": lambda data: data.replace(b" ", b"", 1),
    "a fact more": lambda data: data.replace(b"\n", b" 1\n", 1),
    "another checksum": lambda data: with_facts(data, checksum=b"1"),
    "a cell less": lambda data: data.replace(b"\0", b"", 1),
    "a cell more": lambda data: data.replace(b"\0", b"\0\0", 1),
    "a changed byte in the bodies": lambda data: data[:-20] + b"\x00" + data[-19:],
    "zeros for bodies": lambda data: (
        data[: data.index(b"\n") + 1] + bytes(len(data) - data.index(b"\n") - 1)
    ),
}


@pytest.mark.parametrize("damage", DAMAGE.values(), ids=DAMAGE.keys())
def test_a_damaged_cache_is_ignored_and_mended(root, cache, damage):
    good = read(cache, root)
    cache.write_bytes(damage(cache.read_bytes()))
    assert same(read(cache, root), good)
    assert same(read(cache, root), good)


def test_a_folder_in_place_of_the_cache_file_is_harmless(root, cache):
    cache.mkdir(parents=True)
    assert len(read(cache, root).entries) == 3


def test_a_cache_folder_that_cannot_be_made_is_harmless(root, tmp_path):
    (tmp_path / "file").write_text("in the way")
    assert len(read(tmp_path / "file" / "cache" / "deck", root).entries) == 3


def test_a_cache_folder_that_cannot_be_written_is_harmless():
    with TemporaryDirectory() as name:  # not tmp_path, which only its owner may enter
        Path(name).chmod(0o755)
        write(Path(name) / "content", "pack/a.yaml", NUMBER)
        folder = Path(name) / "cache"
        folder.mkdir()
        folder.chmod(0o555)
        with unprivileged():
            deck = read(folder / "deck", Path(name) / "content")
        assert len(deck.entries) == 1
        assert list(folder.iterdir()) == []


# Its form


def test_the_file_is_a_table_and_then_json_bodies_and_no_pickle(root, cache):
    deck = read(cache, root)
    head, _, rest = cache.read_bytes().partition(b"\n")
    table, state = map(int, head.split(b" ")[4:6])
    columns, packs = marshal.loads(rest[:table])
    assert [*map(len, columns)] == [len(deck.entries)] * len(Entry._fields)
    assert [*map(len, packs)] == [len(PackEntry._fields)]
    decoder, text, position = json.JSONDecoder(), rest[table + state :].decode(), 0
    found = []
    while position < len(text):
        body, position = decoder.raw_decode(text, position)
        found.append(body["id"])
    assert {f"pack/{name}" for name in found} == set(deck.entries)


def test_a_deck_of_nothing_is_cached_too(cache, tmp_path):
    assert not read(cache, tmp_path).entries
    assert read_cache(cache, tmp_path) is not None


FRESH = """
import sys
import time
import quizapp.deck.deck as deck
def loaded():
    deferred = "DeferredModule"
    return {name for name, module in [*sys.modules.items()] if type(module).__name__ != deferred}
first = loaded()
found = deck.load([sys.argv[1]], sys.argv[2])
assert found.entries and found.topics and found.renames is not None
read = loaded()
found.question(next(iter(found.entries)))
print(*[name for name in ("yaml", "msgspec", "quizapp.domain.question", "pathlib", "pickle",
                          "quizapp.deck.compiler") for seen in (first, read) if name in seen])
print("msgspec" in sys.modules, "yaml" in sys.modules)
"""


def test_reading_a_cached_deck_loads_neither_yaml_nor_msgspec_until_a_body_is_asked(root, cache):
    read(cache, root)
    done = subprocess.run(
        [sys.executable, "-c", FRESH, str(root), str(cache)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    loaded, after = done.stdout.splitlines()
    assert loaded == ""
    assert after == "True False"
