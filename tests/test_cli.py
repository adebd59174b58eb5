"""The command line, in this process and as a program."""

import json
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import duckdb
import pyarrow.parquet
from pytest import approx, fixture, mark

import sqlrec
from sqlrec.catalogue import headers
from sqlrec.cli.arguments import parser

from .tables import lists, scored, wanted

RECS = lists({"ann": "ab", "bob": "ba"})
TRUTH = wanted({"ann": "a", "bob": "a"})


@fixture
def folder(tmp_path):
    pyarrow.parquet.write_table(RECS, tmp_path / "recs.parquet")
    pyarrow.parquet.write_table(TRUTH, tmp_path / "truth.parquet")
    users = wanted({"ann": "x", "bob": "y"}).rename_columns(["user_id", "country"])
    pyarrow.parquet.write_table(users, tmp_path / "users.parquet")
    return tmp_path


@fixture
def program(folder):
    def program(*arguments, code=0):
        done = subprocess.run(
            [sys.executable, "-m", "sqlrec", *arguments],
            cwd=folder,
            # Without the width of the terminal, which readline leaves in the environment.
            env={**os.environ},
            capture_output=True,
            text=True,
            encoding="utf-8",
        )
        assert done.returncode == code, done.stderr
        return done.stdout if code == 0 else done.stderr

    return program


INPUTS = ("--recs", "recs.parquet", "--truth", "truth.parquet")


def test_the_program_and_main_print_the_same(run, program):
    assert program("show", "ndcg") == run("show", "ndcg") != ""
    refused = run("show", "ndgc", code=1)
    assert program("show", "ndgc", code=1) == refused != ""


def test_evaluate_prints_values_and_users(run):
    assert run("evaluate", "mrr@2", *INPUTS) == (
        "model     mrr@2 ↑\n─────  ──────────\nrecs   0.75 ±3.18\n\n"
        "Averaged over 2 users with a relevant item; 95% intervals by Student's t.\n"
    )
    assert run("evaluate", "mrr@2", *INPUTS, "--no-interval") == (
        "model  mrr@2 ↑\n─────  ───────\nrecs     0.750\n\n"
        "Averaged over 2 users with a relevant item.\n"
    )
    assert run("evaluate", "mrr@2", *INPUTS, "--no-interval", "--long").splitlines()[
        -1
    ].split() == [*("recs", "reciprocal_rank", "2", "mrr@2", "0.750", "2")]


def test_evaluate_writes_json_csv_and_markdown(run):
    row = {"model": "recs", "metric": "reciprocal_rank", "k": 2, "request": "mrr@2"}
    row |= {"value": 0.75, "users": 2}
    without = ("evaluate", "mrr@2", *INPUTS, "--no-interval", "--format")
    assert json.loads(run(*without, "json")) == [row]
    csv = "model,metric,k,request,value,users\nrecs,reciprocal_rank,2,mrr@2,0.75,2\n"
    assert run(*without, "csv") == csv
    (result,) = json.loads(run("evaluate", "mrr@2", *INPUTS, "--format", "json"))
    assert [*result] == [*row, "standard_error", "low", "high", "interval"]
    assert result["interval"] == "t" and result["standard_error"] == 0.25
    markdown = run(*without, "markdown")
    assert "| recs | 0.750 |" in markdown.splitlines()


@mark.parametrize("ending", ["csv", "tex", "parquet"])
def test_evaluate_writes_files_by_extension(run, folder, ending):
    assert run("evaluate", "mrr@2", *INPUTS, "-o", f"the result.{ending}") == ""
    written = folder / f"the result.{ending}"
    if ending == "parquet":
        assert pyarrow.parquet.read_table(written)["value"].to_pylist() == [0.75]
    else:
        assert "0.75" in written.read_text()


def test_cutoffs_add_up(run):
    given = ["--recs", "recs.parquet", "--truth", "truth.parquet", "--format", "csv"]
    together = run("evaluate", "mrr", "-k", "1,2", *given)
    assert run("evaluate", "mrr", "-k", "1", "-k", "2", *given) == together
    assert run("evaluate", "mrr@1,2", *given) == together


def test_evaluate_writes_the_other_tables(run):
    per_user = run("evaluate", "mrr@2", *INPUTS, "--table", "per-user", "--format", "csv")
    assert sorted(per_user.splitlines()[1:]) == [
        "recs,ann,reciprocal_rank,2,mrr@2,1.0",
        "recs,bob,reciprocal_rank,2,mrr@2,0.5",
    ]
    counted = run("evaluate", "mrr@3", *INPUTS, "--table", "user-counts", "--format", "json")
    assert json.loads(counted)[0]["short_lists"] == 2


def test_evaluate_takes_models_segments_columns_and_rules(run, folder):
    other = scored({"ann": {"b": 1, "a": 1}}).rename_columns(["uid", "sku", "score"])
    pyarrow.parquet.write_table(other, folder / "other=1.parquet")
    out = run(
        *("evaluate", "mrr@2", "P@1"),
        *("--recs", "old=recs.parquet", "--recs", "new=other=1.parquet"),
        *("--truth", "truth.parquet", "--users", "users.parquet", "--by", "country"),
        *("--column", "recs.user_id=uid", "--column", "item_id=sku"),
        *("--ties", "item_desc", "--format", "csv"),
        code=1,
    )
    # The models have different columns, and a name for recs applies to both.
    assert "--column recs.user_id=uid: recs has user_id, item_id, rank" in out
    pyarrow.parquet.write_table(scored({"ann": {"b": 1, "a": 1}}), folder / "same.parquet")
    pyarrow.parquet.write_table(scored({"ann": {"a": 2, "b": 1}}), folder / "more.parquet")
    out = run(
        *("evaluate", "mrr@2"),
        *("--recs", "x=same.parquet", "--recs", "y=more.parquet"),
        *("--truth", "truth.parquet", "--users", "users.parquet", "--by", "country"),
        *("--ties", "item_desc", "--population", "truth_and_recs", "--format", "csv"),
    )
    assert out.splitlines()[1:] == [
        "x,x,reciprocal_rank,2,mrr@2,0.5,1,,,,",
        "y,x,reciprocal_rank,2,mrr@2,1.0,1,,,,",
    ]


def test_a_hive_partition_is_not_a_model(run, folder):
    (folder / "day=1").mkdir()
    pyarrow.parquet.write_table(RECS, folder / "day=1" / "recs.parquet")
    inputs = ("--truth", "truth.parquet", "--no-interval", "--format", "csv")
    for recs, model in (("day=1/*.parquet", "recs"), ("als=day=1/recs.parquet", "als")):
        out = run("evaluate", "mrr@2", "--recs", recs, *inputs)
        assert out.splitlines()[1] == f"{model},reciprocal_rank,2,mrr@2,0.75,2"


def test_into_appends_to_a_table_of_the_database(run, folder):
    with duckdb.connect(str(folder / "kept.duckdb")) as connection:
        for name in ("recs", "truth"):
            connection.execute(f"create table {name} as from '{folder}/{name}.parquet'")
    words = ("mrr@2", "--engine", "kept.duckdb", "--recs", "recs", "--truth", "truth")
    for run_id in "ab":
        into = ("--into", "kept", "--mode", "append", "--run-id", run_id)
        assert run("evaluate", *words, *into, "--table", "per-user") == ""
    with duckdb.connect(str(folder / "kept.duckdb")) as connection:
        result = connection.sql("select run_id, avg(value) from kept group by run_id order by all")
        assert result.fetchall() == [("a", approx(0.75)), ("b", approx(0.75))]
    exists = "give --mode replace or --mode append, or another name"
    assert exists in run("evaluate", *words, "--into", "kept", code=1)
    assert "needs --engine" in run("evaluate", "mrr@2", *INPUTS, "--into", "kept", code=1)
    assert "omit" in run("evaluate", *words, "--into", "kept", "-o", "kept.csv", code=1)


def test_sql_prints_the_statement(run, folder):
    statement = run("sql", "mrr@2", *INPUTS)
    audited = run("sql", "mrr@2", *INPUTS, "--audited")
    with duckdb.connect() as connection:
        connection.execute(f"set file_search_path = '{folder}'")
        assert connection.sql(statement).fetchall() == [(approx(0.75), 2)]
        row = connection.sql(audited).fetchall()[0]
    assert row[:6] == ("recs", "reciprocal_rank", 2, "mrr@2", approx(0.75), 2)
    assert "favg" not in run("sql", "mrr@2", *INPUTS, "--audited", "--per-user")


def test_sql_without_inputs_names_tables_as_the_inputs(run):
    assert run("sql", "mrr@2") == sqlrec.sql("mrr@2") + "\n"
    by_country = run("sql", "mrr@2", "--users", "people", "--by", "country", "--groupings", "each")
    assert "from recs" in by_country and "from people group by" in by_country
    references = ("--recs", "{{ ref('recs') }}", "--truth", "{{ ref('orders') }}")
    with_dialect = run("sql", "mrr@2", *references, "--dialect", "duckdb")
    assert run("sql", "mrr@2", *references) == with_dialect
    column = ("--column", "relevance=stars")
    expected = sqlrec.sql("ndcg@2", dialect="bigquery", columns={"relevance": "stars"})
    assert run("sql", "ndcg@2", "--dialect", "bigquery", *column) == expected + "\n"


def test_list_names_every_metric_under_its_family(run):
    family, families = "", {}
    for line in run("list").splitlines():
        family = line if line in headers.FAMILIES else family
        families.setdefault(family, []).append(line.split() if line != family else [])
    assert [*families][1:] == [*headers.FAMILIES]
    for metric in sqlrec.metrics().values():
        (line,) = (line for line in families[metric.family] if line[:1] == [metric.name])
        arrow = {"higher": ["↑"], "lower": ["↓"], "neither": []}[metric.better]
        words = metric.meaning.split()[:3]
        assert line[: len(arrow) + 4] == [
            metric.name,
            *arrow,
            words[0][0].upper() + words[0][1:],
            *words[1:],
        ]


@mark.parametrize(
    "requests, result, left_out",
    [
        (("gini",), "gini", "ndcg"),
        (("MRR",), "reciprocal_rank", "ndcg"),
        (("ranking",), "ndcg", "surprisal"),
        (("--family", "novelty"), "surprisal", "ndcg"),
        (("--needs", "recs,truth"), "ndcg", "novelty"),
        (("--needs", "recs", "--needs", "history"), "novelty", "ndcg"),
    ],
)
def test_list_finds_metrics(run, requests, result, left_out):
    names = [row["metric"] for row in json.loads(run("list", *requests, "--format", "json"))]
    assert result in names and left_out not in names


def test_list_suggests_known_words(run):
    assert "--needs trouth: did you mean 'truth'?" in run("list", "--needs", "trouth", code=1)
    assert "`sqlrec list` shows all metrics" in run("list", "nothing like it", code=1)


@mark.parametrize("name", ["ndcg", "nDCG", "map", "average_precision"])
def test_show_prints_the_header(run, name):
    assert run("show", name).split() == sqlrec.metric(name).header.split()


@mark.parametrize(
    "options, dialect", [(["--sql"], "duckdb"), (["--dialect", "trino", "--sql"], "trino")]
)
def test_show_prints_the_statement_below_the_header(run, options, dialect):
    tables = {"recs": "recs", "truth": "truth", "columns": {"relevance": "relevance"}}
    statement = sqlrec.sql("ndcg@10", dialect=dialect, **tables)
    header = run("show", "ndcg")
    assert run("show", "nDCG", *options) == f"{header}\n{statement}\n"


def test_sql_compares_models(run):
    models = ("--recs", "als=als", "--recs", "pop=pop", "--truth", "truth", "--dialect", "trino")
    given = {"recs": {"als": "als", "pop": "pop"}, "truth": "truth", "dialect": "trino"}
    statement = sqlrec.sql("P@1", compare_with="pop", **given)
    assert run("sql", "P@1", *models, "--compare-with", "pop") == f"{statement}\n"


@mark.parametrize(
    "arguments, message",
    [
        (("evaluate", "ndgc@10", *INPUTS), "unknown metric 'ndgc': did you mean 'ndcg'?"),
        (("evaluate", "ndcg", *INPUTS), "'ndcg' has no cutoff: write ndcg@10"),
        (("evaluate", "P@1", *INPUTS, "--where", "recs.day > 3"), '3: write "recs=day > 3"'),
        (("evaluate", "P@1", *INPUTS, "--where", "day > 3"), "day > 3: write INPUT=CONDITION"),
        (("evaluate", "P@1", *INPUTS, "--column", "uid"), "--column uid: write NAME=COLUMN"),
        (("evaluate", "P@1", *INPUTS, "--recs", "recs.parquet"), "'recs' is given twice: name"),
        (("evaluate", "P@1", *INPUTS, "--engine", "none.db"), "the file does not exist"),
        (("evaluate", "P@1", *INPUTS, "--engine", "recs.parquet"), "a file of rows is an input"),
        (("evaluate", "P@1", *INPUTS, "--format", "parquet"), "needs -o FILE"),
        (("evaluate", "P@1", *INPUTS, "-o", "x.xlsx"), "the extension must be one of"),
        (("evaluate", "P@1", *INPUTS, "-o", "no/x.csv"), "a folder that does not exist"),
        (("evaluate", "P@1", *INPUTS, "--recs", "rec.parquet"), "did you mean 'recs.parquet'?"),
        (("evaluate", "P@1", "--recs", "recs.parqet", *INPUTS[2:]), "no such file or table; did"),
        (
            ("evaluate", "P@1", "--recs", "recs.parquet", "recs.parquet", *INPUTS[2:]),
            "files after one --recs are one model: repeat --recs for a model of each",
        ),
        (("explain", "ndcg@1", *INPUTS, "--like", "ranks"), "--like ranks: did you mean 'ranx'?"),
        (("evaluate", "P@1"), "recs is missing: precision needs a table with user_id, item_id"),
        # Options without effect.
        (("evaluate", "P@1", *INPUTS, "-k", "2"), "-k 2: no metric takes it"),
        (("evaluate", "P@1", *INPUTS, "--run-id", "x"), "--run-id needs --into"),
        (("evaluate", "P@1", *INPUTS, "--groupings", "each"), "--groupings each needs columns"),
        (("check", "P@1 > 0.1", *INPUTS, "-k", "2"), "-k 2: no metric takes it"),
        (
            ("evaluate", "P@1", "--recs", "pop=recs.parquet", *INPUTS[2:], "--baseline", "pop"),
            "--baseline pop is a model of recs: give a table of baseline lists here",
        ),
        (
            ("compare", "P@1", *INPUTS, "--baseline", "pop"),
            "pass --recs als=... --recs pop=..., or a table with a column 'model'",
        ),
        (("check", "P@1 > pop", *INPUTS, "--by", "age"), "write 'no segment of age worse'"),
        (("sql", "P@1", "--level", "0.9"), "--level 0.9 and no --interval: give the interval"),
        *(
            (
                (*words, *INPUTS, "--no-interval", "--level", "0.9"),
                "--level 0.9 and no --interval: give the interval",
            )
            for words in (("evaluate", "P@1"), ("plot", "cutoffs", "P@1"))
        ),
        (("report", "P@1", *INPUTS, "--comparison", "c", "-o", "r.md"), "give --from too"),
    ],
)
def test_invalid_arguments_are_one_line(run, folder, arguments, message):
    before = sorted(folder.iterdir())
    (line,) = run(*arguments, code=1).splitlines()
    assert line.startswith("error: ") and message in line
    assert sorted(folder.iterdir()) == before


@mark.parametrize(
    "arguments",
    [("evaluate",), ("evaluate", "P@1", *INPUTS, "--ties", "x"), ("list", "--famly", "ranking")],
)
def test_a_syntax_error_exits_with_2(run, arguments):
    (line,) = run(*arguments, code=2).splitlines()
    assert line.startswith("error: ") and line.endswith(" --help")


@mark.parametrize(
    ("words", "message"),
    [
        *(
            (("evaluate", "P@1", *INPUTS, option, "t"), f"{option}: did you mean {flag!r}?")
            for option, flag in (
                ("--intervall", "--interval"),
                ("--rules", "--convention"),
                ("--dedupe", "--duplicates"),
                ("--group-by", "--by"),
            )
        ),
        (("evaluate", "P@1", *INPUTS, "--xyzzy", "t"), "--xyzzy: no such option"),
        (("evaluat",), "COMMAND evaluat: did you mean 'evaluate'?"),
        (("evaluate", "P@1", "--interval", "boot"), "--interval boot: did you mean 'bootstrap'?"),
    ],
)
def test_a_misspelled_word_has_a_suggestion_if_one_is_similar(run, words, message):
    place = " evaluate" * (words != ("evaluat",))
    assert run(*words, code=2) == f"error: {message}; see sqlrec{place} --help\n"


def test_without_a_command_the_help_is_printed(run):
    assert run() == run("--help")


def test_an_output_is_replaced_completely_or_unchanged(run, folder):
    (folder / "out.csv").write_text("was here")
    run("evaluate", "mrr@2", *INPUTS[:3], "none.csv", "-o", "out.csv", code=1)
    assert (folder / "out.csv").read_text() == "was here"
    run("evaluate", "mrr@2", *INPUTS, "-o", "out.csv")
    assert (folder / "out.csv").read_text().startswith("model,")


def test_an_output_keeps_its_mode_and_its_links(run, folder):
    kept = folder / "kept.csv"
    kept.write_text("was here")
    kept.chmod(0o640)
    (folder / "link.csv").symlink_to(kept)
    run("evaluate", "mrr@2", *INPUTS, "-o", "link.csv")
    assert (folder / "link.csv").is_symlink() and kept.read_text().startswith("model,")
    assert kept.stat().st_mode & 0o777 == 0o640


@mark.parametrize(
    "recs, output",
    [
        ("recs.parquet", "recs.parquet"),
        ("recs.parquet", "./truth.parquet"),
        ("a=b=day=1/recs.parquet", "b=day=1/recs.parquet"),
        ("day=1/recs.parquet", "day=1/recs.parquet"),
        ("als=day=1/recs.parquet", "day=1/recs.parquet"),
        ("als=day=1/recs.parquet", "day=1/../day=1/recs.parquet"),
        ("link.parquet", "day=1/recs.parquet"),
        ("day=1/recs.parquet", "link.parquet"),
        ("day=1/recs.parquet", "hard.parquet"),
        ("day=1", "day=1/recs.parquet"),
        ("day=1", "day=1/new.csv"),
        ("als=day=1", "day=1/deep/new.csv"),
        ("day=*/*.parquet", "day=1/recs.parquet"),
        ("als=day=?/*.parquet", "day=1/new.parquet"),
        ("als=**/re*.parquet", "day=1/deep/recs.parquet"),
    ],
)
def test_an_output_over_an_input_is_refused(run, folder, recs, output):
    for day in ("day=1", "b=day=1", "day=1/deep"):
        (folder / day).mkdir(exist_ok=True)
        pyarrow.parquet.write_table(RECS, folder / day / "recs.parquet")
    (folder / "link.parquet").symlink_to("day=1/recs.parquet")
    os.link(folder / "day=1" / "recs.parquet", folder / "hard.parquet")
    before = {path: path.read_bytes() for path in folder.rglob("*.*")}
    command = ("evaluate", "mrr@2", "--recs", recs, "--truth", "truth.parquet")
    message = run(*command, "--format", "csv", "-o", output, code=1)
    assert "is an input, or part of the input" in message
    assert {path: path.read_bytes() for path in folder.rglob("*.*")} == before


def test_an_output_may_be_in_the_folder_of_inputs(run, folder):
    (folder / "day=1").mkdir()
    pyarrow.parquet.write_table(RECS, folder / "day=1" / "recs.parquet")
    for recs in ("als=day=1/recs.parquet", "day=1", "day=*/*.parquet"):
        run("evaluate", "mrr@2", "--recs", recs, "--truth", "truth.parquet", "-o", "out=1.csv")
    assert "0.75" in (folder / "out=1.csv").read_text()


def test_the_database_is_not_an_output(run, folder):
    with duckdb.connect(str(folder / "shop.duckdb")) as connection:
        connection.execute("create table kept as select 1 as number")
    before = (folder / "shop.duckdb").read_bytes()
    requests = ("evaluate", "mrr@2", *INPUTS, "--engine", "shop.duckdb", "--format", "csv")
    for output in ("shop.duckdb", "shop.duckdb.wal"):
        assert "is an input" in run(*requests, "-o", output, code=1)
    assert (folder / "shop.duckdb").read_bytes() == before


def test_a_password_is_not_repeated(run):
    schemes = "postgresql://ann: postgresql://ann:100% postgresql://ann:p@ POSTGRES://ann:"
    for scheme in (*schemes.split(), "postgresql+psycopg2://ann:"):
        address = f"{scheme}secret@127.0.0.1:1/none"
        message = run("evaluate", "mrr@2", *INPUTS, "--engine", address, code=1)
        assert "--engine " in message and "postgres" in message.lower()
        assert "secret" not in message


def test_an_output_to_a_pipe_is_written(run, folder):
    os.mkfifo(folder / "pipe.csv")
    assert "pipe" in run("evaluate", "mrr@2", *INPUTS, "-o", "pipe.csv", code=1)


def test_a_warning_is_a_line(folder, command_line):
    truth = pyarrow.table({"user_id": ["ann"], "item_id": ["A"]})
    pyarrow.parquet.write_table(truth, folder / "truth.parquet")
    code, out, err = command_line(folder, "evaluate", "mrr@2", *INPUTS, "--format", "csv")
    assert err == (
        "warning: recs: no item of truth is in any list: check that item_id has the same format "
        "in both tables; lists have 'a', and truth has 'A'\n"
    )
    assert code == 0 and out.endswith("0.0,1,,,,\n")


@mark.parametrize(
    "command, code, message",
    [
        ("list >&-", 1, "Bad file descriptor"),
        ("list 2>&-", 0, ""),
        ("list <&-", 0, ""),
        ("show nothing >&- 2>&-", 1, ""),
        ("nothing 2>&-", 2, ""),
        ("list >&- 2>&-", 1, ""),
        ("list > /dev/full", 1, "error: [Errno 28] No space left"),
    ],
)
def test_closed_streams_have_no_traceback(command, code, message):
    line = f"{shlex.quote(sys.executable)} -m sqlrec {command}"
    done = subprocess.run(line, shell=True, capture_output=True, text=True)
    assert done.returncode == code
    assert len(done.stderr.splitlines()) == bool(message) and message in done.stderr


def test_a_closed_pipe_has_no_traceback(folder):
    command = [sys.executable, "-m", "sqlrec", "list"]
    reader, writer = os.pipe()
    os.close(reader)
    done = subprocess.run(command, stdout=writer, stderr=subprocess.PIPE)
    os.close(writer)
    assert (done.returncode, done.stderr) == (141, b"")


@mark.parametrize("module", ["sqlrec.catalogue.headers", "sqlrec.cli", "jinja2"])
def test_ctrl_c_works_during_imports(module, tmp_path):
    """As if it came when a module is asked for."""
    (tmp_path / "sitecustomize.py").write_text(
        "import sys\n"
        "class Interrupts:\n"
        "    def find_spec(self, name, *_):\n"
        f"        if name == {module!r}: raise KeyboardInterrupt\n"
        "sys.meta_path.insert(0, Interrupts())\n"
    )
    done = subprocess.run(
        [sys.executable, *"-m sqlrec sql mrr@1 --recs=r --truth=t --dialect=trino".split()],
        env={**os.environ, "PYTHONPATH": str(tmp_path)},
        cwd=Path(__file__).parent.parent,
        capture_output=True,
        text=True,
    )
    assert (done.returncode, done.stderr) == (130, "sqlrec: interrupted\n")


@mark.parametrize(
    "arguments, message",
    [
        (("evaluate", "P@1", *INPUTS, "--by", "nope"), "table of users that has it, --users FILE"),
        (("compare", "P@1", *INPUTS, "--baseline", "x"), "pass --recs als=... --recs pop=..."),
        (("evaluate", "P@1", "--recs", "x=no.csv", *INPUTS[2:]), "--recs x=no.csv: the file does"),
        (("evaluate", "P@1", *INPUTS, "--depth", "0"), "--depth 0: it must be a whole number from"),
        (("evaluate", "P@1", *INPUTS, "--column", "user_id=x"), "--column user_id=x: no input"),
        (("evaluate", "P@1", *INPUTS, "--memory-limit", "x"), "--memory-limit: DuckDB rejects it"),
        (("evaluate", "P@1", *INPUTS, "--summary", "x"), "--summary x: choose from"),
        (("evaluate", "P@1", *INPUTS, "--merge", "no.parquet"), "--merge no.parquet: give a"),
        (("report", "--from", "no.parquet", "-o", "x.md"), "--from no.parquet: give a Parquet"),
        (("plot", "curve", "--from", "recs.parquet"), "--from has no column 'model'"),
        (("report", "P@1", "--from", "recs.parquet", "-o", "x.md"), "--from is given: omit"),
        (("plot", "ranks", "P@1", *INPUTS), "ranks takes no metrics: omit 'P@1' and give"),
        (
            ("unsampled", "hit_rate@1", *INPUTS, "--catalog-size", "1", "--candidates", "9"),
            "--catalog-size 1: it must be a whole number from 2",
        ),
    ],
)
def test_messages_name_flags_of_the_command_line(run, arguments, message):
    assert message in run(*arguments, code=1)


def test_a_terminal_gets_the_same_table(folder, terminal):
    code, shown = terminal(folder, "evaluate", "mrr@2", *INPUTS)
    plain = re.sub(r"\x1b\[[0-9;]*m", "", shown)
    assert code == 0 and plain != shown and "recs   0.75 ±3.18\r\n" in plain


@mark.parametrize("command", ["evaluate", "sql", "list", "show"])
def test_help_describes_each_command(run, command):
    assert "Exit codes: 0 done" in run(command, "--help")


def test_the_demo_prints_the_next_command(demo, run, folder):
    where, output = demo
    assert {path.name for path in (where / "sqlrec-demo").iterdir()} >= {
        *("recs.parquet", "truth.parquet", "history.parquet", "items.parquet", "users.parquet"),
        "report.html",
    }
    assert "★ trending" in output and "▲" in output and max(map(len, output.splitlines())) <= 80
    page = (where / "sqlrec-demo" / "report.html").read_text(encoding="utf-8")
    assert "trending beats popularity" in page and "Iron Man 3 (2013)" in page
    lines = output.replace("\\\n", "").splitlines()
    commands = [line.split()[1:] for line in lines if line.startswith("  sqlrec ")]
    assert {words[0] for words in commands} >= {"evaluate", "compare", "explain", "sql", "list"}
    for words in commands:
        assert parser({}).parse_args(words)
    (folder / "tried").mkdir()
    assert "tried exists already" in run("demo", "tried", code=1)


def test_the_doctor_prints_versions_and_paths(run):
    result = {
        row["component"]: row["version"] for row in json.loads(run("doctor", "--format", "json"))
    }
    assert result["duckdb"] == duckdb.__version__ and result["sqlrec"] == sqlrec.__version__
    assert "cache" in result


COMPLETIONS = {
    "sqlrec ev": "evaluate ",
    "sqlrec evaluate --thr": "--threads ",
    "sqlrec evaluate ndcg_re": "ndcg_rel ",
    "sqlrec show ndc": "ndcg",
    "sqlrec plot long": "longtail ",
    "sqlrec evaluate --interval boot": "bootstrap ",
    "sqlrec check ndcg_re": "ndcg_rel ",
    "sqlrec check --convention rex": "rexmex ",
    "sqlrec evaluate --recs rec": "recs.parquet ",
    "sqlrec evaluate --truth=t.csv --users users.csv --by sa": "sales\\ region ",
    "sqlrec evaluate --truth users.csv --cluster ag": "age ",
    "sqlrec evaluate --metrics metrics my": "my_share ",
}

# Each line is completed in a fork of one process, because starting a process takes longer.
COMPLETE = """
import os, sys
from sqlrec.cli import completion, main
for index, line in enumerate(sys.argv[1:]):
    if not os.fork():
        os.dup2(os.open(f"found{index}", os.O_CREAT | os.O_WRONLY), 8)
        os.dup2(os.open(os.devnull, os.O_WRONLY), 9)
        os.environ |= {"COMP_LINE": line, "COMP_POINT": str(len(line))}
        main()
    assert os.wait()[1] == 0
"""


def test_argcomplete_completes(run, folder):
    (folder / "users.csv").write_text("user_id,age,sales region\n1,2,north\n")
    run("new-metric", "my_share")
    settings = {"_ARGCOMPLETE": "1", "_ARGCOMPLETE_COMP_WORDBREAKS": " \t\n\"'><;|&(:="}
    subprocess.run(
        [sys.executable, "-c", COMPLETE, *COMPLETIONS],
        env={**os.environ, **settings, "COMP_TYPE": "9"},
        check=True,
        stdout=subprocess.DEVNULL,
    )
    for index, (line, expected) in enumerate(COMPLETIONS.items()):
        assert expected in (folder / f"found{index}").read_text().split("\v"), line


@mark.slow
def test_unsampled_and_merge_have_commands(run, folder):
    sampled = ("--catalog-size", "100", "--candidates", "10", "--format", "json")
    result = json.loads(run("unsampled", "hit_rate@20", *INPUTS, *sampled))
    assert [row["request"] for row in result] == ["hit_rate@20"] and result[0]["sampled"] == 1
    requests = ("evaluate", "mrr@2", *INPUTS, "--interval", "t")
    run(*requests, "-o", "past.parquet")
    (row,) = json.loads(run(*requests, "--merge", "past.parquet", "--format", "json"))
    assert row["users"] == 4
    output = run(*requests, "--merge", "past.parquet", "--table", "user-counts", code=1)
    assert "--merge merges results" in output
    other = ("evaluate", "recall@1", *requests[2:])
    assert "--merge: reciprocal_rank is not" in run(*other, "--merge", "past.parquet", code=1)


def test_power_has_a_command(run, folder):
    models = ("--recs", "als=recs.parquet", "--recs", "pop=recs.parquet", *INPUTS[2:])
    requests = ("power", "mrr@2", *models)
    assert "users needed" in run(*requests, "--baseline", "pop", "--difference", "0.1")
    assert "--difference of reciprocal_rank@2 is 0" in run(*requests, "--difference", "0", code=1)
    run("evaluate", "mrr@2", *models, "--interval", "t", "-o", "stored.parquet")
    output = run("power", "--from", "stored.parquet", "--difference", "mrr@2=5%", "--sides", "1")
    assert "two groups" in output and "one-sided" in output
    assert "--power 1.5: it must be above 0" in run(*requests, "--power", "1.5", code=1)


@mark.parametrize(
    "words, reader",
    [
        (["evaluate", "mrr@2"], "mrr@2"),
        (["compare", "mrr@2", "--recs", "other=recs.parquet"], "mrr@2"),
        (["check", "mrr@2 >= 0.1", "ndcg@2 >= 0"], "mrr@2 >= 0.1, ndcg@2 >= 0"),
        (["power", "mrr@2"], "mrr@2"),
        (["explain", "mrr@2"], "mrr@2"),
        (["sql", "mrr@2"], "mrr@2"),
        (["plot", "curve", "mrr@1,2"], "mrr@1,2"),
        (["evaluate", "P.2", "--format", "trec"], "P.2"),
    ],
)
def test_inputs_that_nothing_reads_are_a_warning(folder, command_line, words, reader):
    # The baseline of these commands is a model.
    skipped = {"recs", "truth", *(["baseline"] if words[0] in ("compare", "power", "plot") else [])}
    others = [f"--{name}" for name in headers.TABLES if name not in skipped]
    given = [word for flag in others for word in (flag, "recs.parquet")]
    code, _, err = command_line(folder, *words, *INPUTS, *given)
    warned = [line for line in err.splitlines() if "is not read by" in line]
    assert warned == [f"warning: {flag} is not read by {reader}: remove it" for flag in others]
    assert code == 0


def test_inputs_that_are_read_have_no_warning(folder, command_line):
    given = [*INPUTS, "--users", "users.parquet", "--history", "truth.parquet"]
    for words in (
        ("evaluate", "mrr@2", "novelty@2", "--by", "country"),
        ("evaluate", "mrr@2", "--seen", "drop", "--by", "country"),
    ):
        assert "is not read" not in command_line(folder, *words, *given)[2]
