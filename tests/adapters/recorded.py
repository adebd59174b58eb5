"""Recorded outputs and values of libraries that no tier installs.

    python tests/adapters/recorded.py lenskit recbole torchmetrics elliot

writes recorded/<library>.json, in an environment that has the library and what sqlrec needs:

    lenskit        lenskit==2025.8.1
    recbole        REQUIREMENTS in tests/conventions/libraries/recbole.py
    torchmetrics   torchmetrics==1.9.0
    elliot         not a package: PYTHONPATH has its source at tag v0.3.1, with numpy and pandas

Each function passes the library's own objects to the adapter. It returns the library's metric, the
content of the objects, the adapter's tables, and the library's value.
"""

import importlib.metadata
import json
import sys
import tempfile
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pyarrow as pa

import sqlrec
from sqlrec import adapters

FOLDER = Path(__file__).parent / "recorded"
CLICKS = {
    (f"u{u}", f"i{(u * 3 + n * n) % 11}"): 1 + (u + n) % 5 for u in range(6) for n in range(7)
}
TRAIN, TEST = [*CLICKS.items()][::2], [*CLICKS.items()][1::2]
K = 4


def lenskit():
    import pandas as pd
    from lenskit.basic import PopScorer
    from lenskit.batch import recommend
    from lenskit.data import ItemListCollection, from_interactions_df
    from lenskit.metrics import NDCG, RunAnalysis
    from lenskit.pipeline import topn_pipeline

    train, test = (
        pd.DataFrame(
            [(*key, grade) for key, grade in rows], columns=["user_id", "item_id", "rating"]
        )
        for rows in (TRAIN, TEST)
    )
    model = topn_pipeline(PopScorer())
    model.train(from_interactions_df(train))
    lists = recommend(model, sorted(test.user_id.unique()), K, n_jobs=1)
    truth = ItemListCollection.from_df(test, ["user_id"])
    run = RunAnalysis()
    run.add_metric(NDCG(K))
    theirs = run.measure(lists, truth).list_summary()["mean"].iloc[0]
    ours = lists.to_df(), truth.to_df()
    inputs = {name: x.to_dict("list") for name, x in zip(("recs", "truth"), ours, strict=True)}
    return "NDCG", inputs, ours, theirs


def recbole():
    # As in its Config: it uses names that NumPy has removed.
    np.bool, np.float = np.bool_, np.float64
    import torch
    from recbole.config import Config
    from recbole.data import create_dataset, data_preparation
    from recbole.evaluator import Collector, Evaluator
    from recbole.model.general_recommender import BPR
    from recbole.utils.case_study import full_sort_scores, full_sort_topk

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "shop", "shop.inter")
        path.parent.mkdir()
        lines = [f"{user}\t{item}\t{n}" for n, (user, item) in enumerate(CLICKS)]
        path.write_text("user_id:token\titem_id:token\ttimestamp:float\n" + "\n".join(lines))
        config = Config(
            model="BPR",
            dataset="shop",
            config_dict={
                "data_path": folder,
                "eval_args": {"split": {"RS": [2, 0, 1]}, "order": "TO", "mode": "full"},
                "metrics": ["NDCG"],
                "topk": [K],
                "metric_decimal_place": 15,
                "use_gpu": False,
                "checkpoint_dir": folder,
                "show_progress": False,
                "load_col": {"inter": ["user_id", "item_id", "timestamp"]},
            },
        )
        sys.argv[1:] = []
        dataset = create_dataset(config)
        train, _, test = data_preparation(config, dataset)
    # Without training, weights are random, so no scores are equal.
    torch.manual_seed(1)
    model = BPR(config, train.dataset)
    users = np.arange(1, dataset.user_num)
    scores, items = full_sort_topk(users, model, test, K)
    tokens = {
        field: dataset.id2token(field, np.arange(dataset.num(field))).tolist()
        for field in (dataset.uid_field, dataset.iid_field)
    }
    collector = Collector(config)
    wanted = test.dataset.inter_feat
    rows = [wanted[name] for name in (dataset.uid_field, dataset.iid_field)]
    whole = full_sort_scores(users, model, test)
    collector.eval_batch_collect(whole, None, rows[0] - 1, rows[1])
    theirs = Evaluator(config).evaluate(collector.get_data_struct())[f"ndcg@{K}"]
    truth = [[tokens["user_id"][u], tokens["item_id"][i]] for u, i in zip(*rows, strict=True)]
    inputs = {
        "scores": scores.tolist(),
        "items": items.tolist(),
        "users": users.tolist(),
        "tokens": tokens,
        "truth": truth,
    }
    judged = pa.table([*zip(*truth, strict=True)], ["user_id", "item_id"])
    ids = [dataset.id2token(dataset.uid_field, users), dataset.field2id_token[dataset.iid_field]]
    ours = adapters.implicit(items, scores, *ids), judged
    return "NDCG", inputs, ours, theirs


def torchmetrics():
    import torch
    from torchmetrics.retrieval import RetrievalNormalizedDCG

    users = sorted({user for user, _ in CLICKS})
    indexes = torch.tensor([users.index(user) for user, _ in CLICKS])
    target = torch.tensor([*CLICKS.values()])
    preds = torch.rand(len(target), generator=torch.Generator().manual_seed(1), requires_grad=True)
    theirs = RetrievalNormalizedDCG(top_k=K)(preds.double(), target, indexes=indexes)
    inputs = {"preds": preds.tolist(), "target": target.tolist(), "indexes": indexes.tolist()}
    return "RetrievalNormalizedDCG", inputs, torchmetrics_tables(**inputs), theirs


def torchmetrics_tables(preds, target, indexes):
    """Return the recommendations and the truth of the arguments of a metric of TorchMetrics."""
    ids = {"user_id": indexes, "item_id": [*range(len(preds))]}
    return ids | {"score": preds}, ids | {"relevance": target}


def elliot():
    import pandas as pd
    from elliot.evaluation.metrics.accuracy.precision.precision import Precision
    from elliot.evaluation.relevance import Relevance
    from elliot.splitter.base_splitter import Splitter
    from elliot.utils.write import store_recommendation

    names = ["userId", "itemId", "rating", "timestamp"]
    rows = [(*key, grade, n) for n, (key, grade) in enumerate(CLICKS.items())]
    requests = SimpleNamespace(strategy="random_subsampling", leave_n_out=3)
    folder = tempfile.mkdtemp()
    splitting = SimpleNamespace(save_on_disk=True, save_folder=folder, test_splitting=requests)
    (split,) = Splitter(pd.DataFrame(rows, columns=names), splitting).process_splitting()
    users = {user: {} for user, _ in CLICKS}
    for user, item, grade in split[1][names[:3]].itertuples(index=False):
        users[user][item] = grade
    lists = {u: [(f"i{n}", 1 / (1 + (n * 7 + int(u[1])) % 11)) for n in range(11)] for u in users}
    lists = {user: sorted(rows, key=lambda row: -row[1]) for user, rows in lists.items()}
    recs, test = Path(folder, "recs.tsv"), Path(folder, "0", "test.tsv")
    store_recommendation(lists, str(recs))
    inputs = {"recs": recs.read_text(), "truth": test.read_text()}
    ours = (sqlrec.File(path, header=False) for path in (recs, test))
    results = SimpleNamespace(relevance=Relevance(users, 1), cutoff=K)
    return "Precision", inputs, ours, Precision(lists, None, None, results).eval()


# sqlrec's metric for each library's metric.
METRICS = {
    "lenskit": "ndcg(convention=lenskit)@4",
    "recbole": "ndcg(convention=recbole)@4",
    "torchmetrics": "ndcg(convention=torchmetrics)@4",
    "elliot": "precision@4",
}

# The columns of outputs that need no adapter.
COLUMNS = {
    "lenskit": {"relevance": "rating"},
    "elliot": {
        **{"user_id": "column0", "item_id": "column1"},
        **{"recs.score": "column2", "truth.relevance": "column2"},
    },
}


def record(library):
    name, inputs, (recs, truth), theirs = globals()[library]()
    version = "0.3.1" if library == "elliot" else importlib.metadata.version(library)
    result = sqlrec.evaluate(METRICS[library], recs=recs, truth=truth, columns=COLUMNS.get(library))
    ours = result.to_arrow()["value"][0].as_py()
    assert abs(ours - float(theirs)) < 1e-7, (library, ours, theirs)
    results = {
        "library": library,
        "version": version,
        "their metric": name,
        "our metric": METRICS[library],
        "value": float(theirs),
        "given": inputs,
    }
    if library == "recbole":
        results |= {"recs": recs.to_pydict(), "truth": truth.to_pydict()}
    FOLDER.mkdir(exist_ok=True)
    text = json.dumps(results, indent=None, sort_keys=False, default=float)
    (FOLDER / f"{library}.json").write_text(text + "\n", encoding="utf-8")
    print(library, version, ours, float(theirs))


if __name__ == "__main__":
    for library in sys.argv[1:]:
        record(library)
