"""Segments whose difference from the baseline differs from that of the other users."""

import math
from collections import Counter
from random import Random
from statistics import fmean, variance

import pyarrow as pa
import pyarrow.parquet
from hypothesis import given
from hypothesis import strategies as st
from pytest import MonkeyPatch, approx, fixture, mark, raises

import sqlrec
from sqlrec.analyses import segment_search
from sqlrec.cli import main
from sqlrec.statistics.interactions import Sample, interaction_p

from .packages import stats


def names(count):
    return [f"u{number:03}" for number in range(count)]


def inputs(models, **users):
    """Return lists of one item, the relevant one for users with a hit, and columns of users."""
    ids = names(len(models["old"]))
    recs = {
        model: pa.table({"user_id": ids, "item_id": [["a" if hit else "b"] for hit in hits]})
        for model, hits in models.items()
    }
    truth = pa.table({"user_id": ids, "item_id": ["a"] * len(ids)})
    return {"recs": recs, "truth": truth, "users": pa.table({"user_id": ids, **users})}


def search(data, columns=(), metric="hit_rate@1", **options):
    return sqlrec.compare(metric, **data, baseline="old").find_segments(columns, **options)


@fixture
def by_country():
    """In de, 30 of 60 users win; in fr, none of 40 differs; in it, 14 of 100 lose."""
    models = {"new": [1] * 30 + [0] * 170, "old": [0] * 186 + [1] * 14}
    return inputs(models, country=["de"] * 60 + ["fr"] * 40 + ["it"] * 100)


def test_a_segment_is_tested_against_all_other_users(by_country):
    de, it, fr = search(by_country)
    assert (de.model, de.column, de.segment, de.request) == ("new", "country", "de", "hit_rate@1")
    assert (de.users, de.difference) == (60, approx(0.5))
    assert (de.rest_users, de.rest_difference) == (140, approx(-0.1))
    assert de.interaction == approx(0.6)
    # Squares around the means: 60 times 1/4; 14 times .9^2 and 126 times .1^2.
    assert de.p == approx(interaction_p(Sample(60, 0.5, 15), Sample(140, -0.1, 12.6)))
    assert (it.segment, it.difference, it.rest_difference) == ("it", approx(-0.14), approx(0.3))
    assert (fr.segment, fr.difference, fr.rest_difference) == ("fr", 0, approx(0.1))
    corrected = [3 * de.p, 3 / 2 * it.p, fr.p]
    assert [row.p_adjusted for row in (de, it, fr)] == approx(corrected)


def test_the_table_has_a_line_for_each_segment_that_changes_the_difference(by_country):
    assert repr(search(by_country)) == (
        "Segments in which the hit_rate@1 difference from old changes\n"
        "\n"
        "column   segment  users  difference  the rest       p\n"
        "───────  ───────  ─────  ──────────  ────────  ──────\n"
        "country  de          60      +0.500    -0.100  <0.001\n"
        "country  it         100      -0.140    +0.300  <0.001\n"
        "\n"
        "All users: new +0.080.\n"
        "The rest: all other users, so segments of one column are not independent of each\n"
        "other.\n"
        "Columns searched one by one: 1, segments tested: 3, false discovery rate 5%.\n"
        "p: the larger of Student's and Welch's t-test of a segment against the rest,\n"
        "Benjamini and Hochberg's correction over 3 tests."
    )


def test_users_who_are_left_out_are_counted(by_country):
    data = by_country | {"truth": by_country["truth"].slice(0, 199)}
    note = "1 user with recommendations but no relevant item, not in the mean"
    for columns in ((), "country"):
        assert note in search(data, columns).layout().notes
    same = data | {"recs": {name: data["recs"]["old"] for name in ("new", "old")}}
    assert note in search(same).layout().notes


def test_the_difference_in_each_segment_has_the_p_value_of_its_own_test(by_country):
    rows = {row["country"]: row for row in search(by_country).search.differences}
    losses = [-1.0] * 14 + [0.0] * 86
    p = stats.ttest_1samp([1.0] * 30 + [0.0] * 30, 0).pvalue, stats.ttest_1samp(losses, 0).pvalue
    # Holm's correction of two tests; in fr no user differs.
    assert [rows[name]["p_adjusted"] for name in ("de", "it")] == approx([2 * p[0], p[1]])
    assert rows["fr"]["p_adjusted"] is None and rows["it"]["difference"] == approx(-0.14)


def test_without_a_finding_the_table_says_how_much_was_searched():
    models = {"new": [1, 0] * 40, "old": [0, 1] * 40, "other": [0, 0] * 40}
    country = ["de", "de", "fr", "fr"] * 10 + ["at"] * 3 + ["de", "fr", "fr", "de"] * 9 + ["it"]
    data = inputs(models, country=country, name=names(80), home=["x"] * 80)
    assert repr(search(data)) == (
        "No column of users changes the difference by hit_rate@1 (columns searched one by\n"
        "one: 1, segments tested: 2, false discovery rate 5%)\n"
        "\n"
        "model  column  segment  users  difference  the rest  p\n"
        "─────  ──────  ───────  ─────  ──────────  ────────  ─\n"
        "all    none\n"
        "\n"
        "Not tested: 2 segments with fewer than 30 users.\n"
        "Not searched: name, home, without two segments of 30+ users."
    )


def test_of_a_column_with_two_segments_the_smaller_is_tested(by_country):
    data = by_country | {"users": by_country["users"].slice(0, 70).select(["user_id"])}
    data["users"] = data["users"].append_column("vip", pa.array([True] * 70))
    (row,) = search(data)
    assert (row.segment, row.users, row.rest_users) == ("true", 70, 130)


def test_numbers_are_cut_into_bins_of_equal_values():
    models = {"new": [1, 0] * 60, "old": [0] * 120}
    # A third has 0, so that a bin of a quarter of the users would split equal values.
    ages = [0] * 40 + [*range(20, 100)]
    rows = [*search(inputs(models, age=ages, grade=[1, 2, 3] * 40))]
    assert {(row.column, row.segment, row.users) for row in rows} == {
        *(("age", "0", 40), ("age", "40 to 69", 30), ("age", "70 to 99", 30)),
        *(("grade", str(grade), 40) for grade in (1, 2, 3)),
    }


def test_the_history_describes_users_by_its_size_and_its_items(by_country):
    ids = names(200)
    # The first 60 users had three items, two of them films; the next 100 one song, 40 nothing.
    had = [(user, item) for user in ids[:60] for item in ("f1", "f2", "s1", "s1")]
    had += [(user, "s1") for user in ids[60:160]]
    history = pa.table({"user_id": [u for u, _ in had], "item_id": [i for _, i in had]})
    items = {"item_id": ["f1", "f2", "s1", "s2"], "kind": ["film", "film", "song", "song"]}
    items |= {"year": [1990, 2000, 2010, 2020], "title": ["A", "B", "C", "D"]}
    data = {name: by_country[name] for name in ("recs", "truth")}
    data |= {"history": history, "items": pa.table(items)}
    result = search(data)
    assert {(row.column, row.segment, row.users) for row in result} == {
        *(("items.kind", "film", 60), ("items.kind", "song", 100), ("items.kind", None, 40)),
        *(("items.year", "2000", 60), ("items.year", "2010", 100), ("items.year", None, 40)),
        *(("history.items", "3", 60), ("history.items", "1", 100), ("history.items", "0", 40)),
    }
    printed = repr(result).replace("\n", " ")
    assert "Not searched: items.title, without two" in printed
    assert "The most frequent value of the items in a user's history: items.kind." in printed
    assert "The mean of the items in a user's history: items.year." in printed
    assert "The number of items in a user's history: history.items." in printed
    assert {row.column for row in search(data, "items.kind")} == {"items.kind"}
    assert {row.column for row in search(data, ["history.items"])} == {"history.items"}


def binned(values):
    """Return the bins of numbers, each named by its ends."""
    known = sorted(value for value in values.values() if value is not None)
    ranks = {
        value: math.floor((known.index(value) + known.count(value) / 2) * 4 / len(known))
        for value in known
    }
    ends = {}
    for value in known:
        ends.setdefault(ranks[value], []).append(value)
    names = {
        rank: " to ".join(dict.fromkeys(f"{end:.6g}" for end in (own[0], own[-1])))
        for rank, own in ends.items()
    }
    return {user: None if x is None else names[ranks[x]] for user, x in values.items()}


def most_frequent(values):
    """Return the most frequent of some values, the first of several; None without values."""
    counts = Counter(values)
    return min(counts, key=lambda value: (-counts[value], value), default=None)


def rank(segment):
    """Return the sort key of a segment: missing values first, bins by their smallest number."""
    text = "" if segment is None else str(segment).split(" to ")[0]
    return (float(text), "") if text[:1].isdigit() else (-math.inf, text)


def oracle(differences, columns, small):
    """Return the tests by model, column and segment, in plain Python and SciPy."""
    result = {}
    for model, gains in differences.items():
        for column, values in columns.items():
            segments = {}
            for user, value in values.items():
                segments.setdefault(value, []).append(gains[user])
            for segment, own in segments.items():
                rest = [x for other, xs in segments.items() if other != segment for x in xs]
                # The smaller of two segments is tested, or the first of two of equal size.
                first = min(segments, key=lambda x: (len(segments[x]), rank(x)))
                larger = len(segments) == 2 and segment != first
                if min(len(own), len(rest)) < small or larger:
                    continue
                p = None if {*own} == {*rest} else 0.0
                if any(len({*sample}) > 1 for sample in (own, rest)):
                    tests = [stats.ttest_ind(own, rest, equal_var=equal) for equal in (True, False)]
                    p = max(test.pvalue for test in tests)
                result[model, column, segment] = (len(own), fmean(own), fmean(rest), p)
    tested = {key: test[3] for key, test in result.items() if test[3] is not None}
    adjusted = {}
    if tested:
        adjusted = dict(zip(tested, stats.false_discovery_control([*tested.values()]), strict=True))
    return {key: (*test, adjusted.get(key)) for key, test in result.items()}


@mark.filterwarnings("ignore:Precision loss")  # Of samples without any spread.
@given(st.integers(0, 2**32))
def test_segments_are_those_of_plain_python(seed):
    chance = Random(seed)
    count = chance.randint(5, 30)
    ids = names(count)
    models = {name: chance.choices([0, 1], k=count) for name in ("new", "old", "other")}
    country = chance.choices(["at", "de", "fr", None], k=count)
    age = chance.choices([None, *range(40)], k=count)
    data = inputs(models, country=pa.array(country, "string"), age=pa.array(age, "double"))
    had = [(user, item) for user in ids for item in range(6) if chance.random() < 0.4]
    had.append((ids[0], 0))
    history = {"user_id": [user for user, _ in had], "item_id": [str(item) for _, item in had]}
    kinds, years = chance.choices("fgs", k=6), [chance.randint(1990, 2020) for _ in range(6)]
    items = {"item_id": [*map(str, range(6))], "kind": kinds, "year": years}
    items_of = {user: {item for other, item in had if other == user} for user in ids}
    columns = {
        "country": dict(zip(ids, country, strict=True)),
        "age": dict(zip(ids, age, strict=True)),
        "items.kind": {u: most_frequent(kinds[i] for i in own) for u, own in items_of.items()},
        "items.year": {
            user: fmean(years[item] for item in own) if own else None
            for user, own in items_of.items()
        },
        "history.items": {user: len(own) for user, own in items_of.items()},
    }
    if len({*age}) > 10:
        columns["age"] = binned(columns["age"])
    else:
        columns["age"] = {u: None if x is None else f"{x}.0" for u, x in columns["age"].items()}
    columns |= {name: binned(columns[name]) for name in ("items.year", "history.items")}
    differences = {
        model: dict(zip(ids, map(int.__sub__, models[model], models["old"]), strict=True))
        for model in ("new", "other")
    }
    data |= {"history": pa.table(history), "items": pa.table(items)}
    with MonkeyPatch.context() as patch:
        patch.setattr(segment_search, "SMALL", 3)
        rows = [*search(data)]
    searched = {row.column for row in rows}
    # A column with a different value in each row, or with one value, has no segments.
    expected = oracle(differences, {name: columns[name] for name in columns if name in searched}, 3)
    result = {
        (row.model, row.column, row.segment): (
            *(row.users, row.difference, row.rest_difference, row.p, row.p_adjusted),
        )
        for row in rows
    }
    assert result.keys() == expected.keys()
    for key, test in expected.items():
        assert result[key] == approx(test, rel=1e-6, abs=1e-9), key


@mark.parametrize("sizes", [(30, 50), (400, 31)])
def test_p_is_the_larger_of_two_tests_of_scipy(sizes):
    samples = [[(i * 37 % 11) ** (2 + side) / 9 for i in range(n)] for side, n in enumerate(sizes)]
    own, rest = (
        Sample(len(values), fmean(values), variance(values) * (len(values) - 1))
        for values in samples
    )
    tests = [stats.ttest_ind(*samples, equal_var=equal).pvalue for equal in (True, False)]
    assert tests[0] != approx(tests[1])
    assert interaction_p(own, rest) == approx(max(tests), rel=1e-9)
    every = samples[0] + samples[1]
    whole = Sample(len(every), fmean(every), variance(every) * (len(every) - 1))
    assert whole.exclude(own) == approx(rest)


def test_without_any_spread_only_a_difference_is_significant():
    assert interaction_p(Sample(30, 1.0, 0.0), Sample(30, 0.0, 0.0)) == 0
    assert interaction_p(Sample(30, 0.1, 0.0), Sample(30, 0.1 + 1e-17, 0.0)) is None
    assert interaction_p(Sample(1, 1.0, 0.0), Sample(30, 0.0, 3.0)) is None
    # All users have only the squares between the segments, up to rounding.
    assert Sample(60, 0.1, 0.6 + 1e-16).exclude(Sample(30, 0.2, 0.0)).squares == 0


class TestRefusals:
    def test_missing_tables_and_columns_are_refused(self, by_country):
        data = {name: by_country[name] for name in ("recs", "truth")}
        with raises(sqlrec.InputError, match=r"users=None: .* give users, or history"):
            search(data)
        with raises(sqlrec.InputError, match="no column 'contry': did you mean 'country'"):
            search(by_country, "contry")
        with raises(sqlrec.InputError, match=r"items=None: .* from items; give items"):
            search(by_country, "items.kind")
        with raises(sqlrec.InputError, match=r"history=None: .* from history; give history"):
            search(by_country, "history.items")

    def test_comparisons_without_pairs_are_refused(self, by_country):
        every = sqlrec.compare("hit_rate@1", **by_country)
        with raises(sqlrec.InputError, match=r"segments\(\) and baseline=None: compare with"):
            every.find_segments()
        clusters = sqlrec.compare("hit_rate@1", **by_country, baseline="old", cluster="country")
        with raises(sqlrec.InputError, match="cluster='country'"):
            clusters.find_segments()
        with raises(sqlrec.InputError, match=r"gini.*@1: it is not a mean"):
            search(by_country, metric="gini(items=recommended)@1 hit_rate@1")

    def test_one_model_is_refused(self, by_country):
        with raises(sqlrec.InputError, match="one model"):
            search(by_country | {"recs": by_country["recs"]["old"]})

    def test_users_with_two_values_are_refused(self, by_country):
        users = pa.concat_tables([by_country["users"], by_country["users"].slice(0, 61).slice(60)])
        users = users.set_column(1, "country", pa.array([*users["country"].to_pylist()[:-1], "it"]))
        with raises(sqlrec.DataError, match="more than one value of country"):
            search(by_country | {"users": users})


def test_a_command_searches_all_columns_or_those_of_by(by_country, tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    tables = {**by_country["recs"], "truth": by_country["truth"]}
    users = by_country["users"]
    tables["users"] = users.append_column("half", pa.array(["x", "y"] * 100))
    for name, table in tables.items():
        pyarrow.parquet.write_table(table, f"{name}.parquet")
    words = "compare hit_rate@1 --recs new=new.parquet --recs old=old.parquet --baseline old "
    words += "--truth truth.parquet --users users.parquet --find-segments"
    assert main(words.split()) == 0
    assert "Columns searched one by one: 2, segments tested: 4" in capsys.readouterr().out
    assert main([*words.split(), "--by", "half"]) == 0
    assert "one by\none: 1, segments tested: 1" in capsys.readouterr().out


def test_a_command_prints_one_table(capsys):
    words = "compare ndcg@5 --recs none.parquet --truth none.parquet --find-segments --worse"
    assert main(words.split()) == 1
    message = "error: --worse and --find-segments: they print different tables; give one of them\n"
    assert capsys.readouterr().err == message
