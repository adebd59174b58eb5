"""The benchmarks run, the values of their cases are equal, and limits are checked."""

import json
import re
import runpy
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import duckdb
from pytest import MonkeyPatch, fixture, mark, param, raises

ROOT = Path(__file__).parent.parent
# The parts, with the number of cases that one test runs.
PARTS = [
    {"five": 11, "small": 5, "readers": 8},
    {"deep": 7, "fifty": 5, "additions": 7, "unjudged": 7, "questions": 6},
    {"catalogue": 2, "models": 3, "bootstrap": 2, "output": 1, "growth": 2},
    {"diversity": 8},
]
SIZES = ("--users", 20, "--rounds", 1, "--output", 20, "--growth", 2000)
# A library with slightly larger values than sqlrec's.
PEER = """
import json
import sys
import sqlrec
LIBRARY = "sqlrec"
REQUIREMENTS = []
ORDER = "rank"
SHARE = 0.5
METRICS = {"ndcg@{k}": "ndcg"}
if __name__ == "__main__":
    rows = sqlrec.evaluate(
        [f"ndcg@{k}" for k in sys.argv[1:]],
        recs="recs.parquet",
        truth="truth.parquet",
        convention="rectools",
        order="rank",
    ).to_arrow()
    values = [value + MORE for value in rows["value"].to_pylist()]
    print(json.dumps({f"ndcg@{k}": value for k, value in zip(sys.argv[1:], values)}))
"""


def python(*arguments):
    return subprocess.run(
        [sys.executable, *map(str, arguments)], capture_output=True, text=True, encoding="utf-8"
    )


@fixture
def checkout(tmp_path):
    """A checkout with its own results and limits."""
    shutil.copytree(
        ROOT / "benchmarks",
        tmp_path / "benchmarks",
        ignore=shutil.ignore_patterns("results", "__pycache__"),
    )
    (tmp_path / "docs").mkdir()
    shutil.copy(ROOT / "docs" / "speed.md", tmp_path / "docs")
    for name in ("sql", "sqlrec"):
        (tmp_path / name).symlink_to(ROOT / name)
    return tmp_path


def run(checkout, *arguments):
    return python(checkout / "benchmarks" / "run.py", *arguments)


def results_of(checkout, part):
    folder = checkout / "benchmarks" / "results"
    return json.loads((folder / f"{part}.json").read_text(encoding="utf-8"))["cases"]


@mark.parametrize(
    "parts",
    [param(PARTS[0], marks=mark.slow), *(param(part, marks=mark.weekly) for part in PARTS[1:])],
    ids=lambda parts: "-".join(parts),
)
def test_results_have_a_row_for_each_case(checkout, parts):
    done = run(checkout, *parts, *SIZES)
    assert done.returncode == 0, done.stderr
    results = checkout / "benchmarks" / "results"
    table = (results / "table.md").read_text(encoding="utf-8")
    for part, cases in parts.items():
        measured = results_of(checkout, part)
        assert len(measured) == cases
        for name, case in measured.items():
            ((cpu, memory),) = case["rounds"]
            assert cpu > 0 and 0.005 < memory < 2
            assert f"\n| {name} | {format(case['rows'], ',') if case['rows'] else ''}" in table
    assert "<svg" in (results / "plot.svg").read_text(encoding="utf-8")


@mark.slow
@mark.parametrize("more", [0, 1e-8])
def test_libraries_are_compared_with_sqlrec(checkout, more):
    peers = checkout / "benchmarks" / "peers"
    shutil.rmtree(peers)
    peers.mkdir()
    (peers / "rectools.py").write_text(PEER.replace("MORE", f"{more}"))
    program = checkout / ".venv-benchmarks" / "rectools" / "bin" / "python"
    program.parent.mkdir(parents=True)
    program.write_text(f'#!/bin/sh\nexec "{sys.executable}" "$@"\n')
    program.chmod(0o755)
    done = run(checkout, "peers", *SIZES)
    if more:
        assert done.returncode == 1
        assert "sqlrec as rectools and rectools differ in 4 answers" in done.stderr
        return
    assert done.returncode == 0, done.stderr
    assert {case["rows"] for case in results_of(checkout, "peers").values()} == {1000}
    assert "| sqlrec by default, tables of rectools: CPU to rectools | " in done.stdout


@mark.slow
def test_the_page_has_the_measured_times(checkout):
    done = run(checkout, "small", "--page", *SIZES)
    assert done.returncode == 1 and "--page shows the part five: measure it too" in done.stderr
    results = checkout / "benchmarks" / "results"
    shutil.copytree(ROOT / "benchmarks" / "results", results, dirs_exist_ok=True)
    done = run(checkout, "small", "--page", *SIZES)
    assert done.returncode == 0, done.stderr
    page = (checkout / "docs" / "speed.md").read_text(encoding="utf-8")
    shown = re.search("<!-- speed:.*<!-- end of speed", page, re.DOTALL)[0]
    for name in ("**sqlrec from scores**", "Polars by hand from scores", "rectools", "pytrec_eval"):
        assert re.search(rf"^\| {re.escape(name)} \| [\d,]+ \| [\d.]+ \|", shown, re.MULTILINE)


@mark.slow
@mark.parametrize("limit, code", [(0, 1), (1e9, 0)])
def test_a_time_above_its_limit_fails(checkout, limit, code):
    limits = checkout / "benchmarks" / "limits.toml"
    text = re.sub(r"^limit.*\n", "", limits.read_text(encoding="utf-8"), flags=re.MULTILINE)
    limits.write_text(re.sub("(?<=^target = ).*", f"{limit}", text, flags=re.MULTILINE))
    done = run(checkout, "small", "--check", "--rounds", 1)
    assert done.returncode == code, done.stderr
    said = "small: sqlrec list: CPU s is 0" if code else "4 limits are kept."
    assert said in done.stderr + done.stdout


@mark.slow
def test_different_answers_fail(checkout):
    programs = checkout / "benchmarks" / "programs.py"
    programs.write_text(programs.read_text(encoding="utf-8").replace("nth / rank", "1 / rank"))
    done = run(checkout, "five", "--users", 20, "--rounds", 1)
    assert done.returncode == 1
    assert (
        "SQL by hand from ranks and from ranks differ in 3 answers, as in average_precision@10"
        in done.stderr
    )


def test_an_unknown_part_lists_the_parts(checkout):
    done = run(checkout, "fife")
    assert done.returncode == 1 and "'fife' is not a part: the parts are five, " in done.stderr


def of_cases(code):
    """Return the value of an expression over cases.py."""
    code = f"import cases, json; print(json.dumps({code}))"
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT / "benchmarks", capture_output=True, text=True
    )
    return json.loads(done.stdout)


@mark.slow
def test_each_limit_has_a_case():
    limits = tomllib.loads((ROOT / "benchmarks" / "limits.toml").read_text(encoding="utf-8"))
    arguments = {"small": "", "peers": "1, None", "growth": "[10**8]"}
    for part, limited in limits.items():
        made = f"cases.{part}({arguments.get(part, '1')})"
        names = of_cases(f"[case.name for case in {made}.cases]")
        assert {name for one in limited for name in (one["case"], *one.get("against", ()))} <= {
            *names
        }
        assert all(one["target"] < one.get("limit", float("inf")) for one in limited)


def test_each_peer_names_its_packages():
    peers = of_cases("[*map(cases.constants, cases.PEERS)]")
    assert len(peers) == 5
    for peer in peers:
        assert any(one.startswith(f"{peer['LIBRARY']}==") for one in peer["REQUIREMENTS"])
        assert peer["ORDER"] in ("rank", "score") and 0 < peer["SHARE"] <= 1
        assert "ndcg@{k}" in peer["METRICS"]


def run_data(*arguments):
    """Run data.py in this process."""
    program = str(ROOT / "benchmarks" / "data.py")
    with MonkeyPatch.context() as patch:
        patch.setattr(sys, "argv", [program, *map(str, arguments)])
        runpy.run_path(program, run_name="__main__")


def make(folder, *options):
    run_data(folder, *options)
    connection = duckdb.connect()
    connection.execute(f"set file_search_path = '{folder}'")
    return connection


def test_tables_have_the_requested_sizes(tmp_path):
    options = (
        "--users 200 --length 20 --models 3 --truth 5 --grades 3 --history 7 --categories 4".split()
    )
    rows = make(tmp_path, *options, "--ties", 4, "--without-recs", 0.5, "--without-truth", 0.2)
    ((recs, models, users, levels),) = rows.sql("""
        select count(*), count(distinct model), count(distinct user_id), count(distinct score)
        from 'recs.parquet'
    """).fetchall()
    assert recs == users * 60 and models == 3 and 80 < users < 120 and levels == 4
    ((truth, users, grades, different),) = rows.sql("""
        select count(*), count(distinct user_id), count(distinct relevance),
            count(distinct (user_id, item_id))
        from 'truth.parquet'
    """).fetchall()
    assert truth == different == users * 5 and 140 < users < 180 and grades == 3
    assert rows.sql("from 'history.parquet'").shape == (1400, 2)
    assert rows.sql("select distinct category from 'items.parquet'").shape == (4, 1)
    assert rows.sql("from 'model-2.parquet'").shape == (recs // 3, 4)


@mark.parametrize(
    "options", [["--length", "0..5"], ["--length", "70", "--items", "60"], ["--skew", "1"]]
)
def test_invalid_sizes_are_refused(tmp_path, options, capsys):
    with raises(SystemExit) as refused:
        run_data(tmp_path, *options)
    assert refused.value.code == 2 and options[0] in capsys.readouterr().err
