"""Results over different users, merged without their rows."""

from random import Random

import pyarrow as pa
import pyarrow.parquet
from pytest import approx, fixture, mark, raises

import sqlrec

from .dialects import slow
from .tables import lists, memoised, wanted

evaluate = memoised(sqlrec.evaluate)

SUMMARIES = "standard_deviation min max zero_share"
METRICS = "ndcg@3 recall@2 hit_rate@1"


def tables(users):
    """Return random lists and truth of users."""
    recs, truth = {}, {}
    for user in users:
        random = Random(user)
        recs[user] = "".join(random.sample("abcdef", 4))
        truth[user] = "".join(random.sample("abcdef", random.randint(1, 3)))
    segments = pa.table(
        {"user_id": list(users), "plan": [["free", "paid"][int(u[1:]) % 2] for u in users]}
    )
    return {"recs": lists(recs), "truth": wanted(truth), "users": segments, "by": "plan"}


USERS = [f"u{number}" for number in range(1, 40)]


@fixture(params=["t", "normal", None])
def interval(request):
    return request.param


def test_merged_results_equal_one_evaluation(interval):
    options = {"interval": interval, "summaries": SUMMARIES}
    days = [evaluate(METRICS, **tables(part), **options) for part in (USERS[:13], USERS[13:])]
    merged = days[1].merge(days[0]).to_arrow().to_pylist()
    whole = evaluate(METRICS, **tables(USERS), **options).to_arrow().to_pylist()
    assert len(merged) == len(whole) == 6
    for ours, theirs in zip(merged, whole, strict=True):
        assert ours == approx(theirs, rel=1e-12)


def test_shares_keep_their_own_interval():
    days = [
        evaluate("hit_rate@1", **tables(part), interval="auto") for part in (USERS[:30], USERS[30:])
    ]
    whole = evaluate("hit_rate@1", **tables(USERS), interval="auto").to_arrow().to_pylist()
    merged = days[0].merge(days[1]).to_arrow().to_pylist()
    assert [row["low"] for row in merged] == approx([row["low"] for row in whole], rel=1e-12)


def test_the_past_may_be_a_file_and_may_itself_be_merged(tmp_path):
    days = [evaluate("recall@2", **tables(part)) for part in (USERS[:5], USERS[5:9], USERS[9:])]
    days[1].merge(days[0]).to_parquet(tmp_path / "until yesterday.parquet")
    merged = days[2].merge(tmp_path / "until yesterday.parquet").to_pandas()
    whole = evaluate("recall@2", **tables(USERS)).to_pandas()
    assert list(merged["value"]) == approx(list(whole["value"]))
    assert list(merged["users"]) == list(whole["users"])


def test_merged_metrics_may_have_an_alias():
    past = evaluate("recall@2", **tables(USERS[:9])).to_arrow()
    today = evaluate("R@2", **tables(USERS[9:]))
    whole = evaluate("R@2", **tables(USERS)).to_arrow().to_pylist()
    for before in (past, past.drop_columns("request")):
        merged = today.merge(before).to_arrow().to_pylist()
        assert [row["request"] for row in merged] == ["R@2", "R@2"]
        assert [row["value"] for row in merged] == approx([row["value"] for row in whole])


def test_rows_of_one_side_are_kept():
    one = evaluate("recall@2", **tables(["u1"]))
    two = evaluate("recall@2", **tables(["u2"]))
    merged = one.merge(two).to_arrow().to_pylist()
    assert sorted(row["plan"] for row in merged) == ["free", "paid"]
    assert [row["users"] for row in merged] == [1, 1]


def test_one_user_and_one_user_have_a_deviation():
    inputs = {"recs": lists({"ann": "ab"}), "truth": wanted({"ann": "a"})}
    other = {"recs": lists({"bob": "xb"}), "truth": wanted({"bob": "a"})}
    days = [evaluate("recall@2", **each, interval="t") for each in (inputs, other)]
    (row,) = days[0].merge(days[1]).to_arrow().to_pylist()
    assert (row["value"], row["users"], row["standard_error"]) == (0.5, 2, approx(0.5))


@mark.parametrize(
    "metrics, options, past, message",
    [
        ("rmse", {}, {}, "rmse is not a mean of per-user values"),
        ("recall@2", {"summaries": "median"}, {"summaries": "median"}, "median of all users"),
        ("recall@2", {"interval": "bootstrap"}, {"interval": "bootstrap"}, "resamples users"),
        ("recall@2", {"interval": "t"}, {}, "only results of the same request can be merged"),
    ],
)
def test_results_that_are_not_means_are_refused(metrics, options, past, message):
    score = pa.table({"user_id": ["u1", "u2"], "item_id": ["a", "b"], "score": [1.0, 2.0]})
    truth = wanted({"u1": {"a": 2.0}, "u2": {"b": 1.0}})
    result = evaluate(metrics, recs=score, truth=truth, **options)
    before = evaluate(metrics, recs=score, truth=truth, **past)
    with raises(sqlrec.InputError, match=message):
        result.merge(before)


def test_another_metric_of_the_past_is_refused():
    past = evaluate("precision@2", **tables(USERS))
    with raises(sqlrec.InputError, match="precision is not a mean"):
        evaluate("recall@2", **tables(USERS)).merge(past)


def days(now=None, past=None):
    """Return results of two days with other options."""
    parts = (now or {}, USERS[:13]), (past or {}, USERS[13:])
    return [evaluate("recall@2", **tables(users) | options) for options, users in parts]


@fixture(params=["result", "parquet", *slow("arrow", "pandas")])
def stored(request, tmp_path):
    """Return a stored result in a form that people use."""

    def store(result):
        if request.param == "parquet":
            result.to_parquet(tmp_path / "past.parquet")
            return tmp_path / "past.parquet"
        kept = {"arrow": result.to_arrow, "pandas": result.to_pandas}
        return kept.get(request.param, lambda: result)()

    return store


@mark.parametrize(
    "now, past, message",
    [
        ({}, {"population": "recs"}, "has population='recs', but this result has 'truth'"),
        ({}, {"ties": "item_desc"}, "has ties='item_desc', but this result has 'item_asc'"),
        ({}, {"depth": 3}, "has depth=3, but this result has None"),
        (
            {"interval": "t"},
            {"interval": "normal"},
            "has interval='normal', but this result has 't'",
        ),
        (
            {"interval": "t"},
            {"interval": "t", "level": 0.9},
            "has level=0.9, but this result has 0.95",
        ),
        ({"interval": "t"}, {"interval": "bootstrap"}, "interval='bootstrap' resamples users"),
    ],
)
def test_results_under_other_rules_are_refused(now, past, message, stored):
    today, before = days(now, past)
    with raises(sqlrec.InputError, match=message):
        today.merge(stored(before))


def test_errors_by_clusters_are_not_merged():
    homes = {"cluster": "home", "interval": "t", "by": ()}
    one = tables(USERS)
    one["users"] = one["users"].rename_columns(["user_id", "home"])
    clustered = evaluate("recall@2", **one | homes)
    with raises(sqlrec.InputError, match="cluster='home': two results have no common clusters"):
        clustered.merge(clustered)
    with raises(sqlrec.InputError, match="of the same request"):
        evaluate("recall@2", **one | {"interval": "t", "by": ()}).merge(clustered)


def test_a_merged_result_keeps_its_rules(stored):
    first, second = days({"population": "recs"}, {"population": "recs"})
    both = stored(second.merge(first))
    assert len(second.merge(both)) == 2
    with raises(sqlrec.InputError, match="has population='recs'"):
        days()[0].merge(both)


@mark.parametrize("interval", ["t", "normal", "bootstrap"])
@mark.parametrize("level", [0.95, 0.9])
def test_results_without_rules_are_checked_by_their_columns(interval, level):
    today, before = days({"interval": "t"}, {"interval": interval, "level": level})
    bare = before.to_arrow().replace_schema_metadata(None)
    if (interval, level) == ("t", 0.95):
        assert today.merge(bare).to_arrow().equals(today.merge(before).to_arrow())
    else:
        with raises(sqlrec.InputError, match=r"interval='t' at level=0.95 has other limits for"):
            today.merge(bare)


def test_a_frame_of_pandas_has_the_same_rows():
    metrics = "recall@2 recall@all"
    one, two = (
        evaluate(metrics, **tables(part) | {"by": (), "interval": None})
        for part in (USERS[:9], USERS[9:])
    )
    frame = two.to_pandas()
    assert str(frame["k"].dtype) == "float64"
    frame.attrs.clear()
    for past in (frame, frame[["users", "k", "model", "value", "metric"]]):
        assert one.merge(past).to_arrow().equals(one.merge(two).to_arrow())
    with raises(
        sqlrec.InputError, match="k of the earlier result is double, but int64 in this result"
    ):
        one.merge(frame.assign(k=2.5))
