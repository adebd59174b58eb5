"""Coverage and fairness, on small random data, compared with plain Python."""

import itertools
import math
from random import Random

import pyarrow as pa
from hypothesis import given
from hypothesis import strategies as st

import sqlrec

from ..examples import examples
from ..tables import recommended_items, table, wanted
from . import Rules, compare, coverage, fairness, keyed, label
from .coverage import World

OF_ALL = coverage.OF_ALL | fairness.OF_ALL
OF_USERS = coverage.OF_USERS | fairness.OF_USERS
USERS = [f"u{number}" for number in range(7)]
ITEMS = [f"i{number}" for number in range(8)]
CUTOFFS = ((1, None), (3, 20), (2,))
ID = {"user_id": pa.string(), "item_id": pa.string()}
GRADES = (-1.0, 0.0, 0.5, 1.0, 1.0, 3.0)
some = examples(30)


def asked():
    """Return every metric with every parameter value."""
    results = []
    for metric, params in (coverage.PARAMS | fairness.PARAMS).items():
        for values in itertools.product(*params.values()):
            chosen = dict(zip(params, values, strict=True))
            kept = {n: v for n, v in chosen.items() if n == "group" or v != params[n][0]}
            results.append((metric, kept))
    return results


def by_k(one):
    """Return whether a metric divides by the cutoff, which it then requires."""
    return one[1].get("divide_by") == "k"


def request(metric, params):
    """Return the request of a metric; by default the items are those of the catalog, if given."""
    defaults = (text.split("=") for text in recommended_items(sqlrec.metric(metric)))
    return label(metric, dict(defaults) | params)


def mean(metric, params, world, values):
    """Average over users, possibly with weights."""
    weights = {
        user: math.fsum(fairness.strata(world, user, params.get("exponent", 0.5)).values())
        if params.get("average") == "pooled"
        else 1.0
        for user, value in values.items()
        if value is not None
    }
    total = math.fsum(weights.values())
    return (
        math.fsum(values[user] * weight for user, weight in weights.items()) / total
        if weights
        else None,
        len(weights),
    )


@some
@given(st.data())
def test_coverage_and_fairness_equal_plain_python(data):
    random = Random(data.draw(st.integers(0, 10**6)))
    gaps = data.draw(st.booleans())
    lists = {
        model: {
            user: {
                rank + gaps * rank // 3: item
                for rank, item in enumerate(random.sample(ITEMS, random.randint(1, 7)), 1)
            }
            for user in ["u0", *random.sample(USERS[1:], random.randint(0, 6))]
        }
        for model in ("a", "b")
    }
    truth = {
        user: {item: random.choice(GRADES) for item in random.sample(ITEMS, random.randint(1, 6))}
        for user in random.sample(USERS, random.randint(1, 7))
    }
    truth["u0"] = {"i1": 1.0, "i2": 1.0, "i3": 2.0}
    few = random.choice([ITEMS, ITEMS[2:5]])
    history = [(random.choice(USERS), random.choice(few)) for _ in range(random.randint(1, 25))]
    catalog = random.choices([*ITEMS[2:], "x"], k=random.randint(1, 12))
    labels = random.choice([("g1", "g2", "g3", None), ("g1", "g2"), (None,)])
    grouped = [(random.choice(ITEMS), random.choice(labels)) for _ in range(random.randint(1, 15))]
    segments = {user: random.choice([None, "x", "y"]) for user in USERS}
    population = data.draw(st.sampled_from(["truth", "truth_and_recs", "judged", "recs"]))
    cutoffs = data.draw(st.sampled_from(CUTOFFS))
    groups = {}
    for item, group in grouped:
        groups[item] = groups.get(item, frozenset()) | ({group} if group else frozenset())
    world = World(truth, frozenset(history), frozenset(catalog), groups)

    by_rank = gaps or data.draw(st.booleans())
    ranked = [
        (model, user, item, rank, -float(rank))
        for model, results in lists.items()
        for user, ranks in results.items()
        for rank, item in ranks.items()
    ]
    inputs = {
        "recs": table(ranked, model=pa.string(), **ID, rank=pa.int64(), score=pa.float64()),
        "truth": wanted(truth),
        "history": table(history, **ID),
        "catalog": table([(item,) for item in catalog], item_id=pa.string()),
        "items": table(grouped, item_id=pa.string(), item_group=pa.string()),
        "users": table([*segments.items()], user_id=pa.string(), land=pa.string()),
    }
    rules = sqlrec.Rules(population=population, order="rank" if by_rank else "score")
    pairs = [(one, k) for one in asked() for k in cutoffs if k or not by_k(one)]
    metrics = [f"{request(*one)}@{k or 'all'}" for one, k in pairs]
    result = sqlrec.evaluate(metrics, **inputs, by=["land"], rules=rules, interval=None)
    means, values, counts = {}, {}, Rules(population=population)
    for model, (metric, params), k in itertools.product(lists, asked(), cutoffs):
        if by_k((metric, params)):
            if not k:
                continue
            params = params | {"k": k}
        cut = {
            user: {rank: item for rank, item in ranks.items() if rank <= (k or math.inf)}
            for user, ranks in lists[model].items()
        }
        name = label(metric, {name: value for name, value in params.items() if name != "k"})
        for segment in {segments[user] for user in USERS}:
            here = {user for user in USERS if segments[user] == segment}
            key = (model, (segment,), name, k)
            if metric in OF_ALL:
                own = {user: ranks for user, ranks in cut.items() if user in here and ranks}
                if own:
                    value = OF_ALL[metric](world, own, **params)
                    means[key] = (value, 0 if value is None else len(own))
                continue
            counted = {
                user
                for user in here
                if counts.includes(user in truth, bool(world.relevant(user)), bool(cut.get(user)))
            }
            if metric in fairness.OF_POPULATION:
                together = {user: cut.get(user, {}) for user in counted}
                if counted:
                    value = fairness.OF_POPULATION[metric](world, together, **params)
                    means[key] = (value, 0 if value is None else len(counted))
                continue
            own = {
                user: OF_USERS[metric](world, user, cut.get(user, {}), **params) for user in counted
            }
            values |= {(*key, user): value for user, value in own.items()}
            if own:
                means[key] = mean(metric, params, world, own)

    got = keyed(result, "land")
    assert means.keys() <= got.keys()
    compare(got, dict.fromkeys(got, (None, 0)) | means)
    compare(keyed(result.per_user(), "land"), values)
