"""Each convention gives the values that its library was found to give."""

import json
from pathlib import Path

import pyarrow as pa
from pytest import approx, mark

import sqlrec
from sqlrec.catalogue import TABLES, ask
from sqlrec.plan import ACCOUNTS
from sqlrec.runner import RESULT, prepare

from ..tables import table
from .tables import data_sets

VALUES = Path(__file__).parent / "values"
DATA = data_sets()
LIBRARIES = [name for name in sqlrec.conventions() if name != "sqlrec"]


def inputs(name):
    """Return the tables of a data set as what `evaluate` is given."""
    rows = DATA[name]
    ids = {"user_id": pa.string(), "item_id": pa.int64()}
    scored = ids | {"score": pa.float64()}
    items = sorted({item for item, _ in rows["items"]})
    return {
        "recs": table(rows["recs"], **scored),
        "truth": table(rows["truth"], **ids, relevance=pa.int64()),
        "history": table(rows["history"], **ids),
        "baseline": table(rows["baseline"], **scored),
        "items": table(rows["items"], item_id=pa.int64(), category=pa.string()),
        "catalog": table([(item,) for item in items], item_id=pa.int64()),
    }


def found(profile, name):
    """Evaluate each metric that the library has a value of on a data set; return both, by name."""
    convention = sqlrec.conventions()[profile]
    values = json.loads((VALUES / f"{profile}.json").read_text())["values"][name]
    entries = {entry.name: entry for entry in convention.entries}
    wanted = {key: value for key, value in values.items() if key.partition("@")[0] in entries}
    asked = []
    for key in wanted:
        entry, _, k = key.partition("@")
        asked.append(ask(convention, entries[entry], int(k) if k else None, label=key))
    job = prepare(asked, given=dict.fromkeys(TABLES) | inputs(name))
    rows = job.query(job.render("evaluation"), ("model", *RESULT, "population", *ACCOUNTS, "faults"))
    ours = {
        row["metric"]: None if row["faults"] else row["value"] for row in rows.to_pylist()
    }
    return ours, wanted


@mark.parametrize("name", DATA)
@mark.parametrize("profile", LIBRARIES)
def test_is_what_the_library_gives(profile, name):
    ours, theirs = found(profile, name)
    assert ours == {
        key: None if value is None else approx(value, rel=1e-9, abs=1e-9)
        for key, value in theirs.items()
    }
