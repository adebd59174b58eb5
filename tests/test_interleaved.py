"""Interleaved lists, compared with plain Python and SciPy."""

import json
import math
from collections import Counter, defaultdict
from itertools import combinations
from random import Random

import pyarrow as pa
import pyarrow.csv
from pytest import approx, mark, raises

import sqlrec
from sqlrec import cli
from sqlrec.dialects import DIALECTS
from sqlrec.errors import DataError, InputError
from sqlrec.rendering.templates import render

from .packages import stats
from .tables import rows_of, table
from .test_dialects import forbidden, loose_windows, not_in_doubles, unnamed_columns

COLUMNS = {
    **{"impression_id": pa.int64(), "user_id": pa.string(), "item_id": pa.string()},
    **{"model": pa.string(), "click": pa.int64(), "land": pa.string()},
}


def shown(seed=3, users=25, models=("a", "b", "c"), **kinds):
    """Return short lists of items of random models or none; users have several lists, and click."""
    random = Random(seed)
    rows = []
    for impression in range(5 * users):
        user = f"u{impression % users}"
        for rank in range(4):
            model = random.choice([*models, None])
            click = int(random.random() < {"a": 0.5, "b": 0.3}.get(model, 0.4))
            rows.append((impression, user, f"i{rank}", model, click, "xy"[impression % 2]))
    return table(rows, **COLUMNS | kinds)


def outcomes(rows, by=None):
    """Return the outcome of each impression by pair of models and segment, with its user."""
    credit = defaultdict(Counter)
    of = {}
    for row in rows:
        if row["model"] is not None:
            credit[row["impression_id"]][row["model"]] += row["click"]
            of[row["impression_id"]] = (row["user_id"], row[by] if by else None)
    result = defaultdict(list)
    for impression, credits in credit.items():
        user, segment = of[impression]
        for baseline, model in combinations(sorted(credits), 2):
            more = credits[model] - credits[baseline]
            result[model, baseline, segment].append((user, (more > 0) - (more < 0)))
    return result


@mark.parametrize("ties", ["half", "drop"])
def test_preferences_are_those_of_plain_python(ties):
    inputs = shown()
    expected = outcomes(inputs.to_pylist(), "land")
    result = rows_of(sqlrec.interleaved(inputs, by="land", ties=ties, correction="none"))
    assert len(result) == len(expected) == 6
    for row in result:
        signs = expected[row["model"], row["baseline"], row["land"]]
        counts = Counter(sign for _, sign in signs)
        assert (row["wins"], row["ties"], row["losses"]) == (counts[1], counts[0], counts[-1])
        kept = [(user, (sign + 1) / 2) for user, sign in signs if sign or ties == "half"]
        share = sum(value for _, value in kept) / len(kept)
        assert (row["impressions"], row["users"]) == (len(signs), len({user for user, _ in signs}))
        assert (row["preference"], row["delta"]) == (approx(share), approx(share - 0.5))
        # A ratio of sums over users, linearized.
        off = defaultdict(float)
        for user, value in kept:
            off[user] += value - share
        users = row["users"]
        error = math.sqrt(sum(x * x for x in off.values()) * users / (users - 1)) / len(kept)
        assert row["p"] == approx(2 * stats.t.sf(abs(share - 0.5) / error, users - 1), rel=1e-9)
        reach = stats.t.ppf(0.975, users - 1) * error
        assert row["high"] == approx(min(1, share + reach), rel=1e-9)
        assert row["low"] == approx(max(0, share - reach), abs=1e-9)


def test_by_impressions_are_the_tests_of_scipy():
    inputs = shown(models=("a", "b")).drop_columns("user_id")
    (signs,) = outcomes(inputs.append_column("user_id", inputs["item_id"]).to_pylist()).values()
    values = [(sign + 1) / 2 for _, sign in signs]
    (row,) = rows_of(sqlrec.interleaved(inputs, level=0.9))
    test = stats.ttest_1samp(values, 0.5)
    assert row["p"] == approx(test.pvalue, rel=1e-9)
    assert [row["low"], row["high"]] == approx([*test.confidence_interval(0.9)], rel=1e-9)
    assert "users" not in row
    (row,) = rows_of(sqlrec.interleaved(inputs, ties="drop"))
    sign = stats.binomtest(values.count(1), values.count(1) + values.count(0))
    limits = sign.proportion_ci(0.95, "wilson")
    assert row["p"] == approx(sign.pvalue, rel=1e-9)
    assert [row["low"], row["high"]] == approx([limits.low, limits.high], rel=1e-9)
    assert row["delta"] == approx(sign.statistic - 0.5)


def test_the_delta_of_the_paper_by_hand():
    # Chapelle et al. 2012: of three wins, a tie and a loss of A, (3 + 1/2) / 5 - 1/2.
    clicks = [(1, 0), (2, 1), (1, 0), (1, 1), (0, 1)]
    rows = [
        (n, "u", f"i{rank}", model, click, None)
        for n, pair in enumerate(clicks)
        for rank, (model, click) in enumerate(zip("AB", pair, strict=True))
    ]
    (row,) = rows_of(sqlrec.interleaved(table(rows, **COLUMNS), baseline="B", unit="impression"))
    assert row["delta"] == approx(0.2)
    assert (row["model"], row["wins"], row["ties"], row["losses"]) == ("A", 3, 1, 1)


def test_pairs_are_corrected_together_and_shown(capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    pyarrow.csv.write_csv(shown(), "shown.csv")
    assert cli.main(["interleaved", "shown.csv", "--baseline", "b", "--format", "json"]) == 0
    result = json.loads(capsys.readouterr().out)
    assert [row["model"] for row in result] == ["a", "c"]
    least = min(result, key=lambda row: row["p"])
    assert least["p_adjusted"] == approx(min(1, 2 * least["p"]))
    assert cli.main(["interleaved", "shown.csv", "--ties", "drop", "--unit", "impression"]) == 0
    assert "without ties" in capsys.readouterr().out
    assert cli.main(["interleaved", "shown.csv", "--baseline", "d"]) == 1
    assert "--baseline d: choose from a, b, c" in capsys.readouterr().err


@mark.parametrize(
    "changed, error, message",
    [
        ({"impression_id": None}, DataError, "1 rows without impression_id or user_id"),
        ({"user_id": None}, DataError, "1 rows without impression_id or user_id"),
        ({"click": None}, DataError, "1 rows with a click that is null"),
        ({"click": -1}, DataError, "1 rows with a click that is null, NaN, below 0"),
        ({"item_id": "i1"}, DataError, "1 items more than once in an impression"),
        ({"user_id": "u9"}, DataError, "1 impressions of several users"),
        ({"options": {"baseline": "z"}}, InputError, "baseline='z': choose from a, b, c"),
        ({"options": {"ties": "best"}}, InputError, "ties='best': choose from drop, half"),
        ({"options": {"by": "click"}}, InputError, "by='click'"),
        ({"options": {"columns": {"clik": "click"}}}, InputError, "did you mean 'click'"),
    ],
)
def test_invalid_impressions_are_refused(changed, error, message):
    options = changed.pop("options", {})
    rows = shown(users=4).to_pylist()
    rows[0] |= changed
    with raises(error, match=message):
        sqlrec.interleaved(pa.Table.from_pylist(rows, pa.schema(COLUMNS)), **options)
    with raises(InputError, match="no impression has items of two models"):
        sqlrec.interleaved(shown(users=4, models=("a",)))


@mark.slow
def test_the_statements_keep_the_rules_of_all_dialects():
    columns = {"impression_id": "1", "user_id": "2", "item_id": "3", "model": "'a'", "click": "1"}
    entries = ", ".join(f"{value} as {name}" for name, value in columns.items())
    relation = f"(select {entries}, 'x' as land) as shown"
    for dialect in DIALECTS:
        plan = {name: name for name in columns}
        plan |= {"relation": relation, "segments": {"segment_1": "land"}}
        for macro in ("interleaved", "interleaved_violations"):
            text = render(macro, plan, dialect)
            for check in (forbidden, not_in_doubles, loose_windows, unnamed_columns):
                assert list(check(text, dialect)) == []
