"""Conventions give the values that their libraries were found to give, or say where they do not."""

import json
from collections import Counter
from dataclasses import replace
from functools import cache
from pathlib import Path

import pyarrow as pa
from pytest import approx, mark, param

import sqlrec
from sqlrec.analyses.explain import meaning
from sqlrec.catalogue.requests import ask
from sqlrec.plan.build import ACCOUNTS
from sqlrec.run.job import RESULT, open_inputs, prepare

from ..tables import table
from .tables import CATEGORIES, USERS, data_sets, groups, user_group

VALUES = Path(__file__).parent / "values"
DATA = data_sets()
# What is tested always.
FEW = ("tied",)
LIBRARIES = [name for name in sqlrec.conventions() if name != "sqlrec"]
# Tests that evaluate what a library gives: on one worker, where it is evaluated once for all.
EVALUATED = [param(name, marks=mark.xdist_group(f"convention {name}")) for name in LIBRARIES]

# Where the library was fed otherwise than with the tables as they are.
WITHOUT_HISTORY = (
    *("catalog_coverage", "distributional_coverage", "novelty", "diversity"),
    *("serendipity", "serendipity col_relevance"),
)
# Where neither lists nor truth have what the user has had, or nobody.
NEW_ALONE = tuple(
    (profile, name)
    for profile, names in {
        "elliot": (
            *("PopRSP", "PopREO", "REO", "ExtendedPopRSP", "ExtendedPopREO"),
            *("ExtendedPopRSP pop_ratio=0.5", "ExtendedPopREO pop_ratio=0.5"),
        ),
        "warprec": ("PopRSP", "PopREO", "RSP", "REO"),
    }.items()
    for name in names
)
# Where categories are features of items.
FEATURED = (
    ("jurity", "IntraListDiversity"),
    *(("evidently", name) for name in ("Diversity", "Serendipity")),
    *((name, "intra_list_similarity") for name in ("recmetrics", "rexmex")),
)
IDS = {"user_id": pa.string(), "item_id": pa.int64()}
SCORED = IDS | {"score": pa.float64()}


@cache
def values(profile):
    return json.loads((VALUES / f"{profile}.json").read_text())


def inputs(profile, name, entry):
    """Return the tables of a data set as what `evaluate` is given for a library's metric."""
    rows = DATA[name]
    items = {item for item, _ in rows["items"]}
    recs, truth, described = rows["recs"], rows["truth"], rows["items"]
    group = groups(described)
    if (profile, entry) in NEW_ALONE:
        had, known = set(rows["history"]), {item for _, item in rows["history"]}
        recs, truth = (
            [row for row in one if row[1] in known and row[:2] not in had] for one in (recs, truth)
        )
    if profile == "recommenders" and entry in WITHOUT_HISTORY:
        recs = [row for row in recs if row[:2] not in set(rows["history"])]
    if entry == "CategoricalDiversity one category":
        described = [(item, min(each for one, each in described if one == item)) for item in items]
    if profile == "sklearn":
        items = {item for _, item, _ in rows["recs"] + rows["truth"]}
    if profile == "warprec":
        truth = [(*row, propensity(rows["history"], row[1])) for row in truth]
    likely = {"propensity": pa.float64()} if profile == "warprec" else {}
    given = {
        "recs": table(recs, **SCORED),
        "truth": table(truth, **IDS, relevance=pa.int64(), **likely),
        "history": table(rows["history"], **IDS),
        "baseline": table(rows["baseline"], **SCORED),
        "items": table(
            [(*row, row[1], group[row[0]]) for row in described],
            item_id=pa.int64(),
            category=pa.string(),
            aspect=pa.string(),
            item_group=pa.string(),
        ),
        "catalog": table([(item,) for item in items], item_id=pa.int64()),
    }
    # Those of one metric's own: how alike lists are by who had their items, or by their categories.
    if profile == "recommenders" and entry.startswith(("diversity", "serendipity")):
        held = [(item, user, 1.0) for user, item in rows["history"]]
        featured = {"item_id": pa.int64(), "feature": pa.string(), "value": pa.float64()}
        given["items"] = table(held, **featured)
    if (profile, entry) in FEATURED:
        held = [(item, category, 1.0) for item, category in rows["items"]]
        featured = {"item_id": pa.int64(), "feature": pa.string(), "value": pa.float64()}
        given["items"] = table(held, **featured)
    return given


def propensity(history, item):
    """Return what WarpRec estimates: the root of an item's users by those of the most popular."""
    counts = Counter(of for _, of in set(history))
    return max((counts[item] / max(counts.values())) ** 0.5, 0.1)


@cache
def found(profile, name):
    """Evaluate each metric that the library has a value of on a data set; return both, by name."""
    convention = sqlrec.conventions()[profile]
    entries = {entry.name: entry for entry in convention.entries}
    ours, wanted = {}, {}
    batches = {}
    for key, value in values(profile)["values"][name].items():
        entry, _, k = key.partition("@")
        # With -c trec_eval averages over all topics of the truth.
        entry, *_ = entry.partition(" -c") if profile == "trec_eval" else (entry, "", "")
        if entry not in entries:
            continue
        wanted[key] = value
        chosen = entries[entry]
        if chosen.metric == "bias_disparity":
            # A library has a value for each group; here it is that of the first.
            chosen = replace(chosen, params={**chosen.params, "group": CATEGORIES[0]})
        asked = ask(convention, chosen, int(k) if k else None, label=key.replace("'", ""))
        special = (
            entry if entry in (*WITHOUT_HISTORY, "CategoricalDiversity one category") else "",
            "-c" in key and profile == "trec_eval",
            (profile, entry) in FEATURED + NEW_ALONE,
        )
        batches.setdefault((entry if special[0] or special[2] else "", special), []).append(
            (key, asked)
        )
    for (entry, (_, every, _)), batch in batches.items():
        rules = {"population": "judged"} if every else {}
        given = open_inputs(inputs(profile, name, entry))
        job = prepare([asked for _, asked in batch], **given, **rules)
        columns = ("model", *RESULT, "population", *ACCOUNTS, *job.weights, "violations")
        rows = job.query(job.render("evaluation"), columns).to_pylist()
        labels = {asked.label: key for key, asked in batch}
        ours |= {labels[row["metric"]]: None if row["violations"] else row["value"] for row in rows}
    return ours, wanted


def differing(profile, name):
    """Return the metrics of a library whose values differ on a data set."""
    ours, theirs = found(profile, name)
    return {
        key: (ours[key], value)
        for key, value in theirs.items()
        if ours[key] != (None if value is None else approx(value, rel=1e-9, abs=1e-9))
    }


def excuse(convention, key):
    """Return the name under which a convention says that a value differs from the library's."""
    name, _, k = key.partition("@")
    name = name.removesuffix(" -c")
    return next(
        (each for each in (name, f"{name}@{k or 'all'}") if each in convention.unequal), None
    )


@mark.parametrize("name", [one if one in FEW else param(one, marks=mark.slow) for one in DATA])
@mark.parametrize("profile", EVALUATED)
def test_is_what_the_library_gives(profile, name):
    convention = sqlrec.conventions()[profile]
    differ = {
        key: both for key, both in differing(profile, name).items() if not excuse(convention, key)
    }
    assert differ == {}


@mark.parametrize("profile", LIBRARIES)
def test_says_of_each_metric_of_the_library_whether_it_is_here(profile):
    convention = sqlrec.conventions()[profile]
    names = {
        key.partition("@")[0].removesuffix(" -c")
        for found in values(profile)["values"].values()
        for key in found
    }
    here = {entry.name for entry in convention.entries}
    assert names - here - set(convention.missing) == set()
    assert not here & set(convention.missing)
    assert {name.removesuffix("@all") for name in convention.unequal} <= here


@mark.slow
@mark.parametrize("profile", EVALUATED)
def test_what_is_said_to_differ_does_so_but_for_single_precision_only_where_data_are_odd(profile):
    convention = sqlrec.conventions()[profile]
    repeated = [name for name in DATA if name.startswith("repeated")]
    odd = ("tied", "tied_short", *repeated, "negative")
    excused = set()
    for name in DATA:
        for key, (ours, theirs) in differing(profile, name).items():
            said = excuse(convention, key)
            excused.add(said)
            assert name in odd or said.endswith("@all") or abs(ours - theirs) < 1e-7, (name, key)
    assert excused == set(convention.unequal)


@mark.parametrize("profile", LIBRARIES)
def test_each_metric_was_measured_and_is_what_the_library_gives_or_says_why(profile):
    convention = sqlrec.conventions()[profile]
    measured = json.loads((VALUES.parent / "measured.json").read_text())[profile]
    assert list(measured) == [entry.name for entry in convention.entries]
    for name, (count, largest) in measured.items():
        assert count > 0, name
        assert largest < 1e-9 or {name, f"{name}@all"} & set(convention.unequal), name


# Of a library that has how far groups of users are apart: its name, our metric, and by whose rules.
USER_MADS = {
    "elliot": {"UserMADranking": ("nDCG", "elliot"), "UserMADrating": ("mean_score", "sqlrec")},
    "warprec": {"UserMADRanking": ("nDCG", "warprec"), "UserMADRating": ("mean_score", "sqlrec")},
}


@mark.slow
@mark.parametrize("profile", USER_MADS)
def test_groups_of_users_are_as_far_apart_as_in_the_library(profile):
    users = table(
        [(user, user_group(user)) for user in USERS], user_id=pa.string(), side=pa.string()
    )
    counts = Counter()
    for name in DATA:
        given = inputs(profile, name, "")
        relevant = {row[0] for row in DATA[name]["truth"] if row[2] >= 1}
        theirs = values(profile)["values"][name]
        for entry, (metric, convention) in USER_MADS[profile].items():
            wanted = {
                int(key.partition("@")[2]): theirs[key] for key in theirs if key.startswith(entry)
            }
            if not wanted:
                continue
            kept = [row for row in DATA[name]["recs"] if row[0] in relevant]
            result = sqlrec.evaluate(
                metric,
                k=[*wanted],
                recs=table(kept, **SCORED),
                truth=given["truth"],
                users=users,
                by="side",
                convention=convention,
                interval=False,
            )
            found = {
                row["k"]: row["mean_difference"] for row in result.gaps().to_arrow().to_pylist()
            }
            assert found == approx(wanted, rel=1e-9, abs=1e-9), (name, entry)
            counts[entry] += len(wanted)
    assert min(counts[entry] for entry in USER_MADS[profile]) > 30
    assert USER_MADS[profile].keys() <= sqlrec.conventions()[profile].missing.keys()


@mark.parametrize("profile", LIBRARIES)
def test_names_the_version_that_it_was_held_against(profile):
    convention = sqlrec.conventions()[profile]
    held = values(profile)
    assert (convention.library, convention.version) == (held["library"], held["version"])


def test_each_choice_has_a_meaning_in_words():
    for convention in sqlrec.conventions().values():
        for entry in convention.entries:
            for key, value in {**entry.params, **entry.rules}.items():
                assert f"{key}=" not in meaning(key, value, 10), (entry, key, value)


def test_ties_are_shared_by_dcg_alone():
    for convention in sqlrec.conventions().values():
        for entry in convention.entries:
            if entry.rules.get("ties") == "shared":
                assert entry.metric in ("dcg", "ndcg")


@mark.parametrize("profile, value", [("sqlrec", 1 / 2), ("trec_eval", 1 / 3), ("ir_measures", 1)])
def test_numbers_are_texts_to_what_reads_files_of_text(profile, value):
    recs = table([("ann", item, 1.0) for item in (9, 10, 2)], **SCORED)
    truth = table([("ann", 9 if profile == "sqlrec" else 10)], **IDS)
    result = sqlrec.evaluate("mrr@3", recs=recs, truth=truth, convention=profile)
    assert result.to_arrow()["value"].to_pylist() == [approx(value)]
