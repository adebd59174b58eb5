"""Names of metrics in other tools."""

from pytest import mark, raises

import sqlrec
from sqlrec.catalogue.requests import parse_metrics
from sqlrec.engines.duckdb import DuckDB

from ..jinja import CompilerError, package
from ..tables import decisions, lists, prepare, wanted

# Other names of metrics.
NAMES = {
    "hit_rate": "hr HitRate hit_ratio",
    "precision": "p",
    "recall": "R",
    "average_precision": "MAP mean_average_precision",
    "average_recall": "mean_average_recall",
    "reciprocal_rank": "mean_reciprocal_rank recip_rank",
    "f_beta": "f1_score F_Measure",
    "ndcg": "normalized_discounted_cumulative_gain",
    "dcg": "discounted-cumulative-gain",
}
OTHERS = [(f"{text}@10", name, 10) for name, texts in NAMES.items() for text in texts.split()]


@mark.parametrize("text, label, k", [*OTHERS, ("logloss", "log_loss", None)])
def test_another_name_is_read(text, label, k):
    assert [(one.label, one.k) for one in parse_metrics(text)] == [(label, k)]
    assert [one["label"] for one in package("duckdb").parse_metrics(text)] == [label]


def messages_of(text):
    """Return the error about a metric, which is the same in dbt."""
    reads = ((parse_metrics, sqlrec.MetricError), (package("duckdb").parse_metrics, CompilerError))
    for read, refused in reads:
        with raises(refused) as raised:
            read(text)
        yield str(raised.value)


# A metric with its cutoff in the name, and the form to write.
CUTOFFS = {
    "ndcg_at_10": "ndcg@10",
    "Precision_at_5": "precision@5",
    "precision-at-5": "precision@5",
    "ndcg10": "ndcg@10",
    "NDCG_10": "ndcg@10",
    "P_5": "p@5",
    "recall5": "recall@5",
    "ndcg_cut_10": "ndcg@10",
    "map_at_k": "map@10",
    "mapk": "map@10",
    "NDCGAtK": "ndcg@10",
    "leak_share_at_10": "leak_share",
    "f2_at_5": "f_beta(beta=2)@5",
}


@mark.parametrize(
    "text, message",
    [
        *((text, f"unknown metric {text!r}: write {fix}") for text, fix in CUTOFFS.items()),
        ("ndcg_at_10(gain=exponential)", "unknown metric 'ndcg_at_10': write ndcg@10"),
        ("ndgc_at_10", "unknown metric 'ndgc_at_10': did you mean 'ndcg'?"),
        ("context_precision@5", "unknown metric 'context_precision': write map(divide_by=hits)"),
        ("context_precision_at_5", "write map(divide_by=hits)@5"),
        ("context_recall_at_k", "write recall@10"),
        ("f2@5", "unknown metric 'f2': write f_beta(beta=2)"),
        ("ndcg(k=10)", "ndcg has no parameter 'k': write ndcg@10"),
        ("recall(top_k=5)@5", "recall has no parameter 'top_k': write recall@5"),
        ("leak_share(k=5)", "leak_share has no parameter 'k': it has none"),
    ],
)
def test_a_cutoff_in_the_name_is_an_error_with_the_form_to_write(text, message):
    assert all(message in one for one in messages_of(text))


SWAPPED = {"ndgc": "ndcg", "mpa": "map", "rmr": "mrr", "hti": "hit", "rpecision": "precision"}


@mark.parametrize("name, meant", [*SWAPPED.items(), ("ngcd", "ndcg")])
def test_two_letters_that_are_swapped_are_one_mistake(name, meant):
    message = f"unknown metric {name!r}: did you mean {meant!r}?"
    assert {*messages_of(f"{name}@10")} == {message}


def test_all_metrics_at_two_cutoffs_are_those_of_a_list_of_cutoffs():
    inputs = {"recs": lists({"ann": "ab"}), "truth": wanted({"ann": "a"})}
    inputs["history"] = wanted({"ann": "z"})

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
