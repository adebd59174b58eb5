"""Libraries with equal rules for the given rows share a computation: values do not change."""

from unittest import mock

import pyarrow as pa
from hypothesis import given
from hypothesis import strategies as st
from pytest import approx, mark

import sqlrec
from sqlrec.analyses import form_values
from sqlrec.layouts.result import libraries_of

from .examples import examples
from .tables import table

# Numbers and their texts sort differently.
ITEMS = st.sampled_from([1, 2, 3, 10, 20])
USERS = ["ann", "bob", "cid"]


@st.composite
def inputs(draw):
    """Return lists and truth with none or some of the rows that libraries treat differently."""
    odd = draw(st.sets(st.sampled_from(ODD), max_size=3))
    columns = draw(st.sampled_from([("rank",), ("score",), ("rank", "score")]))
    names = ["als", "bpr"] if "models" in odd else ["als"]
    types = {"user_id": pa.string(), "item_id": pa.int64()}
    recs = {name: draw(lists(odd, columns)) for name in names}
    recs = {name: table(rows, **types, **COLUMNS[columns]) for name, rows in recs.items()}
    kind = next((x for x in ("grades", "zeros") if x in odd), None)
    truth = []
    for user in USERS[: 2 if "without truth" in odd else 3]:
        wanted = draw(st.lists(ITEMS, min_size=1, max_size=3, unique="judged twice" not in odd))
        grades = {"grades": [-1.0, 0.0, 0.5, 1.0, 3.0], "zeros": [0.0, 1.0]}.get(kind, [1.0])
        truth += [(user, item, draw(st.sampled_from(grades))) for item in wanted]
    truth = table(truth, **types, relevance=pa.float64())
    order = draw(st.sampled_from([None, *columns]))
    return {
        "recs": recs if len(recs) > 1 else recs["als"],
        "truth": truth if kind else truth.drop_columns("relevance"),
        **({"order": order} if order else {}),
        **({"ties": draw(st.sampled_from(["best", "worst", "first"]))} if "order" in odd else {}),
    }


ODD = ("twice", "ties", "missing", "gaps", "short", "models", "grades", "zeros", "order")
ODD += ("judged twice", "without list", "without truth", "below 0")
COLUMNS = {
    ("rank",): {"rank": pa.int64()},
    ("score",): {"score": pa.float64()},
    ("rank", "score"): {"rank": pa.int64(), "score": pa.float64()},
}


@st.composite
def lists(draw, odd, columns):
    """Return rows of lists, in any order."""
    rows = []
    for user in USERS[1 if "without list" in odd else 0 :]:
        least = int(user == "cid") if "short" in odd else 4
        items = draw(st.lists(ITEMS, min_size=least, max_size=5, unique="twice" not in odd))
        dense = range(1, len(items) + 1)
        ranks = [rank + draw(st.integers(0, 2)) * 9 for rank in dense] if "gaps" in odd else dense
        scores = [(3.0 if "below 0" in odd else 9.0) - rank for rank in dense]
        if "ties" in odd:
            scores = sorted(draw(st.sampled_from(scores)) for _ in scores)[::-1]
        if "missing" in odd and scores:
            scores[draw(st.integers(0, len(scores) - 1))] = None
        given = {"rank": ranks, "score": scores}
        rows += zip([user] * len(items), items, *(given[name] for name in columns), strict=True)
    return draw(st.permutations(rows))


METRICS = ("ndcg", "average_precision", "recall", "precision", "hit_rate", "reciprocal_rank")
ASKED = [(metric, k) for metric in METRICS for k in (2, 4, 6)]
ASKED += [(metric, "all") for metric in METRICS if metric != "precision"]


@mark.slow
@examples(5)
@given(st.sampled_from(ASKED), inputs(), st.data())
def test_shared_forms_have_the_values_of_their_own(requests, given, data):
    metric, k = requests
    shared = sqlrec.explain(metric, k=k, **given)
    assert explained(shared) == explained(each_on_its_own(metric, k, given))
    having = {
        name: entries[0]
        for name, known in sqlrec.conventions().items()
        if (entries := [entry for entry in known.entries if entry.metric == metric])
    }
    name = data.draw(st.sampled_from(sorted(having)))
    labels = {name, f"{name} {having[name].name}"}
    for row in shared.to_arrow().to_pylist():
        if labels.intersection(libraries_of(row)):
            assert row["value"] == evaluated(metric, k, name, row["model"], given)


def each_on_its_own(metric, k, given):
    with mock.patch.object(form_values.Evaluator, "_equivalent_choices", lambda *_: {}):
        return sqlrec.explain(metric, k=k, **given)


def explained(result):
    """Return each library's value, its causes and their numbers of users."""
    rows = result.to_arrow().to_pylist()
    keys = ("model", "conventions", "switch", "changed_users")
    return {
        tuple(row[key] for key in keys): (about(row["value"]), row["users"], row["note"])
        for row in rows
    }


def evaluated(metric, k, name, model, given):
    try:
        rows = sqlrec.evaluate(metric, k=k, convention=name, **given).rows().to_pylist()
    except sqlrec.DataError:
        return None
    return about(next(row["value"] for row in rows if row["model"] == model))


def about(value):
    return None if value is None else approx(value, abs=1e-12)


def test_lists_with_missing_ranks_do_not_share_orders():
    # Without rank 1, libraries that order by score give item 2 the first rank, so that ann's list
    # is not short, and the relevant item 1 is not appended to it.
    types = {"user_id": pa.string(), "item_id": pa.int64()}
    ranks = [("ann", 2, 2), ("ann", 3, 3), ("ann", 1, 9), ("bob", 1, 1)]
    recs = table(ranks, **types, rank=pa.int64())
    given = {"recs": recs, "truth": table([("ann", 1), ("bob", 1), ("cid", 3)], **types)}
    shared = sqlrec.explain("ndcg", k=2, conventions="torchmetrics", **given)
    values = {name: row["value"] for row in shared.rows().to_pylist() for name in libraries_of(row)}
    assert values["torchmetrics"] == evaluated("ndcg", 2, "torchmetrics", "recs", given)
