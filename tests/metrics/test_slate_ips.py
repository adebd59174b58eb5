import math
import random

import pyarrow as pa
from pytest import approx, mark, raises

import sqlrec

from ..tables import decisions, values

# A slate of two positions with weights 0.5 and 4, and one of a single position with weight 2.
COLUMNS = "slate_id position reward propensity target_probability"
LOGS = decisions(COLUMNS, (7, 2, 1, 0.25, 1), (7, 1, 3, 0.5, 0.25), (8, 1, 1, 0.25, 0.5))


@mark.parametrize(
    ("behavior", "value"),
    [
        ("standard", (2 * (3 + 1) + 2) / 2),
        ("cascade", (0.5 * 3 + 2 * 1 + 2) / 2),
        ("independent", (0.5 * 3 + 4 * 1 + 2) / 2),
    ],
)
def test_weighs_a_reward_by_what_it_depends_on(behavior, value):
    result = sqlrec.evaluate(f"slate_ips(behavior={behavior})", logs=LOGS)
    assert values(result) == approx([value])


def test_divides_each_weight_by_its_mean_at_the_position():
    # At position 1 weights are 0.5 and 2, mean 1.25; at position 2 the mean is the weight itself.
    result = sqlrec.evaluate("slate_ips(behavior=cascade, divide_by=weights)", logs=LOGS)
    assert values(result) == approx([(0.5 * 3 / 1.25 + 2 / 1.25 + 1) / 2])
    never = decisions(COLUMNS, (7, 2, 1, 0.25, 0), (7, 1, 3, 0.5, 0.25))
    result = sqlrec.evaluate("slate_ips(behavior=independent, divide_by=weights)", logs=never)
    assert values(result) == [None]


def test_a_slate_that_the_other_policy_never_shows_counts_nothing_from_there():
    never = decisions(COLUMNS, (7, 1, 1, 0.5, 0.5), (7, 2, 1, 0.5, 0), (7, 3, 1, 0.5, 0.5))
    asked = [f"sips(behavior={one})" for one in ("standard", "cascade", "independent")]
    assert values(sqlrec.evaluate(asked, logs=never)) == approx([0, 1, 2])


def test_with_lists_a_slate_is_one_that_a_list_would_have_shown():
    rows = decisions(
        "user_id item_id slate_id position reward propensity",
        ("ann", "a", 1, 1, 1, 0.5),
        ("ann", "b", 1, 2, 1, 0.5),
        ("ann", "a", 2, 1, 1, 0.5),
        ("ann", "c", 2, 2, 1, 0.5),
    )
    recs = pa.table({"user_id": ["ann"], "item_id": [["a", "b"]]})
    asked = "sips@2 sips(behavior=cascade)@2 sips@1"
    assert values(sqlrec.evaluate(asked, recs=recs, logs=rows)) == approx([4, 4, 0])


def test_a_position_stands_once_in_a_slate():
    for rows in [[(7, 1, 1, 0.5, 0.5)] * 2, [(None, 1, 1, 0.5, 0.5)]]:
        with raises(sqlrec.DataError, match="give each slate one row per position"):
            sqlrec.evaluate("slate_ips", logs=decisions(COLUMNS, *rows))
    floating = pa.table({name: [0.5] for name in COLUMNS.split()})
    with raises(sqlrec.InputError, match=r"logs\.slate_id is DOUBLE"):
        sqlrec.evaluate("slate_ips", logs=floating)


@mark.filterwarnings("ignore:recs. the effective sample")
def test_errors_are_of_slates_where_logs_names_no_users():
    rows = [(n, place, (n * place) % 3, 0.5, 0.25) for n in range(9) for place in (1, 2)]
    totals = [0.25 * sum(row[2] for row in rows if row[0] == n) for n in range(9)]
    mean = sum(totals) / 9
    result = sqlrec.evaluate("slate_ips", logs=decisions(COLUMNS, *rows), interval="t")
    (row,) = result.to_arrow().to_pylist()
    error = (sum((one - mean) ** 2 for one in totals) / 8 / 9) ** 0.5
    assert (row["value"], row["standard_error"]) == approx((mean, error))


@mark.filterwarnings("ignore:recs. the effective sample")
@mark.parametrize("behavior", ["standard", "cascade", "independent"])
def test_errors_by_weights_are_those_of_the_value_with_each_user_counted_a_little_more(behavior):
    chance = random.Random(1)
    sizes = [
        (user, chance.randint(1, 3)) for user in range(12) for _ in range(chance.randint(1, 3))
    ]
    rows = [
        (f"u{user}", slate, place, chance.random(), 0.5, chance.choice([0.125, 0.5, 0.25]))
        for slate, (user, size) in enumerate(sizes)
        for place in range(1, size + 1)
    ]

    def value(counts):
        """The definition, of users who count so often."""
        at_place = {place: [0.0, 0.0, 0.0] for place in (1, 2, 3)}
        for user, slate, place, reward, *_ in rows:
            ratios = [row[5] / row[4] for row in rows if row[1] == slate]
            many = {"standard": ratios, "cascade": ratios[:place]}.get(
                behavior, [ratios[place - 1]]
            )
            for sums, one in enumerate((1, math.prod(many), math.prod(many) * reward)):
                at_place[place][sums] += counts[int(user[1:])] * one
        slates = sum(counts[user] for user, _ in sizes)
        return sum(number * gain / weight for number, weight, gain in at_place.values()) / slates

    mean = value([1] * 12)
    slopes = [
        (value([1 + 1e-6 * (one == user) for one in range(12)]) - mean) / 1e-6 for user in range(12)
    ]
    error = math.sqrt(12 / 11 * sum(slope**2 for slope in slopes))
    asked = f"slate_ips(behavior={behavior}, divide_by=weights)"
    found = sqlrec.evaluate(asked, logs=decisions(f"user_id {COLUMNS}", *rows))
    (row,) = found.to_arrow().to_pylist()
    assert row["value"] == approx(mean) and row["interval"] == "t"
    assert row["standard_error"] == approx(error, rel=1e-4)


@mark.filterwarnings("ignore:recs. the effective sample")
@mark.parametrize("interval", ["t", "bootstrap", "bca"])
def test_has_no_error_where_it_has_no_value(interval):
    rows = [(f"u{n}", n, place, 1, 0.5, 0.5 * (place == 1)) for n in range(4) for place in (1, 2)]
    logs = decisions(f"user_id {COLUMNS}", *rows, ("u4", 4, 1, 3, 0.5, 0.2))
    asked = "slate_ips(behavior=independent, divide_by=weights)"
    (row,) = sqlrec.evaluate(asked, logs=logs, interval=interval).to_arrow().to_pylist()
    assert [row[name] for name in ("value", "standard_error", "low", "high")] == [None] * 4
