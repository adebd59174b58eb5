"""Displays: their width, the direction of metrics, and escaped names."""

import csv
import io
import json
import re
import sys
from html.parser import HTMLParser
from random import Random

import pyarrow as pa
import pyarrow.parquet
from pytest import approx, fixture, mark, raises

import sqlrec
from sqlrec import cli, evaluation

# Some modules import functions by name, so they are imported before tests replace these.
from sqlrec.analyses import check, compare, explain, plot, power, trec  # noqa: F401
from sqlrec.catalogue.metric_help import metric_text
from sqlrec.cli import output
from sqlrec.display.html import to_html
from sqlrec.display.numbers import (
    decimals_for,
    decimals_for_intervals,
    format_change,
    format_p,
    number,
    spread,
)
from sqlrec.display.papers import to_latex
from sqlrec.display.table_layout import Cell, Column, Group, Layout, rows_layout, to_sentence
from sqlrec.display.text import BEYOND_ASCII, Style, text_width, to_text, wrap_lines
from sqlrec.layouts.result import format_tests, name_for_papers, result_layout
from sqlrec.plots.chart import format_value
from sqlrec.reports import report  # noqa: F401

from .dialects import slow
from .tables import lists, of_users, rows_of, scored, wanted

USERS = [f"u{number}" for number in range(80)]
ITEMS = "abcdefghijklmnopqrst"
LONG = "a_model_that_somebody_gave_a_name_that_says_everything_of_it"
HOSTILE = "100%_{of}|<b>&\\x~^#$\"'`*[--]"


@fixture(scope="module")
def tables():
    """Return three models, one good and one bad, with the inputs of further metrics."""
    random = Random(3)
    truth = {user: random.sample(ITEMS, 3) for user in USERS}
    recs = {}
    for model, share in (("good", 0.6), ("fair", 0.4), (LONG, 0.1)):
        recs[model] = {
            user: dict(zip(_list(random, truth[user], share), range(9, 0, -1), strict=True))
            for user in USERS
        }
    grades = {user: {item: random.choice([1, 2, 3]) for item in truth[user]} for user in USERS}
    country = {user: random.choice(["fr", "de", "a country of a long name"]) for user in USERS}
    return {
        "recs": {model: scored(actual) for model, actual in recs.items()},
        "truth": wanted(grades),
        "history": lists({user: random.sample(ITEMS, 5) for user in USERS}),
        "users": pa.table({"user_id": USERS, "country": [country[user] for user in USERS]}),
    }


def _list(random, relevant, share):
    others = [item for item in random.sample(ITEMS, 20) if item not in relevant]
    hits = [item for item in relevant if random.random() < share]
    actual = (hits + others)[:9]
    random.shuffle(actual)
    return actual


METRICS = "ndcg@1,5,9 map@9 recall@9 gini@9 mae expected_exposure_disparity@9 item_count@9".split()


@fixture(scope="module")
def results(tables):
    """Return a table of each kind."""
    arguments = {name: tables[name] for name in ("recs", "truth")}
    by = {"users": tables["users"], "by": "country"}
    values = sqlrec.evaluate(METRICS, **arguments, interval="t")
    segments = sqlrec.evaluate("ndcg@9", **arguments, **by, interval="t")
    compared = sqlrec.compare("ndcg@9 map@9 hit_rate@1", **arguments, baseline="fair")
    by_country = sqlrec.compare("ndcg@9 ndpm", **arguments, **by, baseline="good")
    of_one = arguments | {"recs": arguments["recs"]["good"]}
    return {
        "values": values,
        "user counts": values.user_counts,
        "segments": segments,
        "each": sqlrec.evaluate("ndcg@9", **arguments, **by, each=True, summaries="p90"),
        "per user": segments.per_user(),
        "of one model": sqlrec.evaluate("ndcg@9 f_beta(beta=2)@5 mrr@all", **of_one),
        "compared": compared,
        "pivoted": compared.by_model(),
        "by country": by_country,
        "worse": by_country.worse(),
        "all pairs": sqlrec.compare("ndcg@5 gini@5", **arguments, replicates=100).ranks(),
        "checked": sqlrec.check("ndcg@9 >= 0.4; mae <= 3", **arguments),
        "explained": sqlrec.explain(
            "ndcg@9", **of_one, conventions="jurity lenskit ranx rectools rs_metrics".split()
        ),
    }


@fixture
def shared(results, monkeypatch):
    """Return commands that print these tables without computing."""
    for module, name, table in (
        (evaluation, "evaluate", "values"),
        (compare, "compare", "compared"),
        (check, "check", "checked"),
        (explain, "explain", "explained"),
    ):
        monkeypatch.setattr(module, name, lambda *_, table=table, **__: results[table])


@fixture(scope="module")
def folder(tables, tmp_path_factory):
    folder = tmp_path_factory.mktemp("tables")
    pyarrow.parquet.write_table(tables["truth"], folder / "truth.parquet")
    for index, table in enumerate(tables["recs"].values()):
        pyarrow.parquet.write_table(table, folder / f"recs{index}.parquet")
    return folder


INPUTS = (
    *("--recs", "good=recs0.parquet", "--recs", "fair=recs1.parquet"),
    *("--recs", f"{LONG}=recs2.parquet", "--truth", "truth.parquet"),
)
CHECK = ("check", "ndcg@9 >= 0.4", "mae <= 3", *INPUTS)
WITH_HELP = "evaluate compare sql check explain plot report list show unsampled demo"
COMMANDS = [
    ("evaluate", *METRICS, *INPUTS),
    ("evaluate", *METRICS, *INPUTS, "--table", "user-counts"),
    ("evaluate", *METRICS, *INPUTS, "--table", "per-user"),
    ("evaluate", *METRICS, *INPUTS, "--long"),
    ("compare", *METRICS[:3], *INPUTS, "--baseline", "fair"),
    ("compare", *METRICS[:3], *INPUTS, "--baseline", "fair", "--worse"),
    ("compare", *METRICS[:3], *INPUTS, "--baseline", "fair", "--pivot"),
    ("compare", *METRICS[:3], *INPUTS, "--baseline", "fair", "--long"),
    CHECK,
    ("explain", "ndcg@9", *INPUTS),
    ("plot", "curve", "ndcg@1,5,9", *INPUTS),
    ("list",),
    ("list", "--long"),
    ("conventions",),
    ("conventions", "--long"),
    ("dbt-path",),
    ("--help",),
    *((name, "--help") for name in WITH_HELP.split()),
]


class TestWidth:
    @mark.parametrize("width", [50, *slow(80, 200)])
    def test_no_table_is_wider_than_the_terminal(self, results, width):
        for name, table in results.items():
            for long in (False, True):
                lines = output.format_table(table, "table", Style(width), long=long).splitlines()
                assert lines and max(map(text_width, lines)) <= width, (name, long)

    @mark.parametrize("width", [50, *slow(80, 200)])
    def test_no_command_writes_wider_than_the_terminal(
        self, width, folder, shared, command_line, monkeypatch
    ):
        monkeypatch.setenv("COLUMNS", str(width))
        for command in COMMANDS:
            code, out, err = command_line(folder, *command)
            assert code in (0, 3), err
            lines = out.splitlines()
            # Handwritten text is for 80 columns; a path cannot be shortened.
            most = max(width, 80) if "--help" in command else width
            assert lines and (command == ("dbt-path",) or max(map(text_width, lines)) <= most)

    def test_no_message_is_wider_than_the_terminal(self, folder, command_line, monkeypatch):
        monkeypatch.setenv("COLUMNS", "60")
        wrong = ("evaluate", "ndcg@0", *INPUTS), ("evaluate", "--interval", "no" * 30)
        # In a file of messages, each message is one line.
        assert [command_line(folder, *words)[2].count("\n") for words in wrong] == [1, 1]
        monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
        monkeypatch.delenv("NO_COLOR", raising=False)
        monkeypatch.setenv("TERM", "xterm")
        assert command_line(folder, *wrong[0])[2].startswith("\x1b[1;31merror:\x1b[0m 'ndcg@0': ")
        monkeypatch.setenv("NO_COLOR", "1")
        for words in wrong:
            code, _, err = command_line(folder, *words)
            assert code and len(err.splitlines()) > 1 and max(map(len, err.splitlines())) <= 60

    def test_no_help_of_a_metric_is_wider_than_the_terminal(
        self, command_line, tmp_path, monkeypatch
    ):
        monkeypatch.setenv("COLUMNS", "80")
        for metric in sqlrec.metrics().values():
            assert max(map(len, metric_text(metric, 80).splitlines())) <= 80, metric.name
        text = metric_text(sqlrec.metric("ndcg"), 80)
        assert command_line(tmp_path, "show", "ndcg") == (0, f"{text}\n", "")

    def test_wide_tables_have_their_full_width(self, folder, shared, command_line):
        _, out, _ = command_line(folder, *COMMANDS[0], "--wide")
        head = out.splitlines()[0]
        assert text_width(head) > 100 and all(metric.split("@")[0] in head for metric in METRICS)

    def test_wide_characters_take_two_columns(self):
        layout = rows_layout(["model", "value"], [{"model": "日本語", "value": 1.0}])
        assert {text_width(line) for line in to_text(layout, Style()).splitlines()} == {13}
        assert text_width("é") == text_width("é") == 1

    def test_a_text_breaks_into_lines_that_fit_and_loses_nothing(self):
        text = "some words, expected_exposure_disparity@10 (of-all_others) and 日本語日本語"
        for width in range(3, 30):
            lines = wrap_lines(text, width)
            assert max(map(text_width, lines)) <= width
            assert "".join("".join(lines).split()) == "".join(text.split())


class TestColor:
    def test_colors_repeat_what_the_text_says(self, folder, shared, command_line):
        _, plain, _ = command_line(folder, *CHECK)
        _, colored, _ = command_line(folder, *CHECK, "--color", "always")
        assert "\x1b" not in plain and "\x1b[31m✗ FAIL\x1b[0m" in colored
        assert re.sub(r"\x1b\[[0-9;]*m", "", colored) == plain

    def test_an_ascii_terminal_gets_ascii(self, folder, shared, monkeypatch):
        monkeypatch.chdir(folder)
        out = io.BytesIO()
        with monkeypatch.context() as patch:
            patch.setattr(sys, "stdout", io.TextIOWrapper(out, encoding="ascii"))
            assert cli.main(CHECK) == 3
            sys.stdout.flush()
            plain = out.getvalue().decode("ascii")
        assert "x FAIL" in plain and ">= 0.4" in plain and "\\u" not in plain


def test_each_sign_has_an_ascii_form():
    rows = [{sign: sign for sign in BEYOND_ASCII}]
    assert to_text(rows_layout([*BEYOND_ASCII], rows), Style(ascii=True)).isascii()


def test_an_arrow_stays_with_its_metric():
    assert wrap_lines("recall@10 ↑", 9) == ["recall", "@10 ↑"]


def test_short_words_of_rows_stay_whole():
    rows = [[Cell("25-34"), Cell("Drama, Comedy and much of other things that are seen")]]
    columns = [Column("age", key=True), Column("genre")]
    assert "25-34" in to_text(Layout(columns, [Group("", rows)]), Style(24))


def test_letters_of_pairs_are_superscripts_and_the_best_is_bold(results):
    actual = results["all pairs"]
    letters = {
        (row["model"], row["metric"]): row["letters"] for row in actual.to_arrow().to_pylist()
    }
    text, page = to_text(actual.layout(), Style(100)), actual.to_html()
    (good,) = (line.split() for line in text.splitlines() if line.startswith("★ good"))
    assert good[3] == letters["good", "ndcg"]
    assert page.count("<sup>") == sum(map(bool, letters.values()))
    assert "Models that share a letter do not differ significantly, at p &lt; 0.05." in page
    assert "\\textsuperscript{a}" in actual.to_latex()
    assert "<sup>a</sup>" in actual.to_markdown()


class TestNumbers:
    @mark.parametrize(
        "values, halves, expected",
        [
            ([0.158, 0.0456], [], 3),
            ([0.158], [], 3),
            ([158.2, 1.5], [], 1),
            ([188600.0], [], 0),
            ([0.158], [0.0123], 3),
            ([0.158], [0.0996], 2),
            ([865.0, 5.7], [20.8, 0.23], 1),
            ([0.1, 0.2], [0.0123, 0.00012], 4),
            ([0.1, 0.2], [0.0, None], 3),
            ([None, 0.0], [], 3),
        ],
    )
    def test_digits_follow_the_error(self, values, halves, expected):
        assert decimals_for(values, halves) == expected

    @mark.parametrize(
        "difference, expected",
        [
            # 0.0153 ± 0.0149 excludes 0, and 0.015 ± 0.015 does not.
            ((0.0153, 0.0004, 0.0302), 4),
            ((-0.0302, -0.0604, -0.0001), 4),
            ((0.0302, 0.012, 0.048), 3),
            ((0.0149, -0.0004, 0.0302), 3),
            ((0.2, 1e-12, 0.4), 6),
            ((0.2, 0.1, float("inf")), 3),
            ((None, None, None), 3),
        ],
    )
    def test_digits_show_whether_an_interval_excludes_0(self, difference, expected):
        assert decimals_for_intervals([difference], 3) == expected

    @mark.parametrize(
        "written, expected",
        [
            (number(188600, 0), "188,600"),
            (number(188600.4, 0), "188,600"),
            (number(-0.0001, 3), "0.000"),
            (number(0.07, 3, sign=True), "+0.070"),
            (number(-1e-9, 11), "-1.00e-09"),
            (number(None, 3), ""),
            (number(float("nan"), 3), "nan"),
            (spread(0.5, 0.4, 0.6, 2), "±0.10"),
            (spread(0.5, 0.45, 0.6, 2), "[0.45, 0.60]"),
            (spread(0.5, None, None, 2), ""),
            (format_p(0.0), "<0.001"),
            (format_p(0.00099), "<0.001"),
            (format_p(0.0304), "0.030"),
            (format_p(None), ""),
            (format_change(0.791), "+79.1%"),
            (format_change(-12.5), "-1,250%"),
            (format_change(None), ""),
        ],
    )
    def test_numbers_are_formatted(self, written, expected):
        assert written == expected


def cells(layout, name):
    """Return the cells of a column, by model."""
    index = [column.full for column in layout.columns].index(name)
    return {row[0].text: row[index] for row in layout.rows()}


class TestDirection:
    """Displays agree with the direction of a metric."""

    def test_the_best_is_the_highest_or_the_lowest_or_none(self, results):
        layout, values, directions = results["values"].layout(), {}, set()
        for row in rows_of(results["values"]):
            values.setdefault((row["metric"], row["request"]), {})[row["model"]] = row["value"]
        for (metric, name), actual in values.items():
            better = sqlrec.metric(metric).better
            arrow = {"higher": " ↑", "lower": " ↓", "neither": ""}[better]
            best = {model for model, cell in cells(layout, name + arrow).items() if cell.best}
            if better == "neither" or len({*actual.values()}) == 1:
                assert not best, name
            else:
                most = (max if better == "higher" else min)(actual.values())
                assert all(actual[model] == approx(most) for model in best) and best, name
            directions.add((better, bool(best)))
        assert {("higher", True), ("lower", True), ("neither", False)} <= directions

    def test_models_are_sorted_from_the_best(self, results):
        layout = results["values"].layout()
        assert [row[0].text for row in layout.rows()] == ["good", "fair", LONG]
        of_mae = {"metric": "mae", "k": None, "request": "mae", "users": 2}
        values = ("x", 3.0), ("y", 1.0), ("z", None)
        rows = [{"model": x, "value": y, **of_mae} for x, y in values]
        layout = result_layout(list(rows[0]), rows)
        assert [row[0].text for row in layout.rows()] == ["y", "x", "z"]

    def test_a_mark_says_better_or_worse_as_the_metric_has_it(self, tables):
        arguments = {name: tables[name] for name in ("recs", "truth", "history")}
        compared = sqlrec.compare(
            "ndcg@9 unjudged_share@9 surprisal@9", **arguments, baseline="fair"
        )
        signs = {"higher": ("▼", "▲"), "lower": ("▲", "▼"), "neither": ("", "")}
        arrows, seen = {"higher": " ↑", "lower": " ↓", "neither": ""}, set()
        for row in rows_of(compared):
            sign = signs[row["better"]][row["difference"] > 0] * (row["p_adjusted"] < 0.05)
            column = cells(compared.by_model().layout(), row["request"] + arrows[row["better"]])
            assert column[row["model"]].mark == sign
            seen.add((row["better"], sign))
        assert {(x, y) for x in ("higher", "lower") for y in "▲▼"} | {("neither", "")} <= seen

    def test_failed_checks_come_first(self, results):
        groups = [[row[0].text for row in x.rows] for x in results["checked"].layout().groups]
        assert groups == [["✗ FAIL", "✗ FAIL", "✓ pass"], ["✗ FAIL"] * 3]

    def test_explain_starts_with_sqlrecs_value(self, results):
        rows = [*results["explained"].layout().rows()]
        values = [float(row[0].text) for row in rows if row[0].text != "-"]
        assert "sqlrec" in rows[0][1].text and len({*values}) == len(values) > 3
        distances = [abs(value - values[0]) for value in values]
        assert distances == sorted(distances)


class TestNotes:
    @mark.parametrize("note", ["a segment has few users", "p: paired t-test", "1 user", "k is 5"])
    def test_notes_begin_in_upper_case_unless_with_a_symbol(self, note):
        assert to_sentence(note) == f"{note.replace('a segment', 'A segment')}."

    def test_user_counts_are_compared_within_a_segment(self, tables):
        arguments = {"recs": tables["recs"], "truth": tables["truth"], "baseline": "fair"}
        users = tables["truth"].group_by("user_id").aggregate([]).to_pydict()["user_id"]
        home = pa.table({"user_id": users, "home": ["ab"[n % 2] for n in range(len(users))]})
        compared = sqlrec.compare("ndcg@9", **arguments, users=home, by="home")
        assert not any("first model" in note for note in compared.by_model().layout().notes)

    def test_notes_name_the_users_and_unusual_counts(self, tables):
        truth = pa.concat_tables([tables["truth"], wanted({"new": {"a": 1}})])
        result = sqlrec.evaluate("ndcg@20", recs=tables["recs"]["good"], truth=truth)
        who, without_list, short = result.layout().notes
        assert who == "averaged over 81 users with a relevant item; 95% intervals by Student's t"
        assert without_list == "1 user without a list, counted as 0 by most metrics"
        assert short == "80 users with a list shorter than the cutoff"

    def test_a_comparison_begins_with_its_decision(self):
        models = {"new": "ab", "old": "ba", "bad": "bc"}
        inputs = of_users(40, models, half=["x", "y"] * 20) | {"baseline": "old"}
        compared = sqlrec.compare("mrr@2", **inputs)
        assert repr(compared).startswith("new beats old by MRR@2\n\nmrr@2 ↑, models compared")
        assert compared.to_markdown().startswith("new beats old by MRR@2\n\n**mrr@2 ↑, models")
        assert "<p><b>new beats old by MRR@2</b></p>" in compared.to_html()
        assert "new beats old" not in compared.to_latex()
        by_segment = sqlrec.compare("mrr@2", **inputs, by="half")
        assert by_segment.layout().lead == (
            "bad is significantly worse for half=x (20 users), half=y (20 users). new is not "
            "significantly worse in any segment."
        )
        for options in ({"baseline": None}, {"alternative": "noninferior", "margin": 0.1}):
            assert not sqlrec.compare("mrr@2", **inputs | options).layout().lead

    @mark.parametrize(
        "new, old",
        [("new", "old"), ("old 2", "old"), ("a beats old", "old"), ("x", "x, y and x by MRR")],
    )
    def test_the_decision_has_the_labels_of_models(self, new, old):
        inputs = of_users(40, {new: "ab", old: "ba"}, half=["x", "y"] * 20)
        labels = {new: "Neue", old: "Alte", "beats": "z"}
        lead = sqlrec.compare("mrr@2", **inputs, baseline=old).layout().renamed(labels).lead
        assert lead == "Neue beats Alte by MRR@2"
        by_segment = sqlrec.compare("mrr@2", **inputs, baseline=new, by="half")
        lead = by_segment.layout().renamed(labels).lead
        assert lead == "Alte is significantly worse for half=x (20 users), half=y (20 users)."

    @mark.parametrize("width", [60, 80, 200])
    def test_no_name_breaks_and_each_row_has_its_p(self, width):
        old, new = "matrix_factorisation_v2_2026", "two_tower_transformer_of_2026_10"
        inputs = of_users(40, {new: "ab", old: "ba", "most_popular_last_30_days": "bc"})
        for metrics in ("mrr@2", "mrr@2 recall@1"):
            layout = sqlrec.compare(metrics, **inputs, baseline=old).layout()
            text = to_text(layout, Style(width))
            assert max(map(text_width, text.splitlines())) <= width
            table = text.partition("\nmodel ")[2]
            assert table.count(new) >= len(metrics.split())
            if width > 60:
                assert table.count(new) == len(metrics.split())
                assert table.partition("\n")[0].endswith("  p") and table.count("win/tie/loss") == 1

    def test_missing_lists_that_decide_a_difference_have_a_note(self):
        users = [f"u{number}" for number in range(60)]
        old, truth = lists(dict.fromkeys(users, "ab")), wanted(dict.fromkeys(users, "a"))

        def notes(new, **options):
            inputs = {"recs": {"old": old, "new": lists(new)}, "truth": truth, **options}
            compared = sqlrec.compare("mrr@2 recall@1", **inputs, baseline="old")
            return [note for note in compared.layout().notes if "decide" in note]

        new = dict.fromkeys(users[12:], "ab")
        (of_all,) = notes(new)
        assert of_all == (
            "users without a list decide the difference of new by mrr@2: -0.200 with them, counted "
            "as 0, and 0.000 over the 48 users with lists from both models"
        )
        inputs = {"recs": {"old": old, "new": lists(new)}, "truth": truth, "baseline": "old"}
        assert of_all[1:] in sqlrec.report("mrr@2 recall@1", **inputs, who_lost=False).markdown
        segments = {"users": pa.table({"user_id": users, "day": [1] * 30 + [2] * 30}), "by": "day"}
        assert notes(dict.fromkeys(users[12:], "ab"), **segments) == [
            "users without a list decide the difference of new by mrr@2 for day=1: -0.400 with "
            "them, counted as 0, and 0.000 over the 18 users with lists from both models"
        ]
        assert notes(dict.fromkeys(users[12:48], "ab"), **segments) == [
            "users without a list decide the difference of new by mrr@2 for day=1 and day=2"
        ]
        some = lists(dict.fromkeys(users[12:48], "ab"))
        assert notes({}, **segments | {"recs": {"old": old, "new": some, "too": some}}) == [
            "users without a list decide the difference of new and too by mrr@2 for day=1 and day=2"
        ]
        assert not notes(dict.fromkeys(users[2:], "ba")) and not notes(dict.fromkeys(users, "ab"))

    def test_many_segments_of_numbers_have_a_note(self):
        ages = [18 + number // 2 for number in range(80)]
        inputs = of_users(80, {"new": "ab", "old": "ba"}, age=ages) | {"by": "age"}
        note = "the column age has 40 values: fewer, larger segments are more informative; use a "
        note += "column of ranges, such as floor(age / 10)"
        for table in (
            sqlrec.evaluate("mrr@2", **inputs),
            sqlrec.compare("mrr@2", **inputs, baseline="old"),
        ):
            assert table.layout().notes[-1] == note
        few = inputs | {"users": inputs["users"].set_column(1, "age", [[18, 19] * 40])}
        assert note not in sqlrec.evaluate("mrr@2", **few).layout().notes

    def test_notes_name_the_test_and_correction(self, tables):
        arguments = {name: tables[name] for name in ("recs", "truth", "users")}
        options = {"interval": "bootstrap", "test": "sign", "correction": "bh", "level": 0.9}
        actual = sqlrec.compare("ndcg@9", **arguments, baseline="good", by="country", **options)
        notes = " ".join(actual.worse(level=0.9).layout().notes)
        assert "sign test, Benjamini and Hochberg's correction over 6 tests of segments" in notes
        notes = " ".join(actual.layout().notes)
        assert "90% intervals of differences by the bootstrap" in notes
        assert "worse than good, p < 0.1" in notes
        # Tables of models by metrics have no intervals.
        pivoted = " ".join(actual.by_model().layout().notes)
        assert "sign test" in pivoted and "intervals" not in pivoted

    def test_count_the_tests_of_each_family(self):
        def text(families):
            rows = [{"p": 0.5, "test": "t", "family": family} for family in families]
            return format_tests(rows, "holm").removeprefix("paired t-test, Holm's correction")

        assert text(["models"]) == ""
        assert text(["models"] * 3) == " over 3 tests of models"
        both = [*["models"] * 3, "other metrics"]
        assert text(both) == " in each family of tests (3 of models, 1 of other metrics)"
        assert text([*both, "a", "b"]).startswith(" within each of 4 families of tests (1 to 3 ")

    def test_name_the_tests_that_were_made(self, results, tables):
        arguments = {name: tables[name] for name in ("recs", "truth")} | {"baseline": "good"}
        for actual, tests in (
            (sqlrec.compare("ndcg@9", **arguments), "permutation test of all signs"),
            (sqlrec.compare("hit_rate@1", **arguments), "McNemar's mid-p test"),
            (results["compared"], "McNemar's mid-p test or permutation test of all signs"),
        ):
            assert f"p: {tests}, Holm's correction" in actual.layout().notes[-1]


class Page(HTMLParser):
    """A parser that checks that tags are closed, and collects them."""

    def __init__(self, page):
        super().__init__()
        self.open, self.tags, self.text = [], [], []
        self.feed(page)
        assert not self.open

    def handle_starttag(self, tag, attributes):
        self.tags.append((tag, dict(attributes)))
        if tag != "meta":
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        self.text.append(data)


class TestHTML:
    def test_html_is_well_formed_and_loads_nothing(self, results):
        for one in results.values():
            page = Page(one._repr_html_())
            assert not {"script", "img", "link", "iframe"} & {tag for tag, _ in page.tags}
            assert not any({"src", "href"} & {*attributes} for _, attributes in page.tags)

    def test_html_is_small_accessible_and_has_a_dark_mode(self, results):
        page = results["values"]._repr_html_()
        assert len(page) < 10_000 and "prefers-color-scheme:dark" in page
        assert "tabular-nums" in page and "<caption>" in page
        heads = [attributes for tag, attributes in Page(page).tags if tag == "th"]
        assert all("scope" in attributes for attributes in heads)
        assert any("best list of the user" in attributes.get("title", "") for attributes in heads)

    def test_a_page_has_a_language_and_a_title(self, results, tmp_path):
        results["values"].to_html(tmp_path / "result.html")
        page = (tmp_path / "result.html").read_text(encoding="utf-8")
        assert '<html lang="en">' in page and page.startswith("<!doctype")
        assert all(tag in page for tag in ("<title>", "<main>", "<h1>"))
        Page(page)

    def test_names_are_escaped_in_html(self, tables):
        recs = {HOSTILE: tables["recs"]["good"]}
        page = sqlrec.evaluate("mrr@9", recs=recs, truth=tables["truth"])
        assert HOSTILE in Page(page._repr_html_()).text


class TestDict:
    def test_names_in_dicts_are_valid_in_trackers(self, results):
        one = results["of one model"]
        named = ["ndcg_at_9", "f_beta_beta_2_at_5", "mrr_at_all"]
        assert [*one.to_dict()] == [f"{x}{end}" for x in named for end in ("", "_low", "_high")]
        assert one.to_dict(sep="@")["ndcg@9"] == one.to_arrow()["value"][0].as_py()
        names = results["segments"].to_dict()
        assert {"good/country.fr/ndcg_at_9", "good/country.fr/ndcg_at_9_low"} <= {*names}
        assert all(re.fullmatch(r"[/\w.\- ]+", name) for name in names)

    def test_every_result_is_a_dict(self, results):
        actual = results["compared"].to_dict()
        assert {"good/ndcg_at_9_difference", "good/ndcg_at_9_p_adjusted"} <= {*actual}
        assert results["checked"].to_dict()["good/check.ndcg_9 _ 0.4/ndcg_at_9_passed"] == 1
        assert results["of one model"].user_counts.to_dict()["users_evaluated_at_9"] == 80
        names = results["explained"].to_dict()
        assert {"convention.sqlrec/ndcg_at_9", "convention.ranx ndcg/ndcg_at_9"} <= {*names}

    def test_equal_names_in_a_dict_are_refused(self, tables):
        recs = {"a:b": tables["recs"]["good"], "a;b": tables["recs"]["fair"]}
        result = sqlrec.evaluate("ndcg@9", recs=recs, truth=tables["truth"])
        with raises(sqlrec.InputError, match="two numbers have the name 'a_b/ndcg_at_9'"):
            result.to_dict()


class TestFiles:
    @mark.parametrize("form", output.FORMATS)
    def test_every_table_is_written_in_every_format(self, form, results, tmp_path):
        starts = {"json": "[\n{", "html": "<!doctype", "latex": r"\begin{table}"}
        for name, table in results.items():
            if form == "parquet":
                table.to_parquet(tmp_path / "table.parquet")
                stored = pyarrow.parquet.read_table(tmp_path / "table.parquet")
                assert stored.num_rows == table.to_arrow().num_rows, name
                continue
            text = output.format_table(table, form, Style(80))
            assert text.startswith(starts.get(form, "")) and len(text.splitlines()) > 2, name
            if form == "csv":
                assert len({len(row) for row in csv.reader(io.StringIO(text))}) == 1, name
            if form == "json":
                assert len(json.loads(text)) == table.to_arrow().num_rows, name

    def test_the_extension_selects_the_format(self):
        forms = "csv json markdown html latex parquet table".split()
        endings = "csv json md html tex parquet txt".split()
        assert [output.file_format(f"out.{ending}") for ending in endings] == forms
        assert {*forms} == {*output.FORMATS}

    def test_files_for_programs_have_every_digit(self, results):
        result = results["values"]
        values = result.to_arrow()["value"].to_pylist()
        rows = list(csv.DictReader(io.StringIO(result.to_csv())))
        assert [float(row["value"]) for row in rows] == values
        assert [row["value"] for row in json.loads(result.to_json())] == values


@mark.parametrize(
    "requests, name",
    [
        ("ndcg@10", "NDCG@10"),
        ("map@5", "MAP@5"),
        ("MRR@all", "MRR@all"),
        ("average_precision@10", "Average precision@10"),
        ("hit_rate@1", "Hit rate@1"),
        ("gini@10", "Gini@10"),
        ("f_beta(beta=2)@5", "F beta(beta=2)@5"),
        ("P@5", "P@5"),
    ],
)
def test_metrics_have_names_for_papers(requests, name):
    assert name_for_papers(requests) == name


def test_a_list_of_metrics_has_names_for_papers():
    cells = [Cell("als"), Cell("ndcg(gain=binary, gains=all)@10, recall@5")]
    layout = Layout([Column("model", key=True), Column("metrics")], [Group("", [cells])])
    (row,) = layout.for_papers(name_for_papers).rows()
    assert row[1].text == "NDCG(gain=binary, gains=all)@10, Recall@5"


def test_a_metric_prints_its_header():
    text = repr(sqlrec.metric("ndcg"))
    assert text.startswith("NDCG: the DCG") and "Params    gain = linear" in text
    assert "expected_exposure_disparity" in repr(sqlrec.metrics())
    assert "recommenders" in repr(sqlrec.conventions())
    assert repr(sqlrec.conventions()["ranx"]).startswith("ranx: ranx ")


def test_labels_do_not_replace_words(tables):
    recs = {"users": tables["recs"]["good"].slice(40), "a": tables["recs"]["fair"]}
    actual = sqlrec.compare("ndcg@9", recs=recs, truth=tables["truth"], baseline="a")
    result = sqlrec.evaluate("ndcg@9 mrr@9", recs=recs, truth=tables["truth"])
    labels = {"users": "MINE", "a": "YOURS", "ndcg@9": "N"}
    named = result.to_markdown(labels=labels)
    assert "with a relevant item" in named and named.count("MINE") == 3
    assert "MINE compared with YOURS" in actual.to_markdown(labels=labels)
    assert "| users | value | YOURS |" in actual.to_markdown(labels=labels)


@mark.parametrize("labels", [5, ["a"], {"a": 5}, {5: "a"}])
def test_invalid_labels_are_refused(results, labels):
    result = results["values"]
    for write in (result.to_markdown, result.to_html, result.to_latex):
        with raises(sqlrec.InputError, match="labels="):
            write(labels=labels)
    with raises(sqlrec.InputError, match="sep=5"):
        result.to_dict(sep=5)


def test_keys_of_a_table_of_rows_are_texts():
    rows = [{"model": "als", "country": c, "age": n, "value": 0.5} for n, c in enumerate("xy")]
    layout = rows_layout([*rows[0]], rows)
    assert [column.name for column in layout.columns if column.key] == ["model", "country"]


def test_columns_of_a_metric_stand_together():
    layout = Layout(
        [Column("model", key=True), *(Column(f"@{k}", "ndcg", "↑", number=True) for k in (5, 10))],
        [Group("", [[Cell("x"), Cell("1"), Cell("2", best=True)]])],
    )
    assert '<th scope="colgroup" colspan="2">ndcg ↑</th>' in to_html(layout)
    assert r"\multicolumn{2}{c}{ndcg}" in to_latex(layout)
    assert r"\cmidrule(lr){2-3}" in to_latex(layout)


def test_rows_of_wide_tables_have_names_of_columns_for_narrow_screens():
    names = ["users", "value", "win/tie/loss", "p"]
    columns = [Column("model", key=True), *(Column(name, number=True) for name in names)]
    rows = [[Cell("als"), Cell("9"), Cell("0.5"), Cell(""), Cell("0.01")]]
    wide = to_html(Layout(columns, [Group("", rows)]))
    assert re.findall('<td class="n" data-h="(.*?)">(.*?)</td>', wide) == [
        *(("users", "9"), ("value", "0.5"), ("p", "0.01"))
    ]
    narrow = to_html(Layout(columns[:3], [Group("", [rows[0][:3]])]))
    assert "<td" in narrow and "data-h=" not in narrow and 'class="wide"' not in narrow


def test_rounding_errors_do_not_change_the_text() -> None:
    # Both are 0.1825, summed in different orders.
    sums = 0.1825, 0.18250000000000002
    assert len({number(one, 3) for one in sums}) == 1
    assert len({format_value(one, digits=3) for one in sums}) == 1
    for first, second in (sums, sums[::-1]):
        of_ndcg = {"metric": "ndcg", "k": 10, "request": "ndcg@10", "users": 9}
        rows = [{"model": x, "value": y, **of_ndcg} for x, y in (("a", first), ("b", second))]
        text = to_text(result_layout([*rows[0]], rows), Style())
        assert text.index("a  ") < text.index("b  ")


class TestComparisons:
    def test_have_a_block_for_each_metric_with_the_value_of_the_baseline(self, results):
        layout = results["compared"].layout()
        rows = results["compared"].to_arrow().to_pylist()
        of_fair = {row["request"]: number(row["baseline_value"], 3) for row in rows}
        titles = [group.title for group in results["compared"].layout(digits=3).groups]
        assert titles == [
            f"ndcg@9 ↑ (primary): fair {of_fair['ndcg@9']}",
            f"map@9 ↑: fair {of_fair['map@9']}",
            f"hit_rate@1 ↑: fair {of_fair['hit_rate@1']}",
        ]
        assert [column.name for column in layout.columns[:2]] == ["model", "value"]
        assert layout.renamed({"fair": "F"}).groups[0].title.endswith(": F " + titles[0][-5:])
        assert "NDCG@9 $\\uparrow$ (primary)" in results["compared"].to_latex()

    def test_of_pairs_name_the_better_model_first(self, tables):
        arguments = {name: tables[name] for name in ("recs", "truth")}
        actual = sqlrec.compare("ndcg@9", **arguments)
        (group,) = actual.layout(digits=4).groups
        names = [column.name for column in actual.layout().columns]
        for line in group.rows:
            texts = {name: cell.text for name, cell in zip(names, line, strict=True)}
            better, worse = texts["model"].split(" - ")
            values = {(row["model"], row["baseline"]): row for row in actual.to_arrow().to_pylist()}
            row = values.get((better, worse)) or values[worse, better]
            first = row["value"] if row["model"] == better else row["baseline_value"]
            assert texts["value"] == number(first, 4)
            assert texts["difference"] == number(abs(row["difference"]), 4, sign=True)
            wins, losses = (row[name] for name in ("wins", "losses"))
            wins, losses = (wins, losses) if row["model"] == better else (losses, wins)
            assert texts["win/tie/loss"] == f"{wins}/{row['ties']}/{losses}"
        assert not any(cell.mark == "▼" for line in group.rows for cell in line)


class TestPapers:
    def test_papers_have_the_requested_digits(self, results, tmp_path):
        for name, table in (("values", results["values"]), ("compared", results["compared"])):
            text = table.to_latex(digits=4, caption="Ours", label="tab:x")
            assert r"\caption{Ours}" in text and r"\label{tab:x}" in text
            digits = re.findall(r"(?<=\d\.)\d+(?= &|\$|\s\{)", text)
            assert {*map(len, digits)} <= {1, 4}, name
        with raises(sqlrec.InputError, match="digits=7: it must be a whole number from 0 to 6"):
            results["values"].to_latex(digits=7)
        with raises(sqlrec.InputError, match="only results and comparisons can"):
            results["user counts"].layout(digits=2)

    def test_the_command_line_writes_latex(self, shared, capsys):
        requests = ["compare", "ndcg@9", "--recs", "x", "--truth", "y", "--digits", "2"]
        assert cli.main([*requests, "--format", "latex", "--caption", "Ours", "--label", "a"]) == 0
        assert r"\caption{Ours}" in capsys.readouterr().out
        assert cli.main([*requests, "--label", "a"]) == 1
        assert (
            "--caption and --label apply only to LaTeX tables, not to table"
            in capsys.readouterr().err
        )


class TestAtTheWidthOfATerminal:
    MODELS = ("two_tower_v2_fresh", "item_knn_cosine_50", "popularity")

    def compared(self, **options):
        models = {model: "bca"[n:] + "bca"[:n] for n, model in enumerate(self.MODELS)}
        return sqlrec.compare("mrr@2 ndcg@2", **of_users(40, models), **options)

    @mark.parametrize("baseline", [None, "popularity"])
    def test_names_of_models_do_not_break(self, baseline):
        text = to_text(self.compared(baseline=baseline).layout(), Style(80))
        assert max(map(len, text.splitlines())) <= 80
        names = {word for word in text.split() if "_" in word}
        assert names == {*self.MODELS[:2]}
        assert "by Student's t, corrected like p." in " ".join(text.split())

    def test_novelty_of_lists_without_history_has_a_note(self):
        inputs = {"recs": lists({"ann": "ab"}), "history": wanted({"ann": "c", "bob": "a"})}
        assert "Novelty is 1, as no list has" in str(sqlrec.evaluate("novelty@2", **inputs))
        inputs["recs"] = lists({"ann": "ac"})
        assert "Novelty is 1" not in str(sqlrec.evaluate("novelty@2", **inputs))


def test_a_baseline_may_be_named_like_a_column():
    recs = {
        "value": lists({"ann": "ab", "bob": "ab", "cid": "ba", "dan": "ba"}),
        **dict.fromkeys(
            ("als", "bpr"), lists({"ann": "ba", "bob": "ba", "cid": "ab", "dan": "ab"})
        ),
    }
    truth = wanted(dict.fromkeys(("ann", "bob", "cid", "dan"), "a"))
    users = pa.table({"user_id": ["ann", "bob", "cid", "dan"], "land": ["x", "x", "y", "y"]})
    table = sqlrec.compare(
        "mrr@2", recs=recs, truth=truth, users=users, by="land", baseline="value"
    ).layout()
    assert [column.name for column in table.columns][:3] == ["model", "value", "difference"]
    values = {group.title: group.rows[0][1].text for group in table.groups}
    assert values == {"land=x: value 1.00": "0.50", "land=y: value 0.50": "1.00"}
