"""Users without a list count as 0, and all outputs have their number."""

from pytest import mark

import sqlrec

from ..tables import lists, scored, wanted

USERS = [f"u{number:02d}" for number in range(30)]
WHOLE = lists(dict.fromkeys(USERS, "ab"))
MODELS = {"whole": WHOLE, "partial": lists(dict.fromkeys(USERS[:20], "ab"))}
RATED = {
    "whole": scored({user: {"a": 3.0} for user in USERS}),
    "partial": scored({user: {"a": 1.0} for user in USERS[:20]}),
}
GRADED = {"truth": wanted({user: {"a": 2.0} for user in USERS})}
NOTE = "users without a list, counted as 0 by most metrics: partial 10"


def compared(metrics="ndcg@2", baseline="whole", **options):
    given = {"recs": MODELS, **GRADED, "baseline": baseline} | options
    return sqlrec.compare(metrics, **given)


def is_told(shown, note=NOTE):
    return note in " ".join(str(shown).split()).lower()


def test_evaluate_and_compare_name_users_alike():
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
        {"baseline": None},
        {"correction": "tukey"},
        {"baseline": None, "correction": "tukey"},
        {"metrics": "ndcg@2 ndcg(convention=ranx)@2"},
        {"metrics": "f(of=means)@2 ndcg@2"},
        {"metrics": "rmse ndcg@2", "recs": RATED},
        {"metrics": "rmse ndcg@2", "recs": RATED, "baseline": None},
        {
            "by": "half",
            "users": wanted(dict.fromkeys(USERS, "x")).rename_columns(["user_id", "half"]),
        },
        {"interval": "bootstrap"},
    ],
)
def test_every_format_of_a_comparison_names_them(options):
    assert is_told(compared(**options))


def test_ranks_power_and_check_name_them():
    assert is_told(compared(baseline=None).ranks())
    given = {"recs": MODELS, **GRADED}
    assert is_told(sqlrec.power("ndcg@2", difference=0.1, **given))
    assert is_told(sqlrec.power("ndcg@2", difference=0.1, baseline="whole", **given))
    check = sqlrec.check("ndcg@2 >= 0.9", **given)
    assert is_told(check) and is_told(check.failures())


def test_no_note_if_all_users_have_a_list():
    given = {"recs": {"one": WHOLE, "two": WHOLE}, **GRADED}
    for shown in (
        sqlrec.compare("ndcg@2", baseline="one", **given),
        sqlrec.compare("ndcg@2", **given).ranks(),
        sqlrec.power("ndcg@2", **given),
        sqlrec.check("ndcg@2 >= 0.9", **given),
    ):
        assert not is_told(shown, "without a list")


def test_users_without_truth_are_named_as_in_evaluate():
    truth = wanted({user: {"a": 2.0} for user in USERS[:25]})
    given = {"recs": MODELS, "truth": truth}
    note = "users with recommendations but no relevant item: whole 5"
    assert is_told(sqlrec.evaluate("ndcg@2", **given), note)
    assert is_told(sqlrec.check("ndcg@2 >= 0", **given), note)


def test_a_population_without_them_is_named():
    given = {"recs": MODELS, **GRADED, "population": "truth_and_recs"}
    result = sqlrec.evaluate("ndcg@2", **given)
    note = "users without a list are not in the mean, and not counted: population truth_and_recs"
    for shown in (
        result,
        result.user_counts,
        sqlrec.compare("ndcg@2", **given),
        sqlrec.compare("ndcg@2", baseline="whole", **given),
        sqlrec.compare("ndcg@2", baseline="whole", **given).worse(),
        sqlrec.check("ndcg@2 >= 0", **given),
        sqlrec.power("ndcg@2", **given),
        sqlrec.report("ndcg@2", **given).markdown.replace("\\", ""),
    ):
        assert is_told(shown, note)


def test_as_many_users_of_all_models_are_a_number():
    given = {"recs": {"one": MODELS["partial"], "two": MODELS["partial"]}, **GRADED}
    assert is_told(sqlrec.compare("ndcg@2", baseline="one", **given), "10 users without a list")
