"""The table of each plot, compared with plain Python."""

from collections import Counter
from math import floor, log2
from statistics import fmean, stdev

from pytest import approx, fixture, mark, raises

import sqlrec

from ..tables import rows_of
from .data import by_user, inputs, lists, table


@fixture(scope="module")
def given():
    return inputs()


def rows(plot):
    return plot.data.to_arrow().to_pylist()


def ndcg(liked, actual):
    gain = sum(1 / log2(rank + 1) for rank, item in enumerate(actual, start=1) if item in liked)
    return gain / sum(1 / log2(rank + 1) for rank in range(1, min(len(liked), len(actual)) + 1))


def some(given, *names):
    return {name: given[name] for name in ("recs", *names)}


class TestCurve:
    def test_has_the_values_and_intervals_of_the_result(self, given):
        result = sqlrec.evaluate("ndcg@5,10 recall@10", **some(given, "truth"), interval="t")
        names = ("model", "request", "value", "low", "high")
        expected = sorted([row[name] for name in names] for row in rows_of(result))
        actual = rows(result.plot.curve())
        assert sorted([row[name] for name in names] for row in actual) == expected

    def test_has_no_band_without_interval(self, given):
        given = some(given, "truth") | {"interval": None}
        plot = sqlrec.evaluate("ndcg@5,10", **given).plot.curve()
        assert {row["low"] for row in rows(plot)} == {None}

    def test_needs_a_cutoff(self, given):
        result = sqlrec.evaluate("ndcg@all", **some(given, "truth"))
        with raises(sqlrec.InputError, match="no metric has a cutoff"):
            result.plot.curve()

    def test_has_a_panel_for_each_segment(self, given):
        result = sqlrec.evaluate("ndcg@5,10", **some(given, "truth", "users"), by="country")
        assert {row["panel"] for row in result.plot.curve().rows} == {
            f"NDCG \u2191, {country}" for country in "abc"
        }

    def test_is_made_of_a_file_too(self, given, tmp_path):
        result = sqlrec.evaluate("ndcg@5,10", **some(given, "truth"), interval="t")
        result.to_parquet(tmp_path / "found.parquet")
        assert rows(sqlrec.plot("curve", results=tmp_path / "found.parquet")) == rows(
            result.plot.curve()
        )


class TestTradeoff:
    @mark.parametrize(
        ("values", "requests", "front"),
        [
            ([(1, 1), (2, 2), (3, 0)], ("ndcg@5", "recall@5"), "bc"),
            ([(1, 1), (2, 2), (3, 0)], ("ndcg@5", "gini@5"), "c"),
            ([(1, 1), (1, 1), (0, 2)], ("ndcg@5", "recall@5"), "abc"),
        ],
    )
    def test_undominated_models_are_on_the_line(self, values, requests, front):
        actual = [
            (model, one.partition("@")[0], 5, one, value)
            for model, pair in zip("abc", values, strict=True)
            for one, value in zip(requests, map(float, pair), strict=True)
        ]
        plot = sqlrec.plot("tradeoff", results=table(actual, "model metric k request value"))
        assert "".join(row["model"] for row in plot.rows if row["pareto"]) == front

    def test_there_is_no_line_where_a_metric_is_neither_better_higher_nor_lower(self, given):
        result = sqlrec.evaluate("popularity_count@5 hit_rate@5", **some(given, "truth", "history"))
        assert {row["pareto"] for row in rows(result.plot.tradeoff())} == {None}

    def test_an_unrequested_metric_is_named(self, given):
        result = sqlrec.evaluate("ndcg@5 recall@5", **some(given, "truth"))
        with raises(sqlrec.InputError, match="did you mean 'recall@5'"):
            result.plot.tradeoff(x="recal@5")


class TestForest:
    def test_segments_that_lose_most_come_first(self, given):
        options = some(given, "truth", "users")
        compared = sqlrec.compare("ndcg@10", **options, by="country", baseline="pop")
        expected = sorted(rows_of(compared), key=lambda row: row["difference"])
        assert [(row["country"], row["low"]) for row in rows(compared.plot.forest())] == [
            (row["country"], row["low"]) for row in expected
        ]

    def test_few_users_are_marked(self, given):
        options = some(given, "truth", "users")
        plot = sqlrec.plot("forest", "ndcg@10", **options, by="country", baseline="pop")
        assert all(row["segment"].endswith(f" {row['users']} users") for row in plot.rows)
        assert plot.chart.title == "Difference from pop by country"
        assert plot.chart.models == ("als", "pop")

    def test_segments_have_the_same_order_in_all_panels(self, given):
        options = some(given, "truth", "users")
        plot = sqlrec.plot("forest", "ndcg@10 recall@5", **options, by="country", baseline="pop")
        by_panel = {}
        for row in plot.rows:
            by_panel.setdefault(row["panel"], []).append(row["segment"])
        first, second = by_panel.values()
        assert first == second and len({*first}) > 1


class TestDifferences:
    def test_are_those_of_a_new_data_set_after_other_calls(self, given):
        data = sqlrec.Dataset(**some(given, "truth"))
        data.evaluate("ndcg@1,5")
        data.compare("ndcg@5")
        plot = data.compare("ndcg@5", baseline="pop").plot.differences()
        alone = sqlrec.compare("ndcg@5", **some(given, "truth"), baseline="pop")
        assert rows(plot) == rows(alone.plot.differences())

    @mark.parametrize("users", [60, 431])
    def test_are_quantiles_of_users_in_order(self, users):
        given = inputs(users)
        plot = sqlrec.plot("differences", "ndcg@10", **some(given, "truth"), baseline="pop")
        liked, shown = by_user(given, "truth"), lists(given, 10)
        values = sorted(
            ndcg(liked[user], shown["als"][user]) - ndcg(liked[user], shown["pop"][user])
            for user in liked
        )
        parts = {}
        for index, value in enumerate(values):
            parts.setdefault(floor(index * 200 / users), []).append(value)
        actual = rows(plot)
        assert [row["difference"] for row in actual] == approx([fmean(p) for p in parts.values()])
        assert [row["part_users"] for row in actual] == [len(part) for part in parts.values()]
        assert actual[-1]["share"] == 1 and len(actual) <= 200
        assert actual[0]["wins"] == sum(value > 1e-12 for value in values)
        assert actual[0]["losses"] == sum(value < -1e-12 for value in values)
        assert sum(actual[0][name] for name in ("wins", "ties", "losses")) == users

    def test_wins_are_read_with_direction(self):
        pairs = [(model, user) for model in ("als", "pop") for user in range(3)]
        scores = {"als": 0.9, "pop": 0.5}
        recs = [(model, user, 1, scores[model]) for model, user in pairs]
        truth = [(user, 1, 1.0) for user in range(3)]
        given = {"truth": table(truth, "user_id item_id relevance"), "baseline": "pop"}
        given["recs"] = table(recs, "model user_id item_id score")
        plot = sqlrec.plot("differences", "mse@all", **given)
        actual = {(row["better"], row["wins"], row["losses"]) for row in rows(plot)}
        assert actual == {("lower", 3, 0)}
        assert "als: 100% of users gain, 0% lose" in plot.chart.about


class TestLongtail:
    def test_is_the_share_of_ranks_by_tenth_of_the_items(self, given):
        actual = {
            (row["model"], row["decile"]): row
            for row in rows(sqlrec.plot("longtail", k=5, **some(given, "history")))
        }
        had = Counter(item for items in by_user(given, "history").values() for item in items)
        order = sorted(had, key=lambda item: (-had[item], item))
        decile = {item: floor(rank * 10 / len(order)) + 1 for rank, item in enumerate(order)}
        for model, shown in lists(given, 5).items():
            ranks = Counter(decile.get(item) for items in shown.values() for item in items)
            for group in {*decile.values(), *ranks}:
                assert actual[model, group]["ranks"] == ranks[group]
                assert actual[model, group]["share"] == approx(ranks[group] / ranks.total())
        for group in set(decile.values()):
            users = sum(had[item] for item in had if decile[item] == group)
            assert actual[None, group]["share"] == approx(users / had.total())


class TestLorenz:
    @mark.parametrize("catalog", [False, True])
    def test_is_the_share_of_ranks_of_items_from_the_least_shown_on(self, given, catalog):
        more = {"catalog": given["items"]} if catalog else {}
        actual = rows(sqlrec.plot("lorenz", k=5, recs=given["recs"], **more))
        gini = sqlrec.evaluate(
            f"gini(items={'catalog' if catalog else 'recommended'})@5", recs=given["recs"], **more
        )
        expected = {row["model"]: row["value"] for row in rows_of(gini)}
        for model, shown in lists(given, 5).items():
            ranks = Counter(item for items in shown.values() for item in items)
            items = given["items"]["item_id"].to_pylist() if catalog else [*ranks]
            counts = sorted(ranks[item] for item in items)
            mine = [row for row in actual if row["model"] == model]
            assert (mine[0]["item_share"], mine[0]["rank_share"]) == (0, 0)
            assert mine[-1]["rank_share"] == approx(1)
            for row in mine:
                number = round(row["item_share"] * len(counts))
                assert row["rank_share"] == approx(sum(counts[:number]) / sum(counts))
                assert row["gini"] == approx(expected[model])

    def test_has_200_groups_where_there_are_more_items(self):
        given = inputs(users=90, items=800)
        actual = rows(sqlrec.plot("lorenz", k=10, recs=given["recs"], catalog=given["items"]))
        assert Counter(row["model"] for row in actual) == {"als": 201, "pop": 201}


class TestRanks:
    def test_each_rank_has_its_hits(self, given):
        liked = by_user(given, "truth")
        hits = Counter(
            (model, rank)
            for model, shown in lists(given, 10).items()
            for user, items in shown.items()
            for rank, item in enumerate(items, start=1)
            if item in liked[user]
        )
        for row in rows(sqlrec.plot("ranks", **some(given, "truth"))):
            assert row["hits"] == hits[row["model"], row["rank"]]
            all_hits = sum(n for (model, _), n in hits.items() if model == row["model"])
            assert row["share"] == approx(row["hits"] / all_hits)


class TestActivity:
    def test_groups_users_by_how_many_items_they_had(self, given):
        had = {user: len(items) for user, items in by_user(given, "history").items()}
        liked, shown = by_user(given, "truth"), lists(given, 10)
        sizes = sorted(had.values())
        parts = {user: floor(sizes.index(had[user]) * 10 / len(sizes)) for user in had}
        numbers = {part: n for n, part in enumerate(sorted(set(parts.values())), start=1)}
        for row in rows(sqlrec.plot("activity", "ndcg@10", **some(given, "truth", "history"))):
            users = [user for user in had if numbers[parts[user]] == row["decile"]]
            values = [ndcg(liked[user], shown[row["model"]][user]) for user in users]
            assert row["users"] == len(users)
            assert row["value"] == approx(fmean(values))
            assert row["standard_error"] == approx(stdev(values) / len(values) ** 0.5)
            assert row["least_items"] == min(had[user] for user in users)
            assert row["most_items"] == max(had[user] for user in users)

    def test_needs_users_of_different_activity(self, given):
        inputs = some(given, "truth") | {"history": by_user(given, "truth")}
        inputs["history"] = {user: ["x"] for user in inputs["history"]}
        with raises(sqlrec.InputError, match="all users have 1 item in the history"):
            sqlrec.plot("activity", "ndcg@10", **inputs)


class TestWaterfall:
    def test_each_line_leads_from_the_value_before_to_the_value_after(self, given):
        options = {**some(given, "truth"), "value": "0.5"}
        explained = sqlrec.explain("map@3", **options)
        plot = sqlrec.plot("waterfall", "map@3", **options)
        assert plot.rows == explained.plot().rows
        assert rows_of(explained) == plot.data.to_arrow().to_pylist()
        before = None
        for row in plot.rows:
            values = [row["value"], row["value"] if row["step"] == 0 else before]
            if row["step"]:
                assert [row["low"], row["high"]] == approx(sorted(values))
            before = row["value"]
        assert {row["name"] for row in plot.rows if row["step"] == 0} == {"sqlrec"}


HISTORY, TRUTH = ("recs", "history"), ("recs", "truth")
# A plot, its metrics, the inputs and options, and the message.
REFUSED = [
    ("longtail", (), ("recs",), {}, "history is missing"),
    ("longtail", "ndcg@10", HISTORY, {}, "takes no metric"),
    ("activity", "ndcg@10", TRUTH, {}, "history is missing"),
    *(
        (name, (), (*TRUTH, "history"), {"by": "country"}, f"the plot {name} does not read by")
        for name in ("longtail", "lorenz", "ranks")
    ),
    ("waterfall", "map@3", TRUTH, {"value": None}, "waterfall needs a value, and no other plot"),
    ("curve", "map@3", TRUTH, {"value": 0.5}, "waterfall needs a value, and no other plot"),
    ("curvy", (), (), {}, "plot 'curvy': did you mean 'curve'"),
    ("forest", "ndcg@10", TRUTH, {}, "baseline is missing"),
    ("differences", "ndcg@10", TRUTH, {}, "baseline is missing"),
    ("differences", "ndcg@10", TRUTH, {"baseline": "other"}, "baseline='other' is not a model"),
]


class TestBadInput:
    @mark.parametrize(("name", "metrics", "inputs", "options", "message"), REFUSED)
    def test_wrong_options_are_refused(self, given, name, metrics, inputs, options, message):
        with raises(sqlrec.InputError, match=message):
            sqlrec.plot(name, metrics, **{one: given[one] for one in inputs}, **options)

    def test_results_are_those_of_evaluate(self, given):
        result = sqlrec.evaluate("ndcg@5,10", **some(given, "truth"))
        with raises(sqlrec.InputError, match="lorenz needs the inputs"):
            sqlrec.plot("lorenz", results=result)
        with raises(sqlrec.InputError, match="no column 'metric'"):
            sqlrec.plot("curve", results=given["recs"])

    def test_rows_that_break_a_rule_are_named(self, given):
        first, *others = (tuple(row.values()) for row in given["recs"].to_pylist())
        recs = table([first, *others, (*first[:3], 11)], "model user_id item_id rank")
        with raises(sqlrec.DataError, match="more than once"):
            sqlrec.plot("lorenz", k=11, recs=recs)
        with raises(sqlrec.DataError, match="more than once"):
            sqlrec.plot("differences", "ndcg@11", recs=recs, truth=given["truth"], baseline="pop")

    def test_a_file_without_results_is_refused(self, tmp_path):
        (tmp_path / "x.parquet").write_text("none")
        with raises(sqlrec.InputError, match="give a Parquet file"):
            sqlrec.plot("curve", results=tmp_path / "x.parquet")


class TestCalibration:
    def test_is_the_share_of_ranks_by_category(self, given):
        actual = rows(sqlrec.plot("calibration", k=5, **some(given, "history", "items")))
        kind = dict(
            zip(*given["items"].select(["item_id", "category"]).to_pydict().values(), strict=True)
        )
        shown = {model: [*users.values()] for model, users in lists(given, 5).items()}
        shown[None] = [*by_user(given, "history").values()]
        for model, groups in shown.items():
            counts = Counter(kind[item] for items in groups for item in items)
            mine = {row["category"]: row["share"] for row in actual if row["model"] == model}
            assert mine == approx({name: counts[name] / counts.total() for name in "abcde"})
        had = Counter(kind[item] for items in shown[None] for item in items)
        numbers = {row["category"]: row["number"] for row in actual}
        assert sorted(numbers, key=numbers.get) == sorted(had, key=lambda name: (-had[name], name))

    def test_categories_after_the_twentieth_are_one(self, given):
        names = [(item, f"c{item:02}") for item in range(40)]
        items = table(names, "item_id category")
        actual = rows(
            sqlrec.plot("calibration", recs=given["recs"], history=given["history"], items=items)
        )
        assert {row["number"] for row in actual if row["category"] is None} == {21}
        assert len(actual) == 3 * 21
        for model in ("als", "pop", None):
            assert sum(row["share"] for row in actual if row["model"] == model) == approx(1)


class TestWeights:
    def test_are_quantiles_with_the_effective_sample(self, given):
        plot = sqlrec.plot("weights", logs=given["logs"])
        logs = given["logs"].to_pylist()
        values = sorted(row["target_probability"] / row["propensity"] for row in logs)
        parts = {}
        for index, value in enumerate(values):
            parts.setdefault(floor(index * 40 / len(values)), []).append(value)
        actual = rows(plot)
        assert [row["weight"] for row in actual] == approx([fmean(part) for part in parts.values()])
        assert [row["high"] for row in actual] == approx([max(part) for part in parts.values()])
        total = sum(values)
        effective = total**2 / sum(value**2 for value in values)
        assert actual[0]["effective"] == approx(effective)
        assert actual[0]["top_share"] == approx(sum(values[-2:]) / total)
        assert actual[-1]["weight_share"] == approx(1)
        assert f"worth {round(effective)} of equal weight" in plot.chart.about
        assert all(row["weight"] and row["low"] for row in plot.rows)

    def test_of_lists_have_a_line_for_each_model(self):
        logs = [(user, user % 3, 1, 0.25) for user in range(30)]
        recs = [(model, user, user % 2, 1) for model in ("als", "pop") for user in range(30)]
        inputs = {"logs": table(logs, "user_id item_id reward propensity")}
        inputs["recs"] = table(recs, "model user_id item_id rank")
        plot = sqlrec.plot("weights", **inputs, k=1)
        assert {row["name"] for row in plot.rows} == {"als", "pop"}
