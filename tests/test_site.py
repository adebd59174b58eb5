"""The site: its pages are true, and every block of the pages of tasks and libraries runs."""

import importlib.util
import re
import shlex
import shutil
import subprocess
import sys
from contextlib import redirect_stdout
from io import StringIO
from pathlib import Path

import duckdb
import pyarrow.parquet
from pytest import approx, fixture, mark

import sqlrec
from sqlrec import cli

from .plots.data import inputs
from .test_pages import CHROMIUM

DOCS = Path(__file__).parent.parent / "docs"
PAGES = sorted([*DOCS.glob("tasks/*.md"), *DOCS.glob("from/*.md")])


@fixture(scope="module")
def build():
    """The script docs/site/build.py, as a module."""
    sys.path.insert(0, str(DOCS / "site"))
    spec = importlib.util.spec_from_file_location("build", DOCS / "site" / "build.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@fixture(scope="module")
def given(tmp_path_factory):
    """A folder with lists of two models, and of each alone."""
    folder = tmp_path_factory.mktemp("given")
    tables = inputs()
    recs = tables["recs"]
    for model in ("als", "pop"):
        those = pyarrow.array([one == model for one in recs["model"].to_pylist()])
        tables[model] = recs.filter(those).drop_columns("model")
    tables |= {"recs_new": tables["als"], "recs_main": tables["pop"]}
    for name, table in tables.items():
        pyarrow.parquet.write_table(table, folder / f"{name}.parquet")
    return folder


@mark.slow
@mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_every_block_runs(page, given, monkeypatch):
    monkeypatch.chdir(given)
    text = page.read_text(encoding="utf-8")
    names, printed = {}, StringIO()
    blocks = re.findall(r"^```(\w*)\n(.*?)^```$", text, flags=re.MULTILINE | re.DOTALL)
    assert {language for language, _ in blocks} <= {"python", "sh", "yaml"} and blocks
    with redirect_stdout(printed):
        for language, code in blocks:
            if language == "python":
                exec(code, names)
                continue
            for line in code.replace("\\\n", " ").splitlines() if language == "sh" else ():
                program, *words = shlex.split(line)
                assert program == "sqlrec" and cli.main(words) == 0, line


def test_the_page_of_a_metric_has_all_of_its_header_and_an_example_that_is_true(build):
    """What the page shows is what its own statement gives, in a DuckDB that knows its tables."""
    for metric in map(sqlrec.metric, ("ndcg", "gini", "pearson", "snips", "calibration_kl")):
        page = build.metric_page(metric)
        plain = page.replace("\\", "")
        for text in metric.entries.values():
            for word in re.findall(r"\w{5,}", text):
                assert word in plain or word in ("higher", "lower", "neither")
        asked, tables = build.worked.asked(metric), build.worked.tables(metric)
        (shown,) = re.findall(rf"^\*\*{re.escape(asked)} is (\S+)\*\*", page, flags=re.MULTILINE)
        columns = {"relevance": "relevance"} if "truth" in tables else {}
        statement = sqlrec.sql(asked, dialect="duckdb", columns=columns, **{x: x for x in tables})
        with duckdb.connect() as connection:
            for name, table in tables.items():
                connection.register(name, table)
            ((value, *_),) = connection.sql(statement).fetchall()
        assert float(shown) == approx(value, rel=1e-5)
        assert all(table.num_rows <= 5 for table in tables.values())


@mark.slow
def test_every_example_runs_in_a_browser_with_the_value_of_python(build, tmp_path):
    """From a file, with nothing but what is beside it."""
    browser = shutil.which("chromium") or shutil.which("google-chrome")
    assert browser, "apt-get install chromium"
    build.fetch_sqlite(tmp_path / "vendor")
    shutil.copy(DOCS / "site" / "run.js", tmp_path)
    examples = {name: build.metric_page(one) for name, one in sqlrec.metrics().items()}
    parts = [
        f'<section id="{name}">{re.search("<div class.*?</div>", page, re.DOTALL)[0]}</section>'
        for name, page in examples.items()
    ]
    press = """addEventListener("load", async () => {
        for (const button of document.querySelectorAll("button")) {
            button.click();
            while (button.disabled) await new Promise(done => setTimeout(done, 5));
        }})"""
    page = tmp_path / "page.html"
    scripts = f'<script src="run.js"></script><script>{press}</script>'
    page.write_text(f'<meta charset="utf-8">{"".join(parts)}{scripts}', encoding="utf-8")
    command = [browser, *CHROMIUM, f"--user-data-dir={tmp_path / 'profile'}"]
    command += ["--virtual-time-budget=60000", "--dump-dom", page.as_uri()]
    shown = subprocess.run(command, capture_output=True, text=True, timeout=240).stdout
    found = re.findall(r'<section id="(\w+)"><div class="sqlrec-run" data-value="([^"]+)"', shown)
    own = {name: approx(build.value_of(name)[0], rel=1e-12) for name in sqlrec.metrics()}
    assert {name: float(value) for name, value in found} == own


def test_ndcg_of_the_worked_example_is_as_by_hand(build):
    """Ana: 2 / log2(2) of 2 / log2(2) + 1 / log2(3); ben: 3 / log2(3) of 3 / log2(2)."""
    value, users = build.value_of("ndcg")
    assert users == 2
    assert value == approx((2 / (2 + 0.6309297535714575) + 0.6309297535714575) / 2)


def test_a_formula_that_is_a_fraction_is_drawn_as_one(build):
    drawn = build.formula("     sum of 2^grade\n    ---------------\n     relevant items")
    assert drawn.startswith('<math display="block"><mfrac><mrow><mtext>sum of </mtext><msup>')
    assert "relevant items</mtext></mrow></mfrac></math>" in drawn
    assert build.formula("    1 / place") == "```text\n1 / place\n```"


def test_links_of_pages_lead_to_pages(build):
    pages = build.written_pages()
    known = {"api.md", *pages, *(f"metrics/{name}.md" for name in sqlrec.metrics())}
    known |= {f"pictures/{path.name}" for path in (DOCS / "pictures").iterdir()}
    for page, text in pages.items():
        outside = re.sub(r"^```.*?^```$", "", text, flags=re.MULTILINE | re.DOTALL)
        for target in re.findall(r"\]\((?!http|#)([^)#]+)", outside):
            assert build.os.path.normpath(Path(page).parent / target) in known, (page, target)


def test_the_page_of_the_api_has_every_public_name_and_argument(build):
    page = build.api_page()
    for name in sqlrec.__all__:
        assert re.search(rf"^## (sqlrec\.)?{name}$", page, flags=re.MULTILINE), name
    for option in ("relevance_threshold", "interval", "baseline"):
        assert f"- `{option}`: " in page


def test_pages_of_the_navigation_are_there(build):
    def paths(found):
        for one in found:
            (below,) = one.values()
            yield from [below] if isinstance(below, str) else paths(below)

    named = [*paths(build.config()["nav"])]
    assert len(named) == len({*named})
    made = {f"metrics/{name}.md" for name in sqlrec.metrics()} | {"api.md", *build.ELSEWHERE}
    there = {path.relative_to(DOCS).as_posix() for path in DOCS.rglob("*.md")}
    assert {*named} <= made | there
