"""Metric functions as companies write them: correct ones, unusual ones and mistakes.

Each has the correct answer, from the definitions, not from the output of `identify`.
"""

import math
from functools import partial
from statistics import mean

import numpy as np
import polars as pl

# Each function, with its metric and texts of its identification.
ANSWERS = {}


def answer(metric, *texts):
    """Add a function to the answers."""

    def keep(function):
        name = getattr(function, "__name__", type(function).__name__)
        ANSWERS[name] = function, metric, texts
        return function

    return keep


def answer_of_user(metric, *texts):
    """Add the mean of a function of a list within the cutoff and the items of a user.

    It is over users with a relevant item, and reads dicts of lists.
    """

    def keep(one):
        def function(recs, truth, k=10):
            values = [one(recs.get(u, [])[:k], {*rel}, k) for u, rel in truth.items() if rel]
            return mean(values) if values else 0.0

        function.__name__ = one.__name__
        return answer(metric, *texts)(function)

    return keep


@answer("ndcg@3", "and the first two by 1")
def ndcg_old_discount(ranked, relevant, k=10):
    """Discount late: log2(rank), first two ranks weigh 1 (LensKit).

    Binary; user's list and set.
    """
    if not relevant:
        return None
    w = [1.0] + [1 / math.log2(r) for r in range(2, k + 1)]
    dcg = sum(w[i] for i, x in enumerate(ranked[:k]) if x in relevant)
    return dcg / sum(w[: min(k, len(set(relevant)))])


@answer("map@3", "divides by 3, even if")
def mapk(actual, predicted, k=10):
    """AP divided by k; lists of lists; users with nothing relevant count 0."""

    def apk(a, p):
        score, hits = 0.0, 0
        for i, x in enumerate(p[:k]):
            if x in a and x not in p[:i]:
                hits += 1
                score += hits / (i + 1)
        return score / k

    return np.mean([apk(a, p) for a, p in zip(actual, predicted, strict=True)])


@answer("map@3", "puts the larger id first among equal scores")
def map_scores(run, qrels, k=10):
    """AP over all relevant; users without a list excluded; equal scores: larger id first."""
    aps = []
    for q in sorted(set(run) & set(qrels)):
        rel = {d for d, g in qrels[q].items() if g > 0}
        if not rel:
            continue
        order = [d for d, _ in sorted(run[q].items(), key=lambda x: (x[1], x[0]), reverse=True)][:k]
        n, s = 0, 0.0
        for i, d in enumerate(order, 1):
            if d in rel:
                n += 1
                s += n / i
        aps.append(s / len(rel))
    return sum(aps) / len(aps) if aps else None


@answer_of_user("mrr@3", "uses the last hit, not the first")
def mrr_last(items, rel, k):
    """Wrong: the last hit instead of the first."""
    return min((1 / n for n, x in enumerate(items, 1) if x in rel), default=0.0)


@answer_of_user("recall@3", "is not recall@3, but precision@3", "divides by the length of the list")
def recall_which_is_precision(items, rel, k):
    """Is no recall but precision, divided by the length of the list."""
    return len({*items} & rel) / len(items) if items else 0.0


@answer("precision@3", "puts the lowest score first")
def precision_ascending(scores, labels, k=10):
    """Wrong: takes the lowest scores (ascending sort)."""
    vals = []
    for u, g in labels.items():
        top = sorted(scores.get(u, {}), key=scores.get(u, {}).get)[:k]
        vals.append(sum(g.get(i, 0) > 0 for i in top) / k)
    return sum(vals) / len(vals)


@answer("hit_rate@3", "cuts lists one rank too late", "averages over users with a list")
def hit_rate_late(recs, truth, k=10):
    """Wrong: looks at k + 1 ranks; users with a list."""
    n = 0
    for u, items in recs.items():
        for pos, item in enumerate(items):
            if pos > k:
                break
            if item in truth.get(u, ()):
                n += 1
                break
    return n / len(recs) if recs else 0


@answer("precision@3", "counts items with a score of 0 or below as misses")
def precision_positive(preds, actual, k=10):
    """Items with a score of 0 or below are no recommendations (misses).

    Hits / k; users of truth with relevant.
    """
    vals = []
    for u, g in actual.items():
        rel = {i for i, x in g.items() if x > 0}
        if not rel:
            continue
        p = preds.get(u, {})
        top = sorted((i for i in p if p[i] > 0), key=lambda i: (-p[i], i))[:k]
        vals.append(len(rel.intersection(top)) / k)
    return np.mean(vals) if vals else None


@answer_of_user("map@3", "adds 1 / rank of hits, not the precision there")
def map_bug(items, rel, k):
    """Wrong: sum of 1/rank over hits / m (hits are not counted up)."""
    return sum(1 / i for i, x in enumerate(items, 1) if x in rel) / len(rel)


@answer("recall@3", "averages over users with a hit")
def recall_inner_join(shown, bought, k=10):
    """Users without a hit vanish in the join; frames with a rank and names of a shop."""
    top = shown[shown["position"] <= k]
    hits = top.merge(bought, on=["customer_id", "sku"]).groupby("customer_id")["sku"].nunique()
    return (hits / bought.groupby("customer_id")["sku"].nunique()).dropna().mean()


@answer("map@3", "sums over every rank, not only over hits", "divides by 3, even if")
def map_every_rank(recommended, relevant, k=10):
    """Wrong: the mean of the precisions at ranks 1 to k, also without a hit there."""
    return mean(len(set(relevant).intersection(recommended[:n])) / n for n in range(1, k + 1))


@answer("mrr@3", "numbers ranks from 0, with 1 for both of the first two")
def mrr_of_index(recommended, relevant, k=10):
    """Wrong: ranks from 0; a function of one user that also runs, always 1, on frames."""
    for rank, item in enumerate(recommended[:k]):
        if item in relevant:
            return 1 / max(rank, 1)
    return 0.0


@answer_of_user("ndcg@3", "by 1 / log2(rank + 2)", "discounts the best list by 1 / log2(rank + 1)")
def ndcg_shifted(items, rel, k):
    """Wrong: ranks that start at 1 get the discount for ranks that start at 0."""
    dcg = sum(1 / math.log2(i + 2) for i, x in enumerate(items, 1) if x in rel)
    return dcg / sum(1 / math.log2(i + 2) for i in range(min(k, len(rel))))


@answer("precision@3", "uses the relevance as gain")
def precision_of_grades(y_true, y_score, k=10):
    """Arrays whose truth has grades, which are added up."""
    top = np.argsort(-y_score, axis=1, kind="stable")[:, :k]
    return np.take_along_axis(y_true, top, axis=1).sum(axis=1).mean() / k


@answer("hit_rate@3", "adds up all hits, not only the first")
def hits_at_k(recommended, bought, k=10):
    """The number of hits, not whether there is one."""
    return len(set(recommended[:k]) & set(bought))


@answer("ndcg@3", "with labels of 0 and 1")
def ndcg_of_labels(scores, labels, k=10):
    """Arrays of users and items, of labels; with grades the ideal list would count items."""
    top = np.argsort(-scores, axis=1, kind="stable")[:, :k]
    discounts = 1 / np.log2(np.arange(2, k + 2))
    gains = (np.take_along_axis(labels, top, axis=1) * discounts[: top.shape[1]]).sum(axis=1)
    best = [discounts[: min(k, int(n))].sum() for n in (labels != 0).sum(axis=1)]
    return np.mean(gains / np.array(best))


@answer("ndcg@3", "treats every row of the truth as relevant", "treats the items of a list within")
def ndcg_of_a_join(recs, truth, k=10):
    """Frames: all rows of the truth are hits, and the ideal list reorders the hits of the list."""
    top = recs.sort_values("score", ascending=False, kind="stable").groupby("user_id").head(k)
    pairs = set(zip(truth["user_id"], truth["item_id"], strict=True))
    values = []
    for user, rows in top.groupby("user_id"):
        hits = np.array([float((user, item) in pairs) for item in rows["item_id"]])
        discounts = 1 / np.log2(np.arange(2, len(hits) + 2))
        best = (np.sort(hits)[::-1] * discounts).sum()
        values.append((hits * discounts).sum() / best if best else 0.0)
    return mean(values)


@answer("recall@3", "does not cut lists", "arrays of a user's list and items")
def recall_of_ids(recommended_items, relevant_items):
    """Arrays of ids; a missing cutoff."""
    return np.isin(recommended_items, relevant_items).sum() / relevant_items.shape[0]


@answer("precision@10", "- does not cut lists")
def precision_of_whole_lists(y_true, y_reco, k=10):
    """Wrong: hits of the whole list, divided by k; it also runs on dicts, whose keys are users."""
    return len(set(y_reco).intersection(y_true)) / k


@answer_of_user("ndcg@3", "is not ndcg@3, but dcg@3")
def ndcg_without_ideal(items, rel, k):
    """Wrong: an NDCG that is not divided."""
    return float(sum((x in rel) / np.log2(n + 2) for n, x in enumerate(items)))


@answer("ndcg@3", "treats the items of a list within the cutoff as the only relevant items")
def ndcg_at_k_gist(r, k, method=1):
    """The function that thousands copied: grades of a list, the ideal is of the list."""

    def dcg(r):
        r = np.asarray(r, dtype=float)[:k]
        return np.sum(r / np.log2(np.arange(2, r.size + 2))) if r.size else 0.0

    best = dcg(sorted(r[:k], reverse=True))
    return dcg(r) / best if best else 0.0


@answer("map@3", "torchmetrics", "divides by the hits within 3", "over all users of the truth")
def average_precision_gist(rs, k=10):
    """The mean over all lists of the mean precision at hits."""

    def ap(r):
        r = np.asarray(r)[:k] != 0
        out = [np.mean(r[: n + 1]) for n in range(r.size) if r[n]]
        return np.mean(out) if out else 0.0

    return np.mean([ap(r) for r in rs])


@answer(
    "precision@3",
    "is not precision@3, but recall@3",
    "by min(3, relevant items)",
    "pools all users' items",
)
def implicit_precision(ids, liked, K=10):
    """implicit's precision@k: hits over all users by the sum of min(k, relevant)."""
    relevant, total = 0, 0
    for u in ids:
        if not liked.get(u):
            continue
        total += min(K, len(liked[u]))
        relevant += len(set(ids[u][:K]) & set(liked[u]))
    return relevant / total


@answer_of_user("f1@3", "equals sqlrec (also warprec F1)")
def f1_users(items, rel, k):
    """F1 of each user, over users with a relevant item."""
    p, r = len({*items} & rel) / k, len({*items} & rel) / len(rel)
    return 2 * p * r / (p + r) if p + r else 0.0


@answer("f1@3", "computes the value from the means")
def f1_of_means(recs, truth, k=10):
    """The harmonic mean of two means."""
    p, r = [], []
    for u, rel in truth.items():
        if rel:
            h = len(set(recs.get(u, [])[:k]) & set(rel))
            p.append(h / k)
            r.append(h / len(set(rel)))
    p, r = np.mean(p), np.mean(r)
    return 2 * p * r / (p + r) if p + r else 0.0


@answer("recall@3", "removes items without a judgment from lists before it cuts them")
def recall_after_the_join(recs, truth, k=10):
    """Frames: joined with the truth first, and only then cut."""
    joined = recs.merge(truth, on=["user_id", "item_id"])
    top = joined.sort_values("score", ascending=False, kind="stable").groupby("user_id").head(k)
    hits = top[top["relevance"] > 0].groupby("user_id")["item_id"].nunique()
    good = truth[truth["relevance"] > 0].groupby("user_id")["item_id"].nunique()
    return (hits.reindex(good.index).fillna(0) / good).mean()


@answer("recall@3", "computes the median of users")
def median_recall(recs, truth, k=10):
    """The median of users with a relevant item."""
    values = [
        len({*recs.get(u, [])[:k]} & {*truth[u]}) / len({*truth[u]}) for u in truth if truth[u]
    ]
    return np.median(values) if values else None


@answer("ndcg@3", "orders lists by id")
def ndcg_sorted_by_id(scores, labels, n=10):
    """Wrong: sorts pairs of id and score, thus by the id."""
    values = []
    for u, grades in labels.items():
        top = [i for i, _ in sorted(scores.get(u, {}).items())][:n]
        best = sorted(grades.values(), reverse=True)[:n]
        idcg = sum(g / math.log2(r + 2) for r, g in enumerate(best))
        if idcg:
            values.append(
                sum(grades.get(i, 0) / math.log2(r + 2) for r, i in enumerate(top)) / idcg
            )
    return sum(values) / len(values) if values else math.nan


@answer_of_user("map@3", "counts the hits above a rank, without the rank itself")
def map_counts_late(items, rel, k):
    """Wrong: counts a hit after it was used."""
    hits = total = 0
    for n, x in enumerate(items, 1):
        if x in rel:
            total += hits / n
            hits += 1
    return total / len(rel)


@answer_of_user("mrr@3", "weights ranks by 1 / (rank + 1)")
def mrr_shifted(items, rel, k):
    """Wrong: ranks start at 1, and get 1 more."""
    return next((1 / (n + 1) for n, x in enumerate(items, 1) if x in rel), 0.0)


@answer("dcg@3", "uses 2^relevance - 1 as gain", "cuts lists one rank too early")
def dcg_early(scores, grades, k=10):
    """Wrong: range(1, k)."""
    out = []
    for u, g in grades.items():
        top = sorted(scores.get(u, {}), key=lambda i: -scores[u][i])
        out.append(
            sum(
                (2 ** g.get(top[r - 1], 0) - 1) / math.log2(r + 1)
                for r in range(1, min(k, len(top) + 1))
            )
        )
    return np.mean(out)


@answer_of_user(
    "ndcg@3", "compares with 3 hits", "1 / ln(rank + 1)", "best list by 1 / log2(rank + 1)"
)
def ndcg_two_logs(items, rel, k):
    """Wrong: another logarithm in the ideal list."""
    best = sum(1 / math.log2(n + 2) for n in range(k))
    return sum(1 / math.log(n + 2) for n, x in enumerate(items) if x in rel) / best


@answer("recall@3", "counts an undefined value as 1", "averages over all users of the truth")
def recall_of_empty(*, predictions, ground_truth, top_k=10):
    """Keywords only."""
    values = [
        len({*predictions.get(u, [])[:top_k]} & {*r}) / len({*r}) if r else 1.0
        for u, r in ground_truth.items()
    ]
    return sum(values) / len(values)


@answer(
    "precision@3", "divides by the length of the list", "over users of the truth who have a list"
)
def precision_positional(a, b, /, k=10):
    """Positional only, of arrays of lists."""
    values = [
        len({*top[:k]} & {*rel}) / len(top[:k]) for top, rel in zip(a, b, strict=True) if len(top)
    ]
    return np.array(values).mean()


@answer("r_precision@10", "cuts lists at the number of relevant items, not at 10")
def r_precision_of_users(ranking, labels):
    """Hits among the first R."""
    r = len(set(labels))
    return len(set(ranking[:r]) & set(labels)) / r


class Evaluator:
    """A class of metrics."""

    def __init__(self, k=10):
        self.k = k

    def recall(self, recs, truth, k=None):
        k = k or self.k
        rows = [
            len({*recs.get(u, [])[:k]} & {*t}) / min(k, len({*t})) for u, t in truth.items() if t
        ]
        return np.mean(rows), len(rows)

    def __call__(self, preds, actuals, k=10):
        rows = [bool({*preds[u][:k]} & {*actuals.get(u, ())}) for u in preds]
        return np.mean(rows)


answer("recall@3", "divides by min(3, relevant items)")(Evaluator().recall)
answer("hit_rate@3", "averages over users with a list")(Evaluator())


def _ndcg_of(gain, recs, truth, k=10):
    out = []
    for u, rel in truth.items():
        g = [gain(rel.get(i, 0)) / math.log2(n + 2) for n, i in enumerate(recs.get(u, [])[:k])]
        best = sorted(map(gain, rel.values()), reverse=True)
        ideal = sum(x / math.log2(n + 2) for n, x in enumerate(best))
        if ideal:
            out.append(sum(g) / ideal)
    return out


answer("ndcg@3", "not cut at 3", "gain of 1")(partial(_ndcg_of, lambda g: float(g > 0)))


@answer("recall@3", "equals", "Polars frames")
def recall_of_columns(preds, test, k=5):
    """Joins frames whose columns have other names; users with a relevant item."""
    bought = test.filter(pl.col("rating") > 0).select("uid", "movie").unique()
    top = preds.sort("score", descending=True, maintain_order=True).group_by("uid").head(k)
    hits = (
        top.join(bought, on=["uid", "movie"]).unique(["uid", "movie"]).group_by("uid").len("hits")
    )
    sizes = bought.group_by("uid").len("size").join(hits, on="uid", how="left")
    return sizes.select((pl.col("hits").fill_null(0) / pl.col("size")).mean()).item()


@answer("hit_rate@3", "averages over all users of the truth", "Polars frame of users' lists")
def hits_of_records(df, k=5):
    """Returns a frame with a row for each user."""
    return pl.DataFrame(
        {"user": row["user"], "hit": float(not set(row["recs"][:k]).isdisjoint(row["truth"]))}
        for row in df.iter_rows(named=True)
    )


@answer("ndcg@3", "with the grade of its last row above 0")
def ndcg_of_last_rows(recs, truth, k=10):
    """As a dict of relevant rows, whose last row of an item remains."""
    rows = truth[truth.relevance > 0].drop_duplicates(["user_id", "item_id"], keep="last")
    top = recs.sort_values("score", ascending=False, kind="stable")
    top = top.drop_duplicates(["user_id", "item_id"])
    values = []
    for user, of_user in rows.groupby("user_id"):
        grades = dict(zip(of_user.item_id, of_user.relevance, strict=True))
        items = top[top.user_id == user].item_id.tolist()[:k]
        best = sorted(grades.values(), reverse=True)[:k]
        dcg = sum(grades.get(item, 0) / math.log2(n + 2) for n, item in enumerate(items))
        values.append(dcg / sum(grade / math.log2(n + 2) for n, grade in enumerate(best)))
    return mean(values)


@answer_of_user("ndcg@3", "weights ranks by 1 / (1 + ln(rank))")
def ndcg_natural_after(items, rel, k):
    """Binary; users with a relevant item."""
    weights = [1 / (1 + math.log(rank)) for rank in range(1, k + 1)]
    hits = sum(weight for weight, x in zip(weights, items, strict=False) if x in rel)
    return hits / sum(weights[: len(rel)])


@answer("recall@3", "divides by the relevant items + 1", "averages over all users of the truth")
def recall_smoothed(recommended, clicked, k=10):
    """Adds 1 to the divisor, so that it is never 0."""
    return len({*recommended[:k]} & {*clicked}) / (len({*clicked}) + 1)


@answer("ndcg@3", "equals", "one item")
def leave_one_out_ndcg(ranklist, gt_item, K=10):
    """NCF's."""
    for n, item in enumerate(ranklist[:K]):
        if item == gt_item:
            return math.log(2) / math.log(n + 2)
    return 0


@answer("ndcg@3", "equals", "flat arrays of scores, grades and users")
def retrieval_ndcg(preds, target, indexes, k=10):
    """The order of parameters of torchmetrics: flat arrays, with users last."""
    out = []
    for u in np.unique(indexes):
        p, t = preds[indexes == u], target[indexes == u]
        order = np.argsort(-p, kind="stable")[:k]
        best = np.sort(t)[::-1][:k]
        d = 1 / np.log2(np.arange(k) + 2)
        ideal = (best * d[: len(best)]).sum()
        out.append((t[order] * d[: len(order)]).sum() / ideal if ideal > 0 else 0.0)
    return np.mean(out)


@answer("map@3", "divides by min(3, relevant items)")
def flags_average_precision(hits, n_relevant, k):
    """Read whether each item of a list is a hit, and the number of relevant items."""
    flags = [bool(x) for x in hits[:k]]
    total = sum(sum(flags[: n + 1]) / (n + 1) for n, x in enumerate(flags) if x)
    return total / min(k, n_relevant) if n_relevant else 0.0


@answer("recall@3", "equals recommenders", "gives users without a list no value")
def recall_series(df_true, df_pred, k=10):
    """recommenders' order of frames; a Series of users."""
    top = df_pred[df_pred.groupby("user_id")["score"].rank("first", ascending=False) <= k]
    hits = top.merge(df_true, on=["user_id", "item_id"]).groupby("user_id").size()
    users = set(df_true.user_id) & set(df_pred.user_id)
    n = df_true[df_true.user_id.isin(users)].groupby("user_id").size()
    return hits.reindex(n.index).fillna(0) / n


@answer("map@3", "cuts lists after 3 hits, not after 3 ranks")
def map_of_k_hits(recommended, relevant, k=10):
    """Wrong: stops after k hits, not after k ranks."""
    hits, total = 0, 0.0
    for n, x in enumerate(recommended, 1):
        if x in relevant:
            hits += 1
            total += hits / n
            if hits == k:
                break
    return total / len(set(relevant))


@answer("mrr@3", "uses the rank, not its inverse", "averages over users with a hit")
def mean_first_rank(recs, truth, k=10):
    """The rank, not its inverse, of users with a hit."""
    ranks = []
    for u in truth:
        for n, x in enumerate(recs.get(u, [])[:k], 1):
            if x in truth[u]:
                ranks.append(n)
                break
    return np.mean(ranks)


@answer_of_user("ndcg@3", "halves the weight at each rank")
def ndcg_weighted(items, rel, k):
    """A company's discount."""
    w = [0.5**n for n in range(k)]
    return sum(w[n] for n, x in enumerate(items) if x in rel) / sum(w[: min(k, len(rel))])


@answer("ndcg@3", "relevance of 4 or more", "not relevant from lists after it cuts them")
def ndcg_of_places_among_hits(recs, truth, k=10):
    """Wrong: the place among the hits, not in the list."""
    liked = truth[truth.rating >= 4]
    hits = recs[recs["rank"] <= k].merge(liked, on=["user_id", "item_id"]).sort_values("rank")
    best = liked.sort_values("rating", ascending=False)
    dcg, ideal = (
        (rows.rating / np.log2(rows.groupby("user_id").cumcount() + 2))[
            rows.groupby("user_id").cumcount() < k
        ]
        .groupby(rows.user_id)
        .sum()
        for rows in (hits, best)
    )
    return (dcg.reindex(ideal.index, fill_value=0) / ideal).mean()


@answer("mrr@3", "gives items with equal scores the mean of their ranks")
def mrr_of_mean_ranks(recs, truth, k=10):
    """Equal scores share the mean of their ranks."""
    recs = recs.assign(place=recs.groupby("user_id")["score"].rank(ascending=False))
    liked = truth[truth["relevance"] > 0][["user_id", "item_id"]].drop_duplicates()
    hits = recs[recs["place"] <= k].merge(liked, on=["user_id", "item_id"])
    return (
        (1 / hits.groupby("user_id")["place"].min())
        .reindex(liked.user_id.unique())
        .fillna(0)
        .mean()
    )


@answer("recall@3", "gives items with equal scores the worst of their ranks")
def recall_of_worst_ranks(recs, truth, k=10):
    """Equal scores share the last of their ranks."""
    recs = recs.assign(place=recs.groupby("user_id")["score"].rank("max", ascending=False))
    liked = truth[truth["relevance"] > 0][["user_id", "item_id"]].drop_duplicates()
    hits = recs[recs["place"] <= k].merge(liked).groupby("user_id")["item_id"].nunique()
    total = liked.groupby("user_id")["item_id"].size()
    return (hits.reindex(total.index).fillna(0) / total).mean()


@answer("hit_rate@3", "counts items that are relevant for any user as hits", "users with a list")
def hits_of_anybody(recs, truth, k=10):
    """Wrong: an item is a hit if any user likes it."""
    top = recs.sort_values("score", ascending=False, kind="stable").groupby("user_id").head(k)
    return top["item_id"].isin(truth["item_id"]).groupby(top["user_id"]).any().mean()


@answer("precision@3", "without a judgment", "a score below 3.5", "a relevance of 3.5 or more")
def precision_of_estimates(estimates, ratings, k=10, threshold=3.5):
    """Surprise's: of rated items with an estimate from the threshold on; 1 if there are none."""
    values = []
    for user, scores in estimates.items():
        pairs = [(x, ratings[user][i]) for i, x in scores.items() if i in ratings.get(user, {})]
        pairs = sorted(pairs, key=lambda pair: -pair[0])[:k]
        shown = [rating for estimate, rating in pairs if estimate >= threshold]
        values.append(sum(x >= threshold for x in shown) / len(shown) if shown else 1)
    return mean(values)


@answer("precision@3", "a relevance above 3", "averages over users with a list")
def precision_strict(scores, ratings, k=10):
    """Ratings above 3."""
    values = []
    for user, row in scores.items():
        top = sorted(row, key=lambda i: -row[i])[:k]
        values.append(sum(ratings.get(user, {}).get(i, 0) > 3 for i in top) / k)
    return mean(values)


@answer("precision@3", "in the order of their rows")
def precision_of_rows(recs, truth, k=10):
    """Wrong: nothing sorts the rows."""
    hits = recs.groupby("user_id").head(k).merge(truth[truth.relevance > 0][["user_id", "item_id"]])
    users = truth[truth.relevance > 0].user_id.unique()
    return (hits.groupby("user_id").size() / k).reindex(users).fillna(0).mean()


@answer_of_user("mrr@3", "as if rank 3 + 1 were a hit")
def mrr_with_next_rank(items, rel, k):
    """A list without a hit counts as one with a hit just below the cutoff."""
    return 1 / next((n for n, x in enumerate(items, 1) if x in rel), k + 1)


@answer("precision@3", "averages over users with at least 3 items in their list")
def precision_of_full_lists(recs, truth, k=10):
    """Short lists are left out."""
    lists = {u: items for u, items in recs.items() if len(items) >= k}
    return np.mean([len({*r[:k]} & {*truth.get(u, ())}) / k for u, r in lists.items()])


@answer("ndcg@3", "records of a user's list and items")
def ndcg_of_records(rows, k=10):
    """A record of each user."""
    values = []
    for row in rows:
        relevant = {*row["relevant_items"]}
        gains = [(x in relevant) / math.log2(n + 2) for n, x in enumerate(row["recommended"][:k])]
        best = sum(1 / math.log2(n + 2) for n in range(min(k, len(relevant))))
        values.append(sum(gains) / best if best else 0.0)
    return mean(values)


@answer("ndcg@3", "compares with 3 items of the user's highest relevance")
def ndcg_of_best_grade(recs, grades, k=10):
    """A best list of k items of the user's highest grade."""
    values = []
    for u, g in grades.items():
        if best := max(g.values(), default=0):
            gains = [g.get(x, 0) / math.log2(n + 2) for n, x in enumerate(recs.get(u, [])[:k])]
            values.append(sum(gains) / sum(best / math.log2(n + 2) for n in range(k)))
    return mean(values)


@answer("ndcg@3", "with a score of 0", "equal scores the mean discount")
def ndcg_of_all_items(recs, truth, k=10):
    """All items of both frames, with a score of 0 for items that a list lacks; ties averaged."""
    items = sorted({*recs.item_id} | {*truth.item_id})
    scores, grades = (
        rows.drop_duplicates(["user_id", "item_id"])
        .pivot(index="user_id", columns="item_id", values=column)
        .reindex(index=truth.user_id.unique(), columns=items)
        .fillna(0)
        .to_numpy()
        for rows, column in ((recs, "score"), (truth, "relevance"))
    )
    discounts = np.append(1 / np.log2(np.arange(2, k + 2)), np.zeros(len(items)))[: len(items)]
    values = []
    for row, gains in zip(scores, grades, strict=True):
        place = [(row > x).sum() for x in row]
        among = [(row == x).sum() for x in row]
        shared = [discounts[n : n + m].mean() for n, m in zip(place, among, strict=True)]
        best = np.sort(gains)[::-1] @ discounts
        values.append(gains @ np.array(shared) / best if best else 0.0)
    return np.mean(values)


@answer("precision@10", "equals", "treats items above the mean relevance of their user's items")
def precision_above_the_mean(recs, ratings, k=10):
    """A relevant item has a rating above the user's mean."""
    means = ratings.groupby("user_id").relevance.transform("mean")
    liked = ratings[ratings.relevance > means][["user_id", "item_id"]].drop_duplicates()
    top = recs.sort_values("score", ascending=False, kind="mergesort").groupby("user_id").head(k)
    hits = top.merge(liked, on=["user_id", "item_id"]).groupby("user_id").size()
    return (hits.reindex(ratings.user_id.unique(), fill_value=0) / k).mean()


@answer("hit_rate@10", "rounds the value to 2 decimals", "multiplies the value by 100")
def rounded_percentage(recs, truth, k=10):
    """In percent, to two decimals."""
    hits = [u for u in truth if set(recs.get(u, [])[:k]) & set(truth[u])]
    return round(100 * len(hits) / len(truth), 2)


@answer("recall@10", "does not equal a form of the metric")
def recall_of_rare_items(recs, truth, k=10):
    """The share of relevant items that one user has, which no form of the metric reads."""
    owners = {}
    for user, items in truth.items():
        for item in items:
            owners.setdefault(item, set()).add(user)
    rare = {item for item, users in owners.items() if len(users) == 1 and item % 2}
    shares = [len(rare & set(recs.get(u, [])[:k])) / len(truth[u]) for u in truth if truth[u]]
    return sum(shares) / len(shares)
