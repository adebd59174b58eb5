from random import Random

from pytest import approx, mark

import sqlrec

from ..tables import PAIRS, predicted, scored, wanted

# Two concordant pairs, one discordant; one with equal scores, one discordant, one concordant; one
# discordant; one with equal scores; none.
ANN = {"a": (3.0, 4.0), "b": (2.0, 5.0), "c": (1.0, 1.0)}
BOB = {"a": (2.0, 2.0), "b": (2.0, 3.0), "c": (1.0, 2.5)}
CID = {"a": (2.0, 1.0), "b": (1.0, 2.0)}
DAN = {"a": (2.0, 1.0), "b": (2.0, 2.0)}
EVE = {"a": (2.0, 1.0), "b": (1.0, 1.0)}
USERS = ANN, BOB, CID, DAN, EVE


@mark.parametrize("name", ["fcp", "fraction_of_concordant_pairs"])
def test_is_the_share_of_concordant_pairs_among_those_of_all_users(name):
    assert predicted(name, *USERS) == approx((2 + 1) / (2 + 1 + 1 + 1 + 1))


def test_counts_pairs_with_equal_scores_as_discordant_if_asked():
    assert predicted("fcp(ties=discordant)", *USERS) == approx(3 / (3 + 3 + 2))


def test_tells_pairs_with_equal_scores_from_those_with_equal_grades_or_both():
    for average in ("pooled", "users", "means"):
        assert predicted(f"fcp(average={average})", PAIRS) == approx(10 / (10 + 3))
        found = predicted(f"fcp(average={average}, ties=discordant)", PAIRS)
        assert found == approx(10 / (10 + 3 + 5))


def test_or_is_the_mean_of_the_users_own_shares():
    assert predicted("fcp(average=users)", *USERS) == approx((2 / 3 + 1 / 2 + 0) / 3)
    found = predicted("fcp(average=users, ties=discordant)", *USERS)
    assert found == approx((2 / 3 + 1 / 3 + 0 + 0) / 4)


def test_or_is_made_of_the_means_of_users_who_have_such_pairs():
    right, wrong = (2 + 1) / 2, (1 + 1 + 1) / 3
    assert predicted("fcp(average=means)", *USERS) == approx(right / (right + wrong))
    wrong = (1 + 2 + 1 + 1) / 4
    found = predicted("fcp(average=means, ties=discordant)", *USERS)
    assert found == approx(right / (right + wrong))


@mark.parametrize("average", ["pooled", "users", "means"])
def test_is_undefined_without_pairs_that_count_and_0_or_1_with_one_sort_of_them(average):
    assert predicted(f"fcp(average={average})", DAN, EVE, {"a": (1.0, 1.0)}) is None
    assert predicted(f"fcp(average={average})", CID) == 0
    assert predicted(f"fcp(average={average})", {"a": (2.0, 2.0), "b": (1.0, 1.0)}) == 1


def test_looks_at_the_items_within_k():
    assert predicted("fcp@2", ANN) == 0
    assert predicted("fcp@1", ANN) is None


def test_a_list_of_thousands_is_no_matter_of_all_its_pairs():
    # The order is turned round in each half; 20,000 squared pairs would not end.
    size = 20_000
    places = [*range(size // 2, size), *range(size // 2)]
    Random(1).shuffle(items := list(range(size)))
    recs = scored({"ann": {f"i{item}": float(item) for item in items}})
    truth = wanted({"ann": {f"i{item}": float(places[item]) for item in items}})
    (found,) = sqlrec.evaluate("fcp", recs=recs, truth=truth).to_arrow()["value"].to_pylist()
    pairs = size * (size - 1) / 2
    assert found == approx(1 - (size / 2) ** 2 / pairs, abs=1e-15)
