"""What the README and the guide show is true."""

import os
import re
import subprocess
import sys
from pathlib import Path

import duckdb
import pyarrow.parquet
from pytest import fixture, mark

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")
GUIDE = (ROOT / "docs" / "guide.md").read_text(encoding="utf-8")


def blocks(language):
    both = README + GUIDE
    found = re.findall(r"^```(\w*)\n(.*?)^```$", both, flags=re.MULTILINE | re.DOTALL)
    return [block for named, block in found if named == language]


DOCS = sorted((ROOT / "docs").rglob("*.md"))


def run(command, folder):
    """Run a command line as it stands, with this Python's programs in reach."""
    programs = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    done = subprocess.run(
        command,
        shell=True,
        cwd=folder,
        capture_output=True,
        text=True,
        encoding="utf-8",
        env=os.environ | {"PATH": programs},
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


@fixture(scope="module")
def folder(tmp_path_factory):
    """A folder in which the example was run."""
    folder = tmp_path_factory.mktemp("a folder")
    evaluate, _ = (block for block in blocks("sh") if "venv" in block)
    script = evaluate.split()[-1]
    output = run(f"'{sys.executable}' '{ROOT / script}'", folder)
    assert "Together" in output and "0.154*           0.300*" in output
    return folder


def test_the_example_says_what_its_own_page_says(folder):
    page = (ROOT / "examples/open_bandit/README.md").read_text(encoding="utf-8")
    table = re.search(r"```\n(┌.*?)```", page, flags=re.DOTALL)[1]
    assert table in run(f"'{sys.executable}' '{ROOT}/examples/open_bandit/evaluate.py'", folder)


def test_python(folder):
    code, *_ = blocks("python")
    shown = next(block for block in blocks("text") if block.startswith("model"))
    output = run(f"""'{sys.executable}' -c '{code.replace("'", '"')}'""", folder)
    assert output.startswith(shown.removesuffix("...\n"))
    assert "users_without_list" in output
    assert pyarrow.parquet.read_table(folder / "per_user.parquet").num_rows == 2 * 130 * 3


def test_a_convention_is_what_explain_tells(folder):
    _, _, code, _ = blocks("python")
    tables = "recs, truth = 'recs.parquet', 'truth.parquet'"
    shown = re.sub(r"^(sqlrec.*)$", r"print(\1)", code, flags=re.MULTILINE)
    program = f"import sqlrec; {tables}\n{shown}".replace('"', "'")
    output = run(f"""'{sys.executable}' -c "{program}\"""", folder)
    assert "  ndcg(convention=lenskit)@10 ↑\n" in output
    assert re.search(r"^bts +0\.125\* ±0\.036 +0\.149\* ±0\.045$", output, flags=re.MULTILINE)


def test_a_comparison_says_where_it_is_worse(folder):
    _, code, _, _ = blocks("python")
    tables = "recs, truth = 'recs.parquet', 'truth.parquet'"
    program = f"import sqlrec; {tables}\n{code}\nprint(result)".replace('"', "'")
    output = run(f"""'{sys.executable}' -c "{program}\"""", folder)
    assert re.search(r"^men +46 +0\.162 +0\.072 +\+0\.091 ±0\.087", output, flags=re.MULTILINE)
    worse = output.rpartition("compared with")[2]
    assert "men  " not in worse.replace("women", "") and "Holm's correction for 3 tests" in worse


def test_explain(folder):
    (command,) = (line for line in blocks("sh") if line.startswith("sqlrec explain"))
    (shown,) = (block for block in blocks("text") if "computed by" in block)
    output = run(command, folder)
    for line in shown.splitlines():
        assert line.removesuffix("...").rstrip() in output, line


@mark.parametrize(
    "line",
    [line for block in blocks("sh") for line in block.splitlines() if line.startswith("sqlrec ")],
)
def test_command_line(folder, line):
    output = run(line, folder)
    if "-o ndcg.csv" in line:
        written = (folder / "ndcg.csv").read_text()
        assert written.startswith("model,metric,k,asked,value,users,standard_error,")
    elif "--dialect" in line:
        assert "from shop.recs" in output and "cast(" in output and "as float64)" in output
    elif line.startswith("sqlrec sql"):
        with duckdb.connect() as connection:
            connection.execute(f"set file_search_path = '{folder}'")
            assert len(connection.sql(output).fetchall()) == 2
    else:
        assert "ndcg" in output


def test_dbt():
    (shown,) = (block for block in blocks("sql") if "{{" in block)
    models = (ROOT / "examples" / "dbt" / "models").rglob("*.sql")
    assert any(shown.strip() in model.read_text(encoding="utf-8") for model in models)


def test_sql(update):
    assert update.with_statement(README) == README, "run python docs/update.py"
    assert "as ndcg" in README


def test_the_readme_is_short():
    assert len(README.splitlines()) <= 130


def test_metrics_are_those_of_the_headers(update):
    page = update.METRICS.read_text(encoding="utf-8")
    assert update.updated(page) == page, "run python docs/update.py"


@mark.parametrize("page", ["README.md", *(str(path.relative_to(ROOT)) for path in DOCS)])
def test_links_lead_somewhere(page):
    text = (ROOT / page).read_text(encoding="utf-8")
    for link, _, heading in re.findall(r"\]\((?!http)([^)#]*)(#([^)]+))?\)", text):
        target = (ROOT / page).parent / link if link else ROOT / page
        assert target.exists(), link
        if heading:
            titles = re.findall(r"^#+ (.*)$", target.read_text(encoding="utf-8"), re.MULTILINE)
            slugs = {re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-") for title in titles}
            assert heading in slugs, (link, heading)
