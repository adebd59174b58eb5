"""Custom metrics: files that are read, checked and run like sqlrec's."""

import re
from itertools import chain
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet
from pytest import approx, fixture, mark, raises

import sqlrec
from sqlrec.catalogue.custom_metrics import load_metrics
from sqlrec.cli import main

from .tables import in_sqlite, table, values, wanted

PAGE = Path(__file__).parents[1] / "docs" / "own_metrics.md"
IDS = {"user_id": ["ann", "ann", "bob", "ann", "bob"], "item_id": [*"abaac"]}
RECS = pa.table({"model": [*"xxxyy"], **IDS, "rank": [1, 2, 1, 1, 1]})
TRUTH = wanted({"ann": {"a": 1, "b": 1}, "bob": {"c": 1}})
ITEMS = pa.table({"item_id": [*"abc"], "price": [2.5, 4, 3]})
METRICS = "revenue@2 early_hits(first=1)@2 top_share@2 top_share(items=2)@2"
BY_HAND = [(2.5 + 4) / 2, 1.5 / 2, 2 / 3, 1, (2.5 + 3) / 2, 2 / 2, 1 / 2, 1]


def write_page(folder):
    """Write the files of the page to a folder."""
    folder.mkdir(exist_ok=True)
    page = PAGE.read_text(encoding="utf-8")
    results = re.findall(r"`metrics/(\w+)\.sql`:\n\n```sql\n(.*?)```", page, re.DOTALL)
    assert len(results) == 3
    for name, text in results:
        (folder / f"{name}.sql").write_text(text)


@fixture
def folder(tmp_path):
    write_page(tmp_path)
    return tmp_path


def test_the_examples_of_the_page_equal_values_by_hand(folder):
    inputs = {"recs": RECS, "truth": TRUTH, "items": ITEMS, "metrics_path": folder}
    result = sqlrec.evaluate(METRICS, **inputs, interval="t")
    assert values(result) == approx(BY_HAND)
    assert len(result.per_user()) == 8
    assert "↓" in str(result)
    stored = in_sqlite({"recs": RECS, "truth": TRUTH, "items": ITEMS})
    results = sqlrec.evaluate(METRICS, **stored)
    assert values(results) == approx(BY_HAND)
    compared = sqlrec.compare("revenue@2", **inputs, baseline="x").to_arrow().to_pylist()
    assert compared[0]["difference"] == approx(-0.5)
    assert sqlrec.check("revenue@2 >= 1", **inputs).passed
    assert "revenue@2" in sqlrec.report("revenue@2", **inputs, who_lost=False)._repr_html_()
    for dialect in ("snowflake", "fabric"):
        requests = {"recs": "r", "truth": "t", "items": "i"}
        assert " as revenue" in sqlrec.sql("revenue@2", **requests, dialect=dialect)


def test_the_command_line_has_custom_metrics(folder, capsys, monkeypatch):
    monkeypatch.chdir(folder)
    pyarrow.parquet.write_table(RECS, "recs.parquet")
    pyarrow.parquet.write_table(TRUTH, "truth.parquet")
    pyarrow.parquet.write_table(ITEMS, "items.parquet")
    inputs = ["--recs", "recs.parquet", "--truth", "truth.parquet", "--items", "items.parquet"]
    inputs += ["--format", "csv"]
    assert main(["evaluate", "revenue@2", *inputs, "--metrics", "."]) == 0
    assert "x,revenue,2,revenue@2,3.25,2" in capsys.readouterr().out
    assert main(["show", "revenue", "--metrics", "revenue.sql"]) == 0
    assert "finance" in capsys.readouterr().out
    assert main(["list", "revenue", "--metrics", "none"]) == 1
    assert (
        "--metrics none: no folder, file or entry point sqlrec.metrics has this name"
        in capsys.readouterr().err
    )


def test_a_file_is_read_anew_when_it_has_changed(folder):
    inputs = {"recs": RECS, "truth": TRUTH, "items": ITEMS, "metrics_path": folder / "revenue.sql"}
    assert values(sqlrec.evaluate("revenue@2", **inputs))[0] == 3.25
    text = (folder / "revenue.sql").read_text()
    (folder / "revenue.sql").write_text(text.replace("sum(hit", "2 * sum(hit"))
    assert values(sqlrec.evaluate("revenue@2", **inputs))[0] == 6.5


GOOD = """\
-- Mine: what it means.
--
-- Source    me
-- Undefined never
-- Better    higher
-- Family    ranking
-- Cutoff    a number
-- Inputs    recs, truth
{% macro hits__mine() %}
sum(hit)
{% endmacro %}
"""


# Expressions by their form of sums at several cutoffs.
EXPRESSIONS = {
    "down to each match, of ranks and gains": ("sum(hit * discount) / ideal_dcg",),
    "down to each match": (
        "max(hit / rank) - sum(case when hit = 0 then 1 else 0 end)",
        "max(cast(2 as double)) * sum(hit)",
    ),
    "divided by what depends on the cutoff": (
        "sum(relevance * (1 / (rank + 1 - hits_so_far))) / greatest(k, list_length)",
    ),
    "down to each match, of no match too": ("sum(nullif(hit, 1) + 1)", "sum(distinct hit)"),
    "at each cutoff": (
        "sum(hit) / count(*)",
        "SUM(hit) / COUNT(*)",
        "sum(hit * (k - rank))",
        "sum(precision_lead)",
        "sum(case when 'a)' = 'b' then 1 else hit end)",
        "avg(k) + sum(hit)",
    ),
}


def test_several_cutoffs_have_the_values_of_separate_calls(tmp_path):
    """Ann has hits at 2 and 4, Bob's only hit is at 5, Cid has none, and Dan has no list."""
    names = {}
    for expression in chain(*EXPRESSIONS.values()):
        name = names[expression] = f"mine_{len(names)}"
        text = GOOD.replace("__mine", f"__{name}").replace("sum(hit)", expression)
        (tmp_path / f"{name}.sql").write_text(text)
    users = zip("aaaabbbbbc", "xpyqxzrstx", [1, 2, 3, 4, 1, 2, 3, 4, 5, 1], strict=True)
    recs = table(users, user_id=pa.string(), item_id=pa.string(), rank=pa.int64())
    truth = wanted({"a": {"p": 2, "q": 1}, "b": {"t": 1}, "c": {"y": 1}, "d": {"x": 1}})
    inputs = {"recs": recs, "truth": truth, "metrics_path": tmp_path}
    alone = [sqlrec.evaluate([*names.values()], k=k, **inputs).per_user() for k in (1, 4, 6)]
    for expressions in EXPRESSIONS.values():
        some = [names[expression] for expression in expressions]
        together = sqlrec.evaluate([f"{name}@1,4,6" for name in some], **inputs).per_user()
        of_some = {key: value for key, value in in_order(*alone).items() if key[0] in some}
        assert of_some and in_order(together) == approx(of_some, nan_ok=True), expressions


def in_order(*tables):
    """Return values by metric, user and cutoff; NaN where they are null."""
    rows = [row for table in tables for row in table.to_arrow().to_pylist()]
    values = [float("nan") if row["value"] is None else row["value"] for row in rows]
    keys = [(row["metric"], row["user_id"], row["k"]) for row in rows]
    return dict(zip(keys, values, strict=True))


SOURCE = "-- Source    me\n"
PARAMS = "-- Params    a = 1 from 0 to 5: what\n"


@mark.parametrize(
    ("old", "new", "message"),
    [
        ("-- Better    higher\n", "", "line 1: no entry Better: write one of higher, lower"),
        ("Family    ranking", "Family    sales", "line 6: Family is 'sales': write one of"),
        ("Inputs    ", "Inpts     ", "line 8: no entry 'Inpts': did you mean 'Inputs'?"),
        ("recs, truth", "recs, thruth", "line 8: Inputs contains 'thruth': write tables"),
        ("hits__mine", "hits__other", "line 9: its macro is not named <rows>__mine"),
        ("hits__mine", "hots__mine", "line 9: no rows 'hots': did you mean 'hits'?"),
        ("sum(hit)", "{% if %}", "line 10: "),
        ("sum(hit)", "sum(\n{{ sqlrec.dubble(2) }})", "line 11: sqlrec has no macro 'dubble'"),
        ("sum(hit)", "{{ hits }}", "line 10: 'hits' is undefined"),
        (
            "{% endmacro %}",
            "{% endmacro %}\n{% set x = 1 %}",
            "line 12: '{% set x = 1 %}' is not a comment",
        ),
        ("\n{% endmacro %}", "", "line 9: '{% macro hits__mine() %}' has no end: write {%"),
        ("{% macro", "{# why #}\n{% macro", "line 9: '{# why #}' is not a comment or macro"),
        ("{% macro", f"it's {'x' * 60}\n{{% macro", "line 9: \"it's xxx"),
        ("hits__mine", "hotz__mine", "line 9: no rows 'hotz': choose from aspect_hits"),
        (SOURCE, "-- Source    {{ nobody() }}\n", "line 3: Jinja reads '{{' in comments too"),
        (SOURCE, f"{SOURCE}-- {{% if here %}}\n", "line 4: Jinja reads '{%' in comments too"),
        (GOOD, "", "line 1: no macro: add one, for example {% macro hits__mine() %}"),
        ("Mine: what it means.", "what it means", "line 1: no title: begin with its name"),
        ("Better ", "Aliases   yours, ndcg\n-- Better ", "line 5: 'ndcg' is already a metric"),
        ("Better ", "Aliases   standard\n-- Better ", "line 5: 'standard' is already a metric"),
        (SOURCE, f"{SOURCE}-- Params    a = 1 form 0: b\n", "line 4: Params has limits 'form 0'"),
        (SOURCE, f"{SOURCE}-- Params    a = 9 to 5: b\n", "line 4: Params has 'a = 9', which is"),
        ("recs, truth", "recs", "line 8: Inputs lacks truth, which rows hits need"),
        ("mine()", "mine(a=1)", "line 9: the macro has a parameter 'a', but Params does not"),
        (SOURCE, f"{SOURCE}{PARAMS}", "line 10: Params has a parameter 'a', but the macro does"),
        (
            f"{GOOD.partition(SOURCE)[2]}",
            f"{PARAMS}{GOOD.partition(SOURCE)[2].replace('mine()', 'mine(a=0.5)')}",
            "line 10: the default of 'a' is 0.5 here and 1 in Params: make them equal",
        ),
        ("{% endmacro %}", "{% endmacro %}\n{% macro double() %}2{% endmacro %}", "line 12: macro"),
        (
            "{% endmacro %}",
            "{% endmacro %}\n{% macro hits__mine__wieght() %}2{% endmacro %}",
            "line 12: no part 'wieght': did you mean 'weight'?",
        ),
        # Mistakes that engines would report in terms of generated statements.
        ("sum(hit)", "", "line 9: it is empty: write one aggregate, as in sum(hit)"),
        ("sum(hit)", "\nsum(hit", "line 11: '(' is not closed: write ')'"),
        ("sum(hit)", "case when k > 1 then sum(hit)", "line 10: 'case' is not closed: write 'end'"),
        ("sum(hit)", "sum(hit);", "line 10: ';' ends a statement"),
        ("sum(hit)", "sum(hit) -- why", "line 10: a comment at the end hides the SQL after it"),
        ("sum(hit)", "(select 1)", "line 10: 'select' is part of a query"),
        # Mistakes with values that differ between engines.
        ("sum(hit)", "sum(hit * (1 / rank))", "line 10: '1 / rank' divides whole numbers, and"),
        (
            "sum(hit)",
            "sum(case when hit > 0 then 1 else 0 end) / k",
            "write {{ sqlrec.double('sum(case when hit > 0 then 1 else 0 end)') }} / k",
        ),
        # The sandbox: templates can read neither files nor Python's internals.
        ("sum(hit)", "{% include 'listed.sql' %}", "line 10: 'listed.sql' can't be read"),
        ("sum(hit)", "{{ ''.__class__.__mro__ }}", "line 10: access to attribute '__class__'"),
        ("sum(hit)", "{{ sqlrec.__init__.__globals__ }}", "line 10: access to attribute"),
        ("sum(hit)", "{{ sqlrec.double.__globals__ }}", "line 10: access to attribute"),
    ],
)
def test_errors_name_the_file_and_line(old, new, message, tmp_path):
    path = tmp_path / "mine.sql"
    assert old in GOOD
    path.write_text(GOOD.replace(old, new))
    with raises(sqlrec.MetricError) as error:
        load_metrics(tmp_path)
    assert str(error.value).startswith(f"{path}, line ")
    assert message in str(error.value)


def test_files_are_read_as_editors_of_all_systems_write_them(tmp_path):
    folder = tmp_path / "our metrics"
    folder.mkdir()
    path = folder / "mine.sql"
    inputs = {"recs": RECS, "truth": TRUTH, "metrics_path": folder}
    for data in (
        b"\xef\xbb\xbf" + GOOD.encode(),
        GOOD.replace("\n", "\r\n").encode(),
        GOOD.replace("Source    ", "Source\t").encode(),
    ):
        path.write_bytes(data)
        assert values(sqlrec.evaluate("mine@2", **inputs)) == [1, 1]
    path.write_bytes(GOOD.replace("    me\n", "    Müller\n").encode("latin-1"))
    with raises(sqlrec.MetricError, match=r"mine\.sql, line 3: the file is not UTF-8: save it"):
        sqlrec.evaluate("mine@2", **inputs)
    path.unlink()
    path.mkdir()
    with raises(sqlrec.MetricError, match=r"mine\.sql can't be read: Is a directory"):
        sqlrec.evaluate("mine@2", **inputs)
    # A moved file is the same metric; duplicates are rejected in another test.
    (tmp_path / "mine.sql").write_text(GOOD.replace("sum(hit)", "2 * sum(hit)"))
    results = sqlrec.evaluate("mine@2", **inputs | {"metrics_path": tmp_path / "mine.sql"})
    assert values(results) == [2, 2]


def test_errors_of_the_engine_name_the_file(tmp_path):
    (tmp_path / "mine.sql").write_text(GOOD.replace("sum(hit)", "sum(nothing)"))
    inputs = {"recs": RECS, "truth": TRUTH, "metrics_path": tmp_path}
    with raises(sqlrec.MetricError, match=r"mine\.sql, line 10: rows/hits\.sql has no column 'not"):
        sqlrec.evaluate("mine@2", **inputs)
    (tmp_path / "mine.sql").write_text(GOOD.replace("sum(hit)", "sum(best_of_all)"))
    with raises(sqlrec.MetricError, match=r"mine\.sql, line 10: rows/hits\.sql has no column 'bes"):
        sqlrec.evaluate("mine@2", **inputs)
    for old, new, message in (
        ("sum(hit)", "sum(hit, hit, hit)", r"sum\(.*; metrics of your own: .*mine\.sql, line 9$"),
        (
            "hits__mine() %}\nsum(hit)",
            "target_items__mine() %}\nsum(price)",
            r"own: .*mine\.sql, line 9; price needs items, which Inputs lacks$",
        ),
        ("sum(hit)", "1 / (0e0 * sum(hit))", r"mine\.sql, line 9: mine@2 of x is .*: divide by"),
    ):
        (tmp_path / "mine.sql").write_text(GOOD.replace(old, new))
        with raises(sqlrec.DataError, match=message):
            sqlrec.evaluate("mine@2", **inputs)


def test_existing_names_and_invalid_paths_are_refused(tmp_path, folder):
    for name in ("ndcg", "map"):
        path = tmp_path / f"{name}.sql"
        path.write_text(GOOD.replace("mine", name))
        with raises(sqlrec.MetricError, match=f"'{name}' is already a metric of sqlrec"):
            load_metrics(path)
    load_metrics(folder / "revenue.sql")
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "revenue.sql").write_text(GOOD.replace("mine", "revenue"))
    with raises(sqlrec.MetricError, match=r"revenue\.sql already defines a metric of that name"):
        load_metrics(tmp_path / "other")
    # A rejected file changes nothing.
    assert sqlrec.metric("ndcg").source.startswith("Jarvelin")
    assert sqlrec.metric("revenue").source == "finance"
    (tmp_path / "empty").mkdir()
    for inputs, message in (
        (tmp_path / "empty", "has no file NAME.sql"),
        ("nowhere", "no folder, file or entry point sqlrec.metrics has this name"),
        (5, "metrics_path=5: give a folder, a file or a package's name"),
    ):
        with raises(sqlrec.InputError, match=message):
            sqlrec.evaluate("ndcg@2", recs=RECS, truth=TRUTH, metrics_path=inputs)


def test_a_package_declares_a_folder_and_is_not_run(tmp_path, monkeypatch):
    folder = tmp_path / "shop" / "metrics"
    folder.mkdir(parents=True)
    (folder / "mine.sql").write_text(GOOD)
    (tmp_path / "shop" / "__init__.py").write_text("raise AssertionError('it was imported')")
    messages = tmp_path / "shop-1.0.dist-info"
    messages.mkdir()
    (messages / "METADATA").write_text("Name: shop\nVersion: 1.0\n")
    (messages / "entry_points.txt").write_text("[sqlrec.metrics]\nshop = shop.metrics\n")
    monkeypatch.syspath_prepend(tmp_path)
    results = sqlrec.evaluate("mine@2", recs=RECS, truth=TRUTH, metrics_path="shop")
    assert values(results) == [1, 1]
    with raises(sqlrec.InputError, match="; did you mean 'shop'"):
        load_metrics("shp")


def test_a_new_metric_is_written_with_its_test_and_nothing_is_written_over(
    tmp_path, capsys, monkeypatch
):
    monkeypatch.chdir(tmp_path)
    assert main(["new-metric", "my_share"]) == 0
    assert "sqlrec show my_share --metrics metrics" in capsys.readouterr().out
    test = tmp_path / "metrics" / "test_my_share.py"
    shown = {"__file__": str(test)}
    exec(test.read_text(), shown)
    shown["test_my_share"]()
    assert main(["new-metric", "my_share"]) == 1
    assert "my_share.sql exists already" in capsys.readouterr().err
    assert main(["new-metric", "ndcg"]) == 1
    assert capsys.readouterr().err == "error: 'ndcg' is already a metric of sqlrec: rename yours\n"
    for name in ("a-b", "../z", "Mine", "a__b"):
        assert main(["new-metric", name]) == 1
        assert f"invalid name {name!r}: use only a-z, 0-9 and _" in capsys.readouterr().err
    assert main(["new-metric", "other", "--folder", str(test)]) == 1
    assert f"{test} can't be written: File exists" in capsys.readouterr().err
