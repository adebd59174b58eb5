"""Scores as predictions of grades, in plain Python, from the definitions.

A metric reads users by name and its parameters. It returns the value of all users together and
those of each user: None for a user without a value, and no values if only all users together have
one.
"""

import math
from collections import defaultdict
from dataclasses import dataclass
from itertools import combinations, product

from .. import oracle
from . import parameters


@dataclass(frozen=True)
class User:
    """A user's items within a cutoff with a score and a grade, all grades and all scores."""

    rated: list[tuple[float, float]]
    grades: list[float]
    scores: list[float]
    threshold: float | None = None

    def is_relevant(self, grade):
        """Return whether an item with this grade is relevant."""
        return grade > 0 if self.threshold is None else grade >= self.threshold


def mean(values):
    """Return the mean of the values that are not missing."""
    known = [value for value in values if value is not None]
    return math.fsum(known) / len(known) if known else None


def _errors(users, error):
    return {name: [error(score - grade) for score, grade in u.rated] for name, u in users.items()}


def _averaged(errors, average):
    values = {name: mean(own) for name, own in errors.items()}
    together = [error for own in errors.values() for error in own]
    return mean(together if average == "pooled" else values.values()), values


def mse(users, average="pooled"):
    return _averaged(_errors(users, lambda error: error**2), average)


def mae(users, average="pooled"):
    return _averaged(_errors(users, abs), average)


def rmse(users, average="pooled"):
    value, values = mse(users)
    assert value is not None
    if average == "sums":
        values = {name: (own or 0) * len(users[name].rated) for name, own in values.items()}
    roots = {name: math.sqrt(own or 0) for name, own in values.items()}
    return math.sqrt(value) if average == "pooled" else mean(roots.values()), roots


def log_loss(users, of="probabilities", average="pooled"):
    losses = {}
    for name, user in users.items():
        rated = [(1 / (1 + math.exp(-s)) if of == "logits" else s, g) for s, g in user.rated]
        chances = [s if user.is_relevant(g) else 1 - s for s, g in rated]
        losses[name] = [-math.log(min(max(chance, 1e-15), 1 - 1e-15)) for chance in chances]
    return _averaged(losses, average)


def r2(users, constant="undefined"):
    rated = [pair for user in users.values() for pair in user.rated]
    middle = mean(grade for _, grade in rated)
    assert middle is not None
    if len({grade for _, grade in rated}) == 1:
        exact = all(score == grade for score, grade in rated)
        return (float(exact) if constant == "zero" else None), None
    whole = math.fsum((grade - middle) ** 2 for _, grade in rated)
    return 1 - math.fsum((score - grade) ** 2 for score, grade in rated) / whole, None


def _agreement(apart, pairs):
    """Return 1 - a mean square divided by the mean square of random pairs."""
    by_chance = mean((one - other) ** 2 for one, other in pairs)
    return 1 - apart / by_chance if by_chance else None


def cohen_kappa(users):
    rated = [pair for user in users.values() for pair in user.rated]
    apart = math.fsum((score - grade) ** 2 for score, grade in rated) / len(rated)
    scores, grades = zip(*rated, strict=True)
    return _agreement(apart, product(scores, grades)), None


def krippendorff_alpha(users):
    rated = [pair for user in users.values() for pair in user.rated]
    apart = math.fsum((score - grade) ** 2 for score, grade in rated) / len(rated)
    return _agreement(apart, combinations([value for pair in rated for value in pair], 2)), None


def _area(rated):
    """Return the share of pairs with the relevant item above the other."""
    rated = list(rated)
    positives = [score for score, relevant in rated if relevant]
    negatives = [score for score, relevant in rated if not relevant]
    wins = [(p > n) + (p == n) / 2 for p, n in product(positives, negatives)]
    return mean(wins)


def auc(users):
    return _area((s, u.is_relevant(g)) for u in users.values() for s, g in u.rated), None


def gauc(users, weight="none"):
    values = {n: _area((s, u.is_relevant(g)) for s, g in u.rated) for n, u in users.items()}
    weights = {
        name: {
            "none": 1,
            "impressions": len(user.rated),
            "positives": sum(user.is_relevant(grade) for _, grade in user.rated),
        }[weight]
        for name, user in users.items()
    }
    known = {name: value for name, value in values.items() if value is not None}
    whole = sum(weights[name] for name in known)
    total = math.fsum(value * weights[name] for name, value in known.items())
    return total / whole if known else None, values


def _precisions(users, threshold):
    result = {}
    for name, user in users.items():
        grades = [grade for score, grade in user.rated if score >= threshold]
        result[name] = mean(float(grade >= threshold) for grade in grades) or 0.0
    return result


def _recalls(users, threshold):
    result = {}
    for name, user in users.items():
        hits = sum(score >= threshold and grade >= threshold for score, grade in user.rated)
        wanted = sum(grade >= threshold for grade in user.grades)
        result[name] = hits / wanted if wanted else 0.0
    return result


def threshold_precision(users, threshold=3.5):
    values = {**_precisions(users, threshold)}
    return mean(values.values()), values


def threshold_recall(users, threshold=3.5):
    values = {**_recalls(users, threshold)}
    return mean(values.values()), values


def harmonic(one, other):
    """Return the harmonic mean; 0 if both are 0."""
    return 2 * one * other / (one + other) if one + other else 0.0


def threshold_f1(users, threshold=3.5, of="users"):
    precisions, recalls = _precisions(users, threshold), _recalls(users, threshold)
    values = {name: harmonic(precisions[name], recalls[name]) for name in users}
    if of == "users":
        return mean(values.values()), values
    return harmonic(mean(precisions.values()) or 0, mean(recalls.values()) or 0), values


def mean_score(users):
    values = {name: mean(user.scores) for name, user in users.items()}
    return mean(values.values()), values


def score_entropy(users):
    weights = [math.exp(score) for user in users.values() for score in user.scores]
    shares = [weight / math.fsum(weights) for weight in weights]
    return (-math.fsum(p * math.log(p) for p in shares) if shares else None), None


# Metrics that average over the population; most others average over users with a rated item.
OF_THE_POPULATION = {"threshold_precision", "threshold_recall", "threshold_f1"}
# Metrics that average over the users with a list.
OF_LISTS = {"mean_score", "score_entropy"}


def evaluate(metrics, requests, recs, truth, segments, rules):
    """Return the values with the number of their users, and the values of each user.

    Keys: (model, segments, label, k) and (model, segments, label, k, user). Rows are assumed to be
    valid.
    """
    requests, recs = list(requests), list(recs)
    grades = defaultdict(dict)
    for row in truth:
        grades[row["user_id"]][row["item_id"]] = float(row["relevance"])
    result = {}
    found_of_users = {}
    for model in {row["model"]: None for row in recs}:
        rows = defaultdict(list)
        for row in recs:
            if row["model"] == model and rules.keeps(row):
                rows[row["user_id"]].append(row)
        for metric, params, asked_k in requests:
            k = math.inf if asked_k is None else asked_k
            groups = defaultdict(dict)
            for name in {**grades, **rows}:
                own = rows.get(name, [])
                ranks, _ = oracle.listed(own, rules.order, rules.ties)
                scores = {row["item_id"]: row["score"] for row in own}
                shown = [item for rank, item in ranks.items() if rank <= k]
                rated = [
                    (float(scores[item]), grades[name][item])
                    for item in shown
                    if item in grades.get(name, {}) and not oracle.is_missing(scores[item])
                ]
                known = [float(scores[i]) for i in shown if not oracle.is_missing(scores[i])]
                judged = list(grades.get(name, {}).values())
                user = User(rated, judged, known, rules.relevance_threshold)
                relevant = any(user.is_relevant(grade) for grade in user.grades)
                counts = rules.includes(name in grades, relevant, bool(shown))
                of_rated = counts if metric in OF_THE_POPULATION else bool(rated)
                if bool(shown) if metric in OF_LISTS else of_rated:
                    groups[segments[name] if segments else ()][name] = user
            for segment, users in groups.items():
                key = (model, segment, oracle.label(metric, params), asked_k)
                value, values = metrics[metric](users, **params)
                having = users if values is None else [v for v in values.values() if v is not None]
                result[key] = (value, len(having) if value is not None else 0)
                found_of_users |= {(*key, name): own for name, own in (values or {}).items()}
    return result, found_of_users


PARAMS = parameters("""
    mean_score score_entropy cohen_kappa krippendorff_alpha auc
    mse average=pooled|users
    mae average=pooled|users
    rmse average=pooled|users|sums
    log_loss of=probabilities|logits average=pooled|users
    r2 constant=undefined|zero
    gauc weight=none|impressions|positives
    threshold_precision threshold=3.5|0|-0.75|2
    threshold_recall threshold=3.5|0|-0.75|2
    threshold_f1 threshold=3.5|0|-0.75|2 of=users|means
""")

METRICS = {name: globals()[name] for name in PARAMS}
