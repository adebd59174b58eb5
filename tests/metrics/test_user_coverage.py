from pytest import approx, mark

import sqlrec

from ..tables import lists, values, wanted

RECS = lists({"ann": "ab", "cid": "a"})
TRUTH = wanted({"ann": {"a": 1}, "bob": {"a": 1}, "dan": {"a": 0}})


@mark.parametrize(
    ("population", "expected"),
    [("truth", 1 / 2), ("judged", 1 / 3), ("truth_and_recs", 1), ("recs", 1)],
)
def test_is_the_share_of_the_population_that_has_a_list(population, expected):
    result = sqlrec.evaluate("user_coverage@1", recs=RECS, truth=TRUTH, population=population)
    assert values(result) == approx([expected])
