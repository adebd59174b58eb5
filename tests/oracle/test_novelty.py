"""Novelty, and metrics of two lists as sets, on small random data, compared with plain Python."""

import itertools
import math
from dataclasses import dataclass

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

import sqlrec

from ..examples import examples, reject_disjoint_users
from ..tables import table
from . import asked, compare, keyed, label, texts
from . import novelty as oracle
from .novelty import Shown, World

USERS = tuple("abcdef")
ITEMS = tuple(range(8))
CUTOFFS = ((1, 2, 5, None), (3,), (2, None), (4,))
few = examples(40)


@dataclass
class Case:
    """Lists of models and of a baseline, by user and rank, and the other inputs."""

    lists: dict[tuple[str, str], Shown]
    baseline: dict[str, Shown]
    by_rank: bool
    world: World
    lands: dict[str, str | None]
    cutoffs: tuple[int | None, ...]
    part: int

    def reaches(self, model, k):
        """Return whether a model has a list with an item within k."""
        lists = [shown for (name, _), shown in self.lists.items() if name == model]
        return any(shown.items(k or math.inf) for shown in lists)

    def rows(self, lists):
        """Make a table of lists."""
        rows = []
        for key, shown in lists.items():
            model, user = key if isinstance(key, tuple) else ("", key)
            for rank, item in shown.ranks.items():
                order = rank if self.by_rank else shown.scores[rank]
                rows.append((model, user, item, order))
        order = {"rank": pa.int64()} if self.by_rank else {"score": pa.float64()}
        return table(rows, model=pa.string(), user_id=pa.string(), item_id=pa.int64(), **order)

    def tables(self):
        """Return all inputs."""
        ids = {"user_id": pa.string(), "item_id": pa.int64()}
        wanted = self.world.relevant.items()
        truth = [(user, item, oracle.grade(item)) for user, items in wanted for item in items]
        lands = [(user, land) for user, land in self.lands.items()]
        return {
            "recs": self.rows(self.lists),
            "baseline": self.rows(self.baseline).drop_columns("model"),
            "truth": table(truth, **ids, relevance=pa.int64()),
            "history": table(self.world.history, **ids),
            "catalog": table([(item,) for item in self.world.catalog], item_id=pa.int64()),
            "users": table(lands, user_id=pa.string(), land=pa.string()),
        }


@st.composite
def lists_of(draw, user, by_rank):
    """Draw a list, with gaps between ranks or with tied scores."""
    items = draw(st.lists(st.sampled_from(ITEMS), min_size=1, max_size=7, unique=True))
    if by_rank:
        gaps = st.sampled_from((1, 1, 1, 2, 3))
        ranks = itertools.accumulate(draw(gaps) for _ in items)
        return Shown(user, dict(zip(ranks, items, strict=True)), {})
    scores = {item: draw(st.sampled_from((0.0, 0.1, 0.5, 0.75, 1.0, 3.0))) for item in items}
    items.sort(key=lambda item: (-scores[item], item))
    by_rank = dict(enumerate(items, 1))
    return Shown(user, by_rank, {rank: scores[item] for rank, item in by_rank.items()})


@st.composite
def cases(draw, by_rank):
    """Draw all inputs."""
    some = lambda of: draw(st.lists(st.sampled_from(of), min_size=1, unique=True))  # noqa: E731
    lists = {
        (model, user): draw(lists_of(user, by_rank)) for model in ("m", "n") for user in some(USERS)
    }
    baseline = {user: draw(lists_of(user, by_rank)) for user in some(USERS)}
    pair = st.tuples(st.sampled_from(USERS), st.sampled_from(ITEMS[:-1]))
    history = draw(st.lists(pair, min_size=1, max_size=25))
    catalog = set(some(ITEMS)) | {item for _, item in history}
    relevant = {user: set(some(ITEMS)) for user in some(USERS[1:])}
    scores = {
        (user, shown.ranks[rank]): score
        for user, shown in baseline.items()
        for rank, score in shown.scores.items()
    }
    ranks = {user: shown.ranks for user, shown in baseline.items()}
    world = World(history, catalog, relevant, ranks, scores)
    lands = {user: draw(st.sampled_from((None, "x", "y"))) for user in USERS[:-1]}
    inputs = (lists, baseline, by_rank, world, lands)
    return Case(*inputs, draw(st.sampled_from(CUTOFFS)), draw(st.integers(0, 5)))


def check(case, metrics, value_of):
    """Compare per-user values, means and numbers of users with the results of a function."""
    # A sixth of the metrics, to save time.
    metrics = metrics[case.part :: 6] or metrics
    if not any(case.reaches(model, k) for model in ("m", "n") for _, _, k in metrics):
        with pytest.raises(sqlrec.DataError, match="no users to average over"):
            sqlrec.evaluate(texts(metrics), **case.tables(), by="land")
        return
    # Errors and intervals have tests of their own.
    with reject_disjoint_users():
        result = sqlrec.evaluate(texts(metrics), **case.tables(), by="land", interval=None)
    users, means = keyed(result.per_user(), "land"), keyed(result, "land")
    means = {key: value for key, value in means.items() if value != (None, 0)}
    expected = {}
    groups = {}
    pairs = itertools.product(metrics, case.lists.items())
    for (metric, params, k), ((model, user), shown) in pairs:
        if any(rank <= (k or math.inf) for rank in shown.ranks):
            key = (model, (case.lands.get(user),), label(metric, params), k)
            value = value_of(metric, shown, k or math.inf, params)
            expected[(*key, user)] = value
            if value is not None:
                groups.setdefault(key, []).append(value)
    averaged = {label(name, params): params.get("users", "recs") for name, params, _ in metrics}
    for (model, land, name, k), values in groups.items():
        of = averaged[name]
        for user in oracle.members(case.world, of):
            key = (model, land, name, k, user)
            if (case.lands.get(user),) == land and key not in expected:
                expected[key] = oracle.WITHOUT_LIST[of]
                values.append(oracle.WITHOUT_LIST[of])
    # Users with a value of one metric have rows without values of the others.
    assert users.keys() >= expected.keys()
    compare(users, dict.fromkeys(users) | expected)
    of_groups = {key: math.fsum(values) / len(values) for key, values in groups.items()}
    compare(means, {key: (value, len(groups[key])) for key, value in of_groups.items()})


def value_of(case):
    """Return the oracle's value of a case."""
    return lambda metric, shown, k, params: getattr(oracle, metric)(shown, case.world, k, **params)


@few
@given(cases(by_rank=False))
def test_novelty_of_scored_lists_equals_plain_python(case):
    check(case, asked(oracle.PARAMS, case.cutoffs, ("list_fill",)), value_of(case))


@few
@given(cases(by_rank=True))
def test_novelty_of_ranked_lists_equals_plain_python(case):
    params = {name: own for name, own in oracle.PARAMS.items() if name != "ncis_precision"}
    check(case, asked(params, case.cutoffs, ("list_fill",)), value_of(case))
