from pytest import approx, mark

import sqlrec

from ..tables import lists, rows, values

RECS = lists({"ann": "abcd", "bob": "x"})
BASELINE = lists({"ann": "bxcy", "dan": "a"})


def ask(metric, recs=RECS):
    return values(sqlrec.evaluate(metric, recs=recs, baseline=BASELINE))


def test_is_the_share_of_places_that_the_baseline_has_not_within_k():
    ann = lists({"ann": "abcd"})
    assert ask("unexpectedness@1 unexpectedness@2 unexpectedness@3", ann) == approx(
        [1, 1 / 2, 1 / 3]
    )


def test_without_baseline_all_is_unexpected_or_expected_or_undefined():
    texts = ("unexpected", "expected", "undefined")
    asked = [f"unexpectedness(without_baseline={text})@3" for text in texts[1:]]
    assert ask(["unexpectedness@3", *asked]) == approx([(1 / 3 + 1) / 2, (1 / 3) / 2, 1 / 3])


@mark.parametrize("text", ["unexpected", "expected", "undefined"])
@mark.parametrize("users", ["recs", "baseline"])
def test_a_baseline_of_one_user_and_one_item_is_one(text, users):
    given = {"recs": lists({"ann": "abc"}), "baseline": lists({"ann": "b"})}
    metric = f"unexpectedness(without_baseline={text}, users={users})@9"
    assert values(sqlrec.evaluate(metric, **given)) == approx([2 / 3])


def test_of_users_of_the_baseline_one_without_list_counts_0():
    # Of ann and dan; bob has no baseline.
    assert ask("unexpectedness(users=baseline)@3") == approx([(1 / 3 + 0) / 2])
    assert ask("unexpectedness(users=baseline, divide_by=k)@8") == approx([(6 / 8 + 0) / 2])


def test_divided_by_k_a_missing_place_is_unexpected():
    short = lists({"ann": "bc"})
    assert ask("unexpectedness@4 unexpectedness(divide_by=k)@4", short) == approx([0, 1 / 2])


def test_of_users_of_the_baseline_all_that_are_averaged_over_have_a_value():
    asked = "unexpectedness(users=baseline)@3 churn@3"
    result = sqlrec.evaluate(asked, recs=RECS, baseline=BASELINE, summaries="min max")
    assert rows(result, "value", "users", "min", "max")[0] == approx((1 / 6, 2, 0, 1 / 3))
    found = {
        (one, user): had for one, user, had in rows(result.per_user(), "metric", "user_id", "value")
    }
    assert found[asked.split("@")[0], "dan"] == 0
    assert found[asked.split("@")[0], "bob"] is None
    assert found["churn", "dan"] is None
