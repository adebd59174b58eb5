"""Every off-policy metric on small random logs, compared with plain Python."""

import math
from collections import defaultdict

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

import sqlrec

from ..examples import examples
from ..tables import decisions, lists, table
from . import asked, compare, keyed, label, off_policy, parameters
from .off_policy import Decision, Log

# Segments of random users are often empty.
pytestmark = pytest.mark.filterwarnings("ignore:(?s).*no user has a value")

PARAMS = parameters("""
    ctr ips divide_by=logged|recommended clipped_ips clip=10|1.5 snips direct_method doubly_robust
    sndr switch_dr tau=10|2 shrunk_dr shrinkage=10|0.5 sub_gaussian_ips shrinkage=0.1|0.5
    sub_gaussian_dr shrinkage=0.1|0 effective_sample_size max_weight matched_share
""")
OF_SLATES = parameters("""
    cascade_dr slate_ips behavior=standard|cascade|independent divide_by=slates|weights
""")
# The name and the parameters of each request.
ASKED, SLATES = (
    {label(name, own): (name, own) for name, own, _ in asked(params, [None])}
    for params in (PARAMS, OF_SLATES)
)
OF_LISTS = ("ctr", "ips(divide_by=recommended)")
OF_ONE_POLICY = (
    *("direct_method", "doubly_robust", "sndr", "switch_dr", "shrunk_dr", "sub_gaussian_dr"),
)

USERS, ITEMS = ("u1", "u2", "u3", "u4"), ("a", "b", "c", "d", "e")
MODELS = ("als", "pop")
CUTOFFS = ((1, 3), (2, None), (None,), (4, 1))
COUNTRIES = ("nl", "be", None)
few = examples(40)
AMOUNTS = {
    "reward": (-1.5, 0.0, 1.0, 2.25),
    "propensity": (0.01, 0.125, 0.3, 0.5, 1.0),
    "target_probability": (0.0, 0.05, 0.2, 0.5, 1.0),
    "predicted_reward": (0.0, 0.3, 1.0),
    "expected_reward": (-0.25, 0.0, 0.4),
}
amounts = {name: st.sampled_from(numbers) for name, numbers in AMOUNTS.items()}
of_user = {"user_id": st.sampled_from(USERS), "position": st.integers(1, 4), **amounts}
of_item = st.fixed_dictionaries({"item_id": st.sampled_from(ITEMS), **of_user})
of_slate = st.fixed_dictionaries({"slate_id": st.integers(1, 5), **of_user})
logs = st.lists(of_item, min_size=1, max_size=25)
at_position = {"unique_by": lambda row: (row["slate_id"], row["position"])}
slates = st.lists(of_slate, min_size=1, max_size=16, **at_position)
shown = st.dictionaries(
    st.sampled_from(USERS), st.lists(st.sampled_from(ITEMS), min_size=1, unique=True), min_size=1
)
countries = st.dictionaries(st.sampled_from(USERS), st.sampled_from(COUNTRIES), min_size=1)


def logged(rows, *left_out):
    """Make a table of decisions."""
    names = [name for name in rows[0] if name not in left_out]
    return decisions(" ".join(names), *[tuple(row[name] for name in names) for row in rows])


def segments(found):
    """Make the arguments of segments."""
    if found is None:
        return {}
    users = table([*found.items()], user_id=pa.string(), country=pa.string())
    return {"users": users, "by": "country"}


def by_segment(rows, found):
    """Group the rows by the segment of their users."""
    parts = defaultdict(list)
    for row in rows:
        parts[(found or {}).get(row["user_id"])].append(row)
    return parts


def decision(row, target):
    """Read one row."""
    names = ("reward", "propensity", "predicted_reward", "expected_reward")
    more = {"slate": row.get("slate_id"), "position": row["position"]}
    return Decision(*(row[name] for name in names), target, **more)


def of_lists(rows, lists_of, k, ranked):
    """Return decisions of the policy that shows lists."""
    ranks = [(row["user_id"], row["item_id"], row["position"] if ranked else None) for row in rows]
    targets = [off_policy.shown(lists_of, *rank, k) for rank in ranks]
    return [decision(row, target) for row, target in zip(rows, targets, strict=True)]


def expected_of(metric, log):
    """Return the oracle's value of a metric."""
    name, params = (ASKED | SLATES)[metric]
    return getattr(off_policy, name)(log, **params)


def check(result, expected, found=None):
    """Compare values and the number of decisions."""
    segments = ["country"] * (found is not None)
    oracle_values = {
        (model, (segment,) * len(segments), metric, k): (value, 0 if value is None else count)
        for (model, segment, metric, k), (value, count) in expected.items()
    }
    compare(keyed(result, *segments), oracle_values)


@given(rows=logs, found=st.none() | countries)
@few
def test_metrics_of_probabilities_equal_plain_python(rows, found):
    requests = [metric for metric in ASKED if metric not in OF_LISTS]
    result = sqlrec.evaluate(requests, logs=logged(rows), **segments(found))
    expected = {}
    for segment, part in by_segment(rows, found).items():
        log = Log([decision(row, row["target_probability"]) for row in part])
        for metric in requests:
            expected["recs", segment, metric, None] = (expected_of(metric, log), len(part))
    check(result, expected, found)


@given(rows=slates, found=st.none() | countries)
@few
def test_metrics_of_slates_equal_plain_python(rows, found):
    found = None if found is None else {user: found.get(user) for user in USERS}
    result = sqlrec.evaluate([*SLATES], logs=logged(rows), **segments(found))
    expected = {}
    for segment, part in by_segment(rows, found).items():
        log = Log([decision(row, row["target_probability"]) for row in part])
        for metric in SLATES:
            expected["recs", segment, metric, None] = (expected_of(metric, log), len(part))
    check(result, expected, found)


@given(
    rows=logs,
    models=st.dictionaries(st.sampled_from(MODELS), shown, min_size=1),
    found=st.none() | countries,
    cutoffs=st.sampled_from(CUTOFFS),
    ranked=st.booleans(),
)
@few
def test_metrics_of_shown_lists_equal_plain_python(rows, models, found, cutoffs, ranked):
    requests = [metric for metric in ASKED if not metric.startswith(OF_ONE_POLICY)]
    result = sqlrec.evaluate(
        [f"{metric}@{k or 'all'}" for metric in requests for k in cutoffs],
        recs={model: lists(shown) for model, shown in models.items()},
        logs=logged(rows, "target_probability", *(() if ranked else ("position",))),
        **segments(found),
    )
    expected = {}
    for segment, part in by_segment(rows, found).items():
        for model, shown in models.items():
            for k in cutoffs:
                deep = k or math.inf
                mine = [
                    items for user, items in shown.items() if (found or {}).get(user) == segment
                ]
                ranks = sum(min(len(items), k or len(items)) for items in mine)
                log = Log(of_lists(part, shown, deep, ranked), ranks)
                for metric in requests:
                    expected[model, segment, metric, k] = (expected_of(metric, log), len(part))
    check(result, expected, found)


@given(rows=logs, lists_of=shown)
@few
def test_metrics_of_whole_lists_equal_plain_python(rows, lists_of):
    requests = [metric for metric in ASKED if metric.startswith(OF_ONE_POLICY)]
    result = sqlrec.evaluate(
        requests, recs=lists(lists_of), logs=logged(rows, "target_probability")
    )
    log = Log(of_lists(rows, lists_of, math.inf, True))
    expected = {metric: (expected_of(metric, log), len(rows)) for metric in requests}
    check(result, {("recs", None, metric, None): one for metric, one in expected.items()})


def test_every_metric_and_parameter_is_checked():
    family = [one for one in sqlrec.metrics().values() if one.rows == "logged"]
    for metric in family:
        params = [params for name, params in (ASKED | SLATES).values() if name == metric.name]
        for key, allowed in metric.params.items():
            values = {one.get(key, allowed[0]) for one in params}
            assert len(values) > 1 and values >= set(allowed)
        assert params
