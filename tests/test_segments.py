"""Several groupings of users at once, and the segments in which models are worse."""

import re
from random import Random

import duckdb
import pyarrow as pa
import pyarrow.parquet
from pytest import approx, fixture, mark, raises, warns

import sqlrec
from sqlrec.cli import main
from sqlrec.layouts.losses import effects_layout, find_losses, format_losses
from sqlrec.layouts.result import format_unusual_counts
from sqlrec.records import segment_order

from .dialects import slow
from .tables import lists, of_users, scored, wanted

USERS = [f"u{number}" for number in range(120)]


@fixture(scope="module")
def given():
    """Return two models, the worse of which is worse in only one segment."""
    random = Random(3)
    segments = {
        "user_id": USERS,
        "country": [["de", "fr", None][n % 3] for n in range(120)],
        "device": [["phone", "desk"][n // 3 % 2] for n in range(120)],
    }
    truth = {user: "a" for user in USERS}
    good = {user: random.choice(["abc", "bac", "bca"]) for user in USERS}
    bad = {u: "bcd" if n % 3 == 1 else good[u] for n, u in enumerate(USERS)}
    recs = {"good": lists(good), "bad": lists(bad)}
    return {"recs": recs, "truth": wanted(truth), "users": pa.table(segments)}


@mark.parametrize(
    ("metrics", "options"),
    [
        ("mrr@3 ndcg(convention=lenskit)@3", {"interval": "t", "summaries": "median"}),
        *slow(("mrr@3 hit_rate@1", {}), ("mrr@3 inter_list_diversity@3", {})),
    ],
)
def test_each_has_all_users_single_columns_and_all_columns(given, metrics, options):
    by = ["country", "device"]
    result = sqlrec.evaluate(metrics, **given, by=by, each=True, **options)
    results, counted = result.to_arrow(), result.user_counts.to_arrow().to_pylist()
    rows = results.to_pylist()
    assert results.column_names[:4] == ["model", "grouping", "country", "device"]
    for grouping, columns in (
        ("all", []),
        ("country", ["country"]),
        ("device", ["device"]),
        ("country, device", by),
    ):
        other = sqlrec.evaluate(metrics, **given, by=columns, **options)
        alone = other.to_arrow().to_pylist()
        mine = [row for row in rows if row["grouping"] == grouping]
        missing = {name: None for name in by if name not in columns}
        assert len(alone) == len(mine)
        for row, one in zip(alone, mine, strict=True):
            assert one == approx(row | {"grouping": grouping} | missing, rel=1e-12)
        mine = [row for row in counted if row["grouping"] == grouping]
        theirs = other.user_counts.to_arrow().to_pylist()
        assert mine == [row | {"grouping": grouping} | missing for row in theirs]
    assert len(rows) == 2 * 2 * (1 + 3 + 2 + 6)


def test_segments_are_of_the_type_that_the_engine_gives_them():
    kinds = ["varchar", "boolean", "double", "bigint", "timestamp", "float", "integer", "smallint"]
    kinds += ["tinyint", "ubigint", "decimal(4, 1)", "date"]
    value = {"date": "date '2024-02-29'", "timestamp": "timestamp '2024-02-29 12:00'"}
    names = ["rank", *(f"of_{number}" for number in range(1, len(kinds)))]
    users = ", ".join(
        f"cast({value.get(kind, 1)} as {kind}) as {name}"
        for name, kind in zip(names, kinds, strict=True)
    )
    with duckdb.connect() as engine:
        engine.execute(
            f"create table users as select 'u' as user_id, {users} "
            f"union all select 'v', {', '.join(['null'] * len(kinds))}"
        )
        own = engine.table("users").to_arrow_table()
        both = {"u": "ab", "v": "ba"}
        given = {"recs": lists(both), "truth": wanted(both), "users": "users", "engine": engine}
        for by, options in ((names, {}), (names[:2], {"each": True})):
            results = sqlrec.evaluate("hit_rate@1", **given, by=by, **options).to_arrow()
            for name in by:
                assert results.schema.field(name).type == own.schema.field(name).type
                assert {*results[name].to_pylist()} == {*own[name].to_pylist()}


def test_lists_without_an_evaluated_user_are_counted_by_grouping(given):
    strangers = lists({f"v{number}": "abc" for number in range(5)})
    odd = {**given, "recs": {**given["recs"], "odd": strangers}}
    odd |= {"by": "country", "population": "truth_and_recs"}
    with warns(UserWarning, match="odd: reciprocal_rank@3 has no users to average over"):
        result = sqlrec.evaluate("mrr@3", **odd, each=True)
    rows = result.user_counts.to_arrow().to_pylist()
    assert [(row["grouping"], row["unjudged_lists"]) for row in rows if row["model"] == "odd"] == [
        ("all", 5),
        ("country", 5),
    ]


@mark.parametrize("each", [False, True])
def test_a_segment_without_an_evaluated_user_is_named(given, each):
    guests = pa.table({"user_id": ["g0", "g1"], "country": ["it", "it"], "device": ["tv", "tv"]})
    given = {**given, "users": pa.concat_tables([given["users"], guests]), "by": "country"}
    for name, options in (("evaluate", {}), ("compare", {"baseline": "good"})):
        with warns(UserWarning, match=r"country=it \(2 users\): no user has a value, so"):
            getattr(sqlrec, name)("mrr@3", **given, each=each, **options)


def test_a_user_of_two_segments_is_refused_by_each_grouping_too(given):
    moved = pa.table({"user_id": ["u0"], "country": ["fr"], "device": ["phone"]})
    moved = pa.concat_tables([given["users"], moved])
    with raises(sqlrec.DataError, match="users: user u0 has more than one value of country"):
        sqlrec.evaluate("mrr@3", **given | {"users": moved}, by="country", each=True)


def test_the_order_of_models_in_segments_is_named(given):
    note = "models are in the order of mrr@3 over all segments"
    french = {u: "a" if n % 3 == 1 else "bcd" for n, u in enumerate(USERS)}
    several = {**given, "recs": {**given["recs"], "french": lists(french)}}
    countries = sqlrec.evaluate("mrr@3 map@3", **several, by="country").layout()
    assert note in countries.notes
    best = [[row[0].text for row in x.rows if row[0].best] for x in countries.groups]
    assert ["french"] in best and best[0] != ["french"]
    for by in ((), "device"):
        assert note not in sqlrec.evaluate("mrr@3 map@3", **given, by=by).layout().notes


def test_worse_sorts_by_significance(given):
    results = sqlrec.compare("mrr@3", **given, baseline="good", by="country", each=True)
    rows = results.worse().to_arrow().to_pylist()
    assert [(row["grouping"], row["country"]) for row in rows] == [("country", "fr"), ("all", None)]
    assert all(row["significant"] and row["difference"] < 0 for row in rows)
    assert rows[0]["p_adjusted"] <= rows[1]["p_adjusted"]
    assert not any(row["small"] for row in rows)
    assert not sqlrec.compare("mrr@3", **given, baseline="bad").worse().to_arrow().num_rows
    with raises(sqlrec.InputError, match=r"worse\(\) needs a baseline: compare with baseline="):
        sqlrec.compare("mrr@3", **given).worse()


def difference(model, requests, value, p, users=50, **segment):
    """Return a row of a comparison with a baseline of 0.5."""
    row = {"model": model, "request": requests, "metric": requests, "k": 5, "better": "higher"}
    row |= {"users": users, "value": value, "baseline_value": 0.5, "difference": value - 0.5}
    return row | {"p": p, "p_adjusted": p} | segment


class TestWhoGotWorse:
    ROWS = (
        *(difference("als", "ndcg@5", 0.6, 0.001, country=country) for country in "abc"),
        difference("knn", "ndcg@5", 0.4, 0.01, country="a"),
        difference("knn", "ndcg@5", 0.3, 0.001, country="b"),
        difference("knn", "ndcg@5", 0.6, 0.4, country="c"),
        *(difference("pop", "ndcg@5", 0.2, 0.001, country=country) for country in "abc"),
        difference("knn", "map@5", 0.4, 0.001, country="a"),
    )

    def test_losses_have_a_line_for_each_answer(self):
        losses = find_losses(self.ROWS, ["country"], 0.95)
        assert [(loss.model, loss.where) for loss in losses] == [
            ("als", "in no segment"),
            ("knn", "country=b"),
            ("knn", "country=a"),
            ("pop", "every segment"),
        ]
        assert [row["request"] for row in losses[2].rows] == ["ndcg@5", "map@5"]
        (everywhere,) = losses[3].rows
        assert (everywhere["users"], everywhere["value"]) == (150, approx(0.2))

    def test_everywhere_requires_each_large_segment(self):
        def ranks(*changes):
            rows = [*self.ROWS[6:9]]
            for number, change in changes:
                rows[number] = rows[number] | change
            return [loss.where for loss in find_losses(rows, ["country"], 0.95)]

        assert ranks((1, {"p_adjusted": 0.2, "users": 20})) == ["2 of 3 segments"]
        assert ranks((1, {"p_adjusted": 0.2})) == ["country=a", "country=c"]
        assert ranks((1, {"difference": 0.0})) == ["country=a", "country=c"]

    def test_a_value_with_a_loss_in_all_its_segments_has_one_line(self):
        def losses(*changes):
            rows = [
                difference("pop", "ndcg@5", 0.2 + 0.1 * (a == "x"), 0.001, country=a, plan=b)
                for a in "xyz"
                for b in "pqr"
            ]
            rows += [difference("pop", "map@5", 0.1, 0.001, country="x", plan="p")]
            for number, change in ((6, 0.6), *changes):
                rows[number] |= {"value": change, "difference": change - 0.5}
            found = find_losses(rows, ["country", "plan"], 0.95)
            return [(loss.where, loss.rows[0]["users"], len(loss.rows)) for loss in found]

        assert losses() == [
            ("country=y, every plan", 150, 1),
            ("country=z, plan=q", 50, 1),
            ("country=z, plan=r", 50, 1),
            ("country=x, every plan", 150, 2),
        ]
        assert losses((0, 0.7), (3, 0.7)) == [
            ("plan=q, every country", 150, 1),
            ("plan=r, every country", 150, 1),
            ("country=x, plan=p", 50, 1),
        ]

    def test_the_row_of_all_users_decides(self):
        def losses(*significant):
            rows = [row | {"grouping": "country", "p_adjusted": 0.3} for row in self.ROWS[6:9]]
            for number in significant:
                rows[number]["p_adjusted"] = 0.001
            rows.append(difference("pop", "ndcg@5", 0.2, 0.001, 150, country=None, grouping="all"))
            found = find_losses(rows, ["grouping", "country"], 0.95)
            return [(loss.where, loss.rows[0]["users"]) for loss in found]

        assert losses(0, 1, 2) == [("all users and every segment", 150)]
        assert losses(0, 1) == [("all users and 2 of 3 segments", 150)]
        # A lower mean is no loss: only significant segments are listed.
        assert losses(0) == [("all users", 150), ("country=a", 50)]
        assert losses() == [("all users", 150)]

    def test_the_users_of_a_loss_are_those_of_its_segments(self):
        rows = [*self.ROWS[6:9]]
        rows[1] = rows[1] | {"p_adjusted": 0.2, "users": 20}
        (loss,) = find_losses(rows, ["country"], 0.95)
        assert (loss.where, loss.rows[0]["users"]) == ("2 of 3 segments", 100)

    def test_places_without_a_loss_are_those_that_were_tested(self):
        overall = difference("als", "ndcg@5", 0.6, 0.001, 150)
        segment = self.ROWS[0]
        by_both = [
            overall | {"grouping": "all", "country": None},
            segment | {"grouping": "country"},
        ]
        for rows, segments, where in (
            ([overall], [], "not over all users"),
            ([segment], ["country"], "in no segment"),
            (by_both, ["grouping", "country"], "nowhere"),
        ):
            assert [loss.where for loss in find_losses(rows, segments, 0.95)] == [where]

    def test_a_screen_shows_gains_and_losses(self):
        names = ["model", "country", "metric"]
        layout = effects_layout(names, self.ROWS, baseline="base", level=0.95, signs=(1, -1))
        assert layout.title == "Significantly different from base in 9 of 10 tests"
        assert [[cell.text + cell.mark for cell in row] for row in layout.rows()] == [
            ["als", "every segment", "150", "0.500", "0.600", "+0.100▲", "ndcg@5"],
            ["knn", "b", "50", "0.500", "0.300", "-0.200▼", "ndcg@5"],
            ["knn", "a", "50", "0.500", "0.400", "-0.100▼", "ndcg@5, map@5"],
            ["pop", "every segment", "150", "0.500", "0.200", "-0.300▼", "ndcg@5"],
        ]
        assert layout.notes[0].startswith("1 more difference is not significant; all intervals")

    def test_each_model_has_a_sentence(self):
        assert format_losses(self.ROWS, ["country"], 0.95) == [
            "knn is significantly worse for country=b (50 users), country=a (50 users).",
            "pop is significantly worse for every segment.",
            "als is not significantly worse in any segment.",
        ]

    def test_a_loss_may_be_significant_in_no_segment(self):
        models = {}
        for name, share in {"main": 0.75, "new": 0.62}.items():
            chance = Random(share)
            models[name] = ["ab" if chance.random() < share else "ba" for _ in range(240)]
        inputs = of_users(240, models, country=[f"c{number % 8}" for number in range(240)])
        text = " segment has fewer users than the whole, so its test may miss a loss."
        worse = sqlrec.compare("mrr@2", **inputs, baseline="main", by="country").worse()
        checks = sqlrec.check(["mrr@2 > 0", "no segment of country worse than main"], **inputs)
        report = sqlrec.report(
            "mrr@2", **inputs, baseline="main", by="country", who_lost=False
        ).markdown
        assert "new loses to main" in report and checks.passed
        for output in (repr(worse), repr(checks), report):
            assert text in " ".join(output.split())
        better = sqlrec.compare("mrr@2", **inputs, baseline="new", by="country").worse()
        assert "fewer users" not in repr(better)

    def test_losses_are_printed_in_few_lines(self, given):
        results = sqlrec.compare("mrr@3", **given, baseline="good", by="country").worse()
        lines = repr(results).splitlines()
        assert lines[0].startswith("Significantly worse than good in 1 of ")
        assert [line.split()[:2] for line in lines[4:6]] == [["bad", "fr"], []]
        assert lines[2].split()[:2] == ["model", "country"]


def test_losses_count_the_tests_of_segments_within_their_lines():
    country, half, chance = [*"abc" * 120], [*"xxxyyy" * 60], Random(1)
    shares = [0.1 if name == "a" else 1.0 for name in country]
    new = ["ab" if chance.random() < share else "ba" for share in shares]
    inputs = of_users(360, {"old": "ab", "new": new}, country=country, half=half)
    by = {"by": ["country", "half"], "baseline": "old"}
    worse = sqlrec.compare("mrr@2", **inputs, **by, each=True).worse()
    actual = [row for row in worse.to_arrow().to_pylist() if row["significant"]]
    assert [row["country"] for row in actual if ", " in row["grouping"]] == ["a", "a"]
    note = "2 of these tests are for segments within a segment above"
    layout = worse.layout()
    assert len(actual) == len(layout.groups[0].rows) + 2 and note in layout.notes
    assert note in sqlrec.report("mrr@2", **inputs, **by, who_lost=False).markdown


def test_small_segments_are_marked(given):
    results = sqlrec.compare("mrr@3", **given, baseline="good", by=["country", "device"]).worse()
    assert [row["small"] for row in results.to_arrow().to_pylist()] == [True, True]


def test_the_command_line_has_groupings(given, tmp_path, capsys):
    paths = []
    for name, table in {**given["recs"], "truth": given["truth"], "users": given["users"]}.items():
        pa.parquet.write_table(table, tmp_path / f"{name} x.parquet")
        option = f"{name}=" if name in given["recs"] else ""
        paths += [f"--{'recs' if option else name}", f"{option}{tmp_path / name} x.parquet"]
    assert main(["compare", "mrr@3", *paths, "--worse"]) == 1
    assert "error: --worse needs a baseline: " in capsys.readouterr().err
    command = ["compare", "mrr@3", *paths, "--baseline", "good", "--by", "country"]
    assert main([*command, "--groupings", "each", "--worse", "--format", "csv"]) == 0
    shown = capsys.readouterr().out.splitlines()
    assert shown[0].startswith("model,grouping,country,metric,k,request") and len(shown) == 3
    options = ["--test", "wilcoxon", "--correction", "bh", "--interval", "normal"]
    assert main([*command, *options]) == 0
    assert "Wilcoxon's signed-rank test" in capsys.readouterr().out
    options = ["--interval", "wilson", "--summary", "median"]
    assert main(["evaluate", "hit_rate@1", *paths[:-2], *options]) == 0
    assert "95% intervals by Wilson's method" in capsys.readouterr().out
    assert main([*command, "--cluster", "device", "--test", "sign"]) == 1
    assert "give --test t" in capsys.readouterr().err


def test_empty_segments_are_a_warning(given):
    spelled = pa.array(f"{user}.0" for user in USERS)
    users = given["users"].set_column(0, "user_id", spelled)
    with warns(UserWarning, match="country is null for every user: check that user_id has the"):
        sqlrec.evaluate("mrr@3", **given | {"users": users}, by="country")


@mark.parametrize(
    "options, message",
    [
        ({"each": True}, "each=True needs columns"),
        ({"each": "cube", "by": "country"}, "each='cube'"),
        ({"each": True, "by": "grouping"}, "already has a column"),
        ({"interval": "t", "by": "low"}, "already has a column"),
    ],
)
def test_invalid_groupings_are_refused(given, options, message):
    users = given["users"].append_column("low", given["users"]["country"])
    users = users.append_column("grouping", users["country"])
    with raises(sqlrec.InputError, match=message):
        sqlrec.evaluate("mrr@3", **given | {"users": users}, **options)


class TestTotalsOfNotes:
    USERS = ("ann", "bob", "cyd", "dee", "eve")
    COUNTRIES = pa.table({"user_id": USERS, "country": ["de", "de", "fr", "fr", "fr"]})
    # The third items of ann, cyd and dee have the score of the second.
    SCORES = ((3, 2, 2), (3, 2, 1), (3, 2, 2), (3, 2, 2), (3, 2, 1))
    LISTS = scored(
        {user: dict(zip("abc", row, strict=True)) for user, row in zip(USERS, SCORES, strict=True)}
    )
    # Nothing is relevant to bob and eve.
    TRUTH = wanted({"ann": "a", "cyd": "b", "dee": "c"})

    def notes(self, metrics, **options):
        result = sqlrec.evaluate(metrics, recs=self.LISTS, truth=self.TRUTH, **options)
        return " ".join(result.layout().notes)

    def test_are_users_of_all_segments_and_never_the_largest_segment(self):
        for options in ({"by": "country"}, {"by": "country", "each": True}):
            notes = self.notes("ndcg@2", users=self.COUNTRIES, **options)
            assert "3 lists have equal scores across the cutoff: the option ties" in notes
            assert "2 users with recommendations but no relevant item, not in the mean" in notes
            assert ("mean (by country: de 1, fr 1)" in notes) is ("each" not in options)
            assert "averaged over 3 users with a relevant item" in notes
            assert ("(1 to 2 in each segment)" in notes) is ("each" not in options)

    def test_of_ties_are_those_of_the_cutoff_and_model_with_the_most(self):
        notes = self.notes("ndcg@1,2")
        assert "up to 3 lists have equal scores across the cutoff" in notes
        row = {"model": "als", "k": 5, "population": "truth", "ties_at_cutoff": 1}
        (note,) = format_unusual_counts([row], "ties_at_cutoff")
        assert note.startswith("1 list has equal scores across the cutoff: ")
        rows = [row, row | {"model": "knn", "ties_at_cutoff": 2}]
        (note,) = format_unusual_counts(rows, "ties_at_cutoff")
        assert note.startswith("2 lists of knn have equal scores across the cutoff: ")
        assert format_unusual_counts([row | {"ties_at_cutoff": 0}], "ties_at_cutoff") == []

    def test_of_users_left_out_are_those_of_few_segments_or_a_range(self):
        def notes(**counts):
            rows = [
                {"model": "als", "k": 5, "population": "truth", "unjudged_lists": count, "c": name}
                for name, count in counts.items()
            ]
            (note,) = format_unusual_counts(rows, "unjudged_lists", segments=segments)
            return note.partition(", not in the mean")[2]

        segments = ["c"]

        assert notes(a=1, b=0) == " (by c: a 1, b 0)"
        assert notes(**dict.fromkeys("abcdef", 0), g=3) == " (0 to 3 in each segment)"
        assert notes(a=2) == ""
        segments = ["c", "model"]
        assert notes(a=1, b=0) == " (0 to 1 in each segment)"

    def test_of_users_without_a_list_are_of_all_segments(self):
        truth = wanted(dict.fromkeys([*self.USERS, "fay", "gus"], "a"))
        users = pa.table({"user_id": [*self.USERS, "fay", "gus"], "country": [*"aabbb", "a", "b"]})
        inputs = {"recs": {"x": self.LISTS, "y": self.LISTS}, "truth": truth, "users": users}
        for options in ({"by": "country"},):
            comparison = sqlrec.compare("ndcg@2", **inputs, baseline="x", **options)
            check = sqlrec.check("ndcg@2 >= 0", **inputs, **options)
            note = "2 users without a list, counted as 0 by most metrics (by country: a 1, b 1)"
            assert note in comparison.layout().notes and note in check.layout().notes


class TestOrderOfSegments:
    def test_bins_of_numbers_are_sorted_by_their_lower_end(self):
        names = "<5, before 20, <25, -3 to 2, 25-34, 50+, >= 60, 100-199, other, unknown"
        names = [*names.split(", "), None]
        assert sorted(names[::-1], key=segment_order) == names
        assert sorted([3, None, 10, -1], key=segment_order) == [-1, 3, 10, None]

    def test_tables_have_the_order_of_bins(self):
        inputs = of_users(6, {"als": "ab", "knn": "ab"}, age=["50+", "<25", "100+"] * 2)
        compared = sqlrec.compare("mrr@1", **inputs, by="age", baseline="als")
        for table in (sqlrec.evaluate("mrr@1", **inputs, by="age"), compared):
            names = [row["age"] for row in table.to_arrow().to_pylist()]
            assert [*dict.fromkeys(names)] == ["<25", "50+", "100+"]
        drawn = sqlrec.evaluate("mrr@1,2", **inputs, by="age").plot.curve().svg
        panels = re.findall(r"(&lt;25|50\+|100\+)</text>", drawn)
        assert [*dict.fromkeys(panels)] == ["&lt;25", "50+", "100+"]
