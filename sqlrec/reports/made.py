"""How what a report says was found: the call, versions, rules, inputs and SQL."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from hashlib import file_digest, sha256
from pathlib import Path
from typing import Any

from ..catalogue.headers import SINGLE_TABLES
from ..engines.files import listed
from ..plots.chart import written
from ..run.job import Job
from ..shown import hidden

# Files of more bytes than this together are not read for a hash.
MOST_HASHED = 2**30


def called(metrics: Any, options: Mapping[str, Any]) -> str:
    """Write the call in Python; tables are named by their type."""
    words = [repr(metrics)]
    for name, value in options.items():
        if value not in (None, (), {}, "") if _is_plain(value) else value is not None:
            words.append(f"{name}={_written(value)}")
    return f"sqlrec.report({', '.join(words)})"


def _is_plain(value: Any) -> bool:
    return isinstance(value, (str, int, float, bool, tuple, list, Mapping, type(None)))


def _written(value: Any) -> str:
    if isinstance(value, Mapping):
        inside = ", ".join(f"{key!r}: {_written(one)}" for key, one in value.items())
        return f"{{{inside}}}"
    if isinstance(value, os.PathLike):
        return repr(os.fsdecode(value))
    return repr(value) if _is_plain(value) else f"<{type(value).__name__}>"


def rules_of(made: str) -> list[tuple[str, str]]:
    """Return the rules of metrics in words, those with the same together."""
    found: dict[str, list[str]] = {}
    for metric, rules in json.loads(made)["rules"].items():
        words = ", ".join(f"{name} {value}" for name, value in rules.items() if value is not None)
        found.setdefault(words, []).append(metric)
    return [(", ".join(metrics), words) for words, metrics in found.items()]


def inputs_of(job: Job, given: Mapping[str, Any]) -> list[list[str]]:
    """Return the name, the place, the rows and the hash of each input that metrics read."""
    found = []
    recs = given["recs"] if isinstance(given["recs"], Mapping) else {None: given["recs"]}
    read: list[tuple[str, Any, Any]] = [
        (f"recs {one.model or ''}".strip(), one, recs.get(one.model)) for one in job.plan.recs
    ]
    for name in SINGLE_TABLES:
        if table := getattr(job.plan, name):
            read.append((name, table, given[name]))
    engine = job.inputs.engine
    with engine.naming(job.inputs.objects):
        for name, source, one in read:
            (count,) = engine.rows(f"select count(*) as found from {source.relation}")[0]
            is_path = isinstance(one, (str, os.PathLike))
            place = os.fsdecode(one) if is_path else f"a {type(one).__name__}"
            found.append(
                [name, hidden(place), written(int(count)), _hash(place) if is_path else "no file"]
            )
    engine.rest()
    return found


def _hash(path: str) -> str:
    """Return the first digits of the SHA-256 of files, of several of them all together."""
    files = sorted(listed(path))
    if not files:
        return "no file"
    if sum(Path(file).stat().st_size for file in files) > MOST_HASHED:
        return "not made above 1 GiB"
    digests = []
    for file in files:
        with Path(file).open("rb") as stream:
            digests.append(file_digest(stream, "sha256").hexdigest())
    whole = digests[0] if len(digests) == 1 else sha256("".join(digests).encode()).hexdigest()
    return whole[:16]
