"""Reports: their content, with any input missing, and without external resources."""

import re
import warnings
from html.parser import HTMLParser
from itertools import pairwise

import pyarrow as pa
from pyarrow.parquet import write_table
from pytest import fixture, mark, raises, warns

import sqlrec
from sqlrec.cli.program import main
from sqlrec.layouts.losses import headline
from sqlrec.reports.blocks import Picture, to_markdown_block
from sqlrec.reports.verdict import (
    best_headline,
    compare_models,
    describe_best_by_segment,
    describe_best_model,
)

from ..plots.data import HOSTILE, inputs, table
from ..tables import lists, wanted

INPUTS = ("recs", "truth", "history", "users", "items")


@fixture(scope="module")
def given():
    return inputs(users=120)


def made(given, metrics="ndcg@5,10 recall@10", **options):
    options = {"baseline": "pop", "by": "country", **given, **options}
    return sqlrec.report(metrics, **options)


@fixture(scope="module")
def whole(given):
    command = "sqlrec report --engine postgresql://me:secret@host/db"
    return made(given, catalog=given["items"].select(["item_id"]), command=command)


@fixture(scope="module")
def without_baseline(given):
    return made(given, baseline=None, by=(), history=None)


@fixture(scope="module")
def odd():
    """Return inputs with user ids that no other text contains."""
    actual = inputs(users=30)
    for name in ("recs", "truth", "history", "users"):
        at = actual[name].column_names.index("user_id")
        ids = pa.array([f"person-{user}" for user in actual[name]["user_id"].to_pylist()])
        actual[name] = actual[name].set_column(at, "user_id", ids)
    return actual


@fixture(scope="module")
def few(odd):
    """Return a small report with a title."""
    options = {"by": (), "who_lost": False, "title": "Autumn", "note": "30 users of March"}
    return made(odd, "ndcg@5", **options)


def section(report, name):
    (actual,) = (one for one in report.sections if one.name == name)
    return "\n".join(map(text_of, actual.blocks))


def text_of(block):
    """Return the Markdown of a block; the text or title of a note or plot that only pages have."""
    picture = isinstance(block, Picture)
    return (
        block.plot.chart.title
        if picture
        else to_markdown_block(block) or getattr(block, "text", "")
    )


class Page(HTMLParser):
    """The content of a page: headings, ids and open elements."""

    VOID = ("meta", "input", "br", "link", "img")

    def __init__(self, text):
        super().__init__()
        self.open, self.headings, self.ids, self.links, self.tags = [], [], [], [], []
        self.feed(text)
        assert not self.open

    def handle_starttag(self, tag, attrs):
        attrs = dict(attrs)
        self.tags.append((tag, attrs))
        if tag not in self.VOID:
            self.open.append(tag)
        if re.fullmatch("h[1-6]", tag):
            self.headings.append(tag)
        if "id" in attrs:
            self.ids.append(attrs["id"])
        if tag == "a":
            self.links.append(attrs["href"])

    def handle_endtag(self, tag):
        assert self.open.pop() == tag


class TestPage:
    def test_is_well_formed_with_one_first_heading_and_each_id_once(self, whole):
        page = Page(whole.html)
        assert page.headings.count("h1") == 1
        levels = [int(name[1]) for name in page.headings]
        assert all(after - before <= 1 for before, after in pairwise(levels))
        assert len(page.ids) == len(set(page.ids))
        assert {link[1:] for link in page.links} <= set(page.ids)

    def test_the_page_loads_no_resource_and_has_no_script(self, whole):
        text = whole.html.replace('xmlns="http://www.w3.org/2000/svg"', "")
        assert not re.search(r"https?:|(?<![:\w])//\w|url\(|@import|<script|\bsrc=|<link", text)

    def test_no_password_is_in_it(self, whole):
        assert "secret" not in whole.html
        assert "me:***@host" in whole.html

    def test_is_small(self, whole):
        assert len(whole.html.encode()) < 300_000

    @mark.slow
    def test_is_small_with_many_models_too(self):
        many = inputs(users=12, models=(*(f"model {n:03}" for n in range(20)), "pop"))
        report = made(many, items=None)
        assert len(report.html.encode()) < 300_000
        assert "Plots show the best 12 models, including the baseline, but not 9 others" in (
            section(report, "results")
        )
        drawn = [block for one in report.sections for block in one.blocks if hasattr(block, "plot")]
        assert drawn and all(len({row["model"] for row in one.plot.rows}) <= 13 for one in drawn)

    @mark.slow
    def test_is_small_with_many_metrics_and_cutoffs_too(self):
        few = inputs(users=12, models=(*(f"model {n:03}" for n in range(12)), "pop"))
        report = made(few, "all@1,2,3")
        assert 200_000 < len(report.html.encode()) < 300_000
        assert "more columns" in section(report, "results")
        assert "is excluded from this page: request fewer metrics" in report.html

    @mark.slow
    def test_is_the_same_twice(self, given, whole):
        command = "sqlrec report --engine postgresql://me:***@host/db"
        again = made(given, catalog=given["items"].select(["item_id"]), command=command)
        assert again.html == whole.html
        assert again.markdown == whole.markdown

    def test_scrolls_and_opens_by_the_keyboard(self, whole):
        for tag, attrs in Page(whole.html).tags:
            if tag == "pre":
                assert attrs["tabindex"] == "0"
            if attrs.get("role") == "region":
                assert attrs["aria-label"] and attrs["tabindex"] == "0"

    def test_colors_of_text_can_be_read(self):
        from sqlrec.plots.svg import INK, MUTED, PAPER

        for colors in (INK, MUTED):
            for dark in (0, 1):
                assert contrast(colors[dark], PAPER[dark]) >= 4.5

    def test_names_are_escaped(self):
        odd = inputs(users=40, models=(HOSTILE, "pop"))
        countries = [(user, HOSTILE + "ab"[user % 2]) for user in range(40)]
        odd["users"] = table(countries, "user_id country")
        odd["items"] = table([(item, HOSTILE) for item in range(40)], "item_id title")
        report = made(odd, "ndcg@5")
        Page(report.html)
        assert "<script" not in report.html + report.markdown
        assert "alert(1)" in report.html


def contrast(one, other):
    """Return the contrast ratio of two colors by WCAG 2."""

    def light(color):
        parts = [int(color[at : at + 2], 16) / 255 for at in (1, 3, 5)]
        lit = [p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]
        return 0.2126 * lit[0] + 0.7152 * lit[1] + 0.0722 * lit[2]

    high, low = sorted((light(one), light(other)), reverse=True)
    return (high + 0.05) / (low + 0.05)


@fixture(scope="module")
def verdict():
    """Return the verdict on three models with numbers of hits; the baseline has 15 of 40."""
    recs = [
        (model, user, 1 if user < hits else 2, 1)
        for user in range(40)
        for model, hits in (("als", 40), ("knn", 0), ("new", 16), ("pop", 15))
    ]
    return verdict_of("hit_rate@1", recs, 40)


def report_of(metric, recs, count, **options):
    """Return the report on models if item 1 is relevant to every user."""
    truth = table([(user, 1) for user in range(count)], "user_id item_id")
    recs = table(recs, "model user_id item_id rank")
    given = {"recs": recs, "truth": truth, "baseline": "pop", "who_lost": False} | options
    return sqlrec.report(metric, **given)


def verdict_of(metric, recs, count, **options):
    """Return the verdict of that report."""
    return section(report_of(metric, recs, count, **options), "verdict")


USERS = [f"u{number}" for number in range(200)]


def new_and_old(new, old):
    """Return the lists of two models for 200 users; a model has a hit first for some users."""
    recs = {
        model: lists({user: "ab" if first(n) else "ba" for n, user in enumerate(USERS)})
        for model, first in (("new", new), ("old", old))
    }
    return {"recs": recs, "truth": wanted(dict.fromkeys(USERS, "a")), "baseline": "old"}


def of_countries(german):
    """Return 200 users: the first users are in de, and the rest are in fr."""
    country = ["de" if number < german else "fr" for number in range(200)]
    return pa.table({"user_id": USERS, "country": country, "half": [1, 2] * 100})


class TestVerdict:
    def test_a_model_that_is_better_beats_the_baseline(self, verdict):
        assert "als beats pop: Hit rate@1 +0.62" in verdict
        assert "25 users gain, 0 lose" in verdict

    def test_a_model_that_is_worse_loses(self, verdict):
        assert "knn loses to pop: Hit rate@1 -0.38" in verdict

    def test_less_is_better_where_the_metric_says_so(self):
        recs = [("als", user, 1, 1) for user in range(30)]
        recs += [("pop", user, 9, 1) for user in range(30)]
        text = verdict_of("unjudged_share@1", recs, 30)
        assert "als beats pop: Unjudged share@1 -1.000; 30 users gain, 0 lose" in text

    def test_an_open_comparison_names_the_detectable_difference(self, verdict):
        assert "new does not differ significantly from pop" in verdict
        assert re.search(
            r"40 users, differences of at least 0\.0\d+ are detected \(80% power", verdict
        )

    def test_segments_that_are_worse_are_named(self, given):
        recs = [("als", user, 1 if user % 3 else 99, 1) for user in range(120)]
        recs += [("pop", user, 1, 1) for user in range(120)]
        text = verdict_of("hit_rate@1", recs, 120, users=given["users"], by="country")
        assert "als is significantly worse for country=a (40 users)." in text

    def test_the_best_model_is_first_and_a_model_that_loses_everywhere_has_one_line(self):
        recs, shares = [], {"bad": 0, "fair": 10, "good": 20}
        for user in range(240):
            for model, share in shares.items():
                hit = user % 24 < share and not (model == "good" and user % 4 == 3)
                recs.append((model, user, 1 if hit else 9, 1))
        users = [(user, "abcd"[user % 4], "xy"[user % 2]) for user in range(240)]
        by = {"users": table(users, "user_id country tier"), "by": ["country", "tier"]}
        report = report_of("hit_rate@1", recs, 240, baseline="fair", **by)
        text = section(report, "verdict").splitlines()
        assert [line.partition(":")[0] for line in text] == [
            "### Best model",
            "- \u2605 good has the best Hit rate@1 of 3 models",
            "### Comparison with fair",
            "- \u25b2 good beats fair",
            "- \u25bc bad loses to fair",
            "### Worse segments",
            "- \u25bc good is significantly worse for country=d (60 users).",
            "- \u25bc bad is significantly worse for all users and every segment.",
            "### Users excluded, or without a list",
            "- \u25cb None",
        ]
        assert "tier" not in text[6]
        html = report.html
        assert "country=d<" in html and "not known" not in html
        omitted = "The plot has the 6 segments of single columns, but not the 4 of several columns."
        assert omitted in html and omitted not in report.markdown
        losses = section(report, "segments").partition("**Significantly worse than fair")[2]
        rows = [line for line in losses.splitlines() if line[:2] == "| "]
        assert rows[2].startswith("| good | country=d |")

    def test_models_with_one_outcome_share_a_verdict(self):
        row = {
            **{"request": "ndcg@5", "better": "higher", "users": 9, "country": "a", "wins": 1},
            **{"difference": -0.2, "low": -0.3, "high": -0.1, "p_adjusted": 0.2, "losses": 8},
        }
        rows = [{"model": f"m{number}", **row, "detectable": 0.5} for number in range(14)]
        first, together = compare_models([rows[0] | {"p_adjusted": 0}, *rows[1:5]], [], "pop", 0.95)
        assert first.text.startswith("m0 loses to pop")
        assert together.text.startswith(
            "4 models do not differ significantly from pop: NDCG@5, with 95% intervals, of "
            "m1 -0.20 (-0.30 to -0.10); m2"
        )

    def test_who_is_best_by_other_metrics_is_named_by_direction(self):
        limits = {"low": None, "high": None}
        rows = [
            {"model": model, "request": requests, "better": better, "value": value, **limits}
            for requests, better, values in (
                *(("ndcg@5", "higher", (0.3, 0.2)), ("gini@5", "lower", (0.9, 0.8))),
                *(("map@5", "higher", (0.2, 0.1)), ("popularity@5", "neither", (1.0, 2.0))),
            )
            for model, value in zip(("als", "pop"), values, strict=True)
        ]
        (actual,) = describe_best_model(rows, 0.95)
        assert actual.text.endswith("of 2 models: 0.300. But pop is best by Gini@5.")

    def test_equal_models_are_all_named(self):
        limits = {"low": None, "high": None, "request": "ndcg@5", "better": "higher"}

        def texts(*values):
            pairs = zip("abc", values, strict=True)
            rows = [
                {"model": model, "value": value, "country": "x", **limits} for model, value in pairs
            ]
            every = describe_best_model(rows, 0.95) + describe_best_by_segment(rows, ["country"])
            return [best_headline(rows, [], 0.95), *(verdict.text for verdict in every)]

        assert texts(0.0, 0.0, 0.0) == [
            "a, b and c have the same NDCG@5",
            "a, b and c have the same NDCG@5: 0.000.",
        ]
        assert texts(0.2, 0.1, 0.2) == [
            "a and c are best by NDCG@5",
            "a and c have the best NDCG@5 of 3 models: 0.200.",
            "a has the best NDCG@5 for country=x.",
            "c has the best NDCG@5 for country=x.",
        ]

    def test_the_best_of_segments_is_named_without_a_total(self):
        rows = [
            {"model": model, "request": requests, "better": better, "value": value}
            | {"country": country}
            for requests, better in (("mae@5", "lower"), ("ndcg@5", "higher"))
            for model, country, value in (
                *(("als", "a", 0.1), ("als", "b", 0.1), ("als", None, 0.3)),
                *(("pop", "a", 0.2), ("pop", "b", 0.2), ("pop", None, 0.2)),
            )
        ]
        assert [one.text for one in describe_best_by_segment(rows, ["country"])] == [
            "als has the best MAE@5 for country=a and country=b.",
            "pop has the best MAE@5 for country=not known.",
        ]
        alone = [row for row in rows if row["model"] == "als"]
        assert not describe_best_by_segment(alone, ["country"])

    def test_models_not_worse_than_the_best_are_named(self):
        rows = [
            {"model": model, "request": "ndcg@5", "better": "higher", "value": value}
            | {"low": value - 0.1, "high": value + 0.1}
            for model, value in (("als", 0.5), ("pop", 0.4), ("knn", 0.45))
        ]
        tests = [
            {"model": model, "request": "ndcg@5", "p": p, "p_adjusted": p}
            for model, p in (("pop", 0.001), ("knn", 0.2))
        ]
        (verdict,) = describe_best_model(rows, 0.95, tests)
        assert verdict.text.endswith("0.60), not distinguishable from knn.")

    def test_reports_of_logged_decisions_have_no_users(self):
        rows = [(float(n % 2), 0.5, 0.1 + n / 10) for n in range(8)]
        logs = table(rows, "reward propensity target_probability")
        report = sqlrec.report("ips", logs=logs)
        assert "8 logged decisions" in report.about and "users" not in report.about
        assert "Weights of logged decisions" in section(report, "beyond")
        names = [one.name for one in report.sections]
        assert names == ["verdict", "results", "beyond", "counted", "made"]
        with raises(sqlrec.InputError, match="baseline='pop': logged decisions have one policy"):
            sqlrec.report("ips", logs=logs, baseline="pop")

    def test_policies_that_are_averaged_together_are_warned_of(self):
        rows = [(1.0, 0.5, 0.5, "old"), (0.0, 0.5, 0.1, "new")]
        logs = table(rows, "reward propensity target_probability policy")
        with warns(UserWarning, match=r"logs has an unused column 'policy' .* \(new, old\)"):
            report = sqlrec.report("ips", logs=logs)
        assert "all decisions are averaged together" in section(report, "counted")

    def test_without_baseline_the_best_is_named(self, without_baseline):
        text = section(without_baseline, "verdict")
        assert "has the best NDCG@5 of 2 models: 0." in text
        assert "Name one of the models as baseline" in text


class TestInputsThatAreMissing:
    def test_a_part_without_its_inputs_is_omitted(self, without_baseline, few):
        names = ["verdict", "results", "counted", "made"]
        assert [part.name for part in without_baseline.sections if part.name != "cutoffs"] == names
        assert "This report excludes users" in section(few, "lost")

    def test_lists_and_truth_have_plots_of_metrics_that_need_no_more(self, given):
        inputs = {name: given[name] for name in ("recs", "truth")}
        report = sqlrec.report("ndcg@5 recall@5", **inputs)
        assert [part.name for part in report.sections] == ["verdict", "results", "counted", "made"]
        plots = section(sqlrec.report("ndcg@5 gini@5", **inputs), "beyond")
        assert plots == "NDCG@5 against Gini@5\nConcentration of recommendations on items"

    def test_an_error_names_the_input_of_segments(self, given):
        inputs = {name: given[name] for name in ("recs", "truth", "users")}
        for by, words in (((), ""), ("country", "Segments by country need a baseline: give one")):
            markdown = sqlrec.report("ndcg@5", **inputs, by=by, who_lost=False).markdown
            assert ("By segment" in markdown) == bool(words) and words in markdown

    @mark.slow
    @mark.parametrize("name", ["history", "items"])
    def test_a_report_is_made_without(self, name, given):
        Page(made(given, **{name: None}).html)

    @mark.slow
    def test_inputs_may_be_frames(self, given):
        frames = {key: x.to_pandas() for key, x in given.items() if isinstance(x, pa.Table)}
        assert len(frames) > 2
        assert "a DataFrame" in made(given, **frames).html

    def test_a_single_model_has_a_report(self, given):
        recs = given["recs"].filter(pa.compute.equal(given["recs"]["model"], "als"))
        report = made(given, "ndcg@5", recs=recs, baseline=None, by=())
        assert "als has NDCG@5" in section(report, "verdict")


class TestSegments:
    def test_a_line_says_where_the_difference_changes(self):
        given = new_and_old(lambda n: n < 60, lambda n: False) | {"users": of_countries(60)}
        report = sqlrec.report("hit_rate@1", **given, who_lost=False)
        title = "**Segments in which the Hit rate@1 difference from old changes**"
        assert section(report, "segments").splitlines()[0] == title
        assert "| country | de | 60 | +1.00 | 0.00 |" in section(report, "segments")
        given["users"] = given["users"].select(["user_id", "half"])
        report = sqlrec.report("hit_rate@1", **given, who_lost=False)
        assert "No column of users changes the difference" in section(report, "segments")

    def test_a_worse_segment_of_a_column_that_was_not_named_is_in_the_verdict(self):
        """100 of the 200 users, in fr, gain, and 40 users in de lose; both halves gain."""
        given = new_and_old(lambda n: n >= 40, lambda n: n < 100) | {"users": of_countries(50)}
        report = sqlrec.report("hit_rate@1", **given, who_lost=False)
        worse = "- \u25bc new is significantly worse for country=de (50 users)."
        assert worse in section(report, "verdict")
        title = "new beats old by Hit rate@1, but is worse for country=de (50 users)"
        assert report.title == title
        assert worse in section(sqlrec.report("hit_rate@1", **given, by="country"), "verdict")
        given["users"] = given["users"].select(["user_id", "half"])
        verdict = section(sqlrec.report("hit_rate@1", **given, who_lost=False), "verdict")
        assert "- \u25cb new is not significantly worse in any segment." in verdict

    def test_a_topic_of_the_verdict_is_not_parted_from_its_heading(self, whole):
        (verdict,) = re.findall('<section id="verdict".*?</section>', whole.html, re.DOTALL)
        topics = re.findall('<div class="topic"><h3>(.*?)</h3>(.*?)</div>', verdict, re.DOTALL)
        assert len(topics) > 2 and all('class="verdict' in blocks for _, blocks in topics)
        assert ".topic{break-inside:avoid}" in whole.html

    def test_inputs_that_only_plots_read_are_listed(self, whole):
        rows = section(whole, "made")
        assert all(f"\n| {name} |" in rows for name in ("truth", "history", "items"))


class TestWhoLost:
    def test_ten_users_lose_most_first_with_both_lists_and_titles(self, given, whole):
        lost = [line for line in section(whole, "lost").splitlines() if "User " in line]
        values = [re.findall(r"\d\.\d+", line)[:2] for line in lost]
        losses = [float(of_pop) - float(of_als) for of_als, of_pop in values]
        assert len(lost) == 10
        assert losses == sorted(losses, reverse=True) and losses[-1] > 0
        html = whole.html
        assert "Film 3" in html and "\u2713 hit" in html
        user = int(re.search(r"User (\d+)", lost[0])[1])
        had = {row["item_id"] for row in given["history"].to_pylist() if row["user_id"] == user}
        count = f"{min(10, len(had))} of {len(had)}" if len(had) > 1 else "1"
        assert f"<h3>had before: {count}</h3><ul><li>Film {min(had)}</li>" in html

    def test_titles_are_also_in_the_catalog(self, given):
        odd = {**given, "catalog": given["items"]}
        del odd["items"]
        assert "Film 3" in made(odd, "ndcg@5").html
        items = given["items"].to_pylist()
        odd["items"] = table(
            [(x["item_id"], f"Movie {x['item_id']}") for x in items], "item_id title"
        )
        html = made(odd, "ndcg@5").html
        assert "Movie 3" in html and "Film 3" not in html

    def test_a_title_is_above_the_decision(self, given, whole):
        report = made(given, title="Films of autumn")
        assert report.title == "Films of autumn" and "pop by NDCG@5" in whole.title
        assert report.markdown.split("\n\n")[3] == f"**{whole.title}**"
        assert f'<p class="decision">{whole.title}</p>' in report.html

    def test_users_with_the_largest_differences_can_be_browsed(self, whole):
        (browsed,) = (x for x in whole.sections if x.name == "lost" for x in x.blocks[-1:])
        assert browsed.summary == "Browse the users with the largest differences"
        values = [re.findall(r"\d\.\d+", user.summary)[:2] for user in browsed.blocks]
        differences = [float(value) - float(base) for value, base in values]
        sizes = [round(abs(difference), 2) for difference in differences]
        assert min(differences) < 0 < max(differences) and len(differences) == 50
        assert all(after <= before + 0.01 for before, after in pairwise(sizes))
        for user in browsed.blocks:
            assert [model for model, _ in user.lists] == ["als", "pop"]
            assert all(items for _, items in user.lists) and not user.opened
        assert browsed.summary in whole.html and browsed.summary not in whole.markdown

    def test_no_user_is_in_a_report_without_them(self, odd, few):
        assert "person-" not in few.html
        hashed = made(odd, "ndcg@5", by=(), who_lost="hashed")
        assert "person-" not in hashed.html
        assert len(re.findall(r"User [0-9a-f]{8}\*", section(hashed, "lost"))) == 10


class TestLibraries:
    def test_each_value_is_there_with_who_prints_it(self, given):
        truth = {"recs": given["recs"], "truth": given["truth"]}
        text = section(sqlrec.report("ndcg@5", **truth, libraries=True), "libraries")
        some = ["lenskit", "recbole", "sklearn", "trec_eval"]
        explained = sqlrec.explain("ndcg@5", **truth, conventions=some).to_arrow().to_pylist()
        values = {row["value"] for row in explained}
        numbers = [float(number) for number in re.findall(r"\d\.\d{3,}", text)]
        assert all(any(abs(number - value) < 5e-4 for number in numbers) for value in values)
        assert "recbole" in text

    def test_the_steps_to_another_value_are_there(self, given):
        truth = {"recs": given["recs"], "truth": given["truth"]}
        *_, theirs = sqlrec.evaluate("map(convention=torchmetrics)@5", **truth).rows().to_pylist()
        number = f"{theirs['value']:.6f}"
        text = section(sqlrec.report("map@5", **truth, value=number), "steps")
        assert f"From sqlrec's value to {number}" in text and "torchmetrics" in text
        assert "divides by the hits within 5" in text


class TestTitle:
    """The title is the decision by the first metric."""

    @mark.parametrize(
        ("models", "title"),
        [
            ({"new": "ab"}, "new beats main by MRR@2"),
            ({"new": "bc"}, "new loses to main by MRR@2"),
            ({"new": "ba"}, "new does not beat main by MRR@2"),
            ({"new": "bc", "old": "ba"}, "No model beats main by MRR@2"),
            ({"new": "ab", "old": "ab"}, "new and old beat main by MRR@2"),
        ],
    )
    def test_says_which_models_beat_the_baseline(self, models, title):
        users = [f"u{number}" for number in range(20)]
        recs = {name: lists(dict.fromkeys(users, items)) for name, items in models.items()}
        recs["main"] = lists(dict.fromkeys(users, "ba"))
        truth = wanted(dict.fromkeys(users, "a"))
        compared = sqlrec.compare("mrr@2", recs=recs, truth=truth, baseline="main")
        assert headline(compared.to_arrow().to_pylist(), "main", 0.95) == title

    def test_is_replaced_and_has_a_note_under_it(self, few):
        assert few.markdown.startswith("# Autumn\n\n30 users of March \u00b7 NDCG@5")

    def test_markdown_is_short_before_its_collapsed_part(self, whole):
        head = whole.markdown.partition("<details>")[0]
        assert head.count("\n") <= 60
        assert "## Verdict" in head and "| model |" in head


def test_the_verdict_on_segments_has_the_tests_of_the_decision(given):
    options = {"metrics": "ndcg@5", "decide": "no segment of country worse", "who_lost": False}
    options |= {"history": None, "items": None}
    named, unnamed = (made(given, by=by, **options) for by in ("country", ()))
    for name in ("verdict", "segments"):
        assert section(named, name) == section(unnamed, name)


def test_repeated_rows_and_items_of_the_history_are_counted(odd, few):
    recs = pa.concat_tables([odd["recs"], odd["recs"].slice(0, 1)])
    inputs = {"recs": recs, "truth": odd["truth"], "history": odd["truth"].slice(0, 2)}
    report = sqlrec.report("ndcg@5", **inputs, rules=sqlrec.Rules(duplicates="first"))
    counted = section(report, "counted")
    assert "Repeated: 1 row of recs, 0 rows of truth." in counted
    assert re.search(r"Also in history: \d pairs? of recs, 2 pairs of truth\.", counted)
    assert "Repeated" not in section(few, "counted")


class TestStored:
    @mark.slow
    def test_only_results_are_needed(self, given, tmp_path):
        truth = {"recs": given["recs"], "truth": given["truth"]}
        result = sqlrec.evaluate("ndcg@5,10", **truth, interval="t")
        by = {"users": given["users"], "by": "country", "baseline": "pop", "each": True}
        compared = sqlrec.compare("ndcg@5,10", **truth, **by)
        result.to_parquet(tmp_path / "found.parquet")
        compared.to_parquet(tmp_path / "compared.parquet")
        stored = sqlrec.report(
            results=tmp_path / "found.parquet", comparison=tmp_path / "compared.parquet"
        )
        fresh = made(given, metrics="ndcg@5,10")
        of_all = section(stored, "verdict").split(" It is ")[0].splitlines()[0]
        assert of_all.split("(")[0] == section(fresh, "verdict").splitlines()[0].split("(")[0]
        assert section(stored, "segments").count("|") > 20
        Page(stored.html)

    def test_results_have_a_table_and_refuse_metrics(self, given):
        truth = {"recs": given["recs"], "truth": given["truth"]}
        result = sqlrec.evaluate("ndcg@5", **truth)
        page = sqlrec.report(results=result).html
        assert "Metrics by model" in page and "By segment" not in page
        with raises(sqlrec.InputError, match="omit metrics, which needs inputs"):
            sqlrec.report("ndcg@5", results=result)


class TestWarnings:
    def test_warnings_are_given_once_and_are_in_the_report(self, given):
        few = table([(user, 1000 + user) for user in range(20)], "user_id item_id")
        with warns(UserWarning, match="no item of truth is in any list") as caught:
            report = made(given, truth=few, by=(), who_lost=False)
        (text,) = (str(one.message) for one in caught if ": no item of" in str(one.message))
        assert f"Warning: {text.split(':')[0]}: no item of truth" in section(report, "counted")


class TestWhatCanNotBe:
    def test_an_unknown_option_is_refused(self, given):
        with raises(TypeError, match="unknown argument 'interval'"):
            made(given, interval="bootstrap")

    def test_another_ending_is_refused(self, whole, tmp_path):
        with raises(sqlrec.InputError, match=r"one of \.html, \.md"):
            whole.save(tmp_path / "x.pdf")


class TestLine:
    @fixture
    def files(self, given, tmp_path, monkeypatch):
        monkeypatch.chdir(tmp_path)
        for name in INPUTS:
            write_table(given[name], f"{name}.parquet")
        return tmp_path

    ASKED = ("ndcg@5,10", "--recs", "recs.parquet", "--truth", "truth.parquet")

    def test_a_report_is_written_as_the_ending_says(self, files, whole):
        assert main(["report", *self.ASKED, "--baseline", "pop", "-o", "x.md"]) == 0
        text = (files / "x.md").read_text(encoding="utf-8")
        assert text.startswith("# als does not beat pop")
        assert "sqlrec report ndcg@5,10 --recs recs.parquet" in text
        assert re.search(r"\| truth \| ./truth.parquet \| \d+ \| [0-9a-f]{16} \|", text)
        whole.save("x.html")
        assert (files / "x.html").read_text(encoding="utf-8") == f"{whole.html}\n"

    @mark.parametrize(
        ("requests", "message"),
        [
            ([*ASKED, "-o", "x.gif"], "the extension of a report must be one of .html, .md"),
            ([*ASKED, "-o", "recs.parquet"], "is an input"),
            ([*ASKED, "--baseline", "popp", "-o", "x.md"], "--baseline popp"),
            (["--from", "none.parquet", "-o", "x.md"], "give a Parquet file"),
        ],
    )
    def test_errors_have_one_line_and_write_no_file(self, requests, message, files, capsys):
        assert main(["report", *requests]) == 1
        error = capsys.readouterr().err
        assert message in error and error.count("\n") == 1
        assert not (files / "x.md").exists()


@mark.slow
def test_a_million_rows_leave_the_report_as_small():
    count = 1_000_000
    rows = {"model": ["als", "pop"] * (count // 2), "user_id": [n // 20 for n in range(count)]}
    rows["item_id"] = [(n * 7919 + n // 20) % 5000 for n in range(count)]
    rows["rank"] = [n % 20 // 2 + 1 for n in range(count)]
    users = range(count // 20)
    truth = pa.table({"user_id": [*users], "item_id": [n % 5000 for n in users]})
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        given = {"recs": pa.table(rows), "truth": truth, "history": truth, "baseline": "pop"}
        given["catalog"] = truth.select(["item_id"])
        report = sqlrec.report("ndcg@5,10 catalog_coverage@10", **given)
    assert len(report.html.encode()) < 300_000
