"""A GPU host that lies, as a program in the place of ssh: `lying_host.py FOLDER LIE REQUEST`.

It answers as `answers.json` of the folder has it, up to the request, or up to the start; from there
on it lies. Standard library only: it starts in 20 ms.
"""

import json
import os
import sys
from pathlib import Path

BYTES = {
    "deep": b"[" * 200_000, "nan": b"NaN", "nul": b"\0\0", "bad-utf8": b"\xff\xfe\x80",
    "huge-int": b'{"id":' + b"9" * 5000 + b"}", "escapes": b"\x1b]52;c;aGVsbG8=\x07\x1b[2Jhello",
    "long": b'{"id": 3, "what": "' + b"x" * 2_000_000 + b'"}',
}  # fmt: skip
OBJECTS = {
    "empty": {}, "empty-problem": {"problem": {}}, "null-problem": {"problem": None},
    "wrong-types": {"problem": {"path": 5, "what": None, "todo": []}},
    "facts-none": {"describe": {}}, "selftest-empty": {"selftest": {}},
    "facts-types": {"describe": {"name": None, "memory": [], "versions": 3}},
    "device-types": {"device": {"kind": [], "what": {}}}, "graded-list": {"graded": []},
}  # fmt: skip
LIES = ("flood", "wrong-ids", "stderr", "close", *BYTES, *OBJECTS)
"""Besides: `set:PATH=JSON`, which changes one field of the honest answer."""


def forever(descriptor: int, data: bytes) -> None:
    """Write it again and again, until nobody reads any more."""
    while True:
        os.write(descriptor, data)


def change(answer: dict, path: str) -> dict:
    """The answer with one field as `PATH=JSON` has it."""
    where, _, value = path.partition("=")
    *steps, last = [int(step) if step.isdigit() else step for step in where.split(".")]
    place = answer
    for step in steps:
        place = place[step]
    place[last] = json.loads(value)
    return answer


def main() -> None:
    folder, lie, at = Path(sys.argv[1]), sys.argv[2], sys.argv[3]
    answers = json.loads((folder / "answers.json").read_text("utf-8"))
    lying = at == "start"
    for line in sys.stdin.buffer:
        request = json.loads(line)
        lying = lying or request["do"] == at
        match lie if lying else "":
            case "flood":
                forever(1, b"x" * 65536)
            case "wrong-ids":
                forever(1, b'{"id":-1}\n' * 4096)
            case "stderr":
                forever(2, b"y" * 65536)
            case "close":
                return
            case "asleep":
                sys.stdin.buffer.read()  # until whoever asked is gone
                return
        answer = {"id": request["id"], **answers[request["do"]]}
        if lying and lie.startswith("set:"):
            answer = change(answer, lie.removeprefix("set:"))
        elif lying and lie in OBJECTS:
            answer = {"id": request["id"], **OBJECTS[lie]}
        data = BYTES[lie] if lying and lie in BYTES else json.dumps(answer).encode()
        while data:
            data = data[os.write(1, data) :]
        os.write(1, b"\n")


if __name__ == "__main__":
    main()
