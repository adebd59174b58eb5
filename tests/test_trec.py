"""sqlrec in place of trec_eval: files are read as by trec_eval, and its lines are printed."""

import gzip
import re
import shlex
from contextlib import redirect_stdout
from hashlib import sha256
from io import StringIO
from math import log2
from pathlib import Path

from pytest import approx, fixture, mark, raises

import sqlrec
from sqlrec.cli import main

from .dialects import slow
from .peers.test_libraries import SHARED
from .tables import lists, rows, scored, wanted

PAGE = (Path(__file__).parent.parent / "docs" / "trec.md").read_text(encoding="utf-8")

TREC_EVAL = SHARED / "trec_eval"
shared = mark.skipif(not TREC_EVAL.is_dir(), reason="its data is not part of the repository")

QRELS = """\
301 0 d1 2
301 0 d2 0
301 0 d3 1
302 0 d1 1
302 0 d4 -1
303 0 d9 1
"""
RUN = """\
301 Q0 d3 1 9.5 demo
301 Q0 d2 2 9.1 demo
301 Q0 d1 3 9.1 demo
302 Q0 d7 1 4.0 demo
302 Q0 d4 2 3.0 demo
302 Q0 d1 3 2.0 demo
304 Q0 d1 1 1.0 demo
"""


@fixture
def files(tmp_path, monkeypatch):
    """Write a run and qrels to the current folder."""
    monkeypatch.chdir(tmp_path)

    def write(run=RUN, qrels=QRELS):
        Path("run").write_bytes(run if isinstance(run, bytes) else run.encode())
        Path("qrels").write_bytes(qrels if isinstance(qrels, bytes) else qrels.encode())

    return write


# As trec_eval -c.
COMPLETE = ("--population", "judged")


def printed(*requests, run="run", qrels="qrels"):
    """Return the output of the command line in the format of TREC."""
    out = StringIO()
    with redirect_stdout(out):
        inputs = ("--format", "trec", "--recs", str(run), "--truth", str(qrels))
        assert main(["evaluate", *requests, *inputs]) == 0
    return out.getvalue()


def values(*requests):
    """Return the printed values, by measure and topic."""
    lines = [line.split("\t") for line in printed(*requests).splitlines()]
    return {(name.strip(), topic): value for name, topic, value in lines}


PARAMETERS = (
    "iprec_at_recall..10,.20,.25,.75,.50 P.5,7,3 recall.20,2000 Rprec_mult.5.0,0.2,0.35 "
    "ndcg_cut.10,20,23.4 success.2,5,20"
)


@shared
@mark.parametrize(
    "expected, run, requests",
    [
        ("out.test", "results.test", "official --table result"),
        ("out.test.aq", "results.test", "all_trec"),
        ("out.test.aqc", "results.trunc", "all_trec --population judged"),
        ("out.test.aqcM", "results.trunc", "all_trec --population judged --depth 100"),
        ("out.test.meas_params", "results.test", PARAMETERS),
        *slow(("out.test.a", "results.test", "all_trec --table result")),
    ],
)
def test_prints_the_regression_suite_of_trec_eval(expected, run, requests):
    result = printed(*shlex.split(requests), run=TREC_EVAL / run, qrels=TREC_EVAL / "qrels.test")
    lines = (TREC_EVAL / expected).read_text().splitlines(keepends=True)
    # Parameters other than cutoffs and shares are excluded.
    assert result == "".join(x for x in lines if not re.match(r"(utility|11pt_avg|ndcg)_\S*\d,", x))


@shared
def test_prints_its_suite_of_grades_and_a_level():
    """From trec_eval 10.0-rc3, with -m all_trec -m relstring.20 -q -l2."""
    qrels = TREC_EVAL / "qrels.rel_level"
    requests = ("all_trec", "relstring.20", "--relevance-threshold", "2")
    result = printed(*requests, run=TREC_EVAL / "results.test", qrels=qrels)
    assert sha256(result.encode()).hexdigest() == LEVEL


LEVEL = "8aaf42d1f0261a8e3f5fa0de2be7a8c46df719617565a3667482eaced620ff91"


class TestMeasures:
    """All values equal the values of trec_eval 10.0-rc3 on the same files."""

    def test_are_printed_topic_by_topic_and_for_all(self, files):
        files()
        assert printed("num_rel_ret", "map", "num_q", "relstring.3") == (
            "num_rel_ret           \t301\t2\n"
            "map                   \t301\t0.8333\n"
            "relstring_3           \t301\t'102'\n"
            "num_rel_ret           \t302\t1\n"
            "map                   \t302\t0.3333\n"
            "relstring_3           \t302\t'-.1'\n"
            "num_q                 \tall\t2\n"
            "num_rel_ret           \tall\t3\n"
            "map                   \tall\t0.5833\n"
        )

    def test_topics_without_a_list_count_0(self, files):
        files()
        result = values("map", "utility", "rbp_resid", "relstring", *COMPLETE)
        of_303 = {name: value for (name, topic), value in result.items() if topic == "303"}
        numbers = dict.fromkeys(("map", "utility", "rbp_resid"), "0.0000")
        assert of_303 == numbers | {"relstring": "''"}
        assert values("relstring.3", *COMPLETE)["relstring_3", "303"] == "'-'"

    def test_measures_are_in_the_order_of_trec_eval(self, files):
        files()
        requests = ("ndcg_cut.3", "P_10", "P.1,3", "map", "precision@2", "num_rel")
        requests += ("err(convention=sqlrec)@2",)
        names = [name for name, topic in values(*requests) if topic == "all"]
        assert names == ["num_rel", "map", "P_1", "P_2", "P_3", "P_10", "ndcg_cut_3", requests[-1]]

    def test_of_a_level_know_it_but_for_the_sum_of_num_rel(self, files):
        files()
        result = values("num_rel", "P.3", "ndcg", "--relevance-threshold", "2", *COMPLETE)
        assert [result["num_rel", topic] for topic in ("301", "302", "303", "all")] == list("1004")
        assert result["P_3", "301"] == "0.3333"
        assert result["ndcg", "301"] == values("ndcg")["ndcg", "301"] == "0.7602"

    @mark.parametrize(
        "requests, message",
        [
            ("P.x", "P.x: give numbers with commas, as in P.5,10"),
            ("P.0", "P_0: a cutoff must be a whole number of at least 1"),
            ("bpref.3", "bpref.3: bpref takes no parameters here; give sqlrec's metric, as in"),
            ("ndcg.1=3", "ndcg.1=3: ndcg takes no parameters here"),
            ("nope", "'nope'"),
        ],
    )
    def test_invalid_measures_are_refused(self, files, capsys, requests, message):
        files()
        inputs = ("--format", "trec", "--recs", "run", "--truth", "qrels")
        assert main(["evaluate", requests, *inputs]) == 1
        assert message in capsys.readouterr().err


class TestFiles:
    @mark.parametrize(
        "change",
        [
            lambda text: (
                "# of a track\n" + text.replace(" ", " \t  ").replace("301", " 301") + "  # end\n"
            ),
            *slow(
                lambda text: text.replace("\n", "\r\n"),
                lambda text: text.replace(" ", "\t"),
                lambda text: text.removesuffix("\n"),
                lambda text: text.replace("\n", "\n\n  \n"),
            ),
        ],
    )
    def test_may_be_written_in_other_ways(self, files, change):
        files()
        expected = printed("map", "ndcg_cut.2", *COMPLETE)
        files(change(RUN), change(QRELS))
        assert printed("map", "ndcg_cut.2", *COMPLETE) == expected

    @mark.slow
    def test_files_may_be_compressed(self, files):
        files()
        expected = printed("all_trec")
        Path("run.gz").write_bytes(gzip.compress(RUN.encode()))
        Path("qrels.txt.gz").write_bytes(gzip.compress(QRELS.encode()))
        assert printed("all_trec", run="run.gz", qrels="qrels.txt.gz") == expected

    def test_have_the_run_in_their_last_line_and_may_go_on_after_it(self, files):
        files(RUN + "301 Q0 d8 9 0.5 other and more\n")
        assert values("runid", "num_ret") == {
            ("num_ret", "301"): "4",
            ("num_ret", "302"): "3",
            ("runid", "all"): "other",
            ("num_ret", "all"): "7",
        }

    def test_have_ids_of_any_signs(self, files):
        items = ["'d", 'd"', '"d"', "d,1", "d#1", "a\\n", "Ünï", "\u3000x"[1:], "007"]
        topics = {f"'q\"{rank}": item for rank, item in enumerate(items)}
        files(
            "".join(
                f"{topic} Q0 {item} 1 1 t\n{topic} Q0 z 2 0 t\n" for topic, item in topics.items()
            ),
            "".join(f"{topic} 0 {item} 1\n" for topic, item in topics.items()),
        )
        assert values("P.1") == dict.fromkeys([("P_1", one) for one in (*topics, "all")], "1.0000")

    def test_numbers_of_topics_are_text(self, files):
        files("2 Q0 7 1 1 t\n10 Q0 7 1 1 t\n", "2 0 7 1\n10 0 7 1\n")
        result = sqlrec.evaluate("hit_rate@1", recs="run", truth="qrels")
        assert {*result.per_user().to_arrow()["user_id"].to_pylist()} == {"2", "10"}

    def test_are_ordered_by_the_bytes_of_their_topics(self, files):
        topics = ["10", "2", "A", "a", "é"]
        files(
            "".join(f"{topic} Q0 d 1 1 t\n" for topic in reversed(topics)),
            "".join(f"{topic} 0 d 1\n" for topic in topics),
        )
        assert [topic for _, topic in values("map")] == [*topics, "all"]

    def test_have_scores_of_any_size_and_no_order_of_lines(self, files):
        files("1 Q0 a 1 -1e-300 t\n2 Q0 x 1 1 t\n1 Q0 b 2 1E-300 t\n", "1 0 b 1\n2 0 x 1\n")
        assert values("P.1")["P_1", "1"] == "1.0000"

    @mark.parametrize(
        "run, qrels, message",
        [
            (RUN, "1 0 d 1\n1 0 e\n", "truth='qrels', line 2, '1 0 e': it has 3 columns"),
            (RUN, "1 0 d 1 5\n", "truth='qrels', line 1, '1 0 d 1 5': it has 5 columns"),
            (RUN, "#\n\n1 0 d x\n", "line 3, '1 0 d x': its relevance is not a number"),
            ("1 Q0 d 1 0.5\n", QRELS, "recs='run', line 1, '1 Q0 d 1 0.5': it has 5 columns"),
            ("1 Q0 d 1 x t\n", QRELS, "'1 Q0 d 1 x t': its score is not a number"),
            (b"1 Q0 \xff 1 1 t\n", QRELS, "line 1, '1 Q0 \ufffd 1 1 t': it is not UTF-8"),
            ("1 Q0 d 1 1 t\r1 Q0 e 2 0 t\n", QRELS, "it has a carriage return in the middle"),
            ("# nothing\n", QRELS, "recs='run' has no line"),
        ],
    )
    def test_invalid_files_are_refused(self, files, run, qrels, message):
        files(run, qrels)
        with raises(sqlrec.InputError) as raised:
            sqlrec.evaluate("P@1", recs="run", truth="qrels")
        kind = (
            "run is 'topic Q0 docno rank score tag'"
            if "recs" in str(raised.value)
            else ("qrels is 'topic iteration docno relevance'")
        )
        assert message in str(raised.value)
        assert f"a line of a TREC {kind}" in str(raised.value)
        assert "name another format with sqlrec.File(path, format)" in str(raised.value)

    def test_trec_files_are_ordinary_inputs(self, files):
        files()
        options = {"truth": "qrels", "rules": sqlrec.Rules("trec_eval", population="judged")}
        result = sqlrec.evaluate(
            "average_precision@all ndcg@3 precision@1", recs={"a": "run", "b": "run"}, **options
        )
        ndcg = ((1 + 2 / 2) / (2 + 1 / log2(3)) + 1 / 2) / 3
        assert rows(result, "model", "metric", "value") == [
            (model, metric, approx(value))
            for model in "ab"
            for metric, value in [
                ("average_precision", (5 / 6 + 1 / 3) / 3),
                ("ndcg", ndcg),
                ("precision", 1 / 3),
            ]
        ]


class TestDepth:
    def of(self, metrics, recs=None, **options):
        recs = lists({"ann": "abcd", "bob": "dcba"}) if recs is None else recs
        truth = wanted({"ann": "acx", "bob": "a"})
        result = sqlrec.evaluate(metrics, recs=recs, truth=truth, **options)
        return [value for _, value in sorted(rows(result.per_user(), "user_id", "value"))]

    def test_ends_lists_before_anything_else_is_done(self):
        assert self.of("recall@all", depth=3) == approx([2 / 3, 0])
        assert self.of("recall@all", depth=4) == approx([2 / 3, 1])

    def test_leaves_the_cutoff_and_the_truth(self):
        assert self.of("precision@4", depth=2) == approx([1 / 4, 0])
        assert self.of("precision(divide_by=list_length)@4", depth=2) == approx([1 / 2, 0])
        assert self.of("r_precision", depth=2) == approx([1 / 3, 0])

    def test_ends_lists_where_equal_scores_are_ordered(self):
        tied = scored({"ann": {"a": 1, "b": 1, "c": 1}, "bob": {"a": 1, "b": 2}})
        assert self.of("recall@all", tied, depth=1, ties="item_desc") == approx([1 / 3, 0])
        assert self.of("recall@all", tied, depth=2, ties="item_desc") == approx([1 / 3, 1])

    def test_is_an_option_of_the_command_line(self, files):
        files()
        result = values("num_ret", "map", "--depth", "2")
        assert result == values("map", "num_ret", "--depth", "2")
        assert result == {
            ("num_ret", "301"): "2",
            ("map", "301"): "0.5000",
            ("num_ret", "302"): "2",
            ("map", "302"): "0.0000",
            ("num_ret", "all"): "4",
            ("map", "all"): "0.2500",
        }


class TestThePage:
    def test_the_page_has_the_printed_output(self, files):
        files()
        (shown,) = re.findall(r"^```console\n(\$.*?)^```$", PAGE, flags=re.MULTILINE | re.DOTALL)
        for step in shown.split("$ ")[1:]:
            line, _, expected = step.partition("\n")
            program, *arguments = shlex.split(line)
            if program == "cat":
                Path(*arguments).write_text(expected)
            else:
                out = StringIO()
                with redirect_stdout(out):
                    assert (program, main(arguments)) == ("sqlrec", 0)
                assert out.getvalue() == expected
        (code,) = re.findall(r"^```python\n(.*?)^```$", PAGE, flags=re.MULTILINE | re.DOTALL)
        (expected,) = re.findall(r"^```text\n(model.*?)^```$", PAGE, flags=re.MULTILINE | re.DOTALL)
        out = StringIO()
        with redirect_stdout(out):
            exec(code, {})
        assert out.getvalue() == expected
