"""Metric functions as they are written in-house: right ones, quirks and mistakes."""

from math import log2


def ndcg_usual(recs, truth, k=10):
    """Dicts of lists and of grades; users with something relevant."""
    values = []
    for user, grades in truth.items():
        ideal = sorted((g for g in grades.values() if g > 0), reverse=True)[:k]
        if not ideal:
            continue
        gains = [max(grades.get(item, 0), 0) for item in recs.get(user, [])[:k]]
        dcg = sum(gain / log2(n + 2) for n, gain in enumerate(gains))
        values.append(dcg / sum(gain / log2(n + 2) for n, gain in enumerate(ideal)))
    return sum(values) / len(values)


def ndcg_binary_over_k(recs, truth, k=10):
    """The ideal has k hits for everybody, as in RecTools."""
    ideal = sum(1 / log2(n + 2) for n in range(k))
    values = [
        sum(1 / log2(n + 2) for n, item in enumerate(recs.get(user, [])[:k]) if item in items)
        / ideal
        for user, items in truth.items()
        if items
    ]
    return sum(values) / len(values)


def ndcg_of_listed_users(recs, truth, k=10):
    """Users without a list are left out."""
    return ndcg_usual(recs, {user: truth[user] for user in truth if user in recs}, k)


def ndcg_exponential(recs, truth, k=10):
    """Gains of 2^grade - 1."""
    gains = {u: {i: 2**g - 1 for i, g in grades.items()} for u, grades in truth.items()}
    return ndcg_usual(recs, gains, k)


def ndcg_late(recs, truth, k=10):
    """Discounts from the second place on, as in the paper of 2002."""
    values = []
    for user, items in truth.items():
        if items:
            hits = [item in items for item in recs.get(user, [])[:k]]
            weights = [1 / max(1, log2(n + 1)) for n in range(k)]
            dcg = sum(hit * weight for hit, weight in zip(hits, weights, strict=False))
            values.append(dcg / sum(weights[: min(k, len(items))]))
    return sum(values) / len(values)


def map_of_all_relevant(recommended, relevant, k=10):
    """Average precision of one user, divided by all relevant items."""
    hits, total = 0, 0.0
    for place, item in enumerate(recommended[:k], 1):
        if item in relevant:
            hits += 1
            total += hits / place
    return total / len(relevant) if relevant else None


def map_achievable(actual, predicted, k=10):
    """Lists of lists, as in ml_metrics, of users with something relevant."""
    values = []
    for items, listed in zip(actual, predicted, strict=True):
        if items:
            hits = [n for n, item in enumerate(listed[:k], 1) if item in items]
            total = sum(number / place for number, place in enumerate(hits, 1))
            values.append(total / min(len(items), k))
    return sum(values) / len(values) if values else None


def map_of_hits(recs, truth, k=10):
    """Divided by the hits: it rewards lists with a single early hit."""
    values = []
    for user, items in truth.items():
        if items:
            places = [n for n, item in enumerate(recs.get(user, [])[:k], 1) if item in items]
            total = sum(number / place for number, place in enumerate(places, 1))
            values.append(total / len(places) if places else 0)
    return sum(values) / len(values)


def mrr(recs, truth, k=10):
    """1 / the place of the first hit."""
    values = []
    for user, items in truth.items():
        if items:
            places = [n for n, item in enumerate(recs.get(user, [])[:k], 1) if item in items]
            values.append(1 / places[0] if places else 0)
    return sum(values) / len(values)


def mrr_zero_based(recs, truth, k=10):
    """A mistake: 1 / (place + 1)."""
    values = []
    for user, items in truth.items():
        if items:
            places = [n for n, item in enumerate(recs.get(user, [])[:k], 1) if item in items]
            values.append(1 / (places[0] + 1) if places else 0)
    return sum(values) / len(values)


def recall(recs, truth, k=10):
    """The share of relevant items that the list has."""
    values = [
        len({*recs.get(user, [])[:k]} & {*items}) / len(items)
        for user, items in truth.items()
        if items
    ]
    return sum(values) / len(values)


def recall_capped(recs, truth, k=10):
    """Divided by min(k, relevant)."""
    values = [
        len({*recs.get(user, [])[:k]} & {*items}) / min(k, len(items))
        for user, items in truth.items()
        if items
    ]
    return sum(values) / len(values)


def recall_pooled(recs, truth, k=10):
    """Hits of all users over relevant items of all."""
    hits = sum(len({*recs.get(user, [])[:k]} & {*items}) for user, items in truth.items())
    return hits / sum(map(len, truth.values()))


def precision(recs, truth, k=10):
    """Divided by k."""
    values = [
        len({*recs.get(user, [])[:k]} & {*items}) / k for user, items in truth.items() if items
    ]
    return sum(values) / len(values)


def precision_of_list(recs, truth, k=10):
    """Divided by the places of the list, of users with a list."""
    values = [
        len({*recs[user][:k]} & {*items}) / len(recs[user][:k])
        for user, items in truth.items()
        if items and user in recs
    ]
    return sum(values) / len(values)


def hit_rate(recs, truth, k=10):
    """The share of users with a hit."""
    values = [bool({*recs.get(user, [])[:k]} & {*items}) for user, items in truth.items() if items]
    return sum(values) / len(values)


def hit_rate_off_by_one(recs, truth, k=10):
    """A mistake: the first k - 1 places alone."""
    return hit_rate(recs, truth, k - 1)


def hit_rate_of_frames(recs, truth, k=10):
    """pandas frames; users of the lists who are in the truth too."""
    top = recs.sort_values("score", ascending=False, kind="stable").groupby("user_id").head(k)
    truth = truth[truth.relevance > 0]
    hits = top.merge(truth, on=["user_id", "item_id"])["user_id"].nunique()
    users = {*top["user_id"]} & {*truth["user_id"]}
    return hits / len(users) if users else None


def precision_of_listed_users(recs, truth, k=10):
    """Over all users with a list, also those with nothing relevant."""
    values = [len({*listed[:k]} & {*truth.get(user, ())}) / k for user, listed in recs.items()]
    return sum(values) / len(values)


def recall_of_all_judged(qrels, run, k=10):
    """Dicts of scores; users with nothing relevant count 0; grades from 1 on are relevant."""
    values = []
    for user, grades in qrels.items():
        listed = sorted(run.get(user, {}), key=lambda item: (-run[user][item], item))[:k]
        relevant = {item for item, grade in grades.items() if grade >= 1}
        values.append(len(relevant & {*listed}) / len(relevant) if relevant else 0)
    return sum(values) / len(values)
