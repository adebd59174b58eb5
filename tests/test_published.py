"""The page of published numbers: each request prints the digits of its source."""

import json
import re
import warnings
from pathlib import Path

import pyarrow as pa
from pytest import mark, param

import sqlrec

from .peers.test_libraries import SHARED, shared
from .peers.test_off_policy import open_bandit
from .tables import lists, scored, table, wanted

PAGE = (Path(__file__).parents[1] / "docs" / "papers.md").read_text(encoding="utf-8")
SECTIONS = dict(part.split("\n", 1) for part in PAGE.split("\n## ")[1:])
GRADES = json.loads(Path(__file__).with_name("published.json").read_text(encoding="utf-8"))
BY_FILES = ("Fashion items of a shop", "The test of trec_eval")

# Demšar 2006, table 6: 1,000 times the AUC of classifiers, and 975.1 for the first of two values
# 0.975, which it ranks above the second.
CLASSIFIERS = {
    "C4.5": "763 599 954 628 882 936 661 583 775 1000 940 619 972 957",
    "C4.5+m": "768 591 971 661 888 931 668 583 838 1000 962 666 981 978",
    "C4.5+cf": "771 590 968 654 886 916 609 563 866 1000 965 614 975.1 946",
    "C4.5+m+cf": "798 569 967 657 898 931 685 625 875 1000 962 669 975 970",
}
RANKS = {"A": [100] * 5, "B": [40, 40, 8437, 9266, 4482], "C": [212, 2, 743, 5342, 1548]}


def lists_of_grades(name):
    """Return the lists whose grades are stored: 302/4,1*5 is five lists of 3, 0 and 2.

    Their truth has four other items of grade 1 and one of grade 2.
    """
    recs, truth = [], []
    for text in GRADES[name].split():
        grades, missing, count = re.fullmatch(r"(\d*)/([\d,]*)(?:\*(\d+))?", text).groups()
        counts = enumerate(map(int, missing.split(",") if missing else []), 1)
        judged = [(rank, int(grade)) for rank, grade in enumerate(grades, 1) if grade != "0"]
        judged += [(-1000 * grade - n, grade) for grade, number in counts for n in range(number)]
        for _ in range(int(count or 1)):
            user = f"{len(recs)}, {len(truth)}"
            recs += [(user, rank, rank) for rank in range(1, max(len(grades), 1) + 1)]
            truth += [(user, *row) for row in judged]
    types = {"user_id": pa.string(), "item_id": pa.int64()}
    return {
        "recs": table(recs, **types, rank=pa.int64()),
        "truth": table(truth, **types, relevance=pa.int64()),
    }


def sampled(name):
    users = {f"user {n}": rank for n, rank in enumerate(RANKS[name])}
    items = [f"i{rank}" for rank in range(1, 10_001)]
    catalog = table([(item,) for item in items], item_id=pa.string())
    truth = wanted({user: [f"i{rank}"] for user, rank in users.items()})
    return {"recs": lists(dict.fromkeys(users, items)), "truth": truth, "catalog": catalog}


def by_hand(_):
    grades = dict(zip("abcdefghij", [3, 2, 3, 0, 0, 1, 2, 2, 3, 0], strict=True))
    return {"recs": lists({"topic": grades}), "truth": wanted({"topic": grades})}


def ranx_queries(_):
    documents = {"q_1": ("d_12", "d_23", "d_25", "d_36", "d_32", "d_35")}
    documents["q_2"] = ("d_12", "d_11", "d_25", "d_36", "d_22", "d_35")
    grades = {"q_1": {"d_12": 5, "d_25": 3}, "q_2": {"d_11": 6, "d_22": 1}}
    return {"recs": lists(documents), "truth": wanted(grades)}


def spark_rankings(_):
    rankings = ((1, 6, 2, 7, 8, 3, 9, 10, 4, 5), (4, 1, 5, 6, 2, 7, 3, 8, 9, 10), (1, 2, 3, 4, 5))
    relevant = ({1, 2, 3, 4, 5}, {1, 2, 3}, set())
    recs = {f"user {n}": [*map(str, items)] for n, items in enumerate(rankings)}
    truth = {u: {x: int(int(x) in relevant[n]) for x in recs[u]} for n, u in enumerate(recs)}
    return {"recs": lists(recs), "truth": wanted(truth)}


def same_lists(_):
    truth = {"u": "134", "v": "124", "w": "13"}
    return {"recs": lists(dict.fromkeys(truth, "12345")), "truth": wanted(truth)}


def graded(scores, grades):
    """Return a function for the list and the truth of a user with a score and a grade per item."""
    recs, truth = ({"all": {f"i{n}": x for n, x in enumerate(one)}} for one in (scores, grades))
    return lambda _: {"recs": scored(recs), "truth": wanted(truth)}


def plurals(_):
    guesses = {
        "cat": ("catten", "cati", "cats"),
        "torus": ("torii", "tori", "toruses"),
        "virus": ("viruses", "virii", "viri"),
    }
    truth = {"cat": ["cats"], "torus": ["tori"], "virus": ["viruses"]}
    return {"recs": lists(guesses), "truth": wanted(truth)}


INTELLIGENCE = (106, 86, 100, 101, 99, 103, 97, 113, 112, 110)
TELEVISION = (7, 0, 27, 50, 28, 29, 20, 12, 6, 17)


def classifiers(_):
    values = {name: [float(x) / 1000 for x in text.split()] for name, text in CLASSIFIERS.items()}
    users = [f"data set {n}" for n in range(14)]
    return {
        "recs": {name: lists({user: [name] for user in users}) for name in values},
        "truth": wanted({u: {m: x[n] for m, x in values.items()} for n, u in enumerate(users)}),
        "users": table([(u, u) for u in users], user_id=pa.string(), data_set=pa.string()),
    }


def observers(_):
    one, other = ([float(x) for x in text] for text in ("0100000010", "1110010000"))
    units = "abcdefghij"
    recs = scored({"all": dict(zip(units, one, strict=True))})
    return {"recs": recs, "truth": wanted({"all": dict(zip(units, other, strict=True))})}


def children(test):
    changes = {"before": "0" + "1" * 7 + "1" * 13, "after": "1" + "0" * 7 + "1" * 13}
    recs = {
        name: lists({f"child {n}": "x" if well == "1" else "y" for n, well in enumerate(text)})
        for name, text in changes.items()
    }
    return {"recs": recs, "truth": wanted({f"child {n}": "x" for n in range(21)}), "test": test}


def trec_eval_run(_):
    folder = SHARED / "trec_eval"
    files = {"recs": folder / "results.test", "truth": folder / "qrels.test"}
    return {name: sqlrec.File(path, "trec") for name, path in files.items()}


INPUTS = {
    "Passage retrieval in TREC 2019 and 2020": lists_of_grades,
    "Baselines of TREC 2021": lists_of_grades,
    "BM25 in BEIR": lists_of_grades,
    "Popular items in a reproducibility study": lists_of_grades,
    "Three recommenders that swap ranks when items are sampled": sampled,
    "Cumulated gain by hand": by_hand,
    "The example of ranx": ranx_queries,
    "The example of Spark": spark_rankings,
    "The test of ml_metrics": same_lists,
    "The example of TorchMetrics": graded((0.1, 0.2, 0.3, 4, 70), (10, 0, 0, 1, 5)),
    "Plurals of three words": plurals,
    "Intelligence and television": graded(INTELLIGENCE, TELEVISION),
    "Four classifiers on 14 data sets": classifiers,
    "Two observers": observers,
    "Children before and after treatment": children,
    "Fashion items of a shop": lambda _: {"logs": open_bandit("all")},
    "The test of trec_eval": trec_eval_run,
}


def cases():
    """Yield each request with the lists, the columns and the digits of each line below it."""
    request = re.compile(r"```python\n([^`]*)\n```\n\n((?:\|[^\n]*\n)+)")
    for title, text in SECTIONS.items():
        marks = [shared] if title in BY_FILES else []
        for code, rows in request.findall(text):
            head, _, *lines = [
                [x.strip(" `") for x in row.split("|")[1:-1]] for row in rows.splitlines()
            ]
            for name, *digits in lines:
                case = (title, code, name, dict(zip(head[1:], digits, strict=True)))
                yield param(*case, marks=marks, id=f"{name}: {code}")


@mark.parametrize(("title", "code", "name", "published"), [*cases()])
def test_a_request_prints_the_published_number(title, code, name, published):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        rows = eval(code, {"sqlrec": sqlrec, **INPUTS[title](name)}).to_arrow().to_pylist()
    rows = [row for row in rows if row.get("model") == name] or rows
    values = {column: value for row in rows for column, value in row.items()}
    values |= {row["request"]: row["value"] for row in rows if "value" in row}
    printed = {
        column: f"{values[column]:.{len(digits.partition('.')[2])}f}"
        for column, digits in published.items()
    }
    assert printed == published


def test_each_section_has_a_request():
    assert {case.values[0] for case in cases()} == {*SECTIONS} == {*INPUTS}
