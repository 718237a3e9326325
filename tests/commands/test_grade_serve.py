"""`quiz grade --serve`: what programs get, and what bad lines, slow clients and signals do."""

from __future__ import annotations

import json
import os
import re
import signal
import socket
import stat
from collections.abc import Iterator
from inspect import cleandoc
from pathlib import Path
from typing import Any

import jsonschema
import msgspec
import pytest

from quizapp.batch.serving.protocol import MOST_LINE, ServeReply, ServeRequest
from quizapp.batch.serving.server import MOST_CLIENTS
from quizapp.domain.errors import ENVIRONMENT, OK, USAGE
from tests.batch.classes import (
    CUDA,
    RIGHT,
    STATES,
    SUBMISSIONS,
    UNGUARDED,
    WRONG,
    write_files,
    write_pack,
)
from tests.batch.serving import SECONDS, Client, Running, children, request, serve
from tests.commands.program import ROOT, Program
from tests.commands.test_grade_gpu import SCATTERED, SOLUTION, make
from tests.commands.test_grade_gpu import UNGUARDED as GPU_UNGUARDED
from tests.remote_gpu import far_gpu

GUIDE = ROOT / "docs" / "serve.md"
SCHEMA = ROOT / "docs" / "serve.schema.json"


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    """One for all tests that do not end it."""
    with serve(tmp_path_factory.mktemp("server"), "--jobs", "2", "--seed", "5") as running:
        yield running


@pytest.fixture
def client(server: Running) -> Iterator[Client]:
    with server.connect() as connected:
        yield connected


def test_each_submission_gets_its_verdict_by_its_id(client):
    requests = [
        {
            "v": 1,
            "id": name,
            "question": Path(name).stem,
            "source": source,
            "language": {".cu": "cuda"}.get(Path(name).suffix),
        }
        for name, source in SUBMISSIONS.items()
    ]
    replies = client.ask(*requests)
    assert {id_: (each["status"], each["gate"]) for id_, each in replies.items()} == STATES
    reply = replies["cid/double.py"]
    assert (reply["v"], reply["question"], reply["seed"]) == (1, "mine/double", 5)
    assert reply["code"] == reply["reason"]["code"] == "finding.out-of-bounds"
    assert "out of bounds · line 7" in reply["said"]
    assert replies["ann/double.py"]["code"] == ""


def test_the_verdict_is_that_of_quiz_grade(client, server, tmp_path):
    path = tmp_path / "mine.cu"
    path.write_text(CUDA.replace("i < n", "i <= n"))
    (reply,) = client.ask(request("a", path.read_text(), language="cuda")).values()
    quiz = Program(server.path.parent, {})
    one = json.loads(quiz("grade", "double", path, "--json", "--no-gpu").stdout)
    del one["format"]
    assert reply["verdict"] == one
    assert reply["status"] == "failed"


def test_the_verdict_as_text_comes_if_it_is_asked_for(client):
    replies = client.ask(request(1, WRONG, text=True), request(2, WRONG))
    assert replies[1]["text"][0].startswith("✗ wrong values")
    assert replies[2]["text"] is None


def test_a_request_may_name_its_seed(client):
    replies = client.ask(request(1, RIGHT, seed=11), request(2, RIGHT))
    assert (replies[1]["seed"], replies[2]["seed"]) == (11, 5)


BAD = {
    b"hello": "serve.not-json",
    b"": "serve.not-json",
    b"\xff\xfe": "serve.not-json",
    b'{"v": 1, "source": "\\ud800"}': "serve.not-json",
    b"[" * 100_000: "serve.not-json",
    b"[1]": "serve.not-an-object",
    b'{"v": 2, "id": 3}': "serve.version",
    b'{"v": true, "id": 3}': "serve.version",
    b'{"id": 3}': "serve.missing",
    b'{"v": 1, "id": 3, "question": "double"}': "serve.missing",
    json.dumps(request(3, RIGHT, langage="cuda")).encode(): "serve.unknown-key",
    json.dumps(request(3, RIGHT, language="rust")).encode(): "serve.bad-field",
    json.dumps(request(3, RIGHT, seed=-1)).encode(): "serve.bad-field",
    json.dumps(request(3, RIGHT) | {"id": [3]}).encode(): "serve.bad-field",
    json.dumps(request(3, RIGHT) | {"id": 10**30}).encode(): "serve.bad-field",
    json.dumps(request(3, "x" * 1_000_001)).encode(): "grade.too-large",
    json.dumps(request(3, RIGHT) | {"question": "dubble"}).encode(): "deck.unknown-id",
    json.dumps(request(3, "row") | {"question": "transposed", "language": "rust"}).encode(): (
        "serve.bad-field"
    ),
    b"x" * (MOST_LINE + 1): "serve.long-line",
    b"x" * (3 * MOST_LINE): "serve.long-line",
}


@pytest.mark.parametrize("line", BAD, ids=range(len(BAD)))
def test_a_bad_line_gets_its_code_and_the_connection_lives_on(client, line):
    client.send(line)
    (reply,) = client.receive()
    assert (reply["status"], reply["code"]) == ("refused", BAD[line])
    assert reply["said"]
    assert reply["id"] == (3 if b'"id": 3' in line else None)
    assert client.ask(b'{"v": 7, "id": 4}')[4]["code"] == "serve.version"


WRONG_VALUES = {
    ("id", True): "id must be a string of at most 200 characters, or an integer from -2^53 to 2^53",
    ("question", 5): "question must be a string of at most 200 characters",
    ("source", 1.5): "source must be a string: the code of the submission",
    ("language", "rust"): "language must be python or cuda, in quotes, or null",
    ("seed", "7"): "seed must be an integer from 0 to 2^53, or null",
    ("text", 1): "text must be true or false",
}


def test_a_value_that_does_not_fit_says_which_key_it_is_and_what_that_takes(client):
    assert {key for key, _ in WRONG_VALUES} == set(ServeRequest.__struct_fields__) - {"v"}
    for (key, value), says in WRONG_VALUES.items():
        client.send(json.dumps(request(3, RIGHT) | {key: value}).encode())
        (reply,) = client.receive()
        assert (reply["code"], reply["said"]) == ("serve.bad-field", says)
        assert reply["reason"]["fields"]["name"] == key


@pytest.mark.parametrize(
    ("line", "says"),
    [
        (b"", "it is empty"),
        (b"hello", "malformed at byte 0"),
        (b'{"v": 1,}', "malformed at byte 8"),
        (b'{"v": 1', "it ends too early"),
        (b'{"v": "\xff"}', "not UTF-8 at byte 7"),
        (b"[" * 100_000, "its values are nested too deeply"),
        (b'{"v": 1e999}', "it has a number that is too large"),
    ],
)
def test_a_line_that_is_not_json_says_why_and_where(client, line, says):
    client.send(line)
    assert client.receive()[0]["said"] == f"the line is not JSON: {says}"


def test_a_submission_that_is_too_large_is_refused_with_one_fact_everywhere(
    client, inside, home, tmp_path
):
    write_pack(home / "content")
    write_files(tmp_path, {"class/ann/double.py": "#" * 1_000_001})
    says = "the submission is larger than 1,000,000 bytes"
    (reply,) = client.ask(request(1, "#" * 1_000_001)).values()
    one = inside("grade", "double", "class/ann/double.py")
    inside("grade", "--all", "class", "--out", "r.jsonl")
    row = json.loads((tmp_path / "r.jsonl").read_text())
    assert reply["reason"] == row["reason"]
    assert reply["reason"] == {"code": "grade.too-large", "fields": {"most": 1_000_000}}
    assert reply["said"] == row["said"] == f"{says}; submit only the function"
    assert (one.status, f"quiz: {says}" in one.err) == (USAGE, True)


def test_the_guide_lists_the_codes_of_bad_lines():
    text = GUIDE.read_text("utf-8")
    assert not [code for code in BAD.values() if f"`{code}`" not in text]


def test_an_unknown_question_gets_the_nearest_names(client):
    (reply,) = client.ask(request(1, RIGHT) | {"question": "dubble"}).values()
    assert "did you mean 'mine/double'?" in reply["said"]


def test_the_last_line_needs_no_end_and_its_reply_comes_though_nothing_more_is_sent(client):
    client.socket.sendall(json.dumps(request("last", WRONG)).encode())
    client.socket.shutdown(socket.SHUT_WR)
    assert client.receive()[0]["gate"] == "result"
    assert client.is_closed()


def test_a_client_that_reads_nothing_is_not_read_from_and_holds_up_nobody(server, client):
    line = json.dumps({"v": 7, "id": "x" * 200}).encode() + b"\n"
    with server.connect() as slow:
        sent = _send_until_full(slow, line, 50_000)
        assert client.ask(request(1, RIGHT))[1]["status"] == "passed"
        replies = slow.receive(sent // len(line))
        if rest := sent % len(line):
            replies += slow.ask(line[rest:-1]).values()
        assert all(reply["code"] == "serve.version" for reply in replies)


def _send_until_full(client: Client, line: bytes, most: int) -> int:
    """Send a line again and again until there is no more room; return how many bytes."""
    client.socket.settimeout(2)
    sent = 0
    try:
        while sent < most * len(line):
            sent += client.socket.send(line * 1_000)
    except TimeoutError:
        client.socket.settimeout(SECONDS)
        return sent
    pytest.fail("the server reads what it cannot answer")


def test_a_client_that_leaves_takes_nobody_along(server, client):
    with server.connect() as gone:
        gone.send(*[request(number, RIGHT) for number in range(20)])
    assert client.ask(request(1, RIGHT))[1]["status"] == "passed"


def test_many_connections_are_served_side_by_side(server):
    clients = [server.connect() for _ in range(40)]
    for number, each in enumerate(clients):
        each.send({"v": 1, "id": number, "question": "transposed", "source": "row * 33 + col"})
    statuses = [each.receive()[0] for each in clients]
    assert [(each["id"], each["status"]) for each in statuses] == [
        (number, "passed") for number in range(40)
    ]
    for each in clients:
        each.close()


def test_too_many_connections_are_refused_with_a_reason(server):
    clients = [server.connect() for _ in range(MOST_CLIENTS + 1)]
    assert clients[-1].receive()[0]["code"] == "serve.too-many"
    assert clients[-1].is_closed()
    for each in clients:
        each.close()
    code = "serve.too-many"
    while code == "serve.too-many":  # until it has seen that they are gone
        with server.connect() as again:
            (reply,) = again.ask(b"x").values()
            code = reply["code"]
    assert code == "serve.not-json"


@pytest.mark.long
def test_a_submission_whose_process_is_lost_is_graded_once_more(server, client):
    client.ask(*[request(number, RIGHT) for number in range(4)])
    client.send(*[request(number, WRONG) for number in range(8)])
    for worker in children(server.process.pid):
        os.kill(worker, signal.SIGKILL)
    replies = client.receive(8)
    assert sorted(reply["id"] for reply in replies) == list(range(8))
    assert {reply["gate"] for reply in replies} == {"result"}


def test_only_its_owner_may_open_the_socket(server):
    assert stat.S_IMODE(server.path.stat().st_mode) == 0o600


def test_a_second_server_does_not_take_the_socket_of_the_first(server, inside, client):
    said = inside("grade", "--serve", server.path)
    assert said.status == USAGE
    assert "another program listens on" in said.err
    assert client.ask(b"x")[None]["code"] == "serve.not-json"


@pytest.mark.parametrize(
    ("path", "status", "says"),
    [
        ("taken", USAGE, "taken exists and is not a socket"),
        ("x" * 200, USAGE, "is too long for a socket: the limit is 103 bytes"),
        ("nowhere/s", ENVIRONMENT, "a socket cannot be created at nowhere/s"),
    ],
)
def test_a_path_that_can_be_no_socket_is_refused(inside, tmp_path, path, status, says):
    (tmp_path / "taken").write_text("precious")
    said = inside("grade", "--serve", path)
    assert said.status == status
    assert says in said.err
    assert (tmp_path / "taken").read_text() == "precious"


@pytest.fixture
def stuck(tmp_path: Path) -> Iterator[tuple[Running, Client, int]]:
    """A server whose only process is stopped, with a request; two more wait, and one is read."""
    with serve(tmp_path, "--jobs", "1") as server, server.connect() as client:
        client.ask(request("warm", RIGHT))
        (worker,) = children(server.process.pid)
        os.kill(worker, signal.SIGSTOP)
        client.send(request("running", WRONG), request(1, RIGHT), request(2, RIGHT), b"read")
        assert client.receive()[0]["code"] == "serve.not-json"
        client.send(request(3, RIGHT))
        yield server, client, worker


def test_a_signal_finishes_what_is_graded_and_refuses_the_rest(stuck):
    server, client, worker = stuck
    server.process.send_signal(signal.SIGTERM)
    refused = client.receive(2)
    assert {reply["id"] for reply in refused} >= {1}
    os.kill(worker, signal.SIGCONT)
    rest = client.receive_all()
    (running,) = (reply for reply in rest if reply["id"] == "running")
    assert running["gate"] == "result"
    refused += [reply for reply in rest if reply is not running]
    assert {reply["code"] for reply in refused} == {"serve.stopping"}
    assert {1, 2} <= {reply["id"] for reply in refused} <= {1, 2, 3}
    assert server.process.communicate(timeout=SECONDS)[1] == "2 submissions were graded\n"
    assert server.process.returncode == OK
    assert not server.path.exists()


def test_a_second_signal_does_not_wait(stuck):
    server, client, _ = stuck
    server.process.send_signal(signal.SIGINT)
    client.receive(2)
    server.process.send_signal(signal.SIGINT)
    assert {reply["code"] for reply in client.receive_all()} == {"serve.stopping"}
    server.process.communicate(timeout=SECONDS)
    assert server.process.returncode == OK
    assert not server.path.exists()


def test_a_client_that_reads_nothing_does_not_keep_the_server_from_ending(tmp_path):
    with serve(tmp_path, "--jobs", "1") as server, server.connect() as slow:
        _send_until_full(slow, b'{"v": 7, "id": 1}\n', 500_000)
        server.process.send_signal(signal.SIGTERM)
        server.process.communicate(timeout=SECONDS)
        assert server.process.returncode == OK
        assert not server.path.exists()


def test_what_the_emulator_passes_a_gpu_judges_if_it_is_asked_for(tmp_path, monkeypatch):
    make(tmp_path / "home")
    far = far_gpu(tmp_path, monkeypatch)
    sources = {"passes": SOLUTION, "slow": SCATTERED, "unguarded": GPU_UNGUARDED}
    with (
        serve(tmp_path, "--jobs", "1", "--gpu-host", far) as server,
        server.connect() as client,
    ):
        requests = [
            request(name, source) | {"question": "a-kernel"} for name, source in sources.items()
        ]
        replies = client.ask(*requests, request("no gpu part", RIGHT))
        server.process.terminate()
        server.process.communicate(timeout=SECONDS)
    states = {
        name: (each["status"], each["gate"], (each["verdict"]["gpu"] or {}).get("standing"))
        for name, each in replies.items()
    }
    assert states == {
        "passes": ("passed", "", "passed"),
        "slow": ("failed", "gpu speedup", "failed"),
        "unguarded": ("failed", "findings: out-of-bounds", None),
        "no gpu part": ("passed", "", None),
    }
    assert replies["passes"]["verdict"]["gpu"]["speed"]
    assert server.process.returncode == OK


def test_without_the_gpu_that_is_asked_for_nothing_listens(inside, tmp_path, monkeypatch):
    monkeypatch.setattr("quizapp.system.gpu.device_nodes", list)
    said = inside("grade", "--serve", "s", "--gpu")
    assert said.status == ENVIRONMENT
    assert "no GPU on this machine" in said.err
    assert not (tmp_path / "s").exists()


def test_the_socket_of_a_killed_server_is_replaced(tmp_path):
    with serve(tmp_path, "--jobs", "1") as server:
        server.process.kill()
        server.process.wait()
        assert server.path.is_socket()
    with serve(tmp_path, "--jobs", "1") as server, server.connect() as client:
        assert client.ask(request(1, UNGUARDED))[1]["status"] == "failed"


def test_the_example_of_the_guide_runs(server, capsys):
    (example,) = re.findall(r"(?:    .*\n|\n)+", GUIDE.read_text("utf-8").split("its reply:\n")[1])[
        :1
    ]
    source = "\n".join(line.removeprefix("    ") for line in example.splitlines())
    exec(source.replace("/tmp/quiz.sock", str(server.path)), {})
    said = sorted(capsys.readouterr().out.splitlines())
    assert said[0].startswith("0 failed column load: ")
    assert said[1] == "1 passed "


def of_any_version(schema: Any) -> Any:
    """What msgspec 0.22 and 0.23 give alike: the latter knows empty defaults, and no indents."""
    if isinstance(schema, list):
        return [of_any_version(one) for one in schema]
    if not isinstance(schema, dict):
        return schema
    return {
        key: cleandoc(part) if key == "description" else of_any_version(part)
        for key, part in schema.items()
        if (key, part) != ("default", {})
    }


def test_the_schema_is_that_of_the_types_and_replies_satisfy_it(client):
    (request_, reply), parts = msgspec.json.schema_components(
        (ServeRequest, ServeReply), ref_template="#/$defs/{name}"
    )
    expected = {"request": request_, "reply": reply, "$defs": parts}
    assert json.loads(SCHEMA.read_text()) == of_any_version(expected)
    whole = {**reply, "$defs": parts}
    for each in client.ask(request(1, WRONG, text=True), b"nonsense", request(2, RIGHT)).values():
        jsonschema.validate(each, whole)
    jsonschema.validate(request(1, WRONG), {**request_, "$defs": parts})
