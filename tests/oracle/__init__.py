"""Metrics in plain Python, written from the definitions, without code of sqlrec.

A metric is a function of one user, a cutoff (infinite for whole lists) and parameters. It returns
None if it is not defined. docs/metrics.md has its definition in words.
"""

import itertools
import math
from collections import defaultdict
from dataclasses import dataclass
from typing import Any

Row = dict[str, Any]


@dataclass(frozen=True)
class Rules:
    """The rules of an evaluation."""

    population: str = "truth"
    order: str = "score"
    ties: str = "item_asc"
    duplicates: str = "error"
    null_scores: str = "error"
    relevance_threshold: float | None = None

    def includes(self, judged, relevant, listed):
        """Return whether a user is in the mean; a list without items within k counts as no list."""
        return {
            "truth": relevant,
            "truth_and_recs": relevant and listed,
            "judged": judged,
            "judged_and_recs": judged and listed,
            "all": judged or listed,
            "recs": listed,
        }[self.population]

    def keeps(self, row):
        """Return whether a row is in a list."""
        return self.order == "rank" or self.null_scores != "drop" or not is_missing(row["score"])


@dataclass(frozen=True)
class User:
    """The list of a user, by rank, and the relevance of items."""

    shown: dict[int, Any]
    scores: dict[int, Any]
    truth: dict[Any, float]
    threshold: float | None
    name: Any = None

    def is_relevant(self, relevance):
        """Return whether an item with this relevance is relevant."""
        return relevance > 0 if self.threshold is None else relevance >= self.threshold

    @property
    def relevant(self):
        """Count the relevant items."""
        return sum(self.is_relevant(relevance) for relevance in self.truth.values())

    def length(self, k):
        """Return the length of the list within k."""
        return sum(rank <= k for rank in self.shown)

    def hits(self, k):
        """Return the ranks within k of relevant items."""
        result = [rank for rank in sorted(self.shown) if rank <= k]
        return [
            rank
            for rank in result
            if self.shown[rank] in self.truth and self.is_relevant(self.truth[self.shown[rank]])
        ]

    def possible(self, k, unjudged):
        """Return the hits, with unjudged ranks if these count as hits."""
        if unjudged == "miss":
            return self.hits(k)
        grades = {rank: self.truth.get(item, -1) for rank, item in sorted(self.shown.items())}
        return [
            rank
            for rank, grade in grades.items()
            if rank <= k and (grade < 0 or self.is_relevant(grade))
        ]

    def gain(self, relevance, kind, whose="all", shift=0):
        """Return the gain of a relevance."""
        if whose == "relevant" and not self.is_relevant(relevance):
            return 0.0
        if kind == "binary":
            return float(self.is_relevant(relevance))
        worth = max(relevance, 0.0)
        return (
            2.0 ** (worth + shift * (whose == "relevant")) - 1 if kind == "exponential" else worth
        )

    def gains(self, k, kind, whose="all", shift=0):
        """Return the gain of each rank within k; an unjudged item has none."""
        return {
            rank: self.gain(self.truth[item], kind, whose, shift) if item in self.truth else 0.0
            for rank, item in self.shown.items()
            if rank <= k
        }


def _share(part, whole):
    """Divide; None if the denominator is 0."""
    return part / whole if whole else None


def _discounted(gains, discount):
    """Sum gains with a discount by rank."""
    divisor = {
        "standard": lambda rank: math.log2(rank + 1),
        "late": lambda rank: math.log2(max(rank, 2)),
        "reciprocal": lambda rank: rank,
    }[discount]
    return math.fsum(gain / divisor(rank) for rank, gain in gains.items())


def average_precision(user, k, divide_by="relevant", without_hits="zero"):
    hits = user.hits(k)
    if without_hits == "one" and not hits:
        return 1.0
    total = math.fsum(number / rank for number, rank in enumerate(hits, 1))
    if divide_by in ("relevant", "achievable"):
        return _share(total, min(user.relevant, k if divide_by == "achievable" else math.inf))
    if divide_by == "achievable_in_list":
        return total / max(min(user.relevant, user.length(k)), 1) if user.relevant else None
    # Without a hit or a list it is 0, not undefined.
    return total / max({"hits": len(hits), "k": k, "list_length": user.length(k)}[divide_by], 1)


def average_recall(user, k, divide_by="hits"):
    hits = user.hits(k)
    if not user.relevant:
        return None
    if divide_by == "k":
        recalls = (len(user.hits(rank)) / user.relevant for rank in range(1, int(k) + 1))
        return math.fsum(recalls) / k
    total = math.fsum(number / user.relevant for number, _ in enumerate(hits, 1))
    achievable = min(user.relevant, k)
    whole = {"hits": len(hits), "list_length": user.length(k), "achievable": achievable}
    return total / max(whole[divide_by], 1)


def cumulative_gain(user, k, gain="linear"):
    return math.fsum(user.gains(k, gain).values())


def dcg(user, k, gain="linear", discount="standard"):
    return _discounted(user.gains(k, gain), discount)


def f_beta(user, k, beta=1, of="users", divide_by="k"):
    divisor = _divisor(user, k, divide_by)
    return _share((1 + beta**2) * len(user.hits(k)), beta**2 * user.relevant + divisor) or 0.0


def mean_f_beta(users, values, k, beta=1, of="users", divide_by="k"):
    if of == "users":
        return math.fsum(values) / len(values)
    shares = math.fsum(precision(user, k, divide_by) or 0 for user in users) / len(users)
    recalls = [share for user in users if (share := recall(user, k)) is not None]
    if not recalls:
        return None
    result = math.fsum(recalls) / len(recalls)
    return _share((1 + beta**2) * shares * result, beta**2 * shares + result) or 0.0


def hit_rate(user, k, unjudged="miss"):
    return float(bool(user.possible(k, unjudged)))


def ndcg(
    user,
    k,
    gain="linear",
    ideal="achievable",
    discount="standard",
    gains="all",
    ideal_gain=1,
    shift=0,
):
    best = sorted(
        (user.gain(grade, gain, gains, shift) for grade in user.truth.values()), reverse=True
    )
    if ideal == "k":
        best = [float(ideal_gain)] * int(k)
    elif ideal != "relevant":
        best = best[: int(min(len(best), k if ideal == "achievable" else max(user.length(k), 1)))]
    whole = _discounted(dict(enumerate(best, 1)), discount)
    return _share(_discounted(user.gains(k, gain, gains, shift), discount), whole)


def _divisor(user, k, divide_by):
    """Return the number of ranks that precision divides by."""
    known = user.length(k) + user.relevant - len(user.hits(k))
    if divide_by == "known" or (divide_by == "k_or_known" and k == math.inf):
        return min(k, known)
    by_k = divide_by in ("k", "k_or_known") or (divide_by == "k_or_length" and k < math.inf)
    return k if by_k else user.length(k)


def _rounded(value, digits):
    """Round to four decimals if requested, half to even."""
    return value if value is None or digits == "all" else round(value * 10000) / 10000


def precision(user, k, divide_by="k", digits="all", unjudged="miss", average="users"):
    divisor = _divisor(user, k, divide_by)
    return _rounded(len(user.possible(k, unjudged)) / (divisor or 1), digits)


def r_precision(user, k, divide_by="achievable"):
    end = min(user.relevant, k)
    return _share(len(user.hits(end)), end if divide_by == "achievable" else user.relevant)


def mean_precision(users, values, k, divide_by="k", average="users", **_):
    divisor = [_divisor(user, k, divide_by) if average == "pooled" else 1 for user in users]
    return _weighted(values, divisor)


def recall(user, k, divide_by="relevant", digits="all", average="users"):
    return _rounded(_share(len(user.hits(k)), _to_find(user, k, divide_by)), digits)


def mean_recall(users, values, k, divide_by="relevant", average="users", **_):
    wholes = [_to_find(user, k, divide_by) if average == "pooled" else 1 for user in users]
    return _weighted(values, wholes)


def _to_find(user, k, divide_by):
    return min(user.relevant, k) if divide_by == "achievable" else user.relevant


def _weighted(values, weights):
    total = math.fsum(weights)
    return math.fsum(map(math.prod, zip(values, weights, strict=True))) / total if total else None


def reciprocal_rank(user, k, items="first"):
    hits = user.hits(k)
    if items == "all":
        result = hits and len(hits) == user.relevant
        return math.fsum(1 / rank for rank in hits) / len(hits) if result else None
    return 1 / hits[0] if hits else 0.0


def parameters(text):
    """Return the tested values of the parameters of each metric, from name=value|value."""
    params = {}
    for word in text.split():
        name, _, values = word.partition("=")
        if not values:
            own = params[name] = {}
        else:
            own[name] = tuple(
                float(v) if "." in v else int(v) if v.lstrip("-").isdigit() else v
                for v in values.split("|")
            )
    return params


PARAMS = parameters("""
    average_precision divide_by=relevant|achievable|hits|k|list_length|achievable_in_list
        without_hits=zero|one
    average_recall divide_by=hits|list_length|achievable|k
    cumulative_gain gain=linear|binary|exponential
    dcg gain=linear|binary|exponential discount=standard|late|reciprocal
    f_beta beta=1|2|0.5 of=users|means divide_by=k|list_length|k_or_length|known
    hit_rate unjudged=miss|hit
    ndcg gain=linear|binary|exponential gains=all|relevant
        ideal=achievable|relevant|list_length|k ideal_gain=1|2.5
        discount=standard|late|reciprocal shift=0|1
    precision divide_by=k|list_length|k_or_length|known|k_or_known digits=all|four
        unjudged=miss|hit average=users|pooled
    r_precision divide_by=achievable|relevant
    recall divide_by=relevant|achievable digits=all|four average=users|pooled
    reciprocal_rank items=first|all
""")

METRICS = {name: globals()[name] for name in PARAMS}


def forms(params):
    """Return every combination of values; a shift only with the parameter that it shifts."""
    for values in itertools.product(*params.values()):
        chosen = dict(zip(params, values, strict=True))
        shifts = chosen.get("gain") == "exponential" and chosen.get("gains") == "relevant"
        if shifts or not chosen.get("shift"):
            yield chosen


def asked(params, cutoffs, numbered=()):
    """Return every metric with all parameter values and cutoffs."""
    return [
        (metric, {name: v for name, v in chosen.items() if v != own[name][0]}, k)
        for metric, own in params.items()
        for chosen in forms(own)
        for k in cutoffs
        if k or not ("k" in chosen.values() or metric in numbered)
    ]


SUMMARIES = {"f_beta": mean_f_beta, "precision": mean_precision, "recall": mean_recall}


def evaluate(asked, recs, truth, segments, rules, metrics=METRICS, summaries=SUMMARIES):
    """Return the means with their users, per-user values, and the user_counts.

    A metric in ``summaries`` has no mean. Its summary is a function of the users with a value,
    their values, the cutoff and the parameters.

    Keys: (model, segments, label, k), (model, segments, label, k, user), (model, segments, k).
    Rows are assumed to be valid; errors are not detected.
    """
    asked, recs = list(asked), list(recs)
    judged = defaultdict(dict)
    for row in truth:
        items, grade = judged[row["user_id"]], float(row.get("relevance", 1))
        before = items.get(row["item_id"], grade)
        items[row["item_id"]] = kept(before, grade, rules.duplicates, grade > before)
    rows = defaultdict(lambda: defaultdict(list))
    for row in recs:
        if rules.keeps(row):
            rows[row["model"]][row["user_id"]].append(row)

    means = {}
    values = {}
    user_counts = {}
    for model in {row["model"]: None for row in recs}:
        lists = rows[model]
        users = {}
        for name in {*judged, *lists}:
            shown, scores = listed(lists.get(name, []), rules.order, rules.ties, rules.duplicates)
            own = judged.get(name, {})
            users[name] = User(shown, scores, own, rules.relevance_threshold, name)
        for metric, params, asked_k in asked:
            k = math.inf if asked_k is None else asked_k
            groups = defaultdict(list)
            for name, user in users.items():
                if rules.includes(name in judged, user.relevant > 0, user.length(k) > 0):
                    groups[segments[name] if segments else ()].append(name)
            for segment, names in groups.items():
                of_judged = "judged" in rules.population
                within = [n for n in lists if not segments or segments[n] == segment]
                key = (model, segment, label(metric, params), asked_k)
                result = {name: metrics[metric](users[name], k, **params) for name in names}
                values |= {(*key, name): value for name, value in result.items()}
                known = {name: value for name, value in result.items() if value is not None}
                mean = math.fsum(known.values()) / len(known) if known else None
                if known and metric in summaries:
                    counted = [users[name] for name in known]
                    mean = summaries[metric](counted, list(known.values()), k, **params)
                means[key] = (mean, len(known))
                user_counts[model, segment, asked_k] = {
                    "users_evaluated": len(names),
                    **_account([users[name] for name in names], k, rules.order),
                    "users_without_list": sum(
                        users[n].length(k) == 0
                        and (users[n].relevant > 0 or not rules.population.startswith("truth"))
                        and (not segments or segments[n] == segment)
                        for n in judged
                    ),
                    "unjudged_lists": sum(
                        users[n].length(k) > 0
                        and (n not in judged if of_judged else not users[n].relevant)
                        for n in within
                    ),
                    "repeated_rows": sum(len(lists[n]) - len(users[n].shown) for n in within),
                }
    return means, values, user_counts


def near(one, other, tolerance=1e-10):
    """Return whether two values are equal numbers, or both missing."""
    if one is None or other is None:
        return one is other
    return math.isclose(one, other, rel_tol=tolerance, abs_tol=tolerance)


def list_rows(model, lists):
    """Return the rows of lists of items, scores and gaps of ranks, by user."""
    rows = []
    for user, entries in lists.items():
        ranks = itertools.accumulate(gap for *_, gap in entries)
        for (item, score, _), rank in zip(entries, ranks, strict=True):
            row = {"model": model, "user_id": user, "item_id": item, "score": score}
            rows.append({**row, "rank": rank})
    return rows


def truth_rows(judged):
    """Return the rows of pairs of items and grades, by user."""
    pairs = [(user, *pair) for user, items in judged.items() for pair in items]
    return [{"user_id": user, "item_id": item, "relevance": grade} for user, item, grade in pairs]


def keyed(result, *segments):
    """Return the value and number of users of each row, or the value of each user, by key."""
    found, table = {}, result.to_arrow()
    by_user = ["user_id"] * ("users" not in table.column_names)
    for row in table.to_pylist():
        names = tuple(row[name] for name in segments)
        key = (row["model"], names, *(row[name] for name in ("metric", "k", *by_user)))
        assert key not in found
        found[key] = row["value"] if by_user else (row["value"], row["users"])
    return found


def compare(found, expected, tolerance=1e-10):
    """Raise an error if values or numbers of users by key are not equal."""
    assert found.keys() == expected.keys()
    for key, one in found.items():
        ours, theirs = (x if isinstance(x, tuple) else (x, None) for x in (one, expected[key]))
        assert near(ours[0], theirs[0], tolerance) and ours[1] == theirs[1], (key, ours, theirs)


def texts(requests):
    """Return requests of metrics as text."""
    return [f"{label(metric, params)}@{k or 'all'}" for metric, params, k in requests]


def label(metric, params):
    """Return a metric's name in results."""
    text = ", ".join(f"{key}={value}" for key, value in params.items())
    return f"{metric}({text})" if text else metric


def is_missing(score):
    """Return whether a score is missing."""
    return score is None or math.isnan(score)


def kept(before, row, duplicates, is_better):
    """Return which of two rows with the same item counts."""
    best = row if is_better else before
    # With `error`, no item has two rows.
    return {"first": before, "last": row, "best": best, "error": best}[duplicates]


def listed(rows, order, ties, duplicates="best"):
    """Return the items of a list by rank, without repeats, and the scores by rank."""
    items = {}
    for number, row in enumerate(rows):
        if order == "rank":
            own = (-row["rank"], -number)
        else:
            # A missing score is below all others.
            score = (False, 0.0) if is_missing(row["score"]) else (True, row["score"])
            own = (score, -number)
        before = items.get(row["item_id"], own)
        items[row["item_id"]] = kept(before, own, duplicates, own[0] > before[0])
    if order == "rank":
        return {-rank: item for item, (rank, _) in items.items()}, {}
    names = sorted(items, reverse=ties == "item_desc")
    names.sort(key=lambda item: items[item] if ties == "first" else items[item][0], reverse=True)
    by_rank = dict(enumerate(names, 1))
    scores = {rank: items[item][0] for rank, item in by_rank.items()}
    return by_rank, {rank: score for rank, (known, score) in scores.items() if known}


def _account(users, k, order):
    """Count users and rows that can make a value misleading."""
    tied = [u for u in users if k in u.scores and u.scores[k] == u.scores.get(k + 1)]
    return {
        "short_lists": sum(0 < user.length(k) < k < math.inf for user in users),
        "ties_at_cutoff": len(tied) if order == "score" else 0,
    }
