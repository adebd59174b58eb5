"""Values by conventions equal the libraries' values, or the convention names the difference."""

import json
from collections import Counter
from dataclasses import replace
from functools import cache
from pathlib import Path

import pyarrow as pa
from pytest import approx, mark, param

import sqlrec
from sqlrec.analyses.explain import describe_switch
from sqlrec.catalogue.requests import request_entry
from sqlrec.engines.duckdb import DuckDB
from sqlrec.plan.build import ACCOUNTS, WHOLE_KINDS
from sqlrec.run.job import RESULT

from ..tables import prepare, table
from .tables import CATEGORIES, USERS, data_sets, groups, user_group

VALUES = Path(__file__).parent / "values"
DATA = data_sets()
# Always tested: whole lists of these data sets, and lists to this rank.
FEW, RANKS = ("tied",), "5"
# Data sets of CI; the others are tested weekly. Golden values test all forms at any other time.
SOME = ("tied", "without_truth", "repeated_graded")
# Metrics that cross each user with the items of all users are not evaluated by segment.
CROSSED = ("jurity", "sklearn")
# Data sets with rows that break a rule of some libraries; the warning is for all metrics of a call.
REPEATED = {name for name in DATA if name.startswith("repeated")}
LIBRARIES = [name for name in sqlrec.conventions() if name != "sqlrec"]
# Tests of a library's values run on one worker, which evaluates them once.
EVALUATED = [param(name, marks=mark.xdist_group(f"convention {name}")) for name in LIBRARIES]

# Metrics for which the library's inputs differ from the tables.
WITHOUT_HISTORY = "catalog_coverage distributional_coverage novelty diversity serendipity".split()
WITHOUT_HISTORY.append("serendipity col_relevance")
# Metrics whose lists and truth have only items that are new to the user and known to some user.
NEW_ALONE = [
    *(("warprec", name) for name in ("PopRSP", "PopREO", "RSP", "REO")),
    *(("elliot", name) for name in ("PopRSP", "PopREO", "REO")),
    *(("elliot", f"ExtendedPop{x}{of}") for x in ("RSP", "REO") for of in ("", " pop_ratio=0.5")),
]
# Metrics with categories as features of items.
FEATURED = (
    ("jurity", "IntraListDiversity"),
    *(("evidently", name) for name in ("Diversity", "Serendipity")),
    *((name, "intra_list_similarity") for name in ("recmetrics", "rexmex")),
)
IDS = {"user_id": pa.string(), "item_id": pa.int64()}
SCORED = IDS | {"score": pa.float64()}
LABELS = dict.fromkeys(("category", "aspect", "item_group"), pa.string())
DESCRIBED = {"item_id": pa.int64(), **LABELS}


@cache
def values(profile):
    return json.loads((VALUES / f"{profile}.json").read_text())


def inputs(profile, name, entry):
    """Return the tables of a data set as inputs of `evaluate` for a library's metric."""
    rows = DATA[name]
    items = {item for item, _ in rows["items"]}
    recs, truth, described = rows["recs"], rows["truth"], rows["items"]
    group = groups(described)
    new, unseen, one_category, alike, featured = kinds(profile, entry)
    if new:
        had, known = set(rows["history"]), {item for _, item in rows["history"]}
        recs, truth = (
            [row for row in one if row[1] in known and row[:2] not in had] for one in (recs, truth)
        )
    if unseen:
        recs = [row for row in recs if row[:2] not in set(rows["history"])]
    if one_category:
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
        "items": table([(*row, row[1], group[row[0]]) for row in described], **DESCRIBED),
        "catalog": table([(item,) for item in items], item_id=pa.int64()),
    }
    # Inputs of only one metric: the similarity of items by their users, or by their categories.
    if alike or featured:
        pairs = rows["items"] if featured else [(item, user) for user, item in rows["history"]]
        types = {"item_id": pa.int64(), "feature": pa.string(), "value": pa.float64()}
        given["items"] = table([(*pair, 1.0) for pair in pairs], **types)
    return given


def kinds(profile, entry):
    """Return the kinds of inputs of a library's metric that differ from the tables."""
    return (
        (profile, entry) in NEW_ALONE,
        profile == "recommenders" and entry in WITHOUT_HISTORY,
        entry == "CategoricalDiversity one category",
        profile == "recommenders" and entry.startswith(("diversity", "serendipity")),
        (profile, entry) in FEATURED,
    )


def propensity(history, item):
    """Return WarpRec's propensity: the root of an item's users divided by the top item's users."""
    counts = Counter(of for _, of in set(history))
    return max((counts[item] / max(counts.values())) ** 0.5, 0.1)


def requests(profile, name):
    """Return a library's values of a data set, the entry and sqlrec's metric of each, by name."""
    convention = sqlrec.conventions()[profile]
    entries = {entry.name: entry for entry in convention.entries}
    theirs, ours = {}, {}
    for key, value in values(profile)["values"][name].items():
        entry, _, k = key.partition("@")
        # With -c trec_eval averages over all topics of the truth.
        entry, *_ = entry.partition(" -c") if profile == "trec_eval" else (entry, "", "")
        if entry not in entries:
            continue
        theirs[key] = value
        chosen = entries[entry]
        if chosen.metric == "bias_disparity":
            # A library has a value for each group; this is the value of the first.
            chosen = replace(chosen, params={**chosen.params, "group": CATEGORIES[0]})
        label = key.replace("'", "")
        ours[key] = entry, request_entry(convention, chosen, int(k) if k else None, label=label)
    return theirs, ours


def evaluate(requested, given, **options):
    """Evaluate metrics by name; return the values by name and segment."""
    job = prepare(
        [metric for _, metric in requested.values()], arguments=given, engine=DuckDB(), **options
    )
    by = [segment.name for segment in job.plan.by]
    columns = ("model", *by, *RESULT, "population", *ACCOUNTS, *job.weights, "violations")
    labels = {metric.label: key for key, (_, metric) in requested.items()}
    return {
        (labels[row["metric"]], *(row[name] for name in by)): None
        if row["violations"]
        else row["value"]
        for row in job.query(job.render("evaluation"), columns).to_pylist()
    }


def in_batches(profile, requested):
    """Iterate over metrics of the same tables and rules: one entry, the rules, and the metrics."""
    batches = {}
    for key, (entry, metric) in requested.items():
        every = "-c" in key and profile == "trec_eval"
        batches.setdefault((*kinds(profile, entry), every), {})[key] = entry, metric
    for (*_, every), batch in batches.items():
        entry, _ = next(iter(batch.values()))
        yield entry, {"population": "judged"} if every else {}, batch


def is_of_lists(profile, metric):
    """Return whether a metric is a mean over users of values of the user's rows only."""
    tables = {need.table for need in metric.metric.needs}
    own = tables <= {"recs", "truth"} and metric.metric.rows not in WHOLE_KINDS
    return own and profile not in CROSSED


@cache
def of_lists(profile):
    """Evaluate means over users on most data sets at once; return values by name and data set."""
    requested, rows = {}, {"recs": [], "truth": [], "users": []}
    for name in DATA.keys() - REPEATED:
        for key, one in requests(profile, name)[1].items():
            if is_of_lists(profile, one[1]):
                requested[key] = one
        own = inputs(profile, name, "")
        users = pa.array([f"{name} {user}" for user in USERS])
        rows["users"].append(pa.table({"user_id": users, "data_set": [name] * len(USERS)}))
        for which in ("recs", "truth"):
            renamed = pa.array([f"{name} {user}" for user in own[which]["user_id"].to_pylist()])
            rows[which].append(own[which].set_column(0, "user_id", renamed))
    given = {name: pa.concat_tables(parts) for name, parts in rows.items()}
    return {
        found: value
        for _, rules, batch in in_batches(profile, requested)
        for found, value in evaluate(batch, given, by="data_set", **rules).items()
    }


def means(profile, name):
    """Return sqlrec's values of a library's means over users, and all values of the library."""
    theirs, requested = requests(profile, name)
    shared = {
        key
        for key, (_, metric) in requested.items()
        if name not in REPEATED and is_of_lists(profile, metric)
    }
    return {key: of_lists(profile).get((key, name)) for key in shared}, theirs


def evaluated(profile, name, requested):
    """Return sqlrec's values of a library's metrics on a data set."""
    values = {}
    for entry, rules, batch in in_batches(profile, requested):
        found = evaluate(batch, inputs(profile, name, entry), **rules)
        values |= {key: value for (key,), value in found.items()}
    return values


@cache
def found(profile, name):
    """Return sqlrec's and the library's values of each of a library's metrics on a data set."""
    ours, theirs = means(profile, name)
    _, requested = requests(profile, name)
    ours |= evaluated(
        profile, name, {key: one for key, one in requested.items() if key not in ours}
    )
    assert ours.keys() == theirs.keys()
    return ours, theirs


def few(profile, name):
    """Return sqlrec's and the library's values of whole lists and of lists to one rank."""
    theirs, requested = (
        {key: one for key, one in of.items() if key.partition("@")[2] in ("", RANKS)}
        for of in requests(profile, name)
    )
    return evaluated(profile, name, requested), theirs


def differing(profile, name, values=found):
    """Return the metrics of a library whose values differ on a data set."""
    ours, theirs = values(profile, name)
    return {
        key: (ours[key], theirs[key])
        for key in ours
        if ours[key] != (None if theirs[key] is None else approx(theirs[key], rel=1e-9, abs=1e-9))
    }


def excuse(convention, key):
    """Return the convention's name for a value that differs from the library's, if it has one."""
    name, _, k = key.partition("@")
    name = name.removesuffix(" -c")
    return next(
        (each for each in (name, f"{name}@{k or 'all'}") if each in convention.unequal), None
    )


def unexcused(profile, name, values=found):
    """Return the metrics with a difference that the convention does not name."""
    convention, differ = sqlrec.conventions()[profile], differing(profile, name, values)
    return {key: both for key, both in differ.items() if not excuse(convention, key)}


@mark.parametrize("name", FEW)
@mark.parametrize("profile", EVALUATED)
def test_a_sample_of_values_equals_the_library(profile, name):
    assert unexcused(profile, name, few) == {}


@mark.parametrize(
    "name", [param(name, marks=mark.slow if name in SOME else mark.weekly) for name in DATA]
)
@mark.parametrize("profile", EVALUATED)
def test_values_equal_the_library(profile, name):
    assert unexcused(profile, name) == {}


@mark.slow
@mark.parametrize("profile", EVALUATED)
def test_means_over_users_equal_the_library(profile):
    found = {name: unexcused(profile, name, means) for name in DATA}
    assert found == {name: {} for name in DATA}


@mark.parametrize("profile", LIBRARIES)
def test_each_metric_of_the_library_is_listed(profile):
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


@mark.weekly
@mark.parametrize("profile", EVALUATED)
def test_unequal_metrics_differ(profile):
    convention = sqlrec.conventions()[profile]
    odd = ("tied", "tied_short", *REPEATED, "negative")
    excused = set()
    for name in DATA:
        for key, (ours, theirs) in differing(profile, name).items():
            said = excuse(convention, key)
            excused.add(said)
            assert name in odd or said.endswith("@all") or abs(ours - theirs) < 1e-7, (name, key)
    assert excused == set(convention.unequal)


@mark.parametrize("profile", LIBRARIES)
def test_each_metric_is_equal_or_has_a_reason(profile):
    convention = sqlrec.conventions()[profile]
    measured = json.loads((VALUES.parent / "measured.json").read_text())[profile]
    assert list(measured) == [entry.name for entry in convention.entries]
    for name, (count, largest) in measured.items():
        assert count > 0, name
        assert largest < 1e-9 or {name, f"{name}@all"} & set(convention.unequal), name


# A library's distance between groups of users: its name, sqlrec's metric, and the rules.
USER_MADS = {
    "elliot": {"UserMADranking": ("nDCG", "elliot"), "UserMADrating": ("mean_score", "sqlrec")},
    "warprec": {"UserMADRanking": ("nDCG", "warprec"), "UserMADRating": ("mean_score", "sqlrec")},
}


@mark.slow
@mark.parametrize("profile", USER_MADS)
def test_gaps_of_groups_equal_the_library(profile):
    sides = [(user, user_group(user)) for user in USERS]
    users = table(sides, user_id=pa.string(), side=pa.string())
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
            tables = {"recs": table(kept, **SCORED), "truth": given["truth"], "users": users}
            options = {"by": "side", "rules": convention, "interval": False}
            result = sqlrec.evaluate(metric, k=[*wanted], **tables, **options)
            gaps = result.gaps().to_arrow().to_pylist()
            found = {row["k"]: row["mean_difference"] for row in gaps}
            assert found == approx(wanted, rel=1e-9, abs=1e-9), (name, entry)
            counts[entry] += len(wanted)
    assert min(counts[entry] for entry in USER_MADS[profile]) > 30
    assert USER_MADS[profile].keys() <= sqlrec.conventions()[profile].missing.keys()


@mark.parametrize("profile", LIBRARIES)
def test_the_tested_version_is_named(profile):
    convention = sqlrec.conventions()[profile]
    held = values(profile)
    assert (convention.library, convention.version) == (held["library"], held["version"])


def test_each_choice_has_a_meaning_in_words():
    for convention in sqlrec.conventions().values():
        for entry in convention.entries:
            for key, value in {**entry.params, **entry.rules}.items():
                assert f"{key}=" not in describe_switch(((key, value),), 10), (entry, key, value)


def test_only_dcg_shares_ties():
    for convention in sqlrec.conventions().values():
        for entry in convention.entries:
            if entry.rules.get("ties") == "shared":
                assert entry.metric in ("dcg", "ndcg")


@mark.parametrize("profile, value", [("sqlrec", 1 / 2), ("trec_eval", 1 / 3), ("ir_measures", 1)])
def test_numbers_are_texts_to_what_reads_files_of_text(profile, value):
    recs = table([("ann", item, 1.0) for item in (9, 10, 2)], **SCORED)
    truth = table([("ann", 9 if profile == "sqlrec" else 10)], **IDS)
    result = sqlrec.evaluate("mrr@3", recs=recs, truth=truth, rules=profile)
    assert result.to_arrow()["value"].to_pylist() == [approx(value)]
