"""Plots on the command line."""

from pyarrow.parquet import write_table
from pytest import fixture, mark

import sqlrec
from sqlrec.cli.program import main

from .data import inputs


@fixture
def files(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name, rows in inputs().items():
        write_table(rows, f"{name}.parquet")
    return tmp_path


TRUTH = ["--recs", "recs.parquet", "--truth", "truth.parquet"]


@mark.parametrize(
    ("requests", "begins"),
    [
        (["curve", "ndcg@5,10", *TRUTH, "-o", "x.svg"], "<svg"),
        (["curve", "ndcg@5,10", *TRUTH, "-o", "x.html"], "<!doctype html>"),
        (["ranks", *TRUTH, "-k", "5", "-o", "x.json"], "{"),
        (["differences", "ndcg@10", *TRUTH, "--baseline", "pop", "-o", "x.svg"], "<svg"),
    ],
)
def test_a_plot_is_written_as_the_ending_says(requests, begins, files):
    assert main(["plot", *requests]) == 0
    assert (files / requests[-1]).read_text(encoding="utf-8").startswith(begins)


def test_without_file_its_table_is_printed(files, capsys):
    longtail = ["--recs", "recs.parquet", "--history", "history.parquet", "-k", "5"]
    assert main(["plot", "longtail", *longtail]) == 0
    printed = capsys.readouterr().out
    assert printed.split()[:4] == ["model", "decile", "ranks", "share"]


def test_a_stored_result_is_enough(files, capsys):
    result = sqlrec.evaluate("ndcg@5,10", recs="recs.parquet", truth="truth.parquet")
    result.to_parquet("found.parquet")
    assert main(["plot", "curve", "--from", "found.parquet", "-o", "x.svg"]) == 0
    assert (files / "x.svg").exists()


@mark.parametrize(
    ("requests", "message"),
    [
        (["curvy", "ndcg@5", *TRUTH], "plot 'curvy': did you mean 'curve'?"),
        (["forest", "ndcg@5", *TRUTH], "--baseline is missing"),
        (
            ["curve", "ndcg@5", *TRUTH, "-o", "x.gif"],
            "-o x.gif: the extension of a plot must be one of .svg",
        ),
        (["curve", "ndcg@5", *TRUTH, "-o", "recs.parquet"], "is an input"),
        (["curve", "--from", "recs.parquet", "-o", "recs.parquet"], "is an input"),
        (["lorenz", "ndcg@5", *TRUTH], "lorenz takes no metrics"),
        (["curve", *TRUTH], "curve needs metrics"),
    ],
)
def test_invalid_plots_are_errors_of_one_line(requests, message, files, capsys):
    assert main(["plot", *requests]) == 1
    error = capsys.readouterr().err
    assert message in error and error.count("\n") == 1
