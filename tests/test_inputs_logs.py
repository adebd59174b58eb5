"""Logged decisions: their checks, errors and warnings."""

import itertools
import math
import re
from contextlib import nullcontext

import duckdb
import pyarrow as pa
from pytest import approx, mark, raises, warns

import sqlrec

from .tables import decisions, evaluate, lists, rows, table, values, wanted

RECS = lists({"ann": "abc", "bob": "xa"})
WITH_RANK = "user_id item_id position reward propensity"
PROBABLE = "reward propensity target_probability"
MODELED = "reward propensity target_probability predicted_reward expected_reward"


class TestWhatIsNeeded:
    @mark.parametrize("missing", ["user_id", "item_id", "reward", "propensity"])
    def test_a_column_is_missing_beside_lists(self, missing):
        logs = decisions(WITH_RANK, ("ann", "a", 1, 1, 0.5)).drop_columns(missing)
        with raises(sqlrec.InputError, match=f"logs has no column '{missing}': it has "):
            evaluate("ips@2", recs=RECS, logs=logs)

    def test_only_columns_that_metrics_ask_for(self):
        logs = decisions("item_id reward user_id", ("a", 1, "ann"))
        assert values(evaluate("ctr@2", recs=RECS, logs=logs)) == [1]
        logs = decisions("expected_reward", (0.5,))
        assert values(evaluate("dm", logs=logs)) == [0.5]

    def test_logs_need_lists_or_probabilities(self):
        logs = decisions("user_id item_id reward propensity", ("ann", "a", 1, 0.5))
        message = (
            "The evaluated policy is missing: give recs, or a column 'target_probability' of logs "
            "(logs has user_id, item_id, reward, propensity); name the column: "
            "columns={'logs.target_probability': ...}"
        )
        with raises(sqlrec.InputError, match=re.escape(message)):
            evaluate("snips", logs=logs)
        result = evaluate(
            "snips",
            logs=logs.append_column("pi", pa.array([0.5])),
            columns={"logs.target_probability": "pi"},
        )
        assert values(result) == [1]

    def test_a_cutoff_needs_lists(self):
        logs = decisions(PROBABLE, (1, 0.5, 0.25))
        message = "ips@5: a cutoff applies to recommendation lists, but recs was not given"
        with raises(sqlrec.InputError, match=re.escape(message)):
            evaluate("ips@5", logs=logs)
        assert rows(evaluate("ips@all", logs=logs), "k", "value") == [(None, 0.5)]

    def test_the_expected_reward_of_one_policy_is_not_used_for_several(self):
        logs = decisions(
            "user_id item_id reward propensity predicted_reward expected_reward",
            ("ann", "a", 1, 0.5, 0.5, 0.5),
        )
        message = ": expected_reward describes one policy, but recs has several models; evaluate "
        inputs = {"truth": wanted({"ann": "a"}), "logs": logs}
        for metric in ("dm", "dr", "sndr", "switch_dr"):
            with raises(sqlrec.InputError, match=message):
                evaluate(f"{metric} mrr@1", recs={"a": RECS, "b": RECS}, **inputs)
        result = evaluate("dm dr sndr switch_dr mrr@1", recs=RECS, **inputs)
        assert rows(result, "users") == [(1,)] * 5

    def test_segments_ask_for_users(self):
        users = table([("ann", "nl")], user_id=pa.string(), country=pa.string())
        with raises(sqlrec.InputError, match="logs has no column 'user_id'"):
            evaluate("ips", logs=decisions(PROBABLE, (1, 0.5, 0.5)), users=users, by="country")

    def test_a_position_is_a_whole_number(self):
        logs = decisions(WITH_RANK, ("ann", "a", 1, 1, 0.5))
        logs = logs.set_column(2, "position", pa.array([1.0]))
        with raises(sqlrec.InputError, match=r"logs.position is DOUBLE: a position must be"):
            evaluate("ips", recs=RECS, logs=logs)


NAN, INFINITY = math.nan, math.inf


class TestBrokenRules:
    def test_a_propensity_is_a_probability_above_0(self):
        bad = [None, NAN, 0.0, -0.5, 1.0000001, 1e-101, INFINITY]
        message = (
            "logs has 7 decisions with a propensity that is null, NaN, 0, below 1e-100 or above 1: "
            "give the probability of the logged action; remove decisions without it"
        )
        listed = [("cid", "z", 1, 1, propensity) for propensity in bad]
        logs = decisions(WITH_RANK, ("ann", "a", 1, 1, 1), *listed)
        with raises(sqlrec.DataError, match=re.escape(message)):
            evaluate("ips@2 snips", recs=RECS, logs=logs)
        logs = decisions(PROBABLE, *((1, one, n % 2) for n, one in enumerate(bad)), (1, 1, 1))
        with raises(sqlrec.DataError, match=re.escape(message)):
            evaluate("ips", logs=logs)

    def test_a_target_probability_is_a_probability(self):
        bad = [(1, 0.5, target) for target in (None, NAN, -0.1, 1.5, -INFINITY)]
        logs = decisions(PROBABLE, (1, 0.5, 1), *bad)
        message = (
            "logs has 5 decisions with a target_probability that is null, NaN, below 0 or above 1"
        )
        with raises(sqlrec.DataError, match=message):
            evaluate("ips", logs=logs)

    @mark.parametrize("column", ["reward", "predicted_reward", "expected_reward"])
    def test_rewards_are_numbers(self, column):
        row = dict(zip(MODELED.split(), (1, 0.5, 0.5, 0.25, 0.25), strict=True))
        bad = [row | {column: number} for number in (None, NAN, INFINITY, -1.1e100)]
        logs = decisions(MODELED, *(tuple(one.values()) for one in (row, *bad)))
        message = rf"logs has 4 decisions with an? {column} that is null, NaN or beyond 1e\+100: "
        with raises(sqlrec.DataError, match=message):
            evaluate("dr", logs=logs)

    @mark.parametrize(
        "row, message",
        [
            ((None, "a", 1, 1, 1), "logs has 1 decision without user_id: remove these rows"),
            (("bob", None, 1, 1, 1), "logs has 1 decision without item_id, as for user bob"),
            (("bob", "a", None, 1, 1), "with a position that is null or below 1, as for user bob"),
            (("bob", "a", 0, 1, 1), "logs has 1 decision with a position that is null or below 1"),
        ],
    )
    def test_lists_are_of_users_and_items_at_ranks(self, row, message):
        logs = decisions(WITH_RANK, ("ann", "a", 1, 1, 1), row)
        with raises(sqlrec.DataError, match=message):
            evaluate("ips@1", recs=RECS, logs=logs)

    def test_segments_are_of_users(self):
        users = table([("ann", "nl")], user_id=pa.string(), country=pa.string())
        logs = decisions("user_id " + PROBABLE, ("ann", 1, 0.5, 0.5), (None, 1, 0.5, 0.5))
        with raises(sqlrec.DataError, match="logs has 1 decision without user_id"):
            evaluate("ips", logs=logs, users=users, by="country")

    def test_unread_columns_may_hold_anything(self):
        logs = decisions(
            "user_id item_id position " + MODELED, (None, None, 0, 1, 0.5, 0.5, None, NAN)
        )
        assert values(evaluate("ips", logs=logs)) == [1]

    def test_broken_lists_are_named(self):
        recs = table(
            [("ann", "a", 1), ("ann", "a", 2)],
            **{"user_id": pa.string(), "item_id": pa.string(), "rank": pa.int64()},
        )
        logs = decisions(WITH_RANK, ("ann", "a", 1, 1, 1))
        with raises(sqlrec.DataError, match=r"recs: user ann has item a more than once"):
            evaluate("ips", recs=recs, logs=logs)


class TestWarnings:
    @staticmethod
    def logs(few, many):
        return duckdb.sql(
            f"select 1 as reward, case when i < {few} then 0.01 else 1 end as propensity, "
            f"case when i < {few} then 1 else 1e-6 end as target_probability "
            f"from range({few + many}) as counted (i)"
        ).to_arrow_table()

    def test_a_small_effective_sample_is_a_warning(self):
        message = (
            "recs: the effective sample is 3.0 of 10003 logged decisions; the largest weight "
            "is 100: estimates are uncertain, and actions that are not in the logs are not "
            "evaluated"
        )
        with warns(UserWarning, match=re.escape(message)) as results:
            sqlrec.evaluate("ips snips", interval=None, logs=self.logs(3, 10_000))
        assert len(results) == 1
        assert results[0].filename == __file__

    @mark.filterwarnings("error")
    @mark.parametrize("few, many", [(101, 9_000), (100, 0), (120, 11_000)])
    def test_a_large_effective_sample_has_no_warning(self, few, many):
        evaluate("ips", logs=self.logs(few, many))

    @mark.parametrize("few, many", [(99, 9_000), (120, 13_000), (99, 0)])
    def test_the_limits_of_the_warning_are_100_and_a_hundredth(self, few, many):
        with warns(UserWarning, match="the effective sample is"):
            evaluate("ips", logs=self.logs(few, many))

    def test_the_smallest_sample_of_each_model_is_named(self):
        users = table([("ann", "nl"), ("bob", "be")], user_id=pa.string(), country=pa.string())
        logs = decisions(WITH_RANK, *[("ann", "b", 2, 1, 0.5), ("bob", "x", 1, 1, 0.25)] * 10)
        recs = {"als": RECS, "pop": lists({"ann": "b"})}
        with warns(UserWarning) as results:
            inputs = {"recs": recs, "truth": wanted({"ann": "b", "bob": "x"}), "logs": logs}
            evaluate("ips@1 ndcg@2 ips@2", **inputs, users=users, by="country")
        messages = [str(one.message).partition(" logged")[0] for one in results]
        assert messages == [
            "als@1 (country=nl): the effective sample is 0.0 of 10",
            "pop@1 (country=be): the effective sample is 0.0 of 10",
        ]

    @mark.filterwarnings("error")
    def test_metrics_without_weights_have_no_warning(self):
        logs = decisions(WITH_RANK, ("ann", "z", 1, 1, 0.5))
        result = evaluate("ctr matched_share", recs=RECS, logs=logs)
        assert rows(result, "value") == [(None,), (0,)]

    def test_the_statement_has_the_effective_sample(self):
        statement = sqlrec.sql(
            "ips mrr@2", logs="logs", recs="recs", truth="truth", dialect="duckdb", form="audited"
        )
        with duckdb.connect() as engine:
            engine.sql(
                "create table logs as select 'u' as user_id, 'a' as item_id, 1 as reward, "
                "0.5 as propensity union all select 'u', 'b', 0, 0.1"
            )
            engine.sql("create table recs as select 'u' as user_id, 'a' as item_id, 1 as score")
            engine.sql("create table truth as select 'u' as user_id, 'a' as item_id")
            results = engine.sql(
                f"select metric, value, effective_decisions, largest_weight from ({statement})"
            ).fetchall()
        assert results == [("ips", approx(1), approx(1), 2), ("reciprocal_rank", 1, None, None)]

    def test_weights_of_slates_are_those_of_the_estimate(self):
        # The eight slates of three weights of 0.1 or 1.9, ten times.
        weights = [*itertools.product([0.1, 1.9], repeat=3)] * 10
        logs = pa.table(
            {
                "slate_id": [slate for slate, _ in enumerate(weights) for _ in range(3)],
                "position": [1, 2, 3] * 80,
                "reward": [1] * 240,
                "propensity": [0.5] * 240,
                "target_probability": [weight / 2 for slate in weights for weight in slate],
            }
        )
        products = {
            "independent": lambda slate, rank: slate[rank],
            "cascade": lambda slate, rank: math.prod(slate[: rank + 1]),
            "standard": lambda slate, rank: math.prod(slate),
        }
        for (behavior, product), divide_by in itertools.product(
            products.items(), ["slates", "weights"]
        ):
            results = [product(slate, rank) for slate in weights for rank in range(3)]
            effective = sum(results) ** 2 / sum(weight**2 for weight in results)
            # The effective sample size is 133 by position, 65 with the positions above, and 40 by
            # slate.
            assert (effective < 100) == (behavior != "independent")
            message = (
                f"the effective sample is {effective:.1f} of 240 logged decisions; the largest "
                f"weight is {max(results):.6g}:"
            )
            warning = warns(UserWarning, match=re.escape(message))
            with warning if effective < 100 else nullcontext():
                requests = f"slate_ips(behavior={behavior}, divide_by={divide_by})"
                evaluate(["ips", requests], logs=logs)


class TestResult:
    def test_counts_decisions(self):
        logs = decisions(WITH_RANK, *[("ann", "b", 2, 1, 0.5), ("bob", "x", 1, 1, 0.25)] * 10)
        result = evaluate("ips@1", recs=RECS, logs=logs)
        (row,) = result.user_counts.to_arrow().to_pylist()
        of_call = {"model": "recs", "convention": "sqlrec", "population": "logs", "k": 1}
        of_lists = ("users_without_list", "short_lists", "ties_at_cutoff", "repeated_rows")
        counts = dict.fromkeys(of_lists, 0) | {"users_evaluated": 20, "unjudged_lists": None}
        assert row == of_call | counts

    def test_segments_of_truth_are_segments_of_decisions(self):
        truth = wanted({"ann": "a", "bob": "b"}).append_column("plan", pa.array(["free", "paid"]))
        logs = decisions(
            WITH_RANK, ("ann", "a", 1, 1, 0.5), ("bob", "x", 1, 1, 0.25), ("cid", "x", 1, 1, 1)
        )
        result = evaluate("ips", recs=RECS, truth=truth, logs=logs, by="plan")
        assert rows(result, "plan", "value", "users") == [
            ("free", 2, 1),
            ("paid", 4, 1),
            (None, 0, 1),
        ]

    def test_lists_may_be_given_as_lists_or_by_ranks_with_gaps(self):
        logs = decisions("user_id item_id reward propensity", ("ann", "b", 1, 0.5))
        listed = pa.table({"user_id": ["ann"], "item_id": [["a", "b"]]})
        gap = pa.table({"user_id": ["ann"] * 2, "item_id": ["a", "b"], "rank": [1, 3]})
        assert values(evaluate("ips@1 ips@2", recs=listed, logs=logs)) == [0, 2]
        assert values(evaluate("ips@2 ips@3", recs=gap, logs=logs)) == [0, 2]

    def test_numbers_of_any_type(self):
        with duckdb.connect() as engine:
            engine.sql(
                "create table logs as select true::int as reward, 0.25::decimal(4, 2) as "
                "propensity, 0.5::float as target_probability"
            )
            assert values(evaluate("ips snips", logs="logs", engine=engine)) == [2, 1]
