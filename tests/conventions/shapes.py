"""Shapes of the tables of a data set that several libraries read."""

from contextlib import contextmanager
from random import Random
from unittest.mock import patch


def lists(tables, kind=lambda item: item):
    """Return the items of each list by descending score, in row order if scores are equal."""
    result = {}
    for user, item, _ in sorted(tables["recs"], key=lambda row: -row[2]):
        result.setdefault(user, []).append(kind(item))
    return result


def wanted(tables, kind=lambda item: item):
    """Return the items of each user of the truth, in row order."""
    result = {}
    for user, item, _ in tables["truth"]:
        result.setdefault(user, []).append(kind(item))
    return result


def by_user(rows):
    """Return a dict of texts and values for each user; the last row of a repeated item counts."""
    result = {}
    for user, item, value in rows:
        result.setdefault(user, {})[str(item)] = value
    return result


def repeats_items(rows):
    """Return whether an item is repeated for a user."""
    return len({row[:2] for row in rows}) < len(rows)


def rated(tables):
    """Return user, score and grade of the rows of recs and truth with the same user and item."""
    grades = {}
    for user, item, relevance in tables["truth"]:
        grades.setdefault((user, item), []).append(relevance)
    return [
        (user, score, grade)
        for user, item, score in tables["recs"]
        for grade in grades.get((user, item), [])
    ]


def documents(tables):
    """Return user, score and label of the rows of recs, and of missing items of the truth.

    The label is the relevance in the truth, or 0. The missing items have scores below all others,
    in order of items. An item that is repeated in the truth counts once.
    """
    truth = {(user, item): relevance for user, item, relevance in tables["truth"]}
    missing = sorted(truth.keys() - {row[:2] for row in tables["recs"]})
    low = min(score for *_, score in tables["recs"]) - 1
    rows = [(user, score, truth.get((user, item), 0)) for user, item, score in tables["recs"]]
    numbers = {key: number for number, key in enumerate(sorted(truth))}
    return rows + [(key[0], low - numbers[key], truth[key]) for key in missing]


def shuffled(rows):
    """Return rows in 20 random orders, each made from the one before."""
    for seed in range(20):
        Random(seed).shuffle(rows)
        yield rows


def renumbered(items):
    """Return items in 20 random orders; libraries number items by them."""
    for seed in range(20):
        yield sorted(items, key=lambda item: Random(f"{seed} {item}").random())


def unchanged(values, others):
    """Return the values that other orders do not change; the order of equal scores is random."""
    for again in others:
        values = {k: v for k, v in values.items() if abs(again.get(k, v) - v) < 1e-12}
    return values


@contextmanager
def double_precision(torch, *more):
    """Replace the single precision of torch by double precision."""
    single = torch.get_default_dtype()
    torch.set_default_dtype(torch.float64)
    try:
        with (
            patch.multiple(torch, **dict.fromkeys(("float32", *more), torch.float64)),
            patch.object(torch.Tensor, "float", torch.Tensor.double),
        ):
            yield
    finally:
        torch.set_default_dtype(single)
