"""Agreement of orders of scores and grades, on small random data, compared with plain Python."""

import itertools
from random import Random

import pytest
from hypothesis import given

from ..dialects import slow
from . import agreement
from .test_ratings import TYPES, Case, cases, check, few


@few
@given(cases())
def test_agreement_equals_plain_python(case):
    check(case, agreement.PARAMS, agreement.METRICS)


@pytest.mark.parametrize("scores", [3, *slow(40, None)])
@pytest.mark.parametrize("grades", [2, 5, 64, 65, None])
def test_agreement_of_long_lists_equals_plain_python(scores, grades):
    """Numbers of distinct grades at and next to a power of two."""
    random = Random(grades)
    draw = lambda kinds: random.random() if kinds is None else float(random.randrange(kinds))  # noqa: E731
    recs, truth = [], []
    for user, item in itertools.product("ab", range(150)):
        row = {"user_id": user, "item_id": item}
        recs.append(row | {"model": "recs", "score": draw(scores), "rank": item + 1})
        truth.append(row | {"relevance": draw(grades) + 1})
    types = {name: kind for name, kind in TYPES.items() if name != "rank"}
    case = Case(recs, truth, types, {}, (70, None), "none")
    check(case, agreement.PARAMS, agreement.METRICS)
