"""``explain`` names the library of a value, unless its digits fit several libraries' values."""

from pytest import mark

import sqlrec
from sqlrec.analyses.explain import evaluate_forms
from sqlrec.analyses.forms import forms_of
from sqlrec.analyses.waterfall import value_targets
from sqlrec.catalogue.requests import parse_metrics
from sqlrec.run.job import Call

from .test_conventions import LIBRARIES, inputs, values

NAME, K = "judged_zero", "5"


def values_of_libraries(metric):
    """Yield the names of each library's metric, and the value that the library returned."""
    for library in LIBRARIES:
        for entry in sqlrec.conventions()[library].entries:
            value = values(library)["values"].get(NAME, {}).get(f"{entry.name}@{K}")
            threshold = entry.rules.get("relevance_threshold", 0)
            if entry.metric == metric and value is not None and threshold <= 1:
                yield {library, f"{library} {entry.name}"}, value


@mark.parametrize(("metric", "least"), [("ndcg", 30), ("recall", 20)])
def test_values_of_libraries_are_named(metric, least):
    tables = {name: inputs("ranx", NAME, metric)[name] for name in ("recs", "truth")}
    call = Call(sqlrec.Dataset(**tables).tables, sqlrec.Rules())
    (own,) = parse_metrics(f"{metric}@{K}")
    result = evaluate_forms(forms_of(own, ["sqlrec", *LIBRARIES], {}), call)
    forms, models = [*result.forms, *result.switches.values()], result.evaluator.models
    returned = [*values_of_libraries(metric)]
    for names, value in returned:
        for text in (repr(value), f"{value:.4f}", f"{value:.2f}"):
            (target,) = value_targets(text, forms, models, result.values)
            further = [name for other in target.equal_values for name in other.libraries]
            assert names & {*target.names, *further}, (text, target)
            # With all digits, no further value equals it, so the library is named itself.
            assert len(text) < 12 or names & {*target.names}
    assert len(returned) >= least
