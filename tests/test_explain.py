"""Explanations of a metric's value under all conventions."""

import re
from math import log2
from pathlib import Path

import pyarrow as pa
from pytest import approx, mark, raises

import sqlrec
from docs import update
from sqlrec.display.text import wrap_lines

from .tables import rows, scored, table, values, wanted

IDS = {"user_id": pa.string(), "item_id": pa.int64()}
RECS = table(
    [
        *[("ann", item, 9.0 - item) for item in (1, 2, 3)],
        *[("bob", item, 9.0 - item) for item in (4, 5, 6)],
        *[("cid", item, 9.0 - item) for item in (7, 8)],
    ],
    **IDS,
    score=pa.float64(),
)
# Two of ann's four relevant items are in her list; dan has no list.
TRUTH = table(
    [*[("ann", item) for item in (1, 3, 11, 12)], ("bob", 5), ("cid", 9), ("dan", 1)], **IDS
)


def told(metric, *, recs=RECS, truth=TRUTH, **options):
    rows = sqlrec.explain(metric, recs=recs, truth=truth, **options).to_arrow().to_pylist()
    return {
        name: row
        for row in rows
        for name in [name.split()[0] for name in row["conventions"].split(", ")]
    }


def test_binary_gain_counts_rows_of_grade_0_under_conventions_that_read_every_row():
    grades = [("ann", 1, 1.0), ("ann", 2, 0.0), ("bob", 5, 0.0), ("cid", 9, 1.0)]
    truth = table(grades, **IDS, relevance=pa.float64())
    result = told("ndcg@3", truth=truth, conventions=["replay"])
    assert result["replay"]["value"] == approx((1 + 1 / log2(3) + 0) / 3)
    assert result["sqlrec"]["value"] == approx((1 + 0) / 2)


def test_gives_each_convention_its_value():
    result = told("map@2")
    assert told("map", k=2, conventions=["jurity"])["jurity"]["value"] == result["jurity"]["value"]
    assert result["sqlrec"]["value"] == approx((1 / 4 + 1 / 2) / 4)
    assert result["replay"]["value"] == approx((1 / 2 + 1 / 2) / 4)
    assert result["torchmetrics"]["value"] == approx((1 / 1 + 1 / 2) / 4)
    assert result["jurity"]["value"] == approx((1 / 2 + 1 / 2) / 3)


def test_each_switch_counts_its_users():
    rows = sqlrec.explain("map@2", recs=RECS, truth=TRUTH, conventions=["jurity"])
    switches = {
        row["switch"]: (row["meaning"], row["changed_users"])
        for row in rows.to_arrow().to_pylist()
        if row["switch"]
    }
    assert switches == {
        "population=truth_and_recs": (
            "averages over users with a relevant item who have a list",
            1,
        ),
        "divide_by=achievable": (
            "divides by min(2, relevant items), which is less for users with more than 2",
            1,
        ),
    }


def test_orders_causes_by_their_effect():
    lists = [("ann", 2, 2.0), ("ann", 1, 1.0), ("bob", 1, 1.0), ("cid", 2, 2.0), ("cid", 1, 1.0)]
    recs = table(lists, **IDS, score=pa.float64())
    wants = [(user, item) for user in ("ann", "cid") for item in (1, 11, 12)]
    truth = table([*wants, ("bob", 1), ("dan", 1)], **IDS)
    # For 1/6, 1, 1/6 and 0, dividing by 2 adds 1/12 twice; without dan the mean is 4/3 of it.
    result = sqlrec.explain("map@2", recs=recs, truth=truth, conventions=["jurity"])
    assert [(row["switch"], row["changed_users"]) for row in result.to_arrow().to_pylist()] == [
        ("", None),
        ("population=truth_and_recs", 1),
        ("divide_by=achievable", 2),
    ]
    assert result.layout().groups[0].rows[1][-1].text == "a, b"
    assert result.layout().notes == [
        "a: averages over users with a relevant item who have a list (changes 1 user)",
        "b: divides by min(2, relevant items), which is less for users with more than 2 (changes 2 "
        "users)",
    ]


def test_equal_conventions_share_a_row():
    result = told("mrr@2", conventions=["recbole", "rs_metrics"])
    assert result["recbole"] == result["sqlrec"]
    assert (result["sqlrec"]["switch"], result["sqlrec"]["changed_users"]) == ("", None)


@mark.slow
def test_no_relevant_item_changes_no_user():
    truth = table([("ann", 1, -1.0)], **IDS, relevance=pa.float64())
    result = told("ndcg@2", truth=truth)
    assert result["sqlrec"]["value"] is None and result["sqlrec"]["users"] == 0
    assert result["trec_eval"]["value"] == 0


def test_a_given_rule_applies_to_all_conventions():
    result = told("recall@2", population="truth_and_recs", conventions=["rs_metrics", "jurity"])
    assert [row["value"] for row in result.values()] == [approx((1 / 4 + 1) / 3)] * 3


def test_a_given_parameter_applies_to_all_conventions():
    result = told("map(divide_by=hits)@2", conventions=["replay", "rs_metrics"])
    assert [row["value"] for row in result.values()] == [approx((1 + 1 / 2) / 4)] * 3


def test_refused_rows_are_counted_once():
    recs = table([("ann", 1, 0.9), ("ann", 1, 0.8), ("ann", 2, 0.7)], **IDS, score=pa.float64())
    truth = table([("ann", 1), ("ann", 2)], **IDS)
    result = told("precision@2", recs=recs, truth=truth, conventions=["rs_metrics"])
    assert result["sqlrec"]["value"] == 1
    assert "duplicates='best'" in result["sqlrec"]["note"]
    assert "more than once" in result["sqlrec"]["note"]
    refusal = (
        "value of sqlrec: with duplicates='best', since evaluate rejects these rows; recs: user "
        "ann has item 1 more than once (repeats: 1)"
    )
    inputs = {"recs": recs, "truth": truth, "conventions": ["rs_metrics"]}
    assert sqlrec.explain("precision@2", **inputs).layout().notes == [refusal]
    liked = sqlrec.explain("precision@2", **inputs, like="rs_metrics")
    assert liked.layout().notes == [refusal]
    printed = sqlrec.explain("precision@2", **inputs, value="1.000").layout()
    command = "`sqlrec evaluate precision@2 --duplicates best` prints 1.00000 for the same inputs"
    assert printed.notes == [refusal, command]
    refused = told("precision@2", recs=recs, truth=truth, conventions=["trec_eval"])
    assert refused["trec_eval"]["value"] is None
    assert "user ann has item 1 more than once" in refused["trec_eval"]["note"]


def test_metrics_of_all_users_count_no_users():
    history = table([("ann", 1), ("bob", 2)], **IDS)
    catalog = table([(item,) for item in range(1, 21)], item_id=pa.int64())
    result = told("catalog_coverage@2", history=history, catalog=catalog, conventions=["replay"])
    assert result["replay"]["value"] == 1
    assert result["replay"]["switch"] == "items=history"
    assert result["replay"]["changed_users"] is None


def test_few_models_are_columns_and_many_are_rows():
    recs = {"als": RECS, "bad": table([("ann", 2, 1.0)], **IDS, score=pa.float64())}
    few = sqlrec.explain("map@2", recs=recs, truth=TRUTH, conventions=["replay"]).layout()
    assert [column.name for column in few.columns[:2]] == ["als", "bad"]
    (group,) = few.groups
    assert [[cell.text for cell in row[:3]] for row in group.rows] == [
        ["0.188", "0.000", "sqlrec"],
        ["0.250", "0.000", "replay"],
    ]
    assert group.rows[1][3].text == "a"
    assert few.notes[0].startswith("a: ") and few.notes[0].endswith("(changes 1 user)")
    many = dict.fromkeys((f"als{n}" for n in range(7)), RECS)
    below = sqlrec.explain("map@2", recs=many, truth=TRUTH, conventions=["replay"]).layout()
    assert [group.title for group in below.groups[:2]] == ["map@2, als0", "map@2, als1"]


@mark.parametrize(
    "metric, options, message",
    [
        ("map@2", {"conventions": ["trec"]}, "did you mean 'trec_eval'"),
        ("churn@2", {}, "no convention has this metric"),
        ("ndcg(convention=jurity)@2", {"conventions": ["nobody"]}, "convention='nobody'"),
    ],
)
def test_unknown_conventions_are_refused(metric, options, message):
    with raises(sqlrec.MetricError, match=message):
        sqlrec.explain(metric, recs=RECS, truth=TRUTH, **options)


def test_a_library_with_a_missing_input_is_excluded_unless_it_is_named():
    result = sqlrec.explain("gini@2", recs=RECS, truth=TRUTH)
    (note,) = (note for note in result.layout().notes if note.startswith("omitted"))
    assert note.startswith("omitted without catalog: lenskit ListGini, lenskit ExposureGini")
    assert {row["conventions"] for row in result.to_arrow().to_pylist()} == {"sqlrec, evidently"}
    message = "^catalog is missing: gini of lenskit ListGini needs a table with item_id"
    with raises(sqlrec.InputError, match=message):
        sqlrec.explain("gini@2", recs=RECS, truth=TRUTH, like="lenskit")


def test_each_cause_has_two_lines_of_a_narrow_terminal_without_all():
    explained = [
        sqlrec.explain("ndcg@2", recs=RECS, truth=TRUTH, full=full).layout()
        for full in (False, True)
    ]
    for layout in explained:
        letters = {x for row in layout.rows() for x in row[-1].text.split(", ")} - {""}
        assert letters == {note[0] for note in layout.notes if note[1:3] == ": "}
    short, full = explained
    assert all(len(wrap_lines(note, 80)) <= 2 for note in short.notes)
    assert len([*short.rows()]) == 6 < len([*full.rows()])


def test_the_page_is_current():
    page = Path(update.PAGE).read_text(encoding="utf-8")
    assert page == update.conventions_page(), "run python docs/update.py"
    peers = Path(update.PEERS).read_text(encoding="utf-8")
    assert peers == update.peers_page(), "run python docs/update.py"
    cells = [re.split(r"(?<!\\)\|", line)[1:-1] for line in peers.splitlines() if line[:1] == "|"]
    assert all(len(row) in (4, 5) and all(map(str.strip, row)) for row in cells)


@mark.slow
def test_forms_without_expected_values_are_excluded():
    recs, truth = scored({"u": {"a": 1, "b": 1}}), wanted({"u": "b"})
    result = sqlrec.explain(
        "map@2 ndcg@2", recs=recs, truth=truth, rules=sqlrec.Rules(ties="expected")
    )
    told = rows(result, "metric", "value", "conventions")
    assert told[0][:2] == ("average_precision", 3 / 4)
    libraries = {name: ", ".join(x for metric, _, x in told if metric == name) for name, *_ in told}
    assert "replay" in libraries["average_precision"] and "replay" in libraries["ndcg"]
    assert "torchmetrics" not in libraries["average_precision"]
    assert "sklearn ndcg_score ignore_ties" in libraries["ndcg"]
    assert "sklearn ndcg_score," not in libraries["ndcg"] + ","
    with raises(sqlrec.InputError, match="is not supported for err"):
        sqlrec.explain("err@2", recs=recs, truth=truth, rules=sqlrec.Rules(ties="expected"))


@mark.parametrize("ranks", [62, 63, 200])
def test_a_list_may_have_more_equal_scores_than_a_number_has_bits(ranks):
    # Two of the tied items are relevant, and each rank is equally likely.
    recs = scored({"ann": {f"i{rank:03}": 1.0 for rank in range(ranks)}})
    truth = wanted({"ann": ["i003", "i005"]})
    worth = [1 / log2(rank + 1) for rank in range(1, 11)]
    expected = 2 / ranks * sum(worth) / sum(worth[:2])
    result = sqlrec.evaluate("ndcg@10", recs=recs, truth=truth, rules="sklearn")
    assert values(result) == [approx(expected, abs=1e-12)]
    if ranks == 63:
        alone = told("ndcg@10", recs=recs, truth=truth, conventions="sklearn")
        assert alone["sklearn"]["value"] == approx(expected)
