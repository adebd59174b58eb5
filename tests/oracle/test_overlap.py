"""Overlap of two rankings, on small random data, compared with plain Python."""

from hypothesis import given

from . import asked
from . import overlap as oracle
from .test_novelty import cases, check, few


def value_of(case):
    """Return the oracle's value of a case, with consecutive ranks."""

    def value(metric, shown, k, params):
        ours = shown.items(k)
        other = case.baseline.get(shown.user)
        theirs = other.items(k) if other else []
        if metric == "average_overlap":
            longer = max(len(ours), len(theirs))
            return oracle.average_overlap(ours, theirs, k if params else longer)
        if metric == "rbo":
            return oracle.rbo(ours, theirs, **params, k=k)
        return getattr(oracle, metric)(ours, theirs, **params)

    return value


@few
@given(cases(by_rank=False))
def test_overlap_of_scored_lists_equals_plain_python(case):
    check(case, asked(oracle.PARAMS, case.cutoffs), value_of(case))


@few
@given(cases(by_rank=True))
def test_overlap_of_ranked_lists_equals_plain_python(case):
    check(case, asked(oracle.PARAMS, case.cutoffs), value_of(case))
    # Requested without other metrics, thus without the rows for the residual.
    check(case, asked({"rbo": {}}, case.cutoffs), value_of(case))
