"""Further metrics of lists and truth, on small random data, compared with plain Python."""

from functools import partial

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

import sqlrec

from .. import oracle
from . import ranking
from .test_rules import ARROW, agree, cases, few, ranked

LABELS = ("catalog_auc", "catalog_average_precision", "coverage_error", "label_ranking_loss")
WITH_CATALOG = ("accuracy", "mcc", "fall_out", "percentile_rank", "limited_auc", *LABELS)
# Metrics that require a number as cutoff.
CUT = [name for name, one in sqlrec.metrics().items() if one.entries["Cutoff"] == "a number"]
# Every metric with every param at every cutoff that it can have.
every = partial(oracle.asked, ranking.PARAMS, numbered=CUT)


def compare(case, requests, catalog):
    """Compare sqlrec's values with the oracle's values."""
    sizes = {name: partial(ranking.METRICS[name], catalog=catalog) for name in WITH_CATALOG}
    kind = case.types["item_id"]
    items = pa.table({"item_id": pa.array(map(kind, range(catalog)), ARROW[kind])})
    metrics = ranking.METRICS | sizes
    agree(case, requests, {"catalog": items}, metrics=metrics, summaries=ranking.SUMMARIES)


@few
@given(cases(), st.randoms(use_true_random=False), st.integers(4, 30))
def test_ranking_equals_plain_python(case, chance, catalog):
    requests = every(case.cutoffs)
    compare(case, chance.sample(requests, min(len(requests), 60)), catalog)


@pytest.mark.slow
def test_long_lists_with_weights_next_to_nothing():
    case = ranked(*range(1, 1201), grades=tuple(float(n % 4 - 1) for n in range(1200)))
    compare(case, every((None,)), 1500)


@pytest.mark.slow
def test_ranks_with_gaps_equal_plain_python():
    compare(ranked(2, 9, 5, 4, grades=(1.0, 0.0, -1.0, 2.0)), every((None, 1, 4, 5)), 9)


def test_grades_from_next_to_nothing_to_the_largest():
    grades = (1e100, 1e-9, 99.0, 100.0, 1e-300, 0.0)
    metrics = [
        (metric, {"max_grade": highest}, 6)
        for metric in ("err", "nerr", "pfound")
        for highest in (100, 99.5, 1e-05, 0.001, 1)
    ]
    metrics += [(metric, {"scale": "own"}, 6) for metric in ("err", "pfound")]
    metrics += [("r_score", {"half_life": h, "neutral": 1e-05}, 6) for h in (1.0001, 1000000)]
    metrics += [("ndcg_at_gains", {}, 6), ("ndcg_at_grades", {}, 6)]
    compare(ranked(4, 1, 2, 5, 3, grades=grades), metrics, 9)
