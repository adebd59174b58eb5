"""Metric functions as companies write them: right ones, quirks and mistakes.

Each has the right answer, which is from the definitions and not from what `identify` prints.
"""

import math
from statistics import mean

import numpy as np

# Each function, with its metric and the texts that its identification has.
ANSWERS = {}


def answer(metric, *texts):
    """Add a function to the answers."""

    def keep(function):
        ANSWERS[function.__name__] = function, metric, texts
        return function

    return keep


@answer("ndcg@3", "uses 2^relevance - 1 as gain")
def offline_ndcg(recs_df, truth_df, k=10):
    """Gain 2^g-1, natural log cancels; users with a relevant item; no list counts 0."""
    truth_df = truth_df.drop_duplicates(["user_id", "item_id"])
    top = recs_df.sort_values("score", ascending=False, kind="stable").drop_duplicates(
        ["user_id", "item_id"]
    )

    def one(group):
        grades = group.set_index("item_id")["relevance"]
        best = grades.sort_values(ascending=False).to_numpy()[:k]
        idcg = ((2**best - 1) / np.log(np.arange(len(best)) + 2)).sum()
        if idcg == 0:
            return np.nan
        items = top[top.user_id == group.name]["item_id"].head(k)
        g = grades.reindex(items).fillna(0).to_numpy()
        return ((2**g - 1) / np.log(np.arange(len(g)) + 2)).sum() / idcg

    return truth_df.groupby("user_id")[["item_id", "relevance"]].apply(one).mean()


@answer("ndcg@3", "compares with 3 hits, also for users with fewer relevant items")
def ndcg_full_ideal(recs, truth, k=10):
    """Binary.

    Ideal of k hits for everybody; users with a relevant item; no list 0 (RecTools' default).
    """
    idcg = sum(1 / math.log2(i + 2) for i in range(k))
    res = []
    for u, rel in truth.items():
        if not rel:
            continue
        res.append(
            sum(1 / math.log2(i + 2) for i, x in enumerate(recs.get(u, [])[:k]) if x in rel) / idcg
        )
    return mean(res) if res else 0.0


@answer("ndcg@3", "not cut at 3")
def ndcg_uncut_ideal(predictions, ground_truth, k=10):
    """Binary.

    Ideal of all relevant items, not cut at k (Jurity); users with relevant items and a list.
    """
    res = []
    for u in predictions:
        rel = set(ground_truth.get(u, ()))
        if not rel:
            continue
        dcg = sum(1 / math.log2(i + 1) for i, x in enumerate(predictions[u][:k], 1) if x in rel)
        res.append(dcg / sum(1 / math.log2(i + 1) for i in range(1, len(rel) + 1)))
    return sum(res) / len(res) if res else float("nan")


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


@answer("map@3", "divides by the length of the list within 3")
def map_over_length(recs, truth, k=10):
    """AP divided by the length of the list within k; users with a relevant item and a list."""
    total, users = 0, 0
    for u, rel in truth.items():
        if not rel or not recs.get(u):
            continue
        top = recs[u][:k]
        h = 0
        s = 0
        for n, x in enumerate(top, 1):
            if x in rel:
                h += 1
                s += h / n
        total += s / len(top)
        users += 1
    return total / users if users else None


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


@answer("mrr@3", "averages over users with a hit")
def mrr_of_hits(recs, truth, k=10):
    """Averages over users with a hit only."""
    out = []
    for u in truth:
        for i, x in enumerate(recs.get(u, [])[:k]):
            if x in truth[u]:
                out.append(1 / (i + 1))
                break
    return np.mean(out)


@answer("mrr@3", "uses the last hit, not the first")
def mrr_last(recs, truth, k=10):
    """Wrong: the last hit instead of the first."""
    out = []
    for u, rel in truth.items():
        if not rel:
            continue
        rr = 0
        for i, x in enumerate(recs.get(u, [])[:k]):
            if x in rel:
                rr = 1 / (i + 1)
        out.append(rr)
    return sum(out) / max(len(out), 1)


@answer("recall@3", "counts each row of the truth")
def recall_lists(recommended, relevant, k=10):
    """Truth rows with copies in the denominator; otherwise usual; users with a relevant item."""
    vals = []
    for u, rows in relevant.items():
        if len(rows) == 0:
            continue
        vals.append(len(set(recommended.get(u, [])[:k]).intersection(rows)) / len(rows))
    return np.mean(vals) if vals else np.nan


@answer("recall@3", "divides by min(3, relevant items)", "counts an undefined value as 1")
def recall_optimistic(recs, truth, k=10):
    """Hits / min(k, m); users of the truth with nothing relevant count 1."""
    vals = []
    for u, rel in truth.items():
        rel = set(rel)
        hits = len(set(recs.get(u, [])[:k]) & rel)
        vals.append(hits / min(k, len(rel)) if rel else 1.0)
    return sum(vals) / len(vals)


@answer("recall@3", "is not recall@3, but precision@3", "divides by the length of the list")
def recall_which_is_precision(recs, truth, k=10):
    """Is no recall but precision, divided by the length of the list.

    Users with a relevant item.
    """
    vals = []
    for u, rel in truth.items():
        if rel:
            top = recs.get(u, [])[:k]
            vals.append(len(set(top) & set(rel)) / len(top) if top else 0)
    return sum(vals) / len(vals) if vals else 0


@answer("precision@3", "averages over users of the truth who have a list")
def precision_common(recs, truth, k=10):
    """Hits / k; users of the truth (also nothing relevant) who have a list."""
    users = recs.keys() & truth.keys()
    if not users:
        return float("nan")
    return sum(len(set(recs[u][:k]) & set(truth[u])) / k for u in users) / len(users)


@answer("precision@3", "puts the lowest score first")
def precision_ascending(scores, labels, k=10):
    """Wrong: takes the lowest scores (ascending sort)."""
    vals = []
    for u, g in labels.items():
        top = sorted(scores.get(u, {}), key=scores.get(u, {}).get)[:k]
        vals.append(sum(g.get(i, 0) > 0 for i in top) / k)
    return sum(vals) / len(vals)


@answer("hit_rate@3", "multiplies the value by 100")
def hit_percentage(recs, truth, k=10):
    """In percent: 100 times; users with a relevant item."""
    users = [u for u in truth if truth[u]]
    hits = [u for u in users if set(recs.get(u, [])[:k]) & set(truth[u])]
    return 100 * len(hits) / len(users) if users else 0


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


@answer("ndcg@3", "rounds the value to 3 decimals")
def ndcg_rounded(y_true, y_score, k=10):
    """Rounded to 3 decimals.

    Arrays; rows without relevant excluded from the mean; ties: earlier column (smaller id) first.
    """
    out = []
    for t, s in zip(y_true, y_score, strict=True):
        o = np.argsort(-s, kind="stable")[:k]
        d = 1 / np.log2(np.arange(len(o)) + 2)
        ideal = (np.sort(t)[::-1][: len(o)] * d).sum()
        if ideal > 0:
            out.append((t[o] * d).sum() / ideal)
    return round(float(np.mean(out)), 3) if out else None


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


@answer("map@3", "adds 1 / rank of hits, not the precision there")
def map_bug(recs, truth, k=10):
    """Wrong: sum of 1/rank over hits / m (hits are not counted up)."""
    vals = []
    for u, rel in truth.items():
        if rel:
            s = sum(1 / i for i, x in enumerate(recs.get(u, [])[:k], 1) if x in rel)
            vals.append(s / len(set(rel)))
    return sum(vals) / len(vals) if vals else 0


@answer("ndcg@3", "averages over users with a list")
def ndcg_wrong_count(recs, truth, k=10):
    """The sum over users of the truth, divided by the number of users with a list."""
    total = 0
    for u, g in truth.items():
        best = sorted(g.values(), reverse=True)[:k]
        idcg = sum(x / math.log2(n + 2) for n, x in enumerate(best))
        if idcg:
            total += (
                sum(g.get(i, 0) / math.log2(n + 2) for n, i in enumerate(recs.get(u, [])[:k]))
                / idcg
            )
    return total / len(recs)


@answer("recall@3", "averages over users with a hit")
def recall_inner_join(shown, bought, k=10):
    """Users without a hit vanish in the join; frames with a rank and names of a shop."""
    top = shown[shown["position"] <= k]
    hits = top.merge(bought, on=["customer_id", "sku"]).groupby("customer_id")["sku"].nunique()
    return (hits / bought.groupby("customer_id")["sku"].nunique()).dropna().mean()


@answer("recall@3", "pools all users' items", "average=pooled")
def recall_pooled(recs, truth, k=10):
    """All hits divided by all relevant items."""
    hits = sum(len(set(recs.get(u, [])[:k]) & set(truth[u])) for u in truth)
    return hits / sum(len(set(items)) for items in truth.values())


@answer("map@3", "averages the precision at every rank")
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


@answer("ndcg@3", "discounts each rank of the list, but not of the ideal list, like the next rank")
def ndcg_shifted(recs, truth, k=10):
    """Wrong: ranks that start at 1 get the discount for ranks that start at 0."""
    values = []
    for u in truth:
        rel = set(truth[u])
        if rel:
            dcg = sum(
                1 / math.log2(i + 2) for i, x in enumerate(recs.get(u, [])[:k], 1) if x in rel
            )
            values.append(dcg / sum(1 / math.log2(i + 2) for i in range(min(k, len(rel)))))
    return mean(values)


@answer("ndcg@3", "discounts each rank as the next rank, those of the ideal list too")
def ndcg_shifted_twice(recs, truth, k=10):
    """Wrong: the discount for ranks that start at 0, for ranks that start at 1, in both sums."""
    values = []
    for u in truth:
        hits = [i for i, x in enumerate(recs.get(u, [])[:k], 1) if x in truth[u]]
        best = sum(1 / math.log2(i + 2) for i in range(1, min(k, len(set(truth[u]))) + 1))
        values.append(sum(1 / math.log2(i + 2) for i in hits) / best if best else 0.0)
    return mean(values)


@answer("precision@3", "adds the grades of hits, not their number")
def precision_of_grades(y_true, y_score, k=10):
    """Arrays whose truth has grades, which are added up."""
    top = np.argsort(-y_score, axis=1, kind="stable")[:, :k]
    return np.take_along_axis(y_true, top, axis=1).sum(axis=1).mean() / k


@answer("hit_rate@3", "counts the hits of a list")
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


@answer("ndcg@3", "treats every row of the truth as relevant", "takes the items of a list within")
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


@answer("precision@10", "does not cut lists, counts hits, not their share", "the value by 0.1")
def precision_of_whole_lists(y_true, y_reco, k=10):
    """Wrong: hits of the whole list, divided by k; it also runs on dicts, whose keys are users."""
    return len(set(y_reco).intersection(y_true)) / k


@answer("ndcg@3", "does not cut lists, and treats their items as all relevant items")
def ndcg_of_own_hits(actual, predicted):
    """Wrong: the best order of the hits of a whole list."""
    hits = [float(x in actual) for x in predicted]
    dcg, best = (
        sum(x / math.log2(n + 2) for n, x in enumerate(row))
        for row in (hits, sorted(hits, reverse=True))
    )
    return dcg / best if best else 0.0
