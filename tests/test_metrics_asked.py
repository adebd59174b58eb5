"""Spellings of metrics, and the messages about mistakes."""

import re

from pytest import mark, raises

import sqlrec
from sqlrec.catalogue.requests import PRESETS, parse_metrics

from .jinja import CompilerError, package
from .tables import evaluate, lists, rows, scored, wanted


def test_metrics_without_a_cutoff_have_those_of_k():
    def asked(text, k):
        return [(one.text, one.k) for one in parse_metrics(text, k=k)]

    assert asked("ndcg(gain=binary) map@3,5 direct_method", [10, "all"]) == [
        ("ndcg(gain=binary)@10", 10),
        ("ndcg(gain=binary)@all", None),
        *(("map@3", 3), ("map@5", 5), ("direct_method", None)),
    ]
    assert asked("ndcg", "5, 10") == asked("ndcg", [5, 10])
    assert asked(["ndcg", "mrr"], 5) == [("ndcg@5", 5), ("mrr@5", 5)]
    assert len(asked("standard", [5, 10])) == 12
    for k in ([], [5, None], "5.5", True, {}):
        with raises(sqlrec.MetricError, match=f"k={re.escape(repr(k))}: pass one cutoff"):
            asked("ndcg@5", k)
    with raises(sqlrec.MetricError, match=r"'ndcg@0': a cutoff must be a whole number from 1"):
        asked("ndcg", 0)
    inputs = {
        "recs": {"a": lists({"u": "ab"}), "b": lists({"u": "ba"})},
        "truth": wanted({"u": "b"}),
    }
    found = evaluate("mrr", k=[1, 2], **inputs)
    assert rows(found, "model", "request", "value") == [
        *(("a", "mrr@1", 0), ("a", "mrr@2", 0.5), ("b", "mrr@1", 1), ("b", "mrr@2", 1))
    ]
    compared = sqlrec.compare("mrr", k=2, **inputs, baseline="b")
    assert rows(compared, "k", "difference") == [(2, -0.5)]
    assert sqlrec.sql("mrr", k=2, recs="r", truth="t", dialect="duckdb") == sqlrec.sql(
        "mrr@2", recs="r", truth="t", dialect="duckdb"
    )


LISTS = {"recs": lists({"u": "ab", "v": "ba"})}
WITH_TRUTH = LISTS | {"truth": wanted({"u": "b", "v": "a"})}
GRADED = {"recs": scored({"u": {"a": 2, "b": 1}}), "truth": wanted({"u": {"a": 3, "b": 1}})}


def found(asked="all@2", **inputs):
    return {row["request"] for row in evaluate(asked, **inputs).to_arrow().to_pylist()}


def test_all_requests_every_metric_with_its_inputs():
    few = found(**LISTS)
    assert "gini@2" in few and "ndcg@2" not in few
    assert {"rmse@2", "auc@2"} <= found(**GRADED)
    printed = sqlrec.sql("all@2", recs="r", truth="t", dialect="trino", columns={"relevance": "g"})
    assert " as ndcg" in printed
    for text, message in (
        ("all, 5", "'all' has no cutoff: write all@10"),
        ("all@0", "'all@0': a cutoff must be a whole number from 1"),
    ):
        with raises(sqlrec.MetricError, match=message):
            found(text, **LISTS)
    with raises(sqlrec.MetricError, match=r"all@2 selects all .*, and the inputs allow none"):
        found(truth=WITH_TRUTH["truth"])
    with raises(sqlrec.MetricError, match="and no inputs are read here: name the metrics"):
        sqlrec.explain("all@2", **WITH_TRUTH)


@mark.slow
def test_all_follows_cutoffs_rules_and_models():
    more = found("all@1,2", **WITH_TRUTH)
    assert {"ndcg@1", "ndcg@2", "novelty@2", "rmse"} & more == {"ndcg@1", "ndcg@2"}
    assert found(recs={"x": LISTS["recs"], "y": LISTS["recs"]}) == found(**LISTS)
    expected = found(["ndcg@1", "all@2"], **WITH_TRUTH, ties="expected")
    assert {"ndcg@1", "ndcg@2", "gini@2"} & expected == {"ndcg@1", "ndcg@2"}
    models = {"recs": {"x": GRADED["recs"], "y": GRADED["recs"]}, "truth": GRADED["truth"]}
    compared = sqlrec.compare("all", k=2, **models, baseline="y")
    assert "ndcg@2" in compared.to_arrow()["request"].to_pylist()
    assert (
        "hit_rate@2" in sqlrec.check("all@2 >= -9", **WITH_TRUTH).to_arrow()["request"].to_pylist()
    )
    assert found("all", **LISTS) == found("all@10", **LISTS)


def asked(text):
    return [(one.label, one.k) for one in parse_metrics(text)]


@mark.parametrize(
    "text, expected",
    [
        ("ndcg@10", [("ndcg", 10)]),
        ("nDCG@10", [("ndcg", 10)]),
        ("P@5", [("precision", 5)]),
        ("AP@all", [("average_precision", None)]),
        ("RR@3, hr@1 f1@7", [("reciprocal_rank", 3), ("hit_rate", 1), ("f_beta", 7)]),
        ("r_precision", [("r_precision", None)]),
        ("r-precision@4", [("r_precision", 4)]),
        ("ndcg(gain=exponential)@10", [("ndcg(gain=exponential)", 10)]),
        ("ndcg( ideal = k , gain = binary )@1", [("ndcg(gain=binary, ideal=k)", 1)]),
        ("ndcg(gain=linear)@10", [("ndcg", 10)]),
        ("f_beta(beta=2.0)@5", [("f_beta(beta=2)", 5)]),
        ("f(beta=0.5)@5 f(beta=1)@5", [("f_beta(beta=0.5)", 5), ("f_beta", 5)]),
        ("P@5,10", [("precision", 5), ("precision", 10)]),
        ("P@5, 10 mrr@3", [("precision", 5), ("precision", 10), ("reciprocal_rank", 3)]),
        ("RR@10,all, P@5", [("reciprocal_rank", 10), ("reciprocal_rank", None), ("precision", 5)]),
        ("f(beta=2, of=means)@5,7", [("f_beta(beta=2, of=means)", k) for k in (5, 7)]),
        ("P@5, 11pt", [("precision", 5), ("eleven_point_average_precision", None)]),
        (["mrr@1", "mrr@2"], [("reciprocal_rank", 1), ("reciprocal_rank", 2)]),
    ],
)
def test_requests_are_parsed(text, expected):
    assert asked(text) == expected


@mark.parametrize(
    "text, expected",
    [
        ("map@10 MRR@all P@5", ["map@10", "MRR@all", "P@5"]),
        ("rmse,r-precision,f1@7", ["rmse", "r-precision", "f1@7"]),
        (["ndcg(gain=exponential)@10", " map@3 "], ["ndcg(gain=exponential)@10", "map@3"]),
        ("ndcg(gain=linear)@10 f(beta=2.0)@5", ["ndcg(gain=linear)@10", "f(beta=2.0)@5"]),
        ("ndcg(\n\tideal=k )@1", ["ndcg(  ideal=k )@1"]),
        ("ndcg(convention=lenskit)@10", ["ndcg(convention=lenskit)@10"]),
        ("P@5, 10 mrr@all", ["P@5", "P@10", "mrr@all"]),
    ],
)
def test_the_requested_text_is_kept(text, expected):
    assert [one.text for one in parse_metrics(text)] == expected
    assert [one["text"] for one in package("duckdb").parse_metrics(text)] == expected


@mark.parametrize(
    "text, message",
    [
        ("ndgc@10", "unknown metric 'ndgc': did you mean 'ndcg'?"),
        ("alpha_ndcg@101", "'alpha_ndcg@101': a cutoff must be a whole number from 1 to 100"),
        ("alpha_ndcg@all", "alpha_ndcg needs a number as cutoff, as in @10"),
        ("Recal@10", "unknown metric 'Recal': did you mean 'recall'?"),
        ("ndcg", "'ndcg' has no cutoff: write ndcg@10, or ndcg@all for whole lists"),
        ("f1", "'f1' has no cutoff: write f1@10"),
        ("ndcg@0", "'ndcg@0': a cutoff must be a whole number from 1 to 1000000, or all"),
        ("ndcg@5,10,5", "ndcg@5 is requested twice"),
        ("P@5,all", "'P@all': precision with divide_by=k needs a number as cutoff"),
        ("ndcg,10", "'ndcg' has no cutoff: write ndcg@10"),
        ("ndcg@1000001", "a cutoff must be a whole number"),
        ("ndcg@-1", "invalid metric 'ndcg@-1': write name@k"),
        ("ndcg@1.5", "invalid metric 'ndcg@1.5': write name@k"),
        ("ndcg(gain=exponential@10", "invalid metric 'ndcg(gain=exponential@10': write name@k"),
        ("ndcg@10@5", "invalid metric 'ndcg@10@5': write name@k"),
        ("ndcg(gain)@10", "'gain' is not a parameter: write param=value"),
        ("ndcg(gian=linear)@10", "ndcg has no parameter 'gian': did you mean 'gain'?"),
        ("fall_out(p=1)@10", "fall_out has no parameter 'p': it has none"),
        ("ndcg(gain=cubic)@10", "gain must be one of linear, binary, exponential"),
        ("ndcg(gain=linear,gain=binary)@1", "gain is given twice"),
        ("f(beta=0)@10", r"f_beta(beta=0): beta must be a number above 0"),
        *((f"f(beta={x})@5", "beta must be a number above 0") for x in "-1 inf nan two".split()),
        ("f(beta=1e200)@10", r"beta must be a number above 0 to 1000000"),
        ("pap(n=2.5)", r"partial_ap(n=2.5): n must be a number from 1 to 1000000 by 1"),
        ("f1@all", "'f1@all': f_beta with divide_by=k needs a number as cutoff"),
        ("map(divide_by=k)@all", "average_precision with divide_by=k needs a number"),
        ("map@10 AP@10", "average_precision@10 is requested twice, as map@10 and AP@10: rem"),
        *(
            (f"exposure_share(group={text})", "group must be a string without quotes")
            for text in ("O'Neil", "a\u2028b", "a\x85b", "${a}")
        ),
        ("", "no metric given"),
        ([], "no metric given"),
        ([3], "invalid metric 3: write it as a string"),
        (None, "metrics=None: write metrics as a string"),
        ("ndcg@" + "1" * 5000, "a cutoff must be a whole number"),
    ],
)
def test_invalid_requests_are_refused(text, message):
    for read in (parse_metrics, package("duckdb").parse_metrics):
        with raises((sqlrec.MetricError, CompilerError)) as raised:
            read(text)
        assert message in str(raised.value)


@mark.parametrize(
    "text, message",
    [
        ("quux@10", "unknown metric 'quux': `sqlrec list` shows all metrics"),
        ("r_precision,5", "unknown metric '5'"),
    ],
)
def test_an_unknown_name_is_refused(text, message):
    with raises(sqlrec.MetricError, match=message):
        parse_metrics(text)


def test_a_preset_selects_several_metrics():
    text = "standard@5,10 mae@10"
    found = asked(text)
    assert found[:2] == [("ndcg", 5), ("average_precision", 5)]
    assert (len(found), found[6], found[-1]) == (13, ("ndcg", 10), ("mae", 10))
    in_dbt = package("duckdb").parse_metrics(text)
    assert [one["label"] for one in in_dbt] == [label for label, _ in found]
    assert [one["text"] for one in in_dbt][:2] == ["ndcg@5", "map@5"]
    for read in (parse_metrics, package("duckdb").parse_metrics):
        # Without a cutoff it has the cutoff 10.
        found, same = ([str(one) for one in read(text)] for text in ("standard", "standard@10"))
        assert found == same
        with raises((sqlrec.MetricError, CompilerError), match="no cutoff: write standard@10"):
            read("standard, 5")
        with raises((sqlrec.MetricError, CompilerError), match="all@5 selects all metrics that"):
            read("all@5")
    for preset in PRESETS:
        assert len(asked(f"{preset}@3")) == len(PRESETS[preset])
