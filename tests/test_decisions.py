"""Rules of decisions: the same text in Python, on the command line and in pytest."""

import re

import pyarrow as pa
import pyarrow.parquet
from pytest import approx, mark, raises

import sqlrec
from sqlrec.analyses.decisions import Rule, read_rules
from sqlrec.cli import main

from .tables import lists, of_users, wanted

USERS = [f"u{number}" for number in range(40)]
MODELS = {
    # "new" is better for 12 of 40 users and worse for 2; "copy" equals "main".
    "main": lists(dict.fromkeys(USERS, "ba")),
    "new": lists({user: "ab" if number < 12 else "ba" for number, user in enumerate(USERS)}),
}
TRUTH = wanted({user: "b" if number in (3, 4) else "a" for number, user in enumerate(USERS)})


def results(rules, **options):
    """Return the result, model and rule of each check."""
    rows = sqlrec.check(rules, **options).to_arrow().to_pylist()
    return [(row["result"], row["model"], row["check"]) for row in rows]


class TestARule:
    @mark.parametrize(
        ("text", "rule"),
        [
            ("ndcg@10 >= 0.3", Rule("ndcg@10 >= 0.3", "ndcg@10", ">=", number=0.3)),
            (
                "f_beta(beta=2)@5<.5",
                Rule("f_beta(beta=2)@5<.5", "f_beta(beta=2)@5", "<", number=0.5),
            ),
            ("mae  >= -1e-3", Rule("mae >= -1e-3", "mae", ">=", number=-0.001)),
            ("ndcg@10 > item_knn", Rule("ndcg@10 > item_knn", "ndcg@10", ">", "item_knn")),
            ("map@5>=main-0.02", Rule("map@5>=main-0.02", "map@5", ">=", "main", -0.02)),
            ("mae <= a b + 2%", Rule("mae <= a b + 2%", "mae", "<=", "a b", 0.02, True)),
            ("ndcg@5 > knn-2", Rule("ndcg@5 > knn-2", "ndcg@5", ">", "knn", -2)),
        ],
    )
    def test_rules_are_parsed(self, text, rule):
        assert read_rules(text) == [rule]

    def test_of_segments_compares_with_a_model(self):
        for text in ("no segment of age group worse than pop", "no segment of age group worse"):
            _, rule = read_rules(f"ndcg@5 > pop; {text}")
            assert rule == Rule(text, model="pop", column="age group")

    def test_of_segments_may_name_its_metric(self):
        text = "no segment of age worse than main by mrr@2"
        assert read_rules(text) == [Rule(text, "mrr@2", model="main", column="age")]
        (rule,) = read_rules(f"{text} by ndcg@5", {"main by mrr@2"})
        assert (rule.model, rule.metric) == ("main by mrr@2", "ndcg@5")
        (_, rule) = read_rules(f"mrr@2 > main; {text}", {"main", "main by mrr@2"})
        assert (rule.model, rule.metric) == ("main by mrr@2", "")

    def test_knows_names_of_models_with_a_hyphen(self):
        (rule,) = read_rules("ndcg@5 > knn-2", {"knn-2"})
        assert (rule.model, rule.number) == ("knn-2", None)

    def test_rules_are_texts_or_divided_by_semicolons(self):
        rules = read_rules(["ndcg@5 > a; map@5 >= 0.1", "mrr@5 recall@5 > 0"])
        assert [rule.metric for rule in rules] == ["ndcg@5", "map@5", "mrr@5 recall@5"]

    @mark.parametrize("text", ["ndcg@5 >", "> 0.3", "ndcg@5 >> 1", "no segment worse"])
    def test_an_invalid_rule_lists_the_forms(self, text):
        with raises(sqlrec.InputError, match="is not a rule: write METRIC >= NUMBER"):
            read_rules(text)

    @mark.parametrize(
        ("text", "fix"),
        [
            ("ndcg@10 better than pop", "ndcg@10 > pop"),
            ("ndcg@10 is not worse than item knn", "ndcg@10 >= item knn"),
            ("ndcg@10 lower than 0.3", "ndcg@10 < 0.3"),
        ],
    )
    def test_a_rule_in_words_suggests_its_sign(self, text, fix):
        with raises(sqlrec.InputError, match=f"^'{text}' is not a rule: write '{fix}'"):
            read_rules(text)


INPUTS = {"recs": MODELS, "truth": TRUTH}
NONE, EVERY = (f"mrr@2 is from 0 to 1, so {which} value passes" for which in ("no", "every"))


class TestCheck:
    @mark.parametrize("rule", ["mrr@1 > mai", "no segment of user_id worse than mai"])
    def test_suggests_a_model_for_the_rule(self, rule):
        message = f"^{rule}: 'mai' is not a model in recs: did you mean 'main'"
        with raises(sqlrec.InputError, match=message):
            sqlrec.check(["mrr@1 > new", rule], **INPUTS)

    @mark.parametrize(
        ("rule", "message"),
        [
            ("mrr@2 >= 1.5", f"{NONE}; give a limit between these"),
            ("mrr@2 > 1", f"{NONE}; give a limit between these"),
            ("mrr@2 <= 1.5", f"{EVERY}; give a limit between these"),
            ("mrr@2 >= main - 1.5", f"{EVERY}; give a margin of at most 1"),
            ("mrr@2 > main + 1.5", f"{NONE}; give a margin of at most 1"),
            ("mrr@2 >= main - 120%", f"{EVERY}; give a margin of at most 100%"),
            ("mrr@2 >= stored - 2", f"{EVERY}; give a margin of at most 1"),
            ("mae < 0", "mae is at least 0, so no value passes; give a limit between these"),
            ("r2 >= 1.1", "r2 is at most 1, so no value passes; give a limit between these"),
            ("best mrr@2 > main", "unknown metric 'best': `sqlrec list` shows all metrics"),
            ("mrr@2 == 0.5", "write >=, >, <= or <"),
        ],
    )
    def test_a_rule_that_decides_nothing_is_refused_before_rows_are_read(self, rule, message):
        with raises(sqlrec.SqlrecError, match=f"^'?{re.escape(rule)}'?: {re.escape(message)}$"):
            sqlrec.check(rule, **INPUTS | {"recs": lists({}), "baseline": None}, against="none")

    @mark.parametrize("rule", ["mrr@2 >= 0", "mrr@2 <= main + 0.5; mrr@2 > 0", "ctr >= 7"])
    def test_the_range_of_other_data_is_unknown(self, rule):
        with raises(sqlrec.SqlrecError) as error:
            sqlrec.check(rule, recs="none.csv", truth="none.csv", logs="none.csv")
        assert " passes" not in str(error.value)

    def test_a_margin_beyond_the_range_is_refused(self):
        options = {"baseline": "main", "alternative": "noninferior", "margin": 1.5}
        with raises(sqlrec.InputError, match=r"mrr@2 is from 0 to 1; give a margin of at most 1$"):
            sqlrec.compare("mrr@2", **INPUTS, **options)

    def test_its_title_is_the_decision(self):
        titles = {
            "mrr@2 > main": "The check passed",
            "mrr@2 > new": "The check failed",
            "mrr@2 >= 0.1": "All 2 checks passed",
            "mrr@2 >= 0.6": "1 of 2 checks failed; only new passes every rule",
            "mrr@2 >= 0.9": "2 of 2 checks failed; no model passes every rule",
        }
        assert {
            rule: str(sqlrec.check(rule, **INPUTS)).splitlines()[0] for rule in titles
        } == titles

    def test_names_the_column_of_the_rule(self):
        message = "^no segment of region worse than main: 'region': no such column in truth"
        with raises(sqlrec.InputError, match=message):
            sqlrec.check(["mrr@1 > main", "no segment of region worse than main"], **INPUTS)

    def test_compares_values_and_models(self):
        # MRR is 1 for 2 of 40 users of main and 1/2 for others; new gains for 10 and loses for 2.
        rules = ["mrr@2 > main", "mrr@2 >= main - 0.02", "mrr@2 >= 0.52", "hit_rate@2 >= main - 1%"]
        rows = sqlrec.check(rules, **INPUTS).to_arrow().to_pylist()
        checks = {row["check"]: row for row in rows}
        assert checks["mrr@2 > main"]["result"] == "pass"
        assert checks["mrr@2 > main"]["value"] == approx((12 - 2 + 28 / 2 + 2 / 2) / 40)
        assert checks["mrr@2 > main"]["stored"] == approx((2 + 38 / 2) / 40)
        # The hits of users do not change.
        assert checks["hit_rate@2 >= main - 1%"]["result"] == "pass"
        limits = [(row["model"], row["result"]) for row in rows if row["check"] == "mrr@2 >= 0.52"]
        assert limits == [("main", "pass"), ("new", "pass")]

    def test_a_rule_fails_in_the_other_direction(self):
        rules = ["mrr@2 > new", "mrr@2 >= new", "mrr@2 < new", "mrr@2 >= new - 0.01"]
        expected = zip(("FAIL", "FAIL", "pass", "FAIL"), rules, strict=True)
        assert results(rules, **INPUTS) == [(result, "main", rule) for result, rule in expected]

    def test_an_unchanged_model_passes_with_few_users(self):
        few = wanted({"u9": "a", "u10": "a"})
        same = {"main": MODELS["main"], "copy": MODELS["main"]}
        rules = ["mrr@2 >= main", "mrr@2 >= main - 0.001", "ndcg@2 >= main - 0.1%"]
        checks = results([*rules, "mrr@2 > main"], recs=same, truth=few)
        assert [row[0] for row in checks] == ["pass"] * 3 + ["FAIL"]

    def test_names_each_segment_that_is_worse(self):
        country = {"user_id": USERS, "country": ["de" if n < 12 else "fr" for n in range(40)]}
        inputs = INPUTS | {"users": pa.table(country)}
        rule = "no segment of country worse than new"
        check = sqlrec.check(["mrr@2 <= new", rule], **inputs)
        rule += " by mrr@2"
        (row,) = [row for row in check.to_arrow().to_pylist() if row["check"] == rule]
        assert (row["result"], row["model"], row["in_segment"]) == ("FAIL", "main", "country=de")
        assert f'name="{rule}: country=de"' in check.to_junit()
        assert ["✗", "FAIL", "main", "de"] in [line.split()[:4] for line in str(check).split("\n")]
        assert ("pass", "new", "no segment of country worse by mrr@2") in results(
            ["mrr@2 > main", "no segment of country worse"], **inputs
        )
        with raises(sqlrec.InputError, match="name the model, as in 'no segment of country worse"):
            sqlrec.check(["mrr@2 > 0.1", "no segment of country worse"], **inputs)
        alone = "no segment of country worse than new"
        with raises(
            sqlrec.InputError, match=f"{alone}: name the metric, as in '{alone} by ndcg@10'"
        ):
            sqlrec.check(alone, **inputs)
        assert results(rule, **inputs) == [("FAIL", "main", rule)]
        cutoffs = results(f"{alone} by mrr@2 hit_rate@1; hit_rate@2 > 0", **inputs)
        assert [row for row in cutoffs if row[2] == rule] == [("FAIL", "main", rule)]
        assert ("FAIL", "main", f"{alone} by hit_rate@1") in cutoffs

    def test_a_report_checks_its_baseline_and_metric(self):
        country = {"user_id": USERS, "country": ["de" if n < 12 else "fr" for n in range(40)]}
        given = INPUTS | {"users": pa.table(country), "baseline": "new", "who_lost": False}
        for decide in ("no segment of country worse", "no segment of country worse by mrr@2"):
            report = sqlrec.report("mrr@2", **given, decide=decide).markdown
            assert "no segment of country worse by mrr@2 (country=de: " in report
            with raises(sqlrec.InputError, match="name the model"):
                sqlrec.report("mrr@2", **given | {"baseline": None}, decide=decide)

    def test_a_rule_of_segments_has_one_line(self):
        inputs = of_users(80, {"main": "ab", "new": "b"}, country=["de", "fr"] * 40)
        check = sqlrec.check(["mrr@2 >= main", "no segment of country worse"], **inputs)
        assert [(row["in_segment"], row["users"]) for row in check.to_arrow().to_pylist()] == [
            (None, 80),
            ("every segment", 80),
        ]
        overall, segments = check.to_arrow().to_pylist()
        # The segments have a test each, and all of their users none.
        assert segments["p"] is None and 0 < overall["p"] < 0.05
        assert "significant in each" in check.to_markdown()
        text = " ".join(repr(check).split())
        assert re.search("p of mrr@2 >= main: [a-z -]+, Holm's correction[.]", text)
        assert re.search("by mrr@2: [a-z -]+, Holm's correction over 2 tests of segments[.]", text)

    def test_the_test_of_all_rules_is_named_once(self):
        rules = ["mrr@2 >= main - 0.1", "mrr@2 >= main - 0.5"]
        text = repr(sqlrec.check(rules, **INPUTS))
        assert text.endswith("\np: paired t-test, Holm's correction.")

    def test_tests_of_other_metrics_are_not_counted(self):
        inputs = INPUTS | {"recs": MODELS | {"last": MODELS["new"]}}
        check = sqlrec.check(["mrr@2 > main", "ndcg@2 >= main - 0.5"], **inputs)
        text = " ".join(repr(check).split())
        assert text.count("Holm's correction over 2 tests of models.") == 2

    def test_refuses_a_margin_in_the_wrong_direction(self):
        with raises(sqlrec.InputError, match="write mrr@2 >= MODEL - MARGIN"):
            sqlrec.check("mrr@2 <= main + 0.1", **INPUTS)

    def test_is_valid_at_all_times_with_the_interval_always(self):
        rules = ["mrr@2 > main", "mrr@2 >= main - 0.5", "mrr@2 >= main - 0.02"]
        actual = sqlrec.check(rules, **INPUTS, interval="anytime").to_arrow().to_pylist()
        (first, second, third) = actual
        assert [row["result"] for row in actual] == ["FAIL", "pass", "FAIL"]
        comparison = sqlrec.compare("mrr@2", **INPUTS, baseline="main", interval="anytime")
        assert first["p"] == comparison.to_arrow()["p"][0].as_py()
        # The test of a margin is significant if the one-sided limit is above the margin.
        for margin in (-second["low"] - 1e-9, -second["low"] + 1e-9):
            rule = f"mrr@2 >= main - {max(margin, 0):.15f}"
            (row,) = sqlrec.check(rule, **INPUTS, interval="anytime").to_arrow().to_pylist()
            assert (row["result"] == "pass") == (margin > -second["low"])
        assert third["p"] > second["p"]

    def test_an_unchanged_stored_result_passes(self, tmp_path):
        inputs = {"recs": MODELS["new"], "truth": TRUTH}
        result = sqlrec.evaluate("mrr@2 ndcg@2", **inputs)
        result.to_parquet(tmp_path / "result.parquet")
        rules = ["mrr@2 >= stored - 0.002", "ndcg@2 >= stored - 0.1%"]
        for against in (result, str(tmp_path / "result.parquet"), result.per_user()):
            assert sqlrec.check(rules, **inputs, against=against).passed
        worse = {"recs": MODELS["main"], "truth": TRUTH}
        assert not sqlrec.check(rules, **worse, against=result).passed
        with raises(sqlrec.InputError, match=r"give a margin, as in mrr@2 >= stored - 0.01"):
            sqlrec.check("mrr@2 >= stored", **inputs, against=result)

    def test_reads_the_same_text_on_the_command_line_and_in_pytest(
        self, tmp_path, capsys, assert_metric
    ):
        paths = []
        for name, table in (*MODELS.items(), ("truth", TRUTH)):
            pyarrow.parquet.write_table(table, tmp_path / f"{name}.parquet")
            path = tmp_path / f"{name}.parquet"
            paths += ["--truth", str(path)] if name == "truth" else ["--recs", f"{name}={path}"]
        assert main(["check", "mrr@2 > main", "mrr@2>=0.1", *paths]) == 0
        assert "mrr@2 > main" in capsys.readouterr().out
        assert main(["check", "mrr@2 > new", *paths]) == 3
        assert assert_metric("mrr@2 > main; mrr@2 >= 0.1", **INPUTS).passed


def test_a_report_begins_with_the_decision():
    rules = "mrr@2 > main; hit_rate@2 >= main - 1%"
    few = {**INPUTS, "who_lost": False}
    report = sqlrec.report("mrr@2", **few, decide=rules, baseline="main")
    verdict = report.markdown.partition("## Verdict\n\n")[2].splitlines()
    assert verdict[:2] == [
        "### Decision: new passes",
        "- ✓ new passes: mrr@2 > main (0.625 against 0.525, difference p 0.022); "
        "hit\\_rate@2 >= main - 1% (1.00 against 1.00)",
    ]
    assert report.title == "new beats main by MRR@2; new passes every rule"
    failed = sqlrec.report("mrr@2", **few, decide=["mrr@2 > new", "hit_rate@2 >= 0.5"])
    assert "### Decision: new passes, main fails\n" in failed.markdown
    none = sqlrec.report("mrr@2", **few, decide="mrr@2 > new", baseline="new")
    assert none.title == "main loses to new by MRR@2; no model passes every rule"
    assert (
        "- ✗ main fails: mrr@2 > new (0.525 against 0.625, difference p 0.022); "
        "passes 1 other check" in failed.markdown
    )
