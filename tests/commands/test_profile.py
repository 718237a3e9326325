"""`quiz profile`: real scripts in the real program; what they print, what their kernels do."""

from __future__ import annotations

import json
import re
import signal
import sys
from functools import partial
from pathlib import Path

import pexpect
import pytest

from grader.simt import COUNTERS
from quizapp.domain.errors import FINDINGS, INTERRUPTED, OK, SCRIPT, USAGE
from tests.commands.program import ROOT
from tests.waiting import PATIENCE_S, until, until_ended

HEAD = "import sys\nimport numpy as np\nfrom numba import cuda, float32, int32\n"


TRANSPOSE = (
    HEAD
    + """

@cuda.jit
def transpose(image, out):
    tile = cuda.shared.array((32, PITCH), float32)
    x, y = cuda.grid(2)
    tx, ty = cuda.threadIdx.x, cuda.threadIdx.y
    tile[ty, tx] = image[y, x]
    cuda.syncthreads()
    x = cuda.blockIdx.y * 32 + tx
    y = cuda.blockIdx.x * 32 + ty
    out[y, x] = tile[tx, ty]


image = np.arange(64 * 64, dtype=np.float32).reshape(64, 64)
there = cuda.device_array_like(image)
transpose[(2, 2), (32, 32)](cuda.to_device(image), there)
assert (there.copy_to_host() == image.T).all()
print("it is right")
"""
)
UNPADDED = TRANSPOSE.replace("PITCH", "32")
PADDED = TRANSPOSE.replace("PITCH", "33")
LOADS = TRANSPOSE.splitlines().index("    out[y, x] = tile[tx, ty]") + 1

ONE = """
@cuda.jit
def kernel(a, out):
    s = cuda.shared.array(64, float32)
    t = cuda.threadIdx.x
{}

there = cuda.device_array(64, dtype=np.float32)
kernel[1, 64](cuda.to_device(np.ones(64, dtype=np.float32)), there)
there.copy_to_host().sum()
"""

FAULTS = {
    "race": ["s[t] = a[t]", "out[t] = s[63 - t]  #"],
    "global-race": ["out[t] = a[t]", "out[0] = t  #"],
    "uninitialised-read": ["out[t] = s[t]  #"],
    "barrier-divergence": ["if t < 40:", "    cuda.syncthreads()  #", "out[t] = t"],
    "warp-mask": ["out[t] = cuda.shfl_down_sync(0x1, a[t], 1)  #"],
    "out-of-bounds": ["out[t] = a[t + 1]  #"],
    "zero-division": ["out[t] = 100 % t  #"],
    "never-written": ["if t < 40:", "    out[t] = a[t]"],
    "budget": ["while a[t] > 0:  #", "    s[t] = a[t]"],
    "resources": ["u = cuda.shared.array(16384, float32)", "u[t] = a[t]", "out[t] = u[t]"],
}


@pytest.fixture
def script(tmp_path):
    def write(text: str, name: str = "script.py") -> Path:
        path = tmp_path / name
        path.write_text(text, encoding="utf-8")
        return path

    return write


@pytest.fixture
def profiled(quiz, script):
    """Profile a text with `--json`: what is printed, read."""

    def call(text: str, *arguments: str, status: int = OK, **options):
        done = quiz("profile", script(text), "--json", *arguments, **options)
        assert done.returncode == status, done.stderr
        return json.loads(done.stdout)["launches"], done.stderr

    return call


# In words


def test_an_unpadded_transpose(quiz, script):
    done = quiz("profile", script(UNPADDED), COLUMNS="80")
    assert (done.returncode, done.stderr) == (OK, "")
    said, *lines = done.stdout.splitlines()
    assert said == "it is right"
    assert " ".join(lines[:2]) == (
        f"no faults in 1 launch; transpose line {LOADS} costs 97% of shared wavefronts: 32-way, "
        "pad to 33"
    )
    assert lines[3].startswith("transpose  grid 2×2, block 32×32, ")
    [head] = [line for line in lines if line.split()[:2] == ["line", "shared"]]
    assert head.split() == ["line", "shared", "waves", "ideal", "sectors"]
    [row] = [row for row in lines if row.startswith(" ! ")]
    assert row.split()[1] == str(LOADS)
    assert row.split()[-5:] == ["128", "4096", "128", "512", "32-way"]
    assert max(map(len, lines)) <= 80


LOADED = """
loaded = [name for name, m in sys.modules.items() if type(m).__name__ != "DeferredModule"]
rooms = ("grader.simt.cuda.parser", "grader.simt.ptx.reading", "grader.profiles", "grader.kernels")
print([name for name in loaded if name.startswith((*rooms, "grader.layouts"))])
"""


def test_a_script_for_numba_loads_no_other_language_and_no_report(quiz, script):
    run = quiz("profile", script(PADDED + LOADED), LC_ALL="C.UTF-8")  # not forked
    assert "\n[]\n" in run.stdout


def test_a_report_says_who_launched_what_and_what_bounds_it(quiz, script):
    lines = quiz("profile", script(UNPADDED), COLUMNS="160").stdout.splitlines()
    launch = UNPADDED.splitlines().index(
        "transpose[(2, 2), (32, 32)](cuda.to_device(image), there)"
    )
    place = f"  launched from line {launch + 1}: "
    assert place + "image: float32[64, 64], out: float32[64, 64]" in lines
    # 128 requests with 32 wavefronts each and 128 with one; 2 × 64 × 64 × 4 bytes, coalesced
    assert (
        "  memory alone takes one SM at least 4,224 cycles"
        " (shared memory 4,224, global memory 256); arithmetic is not modeled"
    ) in lines
    assert (
        "  global memory: 32 KB in the sectors of all requests, 32 KB if each request were"
        " contiguous (100%)"
    ) in lines
    assert "  shared memory: 4,224 wavefronts, 256 ideal" in lines
    assert (
        f"line {LOADS}: worst shared load of a warp: 4 bytes per lane, 32/32 lanes active" in lines
    )
    assert [line for line in lines if line.startswith((" bank ", "!wave 2"))]
    layouts = lines.index("  2: tile with rows of 33 elements")
    assert lines[layouts + 1] == "  2: tile[row, col] at row * 32 + (col ^ row)"
    assert lines[layouts + 2].endswith("wavefronts of shared memory: 4,224 → 256")
    assert lines[-2].endswith("+     tile = cuda.shared.array((32, 33), float32)")


def test_source_lines_are_shown_whole_however_narrow_it_is(quiz, script):
    shown = quiz("profile", script(UNPADDED), "--width", "60", COLUMNS="200").stdout
    assert max(map(len, shown.splitlines())) <= 60
    figures = r"( +[–\d]+)+$"
    shown = re.sub(figures, "", shown, flags=re.MULTILINE)
    for source in ("tile=cuda.shared.array((32,32),float32)", "tx,ty=cuda.threadIdx.x,cuda.thread"):
        assert source in "".join(shown.split())


def test_kernel_launch_and_line_select(quiz, script):
    text = PADDED + HEAD + ONE.format("    s[t] = a[t]\n    out[t] = s[63 - t]")
    one = quiz("profile", script(text), "--kernel", "kernel").stdout
    race = text.splitlines().index("    out[t] = s[63 - t]") + 1
    verdict = f"the launch has faults: race in shared memory (s, lines {race - 1} and {race})"
    assert f"{verdict}\n\nkernel  grid 1, block 64" in one
    timeless = partial(re.sub, r"emulated in .*", "")
    assert timeless(one) == timeless(quiz("profile", "script.py", "--launch", "2").stdout)
    assert "transpose" not in one
    options = ("--launch", "2", "--line", str(race))
    shown = quiz("profile", "script.py", *options, COLUMNS="120").stdout
    assert re.findall(r"^ {4,}(\d+)  \S", shown, re.MULTILINE)[0] == str(race)
    assert "✗ race" in shown
    assert "s[t] = a[t]" in shown  # the other place of the race


def test_against_an_older_script_or_its_saved_report(quiz, script):
    old = script(UNPADDED, "old.py")
    quiz("profile", script(PADDED, "new.py"))
    done = quiz("profile", "new.py", "--against", old)
    assert done.returncode == OK
    *_, kernel, total, sectors, instructions, line = done.stdout.splitlines()
    assert kernel == "transpose"
    assert total == "  better  all lines  wavefronts 4,224 → 256"
    assert (sectors.split()[0], instructions.split()[0]) == ("same", "same")
    assert line == f"  better  line {LOADS}  wavefronts 4,096 → 128  out[y, x] = tile[tx, ty]"
    script(quiz("profile", old, "--json").stdout, "old.json")
    saved = quiz("profile", "new.py", "--against", "old.json", COLUMNS="40")
    assert saved.stdout.endswith(done.stdout.partition("it is right\n")[2])
    plain = json.loads(quiz("profile", "new.py", "--against", "old.json", "--json").stdout)
    [change] = plain["against"]["kernels"]
    assert change["lines"][0]["counts"] == [{"measure": "wavefronts", "before": 4096, "after": 128}]


@pytest.mark.parametrize("text", ["", "[]", '{"launches": [{}]}', "\x00", '{"launches": 3}'])
def test_what_is_no_report_cannot_be_compared_with(text, quiz, script):
    script(text, "old.json")
    done = quiz("profile", script(PADDED), "--against", "old.json")
    assert done.returncode == USAGE
    assert "quiz: old.json is not a report of `quiz profile --json`: " in done.stderr
    assert len(done.stderr.splitlines()) == 2


@pytest.mark.parametrize(
    ("option", "said"),
    [
        (("--kernel", "other"), "no kernel other was launched\n  launched were: transpose"),
        (("--launch", "2"), "there is no launch 2: the script makes 1"),
    ],
)
def test_what_was_not_launched_is_not_shown(option, said, quiz, script):
    done = quiz("profile", script(PADDED), *option)
    assert done.returncode == USAGE
    assert f"quiz: {said}" in done.stderr


def test_a_padded_one_has_no_mark(quiz, script):
    done = quiz("profile", script(PADDED), COLUMNS="120")
    assert done.returncode == OK
    assert " ! " not in done.stdout
    assert "    tile[ty, tx] = image[y, x]".strip() in done.stdout


def test_findings_stand_below_with_sign_line_and_sentence(quiz, script):
    text = HEAD + ONE.format("    s[t] = a[t]\n    out[t] = s[63 - t] * 2.0")
    done = quiz("profile", script(text))
    assert done.returncode == FINDINGS
    assert " ✗ race in shared memory · line 10: no sync" in done.stdout
    in_a_row = " ".join(done.stdout.split())
    assert "block (0, 0, 0) · byte 252 of shared memory · 64 cases" in in_a_row
    assert " ! warning · line 10: float32 * float64" in done.stdout


def test_launches_that_are_alike_are_shown_once(quiz, script):
    text = PADDED + "for _ in range(3):\n    transpose[(2, 2), (32, 32)](image, there)\n"
    text += "    transpose[(1, 1), (32, 32)](image, there)\n"
    done = quiz("profile", script(text))
    assert done.stdout.count("transpose  grid 2×2") == 1
    assert "4 equal launches" in done.stdout
    assert done.stdout.count("transpose  grid 1, block 32×32") == 1
    assert "3 equal launches" in done.stdout


def test_many_launches_that_differ_are_added_up(quiz, script):
    text = HEAD + (
        "\n\n@cuda.jit\ndef part(out, n):\n    i = cuda.grid(1)\n    if i < n:\n"
        "        out[i] = i\n\n\nout = cuda.to_device(np.zeros(2048, dtype=np.float32))\n"
        "for n in range(32, 1024, 32):\n    part[4, 256](out, n)\n"
    )
    done = quiz("profile", script(text))
    assert done.stdout.count("part  grid") == 1
    assert "sum of 31 launches" in done.stdout
    [row] = [line for line in done.stdout.splitlines() if "out[i] = i" in line]
    assert row.split()[-3] == str(4 * sum(range(1, 32)))  # sectors: four a warp


HELPERS = (
    HEAD
    + """

@cuda.jit(device=True)
def turned(s, t):
    cuda.syncwarp()
    return s[63 - t]


@cuda.jit
def kernel(a, out):
    s = cuda.shared.array(64, float32)
    t = cuda.threadIdx.x
    s[t] = a[t]
    out[t] = turned(s, t)


there = cuda.to_device(np.ones(64, dtype=np.float32))
kernel[1, 64](there, cuda.to_device(np.ones(64, dtype=np.float32)))
"""
)
READS = HELPERS.splitlines().index("    return s[63 - t]") + 1
OTHER = HEAD + "from helpers import kernel, there, turned\n\n\n" + (
    "@cuda.jit\ndef other(a, out):\n    s = cuda.shared.array(64, float32)\n"
    "    t = cuda.threadIdx.x\n    s[t] = a[t]\n    out[t] = turned(s, t)\n\n\n"
    "other[1, 64](there, cuda.to_device(np.ones(64, dtype=np.float32)))\n"
)  # fmt: skip


class TestLinesOfAnotherFile:
    def test_they_name_it_as_plain_data(self, script, profiled):
        helpers = script(HELPERS, "helpers.py")
        (own, other), _ = profiled(OTHER, status=FINDINGS)
        assert own["file"] == str(helpers)
        assert {one.get("file") for one in own["lines"] + own["findings"]} == {None}
        assert other["file"] == str(helpers.with_name("script.py"))
        lines = {(one.get("file", ""), one["line"]): one["source"] for one in other["lines"]}
        assert lines["", 11].strip() == "s[t] = a[t]"
        assert lines[str(helpers), READS].strip() == "return s[63 - t]"
        [race] = other["findings"]
        assert (race["line"], race["other_line"], race["other_file"]) == (11, READS, str(helpers))
        assert "file" not in race
        place = race["what"]["fields"]["place"]
        assert place["fields"] == {"line": READS, "file": "helpers.py"}

    def test_they_stand_below_its_name(self, quiz, script):
        script(HELPERS, "helpers.py")
        done = quiz("profile", script(OTHER), COLUMNS="120")
        _, first, second = done.stdout.split("\n\n")
        first_rows, second_rows = (shown.partition("line  ")[2] for shown in (first, second))
        assert first_rows.splitlines()[1] == second_rows.splitlines()[5] == "   helpers.py"
        assert second_rows.splitlines()[1].split()[:2] == ["9", "s"]
        assert " ✗ race in shared memory · line 16 of helpers.py: " in first
        assert " ✗ race in shared memory · line 11: " in second

    def test_the_script_s_name_stands_above_its_lines_where_the_kernel_is_elsewhere(
        self, quiz, script
    ):
        made = HELPERS.partition("@cuda.jit\ndef")
        script(
            HEAD + "\n\ndef made(turned):\n"
            "    @cuda.jit\n    def kernel(a):\n        a[0] = turned(a, 63)\n\n"
            "    return kernel\n",
            "makers.py",
        )
        text = made[0] + "from makers import made\nmade(turned)[1, 1](np.ones(64))\n"
        lines = quiz("profile", script(text)).stdout.splitlines()
        assert [line for line in lines if line.endswith(".py")] == ["   makers.py", "   script.py"]

    def test_what_is_not_emulated_there_names_it(self, quiz, script):
        path = script(HELPERS.replace("s[63 - t]", "[s[t]][0]"), "helpers.py")
        done = quiz("profile", script(OTHER))
        assert done.returncode == SCRIPT
        assert f"{path}:{READS}:12: lists are not available in a kernel" in done.stderr

    def test_a_barrier_and_where_a_thread_returned(self, script, profiled):
        helpers = script(HELPERS.replace("syncwarp", "syncthreads"), "helpers.py")
        text = OTHER.replace(
            "    s[t] = a[t]\n", "    s[t] = a[t]\n    if t > 40:\n        return\n"
        )
        [one] = profiled(text)[0][1]["findings"]
        assert (one["topic"], one["file"], one["other_line"]) == (
            "exited threads",
            str(helpers),
            13,
        )
        assert "other_file" not in one
        place = one["what"]["fields"]["place"]
        assert place == {"code": "place.line-of-kernel", "fields": {"line": 13}}


def test_a_script_without_kernels(quiz, script):
    done = quiz("profile", script("print('nothing')\n"))
    assert (done.returncode, done.stdout) == (OK, "nothing\n")
    assert done.stderr.startswith("No kernel was launched. ")


# As JSON


def test_json_is_all_of_standard_output_while_the_script_prints(profiled):
    [launch], err = profiled(UNPADDED)
    assert "it is right" in err
    assert (launch["kernel"], launch["grid"], launch["block"]) == (
        "transpose", [2, 2, 1], [32, 32, 1],
    )  # fmt: skip
    totals = launch["totals"]
    assert set(totals) <= set(COUNTERS)
    assert 0 not in totals.values()
    assert totals["shared_load_conflicts"] == 128 * 31
    assert totals["global_store_sectors"] == 512
    [line] = [one for one in launch["lines"] if "shared_load_requests" in one]
    assert (line["line"], line["shared_load_wavefronts"]) == (LOADS, 4096)
    assert line["source"].strip() == "out[y, x] = tile[tx, ty]"
    assert 0 not in line.values()
    assert launch["findings"] == []
    assert launch["arguments"][0] == {"name": "image", "type": "float32", "shape": [64, 64]}
    assert launch["bound"]["limit"] == "shared"
    assert launch["ncu"]["l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum"] == 128 * 31
    worst = max(launch["worst"], key=lambda access: access["wavefronts"])
    assert (worst["line"], worst["wavefronts"], worst["addresses"][:2]) == (LOADS, 32, [0, 128])


def test_json_has_the_verdict_and_the_layouts_under_its_own_version(quiz, script):
    report = json.loads(quiz("profile", script(UNPADDED), "--json").stdout)
    assert list(report) == ["format", "verdict", "launches", "layouts", "strides", "refused"]
    assert report["format"] == 3
    assert report["verdict"]["costly"][0]["line"] == LOADS
    [layout] = report["layouts"]
    assert (layout["array"], layout["pitch"], layout["padded"], layout["wavefronts"]) == (
        "tile", 33, 2, 33,
    )  # fmt: skip


def test_json_lines_are_the_same_with_a_launch_on_each(quiz, script):
    whole = json.loads(quiz("profile", script(PADDED * 2), "--json").stdout)
    done = quiz("profile", "script.py", "--json-lines")
    *launches, rest = map(json.loads, done.stdout.splitlines())
    assert len(launches) == len(whole["launches"]) == 2
    assert all(launch.pop("format") == 3 for launch in launches)
    for launch in (*launches, *whole["launches"]):
        del launch["seconds"]
    assert launches == whole["launches"]
    assert rest == {name: value for name, value in whole.items() if name != "launches"}


@pytest.mark.parametrize("kind", FAULTS)
def test_each_kind_of_fault_is_found_at_its_line(kind, profiled):
    text = HEAD + ONE.format("".join(f"    {line}\n" for line in FAULTS[kind]))
    marked = [place for place, line in enumerate(text.splitlines(), 1) if line.endswith("#")]
    status = SCRIPT if kind == "resources" else FINDINGS  # what a device refuses raises an error
    [launch], said = profiled(text, "--budget", "10000000", status=status)
    assert ("--budget" in said) == (kind == "budget")
    assert ("CudaAPIError: [1] CUDA_ERROR_INVALID_VALUE" in said) == (kind == "resources")
    found = [(one["kind"], one["line"]) for one in launch["findings"] if one["kind"] != "warning"]
    assert (kind, marked[0] if marked else 6) in found
    assert all(one["what"]["code"] for one in launch["findings"])


@pytest.mark.parametrize(("package", "opts_in"), [("numba", False), ("numba_cuda_mlir", True)])
def test_only_one_of_numbas_compilers_opts_in_to_more_shared_memory(package, opts_in, profiled):
    text = (
        f"import numpy as np\nfrom {package} import cuda\n\n@cuda.jit\ndef f(a):\n"
        "    cuda.shared.array(0, np.float32)[0] = 1\n    a[0] = 1\n\n"
        "a = np.zeros(1)\nfor size in 48 * 1024, 48 * 1024 + 1:\n    f[1, 1, 0, size](a)\n"
    )
    launches, _ = profiled(text, status=OK if opts_in else SCRIPT)
    found = [(one["line"], one["what"]["code"]) for one in launches[-1]["findings"]]
    assert (len(launches), found) == (2, [] if opts_in else [(11, "finding.opt-in")])


def test_a_warning_alone_is_no_failure(profiled):
    [launch], _ = profiled(HEAD + ONE.format("    out[t] = a[t] * 2.0"))
    assert [one["kind"] for one in launch["findings"]] == ["warning"]


def test_two_launches_of_two_kernels_in_their_order(profiled):
    text = HEAD + ONE.format("    out[t] = a[t]").replace("kernel", "first")
    text += ONE.format("    out[t] = a[t]").replace("kernel", "second")
    launches, _ = profiled(text)
    assert [one["kernel"] for one in launches] == ["first", "second"]


def test_without_launches_the_list_is_empty(profiled):
    assert profiled("pass\n")[0] == []


# As `python script.py` would


def test_arguments_input_folder_and_name(quiz, script):
    script("VALUE = 7\n", "beside.py")
    path = script(
        "import os, sys, beside\n"
        "print(sys.argv, sys.stdin.read(), beside.VALUE, __name__)\n"
        "print(os.path.basename(__file__), os.getcwd(), sys.modules['__main__'].__file__)\n"
    )
    done = quiz("profile", "script.py", "--", "--size", "3", typed="typed")
    first, second = done.stdout.splitlines()
    assert first == "['script.py', '--size', '3'] typed 7 __main__"
    assert second == f"script.py {path.parent} {path}"


def test_a_script_that_fails_is_shown_with_its_own_frames(quiz, script):
    done = quiz("profile", script(PADDED + "def fail():\n    1 / 0\n\n\nfail()\n"))
    assert done.returncode == SCRIPT
    assert "transpose  grid 2×2" in done.stdout
    assert done.stderr.startswith("Traceback (most recent call last):\n")
    assert done.stderr.count('  File "') == 2
    assert "ZeroDivisionError: division by zero\nquiz: " in done.stderr


def test_launches_before_the_failure_are_in_the_json(profiled):
    launches, err = profiled(PADDED + "raise SystemExit('too bad')\n", status=SCRIPT)
    assert len(launches) == 1
    assert "too bad\n" in err


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("def broken(:\n", "SyntaxError"),
        (
            HEAD + ONE.format("    out[t] = [1][0]"),
            (
                "lists are not available in a kernel\n"
                "    out[t] = [1][0]\n"
                "             ^\n"
                "use cuda.loc"
            ),
        ),
        ("from .beside import kernel\n", "import the module by its name, without a dot"),
        ("from numba.cuda.nothing import rand\n", "numba.cuda.nothing is not emulated"),
        ("from numba import cuda\ncuda.compile_ptx(max, ())\n", "write a kernel with cuda.jit"),
        ("import os\nos._exit(3)\n", "status 3"),
        ("import os\nos.kill(os.getpid(), 9)\n", "ended by signal 9"),
    ],
)
def test_other_ways_to_fail(text, said, quiz, script):
    done = quiz("profile", script(text))
    assert (done.returncode, done.stdout) == (SCRIPT, "")
    assert said in done.stderr


def test_the_script_is_compiled_as_it_is(profiled):
    profiled("def f(a: int): ...\nassert f.__annotations__['a'] is int\n")


def test_all_frames_are_shown_to_who_asks(quiz, script):
    path = script(HEAD + ONE.format("    out[t] = [1][0]"))
    assert "launching.py" not in quiz("profile", path).stderr
    assert "session.py" in quiz("profile", path, QUIZ_DEBUG="1").stderr


def test_an_assertion_of_ours_that_fails_is_admitted_in_a_line(quiz, script):
    path = script("from grader.simt.memory.layout import _base_of\n_base_of(None)\n")
    said = quiz("profile", path).stderr
    assert said.startswith("quiz: this is an error in quiz itself (AssertionError); ")
    assert "Traceback" not in said
    log = re.search("the log says where: (.*)", said)
    assert log is not None
    assert "in _base_of" in Path(log[1]).read_text(encoding="utf-8")
    assert "in _base_of" in quiz("profile", path, QUIZ_DEBUG="1").stderr


def test_a_fork_that_ends_leaves_the_launches_alone(profiled):
    fork = "import os\nif os.fork() == 0:\n    sys.exit(0)\nos.wait()\n"
    assert len(profiled(fork.join([HEAD, PADDED]))[0]) == 1


def test_launches_at_exit_and_in_threads_count(profiled):
    again = "    transpose[(2, 2), (32, 32)](image, there)\n"
    text = PADDED + "import atexit, threading\n\n\ndef again():\n" + again
    launches, _ = profiled(
        text + "\n\natexit.register(again)\nthreading.Thread(target=again).start()\n"
    )
    assert len(launches) == 3


def test_status_0_of_the_script_s_own_exit_is_no_failure(profiled):
    launches, _ = profiled(PADDED + "sys.exit(0)\n")
    assert len(launches) == 1


def test_where_numba_is_absent(quiz, script, tmp_path):
    package = tmp_path / "absent" / "numba"
    package.mkdir(parents=True)
    (package / "__init__.py").write_text("raise ImportError('no numba here')\n")
    text = UNPADDED.replace("@cuda.jit", "@cuda.jit('void(float32[:, :], float32[:, :])')")
    text = "import numba\nfrom numba import njit, prange, types\n" + text
    text += "\n\n@njit(parallel=True)\ndef add(n):\n    return sum(i for i in prange(n))\n\n\n"
    text += "assert add(4) == 6 and numba.cuda is cuda and numba.types.int8(3) == 3\n"
    done = quiz("profile", script(text), PYTHONPATH=f"{package.parent}:{ROOT}")
    assert done.returncode == OK, done.stderr
    assert "32-way" in done.stdout


def test_a_long_launch_says_how_far_it_is(quiz, script):
    text = HEAD + (
        "\n\n@cuda.jit\ndef slow(out):\n    i = cuda.grid(1)\n    v = out[i]\n"
        "    for k in range(4000):\n        v = v * float32(0.5) + float32(i)\n"
        "    out[i] = v\n\n\n"
        "slow[2048, 256](np.zeros(2048 * 256, dtype=np.float32))\n"
    )
    done = quiz("profile", script(text))
    assert done.returncode == OK
    assert "of 2,048 blocks" in done.stderr


SPIN = (
    HEAD + "\n\n@cuda.jit\ndef spin(out):\n    out[cuda.threadIdx.x] = 1\n"
    "    while True:\n        out[cuda.threadIdx.x] += 1\n\n\n"
    "open('there', 'w').close()\nspin[1, 32](np.zeros(32, dtype=np.float32))\n"
)


@pytest.mark.parametrize(
    "reaching",
    ["both, as a terminal does", pytest.param("the program alone", marks=pytest.mark.long)],
)
def test_a_long_loop_is_seen_to_go_on_and_ctrl_c_shows_what_was_counted(reaching, quiz, script):
    script(SPIN)
    child = pexpect.spawn(
        sys.executable, quiz.command("profile", "script.py")[1:], cwd=str(quiz.folder),
        env=quiz.environment(TERM="xterm", NO_COLOR="1"), encoding="utf-8", timeout=PATIENCE_S,
        dimensions=(24, 100),
    )  # fmt: skip
    rounds = []
    for _ in range(2):
        child.expect(r"spin: 0 of 1 blocks, (\d+) s, line 9, iteration ([\d,]+)")
        rounds.append(int(child.match[2].replace(",", "")))
    assert 0 < rounds[0] < rounds[1]
    if reaching.startswith("both"):
        child.sendintr()
    else:
        child.kill(signal.SIGINT)
    child.expect(pexpect.EOF)
    child.close()
    assert child.exitstatus == INTERRUPTED
    heading = next(line for line in child.before.splitlines() if line.startswith("spin  grid"))
    assert heading.startswith("spin  grid 1, block 32, ")
    assert heading.endswith(", not finished")
    assert "out[cuda.threadIdx.x] += 1" in child.before
    assert "quiz: interrupted; the last launch is shown as far as it ran" in child.before


@pytest.mark.parametrize("command", ["profile", pytest.param("ask", marks=pytest.mark.long)])
def test_ctrl_c_ends_both(quiz, script, tmp_path, command):
    text = "import os, time\nopen('pid', 'w').write(str(os.getpid()))\ntime.sleep(60)\n"
    script(text)
    with quiz.start(command, "script.py") as program:
        pid = tmp_path / "pid"
        until(lambda: pid.exists() and pid.read_text())
        program.send_signal(signal.SIGINT)
        assert program.wait(timeout=PATIENCE_S) == INTERRUPTED
        assert program.stdout.read() == ""
    until_ended(int(pid.read_text()))


# Wrong calls


def test_a_script_that_is_not_there(quiz, tmp_path):
    for name, what in (("gone.py", "there is no file gone.py"), (".", ". is a folder")):
        done = quiz("profile", name)
        assert (done.returncode, done.stdout) == (USAGE, "")
        assert done.stderr.startswith(f"quiz: {what}\n  ")


def test_a_budget_of_nothing(quiz, script):
    assert quiz("profile", script("pass\n"), "--budget", "0").returncode == USAGE


SAME_NAME = (
    HEAD
    + """

def make(step):
    @cuda.jit
    def kernel(out):
        out[cuda.threadIdx.x] = step

    return kernel


def other():
    @cuda.jit
    def kernel(out):
        out[cuda.threadIdx.x] += 1

    return kernel


@cuda.jit
def alone(out):
    out[0] = 1


out = np.zeros(32)
make(1)[1, 32](out)
other()[1, 32](out)
alone[1, 1](out)
"""
)


def test_kernels_of_one_name_are_told_apart(quiz, script):
    done = quiz("profile", script(SAME_NAME))
    headings = [line.split("  ")[0] for line in done.stdout.splitlines() if "emulated in" in line]
    assert headings == ["make.<locals>.kernel", "other.<locals>.kernel", "alone"]
    launches = json.loads(quiz("profile", "--json", script(SAME_NAME)).stdout)["launches"]
    assert [one["kernel"] for one in launches] == ["kernel", "kernel", "alone"]
    assert launches[0]["qualname"] == "make.<locals>.kernel"


ARGUMENT = "cuda.to_device(np.ones(64, dtype=np.float32))"
REFUSED = HEAD + ONE.format("    s[t] = open(t)\n    out[t] = s[t]")


def test_json_says_what_the_emulator_refused_and_where(quiz, script):
    path = script(REFUSED)
    done = quiz("profile", path, "--json")
    assert done.returncode == SCRIPT
    refused = json.loads(done.stdout)["refused"]
    line = REFUSED.splitlines().index("    s[t] = open(t)") + 1
    assert (refused["file"], refused["line"]) == (str(path), line)
    assert refused["what"] == {"code": "python.not-emulated", "fields": {"name": "open"}}
    assert f"{path}:{line}:" in done.stderr
    assert "grader." not in done.stderr


def test_json_of_an_impossible_launch_has_no_place(quiz, script):
    impossible = HEAD + ONE.format("    out[t] = t").replace(ARGUMENT, '"text"')
    refused = json.loads(quiz("profile", script(impossible), "--json").stdout)["refused"]
    assert set(refused) == {"what", "hint"}


@pytest.mark.parametrize("text", [HEAD + ONE.format("    out[t] = t"), "1/0"])
def test_json_of_a_script_that_runs_or_fails_on_its_own_refuses_nothing(quiz, script, text):
    assert json.loads(quiz("profile", script(text), "--json").stdout)["refused"] is None


def test_a_line_that_no_kernel_executed_is_told_with_those_that_were(quiz, script):
    done = quiz("profile", script(UNPADDED), "--line", "999")
    assert done.returncode == USAGE
    said, lines = done.stderr.splitlines()
    assert said == "quiz: no kernel executed line 999"
    assert lines == f"  lines in the report: 8–{LOADS}"


def test_two_forms_of_json_are_refused_together(quiz, script):
    done = quiz("profile", script("pass"), "--json", "--json-lines")
    assert (done.returncode, done.stdout) == (USAGE, "")
    assert "use one of them" in done.stderr


def test_github_s_annotations_stand_below_the_report_and_sarif_in_a_file(quiz, script, tmp_path):
    text = HEAD + ONE.format("    s[t] = a[t]\n    out[t] = s[63 - t]")
    done = quiz("profile", script(text), "--github", "--sarif", "log.sarif")
    assert done.returncode == FINDINGS
    line = text.splitlines().index("    out[t] = s[63 - t]") + 1
    fault, launched = done.stdout.splitlines()[-2:]
    assert fault.startswith(
        f"::error file=script.py,line={line},col=14,title=race in shared memory::"
    )
    assert f"launched here, has a fault: race in shared memory, line {line}" in launched
    [result] = json.loads((tmp_path / "log.sarif").read_text())["runs"][0]["results"]
    assert result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] == "script.py"
    assert quiz("profile", "script.py", "--github", "--json").returncode == USAGE


def test_equal_launches_have_their_worst_accesses_once(quiz, script):
    text = UNPADDED + "transpose[(2, 2), (32, 32)](image, there)\n"
    whole = quiz("profile", script(text), "--json").stdout
    first, second = json.loads(whole)["launches"]
    assert (len(first["worst"]), len(first["arrays"])) == (2, 1)
    assert not {"worst", "arrays", "scattered"} & set(second)
    script(whole, "saved.json")
    done = quiz("profile", "script.py", "--against", "saved.json")
    assert not re.search("better|worse", done.stdout)
