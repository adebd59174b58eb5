"""The examples of the README and the guide have the printed results."""

import re
import shlex
import sys
from contextlib import chdir, redirect_stdout
from functools import cache
from io import BytesIO, TextIOWrapper
from pathlib import Path
from runpy import run_path

import duckdb
from pytest import fixture, mark

import sqlrec
from sqlrec import cli

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")
GUIDE = (ROOT / "docs" / "guide.md").read_text(encoding="utf-8")


def blocks(language):
    both = README + GUIDE
    result = re.findall(r"^```(\w*)\n(.*?)^```$", both, flags=re.MULTILINE | re.DOTALL)
    return [block for named, block in result if named == language]


DOCS = sorted((ROOT / "docs").rglob("*.md"))


COMMANDS = [line for block in blocks("sh") for line in block.splitlines() if line[:7] == "sqlrec "]


@fixture(scope="module")
def example(demo):
    """A folder in which the first command of the README was run, and its output."""
    first, _ = (block for block in blocks("sh") if "venv" in block)
    assert first.endswith(" .venv/bin/sqlrec demo\n")
    folder, printed = demo
    return folder / "sqlrec-demo", printed


@fixture(scope="module")
def run(example):
    """Run Python, or a command, in that folder and in this process; return its output."""

    @cache
    def run(code):
        if code == "sqlrec demo":
            return example[1]
        out = TextIOWrapper(BytesIO(), encoding="utf-8")
        with chdir(example[0]), redirect_stdout(out):
            if code.startswith("sqlrec "):
                assert cli.main(shlex.split(code)[1:]) == 0
            else:
                exec(code, {"sqlrec": sqlrec, "recs": "recs.parquet", "truth": "truth.parquet"})
        out.seek(0)
        return out.read()

    return run


def test_the_example_of_clicks_prints_the_output_of_its_page(tmp_path, monkeypatch, capfd):
    script = ROOT / "examples" / "open_bandit" / "evaluate.py"
    monkeypatch.setattr(sys, "argv", [str(script), str(tmp_path)])
    run_path(str(script), run_name="__main__")
    printed = capfd.readouterr().out
    headings = [line for line in printed.splitlines() if line in ("By campaign", "Together")]
    assert headings == ["By campaign", "Together"]
    assert printed.count("Users and lists") == 1
    page = (ROOT / "examples/open_bandit/README.md").read_text(encoding="utf-8")
    assert re.search(r"```\n(┌.*?)```", page, flags=re.DOTALL)[1] in printed


def test_examples_of_python_run(run, example):
    code, *_ = blocks("python")
    shown = next(block for block in blocks("text") if block.startswith("model"))
    output = run(code)
    # The first command prints the same tables.
    for line in shown.splitlines():
        if line != "...":
            assert line in output and line in example[1], line


def test_the_example_of_a_convention_agrees_with_explain(run):
    _, _, code, _ = blocks("python")
    output = run(re.sub(r"^(sqlrec.*)$", r"print(\1)", code, flags=re.MULTILINE))
    assert "  ndcg(convention=lenskit)@10 ↑\n" in output
    assert re.search(r"^★ trending +0\.0925 .*0\.0994 ", output, re.MULTILINE)


def test_the_example_of_a_comparison_names_segments(run):
    _, code, _, _ = blocks("python")
    output = run(code)
    assert re.search(r"^trending +886 +0\.1429 +\+0\.0774 ▲", output, re.MULTILINE)
    worse = output.rpartition("Significantly worse than item_knn in 1 of 8 tests")[2]
    assert re.search("^trending +in no segment$", worse, re.MULTILINE)
    assert re.search("^popularity +2013 +886 ", worse, re.MULTILINE)
    assert "Holm's correction over 8 tests of segments" in worse


def test_the_example_of_explain_runs(run):
    (command,) = (line for line in COMMANDS if line.startswith("sqlrec explain"))
    (shown,) = (block for block in blocks("text") if "computed by" in block)
    for line in shown.splitlines():
        assert line.removesuffix("...").rstrip() in run(command), line


@mark.parametrize("line", COMMANDS)
def test_examples_of_the_command_line_run(run, example, line):
    output = run(line)
    if "-o ndcg.csv" in line:
        written = (example[0] / "ndcg.csv").read_text()
        assert written.startswith("model,metric,k,request,value,users,standard_error,")
    elif "--dialect" in line:
        assert "from shop.recs" in output and "cast(" in output and "as float64)" in output
    elif line.startswith("sqlrec sql"):
        with duckdb.connect() as connection:
            connection.execute(f"set file_search_path = '{example[0]}'")
            assert len(connection.sql(output).fetchall()) == 3
    else:
        assert "ndcg" in output


def test_the_example_of_dbt_runs():
    (shown,) = (block for block in blocks("sql") if "{{" in block)
    models = (ROOT / "examples" / "dbt" / "models").rglob("*.sql")
    assert any(shown.strip() in model.read_text(encoding="utf-8") for model in models)


def test_examples_of_sql_run(update):
    assert update.with_statement(README) == README, "run python docs/update.py"
    assert "as ndcg" in README


def test_the_readme_is_short():
    assert len(README.splitlines()) <= 135


def test_metrics_are_those_of_the_headers(update):
    page = update.METRICS.read_text(encoding="utf-8")
    assert update.updated(page) == page, "run python docs/update.py"


def test_links_lead_somewhere():
    for page in (ROOT / "README.md", *DOCS):
        text = page.read_text(encoding="utf-8")
        for link, _, heading in re.findall(r"\]\((?!http)([^)#]*)(#([^)]+))?\)", text):
            target = page.parent / link if link else page
            assert target.exists(), (page.name, link)
            if heading:
                titles = re.findall(r"^#+ (.*)$", target.read_text(encoding="utf-8"), re.MULTILINE)
                slugs = [re.sub(r"[^\w\- ]", "", one.lower()).replace(" ", "-") for one in titles]
                assert heading in slugs, (page.name, link, heading)
