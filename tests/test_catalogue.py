"""Every metric's file has a complete header and tests."""

import re
from pathlib import Path

from pytest import mark, raises

import sqlrec
from sqlrec.catalogue import headers

TESTS = Path(__file__).parent
SQL = TESTS.parent / "sql"
METRICS = list(sqlrec.metrics().values())


class TestEachMetric:
    def test_the_header_has_all_entries(self):
        entries = {"Source", "Undefined", "Better", "Family", "Cutoff", "Inputs"}
        rules = "a number( up to [0-9]+|, or all)?|optional|none"
        for metric in METRICS:
            name, has = metric.name, [*metric.entries]
            assert entries <= {*has}, name
            assert metric.title.endswith("."), name
            bounds = r"from (-1|0|1) to \w+|at least (-1|0|1)|unbounded"
            assert re.search(bounds, metric.title), name
            assert metric.family in headers.FAMILIES, name
            assert re.fullmatch(rules, metric.entries["Cutoff"]), name
            labels = [line.split()[0] for line in metric.header.splitlines() if line[:1].isupper()]
            assert labels[-len(has) :] == has, name
            assert has == [entry for entry in headers._ENTRIES if entry in has], name

    def test_has_parameters_with_the_defaults_of_its_header(self):
        for metric in METRICS:
            signatures = re.findall(r"macro \w+__\w+\((.*?)\) -?%}", source(metric))
            assert len(signatures) >= 1 + len(metric.parts) + metric.expected, metric.name
            expected = [(key, str(allowed[0])) for key, allowed in metric.params.items()]
            for signature in signatures:
                # The first argument of the summary over users is its column.
                assert re.findall(r"(\w+)='?([\w.-]+)'?", signature) == expected, metric.name

    def test_the_header_names_the_form_for_ties(self):
        for metric in METRICS:
            closed = metric.entries.get("Ties", "").startswith("expected, in closed")
            assert metric.expected == closed, metric.name
            unexpected = metric.no_expected_form.items()
            assert all({*x} <= {*metric.params[key]} for key, x in unexpected), metric.name

    def test_has_cases_worked_by_hand(self):
        files = (TESTS / "metrics").glob("test_*.py")
        cases = "".join(one.read_text(encoding="utf-8") for one in files)
        for name in sqlrec.metrics():
            opening = f"test_{name} = worked("
            assert f"\n{opening}\n" in cases, f"write {opening}...) in the file of its family"

    def test_is_one_aggregate(self):
        for metric in METRICS:
            body = re.sub(r"^--.*\n", "", source(metric), flags=re.MULTILINE)
            forbidden = re.findall(r"\b(select|join|over|where|from)\b", body)
            assert not forbidden, metric.name


def source(metric):
    """Return the file of a metric."""
    return (SQL / "metrics" / f"{metric.name}.sql").read_text(encoding="utf-8")


@mark.parametrize(
    "name, better",
    [
        *(
            (name, "higher")
            for name in ("ndcg", "catalog_coverage", "shannon_entropy", "ips", "r2")
        ),
        *((name, "lower") for name in ("rmse", "gini", "calibration_kl", "ndpm", "rsp", "pop_reo")),
        *((name, "neither") for name in ("surprisal", "popularity_rank", "item_count", "churn")),
    ],
)
def test_the_direction_is_that_of_the_header(name, better):
    assert sqlrec.metric(name).better == better


@mark.parametrize(
    "line, written, message",
    [
        ("Better    lower", "", "no entry Better: write one of higher, lower, neither"),
        ("Better    lower", "-- Better    more\n", "Better is 'more': write one of higher, lower"),
        ("Family    ratings", "-- Family    ratigns\n", "Family is 'ratigns': write one of rank"),
        ("Family    ratings", "-- Famly     ratings\n", "no entry 'Famly': did you mean 'Family'"),
        ("Family    ratings", "-- Family\n", "no entry Family: write one of ranking, "),
        ("Cutoff    optional", "-- Cutoff    a numbr\n", "Cutoff is 'a numbr': write one of a nu"),
        ("Cutoff    optional", "-- Cutoff    a number up to x\n", "Cutoff is 'a number up to x': "),
        ("Inputs    recs(score), truth(relevance)", "", "no entry Inputs: write it"),
        (
            "Inputs    recs(score), truth(relevance)",
            "-- Inputs    recs, trut(relevance)\n",
            r"Inputs contains 'trut\(relevance\)': write tables with columns or conditions",
        ),
        (
            "Inputs    recs(score), truth(relevance)",
            "-- Inputs    recs, truth if avrage=pooled\n",
            "Inputs contains 'truth if avrage=pooled': ",
        ),
        (
            "Inputs    recs(score), truth(relevance)",
            "-- Inputs    recs, truth if average=all\n",
            "Inputs contains 'truth if average=all': ",
        ),
        (
            "Inputs    recs(score), truth(relevance)",
            "-- Inputs    recs truth\n",
            "Inputs contains ",
        ),
        ("Family    ratings", "-- Family: ratings\n", "'Family:' is not the name of an entry"),
        ("Family    ratings", 2 * "-- Family    ratings\n", "two entries 'Family': write one"),
    ],
)
def test_a_header_is_read_or_refused_by_file_and_entry(line, written, message):
    text = (SQL / "metrics" / "mae.sql").read_text(encoding="utf-8")
    assert f"-- {line}\n" in text
    with raises(sqlrec.MetricError, match=f"metrics/mae.sql: {message}"):
        headers.read_metric_file("mae", text.replace(f"-- {line}\n", written))


def test_unknown_rows_suggest_the_nearest_name():
    text = (SQL / "metrics" / "recall.sql").read_text(encoding="utf-8")
    with raises(sqlrec.MetricError, match=r"recall.sql: no rows 'hit': did you mean 'hits'\?"):
        headers.read_metric_file("recall", text.replace("macro hits__", "macro hit__"))


def test_no_alias_is_a_name_of_another_metric():
    names = [name for metric in METRICS for name in (metric.name, *metric.aliases)]
    assert len(names) == len(set(names))


def test_files_of_the_folder_hold_macros_and_comments_only():
    for path in SQL.rglob("*.sql"):
        text = path.read_text(encoding="utf-8")
        outside = re.sub(r"{%-? (macro|test).*?end\1 -?%}", "", text, flags=re.DOTALL)
        assert all(not line or line.startswith("--") for line in outside.splitlines()), path


def test_macros_have_names_that_dbt_can_look_up():
    # In dbt a package is a dict, whose methods take precedence.
    for path in SQL.rglob("*.sql"):
        names = re.findall(r"{%-? macro (\w+)\(", path.read_text(encoding="utf-8"))
        assert not set(names) & set(dir(dict)), path.name


def test_macros_are_called_by_the_name_of_the_package():
    # dbt finds a macro of this package from another project only by this name.
    texts = {path: path.read_text(encoding="utf-8") for path in SQL.rglob("*.sql")}
    macros = {x for text in texts.values() for x in re.findall(r"{%-? macro (\w+)\(", text)}
    for path, text in texts.items():
        for piece in re.findall(r"{[{%].*?[%}]}", text, flags=re.DOTALL):
            if "macro" not in piece:
                for name in re.findall(r"(?<![\w.])(\w+)\(", re.sub(r"'[^'\n]*'", "", piece)):
                    assert name not in macros, f"{path.name}: {piece}"


def test_a_header_names_each_parameter_of_an_entry_once():
    """A parameter that is written twice would only have its last values: write them as a|b."""
    for metric in METRICS:
        keys = re.findall(r"(\w+)=", metric.entries.get("Ties", ""))
        tables = [need.table for need in metric.needs if "=" in need.when]
        assert len(keys) == len({*keys}) and len(tables) == len({*tables}), metric.name
