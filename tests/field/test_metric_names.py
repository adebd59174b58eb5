"""Names of metrics in other tools."""

from pytest import mark, raises

import sqlrec
from sqlrec.catalogue.requests import parse_metrics
from sqlrec.engines.duckdb import DuckDB

from ..jinja import CompilerError, package
from ..tables import decisions, lists, prepare, wanted


@mark.parametrize(
    "text, label, k",
    [
        ("hr@10", "hit_rate", 10),
        ("HitRate@10", "hit_rate", 10),
        ("hit_ratio@10", "hit_rate", 10),
        ("p@5", "precision", 5),
        ("R@5", "recall", 5),
        ("MAP@10", "average_precision", 10),
        ("mean_average_precision@10", "average_precision", 10),
        ("mean_average_recall@10", "average_recall", 10),
        ("mean_reciprocal_rank@10", "reciprocal_rank", 10),
        ("recip_rank@10", "reciprocal_rank", 10),
        ("f1_score@10", "f_beta", 10),
        ("F_Measure@10", "f_beta", 10),
        ("normalized_discounted_cumulative_gain@10", "ndcg", 10),
        ("discounted-cumulative-gain@10", "dcg", 10),
        ("logloss", "log_loss", None),
    ],
)
def test_another_name_is_read(text, label, k):
    assert [(one.label, one.k) for one in parse_metrics(text)] == [(label, k)]
    assert [one["label"] for one in package("duckdb").parse_metrics(text)] == [label]


@mark.parametrize(
    "text, message",
    [
        ("ndcg_at_10", "unknown metric 'ndcg_at_10': write ndcg@10"),
        ("ndcg_at_10(gain=exponential)", "unknown metric 'ndcg_at_10': write ndcg@10"),
        ("Precision_at_5", "unknown metric 'Precision_at_5': write precision@5"),
        ("precision-at-5", "unknown metric 'precision-at-5': write precision@5"),
        ("ndcg10", "unknown metric 'ndcg10': write ndcg@10"),
        ("NDCG_10", "unknown metric 'NDCG_10': write ndcg@10"),
        ("P_5", "unknown metric 'P_5': write p@5"),
        ("recall5", "unknown metric 'recall5': write recall@5"),
        ("ndcg_cut_10", "unknown metric 'ndcg_cut_10': write ndcg@10"),
        ("map_at_k", "unknown metric 'map_at_k': write map@10"),
        ("mapk", "unknown metric 'mapk': write map@10"),
        ("NDCGAtK", "unknown metric 'NDCGAtK': write ndcg@10"),
        ("ndgc_at_10", "unknown metric 'ndgc_at_10': did you mean 'ndcg'?"),
        ("leak_share_at_10", "unknown metric 'leak_share_at_10': write leak_share"),
        ("context_precision@5", "unknown metric 'context_precision': write map(divide_by=hits)"),
        ("context_precision_at_5", "write map(divide_by=hits)@5"),
        ("context_recall_at_k", "write recall@10"),
        ("f2@5", "unknown metric 'f2': write f_beta(beta=2)"),
        ("f2_at_5", "unknown metric 'f2_at_5': write f_beta(beta=2)@5"),
        ("ndcg(k=10)", "ndcg has no parameter 'k': write ndcg@10"),
        ("recall(top_k=5)@5", "recall has no parameter 'top_k': write recall@5"),
        ("leak_share(k=5)", "leak_share has no parameter 'k': it has none"),
    ],
)
def test_a_cutoff_in_the_name_is_an_error_with_the_form_to_write(text, message):
    for read, refused in (
        (parse_metrics, sqlrec.MetricError),
        (package("duckdb").parse_metrics, CompilerError),
    ):
        with raises(refused) as raised:
            read(text)
        assert message in str(raised.value)


@mark.parametrize(
    "name, meant",
    [
        ("ndgc", "ndcg"),
        ("mpa", "map"),
        ("rmr", "mrr"),
        ("hti", "hit"),
        ("rpecision", "precision"),
        ("ngcd", "ndcg"),
    ],
)
def test_two_letters_that_are_swapped_are_one_mistake(name, meant):
    for read, refused in (
        (parse_metrics, sqlrec.MetricError),
        (package("duckdb").parse_metrics, CompilerError),
    ):
        with raises(refused) as raised:
            read(f"{name}@10")
        assert str(raised.value) == f"unknown metric {name!r}: did you mean {meant!r}?"


def test_all_metrics_at_two_cutoffs_are_those_of_a_list_of_cutoffs():
    inputs = {
        "recs": lists({"ann": "ab"}),
        "truth": wanted({"ann": "a"}),
        "history": wanted({"ann": "z"}),
    }

    def requests(metrics, **given):
        job = prepare(metrics, arguments=given, engine=DuckDB())
        return sorted(f"{request.label}@{request.k}" for request in job.requests)

    assert "leak_share@None" in requests("all@5", **inputs)
    both = requests("all@5 all@10", **inputs)
    assert both == requests(["all@5", "all@10"], **inputs) == requests("all@5,10", **inputs)
    assert len(both) == len({*both}) > len(requests("all@5", **inputs))
    logs = decisions("user_id item_id reward propensity target_probability", ("u", "a", 1, 1, 1))
    assert requests("all@5 all@10", logs=logs) == requests("all@5", logs=logs)


def test_the_number_of_different_items_needs_no_catalog():
    lists_of_three = lists({"ann": "xy", "bob": "wz", "cyd": "xw"})
    for metric, others in (
        ("catalog_coverage(unit=items, outside=counted)@2", {}),
        ("catalog_coverage(unit=items, outside=counted, items=history)@2", {}),
        ("catalog_coverage(unit=items, outside=counted)@2", {"catalog": wanted({"x": "q"})}),
    ):
        result = sqlrec.evaluate(metric, recs=lists_of_three, interval=None, **others)
        # The items w, x, y and z.
        assert result.to_arrow()["value"].to_pylist() == [4]
    for metric in ("catalog_coverage(unit=items)@2", "catalog_coverage(outside=counted)@2"):
        with raises(sqlrec.InputError, match="catalog is missing"):
            sqlrec.evaluate(metric, recs=lists_of_three)


def test_in_dbt_the_number_of_different_items_reads_no_catalog():
    def inputs_of(text):
        return [*package("duckdb").parse_metrics(text)[0]["reads"]]

    assert inputs_of("catalog_coverage(unit=items, outside=counted)@2") == ["recs"]
    assert inputs_of("catalog_coverage(unit=items)@2") == ["recs", "catalog"]
    assert inputs_of("catalog_coverage(outside=counted, items=history)@2") == ["recs", "history"]
