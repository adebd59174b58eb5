"""Weights of users in means, such as traffic."""

import math
from contextlib import closing

import duckdb
import pyarrow as pa
from hypothesis import given
from hypothesis import strategies as st
from pytest import approx, mark, raises

import sqlrec

from ..examples import examples
from ..tables import in_sqlite, lists, rows, rows_of, scored, table, values, wanted

# Reciprocal ranks of ann, bob and cyd are 1, 1/2 and 0.
LISTS = {"ann": "ab", "bob": "ab", "cyd": "ab"}
INPUTS = {"recs": lists(LISTS), "truth": wanted({"ann": "a", "bob": "b", "cyd": "c"})}


def weighing(**weights):
    return table(weights.items(), user_id=pa.string(), traffic=pa.float64())


USERS = weighing(ann=1.0, bob=2.0, cyd=5.0)


def evaluated(metrics, **options):
    given = {"weights": "traffic", "users": USERS, "interval": None} | INPUTS | options
    return values(sqlrec.evaluate(metrics, **given))


class TestTheMean:
    def test_the_mean_is_weighted(self):
        # (1 * 1 + 2 * 1/2 + 5 * 0) / 8; without weights (1 + 1/2) / 3.
        assert evaluated("mrr@2 hit_rate@1") == [0.25, 0.125]
        assert evaluated("mrr@2", weights=None) == [0.5]

    def test_does_not_change_with_the_unit(self):
        thousands = weighing(ann=1000.0, bob=2000.0, cyd=5000.0)
        assert evaluated("mrr@2", users=thousands) == [approx(0.25)]

    def test_is_the_plain_one_of_equal_weights(self):
        alike = weighing(ann=3.0, bob=3.0, cyd=3.0)
        plain, ours = (
            rows_of(sqlrec.evaluate("mrr@2 ndcg@2", **INPUTS, **options))
            for options in ({"interval": "t"}, {"users": alike, "weights": "traffic"})
        )
        for row, other in zip(plain, ours, strict=True):
            assert [other[x] for x in ("value", "standard_error", "low", "high", "users")] == [
                approx(row[x]) for x in ("value", "standard_error", "low", "high", "users")
            ]

    def test_has_users_of_weight_0_count_nothing(self):
        assert evaluated("mrr@2", users=weighing(ann=1, bob=3, cyd=0)) == [approx(2.5 / 4)]

    def test_takes_weights_of_the_truth(self):
        truth = pa.table({"user_id": ["ann", "ann", "bob"], "item_id": [*"acb"], "n": [3, 3, 1]})
        given = {"recs": INPUTS["recs"], "truth": truth, "users": None}
        assert evaluated("mrr@2", weights="n", **given) == [approx((3 + 0.5) / 4)]

    def test_takes_a_column_under_another_name(self):
        assert evaluated("mrr@2", weights="w", columns={"users.w": "traffic"}) == [0.25]

    def test_leaves_users_without_a_value_out(self):
        # cyd has no relevant item: the weights are ann's and bob's.
        truth = wanted({"ann": {"a": 1}, "bob": {"b": 1}, "cyd": {"c": 0}})
        assert evaluated("mrr@2", truth=truth) == [approx(2 / 3)]
        assert evaluated("recall@1", truth=truth, undefined=1) == [approx(6 / 8)]

    def test_is_of_each_model_and_segment(self):
        users = USERS.append_column("land", [["x", "x", "y"]])
        recs = {"als": INPUTS["recs"], "pop": lists(dict.fromkeys(LISTS, "ca"))}
        inputs = INPUTS | {"recs": recs, "users": users}
        results = sqlrec.evaluate("mrr@2", weights="traffic", by="land", **inputs)
        # als: (1 + 1) / 3 and 0; pop: ann's a at rank 2, 1/2 of 1 by 3, and cyd's c at rank 1.
        expected = [("als", "x", approx(2 / 3), 2), ("als", "y", 0, 1)]
        expected += [("pop", "x", approx(1 / 6), 2), ("pop", "y", 1, 1)]
        assert rows(results, "model", "land", "value", "users") == expected

    def test_multiplies_weights_of_the_metric(self):
        # Errors of ann 1 and 3, of bob 2: pooled (1 + 3 + 2 * 2) / (2 + 2).
        recs = {"user_id": ["ann", "ann", "bob"], "item_id": [*"aba"], "score": [1.0, 3.0, 2.0]}
        truth = {"user_id": recs["user_id"], "item_id": recs["item_id"], "relevance": [0.0] * 3}
        given = {"recs": pa.table(recs), "truth": pa.table(truth)}
        assert evaluated("mae@all", **given) == [approx(2)]

    def test_has_all_forms_of_lists_and_several_rules(self):
        recs = pa.table({"user_id": [*LISTS], "item_id": [[*"ab"]] * 3})
        several = "mrr@2 mrr(convention=ranx)@2 mrr(convention=trec_eval)@2"
        assert evaluated("mrr@2", recs=recs) == [0.25]
        scores = scored({user: {"a": 2.0, "b": 1.0} for user in LISTS})
        assert evaluated(several, recs=scores) == [0.25] * 3

    def test_is_the_same_in_batches(self):
        assert evaluated("mrr@2", batches=3) == [0.25]


class TestTheInterval:
    def test_has_the_error_of_a_ratio(self):
        weights = {"weights": "traffic", "users": USERS}
        results = sqlrec.evaluate("mrr@2", interval="normal", level=0.95, **weights, **INPUTS)
        ((value, error, low, users),) = rows(results, "value", "standard_error", "low", "users")
        # Residuals 1 * (1 - 1/4), 2 * (1/2 - 1/4) and 5 * (0 - 1/4).
        right = math.sqrt((0.75**2 + 0.5**2 + 1.25**2) * 3 / 2) / 8
        assert (value, error, users) == (0.25, approx(right), 3)
        assert low == approx(0.25 - 1.959964 * right, rel=1e-6)

    def test_is_by_t_where_values_are_0_and_1(self):
        results = sqlrec.evaluate("hit_rate@1", weights="traffic", users=USERS, **INPUTS)
        assert rows(results, "interval") == [("t",)]

    def test_draws_users_with_their_weights(self):
        shown = {f"u{n}": "ab" for n in range(60)}
        given = {
            "recs": lists(shown),
            "truth": wanted({user: "abc"[n % 3] for n, user in enumerate(shown)}),
            "users": weighing(**{user: float(n % 5) for n, user in enumerate(shown)}),
        }
        results = (
            sqlrec.evaluate("mrr@2", weights="traffic", interval=how, **given)
            for how in ("t", "bootstrap")
        )
        by_error, drawn = (rows(one, "standard_error") for one in results)
        assert drawn == [(approx(by_error[0][0], rel=0.1),)]

    def test_clusters_are_independent_units(self):
        # Groups of one user equal no groups; groups of two users change the errors.
        users = USERS.append_column("home", [["p", "q", "r"]])
        inputs = INPUTS | {"users": users}
        alone = sqlrec.evaluate("mrr@2", weights="traffic", cluster="home", **inputs)
        right = math.sqrt((0.75**2 + 0.5**2 + 1.25**2) * 3 / 2) / 8
        assert rows(alone, "clusters", "standard_error") == [(3, approx(right))]


# Differences of als from pop: 1 - 1/2, 1/2 - 0, 0 - 1.
MODELS = {"als": INPUTS["recs"], "pop": lists(dict.fromkeys(LISTS, "ca"))}
COMPARED = INPUTS | {"recs": MODELS, "users": USERS, "baseline": "pop", "weights": "traffic"}


class TestAComparison:
    def test_is_of_the_weighted_means(self):
        results = sqlrec.compare("mrr@2", **COMPARED)
        columns = ("value", "baseline_value", "difference", "standard_error")
        ((value, base, difference, error),) = rows(results, *columns)
        assert (value, base) == (approx(0.25), approx(5.5 / 8))
        mean = (1 * 0.5 + 2 * 0.5 - 5 * 1) / 8
        assert difference == approx(mean)
        off = [1 * (0.5 - mean), 2 * (0.5 - mean), 5 * (-1 - mean)]
        assert error == approx(math.sqrt(sum(x * x for x in off) * 3 / 2) / 8)
        assert rows(results, "wins", "losses", "test", "users") == [(2, 1, "t", 3)]

    def test_takes_clusters_too(self):
        users = USERS.append_column("home", [["p", "q", "r"]])
        inputs = COMPARED | {"users": users}
        compared = (sqlrec.compare("mrr@2", **inputs, **x) for x in ({}, {"cluster": "home"}))
        plain, ours = (rows(one, "standard_error") for one in compared)
        assert ours == [(approx(plain[0][0]),)]

    @mark.parametrize(
        "options", [{"test": "wilcoxon"}, {"test": "mcnemar"}, {"correction": "tukey"}]
    )
    def test_tests_that_count_users_equally_are_refused(self, options):
        fix = "give (test='t'|correction='holm')"
        with raises(sqlrec.InputError, match=f"^weights='traffic' and .*: {fix}"):
            sqlrec.compare("mrr@2", **COMPARED, **options)


class TestErrors:
    @mark.parametrize(
        "weights, said",
        [
            ({"bob": None}, "users: user bob has no weight .*give each user"),
            ({"bob": -1.0}, "users: user bob has a weight that is NaN, below 0"),
            ({"bob": math.nan}, "users: user bob has a weight that is NaN, below 0"),
            ({"bob": math.inf}, "users: user bob has a weight .*above"),
            ({"ann": 0.0, "bob": 0.0, "cyd": 0.0}, "users: the weights of all users are 0"),
        ],
    )
    def test_a_weight_is_a_number_from_0(self, weights, said):
        users = weighing(**{"ann": 1.0, "bob": 2.0, "cyd": 5.0} | weights)
        with raises(sqlrec.DataError, match=said):
            evaluated("mrr@2", users=users)

    def test_each_user_has_a_weight(self):
        with raises(sqlrec.DataError, match=r"users: user cyd has no weight .*no row"):
            evaluated("mrr@2", users=weighing(ann=1.0, bob=2.0))
        # dan is not in the mean.
        assert evaluated("mrr@2", users=weighing(ann=1, bob=2, cyd=5, dan=None)) == [0.25]

    def test_a_user_has_one_weight(self):
        truth = pa.table({"user_id": ["ann", "ann"], "item_id": [*"ac"], "n": [3, 4]})
        with raises(sqlrec.DataError, match="truth: user ann has rows with different weights"):
            evaluated("mrr@2", weights="n", truth=truth, users=None)

    def test_the_column_is_one_of_numbers(self):
        with raises(sqlrec.InputError, match=r"^weights='no': no such column in truth or users"):
            evaluated("mrr@2", weights="no")
        with raises(sqlrec.InputError, match=r"^weights='user_id' is VARCHAR: .*cast it"):
            evaluated("mrr@2", weights="user_id")

    @mark.parametrize(
        "metric", ["gini@2", "catalog_coverage@2", "inter_list_diversity@2", "geometric_map@2"]
    )
    def test_a_metric_is_a_mean_over_users(self, metric):
        message = r"^weights='traffic': [\w()=]+ is not a mean over users"
        with raises(sqlrec.InputError, match=message):
            evaluated(metric, catalog=pa.table({"item_id": ["a"]}))

    @mark.parametrize("options", [{"interval": "wilson"}, {"adjust": "land"}])
    def test_options_that_do_not_go_together(self, options):
        with raises(sqlrec.InputError, match="weights='traffic'"):
            evaluated("mrr@2", **options)

    def test_weighted_means_do_not_merge(self):
        given = {"weights": "traffic", "users": USERS, "interval": "t"}
        past = sqlrec.evaluate("mrr@2", **INPUTS, **given).to_arrow()
        with raises(sqlrec.InputError, match=r"^merge: weights='traffic'"):
            sqlrec.evaluate("mrr@2", **INPUTS, interval="t").merge(past)


NAMES = {name: name for name in ("recs", "truth", "users")}


class TestWhatIsShown:
    def test_names_the_weights(self):
        result = sqlrec.evaluate("mrr@2", weights="traffic", users=USERS, **INPUTS)
        compared = sqlrec.compare("mrr@2", **COMPARED)
        for shown in (str(result), str(compared)):
            assert "means weighted by traffic" in " ".join(shown.lower().split())


class TestStatements:
    @mark.parametrize("options", [{}, {"interval": "normal"}, {"form": "audited"}])
    def test_steps_have_the_values_of_evaluate(self, options):
        with duckdb.connect() as connection:
            for name, one in (INPUTS | {"users": USERS}).items():
                connection.register(name, one)
            text = sqlrec.sql("mrr@2", weights="traffic", engine=connection, **NAMES, **options)
            results = connection.sql(text).to_arrow_table().to_pylist()
        assert [row["value"] for row in results] == [0.25]
        if options.get("interval"):
            right = math.sqrt((0.75**2 + 0.5**2 + 1.25**2) * 3 / 2) / 8
            assert results[0]["standard_error"] == approx(right)

    def test_name_the_column_that_they_read(self):
        text = sqlrec.sql("mrr@2", weights="traffic", dialect="snowflake", **NAMES)
        assert "users (user_id, traffic)" in text

    def test_of_sqlite_find_the_same(self):
        tables = in_sqlite(INPUTS | {"users": USERS})
        with closing(tables["engine"]):
            results = sqlrec.evaluate("mrr@2", weights="traffic", **tables)
            plain = sqlrec.evaluate("mrr@2", weights="traffic", users=USERS, **INPUTS)
            columns = ("value", "standard_error", "low", "users")
            assert [*rows(results, *columns)[0]] == approx([*rows(plain, *columns)[0]])


@examples(30)
@given(
    users=st.lists(
        st.tuples(st.integers(0, 3), st.sampled_from([0.0, 0.5, 1.0, 7.0])), min_size=2, max_size=8
    ).filter(lambda users: any(weight for _, weight in users))
)
def test_weighted_values_equal_plain_python(users):
    names = [f"u{n}" for n in range(len(users))]
    truth = wanted({name: "abcd"[rank] for name, (rank, _) in zip(names, users, strict=True)})
    weights = weighing(**dict(zip(names, (weight for _, weight in users), strict=True)))
    inputs = {"recs": lists(dict.fromkeys(names, "abc")), "truth": truth, "users": weights}
    results = sqlrec.evaluate("mrr@3", **inputs, weights="traffic", interval="t")
    own = [(1 / (rank + 1) if rank < 3 else 0.0, weight) for rank, weight in users]
    total = math.fsum(weight for _, weight in own)
    mean = math.fsum(value * weight for value, weight in own) / total
    squares = math.fsum((weight * (value - mean)) ** 2 for value, weight in own)
    error = math.sqrt(squares * len(own) / (len(own) - 1)) / total
    ((value, count, said),) = rows(results, "value", "users", "standard_error")
    assert (value, count) == (approx(mean), len(own))
    assert said == approx(error, rel=1e-6, abs=1e-7)
