"""Small random inputs for plots, and hostile names."""

import random

import pyarrow as pa

# Names that would be markup, addresses or commands if not escaped.
HOSTILE = "<script>alert(1)</script>&\"'http://x|`$\\#%{}_^~\x07"


def inputs(users=60, items=40, models=("als", "pop"), k=10, seed=7):
    """Return lists of two models, truth, history, users and items."""
    chance = random.Random(seed)
    recs, truth, history, segments = [], [], [], []
    for user in range(users):
        for number, model in enumerate(models):
            liked = sorted(range(items), key=lambda item: chance.random() * (item + 1 + number * 5))
            recs += [(model, user, item, rank) for rank, item in enumerate(liked[:k], start=1)]
        truth += [(user, item) for item in chance.sample(range(items), chance.randint(1, 5))]
        history += [(user, item) for item in chance.sample(range(items - 4), chance.randint(1, 12))]
        segments.append((user, "abc"[user % 3]))
    return {
        "recs": table(recs, "model user_id item_id rank"),
        "truth": table(truth, "user_id item_id"),
        "history": table(history, "user_id item_id"),
        "users": table(segments, "user_id country"),
        "items": table(
            [(item, f"Film {item}", "abcde"[item % 5]) for item in range(items)],
            "item_id title category",
        ),
        "logs": table(
            [
                (chance.random() < 0.2, 0.02 + chance.random() / 2, rank % 3 / 4)
                for rank in range(150)
            ],
            "reward propensity target_probability",
        ),
    }


def table(rows, names):
    columns = map(list, zip(*rows, strict=True))
    return pa.table(dict(zip(names.split(), columns, strict=True)))


def lists(options, k):
    """Return the lists as a dict: items by user by model."""
    result = {}
    for row in sorted(options["recs"].to_pylist(), key=lambda row: row["rank"]):
        if row["rank"] <= k:
            result.setdefault(row["model"], {}).setdefault(row["user_id"], []).append(
                row["item_id"]
            )
    return result


def by_user(options, name):
    result = {}
    for row in options[name].to_pylist():
        result.setdefault(row["user_id"], set()).add(row["item_id"])
    return result
