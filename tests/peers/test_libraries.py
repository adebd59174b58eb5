"""Values of other libraries: computed here, or recorded, on the same data."""

import csv
import json
import random
from functools import cache
from pathlib import Path

import duckdb
import pyarrow as pa
from hypothesis import assume, given
from hypothesis import strategies as st
from pytest import approx, mark

import sqlrec

from ..examples import examples
from ..packages import pytrec_eval
from ..tables import lists, rows, table, values, wanted

SHARED = Path(__file__).parents[3] / "shared" / "data"
shared = mark.skipif(not SHARED.is_dir(), reason="its data is not part of the repository")

# Measures of trec_eval, and their names in sqlrec. trec_eval 9 rounds recalls up.
TREC_EVAL = dict(
    pair.split(":")
    for pair in """
        P_5:P@5 recall_5:recall@5 success_5:hit_rate@5 map_cut_5:map@5 ndcg_cut_5:ndcg@5
        ndcg_cut_10:ndcg@10 map:map@all recip_rank:mrr@all ndcg:ndcg@all Rprec:r_precision
        bpref:bpref infAP:infap 11pt_avg:11pt(rounding=up)
        iprec_at_recall_0.30:iprec(recall=0.3,rounding=up)
        iprec_at_recall_0.00:iprec(recall=0,rounding=up)
        iprec_at_recall_1.00:iprec(recall=1,rounding=up)
    """.split()
)
MEASURES = {
    *("P.5", "recall.5", "success.5", "map_cut.5", "ndcg_cut.5,10", "iprec_at_recall"),
    *("map", "recip_rank", "ndcg", "Rprec", "bpref", "infAP", "11pt_avg"),
}

PAIRS = st.tuples(
    st.sampled_from(["q1", "q2", "q3", "q4"]), st.sampled_from([f"d{n}" for n in range(12)])
)
SCORES = st.sampled_from([-1.0, 0.0, 0.25, 0.5, 2.0])


def by_user(flat):
    results = {}
    for (user, item), number in flat.items():
        results.setdefault(user, {})[item] = number
    return results


def reads_recalls(grades):
    """Return whether trec_eval 9 finds the number of items for a recall: of 3 it has 0.7 for 2."""
    relevant = sum(grade > 0 for grade in grades)
    return all(int(n / 10 * relevant + 0.9) == -(-n * relevant // 10) for n in range(11))


@given(
    run=st.dictionaries(PAIRS, SCORES, min_size=1),
    qrels=st.dictionaries(PAIRS, st.integers(-1, 3), min_size=1),
)
@examples(50)
def test_trec_eval_finds_the_same_for_every_user(run, qrels):
    # 0 of 0 is 0 to trec_eval and undefined here: users without relevant item are excluded. Nor is
    # its memory made for a topic whose grades are all below 0.
    wants = {user for (user, _), grade in qrels.items() if grade > 0}
    users = wants & {user for user, _ in run}
    assume(users)
    judged = by_user({pair: grade for pair, grade in qrels.items() if pair[0] in wants})
    expected = pytrec_eval.RelevanceEvaluator(judged, MEASURES).evaluate(by_user(run))
    ids = {"user_id": pa.string(), "item_id": pa.string()}
    result = sqlrec.evaluate(
        list(TREC_EVAL.values()),
        recs=table([(*pair, score) for pair, score in run.items()], **ids, score=pa.float64()),
        truth=table([(*pair, n) for pair, n in qrels.items()], **ids, relevance=pa.int64()),
        rules=sqlrec.Rules(population="truth_and_recs", ties="item_desc"),
    )
    names = dict(zip(rows(result, "metric", "k"), TREC_EVAL, strict=True))
    results = {
        (user, names[metric, k]): value
        for user, metric, k, value in rows(result.per_user(), "user_id", "metric", "k", "value")
    }
    odd = {(user, "11pt_avg") for user in users if not reads_recalls(judged[user].values())}
    own = {(user, measure): expected[user][measure] for user in users for measure in TREC_EVAL}
    assert results.keys() == own.keys()
    assert {key: results[key] for key in own.keys() - odd} == approx(
        {key: own[key] for key in own.keys() - odd}, abs=1e-9
    )


# The forms of a metric by their names in the small tables of other libraries' tests.
FORMS = {
    **{"precision/k": "precision", "hit": "hit_rate", "rr": "mrr", "recall": "recall"},
    **{"ap/min": "map(divide_by=achievable)", "ap/rel": "map", "ndcg/min": "ndcg(gain=binary)"},
}


@shared
def test_published_examples_of_libraries_have_their_values():
    tables = json.loads((SHARED / "fixtures" / "small_tables.json").read_text())
    checked = set()
    for case in tables:
        expected = {
            f"{FORMS[one['check']]}@{one['k']}": approx(one["value"], abs=1e-5)
            for one in case.get("expected", [])
            if isinstance(one, dict) and "check" in one
        }
        if expected:
            given = {
                name: pa.Table.from_pylist(
                    [dict(zip(case[f"{name}_columns"], row, strict=True)) for row in case[name]]
                )
                for name in ("recs", "truth")
            }
            result = sqlrec.evaluate([*expected], **given)
            assert dict(rows(result, "request", "value")) == expected, case["name"]
            checked.add(case["name"])
    assert checked == {"replay", "recommenders", "rs_metrics", "jurity_recall", "jurity_ndcg"}


def test_page_ndcg_is_that_of_its_authors():
    # NDCG_2D of RecSysCarouselEvaluation (1834970), in doubles and with empty ranks set to 0.
    requests = {
        (("abcd", "eafg", "hicb"), 0.48120497746409485): {"f": 1, "c": 2, "h": 3, "z": 2},
        (("jbc", "cej"), 0.5770911145986676): dict.fromkeys("cjegfih", 1),
        (("abcde",), 0.4933965394160924): {"e": 2, "b": 1},
    }
    for (page, expected), truth in requests.items():
        cells = sorted((r + c, r, item) for r, row in enumerate(page) for c, item in enumerate(row))
        result = sqlrec.evaluate(
            f"page_ndcg(rows={len(page)}, columns={len(page[0])}, gain=exponential)",
            recs=lists({"ann": [item for *_, item in cells]}),
            truth=wanted({"ann": truth}),
            rules=sqlrec.Rules(duplicates="best"),
        )
        assert rows(result, "value") == [(approx(expected, rel=1e-12),)]


def test_expected_exposure_is_that_of_its_authors():
    result = sqlrec.evaluate(
        "eed eer eel eer(grades=binary) eel(grades=binary)",
        recs=lists({"1": "bxa", "2": "yd"}),
        truth=wanted({"1": {"a": 2, "b": 1, "c": 1}, "2": {"d": 1, "e": 3}}),
    )
    results: dict[str, list[float]] = {}
    for row in result.per_user().to_arrow().sort_by("user_id").to_pylist():
        results.setdefault(row["metric"], []).append(row["value"])
    # expeval -u rbp -p 0.5 -U, and with -B.
    assert results == {
        "expected_exposure_disparity": approx([1.3125, 1.25]),
        "expected_exposure_relevance": approx([0.625, 0.25]),
        "expected_exposure_loss": approx([1.34375, 2]),
        "expected_exposure_relevance(grades=binary)": approx([0.729167, 0.375], abs=1e-6),
        "expected_exposure_loss(grades=binary)": approx([0.875, 1.625]),
    }


def test_bias_disparity_is_that_of_elliot():
    shown = {0: "07418", 1: "63074", 2: "41852", 3: "41852", 4: "63074", 5: "07418"}
    had = {0: "0123", 1: "3579", 2: "6925", 3: "9371", 4: "27", 5: "5173"}
    groups = [(str(item), str(item % 3)) for item in range(10)]
    sexes = [(str(user), user % 2) for user in range(6)]
    result = sqlrec.evaluate(
        [f"bias_disparity(group={group})@4" for group in range(3)],
        recs=lists({str(user): items for user, items in shown.items()}),
        history=lists({str(user): items for user, items in had.items()}),
        items=table(groups, item_id=pa.string(), item_group=pa.string()),
        users=table(sexes, user_id=pa.string(), sex=pa.int64()),
        by="sex",
    )
    # BiasDisparityBD with cutoff 4: user group 0 with item groups 0, 1 and 2, then user group 1.
    assert [value for _, value in sorted(rows(result, "sex", "value"), key=lambda one: one[0])] == [
        *(approx(-0.16666666666666674), approx(1.4999999999999998), approx(-0.5833333333333334)),
        *(approx(-0.20000000000000012), approx(0.1999999999999999), approx(0.0, abs=1e-15)),
    ]


BARE = str.maketrans("", "", "()")
FOLDER = SHARED / "movietweetings" / "parquet"


@cache
def recs(model, ranks=1):
    return duckdb.sql(
        f"""
        select user_id, item_id, rank
        from '{FOLDER}/recs.parquet'
        where model = '{model}'
        qualify count(*) over (partition by user_id) >= {ranks}
        """
    ).to_arrow_table()


def compared(metrics, ours, theirs):
    return values(sqlrec.evaluate(metrics, recs=ours, baseline=theirs))


@shared
def test_rbo_finds_the_same_overlap():
    pop = recs("pop")
    assert compared("rbo@10 rbo@20", recs("itemknn"), pop) == approx(
        [0.416688770584557, 0.4341642411629593], rel=1e-12
    )
    assert compared("rbo(p=0.5)@10 rbo(p=0.5)@20", recs("itemknn"), pop) == approx(
        [0.3488665522963029, 0.34888858554841085], rel=1e-12
    )
    for k, truncated, average in (
        (10, 0.2618630992459372, 0.41313073064252337),
        (20, 0.3724313956029782, 0.4522115393724572),
    ):
        metrics = f"rbo(form=truncated)@{k} average_overlap@{k}"
        assert compared(metrics, recs("itemknn", k), pop) == approx([truncated, average])


@shared
def test_rbo_residuals_equal_published_values():
    # They do not depend on order, so ties do not matter in lists of equal length.
    with (SHARED / "rbo" / "test.csv").open(encoding="utf-8") as file:
        pairs = [
            (row["x"].translate(BARE).split(), row["y"].translate(BARE).split(), row)
            for row in csv.DictReader(file)
        ]
    even = [pair for pair in pairs if len(pair[0]) == len(pair[1])]
    assert len(even) == 858
    chosen = random.Random(1).sample(even, 20)
    names = [f"rbo_residual(p={row['p']})@all" for _, _, row in chosen]
    result = sqlrec.evaluate(
        names,
        recs=lists({name: ours for name, (ours, _, _) in zip(names, chosen, strict=True)}),
        baseline=lists({name: theirs for name, (_, theirs, _) in zip(names, chosen, strict=True)}),
    )
    found = {
        row["user_id"]: row["value"]
        for row in result.per_user().to_arrow().to_pylist()
        if f"{row['metric']}@all" == row["user_id"]
    }
    expected = {name: float(row["w.res"]) for name, (_, _, row) in zip(names, chosen, strict=True)}
    assert found == approx(expected, abs=1e-12)
