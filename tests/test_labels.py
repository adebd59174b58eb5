"""Means by people's labels of some users and a judge's labels of all users."""

from random import Random

import pyarrow as pa
from pytest import approx, fixture, mark, raises

import sqlrec
from sqlrec.statistics.prediction_powered import prediction_powered

from .tables import lists, wanted

LABELS = [1.0, 0.5, 0.25, 0.0, 1.0, 0.75, 0.5, 0.0]
JUDGED = [0.9, 0.6, 0.3, 0.1, 0.7, 0.9, 0.2, 0.1]
OTHERS = [0.8, 0.1, 0.4, 0.55, 0.95, 0.3, 0.2, 0.65, 0.7, 0.05, 0.15, 0.85]

USERS = [f"u{number:02}" for number in range(40)]


@mark.parametrize(
    "tuning, low, high",
    [
        (None, 0.31488778681006435, 0.6851122131899356),
        (1, 0.29099460368997, 0.70900539631003),
        (0.5, 0.310117512814131, 0.689882487185869),
    ],
)
def test_the_mean_equals_ppi_pythons(tuning, low, high):
    results = prediction_powered(LABELS, JUDGED, OTHERS, 0.95, tuning)
    assert (results["value"], results["low"], results["high"]) == approx(
        (0.5, low, high), abs=1e-12
    )


def test_a_constant_judge_leaves_the_mean_of_labels():
    alike = prediction_powered(LABELS, [0.5] * 8, [0.5] * 12, 0.95)
    against = prediction_powered(LABELS, [1 - label for label in LABELS], OTHERS, 0.95)
    assert alike["tuning"] == against["tuning"] == 0
    assert alike["value"] == against["value"] == 0.5
    assert alike["low"] == against["low"]


def test_a_perfect_judge_gives_the_mean_of_all():
    results = prediction_powered(LABELS, LABELS, OTHERS, 0.95, 1)
    assert results["value"] == approx(sum(OTHERS) / 12)


def test_needs_two_labels_for_an_interval_and_somebody_to_judge():
    one = prediction_powered([1.0], [0.5], [0.25, 0.75], 0.95, 1)
    assert (one["value"], one["standard_error"], one["low"]) == (1, None, None)
    assert prediction_powered(LABELS, JUDGED, [], 0.95)["value"] is None


def evaluated(users, /, metric="recall@2 hit_rate@1", **options):
    random = Random(5)
    recs = {user: "".join(random.sample("abcdef", 4)) for user in USERS}
    truth = {user: "".join(random.sample("abcdef", 2)) for user in USERS}
    if users is not USERS:
        # People agree with the judge on one of two items.
        truth = {user: {truth[user][0], random.choice("abcdef")} for user in users}
    return sqlrec.evaluate(metric, recs=lists(recs), truth=wanted(truth), **options)


@fixture(scope="module")
def judge():
    return evaluated(USERS)


def of_users(result, metric):
    return {
        row["user_id"]: row["value"]
        for row in result.per_user().to_arrow().to_pylist()
        if row["metric"] == metric
    }


def test_pairs_the_users_of_two_results(judge):
    people = evaluated(USERS[::3])
    row, _ = people.prediction_powered(judge, level=0.9).to_arrow().to_pylist()
    assert (row["model"], row["request"]) == ("recs", "recall@2")
    ours, theirs = of_users(people, "recall"), of_users(judge, "recall")
    own = [ours[user] for user in USERS[::3]]
    expected = prediction_powered(
        own,
        [theirs[user] for user in USERS[::3]],
        [value for user, value in theirs.items() if user not in ours],
        0.9,
    )
    assert [row[x] for x in ("value", "standard_error", "low", "high", "tuning")] == approx(
        [
            expected["value"],
            expected["standard_error"],
            expected["low"],
            expected["high"],
            expected["tuning"],
        ]
    )
    assert (row["labeled"], row["users"]) == (14, 40)
    assert row["labeled_value"] == approx(sum(own) / 14)
    assert row["judged_value"] == approx(sum(theirs.values()) / 40)


def test_conflicting_options_are_refused(judge):
    people = evaluated(USERS[::3])
    with raises(sqlrec.InputError, match="user u00 has a value by people but not by the judge"):
        people.prediction_powered(evaluated(USERS[1::2]))
    with raises(sqlrec.InputError, match="has other metrics or rules than this one: evaluate both"):
        people.prediction_powered(evaluated(USERS, "recall@2"))
    with raises(sqlrec.InputError, match="other metrics or rules"):
        people.prediction_powered(evaluated(USERS, ties="item_desc"))
    with raises(sqlrec.InputError, match="judge=1: give a Result"):
        people.prediction_powered(1)
    with raises(sqlrec.InputError, match=r"tuning=2: it must be a number from 0 to 1, or None"):
        people.prediction_powered(judge, tuning=2)
    with raises(sqlrec.InputError, match=r"tuning='1': it must be a number from 0 to 1"):
        people.prediction_powered(judge, tuning="1")
    with raises(sqlrec.InputError, match="evaluate again with each=False"):
        users = pa.table({"user_id": USERS, "age": [None, "old"] * 20})
        each = evaluated(USERS, users=users, by="age", each=True)
        each.prediction_powered(each)
    with raises(sqlrec.InputError, match="user u01 is undefined by people: remove the user"):
        without = wanted({"u00": {"a": 1.0}, "u01": {"b": 0.0}})
        options = {"truth": without, "population": "judged"}
        odd = sqlrec.evaluate("recall@2", recs=lists({"u00": "ab", "u01": "b"}), **options)
        odd.prediction_powered(odd)


def test_only_means_over_users_are_corrected():
    options = {"recs": lists({"ann": "ab", "bob": "b"}), "truth": wanted({"ann": "a", "bob": "b"})}
    pooled = sqlrec.evaluate("f_beta(of=means)@2", **options)
    with raises(sqlrec.InputError, match="is not a mean of per-user values: request another"):
        pooled.prediction_powered(pooled)
