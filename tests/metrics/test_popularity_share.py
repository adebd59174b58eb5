from pytest import approx

from ..tables import lists
from .test_popularity_count import ask


def test_is_the_mean_share_of_users_who_had_the_item():
    assert ask("popularity_share@1 popularity_share@2") == approx(
        [(1 + 1 / 4) / 2, (3 / 4 + 1 / 4) / 2]
    )


def test_an_item_without_history_counts_0():
    assert ask("popularity@3", recs=lists({"ann": "abz"})) == approx([(1 + 1 / 2) / 3])


def test_counts_users_once_or_how_often_they_had_it():
    # Eight times something was had.
    metric = "popularity(count=events)"
    assert ask(f"{metric}@1 {metric}@3") == approx([(4 / 8 + 2 / 8) / 2, (6 / 8 / 3 + 2 / 8) / 2])


def test_what_the_only_user_has_had_counts_1():
    given = {"recs": lists({"ann": "az"}), "history": lists({"u1": "a"})}
    assert ask("popularity@2 popularity(count=events)@2", **given) == [1 / 2, 1 / 2]


def test_divides_by_the_places_of_a_short_list_or_by_k():
    assert ask("popularity@4 popularity(divide_by=k)@4", recs=lists({"ann": "ab"})) == approx(
        [3 / 4, 3 / 8]
    )
