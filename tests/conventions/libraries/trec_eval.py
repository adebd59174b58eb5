"""trec_eval 10.0, and pytrec_eval-terrier 0.5.11, which is trec_eval 9 in Python.

recs are the run, with item ids as docnos, and truth are the qrels. Means are over the users of both
files, as in trec_eval; with " -c" after a measure's name, over all users of the qrels.

If the variable TREC_EVAL_SOURCE has the path of the source of trec_eval 10.0
(https://github.com/usnistgov/trec_eval, tag v10.0), a copy that prints all digits is built, and its
values are recorded; pytrec_eval must have equal values, except for the measures of CHANGED. Without
the path, the values are those of pytrec_eval, without the measures of CHANGED and NEW_*.

trec_eval 10.0 without -c ends with an error if the run has no list for a query of the qrels. So its
qrels have only the users with a list, over whom version 9 averages. Both reject duplicates
(pytrec_eval in its readers), so data sets with duplicates have no values.
"""

import math
import os
import shutil
import subprocess
import tempfile
from pathlib import Path

import pytrec_eval
from tables import CUTOFFS

LIBRARY = "pytrec-eval-terrier"
REQUIREMENTS = "pytrec-eval-terrier==0.5.11 numpy==2.4.6 scipy==1.17.1"

CUT = "P recall success map_cut ndcg_cut relative_P".split()
WHOLE = (
    "map gm_map Rprec bpref gm_bpref recip_rank infAP ndcg ndcg_rel Rndcg binG G set_P"
    " set_relative_P set_recall set_map set_F utility Rprec_mult"
    " num_q num_ret num_rel num_rel_ret num_nonrel_judged_ret"
).split()
# Version 10 rounds the number of items in another way if it is a share of the relevant items.
CHANGED = ["11pt_avg", "iprec_at_recall"]
# Only version 10 has these.
NEW_CUT = ["unj"]
NEW_WHOLE = ["rbp", "rbp_resid"]

_built = []


def values(tables):
    """Return all measures, by name and cutoff."""
    truth, recs = {}, {}
    for user, item, relevance in tables["truth"]:
        truth.setdefault(user, []).append((str(item), relevance))
    for user, item, score in tables["recs"]:
        recs.setdefault(user, []).append((str(item), score))
    for rows in [*truth.values(), *recs.values()]:
        if len({item for item, _ in rows}) < len(rows):
            return {}
    both = {user: truth[user] for user in truth if user in recs}
    result = _python(both, recs, len(both), both)
    result |= _python(truth, recs, len(truth), truth, " -c")
    source = os.environ.get("TREC_EVAL_SOURCE")
    if source:
        new = _version_10(source, both, recs, [], "")
        new |= _version_10(source, truth, recs, ["-c"], " -c")
        for name, value in result.items():
            assert math.isclose(new[name], value, rel_tol=1e-12, abs_tol=1e-12), name
        result = new
    return result


def _python(truth, recs, users, all_users, suffix=""):
    """Return pytrec_eval's values, averaged over a number of users."""
    cutoffs = ",".join(map(str, CUTOFFS))
    measures = {*(f"{name}.{cutoffs}" for name in CUT), *WHOLE}
    qrels = {user: dict(rows) for user, rows in truth.items()}
    run = {user: dict(rows) for user, rows in recs.items()}
    per_user = pytrec_eval.RelevanceEvaluator(qrels, measures).evaluate(run)
    result = {}
    for name in next(iter(per_user.values())):
        total = sum(row[name] for row in per_user.values())
        if name.startswith("num_"):
            if name == "num_q" and suffix:
                total = users
            if name == "num_rel" and suffix:
                total = sum(relevance > 0 for rows in all_users.values() for _, relevance in rows)
            result[_key(name, suffix)] = total
        elif name.startswith("gm_"):
            # Users without a list have the minimum.
            total += (users - len(per_user)) * math.log(0.00001)
            result[_key(name, suffix)] = math.exp(total / users)
        else:
            result[_key(name, suffix)] = total / users
    return result


def _version_10(source, truth, recs, options, suffix):
    """Return trec_eval 10's printed values for all users together."""
    if not _built:
        _built.append(_build(source))
    cutoffs = ",".join(map(str, CUTOFFS))
    measures = [*(f"{name}.{cutoffs}" for name in [*CUT, *NEW_CUT]), *WHOLE, *CHANGED, *NEW_WHOLE]
    with tempfile.TemporaryDirectory() as folder:
        qrels, run = Path(folder, "qrels"), Path(folder, "run")
        judged = [f"{user} 0 {item} {grade}\n" for user in truth for item, grade in truth[user]]
        qrels.write_text("".join(judged))
        result = [
            f"{user} Q0 {item} 0 {score!r} run\n" for user in recs for item, score in recs[user]
        ]
        run.write_text("".join(result))
        wanted = [word for name in measures for word in ("-m", name)]
        command = [_built[0], *options, *wanted, qrels, run]
        printed = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    result = {}
    for line in printed.splitlines():
        name, _, value = (field.strip() for field in line.split("\t"))
        result[_key(name, suffix)] = float(value)
    if max(relevance for rows in truth.values() for _, relevance in rows) > 1:
        # It scales gains above 1 by two uninitialized variables.
        del result[_key("rbp", suffix)]
    return result


def _build(source):
    """Return the path of the program, built so that it prints all digits."""
    folder = Path(tempfile.mkdtemp()) / "source"
    shutil.copytree(source, folder, ignore=shutil.ignore_patterns("*.o", ".git"))
    for path in folder.glob("meas_print_*.c"):
        path.write_text(path.read_text().replace("%6.4f", "%.17g"))
    (folder / "trec_eval").unlink(missing_ok=True)
    subprocess.run(["make", "-s"], cwd=folder, check=True)
    return str(folder / "trec_eval")


def _key(name, suffix):
    """Return P@5 for P_5; a measure without a cutoff keeps its name."""
    base, _, last = name.rpartition("_")
    if base in CUT or base in NEW_CUT:
        return f"{base}{suffix}@{last}"
    return name + suffix
