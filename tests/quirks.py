"""Metric functions that combine quirks, written plainly and independently of sqlrec's formulas."""

from itertools import groupby
from math import log2, nan
from random import Random
from statistics import mean, median

# Choices of functions of rows; the first of each is the usual one.
QUIRKS = {
    "metric": ("ndcg", "map", "mrr", "recall", "precision", "hit_rate"),
    "relevant": ("above 0", "from 1", "from 3", "every row", "above 2"),
    "gain": ("grade", "hit", "exponential"),
    "discount": ("standard", "late", "shifted"),
    "ideal": ("achievable", "k", "relevant", "listed"),
    "divide_by": ("relevant", "achievable", "k", "listed", "hits"),
    "order": ("stable", "id", "id descending", "later first", "rows"),
    "list_repeats": ("first", "after the cut", "rows", "once", "last"),
    "truth_repeats": ("largest", "first", "last", "rows", "relevant first", "relevant last"),
    "users": ("relevant", "truth", "lists", "both", "hits", "everybody"),
    "without_list": ("0", "none"),
    "without_relevant": ("none", "0", "1", "nan"),
    "average": ("mean", "pooled", "median"),
    "cut": ("k", "k + 1", "none"),
}


def function_of(**quirks):
    """Return a function of rows of lists, rows of truth and a cutoff."""
    how = {name: choices[0] for name, choices in QUIRKS.items()} | quirks

    def function(recs, truth, k=10):
        lists, judged = ({u: [*rows] for u, rows in _by_user(x)} for x in (recs, truth))
        values = []
        for user in {**judged, **lists}:
            ranked = _ranked(lists.get(user, []), how["order"])
            cut = {"k": k, "k + 1": k + 1, "none": None}[how["cut"]]
            items = _without_repeats(ranked, how["list_repeats"], cut)
            rows = _judgments(judged.get(user, []), how)
            relevant = [(i, g) for i, g in rows if is_relevant(g, how)]
            hits = {i for i, _ in relevant} & {*items}
            members = {"relevant": relevant, "truth": user in judged, "lists": user in lists}
            members |= {"both": relevant and user in lists, "hits": hits, "everybody": True}
            if not members[how["users"]] or (how["without_list"] == "none" and user not in lists):
                continue
            undefined = {"none": None, "0": 0.0, "1": 1.0, "nan": nan}[how["without_relevant"]]
            if not relevant:
                values += [] if undefined is None else [(undefined, 1.0)]
            else:
                values.append(_parts(items, rows, relevant, k, how))
        if how["average"] == "pooled":
            return sum(x for x, _ in values) / sum(y for _, y in values)
        return {"mean": mean, "median": median}[how["average"]](
            [x / y if y else 0.0 for x, y in values]
        )

    return function


def _by_user(rows):
    return groupby(sorted(rows, key=lambda row: row[0]), lambda row: row[0])


def _ranked(rows, order):
    rows = {"later first": rows[::-1]}.get(order, rows)
    if order.startswith("id"):
        rows = sorted(rows, key=lambda row: row[1], reverse=order == "id descending")
    rows = rows if order == "rows" else sorted(rows, key=lambda row: -row[2])
    return [item for _, item, _ in rows]


def _without_repeats(items, rule, cut):
    """Return a list within the cutoff; None replaces a row that does not count."""
    if rule == "first":
        return [*dict.fromkeys(items)][:cut]
    if rule == "last":
        return [*dict.fromkeys(items[::-1])][::-1][:cut]
    items = items[:cut]
    if rule == "after the cut":
        return [*dict.fromkeys(items)]
    return (
        items
        if rule == "rows"
        else [x if x not in items[:n] else None for n, x in enumerate(items)]
    )


def is_relevant(grade, how):
    """Return whether a row of the truth has a relevant grade."""
    rule = how["relevant"]
    if rule == "every row":
        return True
    limit = float(rule.split()[1])
    return grade > limit if rule.startswith("above") else grade >= limit


def _judgments(rows, how):
    rule, pairs = how["truth_repeats"], [(item, grade) for _, item, grade in rows]
    if rule == "rows":
        return pairs
    if rule.startswith("relevant"):
        pairs = [pair for pair in pairs if is_relevant(pair[1], how)]
    if rule == "largest":
        pairs.sort(key=lambda pair: pair[1])
    return [*dict(pairs[::-1] if rule.endswith("first") else pairs).items()]


def _parts(items, rows, relevant, k, how):
    """Return the numerator and the denominator of a user's value."""
    graded, metric = dict(rows[::-1]), how["metric"]
    wanted = {item for item, _ in relevant}
    hits = [x in wanted for x in items]
    if metric == "hit_rate":
        return float(any(hits)), 1.0
    if metric == "mrr":
        return next((1 / n for n, hit in enumerate(hits, 1) if hit), 0.0), 1.0
    if metric == "ndcg":
        weight = {
            "standard": lambda n: 1 / log2(n + 1),
            "late": lambda n: 1 / log2(max(n, 2)),
            "shifted": lambda n: 1 / log2(n + 2),
        }[how["discount"]]
        gain = {"grade": float, "hit": bool, "exponential": lambda g: 2**g - 1}[how["gain"]]
        dcg = sum(gain(graded[x]) * weight(n) for n, x in enumerate(items, 1) if x in wanted)
        best = sorted((gain(g) for _, g in relevant), reverse=True)
        best = {
            "achievable": best[:k],
            "k": [1.0] * k,
            "relevant": best,
            "listed": best[: len(items)],
        }[how["ideal"]]
        return dcg, sum(g * weight(n) for n, g in enumerate(best, 1))
    total = sum(hits)
    if metric == "map":
        total = sum(sum(hits[:n]) / n for n, hit in enumerate(hits, 1) if hit)
    below = {
        "relevant": len(relevant),
        "achievable": min(k, len(relevant)),
        "k": k,
        "listed": len(items),
        "hits": sum(hits),
    }[how["divide_by"]]
    return total, below


# Quirks of one dimension, and pairs that are likely to hide each other.
FIXED = (
    {},
    *({name: x} for name, choices in QUIRKS.items() for x in choices[1:] if name != "divide_by"),
    *({"metric": "map", "divide_by": x} for x in QUIRKS["divide_by"]),
    *({"metric": "recall", "divide_by": x} for x in QUIRKS["divide_by"][1:]),
    *({"metric": "recall", "truth_repeats": x} for x in QUIRKS["truth_repeats"][1:]),
    *({"metric": "recall", "truth_repeats": x, "average": "pooled"} for x in ("rows", "first")),
    *({"metric": "map", "list_repeats": x} for x in QUIRKS["list_repeats"][1:]),
    *({"metric": "hit_rate", "users": x, "relevant": "from 3"} for x in QUIRKS["users"][1:]),
)


def random_quirks(seed):
    """Return a few random quirks of a metric."""
    random = Random(seed)
    names = random.sample([x for x in QUIRKS if x != "metric"], random.choice((1, 2, 2, 3)))
    chosen = {name: random.choice(QUIRKS[name][1:]) for name in names}
    return {"metric": random.choice(QUIRKS["metric"])} | chosen
