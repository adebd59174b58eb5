"""Results over different users, brought together without their rows."""

from random import Random

import pyarrow as pa
import pyarrow.parquet
from pytest import approx, fixture, mark, raises

import sqlrec

from .tables import lists, wanted

SUMMARIES = "standard_deviation min max zero_share"
METRICS = "ndcg@3 recall@2 hit_rate@1"


def tables(users):
    """Lists and truth of users, each by chance."""
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


def test_is_as_if_all_users_had_been_evaluated_at_once(interval):
    options = {"interval": interval, "summaries": SUMMARIES}
    days = [
        sqlrec.evaluate(METRICS, **tables(part), **options) for part in (USERS[:13], USERS[13:])
    ]
    merged = days[1].merge(days[0]).to_arrow().to_pylist()
    whole = sqlrec.evaluate(METRICS, **tables(USERS), **options).to_arrow().to_pylist()
    assert len(merged) == len(whole) == 6
    for ours, theirs in zip(merged, whole, strict=True):
        assert ours == approx(theirs, rel=1e-12)


def test_shares_keep_their_own_interval():
    days = [
        sqlrec.evaluate("hit_rate@1", **tables(part), interval="wilson")
        for part in (USERS[:30], USERS[30:])
    ]
    whole = sqlrec.evaluate("hit_rate@1", **tables(USERS), interval="wilson").to_arrow().to_pylist()
    merged = days[0].merge(days[1]).to_arrow().to_pylist()
    assert [row["low"] for row in merged] == approx([row["low"] for row in whole], rel=1e-12)


def test_the_past_may_be_a_file_and_may_itself_be_merged(tmp_path):
    days = [
        sqlrec.evaluate("recall@2", **tables(part)) for part in (USERS[:5], USERS[5:9], USERS[9:])
    ]
    days[1].merge(days[0]).to_parquet(tmp_path / "until yesterday.parquet")
    merged = days[2].merge(tmp_path / "until yesterday.parquet").to_pandas()
    whole = sqlrec.evaluate("recall@2", **tables(USERS)).to_pandas()
    assert list(merged["value"]) == approx(list(whole["value"]))
    assert list(merged["users"]) == list(whole["users"])


def test_the_past_may_have_been_asked_in_other_words():
    past = sqlrec.evaluate("recall@2", **tables(USERS[:9])).to_arrow()
    today = sqlrec.evaluate("R@2", **tables(USERS[9:]))
    whole = sqlrec.evaluate("R@2", **tables(USERS)).to_arrow().to_pylist()
    for before in (past, past.drop_columns("asked")):
        merged = today.merge(before).to_arrow().to_pylist()
        assert [row["asked"] for row in merged] == ["R@2", "R@2"]
        assert [row["value"] for row in merged] == approx([row["value"] for row in whole])


def test_what_one_side_alone_has_stays():
    one = sqlrec.evaluate("recall@2", **tables(["u1"]))
    two = sqlrec.evaluate("recall@2", **tables(["u2"]))
    merged = one.merge(two).to_arrow().to_pylist()
    assert sorted(row["plan"] for row in merged) == ["free", "paid"]
    assert [row["users"] for row in merged] == [1, 1]


def test_one_user_and_one_user_have_a_deviation():
    given = {"recs": lists({"ann": "ab"}), "truth": wanted({"ann": "a"})}
    other = {"recs": lists({"bob": "xb"}), "truth": wanted({"bob": "a"})}
    days = [sqlrec.evaluate("recall@2", **each, interval="t") for each in (given, other)]
    (row,) = days[0].merge(days[1]).to_arrow().to_pylist()
    assert (row["value"], row["users"], row["standard_error"]) == (0.5, 2, approx(0.5))


@mark.parametrize(
    "metrics, options, past, message",
    [
        ("rmse", {}, {}, "rmse is no mean of the values of users"),
        ("recall@2", {"summaries": "median"}, {"summaries": "median"}, "median of all users"),
        ("recall@2", {"interval": "bootstrap"}, {"interval": "bootstrap"}, "draws users again"),
        ("recall@2", {"interval": "t"}, {}, "results are merged that were asked alike"),
    ],
)
def test_what_cannot_be_merged_is_refused(metrics, options, past, message):
    score = pa.table({"user_id": ["u1", "u2"], "item_id": ["a", "b"], "score": [1.0, 2.0]})
    truth = wanted({"u1": {"a": 2.0}, "u2": {"b": 1.0}})
    result = sqlrec.evaluate(metrics, recs=score, truth=truth, **options)
    before = sqlrec.evaluate(metrics, recs=score, truth=truth, **past)
    with raises(sqlrec.InputError, match=message):
        result.merge(before)


def test_another_metric_of_the_past_is_refused():
    past = sqlrec.evaluate("precision@2", **tables(USERS))
    with raises(sqlrec.InputError, match="precision is no mean"):
        sqlrec.evaluate("recall@2", **tables(USERS)).merge(past)
