"""Print outputs of real libraries, converted by the adapters, in a line of JSON per library.

The script runs in an environment with these libraries. Each line contains sqlrec's and the
library's values.
"""

import json
import sys

import numpy as np
import pandas as pd

import sqlrec
from sqlrec import adapters

LIBRARIES = ("implicit", "ranx", "surprise", "rectools", "recommenders", "replay")

CLICKS = pd.DataFrame(
    [(f"u{u}", f"i{(u * 3 + n * n) % 8}", 1 + (u + n) % 5) for u in range(6) for n in range(4)],
    columns=["user_id", "item_id", "weight"],
).drop_duplicates(["user_id", "item_id"])
TRAIN, TEST = CLICKS[::2], CLICKS[1::2]
USERS, ITEMS = (np.unique(CLICKS[name]) for name in ("user_id", "item_id"))
K = 4


def value(metric, recs, truth, **options):
    return sqlrec.evaluate(metric, recs=recs, truth=truth, **options).to_arrow()["value"][0].as_py()


def implicit():
    from implicit.als import AlternatingLeastSquares
    from scipy.sparse import csr_matrix

    def counts(frame):
        cells = (np.searchsorted(USERS, frame.user_id), np.searchsorted(ITEMS, frame.item_id))
        return csr_matrix((np.ones(len(frame)), cells), (len(USERS), len(ITEMS)))

    model = AlternatingLeastSquares(factors=2, random_state=1)
    model.fit(counts(TRAIN), show_progress=False)
    ids, scores = model.recommend(np.arange(len(USERS)), counts(TRAIN), N=len(ITEMS))
    recs = adapters.implicit(ids, scores, USERS, ITEMS)
    # Items of the history are in no list, although the rows have as many columns as there are
    # items.
    assert len(recs) + len(TRAIN) == len(USERS) * len(ITEMS) == ids.size
    one = adapters.implicit(ids[0], scores[0], "u0", ITEMS)
    assert one.to_pylist() == recs.slice(0, len(one)).to_pylist()
    wanted = counts(TEST).toarray()
    hits = [wanted[user, ids[user, :K]].sum() for user in np.flatnonzero(wanted.any(axis=1))]
    # Equal scores are in implicit's order.
    ours = value("precision@4", recs, TEST[["user_id", "item_id"]], ties="first")
    return ours, np.mean(hits) / K


def rectools():
    from rectools.dataset import Dataset
    from rectools.metrics import MAP
    from rectools.models import PopularModel

    dataset = Dataset.construct(TRAIN.assign(datetime="2026-01-01"))
    recs = PopularModel().fit(dataset).recommend(TRAIN.user_id.unique(), dataset, K, False)
    ours = recs, CLICKS[["user_id", "item_id"]]
    return value(f"map(convention=rectools)@{K}", *ours), MAP(K).calc(recs, CLICKS)


def ranx():
    from ranx import Qrels, Run, evaluate

    truth = {u: dict(zip(of.item_id, of.weight, strict=True)) for u, of in TEST.groupby("user_id")}
    recs = {user: {item: 1 / (1 + n) for n, item in enumerate(ITEMS)} for user in USERS}
    run, qrels = Run(recs), Qrels(truth)
    ours = run.to_dict(), qrels.to_dict()
    return value("ndcg(convention=ranx)@4", *ours), evaluate(qrels, run, "ndcg@4")


def surprise():
    from surprise import Dataset, NormalPredictor, Reader, accuracy

    data = Dataset.load_from_df(TRAIN, Reader(rating_scale=(1, 5)))
    np.random.seed(1)
    model = NormalPredictor().fit(data.build_full_trainset())
    predictions = model.test([*TEST.itertuples(index=False, name=None)])
    frame = pd.DataFrame(predictions)
    columns = {"user_id": "uid", "item_id": "iid", "score": "est", "relevance": "r_ui"}
    result = value("rmse", frame, frame, columns=columns)
    return result, accuracy.rmse(predictions, verbose=False)


def replay():
    from replay.metrics import Precision

    names = {"user_id": "query_id", "weight": "rating"}
    recs = TRAIN.rename(columns=names)
    truth = TEST.assign(item_id=TEST.item_id.shift(1, fill_value="i0")).rename(columns=names)
    truth = truth.drop_duplicates(["query_id", "item_id"])
    theirs = Precision(topk=K)(recs, truth)["Precision@4"]
    columns = {"user_id": "query_id", "score": "rating"}
    ours = recs, truth[["query_id", "item_id"]]
    return value("precision(convention=replay)@4", *ours, columns=columns), theirs


def recommenders():
    from recommenders.evaluation.python_evaluation import map_at_k

    names = {"user_id": "userID", "item_id": "itemID"}
    truth = TEST.rename(columns={**names, "weight": "rating"})
    recs = CLICKS.rename(columns={**names, "weight": "prediction"})
    columns = {**names, "score": "prediction", "relevance": "rating"}
    theirs = map_at_k(truth, recs.sort_values("itemID"), k=K)
    return value(f"map(convention=recommenders)@{K}", recs, truth, columns=columns), theirs


if __name__ == "__main__":
    for name in sys.argv[1:]:
        print(json.dumps([name, *map(float, globals()[name]())]), flush=True)
