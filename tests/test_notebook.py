"""`%%quiz_profile`: the page of a cell's report, in a real notebook and by itself."""

from __future__ import annotations

import html
import re

import pytest

from quizapp.notebook import quiz_profile
from tests.commands.program import ROOT
from tests.commands.test_profile import HEAD, LOADS, ONE, PADDED, UNPADDED


@pytest.fixture(autouse=True)
def _here(tmp_path, monkeypatch):
    """The notebook's folder, with a module in it."""
    (tmp_path / "beside.py").write_text("N = 32\n", "utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("QUIZ_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("PYTHONPATH", str(ROOT))


def page_of(shown: str) -> str:
    """What the frame shows."""
    found = re.fullmatch(r'<iframe sandbox="" style="[^"]*" srcdoc="([^"]*)"></iframe>', shown)
    assert found is not None
    return html.unescape(found[1])


def test_a_cell_is_reported_as_a_page(capsys):
    found = quiz_profile("", "import beside\nprint(beside.N)\n" + UNPADDED)
    assert found is not None
    assert repr(found) == (
        f"no faults in 1 launch; transpose line {LOADS + 2} costs 97% of shared wavefronts: "
        "32-way, pad to 33"
    )
    assert page_of(found._repr_html_()) == found.page
    assert found.report.groups[0].bound.limit == "shared"
    shown = capsys.readouterr()
    assert shown.err == "32\nit is right\n"  # what the cell prints
    assert "/tmp" not in found.page


def test_options_and_arguments_are_those_of_the_command(capsys):
    text = PADDED + HEAD + ONE.format("    out[t] = t") + "print(sys.argv[1:])\n"
    found = quiz_profile("--kernel kernel -- --size '4 5'", text)
    assert [group.title for group in found.report.groups] == ["kernel"]
    assert "['--size', '4 5']" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("line", "cell", "said"),
    [
        ("--kernl x", "pass", "there is no option '--kernl'"),
        pytest.param("", "1 / 0", "ZeroDivisionError", marks=pytest.mark.long),
        ("", "pass", "No kernel was launched. Add a launch"),
    ],
)
def test_without_launches_there_is_no_page(line, cell, said, capsys):
    assert quiz_profile(line, cell) is None
    assert said in capsys.readouterr().err


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_a_notebook_that_is_executed_has_the_page():
    nbclient = pytest.importorskip("nbclient")
    nbformat = pytest.importorskip("nbformat")
    pytest.importorskip("ipykernel")
    cells = ["%load_ext quizapp.notebook", f"%%quiz_profile\n{UNPADDED}", "_.report.verdict.faulty"]
    notebook = nbformat.v4.new_notebook(
        cells=[nbformat.v4.new_code_cell(source) for source in cells]
    )
    nbclient.NotebookClient(notebook, timeout=120, kernel_name="python3").execute()
    shown = [cell.outputs for cell in notebook.cells]
    [result] = [output for output in shown[1] if output.output_type == "execute_result"]
    assert "transpose line" in page_of(result.data["text/html"])
    assert result.data["text/plain"].startswith("no faults in 1 launch")
    assert shown[2][0].data["text/plain"] == "0"
