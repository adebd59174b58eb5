"""Users without a list count as 0, and all outputs show the number of these users."""

import duckdb
import pyarrow.parquet as pq
from pytest import mark

import sqlrec

from ..dialects import slow
from ..tables import lists, scored, wanted

USERS = [f"u{number:02d}" for number in range(30)]
WHOLE = lists(dict.fromkeys(USERS, "ab"))
MODELS = {"whole": WHOLE, "partial": lists(dict.fromkeys(USERS[:20], "ab"))}
RATED = {
    "whole": scored({user: {"a": 3.0} for user in USERS}),
    "partial": scored({user: {"a": 1.0} for user in USERS[:20]}),
}
GRADED = {"truth": wanted({user: {"a": 2.0} for user in USERS})}
HALVES = wanted(dict.fromkeys(USERS, "x")).rename_columns(["user_id", "half"])
NOTE = "users without a list, counted as 0 by most metrics: partial 10"


def compared(metrics="ndcg@2", baseline="whole", **options):
    inputs = {"recs": MODELS, **GRADED, "baseline": baseline} | options
    return sqlrec.compare(metrics, **inputs)


def is_told(shown, note=NOTE):
    return note in " ".join(str(shown).split()).lower()


def test_evaluate_and_compare_use_the_same_words_for_users():
    assert is_told(sqlrec.evaluate("ndcg@2", recs=MODELS, **GRADED))
    comparison = compared()
    (row,) = comparison.to_arrow().to_pylist()
    # Without a list, 10 of 30 users have 0 instead of 1.
    assert (row["users"], row["losses"], round(row["relative_difference"], 3)) == (30, 10, -0.333)
    assert is_told(comparison) and is_told(comparison.by_model())
    assert is_told(sqlrec.power(results=comparison, difference=0.1)) and is_told(comparison.worse())


@mark.parametrize(
    "options",
    [
        {"baseline": "partial"},
        {"baseline": None, "correction": "tukey"},
        {"metrics": "ndcg@2 ndcg(convention=ranx)@2"},
        {"metrics": "f(of=means)@2 ndcg@2"},
        {"metrics": "rmse ndcg@2", "recs": RATED, "correction": "tukey"},
        {"by": "half", "users": HALVES, "interval": "bootstrap"},
    ],
)
def test_every_format_of_a_comparison_names_them(options):
    assert is_told(compared(**options))


def test_ranks_power_and_check_name_them():
    assert is_told(compared(baseline=None).ranks())
    inputs = {"recs": MODELS, **GRADED}
    assert is_told(sqlrec.power("ndcg@2", difference=0.1, **inputs))
    assert is_told(sqlrec.power("ndcg@2", difference=0.1, baseline="whole", **inputs))
    check = sqlrec.check("ndcg@2 >= 0.9", **inputs)
    assert is_told(check) and is_told(check.failures())


def test_no_note_if_all_users_have_a_list():
    inputs = {"recs": {"one": WHOLE, "two": WHOLE}, **GRADED}
    for shown in (
        sqlrec.compare("ndcg@2", baseline="one", **inputs),
        sqlrec.compare("ndcg@2", **inputs).ranks(),
        sqlrec.power("ndcg@2", **inputs),
        sqlrec.check("ndcg@2 >= 0.9", **inputs),
    ):
        assert not is_told(shown, "without a list")


def outputs(population, metrics="ndcg@2", **options):
    """Yield every output that has notes on users, as text."""
    inputs = {"recs": MODELS, "population": population} | options
    result = sqlrec.evaluate(metrics, **inputs)
    pairs = sqlrec.compare(metrics, **inputs)
    comparison = sqlrec.compare(metrics, baseline="whole", **inputs)
    report = sqlrec.report(metrics, **inputs, who_lost=False)
    yield from (result.to_html(), result.to_markdown(), result.to_latex(), report.html)
    yield report.markdown.replace("\\", "")
    yield from map(str, (result, comparison, comparison.by_model(), comparison.worse()))
    yield from map(str, (sqlrec.power(results=comparison), pairs, pairs.ranks()))
    check = sqlrec.check(f"{metrics} >= 0", **inputs)
    yield from map(str, (check, sqlrec.power(metrics, **inputs)))
    yield str(sqlrec.power(metrics, baseline="whole", **inputs))


COUNTED, LEFT_OUT = "counted as 0 by most metrics", "not in the mean"
NAMES = "population, in_mean, without_list, without_truth, words"
NOTES = [
    ("truth", COUNTED, 5, 5, f"no relevant item, {LEFT_OUT}"),
    ("judged_and_recs", LEFT_OUT, 7, 3, f"no judged item, {LEFT_OUT}"),
    ("truth_and_recs", LEFT_OUT, 5, 5, f"no relevant item, {LEFT_OUT}"),
    ("judged", COUNTED, 7, 3, f"no judged item, {LEFT_OUT}"),
    ("recs", LEFT_OUT, 7, 5, "no relevant item"),
    ("all", COUNTED, 7, 5, "no relevant item"),
]
# Two users of the truth have no relevant item, and three users are not in the truth.
GRADES = wanted({user: {"a": 2.0 if user < "u25" else 0.0} for user in USERS[:27]})


def check_notes(shown, in_mean, without_list, without_truth, words):
    assert is_told(shown, f"users without a list, {in_mean}: partial {without_list}"), shown
    assert is_told(shown, f"up to {without_truth} users with recommendations but {words}"), shown


@mark.parametrize(NAMES, NOTES)
def test_each_population_has_its_notes(population, in_mean, without_list, without_truth, words):
    result = sqlrec.evaluate("ndcg@2", recs=MODELS, truth=GRADES, population=population)
    check_notes(result, in_mean, without_list, without_truth, words)


@mark.parametrize(NAMES, [*NOTES[:2], *slow(*NOTES[2:])])
def test_all_outputs_have_the_same_notes(population, in_mean, without_list, without_truth, words):
    for shown in outputs(population, truth=GRADES):
        check_notes(shown, in_mean, without_list, without_truth, words)


def test_as_many_users_of_all_models_are_a_number():
    inputs = {"recs": {"one": MODELS["partial"], "two": MODELS["partial"]}, **GRADED}
    assert is_told(sqlrec.compare("ndcg@2", baseline="one", **inputs), "10 users without a list")


@mark.parametrize("engine", [(), ("--engine", "shop.duckdb")])
@mark.parametrize("table", [(), ("--worse",), ("--pivot",)])
def test_the_command_line_counts_them_before_it_closes_the_engine(
    command_line, tmp_path, engine, table
):
    duckdb.connect(str(tmp_path / "shop.duckdb")).close()
    for name, rows in (MODELS | GRADED).items():
        pq.write_table(rows, tmp_path / f"{name}.parquet")
    inputs = [f"--recs={name}={name}.parquet" for name in MODELS]
    inputs += ["--truth=truth.parquet", "--baseline=whole", *engine]
    code, output, _ = command_line(tmp_path, "compare", "ndcg@2", *inputs, *table)
    assert code == 0 and is_told(output)
